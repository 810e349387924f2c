import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asc, inArray, sql } from 'drizzle-orm'
import type { ServerDecision } from '../../schema/command.ts'
import { deleteTag } from '../../schema/tags/tags.delete.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { TicketTouch } from '../../schema/tickets/tickets.transition.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { applyDecision, namesWhatIsGone } from './apply.ts'

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

test('what is refused is named by its reason, also where all answers of the database come at once', async () => {
  const { id: companyId } = await t.eg.company()
  const { id: contactId } = await t.eg.contact(companyId)
  const { id } = await t.eg.ticket(companyId, { contactId })
  const { db } = t.database
  // Its queue is gone. Only a table of transitions may say so otherwise.
  const values = { queueId: 2_000_000_000 } as unknown as TicketTouch
  const rows: ServerDecision['rows'] = [{ table: 'tickets', op: 'update', ids: [id], values }]
  for (let tries = 0; tries < 5; tries++) {
    const written = db.transaction((tx) =>
      applyDecision(tx, companyId, { rows, effects: [] }, () => {
        // The answers come while nobody listens.
        setTimeout(() => Bun.sleepSync(60), 1)
        return Array.from({ length: 5 }, () => tx.execute(sql`SELECT 1`))
      }),
    )
    const error = await written.catch((refused: unknown) => refused)
    expect(namesWhatIsGone(error)).toBe(true)
  }
})
