import { nothing, type ServerDecision } from '../command.ts'
import { numberKey } from '../contacts/contacts.phone.ts'
import type { ByTable } from '../decided.ts'
import { clip } from '../texts.ts'
import { OPT_OUT_TEXT_LENGTH } from './opt-outs.inputs.ts'
import type { OptOut, OptOutSource } from './opt-outs.table.ts'

/**
 * The life of an opt-out, as one table. Null: it stays as it is. Everything that changes one goes through `endOptOuts`,
 * everything that begins one through `beginOptOuts`. The rules by number are in `SPEC.md`.
 */
export type OptOutEvent =
  /** A colleague, or a program, takes it back. */
  | { type: 'revoke'; userId: number | null; reason: string }
  /** They have written that they want messages again. */
  | { type: 'return'; wid: string; text: string }
  /** WhatsApp says that they want marketing again: ends only what WhatsApp had said. */
  | { type: 'resume' }

/** Whether it counts. */
export type OptOutStanding = 'active' | 'revoked'
export const standingOf = ({ revokedAt }: Pick<OptOut, 'revokedAt'>): OptOutStanding =>
  revokedAt === null ? 'active' : 'revoked'

type EventOf<T extends OptOutEvent['type']> = Extract<OptOutEvent, { type: T }>
type Rule = (event: never, now: Date) => Partial<OptOut>

const revoke = ({ userId, reason }: EventOf<'revoke'>, now: Date): Partial<OptOut> => ({
  ...{ revokedAt: now, revokedBy: userId, reason },
  updatedAt: now,
})
const goBack = ({ wid, text }: EventOf<'return'>, now: Date): Partial<OptOut> => ({
  ...{ revokedAt: now, revokedMessageId: wid, reason: clip(text, OPT_OUT_TEXT_LENGTH) },
  updatedAt: now,
})

const resume = (_event: EventOf<'resume'>, now: Date): Partial<OptOut> => ({ revokedAt: now, updatedAt: now })

export const optOutTransitions: Record<OptOutStanding, Record<OptOutEvent['type'], Rule | null>> = {
  active: { revoke, return: goBack, resume },
  revoked: { revoke: null, return: null, resume: null },
}

/** What `event` makes of an entry; null where nothing is to become of it. */
export function optOutAfter(row: Pick<OptOut, 'revokedAt'>, event: OptOutEvent, now: Date): ByTable<OptOut> | null {
  // That an event meets its own rule, and that this is the table, is beyond the compiler.
  const rule = optOutTransitions[standingOf(row)][event.type] as ((e: OptOutEvent, at: Date) => ByTable<OptOut>) | null
  return rule && rule(event, now)
}

/** Several entries that end by the same event, as one decision; `ended` are those that counted, as they are now. */
export function endOptOuts(
  rows: readonly OptOut[],
  event: OptOutEvent,
  now: Date,
): { decision: ServerDecision; ended: OptOut[] } {
  const changes: ServerDecision['rows'] = []
  const ended: OptOut[] = []
  for (const row of rows) {
    const values = optOutAfter(row, event, now)
    if (!values) continue
    changes.push({ table: 'optOuts', op: 'update', ids: [row.id], values })
    ended.push({ ...row, ...values })
  }
  return { decision: { ...nothing, rows: changes }, ended }
}

/** Somebody who wants no messages to many, and how that is known. */
export interface OptingOut {
  /** Empty while only the LID is known. */
  number: string
  lid: string | null
  source: OptOutSource
  /** What they wrote, or what a colleague noted. */
  text?: string
  /** WhatsApp's id of their message. */
  messageId?: string | null
  userId?: number | null
}

/** What stands for the LID of a contact of whom neither that nor a number is known: nobody else's opting out is theirs. */
export const lidOf = ({ id, number, lid }: { id: number; number: string | null; lid: string | null }): string | null =>
  lid ?? (number ? null : String(id))

/** By what somebody is known here, however their number is spelt. */
export const optOutKey = ({ number, lid }: { number: string | null; lid: string | null }): string =>
  number ? numberKey(number) : `lid:${lid}`

/**
 * With it an entry begins for each of these people, once for each.
 * @param noted keys of those who have one that counts: they stay as they are
 * @param ids one for each of `people`
 */
export function beginOptOuts(
  companyId: number,
  people: readonly OptingOut[],
  noted: ReadonlySet<string>,
  ids: readonly number[],
  now: Date,
): ServerDecision {
  const rows = new Map<string, ServerDecision['rows'][number]>()
  for (const [i, { number, lid, source, text = '', messageId = null, userId = null }] of people.entries()) {
    const key = optOutKey({ number, lid })
    if (noted.has(key) || rows.has(key)) continue
    const values: Partial<OptOut> & { id: number } = {
      ...{ id: ids[i]!, companyId, number, key, lid, source, text: clip(text, OPT_OUT_TEXT_LENGTH), messageId, userId },
      ...{ createdAt: now, updatedAt: now },
    }
    rows.set(key, { table: 'optOuts', op: 'insert', values })
  }
  return { ...nothing, rows: [...rows.values()] }
}
