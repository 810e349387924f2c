import { clip } from '../../schema/texts.ts'
import { OutsideError } from '../outside/outside.ts'
import { signatureOf } from '../signing.ts'
import type { WebhookDeps } from './webhooks.deliver.ts'
import { secretsOf } from './webhooks.queries.ts'
import type { Taken } from './webhooks.taken.writes.ts'

const CALL_MS = 15_000
/** Of an answer: enough to see what a receiver says. */
const MOST_ANSWER_CHARS = 1_000
const MOST_ANSWER_BYTES = 100_000

/**
 * One call of a receiver, signed.
 * @returns its status and the beginning of its answer; a null status and why, where it gave none
 */
export async function postTo(
  { outside, sealer, log }: Pick<WebhookDeps, 'outside' | 'sealer' | 'log'>,
  { url, eventId, payload, secret, webhookId }: Taken,
  at: Date,
): Promise<{ status: number | null; answer: string; retryAfter: string | null }> {
  const seconds = Math.floor(at.getTime() / 1_000)
  try {
    const secrets = secretsOf(sealer, { id: webhookId, secret }, at)
    const response = await outside.fetch(url, {
      ...{ method: 'POST', body: payload, timeoutMs: CALL_MS, maxBytes: MOST_ANSWER_BYTES, httpsOnly: true },
      headers: {
        'content-type': 'application/json',
        'user-agent': 'balcao-webhooks',
        'webhook-id': eventId,
        'webhook-timestamp': String(seconds),
        'webhook-signature': secrets.map((one) => signatureOf(one, eventId, seconds, payload)).join(' '),
      },
    })
    // What is said beside the status is for people; a long or broken answer changes nothing.
    const text = await response.text().catch(() => '')
    const answer = clip(text.toWellFormed().replaceAll('\0', ''), MOST_ANSWER_CHARS)
    return { status: response.status, answer, retryAfter: response.headers.get('retry-after') }
  } catch (error) {
    if (!(error instanceof OutsideError)) log.warn({ err: error, webhookId }, 'a webhook could not be called')
    return { status: null, answer: error instanceof OutsideError ? error.failure : 'error', retryAfter: null }
  }
}
