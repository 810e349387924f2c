import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import {
  type ChangedCompany,
  changedCompany,
  type CompanyInput,
  isCampaigns,
  newCompany,
  phoneDigits,
} from '../../schema/companies/companies.inputs.ts'
import { isDayOf } from '../../schema/companies/companies.due.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { audit } from '../audit/audit.changes.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { Tx } from '../db/database.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demandSuper } from '../http/guard.ts'
import { idParams, isRealDay, pageQuery } from '../http/inputs.ts'
import { billSoon, invoicesChanged } from '../invoices/invoices.due.ts'
import { openInvoices } from '../invoices/invoices.facts.ts'
import { moveDueDate, reprice, stopBilling } from '../invoices/invoices.settle.ts'
import { addJobs } from '../jobs/queue.ts'
import { writeSetting } from '../settings/settings.changes.ts'
import { companyChanged } from './companies.changed.ts'
import { companyFilters, companyOrders, demandZone, findCompany, listCompanies } from './companies.queries.ts'
import { makeCompany } from './companies.writes.ts'
import { countRows } from './companies.removal.ts'

const tags = ['companies']
const oneOf = <Word extends string>(words: readonly Word[]) =>
  t.Optional(t.Unsafe<Word>(t.Union(words.map((word) => t.Literal(word)))))

/** All companies, for who runs the platform. */
export const operatorRoutes = (deps: AppDeps) =>
  new Elysia().use(readCompanies(deps)).use(writeCompanies(deps)).use(removeCompanies(deps))

/** What the parts of the routes need. */
function companyCalls({ db, events, facts, rules, onRightsChanged }: AppDeps) {
  const need = async (id: number) => {
    const company = await findCompany(db, id)
    if (!company) throw new DomainError('ERR_NO_COMPANY_FOUND')
    return company
  }
  const emit = (action: string, id: number) =>
    events.emit({
      companyId: OPERATOR_COMPANY_ID,
      name: 'company',
      action,
      payload: { company: { id } },
      audience: { operators: true },
    })
  /** What was decided by the old state of a company counts no more, for none of its people. */
  const forget = async (companyId: number) => {
    facts.forget(companyId)
    rules.forget(companyId)
    const people = await db.select({ id: users.id }).from(users).where(eq(users.companyId, companyId))
    for (const { id } of people) onRightsChanged(id)
  }
  return { need, emit, forget }
}

function readCompanies(deps: AppDeps) {
  const { db, now } = deps
  const { need } = companyCalls(deps)
  return new Elysia({ prefix: '/companies' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) => {
        demandSuper(who)
        const { searchParam, pageNumber, filter, order } = query
        const wish = { search: searchParam?.trim(), filter, order, pageNumber: pageNumber ?? 1 }
        return listCompanies(db, now(), wish)
      },
      {
        query: t.Object({ ...pageQuery.properties, filter: oneOf(companyFilters), order: oneOf(companyOrders) }),
        detail: {
          tags,
          summary:
            'Companies by name, or by what they owe, 20 a page; `filter` leaves those that are late, or that owe anything',
        },
      },
    )
    .get(
      '/list',
      async ({ who }) => {
        demandSuper(who)
        return (await listCompanies(db, now(), { pageNumber: 1, perPage: 1_000 })).companies
      },
      { detail: { tags, summary: 'Companies by name, the first thousand' } },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        const isOwn = params.id === who.companyId && who.profile === 'admin'
        if (!isOwn && !who.super) throw new DomainError('ERR_NO_COMPANY_FOUND')
        return need(params.id)
      },
      { params: idParams, detail: { tags, summary: 'One company, for the operator and for its admins' } },
    )
}

