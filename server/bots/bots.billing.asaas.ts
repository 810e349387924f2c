import { isGood, isRecord } from '../outside/outside.call.ts'
import { mediaUrlOf, textOf } from './bots.answer.ts'
import { below, type BotDeps, type BotReply, callBot, refusalOf, unreadable } from './bots.call.ts'
import {
  type BillingSystem,
  centsOf,
  codeOf,
  dayOf,
  type Invoice,
  MOST_INVOICES,
  phonesOf,
} from './bots.billing.port.ts'

export const ASAAS_BASE = 'https://api.asaas.com/v3'

/** @param baseUrl empty: the real service; its sandbox is another */
export function asaas(deps: BotDeps, { apiKey, baseUrl }: { apiKey: string; baseUrl: string }): BillingSystem {
  const get = async (path: string, query: Record<string, string> = {}): Promise<BotReply> =>
    callBot(deps, `${below(baseUrl || ASAAS_BASE, path)}?${new URLSearchParams(query)}`, {
      headers: { access_token: apiKey, accept: 'application/json', 'user-agent': 'balcao' },
    })
  const list = async (path: string, query: Record<string, string>) => {
    const reply = await get(path, query)
    if (!isGood(reply)) throw refusalOf(reply, errorCode(reply.body))
    if (!isRecord(reply.body) || !Array.isArray(reply.body.data)) throw unreadable(reply)
    return reply.body.data.filter(isRecord)
  }
  /** Of a payment: not every one has a slip or a Pix, and one without is shown without. */
  const detail = async (path: string, field: string): Promise<string | undefined> => {
    const reply = await get(path)
    return isGood(reply) && isRecord(reply.body) ? codeOf(reply.body[field]) : undefined
  }

  return {
    async find(document) {
      const [customer] = await list('/customers', { cpfCnpj: document.value, limit: '1' })
      const id = customer && idText(customer.id)
      if (!customer || !id) return null
      const limit = String(MOST_INVOICES)
      const overdue = await list('/payments', { customer: id, status: 'OVERDUE', limit })
      const open = overdue.length > 0 ? overdue : await list('/payments', { customer: id, status: 'PENDING', limit })
      const invoices: Invoice[] = []
      for (const payment of open.slice(0, MOST_INVOICES)) {
        const payId = idText(payment.id)
        const amount = centsOf(payment.value)
        const dueDate = dayOf(payment.dueDate)
        if (!payId || amount === undefined || !dueDate) continue
        const pix = await detail(`/payments/${payId}/pixQrCode`, 'payload')
        const line =
          payment.billingType === 'PIX'
            ? undefined
            : await detail(`/payments/${payId}/identificationField`, 'identificationField')
        const url = mediaUrlOf(payment.invoiceUrl) ?? mediaUrlOf(payment.bankSlipUrl)
        invoices.push({ amount, dueDate, ...(line && { line }), ...(pix && { pix }), ...(url && { url }) })
      }
      return {
        name: textOf(customer.name, 200) ?? '',
        phones: phonesOf(customer.mobilePhone, customer.phone),
        invoices: invoices.sort(byDay),
      }
    },
  }
}

/** An id that may stand in a path. */
const idText = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w-]{1,60}$/.test(value) ? value : undefined

const byDay = (a: Invoice, b: Invoice) => a.dueDate.localeCompare(b.dueDate)

function errorCode(body: unknown): unknown {
  const [error] = isRecord(body) && Array.isArray(body.errors) ? (body.errors as unknown[]) : []
  return isRecord(error) ? error.code : undefined
}
