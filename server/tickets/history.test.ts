import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { pastIn } from '../cloud/from-cloud.history.ts'
import { fileHistory } from './history.changes.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(() => t.close())

const days = (n: number) => Math.floor((t.clock.now.getTime() - n * 86_400_000) / 1_000)
const line = (id: string, from: string, at: number, more: object) => ({ id, from, timestamp: String(at), ...more })
const text = (body: string) => ({ type: 'text', text: { body }, history_context: { status: 'READ' } })
const [ana, us] = ['5511988880001', '551133330000']
const told = (field: string, value: Record<string, unknown>) =>
  pastIn(field, value, { portfolio: 'p', now: t.clock.now })
const history = (...found: object[]) =>
  told('history', { history: [{ metadata: { phase: 1, progress: 55 }, threads: [{ id: ana, messages: found }] }] })

test('the history of a phone stands in a closed ticket, in its order, without anything unread, and once', async () => {
  const company = await t.eg.company()
  const { id: whatsappId } = await t.eg.whatsapp(company.id, { provider: 'official' })
  const { db } = t.database
  const where = { companyId: company.id, whatsappId, now: t.clock.now }
  const newer = history(line('w3', us, days(3), text('Já saiu para entrega')))
  const older = history(
    line('w1', ana, days(90), text('Bom dia')),
    line('w2', us, days(89), { type: 'media_placeholder' }),
  )
  expect(newer).toMatchObject({ chunks: [{ phase: 1, order: null, progress: 55 }], isDeclined: false, ignored: [] })
  expect(await fileHistory(db, where, newer)).toBe(1)
  expect(await fileHistory(db, where, older)).toBe(2)
  expect(await fileHistory(db, where, older)).toBe(0)
  const rows = await db.select().from(tickets).where(eq(tickets.companyId, company.id))
  expect(rows).toMatchObject([{ status: 'closed', unreadMessages: 0, lastMessage: 'Já saiu para entrega' }])
  const said = await db.select().from(messages).where(eq(messages.ticketId, rows[0]!.id)).orderBy(messages.createdAt)
  expect(said.map(({ wid, fromMe, read, ack }) => [wid, fromMe, read, ack])).toEqual([
    ['w1', false, true, 1],
    ['w2', true, true, 2],
    ['w3', true, true, 4],
  ])
  // Nothing is sent, told or fetched of what is old.
  expect(await db.$count(jobs, eq(jobs.companyId, company.id))).toBe(0)
  // A file comes later, in the place of what stood for it.
  const file = history(line('w2', us, days(89), { type: 'image', image: { id: 'm9', mime_type: 'image/jpeg' } }))
  expect(await fileHistory(db, where, file)).toBe(0)
  const [image] = await db
    .select()
    .from(messages)
    .where(and(eq(messages.whatsappId, whatsappId), eq(messages.wid, 'w2')))
  expect(image).toMatchObject({ mediaType: 'image', mediaState: 'pending' })
  expect(await db.$count(jobs, eq(jobs.companyId, company.id))).toBe(1)
})

test('the contact book gives people their names; whoever leaves it stays, and who shares no history says so', async () => {
  const company = await t.eg.company()
  const { id: whatsappId } = await t.eg.whatsapp(company.id, { provider: 'official' })
  const { db } = t.database
  const one = (action: string, more: object = {}) => ({
    ...{ type: 'contact', action, metadata: { timestamp: String(days(1)) } },
    contact: { phone_number: ana, ...more },
  })
  const book = told('smb_app_state_sync', { state_sync: [one('add', { full_name: 'Ana Lima' }), one('remove')] })
  expect(book.ignored).toEqual(['left_book'])
  await fileHistory(db, { companyId: company.id, whatsappId, now: t.clock.now }, book)
  const rows = await db.select().from(contacts).where(eq(contacts.companyId, company.id))
  expect(rows).toMatchObject([{ name: 'Ana Lima', number: ana }])
  expect(told('history', { history: [{ errors: [{ code: 2_593_109 }] }] })).toMatchObject({ isDeclined: true })
})
