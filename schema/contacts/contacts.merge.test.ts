import { expect, test } from 'bun:test'
import { ticket } from '../example-facts.fixture.ts'
import { joinsOf, mergeContacts, type MergeFacts } from './contacts.merge.ts'
import type { Contact } from './contacts.table.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))
const contact = (id: number, more: Partial<Contact> = {}) =>
  ({
    ...{ id, companyId: 1, number: `55${id}`, lid: null, email: '', extraInfo: [], fields: {}, nameSource: 'push' },
    ...more,
  }) as Contact
const merged = (facts: Partial<MergeFacts>) =>
  mergeContacts({
    ...{ kept: contact(3), gone: contact(4), byHand: true, hasWritten: { kept: true, gone: false } },
    ...{ active: [], ticketIds: [], drafts: [], newInfoId: 'info', now: at(9) },
    ...facts,
  })

test('of two active tickets of a connection the open one goes on, of two alike the older one; another connection’s stay', () => {
  const pairs = (...active: Parameters<typeof ticket>[0][]) =>
    joinsOf(active.map((values) => ticket(values))).map(({ into, gone }) => [into.id, gone.id])
  expect(pairs({ id: 1, status: 'pending' }, { id: 2, status: 'open' })).toEqual([[2, 1]])
  expect(pairs({ id: 2, status: 'open' }, { id: 1, status: 'open' })).toEqual([[1, 2]])
  expect(pairs({ id: 1, whatsappId: 1 }, { id: 2, whatsappId: 2 })).toEqual([])
})

test('the ticket that goes on has what is unread, the tags and the last line of both, and goes last of all to the kept contact', () => {
  const into = ticket({ id: 1, contactId: 4, status: 'open', unreadMessages: 1, tagIds: [1, 2], lastMessageAt: at(1) })
  const gone = ticket({
    ...{ id: 2, contactId: 3, status: 'pending', unreadMessages: 2, tagIds: [2, 3] },
    ...{ lastMessage: 'oi', lastMessageAt: at(2) },
  })
  const { rows } = merged({ active: [into, gone], ticketIds: [1] }).decision
  const ofTickets = rows.filter(({ table }) => table === 'tickets')
  expect(ofTickets).toMatchObject([
    { op: 'delete', ids: [2] },
    { op: 'update', ids: [1], values: { unreadMessages: 3, tagIds: [1, 2, 3], lastMessage: 'oi' } },
    { op: 'update', ids: [1], values: { contactId: 3 } },
  ])
  // Before the ticket goes, and its messages with it.
  const [first] = rows
  expect(first).toMatchObject({ table: 'messages', where: { in: [2] }, values: { ticketId: 1, contactId: 3 } })
})

test('what somebody has begun to write goes along, unless they write in both', () => {
  const draft = (userId: number, ticketId: number) => ({
    ...{ id: `${userId}:${ticketId}`, companyId: 1, userId, ticketId, body: 'bom', updatedAt: at(0) },
  })
  const active = [ticket({ id: 1, status: 'open' }), ticket({ id: 2, status: 'pending' })]
  const { rows } = merged({ active, drafts: [draft(7, 2), draft(8, 2), draft(8, 1)] }).decision
  expect(rows.filter(({ table }) => table === 'drafts')).toMatchObject([{ op: 'insert', values: { id: '7:1' } }])
})

test('the number that has written answers, and the other can still be read', () => {
  expect(merged({}).kept).toMatchObject({ number: '553', extraInfo: [{ name: 'WhatsApp', value: '554' }] })
  const other = merged({ hasWritten: { kept: false, gone: true } })
  expect(other.kept).toMatchObject({ number: '554', extraInfo: [{ name: 'WhatsApp', value: '553' }] })
  expect(merged({ byHand: false }).kept).toMatchObject({ number: '553', extraInfo: [] })
})
