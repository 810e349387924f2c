import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asc, inArray } from 'drizzle-orm'
import { deleteTag } from '../../schema/tags/tags.delete.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { applyDecision } from './apply.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('a change of all rows of a kind stays in the company, and touches no other rows of it', async () => {
  const [own, foreign] = [await t.eg.company(), await t.eg.company()]
  const ticket = async (companyId: number, tagIds: number[]) => {
    const { id: contactId } = await t.eg.contact(companyId)
    return t.eg.ticket(companyId, { contactId, tagIds })
  }
  const made = [
    await ticket(own.id, [7, 8]),
    await ticket(own.id, [8]),
    await ticket(own.id, [78]),
    await ticket(foreign.id, [7, 8]),
  ]
  const changes = await t.database.db.transaction((tx) => applyDecision(tx, own.id, deleteTag(7)))
  const ids = made.map(({ id }) => id)
  const { db } = t.database
  const rows = await db.select().from(tickets).where(inArray(tickets.id, ids)).orderBy(asc(tickets.id))
  expect(rows.map(({ tagIds }) => tagIds)).toEqual([[8], [8], [78], [7, 8]])
  expect(changes).toEqual([])
})
