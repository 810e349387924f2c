import { eq } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { cloudHistory, cloudIgnored, cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
import { type CloudFailure, cloudFailureOf } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import {
  type ChangedCloud,
  CLOUD_VERSION,
  type CloudInput,
  cloudRights,
  type CloudShown,
  type CloudState,
  type CloudValue,
  type TriedCloud,
} from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import type { Db, Tx } from '../db/database.ts'
import { isRecord } from '../outside/outside.call.ts'
import type { Sealer } from '../seal.ts'
import { askPast } from './cloud.ask-past.ts'
import { type CloudSecret, hookOf, markOf, openSecret, sealSecret } from './cloud.secrets.ts'
import { createGraph, type Graph, type GraphAccess, GraphError, GraphSilence } from './graph.ts'

interface Deps {
  db: Db
  sealer: Sealer
  base: string
  now(): Date
}

const FIELDS = 'display_phone_number,verified_name,quality_rating,throughput,health_status'

/** Setting a number of the official API up: what is kept of it, and what the service says of that. */
export function createCloudDesk({ db, sealer, base, now }: Deps) {
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
  const sealed = (whatsappId: number, given: Partial<Record<CloudSecret, string>>) =>
    Object.fromEntries(
      (['token', 'appSecret', 'verifyToken'] as const).flatMap((secret) => {
        const text = given[secret]
        return text === undefined ? [] : [[secret, sealSecret(sealer, text, whatsappId, secret)]]
      }),
    )

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
      return look(graph, { token, phoneNumberId: known?.phoneNumberId ?? phoneNumberId, accountId, version, appSecret })
    },
    /**
     * A number becomes a connection's. Only who can read it at the service may have it: nobody takes another's.
     * @throws ERR_CLOUD_REFUSED, ERR_CLOUD_TAKEN
     */
    async demand({ phoneNumberId, accountId, token, appSecret, version = CLOUD_VERSION }: CloudInput): Promise<void> {
      const state = await look(graph, { phoneNumberId, accountId, token, appSecret, version })
      const { failure, refused, code, details, missing } = state
      if (failure) throw new DomainError('ERR_CLOUD_REFUSED', { failure, refused, code, details, missing })
      const [taken] = await db
        .select({ id: cloudNumbers.whatsappId })
        .from(cloudNumbers)
        .where(eq(cloudNumbers.phoneNumberId, phoneNumberId))
      if (taken) throw new DomainError('ERR_CLOUD_TAKEN')
    },
    async set(tx: Tx, companyId: number, whatsappId: number, input: CloudInput): Promise<void> {
      const { phoneNumberId, accountId, appSecret, version = CLOUD_VERSION, coexistence = false } = input
      await tx.insert(cloudNumbers).values({
        ...{ whatsappId, companyId, phoneNumberId, accountId, version, coexistence },
        ...(sealed(whatsappId, input) as Record<CloudSecret, string>),
        ...{ hook: hookOf(appSecret), appMark: markOf(appSecret) },
      })
    },
    /** The address stays while the app's secret is changed: it is written at the service. */
    async change(tx: Tx, whatsappId: number, { token, appSecret, verifyToken, ...rest }: ChangedCloud): Promise<void> {
      const secrets = {
        ...(token !== undefined && { token }),
        ...(appSecret !== undefined && { appSecret }),
        ...(verifyToken !== undefined && { verifyToken }),
      }
      await tx
        .update(cloudNumbers)
        .set({
          ...rest,
          ...sealed(whatsappId, secrets),
          ...(appSecret !== undefined && { appMark: markOf(appSecret) }),
          updatedAt: now(),
        })
        .where(eq(cloudNumbers.whatsappId, whatsappId))
    },
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
      const webhookPath = `/cloud-api/${hook}`
      return { phoneNumberId, accountId, version, coexistence, quality, history, webhookPath, ignored }
    },
    /**
     * Has the account tell this app of its messages; and, the first time, of the past of the phone that shares the number. What
     * the service says to that stands in `shown`.
     */
    async subscribe(whatsappId: number): Promise<void> {
      await ask(whatsappId, ({ accountId }) => `${accountId}/subscribed_apps`, {})
      const row = await need(whatsappId)
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

/** What the service says of these values, step by step; it never throws for what it says. */
async function look(
  graph: Graph,
  access: GraphAccess & { phoneNumberId: string; accountId: string; appSecret: string },
): Promise<CloudState> {
  const state: CloudState = {
    ...{ failure: null, refused: null, code: null, details: '', missing: [], appId: null, number: null, name: null },
    ...{ quality: null, throughput: null, canSend: null, isSubscribed: null },
  }
  let asked: CloudValue = 'token'
  try {
    const { data } = await graph.call(access, `debug_token?input_token=${encodeURIComponent(access.token)}`)
    const answer = isRecord(data) ? data : {}
    const scopes = Array.isArray(answer['scopes']) ? (answer['scopes'] as unknown[]) : []
    state.appId = wordOf(answer['app_id'])
    state.missing = cloudRights.filter((right) => !scopes.includes(right))
    if (state.missing.length > 0) return { ...state, failure: 'permission', refused: 'token' }
    asked = 'phoneNumberId'
    const number = await graph.call(access, `${access.phoneNumberId}?fields=${FIELDS}`)
    state.number = wordOf(number['display_phone_number'])
    state.name = wordOf(number['verified_name'])
    state.quality = wordOf(number['quality_rating'])
    state.throughput = isRecord(number['throughput']) ? wordOf(number['throughput']['level']) : null
    state.canSend = isRecord(number['health_status']) ? wordOf(number['health_status']['can_send_message']) : null
    asked = 'accountId'
    const { data: apps } = await graph.call(access, `${access.accountId}/subscribed_apps`)
    state.isSubscribed = Array.isArray(apps) && apps.some((app) => appIdIn(app) === state.appId)
    asked = 'appSecret'
    // What id and secret of an app open is good only where they belong together.
    const ofApp = { version: access.version, token: `${state.appId}|${access.appSecret}` }
    if (state.appId && access.appSecret) await graph.call(ofApp, `${state.appId}?fields=id`)
    return state
  } catch (error) {
    const failed = whatFailed(error)
    // It calls a wrong secret an unknown error, which elsewhere may pass.
    if (asked === 'appSecret' && error instanceof GraphError && error.status < 500 && failed.failure !== 'rate')
      return { ...state, ...failed, failure: 'secret', refused: asked }
    return { ...state, ...failed, refused: toBlame(failed.failure, asked) }
  }
}

/** Which value a refusal is about, by what was asked with its help. */
function toBlame(failure: CloudFailure, asked: CloudValue): CloudValue | null {
  if (failure === 'passing' || failure === 'rate') return null
  if (failure === 'token' || failure === 'permission') return 'token'
  // The service knows no such path: there is no such version.
  return asked === 'token' ? 'version' : asked
}

/** A short word of the service, to be shown. */
const wordOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 200) : null)

function appIdIn(app: unknown): string | undefined {
  const data = isRecord(app) ? app['whatsapp_business_api_data'] : undefined
  return isRecord(data) && typeof data['id'] === 'string' ? data['id'] : undefined
}

function refuse(error: unknown): never {
  throw new DomainError('ERR_CLOUD_REFUSED', { ...whatFailed(error) })
}

function whatFailed(error: unknown): { failure: CloudFailure; code: number | null; details: string } {
  if (error instanceof GraphError)
    return { failure: cloudFailureOf(error.code, error.status), code: error.code ?? null, details: error.details }
  if (error instanceof GraphSilence) return { failure: 'passing', code: null, details: '' }
  throw error
}
