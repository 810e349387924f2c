import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getTableName } from 'drizzle-orm'
import type { Principal } from '../schema/permissions.ts'
import { type TestDatabase, testDatabase } from '../tests/support/postgres.ts'
import { loadTable } from './shape-server/tables.ts'
import { analyseWhere } from './shape-server/where.ts'
import { nothingOf, type ShapeDefinition, shapeNames, shapes } from './shapes.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const agent: Principal = {
  userId: 7,
  companyId: 3,
  name: 'Ana',
  profile: 'user',
  super: false,
  queueIds: [1, 2],
  allTicket: false,
  whatsappId: null,
}
const people: [string, Principal][] = [
  ['an agent', agent],
  ['an agent without queues, who sees tickets without one', { ...agent, queueIds: [], allTicket: true }],
  ['an admin', { ...agent, profile: 'admin' }],
]

test.each(people)(
  'no filter of a shape is put to Postgres row by row, and each is found by its company: %s',
  async (_, who) => {
    for (const name of shapeNames) {
      const shape: ShapeDefinition = shapes[name]
      const table = await loadTable(database.sql, 'public', getTableName(shape.table), 180_000)
      const filter = shape.filter(who, { since: new Date(0) })
      for (const { where, params } of [filter, nothingOf(filter)]) {
        const numbered = Object.fromEntries(params.map((param, i) => [i + 1, param]))
        const { predicate } = await analyseWhere(database.sql, table, where, numbered)
        expect([name, predicate.kind]).toEqual([name, 'compiled'])
        const company = table.columns.findIndex((column) => column.name === (name === 'companies' ? 'id' : 'companyId'))
        const found = predicate.kind === 'compiled' ? predicate.equality : undefined
        expect([name, found?.find(({ column }) => column === company)?.values]).toEqual([name, ['3']])
      }
    }
  },
)

test('every synced table tells the log all of a row, and copies of who sees a ticket are kept by triggers', async () => {
  const scopes = (
    await database.sql<{ source: string }[]>`SELECT prosrc AS source FROM pg_proc WHERE proname = 'rescope_ticket'`
  )[0]!
  for (const name of shapeNames) {
    const shape: ShapeDefinition = shapes[name]
    const table = getTableName(shape.table)
    const [found] = await database.sql<{ isFull: boolean; isCopied: boolean }[]>`
      SELECT relreplident = 'f' AS "isFull", EXISTS (
        SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgfoid = 'copy_ticket_scope'::regproc) AS "isCopied"
      FROM pg_class c WHERE c.oid = ${table}::regclass`
    expect([name, found!.isFull]).toEqual([name, true])
    if (!shape.columns.includes('queueScope')) continue
    expect([name, found!.isCopied]).toEqual([name, true])
    expect([name, scopes.source.includes(`UPDATE "${table}" SET "queueScope"`)]).toEqual([name, true])
  }
})
