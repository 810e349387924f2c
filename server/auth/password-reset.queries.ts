import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'

/** To whom a code is sent, and in which language. */
export async function findRecipient(db: Db, userId: number) {
  const [row] = await db
    .select({
      ...{ name: users.name, email: users.email, companyId: users.companyId },
      ...{ companyName: companies.name, language: companies.language },
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(eq(users.id, userId))
  return row
}
