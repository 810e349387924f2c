import { columnsOf, type RowOf } from './columns.ts'
import type { Rows } from './rows.ts'

const company = columnsOf<'companies'>()({
  id: true,
  name: false,
  dueDate: false,
  timeZone: true,
  language: true,
  schedules: true,
  holidays: true,
  status: false,
})

export type Company = RowOf<typeof company>

/** Clock, language and hours of the person's company. The replica holds no other. */
export const ownCompany: Rows<Company> = {
  query: { sql: `SELECT ${company.text()} FROM companies`, tables: ['companies'] },
  read: company.read,
  keyOf: ({ id }) => id,
}
