import { eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { isOnTrial, OPERATOR_COMPANY_ID, standingOf } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { priceOf } from '../../schema/invoices/invoices.due.ts'
import { changedPaymentAccount, checkoutInput } from '../../schema/invoices/invoices.inputs.ts'
import { planFeatures } from '../../schema/plans/plans.features.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { audit } from '../audit/audit.changes.ts'
import { offeredPlans } from '../companies/companies.queries.ts'
import { usedOf } from '../companies/plan-limits.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, authedToPay, demand, demandSuper } from '../http/guard.ts'
import { cursorQuery, idParams, pageQuery, queryId } from '../http/inputs.ts'
import { changedAccount, maskedAccount, writeAccount } from './invoices.account.ts'
import { invoicesChanged } from './invoices.due.ts'
import {
  companyOfInvoice,
  countUnpaid,
  findInvoice,
  listInvoices,
  listOddMoney,
  moneyTotals,
} from './invoices.queries.ts'
import { resolveMoney } from './invoices.settle.ts'

const tags = ['invoices']
/** More plans than that nobody compares. */
const MOST_OFFERED = 20

/** A company's invoices and how it pays them. Its admins come in also when its time is over. */
export function invoiceRoutes(deps: AppDeps) {
  const { db, payments, now } = deps
  return new Elysia()
    .use(authedToPay(deps))
    .get(
      '/invoices/all',
      ({ who, query }) => {
        demand(who, 'invoices:pay')
        return listInvoices(db, who.companyId, {
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
        })
      },
      { query: pageQuery, detail: { tags, summary: 'The company’s invoices, the last due first, 20 a page; admins' } },
    )
    .get(
      '/invoices/:id',
      async ({ who, params }) => {
        demand(who, 'invoices:pay')
        const invoice = await findInvoice(db, who.companyId, params.id)
        if (!invoice) throw new DomainError('ERR_NO_INVOICE_FOUND')
        return invoice
      },
      { params: idParams, detail: { tags, summary: 'One invoice; admins' } },
    )
    .get(
      '/subscription',
      async ({ who }) => {
        demand(who, 'invoices:pay')
        const [[own], [operator], account, used, unpaid, offered] = await Promise.all([
          db
            .select({ company: companies, plan: plans })
            .from(companies)
            .leftJoin(plans, eq(plans.id, companies.planId))
            .where(eq(companies.id, who.companyId)),
          db.select({ email: companies.email }).from(companies).where(eq(companies.id, OPERATOR_COMPANY_ID)),
          payments.account(),
          usedOf(db, who.companyId),
          countUnpaid(db, { companyId: who.companyId }),
          offeredPlans(db),
        ])
        if (!own) throw new DomainError('ERR_NO_COMPANY_FOUND')
        const { company, plan } = own
        return {
          email: company.email,
          dueDate: company.dueDate,
          onTrial: isOnTrial(company),
          isOver: standingOf(company, now()) === 'over',
          operatorEmail: operator?.email || null,
          openInvoices: unpaid.open,
          plan: plan && {
            ...{ name: plan.name, users: plan.users, connections: plan.connections, queues: plan.queues },
            features: planFeatures.filter((feature) => plan[feature]),
            // What each invoice is about, and for how many months; null costs nothing.
            price: priceOf(plan, company.recurrence),
          },
          used,
          /** What else is to be had; the operator changes the plan. */
          offered: offered
            .filter(({ id }) => id !== plan?.id)
            .slice(0, MOST_OFFERED)
            .map((other) => ({
              ...{ id: other.id, name: other.name, users: other.users, connections: other.connections },
              ...{ queues: other.queues, price: priceOf(other, company.recurrence) },
              features: planFeatures.filter((feature) => other[feature]),
            })),
          payer: {
            firstName: company.billingName,
            address2: company.addressStreet,
            district: company.addressDistrict,
            city: company.addressCity,
            state: company.addressState,
            zipcode: company.addressZipCode,
            country: company.addressCountry || 'BR',
            document: company.billingDocument,
          },
          provider: account?.provider ?? null,
          asksDocument: account ? (deps.payments.providerOf(account.provider, account)?.asksDocument ?? false) : false,
        }
      },
      {
        detail: {
          tags,
          summary: 'Until when the company may work, what it pays for and who pays; admins, also when it is over',
        },
      },
    )
    .post(
      '/subscription',
      async ({ who, body }) => {
        demand(who, 'invoices:pay')
        const { invoiceId, ...payer } = body
        const { charge, invoice } = await payments.charge(who.companyId, invoiceId, {
          ...{ district: '', state: '', document: '' },
          ...payer,
        })
        return {
          qrcode: { qrcode: charge.copyPaste },
          valor: { original: charge.value },
          expiresAt: charge.expiresAt,
          provider: charge.provider,
          invoice: { id: invoice.id, dueDate: invoice.dueDate },
        }
      },
      {
        body: checkoutInput,
        detail: { tags, summary: 'Pay an invoice by Pix; the price is the invoice’s, whatever else is sent' },
      },
    )
}

/** The operator's side: the invoices of any company, and how they are paid. */
export const operatorInvoiceRoutes = (deps: AppDeps) =>
  new Elysia().use(owed(deps)).use(oddMoney(deps)).use(operatorsWord(deps)).use(paymentService(deps))

/** What companies owe. */
function owed(deps: AppDeps) {
  const { db, payments, now } = deps
  return new Elysia({ prefix: '/invoices' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        demandSuper(who)
        return listInvoices(db, query.companyId ?? who.companyId, {
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
        })
      },
      {
        query: t.Object({ ...pageQuery.properties, companyId: queryId }),
        detail: { tags, summary: 'The invoices of a company; the operator' },
      },
    )
    .get(
      '/unpaid',
      ({ who, query: { planId, companyId } }) => {
        demandSuper(who)
        return countUnpaid(db, planId === undefined ? { companyId: companyId ?? who.companyId } : { planId })
      },
      {
        query: t.Object({ planId: queryId, companyId: queryId }),
        detail: {
          tags,
          summary:
            'How many invoices of a plan, or of a company, are still to be paid, and for how many somebody has begun to pay; the operator',
        },
      },
    )
    .get(
      '/totals',
      async ({ who }) => {
        demandSuper(who)
        const [totals, account] = await Promise.all([moneyTotals(db, now()), payments.account()])
        return { ...totals, canBePaid: account !== null }
      },
      {
        detail: {
          tags,
          summary:
            'What all companies owe, what of it is late, what was paid this month, and whether there is a way to pay; the operator',
        },
      },
    )
}

/** Money that settled no invoice. */
function oddMoney(deps: AppDeps) {
  const { db, now } = deps
  return new Elysia({ prefix: '/invoices' })
    .use(authed(deps))
    .get(
      '/odd-money',
      ({ who, query: { cursor, limit } }) => {
        demandSuper(who)
        return listOddMoney(db, { cursor, limit: limit ?? 40 })
      },
      {
        query: t.Object(cursorQuery),
        detail: {
          tags,
          summary: 'Money that came and settled no invoice, or that went back, of all companies; the operator',
        },
      },
    )
    .put(
      '/odd-money/:id/resolved',
      async ({ who, params }) => {
        demandSuper(who)
        const invoiceId = await db.transaction(async (tx) => {
          const settled = await resolveMoney(tx, params.id, now())
          if (settled === undefined) throw new DomainError('ERR_NOT_FOUND')
          await audit(tx, { companyId: who.companyId, action: 'update', entity: 'invoice', id: settled })
          return settled
        })
        const companyId = await companyOfInvoice(db, invoiceId)
        if (companyId !== undefined) emitMoney(deps, companyId)
        return { id: params.id }
      },
      { params: idParams, detail: { tags, summary: 'The money was given back, or counted otherwise' } },
    )
}

/** What the operator says of an invoice, without a payment service. */
function operatorsWord(deps: AppDeps) {
  const { db, payments } = deps
  const need = async (id: number) => {
    const companyId = await companyOfInvoice(db, id)
    if (companyId === undefined) throw new DomainError('ERR_NO_INVOICE_FOUND')
    return companyId
  }

  return new Elysia({ prefix: '/invoices' })
    .use(authed(deps))
    .put(
      '/:id/paid',
      async ({ who, params }) => {
        demandSuper(who)
        const companyId = await need(params.id)
        await payments.markPaid(params.id)
        emitMoney(deps, companyId)
        return findInvoice(db, companyId, params.id)
      },
      { params: idParams, detail: { tags, summary: 'The operator has seen the money: the company goes on' } },
    )
    .put(
      '/:id/refunded',
      async ({ who, params }) => {
        demandSuper(who)
        const companyId = await need(params.id)
        await payments.markRefunded(params.id)
        return findInvoice(db, companyId, params.id)
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'The operator has given the money back: the company is due as before, in three days at the earliest',
        },
      },
    )
    .put(
      '/:id/cancelled',
      async ({ who, params }) => {
        demandSuper(who)
        const companyId = await need(params.id)
        await payments.cancel(params.id)
        emitMoney(deps, companyId)
        return findInvoice(db, companyId, params.id)
      },
      { params: idParams, detail: { tags, summary: 'It is not to be paid; its due date is not billed again' } },
    )
}

