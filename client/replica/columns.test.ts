import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { memoryReplica } from '../../sync/client/replica.fixture.ts'
import { assignedAfter } from '../automation/automation.assigned.rows.ts'
import { blocksOf, flowNames } from '../automation/automation.queries.ts'
import { newestChatMessages, ownChats } from '../chats/chats.rows.ts'
import { contactDetails, contactsCopy, contactsToChoose, peopleSaying } from '../contacts/contacts.rows.ts'
import { draftRows, queueHours } from '../flows/flows.rows.ts'
import { quickReplies } from '../messages/messages.quick-replies.ts'
import { messagesBetween, messagesById, newestMessages, ticketTimeline } from '../messages/messages.rows.ts'
import { sharedOf } from '../messages/messages.shared-rows.ts'
import { notesOfContact } from '../notes/notes.rows.ts'
import {
  latestSchedule,
  scheduledFile,
  schedulesOfContact,
  schedulesSaying,
  schedulesWithin,
} from '../schedules/schedules.rows.ts'
import { ticketNames } from '../shell/outbox-panel.rows.ts'
import { ticketByUuid, ticketsOfContact } from '../tickets/tickets.rows.ts'
import { ticketViews } from '../tickets/tickets.views.ts'
import { connectionsCopy, connectionStates } from '../whatsapps/whatsapps.rows.ts'
import { columnsOf, iso, ms, msOrNull, or, someOf } from './columns.ts'
import { ownCompany } from './own-company.ts'
import type { Rows } from './rows.ts'

let replica: PGlite
beforeAll(async () => {
  replica = await memoryReplica()
}, 60_000)
afterAll(() => replica?.close())

type Query = Pick<Rows<object>, 'query' | 'read'>

async function ask({ query, read }: Query): Promise<object[]> {
  const { rows } = await replica.query<Record<string, unknown>>(query.sql, query.params)
  return rows.map((raw) => (read ? read(raw) : raw))
}

describe('from one list of columns', () => {
  const connection = someOf<'whatsapps'>()({ id: true, name: or('?'), updatedAt: iso })
  test('comes the text of a SELECT, under the name that the table has in it', () => {
    expect(connection.text()).toBe('"id", "name", "updatedAt"')
    expect(connection.text('w')).toBe('w."id", w."name", w."updatedAt"')
  })
  test('comes the reader of its rows, which knows no other column', () => {
    const at = new Date('2026-01-02T03:04:05.678Z')
    const raw = { id: 3, name: null, token: 'secret', updatedAt: at }
    expect(connection.read(raw)).toEqual({ id: 3, name: '?', updatedAt: '2026-01-02T03:04:05.678Z' })
    expect(ms(at)).toBe(at.getTime())
    expect(msOrNull(null)).toBeNull()
  })
  test('a column that is not read stands in neither', () => {
    const note = columnsOf<'ticketNotes'>()({
      ...{ id: true, companyId: false, ticketId: false, contactId: false, userId: true, note: true },
      ...{ mentions: false, queueScope: false, userScope: false, createdAt: ms },
    })
    expect(note.text()).toBe('"id", "userId", "note", "createdAt"')
    expect(Object.keys(note.read({}))).toEqual(['id', 'userId', 'note', 'createdAt'])
  })
})

test('a column is forgotten by no list that has all, and none is read that no browser holds, nor as what it is not', () => {
  // @ts-expect-error the limit of a lane, which is neither read nor left out
  columnsOf<'tags'>()({ id: true, companyId: false, name: true, color: true, kanban: true, laneOrder: true })
  // @ts-expect-error a connection's token is never synced
  someOf<'whatsapps'>()({ id: true, token: true })
  // @ts-expect-error a moment is no number before it was read
  someOf<'whatsapps'>()({ updatedAt: true })
  // @ts-expect-error the name is a text
  someOf<'whatsapps'>()({ name: or(0) })
})

const id = '018f0000-0000-7000-8000-000000000001'
const queries: Record<string, Query> = {
  ...{ ownCompany, ownChats, ticketViews, quickReplies, flowNames, queueHours, latestSchedule },
  ...{ connectionsCopy, connectionStates },
}
test.each<[string, () => Promise<object[]>]>([
  ...Object.entries(queries).map(([name, rows]) => [name, () => ask(rows)] as [string, () => Promise<object[]>]),
  ['messages of a chat', () => ask(newestChatMessages(1, 50))],
  ['contacts offline', () => ask(contactsCopy('ana'))],
  ['contacts to choose', () => ask(contactsToChoose('ana'))],
  ['people in the palette', () => ask(peopleSaying('ana 119', 5))],
  ['what is known of a contact', () => ask(contactDetails(1))],
  ['the newest messages', () => ask(newestMessages(1))],
  ['messages between', () => ask(messagesBetween(1, 0, 1))],
  ['messages by id', () => ask(messagesById([id]))],
  ['the timeline', () => ask(ticketTimeline(1))],
  ['to whom a queue gave it', () => ask(assignedAfter(id))],
  ['shared media', () => ask(sharedOf(1, 'media', null))],
  ['notes', () => ask(notesOfContact(1))],
  ['schedules of a contact', () => ask(schedulesOfContact(1))],
  ['schedules', () => ask(schedulesSaying('ana'))],
  ['schedules of a month', () => ask(schedulesWithin('ana', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'))],
  ['the file of a schedule', () => ask(scheduledFile(id))],
  ['a ticket', () => ask(ticketByUuid(id))],
  ['tickets of a contact', () => ask(ticketsOfContact(1))],
  ['names of tickets', () => ask(ticketNames([1, 2]))],
  ['the blocks of a draft', () => ask(draftRows(1))],
  ['blocks by id', () => ask(blocksOf(['a', 'b']))],
])('a browser’s own tables answer %s', async (name, answer) => {
  expect(await answer()).toHaveLength(name === 'latestSchedule' ? 1 : 0)
})
