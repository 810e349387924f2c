import { expect, test } from 'bun:test'
import type { RowChange } from './command.ts'
import { inWritingOrder } from './writing-order.ts'

const message = (id: string): RowChange => ({ table: 'messages', op: 'insert', values: { id, ticketId: 1 } })
const read = (id: string): RowChange => ({ table: 'messages', op: 'update', ids: [id], values: { read: true } })
const ticket = (id: number, values: { unreadMessages?: number; chatbot?: boolean }): RowChange => ({
  table: 'tickets',
  op: 'update',
  ids: [id],
  values,
})
const line: RowChange = { table: 'ticketEvents', op: 'insert', values: { id: 'e', ticketId: 2 } }
const begun: RowChange = { table: 'tickets', op: 'insert', values: { id: 2 } }

test('a ticket is written before what is said in it, a new one before an old one, and its timeline between them', () => {
  expect(inWritingOrder([message('a'), line, ticket(1, { unreadMessages: 0 }), begun])).toEqual([
    begun,
    ticket(1, { unreadMessages: 0 }),
    line,
    message('a'),
  ])
})

test('of what becomes of one ticket only the end is written, and what is alike stands together', () => {
  expect(
    inWritingOrder([
      ticket(1, { unreadMessages: 3 }),
      message('a'),
      read('z'),
      ticket(2, { unreadMessages: 1, chatbot: true }),
      message('b'),
      ticket(1, { unreadMessages: 0 }),
    ]),
  ).toEqual([
    ticket(2, { unreadMessages: 1, chatbot: true }),
    ticket(1, { unreadMessages: 0 }),
    message('a'),
    message('b'),
    read('z'),
  ])
})

test('what is decided of the rows of one table otherwise is written as it was decided', () => {
  const ended: RowChange = { table: 'flowNodes', op: 'delete', ids: ['n'] }
  const again: RowChange = { table: 'flowNodes', op: 'insert', values: { id: 'n' } }
  expect(inWritingOrder([ended, again])).toEqual([ended, again])
})

test('what sweeps is written as it stands', () => {
  const rows = [
    message('a'),
    { table: 'tickets' as const, op: 'update' as const, where: { column: 'id' as const, in: [1] }, values: {} },
    begun,
  ]
  expect(inWritingOrder(rows)).toEqual(rows)
})