/** Who takes the money for the operator. */
function paymentService(deps: AppDeps) {
  const { db, payments, sealer, outside, config, now } = deps
  const shown = async () => {
    const account = await payments.account()
    const { provider } = account ?? { provider: 'pix' }
    const webhookUrl = account && payments.webhookUrl(account, config.publicUrl)
    return {
      ...maskedAccount(account),
      isSet: account !== null,
      webhook: webhookUrl ? { url: webhookUrl, ...(provider === 'asaas' && { token: account.webhookSecret }) } : null,
    }
  }

  return new Elysia({ prefix: '/invoices' })
    .use(authed(deps))
    .get(
      '/provider',
      ({ who }) => {
        demandSuper(who)
        return shown()
      },
      { detail: { tags, summary: 'How the operator is paid, secrets masked' } },
    )
    .put(
      '/provider',
      async ({ who, body }) => {
        demandSuper(who)
        const before = await payments.account()
        const account = changedAccount(before, body, (address) => outside.accepts(address))
        const isTold = await payments.tryOut(account, config.publicUrl)
        await writeAccount(db, sealer, account, now())
        if (!Bun.deepEquals(before, account)) await payments.accountChanged()
        return { ...(await shown()), isTold }
      },
      {
        body: changedPaymentAccount,
        detail: { tags, summary: 'Say how the operator is paid; the service is asked whether it takes the keys' },
      },
    )
}

/** What somebody sees who looks at this company's money. */
function emitMoney({ events }: AppDeps, companyId: number): void {
  events.emit({
    companyId: OPERATOR_COMPANY_ID,
    name: 'company',
    action: 'update',
    payload: { company: { id: companyId } },
    audience: { operators: true },
  })
  invoicesChanged(events, companyId)
}
