import { documentOf } from '../../../schema/documents.ts'
import { type FakeService, json, Troubles } from '../bots/serve.ts'

interface Payment {
  id: string
  customer: string
  value: number
  dueDate: string
  externalReference: string
  status: 'PENDING' | 'RECEIVED' | 'CONFIRMED' | 'OVERDUE' | 'REFUND_IN_PROGRESS' | 'REFUNDED'
  refunds?: { status: 'PENDING' | 'CANCELLED' | 'DONE'; value: number }[]
}

/** Asaas as far as we are paid by it. Asked twice for the same payment, it makes two. */
export function fakeAsaasPayments({ key = '$aact_operator', today }: { key?: string; today(): string }) {
  const payments: Payment[] = []
  const customers: { id: string; name: string; cpfCnpj: string }[] = []
  const calls: string[] = []
  const troubles = new Troubles()
  const refused = (code: string, status = 400) => json({ errors: [{ code, description: code }] }, status)
  return {
    key,
    payments,
    customers,
    calls,
    troubles,
    async handle(request: Request, path: string): Promise<Response> {
      const trouble = await troubles.take()
      if (trouble) return trouble
      if (!request.headers.get('user-agent')) return refused('user_agent_required')
      if (request.headers.get('access_token') !== key) return refused('invalid_access_token', 401)
      const query = new URL(request.url).searchParams
      calls.push(`${request.method} ${path}`)
      if (path === '/v3/customers' && request.method === 'GET')
        return json({ object: 'list', data: customers.filter(({ cpfCnpj }) => cpfCnpj === query.get('cpfCnpj')) })
      if (path === '/v3/customers') {
        const { name, cpfCnpj } = (await request.json()) as { name: string; cpfCnpj: string }
        if (!documentOf(cpfCnpj ?? '')) return refused('invalid_cpfCnpj')
        const customer = { id: `cus_${customers.length + 1}`, name, cpfCnpj }
        customers.push(customer)
        return json(customer)
      }
      if (path === '/v3/payments' && request.method === 'GET')
        return json({
          object: 'list',
          data: payments.filter(({ externalReference }) => externalReference === query.get('externalReference')),
        })
      if (path === '/v3/payments') {
        const body = (await request.json()) as Payment & { billingType: string }
        if (!customers.some(({ id }) => id === body.customer)) return refused('invalid_customer')
        if (body.billingType !== 'PIX' || !(body.value > 0)) return refused('invalid_value')
        if (body.dueDate < today()) return refused('invalid_dueDate')
        const { customer, value, dueDate, externalReference } = body
        const payment: Payment = {
          ...{ id: `pay_${payments.length + 1}`, customer, value, dueDate, externalReference, status: 'PENDING' },
        }
        payments.push(payment)
        return json(payment)
      }
      const [, deleted] = /^\/v3\/payments\/(pay_\d+)$/.exec(path) ?? []
      if (deleted && request.method === 'DELETE') {
        const at = payments.findIndex((payment) => payment.id === deleted)
        if (at === -1) return refused('not_found', 404)
        if (payments[at]!.status !== 'PENDING' && payments[at]!.status !== 'OVERDUE') return refused('invalid_action')
        payments.splice(at, 1)
        return json({ deleted: true, id: deleted })
      }
      const [, id] = /^\/v3\/payments\/(pay_\d+)\/pixQrCode$/.exec(path) ?? []
      return payments.some((payment) => payment.id === id)
        ? json({ encodedImage: 'x', payload: `00020126asaas.test/${id}`, expirationDate: '2027-12-31 23:59:59' })
        : refused('not_found', 404)
    },
    /** What was paid goes back, or a part of it; what a webhook would then tell. */
    refunded(payment: Payment, value = payment.value, status: 'PENDING' | 'CANCELLED' | 'DONE' = 'DONE') {
      payment.refunds = [{ status, value }]
      if (value === payment.value && status !== 'CANCELLED')
        payment.status = status === 'DONE' ? 'REFUNDED' : 'REFUND_IN_PROGRESS'
      else payment.status = 'RECEIVED'
      return { id: `evt_back_${payment.id}`, event: 'PAYMENT_REFUNDED', payment }
    },
    /** Somebody pays; what a webhook would then tell. */
    paid(payment: Payment) {
      payment.status = 'RECEIVED'
      return { id: `evt_${payment.id}`, event: 'PAYMENT_RECEIVED', payment }
    },
  } satisfies FakeService & Record<string, unknown>
}
