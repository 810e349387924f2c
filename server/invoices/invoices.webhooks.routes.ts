import { isSameSecret } from '../same-secret.ts'
import { isRecord } from '../outside/outside.call.ts'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { AppDeps } from '../http/deps.ts'

/** Charges that one call may name. */
const MOST = 100

/**
 * What payment services tell. It is believed in nothing: each charge that is named is asked about. Answered at once,
 * because a service that waits for long calls again.
 */
export function paymentWebhookRoutes(deps: AppDeps) {
  const { payments, log } = deps
  const admit = async (given: string | null) => {
    const account = await payments.account()
    if (!account || !isSameSecret(given ?? '', account.webhookSecret)) throw new DomainError('ERR_API_TOKEN')
  }
  const receive = async (refs: unknown[]) => {
    const named = refs.filter((ref): ref is string => typeof ref === 'string' && /^[a-z0-9]{32}$/.test(ref))
    await payments.notified(named.slice(0, MOST))
    void payments.check().catch((err: unknown) => log.error({ err }, 'payments could not be asked about'))
    return { received: true }
  }
  const efi = async ({ request, body }: { request: Request; body: unknown }) => {
    await admit(new URL(request.url).searchParams.get('hmac'))
    const entries = isRecord(body) && Array.isArray(body.pix) ? (body.pix as unknown[]) : []
    // The first call only tries whether we are there, and names none.
    return receive(entries.filter(isRecord).map(({ txid }) => txid))
  }
  const detail = { tags: ['invoices'] }
  return new Elysia({ prefix: '/payments' })
    .post('/efi', efi, { detail: { ...detail, summary: 'Efí tells of a Pix; by the secret in the address' } })
    .post('/efi/pix', efi, { detail: { ...detail, summary: 'The same, as Efí writes addresses' } })
    .post(
      '/asaas',
      async ({ request, body }) => {
        await admit(request.headers.get('asaas-access-token'))
        const payment = isRecord(body) && isRecord(body.payment) ? body.payment : {}
        return receive([payment.externalReference])
      },
      { detail: { ...detail, summary: 'Asaas tells of a payment; by the token in its header' } },
    )
}