function writeCompanies(deps: AppDeps) {
  const { db, events, invitations, sealer, now } = deps
  const { need, emit, forget } = companyCalls(deps)
  const setCampaigns = async (tx: Tx, companyId: number, wished: CompanyInput['campaignsEnabled'] | undefined) => {
    if (wished !== undefined)
      await writeSetting(tx, sealer, companyId, 'campaignsEnabled', isCampaigns(wished) ? 'true' : 'false', now())
  }

  return new Elysia({ prefix: '/companies' })
    .use(authed(deps))
    .post(
      '/',
      async ({ who, body }) => {
        demandSuper(who)
        const { password, campaignsEnabled, timeZone } = body
        await demandZone(db, timeZone)
        // Nobody knows it; who is invited chooses another.
        const passwordHash = await hashPassword(password || randomBytes(24).toString('base64url'))
        const { id, code } = await db.transaction(async (tx) => {
          await demandPlan(tx, body.planId)
          const made = await makeCompany(tx, {
            ...stored(body),
            name: body.name.trim(),
            email: body.email.toLowerCase(),
            planId: body.planId,
            passwordHash,
            passwordIsKnown: Boolean(password),
            now: now(),
          })
          await setCampaigns(tx, made.company.id, campaignsEnabled)
          const { id } = made.company
          return { id, code: password ? undefined : await invitations.invite(tx, id, made.user.id) }
        })
        await billSoon(deps, id)
        emit('create', id)
        return { ...(await need(id)), ...(code !== undefined && { invitation: invitations.view(code) }) }
      },
      {
        body: newCompany,
        detail: {
          tags,
          summary:
            'Make a company, and its admin with the company’s e-mail. Without a password the admin is invited: `invitation` has the code, told this once',
        },
      },
    )
    .post(
      '/:id/invitation',
      async ({ who, params }) => {
        demandSuper(who)
        const { id: companyId } = await need(params.id)
        const [admin] = await db
          .select({ id: users.id, name: users.name, email: users.email })
          .from(users)
          .where(and(eq(users.companyId, companyId), eq(users.profile, 'admin')))
          .orderBy(asc(users.id))
          .limit(1)
        if (!admin) throw new DomainError('ERR_NO_USER_FOUND')
        invitations.count(companyId, admin.id)
        const code = await db.transaction(async (tx) => {
          const again = await invitations.inviteAgain(tx, companyId, admin.id)
          await audit(tx, { companyId, action: 'update', entity: 'user', id: admin.id })
          return again
        })
        return { name: admin.name, email: admin.email, invitation: invitations.view(code) }
      },
      {
        params: idParams,
        detail: { tags, summary: 'Invite the first admin of a company once more, who has not come in yet' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demandSuper(who)
        const { removal } = await need(params.id)
        if (removal || (params.id === OPERATOR_COMPANY_ID && body.status === false))
          throw new DomainError('ERR_FORBIDDEN')
        await demandZone(db, body.timeZone)
        const changes = stored(body)
        const billed = await db.transaction(async (tx) => {
          await demandPlan(tx, body.planId)
          const priced = changes.planId !== undefined || changes.recurrence !== undefined
          // Before the company: whoever pays locks in this order, too.
          if (priced) await openInvoices(tx, params.id)
          const moved = changes.dueDate !== undefined && (await moveDueDate(tx, params.id, changes.dueDate, now()))
          const { dueDate } = changes
          await tx
            .update(companies)
            .set({
              ...changes,
              // Another date is counted on from its own day, unless it is one that follows from the last; the same date,
              // which older clients send along with whatever else they change, is no change.
              ...(dueDate !== undefined && {
                dueDay: sql`CASE WHEN ${companies.dueDate} IS DISTINCT FROM ${dueDate}::date OR ${body.dueDay ?? null}::int IS NOT NULL
                  THEN ${body.dueDay ?? null}::int ELSE ${companies.dueDay} END`,
              }),
              updatedAt: now(),
            })
            .where(eq(companies.id, params.id))
          await setCampaigns(tx, params.id, body.campaignsEnabled)
          const repriced = priced && (await reprice(tx, { companyId: params.id }, now())).length > 0
          return moved || repriced
        })
        await forget(params.id)
        if (billed) invoicesChanged(events, params.id)
        await billSoon(deps, params.id)
        emit('update', params.id)
        if (params.id !== OPERATOR_COMPANY_ID) companyChanged(deps, params.id)
        return need(params.id)
      },
      { params: idParams, body: changedCompany, detail: { tags, summary: 'Change a company' } },
    )
}

function removeCompanies(deps: AppDeps) {
  const { db, now } = deps
  const { need, emit, forget } = companyCalls(deps)

  return new Elysia({ prefix: '/companies' }).use(authed(deps)).delete(
    '/:id',
    async ({ who, params }) => {
      demandSuper(who)
      const company = await need(params.id)
      if (params.id === OPERATOR_COMPANY_ID || params.id === who.companyId) throw new DomainError('ERR_FORBIDDEN')
      const removal = await remove(params.id)
      await forget(params.id)
      emit('update', params.id)
      // Not read again: a small one may be gone by now.
      return { ...company, status: false, removal: removal ?? company.removal }
    },
    {
      params: idParams,
      detail: { tags, summary: 'Delete a company and everything that is theirs; `removal` tells how far it is' },
    },
  )

  /**
   * From now on nobody of it gets in; what it has is deleted by a job of the operator's, whose company stays.
   * @returns undefined where that has begun before
   */
  async function remove(companyId: number) {
    const removal = { done: 0, total: await countRows(db, companyId) }
    return db.transaction(async (tx) => {
      await stopBilling(tx, companyId, now())
      const [begun] = await tx
        .update(companies)
        .set({ status: false, removal, updatedAt: now() })
        .where(and(eq(companies.id, companyId), isNull(companies.removal)))
        .returning({ id: companies.id })
      if (!begun) return undefined
      await addJobs(tx, OPERATOR_COMPANY_ID, [{ kind: 'companies.remove', removedId: companyId }])
      await tx.update(users).set({ online: false }).where(eq(users.companyId, companyId))
      return removal
    })
  }
}

async function demandPlan(tx: Tx, planId: number | undefined): Promise<void> {
  if (planId === undefined) return
  const [plan] = await tx.select({ id: plans.id }).from(plans).where(eq(plans.id, planId))
  if (!plan) throw new DomainError('ERR_NO_PLAN_FOUND')
}

/** What of the input is a column. Older clients send no date as an empty one. */
function stored(body: ChangedCompany) {
  const { name, email, phone, planId, status, recurrence, dueDate, dueDay, timeZone, language, callingCode } = body
  const refuse = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })
  if (dueDate && !isRealDay(dueDate)) throw refuse('body/dueDate', 'no such day')
  if (dueDay !== undefined && !(dueDate && isDayOf(dueDate, dueDay)))
    throw refuse('body/dueDay', 'not the day of the due date')
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(email !== undefined && { email: email.toLowerCase() }),
    ...(phone !== undefined && { phone: phoneDigits(phone) }),
    ...(planId !== undefined && { planId }),
    ...(status !== undefined && { status }),
    ...(recurrence !== undefined && { recurrence }),
    ...(dueDate !== undefined && { dueDate: dueDate || null }),
    ...(timeZone !== undefined && { timeZone }),
    ...(language !== undefined && { language }),
    ...(callingCode !== undefined && { callingCode }),
  }
}
