import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Principal } from '../schema/permissions.ts'
import { loadTable } from '../sync/shape-server/tables.ts'
import { analyseWhere } from '../sync/shape-server/where.ts'
import { type ShapeDefinition, type ShapeName, shapeNames, shapes } from '../sync/shapes.ts'
import { getTableName } from 'drizzle-orm'
import { testDatabase, type TestDatabase } from './support/postgres.ts'

/** What every row that changes is asked, for every person who is connected. */
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())

const agent: Principal = {
  userId: 7,
  companyId: 3,
  name: 'Ana',
  profile: 'user',
  super: false,
  queueIds: [5, 6],
  allTicket: false,
  whatsappId: null,
}
const people: Record<string, Principal> = {
  agent,
  'agent of no queue': { ...agent, queueIds: [] },
  'agent who sees what has no queue': { ...agent, allTicket: true },
  admin: { ...agent, profile: 'admin' },
}

test.each(shapeNames)(
  'the filter of %s is answered without asking Postgres, whoever has it',
  async (name: ShapeName) => {
    const shape: ShapeDefinition = shapes[name]
    const { sql } = database
    const table = await loadTable(sql, 'public', getTableName(shape.table), 180_000)
    for (const [kind, who] of Object.entries(people)) {
      const { where, params } = shape.filter(who, { since: new Date(0) })
      const given = Object.fromEntries(params.map((value, i) => [String(i + 1), value]))
      const { predicate } = await analyseWhere(sql, table, where, given)
      expect([kind, predicate.kind]).toEqual([kind, 'compiled'])
      // By one value of a column, so that a row is not put to the shapes of every company.
      expect(predicate.kind === 'compiled' && predicate.equality?.length).toBeGreaterThan(0)
    }
  },
)
