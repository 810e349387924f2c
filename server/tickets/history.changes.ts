import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { newId } from '../../schema/ids.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { filePast, type PastChat, type PastMessage, type PastPiece } from '../../schema/messages/messages.past.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { applyDecision } from '../commands/apply.ts'
import { contactsOf } from '../contacts/contacts.identity.ts'
import type { Db, Tx } from '../db/database.ts'
import { retryOnConflict, retrying } from '../db/retrying.ts'
import { addJobs } from '../jobs/queue.ts'
import { pastChanged } from '../reports/reports.stale.changes.ts'
import { onlyQueueOf, reserveTicketIds } from './tickets.facts.ts'

interface Where {
  companyId: number
  whatsappId: number
  now: Date
}

/** Has pieces of a phone's history filed, one after the other. */
export const fileSoon = (db: Db, companyId: number, whatsappId: number, pieces: readonly string[]): Promise<void> =>
  addJobs(
    db,
    companyId,
    pieces.map((piece) => ({ kind: 'cloud.history', whatsappId, piece })),
  )

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * Files a piece of what was before: messages and people of a phone. In one transaction, and safe to be done again. No
 * webhook, notice or automation hears of it.
 * @returns how many messages are new
 */
export const fileHistory = (db: Db, where: Where, piece: PastPiece): Promise<number> =>
  retrying([...retryOnConflict, '23505'], () =>
    db.transaction(async (tx) => {
      await tx.execute(sql`SELECT set_config('balcao.quiet', 'on', true)`)
      await keepPeople(tx, where, piece)
      return keepMessages(tx, where, piece.messages)
    }),
  )

async function keepPeople(tx: Tx, { companyId }: Where, { people }: PastPiece): Promise<void> {
  const chats = people.map(({ number }): ChatAddress => ({ kind: 'person', number, lid: null }))
  const find = await contactsOf(tx, companyId, chats)
  for (const [i, { name, at }] of people.entries())
    await find(chats[i]!, { name: name || null, day: day(at), at: new Date(at) })
}

const keyOf = (chat: ChatAddress): string =>
  chat.kind === 'person' ? `${chat.number ?? ''}/${chat.bsuid?.id ?? ''}` : chat.groupId

async function keepMessages(tx: Tx, where: Where, told: readonly PastMessage[]): Promise<number> {
  const { companyId, whatsappId } = where
  // A file that comes behind its placeholder counts, whichever of them is told first.
  const byWid = new Map<string, PastMessage>()
  for (const past of told) if (!byWid.get(past.wid)?.hasFile) byWid.set(past.wid, past)
  const known = await tx
    .select({ id: messages.id, wid: messages.wid, mediaType: messages.mediaType, body: messages.body })
    .from(messages)
    .where(and(eq(messages.whatsappId, whatsappId), inArray(messages.wid, [...byWid.keys()])))
  const stored = new Map(known.map((row) => [row.wid, row]))
  const byChat = Map.groupBy(byWid.values(), ({ chat }) => keyOf(chat))
  const find = await contactsOf(
    tx,
    companyId,
    [...byChat.values()].map(([first]) => first!.chat),
  )
  const chats: PastChat[] = []
  for (const key of [...byChat.keys()].sort()) {
    const own = byChat.get(key)!
    const last = Math.max(...own.map(({ sentAt }) => sentAt))
    const contact = await find(own[0]!.chat, { name: null, day: day(last), at: new Date(last) })
    chats.push({
      ...{ contact, ticket: undefined, newTicketId: 0, queueId: null },
      messages: own.filter(({ wid }) => !stored.has(wid)).map((past) => ({ ...past, id: newId() })),
      // What only stood for it until now.
      completed: own.flatMap((past) => {
        const row = stored.get(past.wid)
        return row && past.hasFile && row.mediaType === 'phone_only' ? [{ ...past, id: row.id }] : []
      }),
    })
  }
  await placeIn(tx, where, chats)
  await applyDecision(tx, companyId, filePast(where, chats))
  await pastChanged(
    tx,
    companyId,
    chats.flatMap(({ ticket }) => ticket?.id ?? []),
  )
  return chats.reduce((all, chat) => all + chat.messages.length, 0)
}

/** The ticket that the past of a contact stands in: their first over this connection, where that is over. */
async function placeIn(tx: Tx, { companyId, whatsappId }: Where, chats: readonly PastChat[]): Promise<void> {
  const ids = chats.map(({ contact }) => contact.id)
  const rows = await tx
    .select()
    .from(tickets)
    .where(and(eq(tickets.companyId, companyId), eq(tickets.whatsappId, whatsappId), inArray(tickets.contactId, ids)))
    .orderBy(asc(tickets.createdAt), asc(tickets.id))
    .for('update')
  const first = new Map<number, (typeof rows)[number]>()
  for (const row of rows) if (!first.has(row.contactId)) first.set(row.contactId, row)
  const without = chats.filter((chat) => chat.messages.length > 0 && first.get(chat.contact.id)?.status !== 'closed')
  const reserved = await reserveTicketIds(tx, without.length)
  const queueId = without.length > 0 ? await onlyQueueOf(tx, whatsappId) : null
  for (const chat of chats) {
    const ticket = first.get(chat.contact.id)
    if (ticket?.status === 'closed') chat.ticket = ticket
    else if (chat.messages.length > 0) Object.assign(chat, { newTicketId: reserved.pop(), queueId })
  }
}
