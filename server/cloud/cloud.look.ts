import { cloudFailureOf, type CloudFailure } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import {
  type CloudProblem,
  cloudRights,
  type CloudState,
  type CloudValue,
  type CloudWebhook,
  hookFields,
} from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import { isRecord } from '../outside/outside.call.ts'
import { webhookPathOf } from './cloud.secrets.ts'
import { type Graph, type GraphAccess, GraphError, GraphSilence } from './graph.ts'

const FIELDS = 'display_phone_number,verified_name,quality_rating,throughput,health_status'
/** How many new people a day its owner may write to. */
const LIMIT = 'whatsapp_business_manager_messaging_limit'
const OWNER = 'owner_business_info'
const MOST_PROBLEMS = 20

/** What is looked at. */
interface Looked {
  phoneNumberId: string
  accountId: string
  appSecret: string
  /** The part of our webhook's address that names the app. */
  hook: string
  coexistence: boolean
}

/** What the service says of these values, step by step; it never throws for what it says. */
export async function look(graph: Graph, access: GraphAccess & Looked): Promise<CloudState> {
  const state: CloudState = {
    ...{ failure: null, refused: null, code: null, details: '', missing: [], appId: null, number: null, name: null },
    ...{ quality: null, throughput: null, limit: null, canSend: null, problems: [], isSubscribed: null, webhook: null },
    portfolioId: null,
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
    const health = isRecord(number['health_status']) ? number['health_status'] : {}
    state.canSend = wordOf(health['can_send_message'])
    state.problems = problemsIn(health['entities'])
    state.limit = wordOf((await asFarAsTold(graph, access, access.phoneNumberId, LIMIT))[LIMIT])
    asked = 'accountId'
    const { data: apps } = await graph.call(access, `${access.accountId}/subscribed_apps`)
    const own = listOf(apps).find((app) => appIdIn(app) === state.appId)
    state.isSubscribed = own !== undefined
    state.portfolioId = await ownerOf(graph, access, access.accountId)
    asked = 'appSecret'
    // What id and secret of an app open is good only where they belong together.
    const ofApp = { version: access.version, token: `${state.appId}|${access.appSecret}` }
    if (state.appId && access.appSecret) {
      await graph.call(ofApp, `${state.appId}?fields=id`)
      const { data } = await graph.call(ofApp, `${state.appId}/subscriptions`).catch(nothingTold)
      state.webhook = data === undefined ? null : webhookOf(listOf(data), own, access)
    }
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
const wordOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 500) : null)

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isRecord) : []

/** What the service does not tell to everybody, or in every version, is not known then; that is no failure. */
function nothingTold(error: unknown): Record<string, unknown> {
  whatFailed(error)
  return {}
}
/** Whose an account is; null where the token may not read it. */
export async function ownerOf(graph: Graph, access: GraphAccess, accountId: string): Promise<string | null> {
  const owner = (await asFarAsTold(graph, access, accountId, OWNER))[OWNER]
  return isRecord(owner) ? wordOf(owner['id']) : null
}
const asFarAsTold = (graph: Graph, access: GraphAccess, id: string, field: string) =>
  graph.call(access, `${id}?fields=${field}`).catch(nothingTold)

/** What keeps the number, its account, its app or their owner from sending, and what the service advises. */
const problemsIn = (entities: unknown): CloudProblem[] =>
  listOf(entities)
    .flatMap((entity) =>
      listOf(entity['errors']).map((error) => ({
        of: wordOf(entity['entity_type']) ?? '',
        code: typeof error['error_code'] === 'number' ? error['error_code'] : null,
        cause: wordOf(error['error_description']) ?? '',
        remedy: wordOf(error['possible_solution']) ?? '',
      })),
    )
    .slice(0, MOST_PROBLEMS)

/** Where the service tells of the account: at the address of the app, or at one that is the account's own. */
function webhookOf(
  subscriptions: readonly Record<string, unknown>[],
  own: Record<string, unknown> | undefined,
  { hook, coexistence }: Looked,
): CloudWebhook {
  const ofApp = subscriptions.find((one) => one['object'] === 'whatsapp_business_account' && one['active'] !== false)
  const address = wordOf(own?.['override_callback_uri']) ?? wordOf(ofApp?.['callback_url'])
  const told = new Set(listOf(ofApp?.['fields']).map(({ name }) => name))
  return {
    address,
    isHere: address?.endsWith(webhookPathOf(hook)) ?? false,
    missing: ofApp ? hookFields(coexistence).filter((field) => !told.has(field)) : [],
  }
}

function appIdIn(app: unknown): string | undefined {
  const data = isRecord(app) ? app['whatsapp_business_api_data'] : undefined
  return isRecord(data) && typeof data['id'] === 'string' ? data['id'] : undefined
}

/** @throws what the service did not say */
export function whatFailed(error: unknown): { failure: CloudFailure; code: number | null; details: string } {
  if (error instanceof GraphError)
    return { failure: cloudFailureOf(error.code, error.status), code: error.code ?? null, details: error.details }
  if (error instanceof GraphSilence) return { failure: 'passing', code: null, details: '' }
  throw error
}
