import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import {
  changedCompanyHours,
  changedCompanyRegion,
  isCampaigns,
  phoneDigits,
  signUpInput,
} from '../../schema/companies/companies.inputs.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { callingCodeIn } from '../../schema/contacts/contacts.phone.ts'
import { DomainError } from '../../schema/errors.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { type Count, createAttempts } from '../auth/attempts.ts'
import { hashPassword } from '../auth/passwords.ts'
import { dayIn, OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { callerAddress } from '../http/caller.ts'
import { networkOf } from '../network.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { billSoon } from '../invoices/invoices.due.ts'
import { readSetting } from '../settings/settings.queries.ts'
import { companyChanged } from './companies.changed.ts'
import { demandZone, isKnownZone, offeredPlans, planColumns } from './companies.queries.ts'
import { signUp } from './companies.writes.ts'
import { usedOf } from './plan-limits.queries.ts'

/** Companies from one network in ten minutes. */
const SIGN_UPS = 20
/** Refusals in an hour, which may say that a company or an e-mail exists. */
const TOLD_PER_HOUR = 20

/** Where a company is until somebody says otherwise: the default of its column. */
const NEW_COMPANY_ZONE = 'America/Sao_Paulo'

/** The plans that are offered, and signing up for one. Needs no login. */
function signUpRoutes(deps: AppDeps) {
  const { db, now, config } = deps
  const attempts = createAttempts({ topic: 'sign-up', between: deps.between })
  const offer = () => offeredPlans(db)
  const open = { detail: { tags: ['plans'], summary: 'The plans that are offered; needs no login' } }

  return new Elysia()
    .get('/plans/list', offer, open)
    .get('/plans/register', offer, open)
    .post(
      '/companies/cadastro',
      async ({ body, request, server }) => {
        if ((await readSetting(db, OPERATOR_COMPANY_ID, 'allowregister')) !== 'enabled')
          throw new DomainError('ERR_USER_CREATION_DISABLED')
        const network = networkOf(callerAddress(request, server, config.trustProxy))
        // Not by the e-mail: a stranger must not keep somebody from signing up.
        const notices: Count = { name: `told ${network}`, most: TOLD_PER_HOUR, minutes: 60 }
        attempts.begin([{ name: `sign-up ${network}`, most: SIGN_UPS }, notices], now())
        // Machines may say anything of where they are, and keep nobody from signing up.
        const wished = body.timeZone
        const timeZone = wished && (await isKnownZone(db, wished)) ? wished : NEW_COMPANY_ZONE
        const trialDays = Number(await readSetting(db, OPERATOR_COMPANY_ID, 'trial'))
        const made = await signUp(db, {
          name: body.name.trim(),
          userName: body.userName?.trim(),
          email: body.email.toLowerCase(),
          phone: phoneDigits(body.phone ?? ''),
          language: body.language ?? 'pt',
          timeZone,
          callingCode: callingCodeIn(timeZone),
          planId: body.planId,
          passwordHash: await hashPassword(body.password),
          dueDate: dayAfter(dayIn(timeZone, now()), trialDays),
          now: now(),
        })
        attempts.succeeded([notices])
        await billSoon(deps, made.company.id)
        return made
      },
      {
        body: signUpInput,
        detail: {
          tags: ['companies'],
          summary:
            'Sign up: a company on trial and its admin; needs no login. `recurrence`, `dueDate`, `status` and `campaignsEnabled` are the server’s',
        },
      },
    )
}

/** Signing up, what a company's plan allows, and what it says of itself. */
export function companyRoutes(deps: AppDeps) {
  const { auth, db, now } = deps

  return new Elysia()
    .use(signUpRoutes(deps))
    .use(authed(deps))
    .get(
      '/companies/listPlan/:id',
      async ({ who, params }) => {
        if (params.id !== who.companyId && !who.super) throw new DomainError('ERR_NO_COMPANY_FOUND')
        const [company] = await db
          .select({
            id: companies.id,
            name: companies.name,
            dueDate: companies.dueDate,
            planId: companies.planId,
            plan: planColumns,
          })
          .from(companies)
          .leftJoin(plans, eq(plans.id, companies.planId))
          .where(eq(companies.id, params.id))
        if (!company) throw new DomainError('ERR_NO_COMPANY_FOUND')
        const { plan } = company
        const campaigns = await readSetting(db, params.id, 'campaignsEnabled')
        // The screens know one word for what a company may do.
        const used = await usedOf(db, params.id)
        return {
          ...company,
          plan: plan && { ...plan, useCampaigns: plan.useCampaigns && isCampaigns(campaigns) },
          used,
        }
      },
      {
        params: idParams,
        detail: { tags: ['plans'], summary: 'The plan of a company, and how much is used of what it counts' },
      },
    )
    .put(
      '/companies/:id/schedules',
      async ({ who, params, body }) => {
        demand(who, 'company:schedules')
        if (params.id !== who.companyId && !who.super) throw new DomainError('ERR_NO_COMPANY_FOUND')
        const [company] = await db
          .update(companies)
          .set({
            schedules: body.schedules,
            ...(body.holidays && { holidays: body.holidays.toSorted((a, b) => (a.date < b.date ? -1 : 1)) }),
            updatedAt: now(),
          })
          .where(eq(companies.id, params.id))
          .returning({ id: companies.id, schedules: companies.schedules, holidays: companies.holidays })
        if (!company) throw new DomainError('ERR_NO_COMPANY_FOUND')
        companyChanged(deps, company.id)
        return company
      },
      {
        params: idParams,
        body: changedCompanyHours,
        detail: { tags: ['companies'], summary: 'The hours of a company' },
      },
    )
    .put(
      '/companies/:id/region',
      async ({ who, params, body: { timeZone, language, callingCode } }) => {
        demand(who, 'settings:write')
        if (params.id !== who.companyId && !who.super) throw new DomainError('ERR_NO_COMPANY_FOUND')
        await demandZone(db, timeZone)
        const [company] = await db
          .update(companies)
          .set({ timeZone, language, callingCode, updatedAt: now() })
          .where(eq(companies.id, params.id))
          .returning({
            id: companies.id,
            timeZone: companies.timeZone,
            language: companies.language,
            callingCode: companies.callingCode,
          })
        if (!company) throw new DomainError('ERR_NO_COMPANY_FOUND')
        // On which day its time is over depends on its clock.
        auth.forget()
        companyChanged(deps, company.id)
        return company
      },
      {
        params: idParams,
        body: changedCompanyRegion,
        detail: {
          tags: ['companies'],
          summary:
            'The time zone of a company, the language of what the server writes for it, and the calling code of numbers typed without one',
        },
      },
    )
}

/** @param day `YYYY-MM-DD` */
function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
