import { eq } from 'drizzle-orm'
import { generateRequestDetails, generateVAPIDKeys } from 'web-push'
import { pushKeys, pushSubscriptions } from '../../schema/push/push.table.ts'
import type { Db } from '../db/database.ts'
import { type Outside, OutsideError } from '../outside/outside.ts'
import type { Sealer } from '../seal.ts'

/** What the service worker shows, and the uuid of what it opens. */
export type PushPayload = (
  | { ticket: string }
  | { chat: string }
  | { invoices: true }
  | { costs: true }
  | { connections: true }
) & {
  title: string
  body: string
}

export interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

/** What became of a push: `gone` means that the browser does not want any more. */
export type PushOutcome = 'sent' | 'gone' | 'refused'

export interface PushService {
  /** The key that browsers subscribe with. */
  publicKey(): Promise<string>
  /** Whether anybody of the company might be woken; answered from memory, a few seconds old at most. */
  mayWake(companyId: number): boolean
  /** Somebody has just subscribed. */
  subscribed(companyId: number): void
  accepts(endpoint: string): boolean
  /** @throws when it is worth another try */
  send(subscription: Subscription, payload: PushPayload): Promise<PushOutcome>
  /** Reads again who is subscribed. */
  refresh(): Promise<void>
  stop(): void
}

const REFRESH_MS = 10_000
const ANSWER_MS = 10_000
/** Browsers name the push service, so it is a stranger's wish what this server calls. */
const rules = { httpsOnly: true, ports: [443] }
/** A message that nobody could be told of for this long is old news, in seconds. */
const TTL = 12 * 3_600

/**
 * Web Push (RFC 8030), encrypted for the browser (RFC 8291) and signed by this server (RFC 8292).
 * @param subject where a push service may turn to: `https://…` or `mailto:…`
 */
export function createPushService({
  db,
  sealer,
  subject,
  outside,
}: {
  db: Db
  sealer: Sealer
  subject: string
  outside: Outside
}): PushService {
  const place = 'push_keys:1'
  let keys: Promise<{ publicKey: string; privateKey: string }> | undefined
  let companies = new Set<number>()

  async function loadKeys() {
    const made = generateVAPIDKeys()
    const sealed = sealer.seal(Buffer.from(made.privateKey), place).toString('base64')
    // Two servers may begin at once: the row that was first counts for both.
    await db.insert(pushKeys).values({ id: 1, publicKey: made.publicKey, privateKey: sealed }).onConflictDoNothing()
    const [row] = await db.select().from(pushKeys).where(eq(pushKeys.id, 1))
    const privateKey = sealer.open(Buffer.from(row!.privateKey, 'base64'), place).toString()
    return { publicKey: row!.publicKey, privateKey }
  }
  const ownKeys = () => {
    keys ??= loadKeys()
    // A failure is not worth remembering.
    keys.catch(() => (keys = undefined))
    return keys
  }

  const refresh = async () => {
    const rows = await db.selectDistinct({ companyId: pushSubscriptions.companyId }).from(pushSubscriptions)
    companies = new Set(rows.map(({ companyId }) => companyId))
  }
  const timer = setInterval(() => void refresh().catch(() => undefined), REFRESH_MS)
  timer.unref?.()

  return {
    publicKey: async () => (await ownKeys()).publicKey,
    mayWake: (companyId) => companies.has(companyId),
    subscribed: (companyId) => void companies.add(companyId),
    accepts: (endpoint) => outside.accepts(endpoint, rules),
    refresh,
    stop: () => clearInterval(timer),
    async send({ endpoint, p256dh, auth }, payload) {
      const request = generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
        vapidDetails: { subject, ...(await ownKeys()) },
        TTL,
        urgency: 'high',
        // What waits at the push service for a sleeping browser is replaced by what is newer of the same conversation.
        topic: topicOf(payload),
      })
      const response = await outside
        .fetch(endpoint, {
          ...rules,
          method: 'POST',
          headers: request.headers as Record<string, string>,
          body: new Uint8Array(request.body as Buffer),
          timeoutMs: ANSWER_MS,
        })
        .catch((error: unknown) => {
          if (error instanceof OutsideError && !error.isPassing) return undefined
          throw error
        })
      // It leads inside, or is no address any more: as good as a service that refuses.
      if (!response) return 'refused'
      await response.body?.cancel()
      if (response.status >= 200 && response.status < 300) return 'sent'
      if (response.status === 404 || response.status === 410) return 'gone'
      if (response.status === 429 || response.status >= 500)
        throw new Error(`the push service answers ${response.status}`)
      return 'refused'
    },
  }
}

const topicOf = (payload: PushPayload): string => {
  for (const topic of ['invoices', 'costs', 'connections']) if (topic in payload) return topic
  const { ticket, chat } = payload as { ticket?: string; chat?: string }
  return (ticket ?? chat ?? '').replaceAll('-', '')
}
