import { below, isGood, isRecord } from '../outside/outside.call.ts'
import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { type CallDeps, callService, PaymentFailed, refusalOf, type Reply, unreadable } from './invoices.call.ts'
import type { ChargeRequest, PaymentProvider } from './invoices.port.ts'

const ASAAS_BASE = 'https://api.asaas.com/v3'

/** In one of these the money is there. */
const received = ['RECEIVED', 'CONFIRMED', 'RECEIVED_IN_CASH']
const open = ['PENDING', 'OVERDUE', 'AWAITING_RISK_ANALYSIS']
/** In one of these it was there, and is on its way back or fought over. */
const returning = [
  ...['REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE'],
  'AWAITING_CHARGEBACK_REVERSAL',
]

/** Payments of Asaas. It makes a second one when asked twice, so ours are looked for first, by our reference. */
export function asaasPayments(
  deps: CallDeps,
  { asaasKey, asaasBaseUrl }: { asaasKey: string; asaasBaseUrl: string },
): PaymentProvider {
  const call = (
    method: string,
    path: string,
    { body, query }: { body?: unknown; query?: Record<string, string> } = {},
  ) =>
    callService(deps, below(asaasBaseUrl || ASAAS_BASE, path, query), {
      method,
      headers: { access_token: asaasKey, 'content-type': 'application/json', 'user-agent': 'balcao' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const good = async (reply: Promise<Reply>): Promise<Record<string, unknown>> => {
    const answer = await reply
    if (!isGood(answer)) throw refusalOf(answer, codeOf(answer.body))
    if (!isRecord(answer.body)) throw unreadable(answer)
    return answer.body
  }
  const list = async (path: string, query: Record<string, string>) => {
    const { data } = await good(call('GET', path, { query }))
    return (Array.isArray(data) ? (data as unknown[]) : []).filter(isRecord)
  }
  const ofRef = (ref: string) => list('/payments', { externalReference: ref, limit: '10' })
  const customer = async ({ payer }: ChargeRequest): Promise<string> => {
    const [known] = await list('/customers', { cpfCnpj: payer.document, limit: '1' })
    const { id } =
      known ??
      (await good(
        call('POST', '/customers', { body: { name: payer.name, cpfCnpj: payer.document, email: payer.email } }),
      ))
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
            body: {
              customer: await customer(charge),
              billingType: 'PIX',
              value: charge.cents / 100,
              // A day that is over is refused.
              dueDate: charge.dueDate < today ? today : charge.dueDate,
              description: charge.description,
              externalReference: charge.ref,
            },
          }),
        ))
      if (centsOf(payment.value) !== charge.cents)
        throw new PaymentFailed('refused', 'the payment is of another amount')
      const code = await good(call('GET', `/payments/${idOf(payment.id)}/pixQrCode`))
      if (typeof code.payload !== 'string' || code.payload === '')
        throw new PaymentFailed('unreadable', 'there is no Pix code yet')
      return {
        copyPaste: code.payload,
        expiresAt: momentOf(code.expirationDate),
        ...(!known && {
          undo: async () => {
            const reply = await call('DELETE', `/payments/${idOf(payment.id)}`)
            if (!isGood(reply) && reply.status !== 404) throw refusalOf(reply, codeOf(reply.body))
          },
        }),
      }
    },

    async status(ref) {
      const payments = await ofRef(ref)
      const paid = payments.filter(({ status }) => [...received, ...returning, 'REFUNDED'].includes(String(status)))
      if (paid.length > 0) {
        const sums = paid.map(keptOf)
        const sumOf = (name: 'paidCents' | 'returningCents') => sums.reduce((sum, one) => sum + one[name], 0)
        return { state: 'paid', paidCents: sumOf('paidCents'), returningCents: sumOf('returningCents') }
      }
      const isOpen = payments.some(({ status }) => open.includes(String(status)))
      return { state: isOpen ? 'open' : 'ended', paidCents: 0, returningCents: 0 }
    },

    async takeBack(ref) {
      const payments = await ofRef(ref)
      for (const { id, status } of payments) {
        if (!open.includes(String(status))) continue
        const reply = await call('DELETE', `/payments/${idOf(id)}`)
        if (isGood(reply) || reply.status === 404) continue
        // Paid in this moment, or it will not.
        if ((await this.status(ref)).state !== 'paid') throw refusalOf(reply, codeOf(reply.body))
      }
      if (payments.length === 0) return 'unknown'
      return (await this.status(ref)).state === 'paid' ? 'paid' : 'gone'
    },

    async check() {
      await list('/customers', { limit: '1' })
    },
  }
}

/** Cents of 99.9; not a number for anything else. */
const centsOf = (value: unknown): number => (typeof value === 'number' ? Math.round(value * 100) : NaN)

/** What of a payment is there, and what is on its way back. */
function keptOf({ status, value, refunds }: Record<string, unknown>): { paidCents: number; returningCents: number } {
  const cents = centsOf(value) || 0
  if (status === 'REFUNDED') return { paidCents: 0, returningCents: 0 }
  if (returning.includes(String(status))) return { paidCents: 0, returningCents: cents }
  // A part of it may go back, and the payment stays received.
  const parts = (Array.isArray(refunds) ? (refunds as unknown[]) : []).filter(isRecord)
  const sumOf = (word: string) =>
    parts.filter((part) => part.status === word).reduce((sum, part) => sum + (centsOf(part.value) || 0), 0)
  const [done, pending] = [sumOf('DONE'), sumOf('PENDING')]
  return { paidCents: cents - done - pending, returningCents: pending }
}

/** An id that may stand in a path. */
function idOf(value: unknown): string {
  if (typeof value === 'string' && /^[\w-]{1,60}$/.test(value)) return value
  throw new PaymentFailed('unreadable', 'an id cannot be read')
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
