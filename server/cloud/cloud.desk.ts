import { eq } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { cloudHistory, cloudIgnored, cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
import {
  CLOUD_VERSION,
  type CloudInput,
  type CloudShown,
  type CloudState,
  type TriedCloud,
} from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import type { Db } from '../db/database.ts'
import type { Sealer } from '../seal.ts'
import type { CloudDeps } from './cloud.channel.ts'
import { askPast } from './cloud.ask-past.ts'
import { deskWrites } from './cloud.desk.writes.ts'
import { look, whatFailed } from './cloud.look.ts'
import { type CloudSecret, hookOf, openSecret, webhookPathOf } from './cloud.secrets.ts'
import { createGraph } from './graph.ts'

interface Deps {
  db: Db
  sealer: Sealer
  base: string
  now(): Date
  onOwner: CloudDeps['onOwner']
}

/** Setting a number of the official API up: what is kept of it, and what the service says of that. */
export function createCloudDesk({ db, sealer, base, now, onOwner }: Deps) {
  const graph = createGraph({ base })

  async function rowOf(whatsappId: number) {
    const [row] = await db.select().from(cloudNumbers).where(eq(cloudNumbers.whatsappId, whatsappId))
    return row
  }
  async function need(whatsappId: number) {
    const row = await rowOf(whatsappId)
    if (!row) throw new DomainError('ERR_CLOUD_UNSET', { whatsappId })
    const open = (secret: CloudSecret) => openSecret(sealer, row[secret], whatsappId, secret)
    return { ...row, token: open('token'), appSecret: open('appSecret'), verifyToken: open('verifyToken') }
  }
  /** @throws ERR_CLOUD_REFUSED with what the service says (`failure`, `code`, `details`) */
  async function ask(
    whatsappId: number,
    path: (row: { phoneNumberId: string; accountId: string }) => string,
    body: unknown,
  ) {
    const row = await need(whatsappId)
    await graph.call(row, path(row), { method: 'POST', body }).catch(refuse)
  }

  return {
    /** What the service says of these values; those that are left out are the connection's. @throws ERR_CLOUD_UNSET */
    async check(given: TriedCloud, whatsappId?: number): Promise<CloudState> {
      const known = whatsappId === undefined ? undefined : await need(whatsappId)
      const all = { ...known, ...given }
      const { token = '', phoneNumberId = '', accountId = '', version = CLOUD_VERSION, appSecret = '' } = all
      const state = await look(graph, {
        ...{ token, phoneNumberId: known?.phoneNumberId ?? phoneNumberId, accountId, version, appSecret },
        ...{ hook: known?.hook ?? hookOf(appSecret), coexistence: all.coexistence ?? false },
      })
      if (known && accountId === known.accountId && state.portfolioId !== null)
        await onOwner({ companyId: known.companyId, accountId, portfolioId: state.portfolioId })
      return state
    },
    /**
     * A number becomes a connection's. Only who can read it at the service may have it: nobody takes another's.
     * @throws ERR_CLOUD_REFUSED, ERR_CLOUD_TAKEN
     */
    async demand(input: CloudInput): Promise<{ portfolioId: string | null }> {
      const { phoneNumberId, appSecret, version = CLOUD_VERSION, coexistence = false } = input
      const state = await look(graph, { ...input, version, coexistence, hook: hookOf(appSecret) })
      const { failure, refused, code, details, missing, portfolioId } = state
      if (failure) throw new DomainError('ERR_CLOUD_REFUSED', { failure, refused, code, details, missing })
      const [taken] = await db
        .select({ id: cloudNumbers.whatsappId })
        .from(cloudNumbers)
        .where(eq(cloudNumbers.phoneNumberId, phoneNumberId))
      if (taken) throw new DomainError('ERR_CLOUD_TAKEN')
      return { portfolioId }
    },
    ...deskWrites({ sealer, now }),
    async shown(whatsappId: number): Promise<CloudShown> {
      const row = await rowOf(whatsappId)
      if (!row) throw new DomainError('ERR_CLOUD_UNSET', { whatsappId })
      const { phoneNumberId, accountId, version, coexistence, quality, hook } = row
      // All is told when nothing is missing before what says so.
      const progress = row.historyState === 'coming' ? Math.min(99, row.historyProgress) : row.historyProgress
      const { historyState: state, historyCount: count, historyAskedAt: askedAt } = row
      const waiting = coexistence ? await db.$count(cloudHistory, eq(cloudHistory.whatsappId, whatsappId)) : 0
      const history = coexistence ? { state, progress, count, waiting, askedAt } : null
      const ignored = await db
        .select({ reason: cloudIgnored.reason, count: cloudIgnored.count, lastAt: cloudIgnored.lastAt })
        .from(cloudIgnored)
        .where(eq(cloudIgnored.hook, hook))
        .orderBy(cloudIgnored.reason)
      const webhookPath = webhookPathOf(hook)
      return { phoneNumberId, accountId, version, coexistence, quality, history, webhookPath, ignored }
    },
    /**
     * Has the account tell this app of its messages; and, the first time, of the past of the phone that shares the number. What
     * the service says to that stands in `shown`.
     */
    async subscribe(whatsappId: number, here?: string): Promise<void> {
      const row = await need(whatsappId)
      const own = here !== undefined && {
        override_callback_uri: `${here}${webhookPathOf(row.hook)}`,
        verify_token: row.verifyToken,
      }
      await ask(whatsappId, ({ accountId }) => `${accountId}/subscribed_apps`, own || {})
      if (row.coexistence && row.historyState === null)
        await askPast({ db, graph, now }, row).catch((error: unknown) => void whatFailed(error))
    },
    /** @throws ERR_CLOUD_REFUSED; ERR_NOT_FOUND where no phone shares the number */
    async askPast(whatsappId: number): Promise<void> {
      const row = await need(whatsappId)
      if (!row.coexistence) throw new DomainError('ERR_NOT_FOUND')
      await askPast({ db, graph, now }, row).catch(refuse)
    },
    /** Registers the number with the PIN of its two-step verification. */
    register: (whatsappId: number, pin: string) =>
      ask(whatsappId, ({ phoneNumberId }) => `${phoneNumberId}/register`, { messaging_product: 'whatsapp', pin }),
  }
}

function refuse(error: unknown): never {
  throw new DomainError('ERR_CLOUD_REFUSED', { ...whatFailed(error) })
}
