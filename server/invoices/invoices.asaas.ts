import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { fail, isRecord } from '../bots/bots.answer.ts'
import { ASAAS_BASE } from '../bots/bots.billing.asaas.ts'
import { centsOf } from '../bots/bots.billing.port.ts'
import { below, type BotDeps, type BotReply, callBot, isGood, refusalOf, unreadable } from '../bots/bots.call.ts'
import type { ChargeRequest, PaymentProvider } from './invoices.port.ts'

/** In one of these the money is there. */
const received = ['RECEIVED', 'CONFIRMED', 'RECEIVED_IN_CASH']
const open = ['PENDING', 'OVERDUE', 'AWAITING_RISK_ANALYSIS']

/** Payments of Asaas. It makes a second one when asked twice, so ours are looked for first, by our reference. */
export function asaasPayments(
  deps: BotDeps,
  { asaasKey, asaasBaseUrl }: { asaasKey: string; asaasBaseUrl: string },
): PaymentProvider {
  const call = (method: string, path: string, body?: unknown): Promise<BotReply> =>
    callBot(
      deps,
      below(asaasBaseUrl || ASAAS_BASE, path.split('?')[0]!) + (path.includes('?') ? `?${path.split('?')[1]}` : ''),
      {
        method,
        headers: { access_token: asaasKey, 'content-type': 'application/json', 'user-agent': 'balcao' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    )
  const good = async (reply: Promise<BotReply>): Promise<Record<string, unknown>> => {
    const answer = await reply
    if (!isGood(answer)) throw refusalOf(answer, codeOf(answer.body))
    if (!isRecord(answer.body)) throw unreadable(answer)
    return answer.body
  }
  const list = async (path: string, query: Record<string, string>) => {
    const { data } = await good(call('GET', `${path}?${new URLSearchParams(query)}`))
    return (Array.isArray(data) ? (data as unknown[]) : []).filter(isRecord)
  }
  const ofRef = (ref: string) => list('/payments', { externalReference: ref, limit: '10' })
  const customer = async ({ payer }: ChargeRequest): Promise<string> => {
    const [known] = await list('/customers', { cpfCnpj: payer.document, limit: '1' })
    const { id } =
      known ??
      (await good(call('POST', '/customers', { name: payer.name, cpfCnpj: payer.document, email: payer.email })))
    return idOf(id)
  }

  return {
    asksDocument: true,

    async create(charge) {
      const [known] = await ofRef(charge.ref)
      const today = dayIn('America/Sao_Paulo', deps.now())
      const payment =
        known ??
        (await good(
          call('POST', '/payments', {
            customer: await customer(charge),
            billingType: 'PIX',
            value: charge.cents / 100,
            // A day that is over is refused.
            dueDate: charge.dueDate < today ? today : charge.dueDate,
            description: charge.description,
            externalReference: charge.ref,
          }),
        ))
      if (centsOf(payment.value) !== charge.cents) throw fail('final', 'refused', 'the payment is of another amount')
      const code = await good(call('GET', `/payments/${idOf(payment.id)}/pixQrCode`))
      if (typeof code.payload !== 'string' || code.payload === '')
        throw fail('again', 'empty', 'there is no Pix code yet')
      return { copyPaste: code.payload, expiresAt: momentOf(code.expirationDate) }
    },

    async status(ref) {
      const payments = await ofRef(ref)
      const paid = payments.filter(({ status }) => received.includes(String(status)))
      if (paid.length > 0)
        return { state: 'paid', paidCents: paid.reduce((sum, { value }) => sum + (centsOf(value) ?? 0), 0) }
      return { state: payments.some(({ status }) => open.includes(String(status))) ? 'open' : 'ended', paidCents: 0 }
    },

    async check() {
      await list('/customers', { limit: '1' })
    },
  }
}

/** An id that may stand in a path. */
function idOf(value: unknown): string {
  if (typeof value === 'string' && /^[\w-]{1,60}$/.test(value)) return value
  throw fail('final', 'unreadable', 'an id cannot be read')
}

/** `2026-12-31 23:59:59`, as the clocks of Brasília show it. */
function momentOf(value: unknown): Date | null {
  const at = typeof value === 'string' ? new Date(`${value.replace(' ', 'T')}-03:00`) : undefined
  return at && !Number.isNaN(at.getTime()) ? at : null
}

function codeOf(body: unknown): unknown {
  const [error] = isRecord(body) && Array.isArray(body.errors) ? (body.errors as unknown[]) : []
  return isRecord(error) ? error.code : undefined
}
