import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import type { TSchema } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import { catalog, type CommandName } from '../../schema/catalog.ts'
import type { Command, CommandTable } from '../../schema/command.ts'
import { commandLog } from '../../schema/commands/commands.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { demandFeature } from './plan-features.ts'
import type { Db, Tx } from '../db/database.ts'
import { lockName } from '../db/locks.ts'
import { retryOnConflict, retrying } from '../db/retrying.ts'
import { type Change, applyDecision, refusalOf } from './apply.ts'
import { factReader, type KnownWires } from './facts.ts'

export interface CommandOutcome {
  /** The transaction, as shapes report it: when these rows have arrived, the browser's own copy can go. */
  txid: string
  /** The shapes whose rows it changed; those of others will never confirm it. */
  tables: CommandTable[]
  result: unknown
}

export interface Call {
  /** The idempotency key. */
  id: string
  name: CommandName
  input: unknown
}

/** Does a command for somebody. Agents' browsers, REST calls, the external API and automation all come through here. */
export type RunCommand = (who: Principal, call: Call) => Promise<CommandOutcome>

const checks = new Map<CommandName, TypeCheck<TSchema>>()

/** The first thing wrong with an input, or null. */
export function inputError(name: CommandName, input: unknown): { path: string; message: string } | null {
  let check = checks.get(name)
  if (!check) checks.set(name, (check = TypeCompiler.Compile(catalog[name].input as TSchema)))
  const first = check.Errors(input).First()
  return first ? { path: first.path, message: first.message } : null
}

/**
 * Runs commands: valid, allowed, once for each key, in one transaction. What is returned throws a `DomainError` with the
 * code of what was refused.
 */
export function createCommandRunner(deps: {
  db: Db
  now(): Date
  /** Called after the commit: wakes the job worker and the shape stream, and tells who listens. */
  committed(changes: Change[]): void
}): RunCommand {
  const wires: KnownWires = new Map()
  return async (who, call) => {
    // No way leads here for who only looks: not even reading.
    if (who.visiting) throw new DomainError('ERR_IMPERSONATION_READ_ONLY')
    if (!Object.hasOwn(catalog, call.name))
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: '/name', message: 'unknown command' }] })
    const definition = catalog[call.name] as unknown as Command<TSchema, unknown>
    const wrong = inputError(call.name, call.input)
    if (wrong || hasNul(call.input))
      throw new DomainError('ERR_VALIDATION', { fields: [wrong ?? { path: '', message: 'NUL is not a character' }] })
    if (definition.needs && !can(who, definition.needs)) throw new DomainError('ERR_NO_PERMISSION')
    const inputHash = String(Bun.hash(JSON.stringify(call.input)))

    const work = async (tx: Tx) => {
      const done = await alreadyDone(tx, who, call, inputHash)
      if (done) return { outcome: done, changes: [] }
      if (definition.feature) await demandFeature(tx, who.companyId, definition.feature)
      const facts = await definition.facts(call.input as never, factReader(tx, who.companyId, wires), who)
      const decision = definition.decide(call.input as never, facts, { who, now: deps.now(), commandId: call.id })
      const changes = await applyDecision(tx, who.companyId, decision)
      const tables = [...new Set(decision.rows.map((row) => row.table))]
      const [row] = await tx
        .insert(commandLog)
        .values({
          companyId: who.companyId,
          userId: who.userId,
          id: call.id,
          name: call.name,
          inputHash,
          result: { tables, value: decision.result ?? {} },
          txid: sql`pg_current_xact_id()::xid::text` as unknown as string,
        })
        .returning({ txid: commandLog.txid })
      return { outcome: { txid: row!.txid, tables, result: decision.result ?? {} }, changes }
    }
    const { outcome, changes } = await retrying(retryOnConflict, () => deps.db.transaction(work)).catch(
      (error: unknown) => {
        throw refusalOf(error) ?? error
      },
    )
    deps.committed(changes)
    return outcome
  }
}

/**
 * What this key answered before, if it did. The lock makes a second request with the same key wait for the first,
 * so that it is told the same instead of failing on what the first changed.
 */
async function alreadyDone(tx: Tx, who: Principal, call: Call, inputHash: string): Promise<CommandOutcome | null> {
  // Two statements, so that the second sees what the lock waited for; sent together.
  const [, [before]] = await Promise.all([
    lockName(tx, `${who.companyId}/${who.userId}/${call.id}`),
    tx
      .select()
      .from(commandLog)
      .where(
        and(eq(commandLog.companyId, who.companyId), eq(commandLog.userId, who.userId), eq(commandLog.id, call.id)),
      ),
  ])
  if (!before) return null
  if (before.name !== call.name || before.inputHash !== inputHash) throw new DomainError('ERR_IDEMPOTENCY_MISMATCH')
  return { txid: before.txid, tables: before.result.tables, result: before.result.value }
}

/** Postgres has no NUL in text; refused at the door instead of failing inside. */
function hasNul(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes('\\u0000')
}
