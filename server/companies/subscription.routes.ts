import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'

/** How long a company may work, and where its bills go. */
export function subscriptionRoutes(deps: AppDeps) {
  const { db } = deps
  return new Elysia().use(authed(deps)).get(
    '/subscription',
    async ({ who }) => {
      demand(who, 'settings:write')
      const columns = { email: companies.email, dueDate: companies.dueDate }
      const [[own], [operator]] = await Promise.all([
        db.select(columns).from(companies).where(eq(companies.id, who.companyId)),
        db.select(columns).from(companies).where(eq(companies.id, OPERATOR_COMPANY_ID)),
      ])
      if (!own) throw new DomainError('ERR_NO_COMPANY_FOUND')
      return { ...own, operatorEmail: operator?.email || null }
    },
    {
      detail: {
        tags: ['companies'],
        summary:
          'The day until which the company may work, the address of its bills, and of whoever writes them; admins',
      },
    },
  )
}
