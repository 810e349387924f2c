import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { automationDecisions, voiceTranscripts } from '../../schema/automation/automation.table.ts'
import { shippings } from '../../schema/campaigns/campaigns.table.ts'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { type Contact, contacts } from '../../schema/contacts/contacts.table.ts'
import { contactListItems } from '../../schema/contact-lists/contact-lists.table.ts'
import { customFields } from '../../schema/custom-fields/custom-fields.table.ts'
import { type Message, messages, messageTexts } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import type { MediaStore } from '../media/media-store.ts'
import { namesOf, personOf } from './privacy.queries.ts'
import type { Part } from './privacy.zip.ts'
import type { Person } from './privacy.places.ts'

/** So many rows stand in memory at a time. */
const PAGE = 500

interface ExportDeps {
  db: Db
  media: Pick<MediaStore, 'read' | 'find'>
}

interface Wish {
  /** With what colleagues noted. */
  notes: boolean
  /** Told how many more messages are in it. Throws to end it. */
  step(messages: number): Promise<void>
}

const json = (value: unknown) => [Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]
const line = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`)

/** The files of an export, one after the other: each is read while it is written, and never twice. */
export async function* partsOf(deps: ExportDeps, contact: Contact, wish: Wish): AsyncGenerator<Part> {
  const { db } = deps
  const person = personOf({ companyId: contact.companyId, contactId: contact.id }, await namesOf(db, contact))
  yield { name: 'contact.json', bytes: json(await contactFile(db, contact, person)) }
  if (contact.profilePicUrl) yield* fileOf(deps, 'media/picture', contact.profilePicUrl)
  yield { name: 'tickets.json', bytes: json(await ticketsFile(db, person)) }
  const files: { name: string; path: string }[] = []
  yield { name: 'messages.ndjson', bytes: messageLines(db, person, files, wish) }
  if (wish.notes) yield { name: 'notes.ndjson', bytes: noteLines(db, person) }
  for (const { name, path } of files) {
    await wish.step(0)
    yield* fileOf(deps, name, path)
  }
}

/** A file that went meanwhile is left out; the manifest names what is there. */
async function* fileOf({ media }: ExportDeps, name: string, path: string): AsyncGenerator<Part> {
  if (await media.find(path))
    yield { name: `${name}${/\.[a-z0-9]{1,8}$/.exec(path)?.[0] ?? ''}`, bytes: await media.read(path) }
}

async function contactFile(db: Db, contact: Contact, { companyId, contactId, keys, lids }: Person) {
  const { id, name, number, lid, username, email, isGroup, extraInfo, createdAt, updatedAt, activeOn } = contact
  const [aliases, own, inLists, campaigns, outs, planned] = await Promise.all([
    db.select().from(contactAliases).where(eq(contactAliases.contactId, contactId)),
    db
      .select()
      .from(customFields)
      .where(and(eq(customFields.companyId, companyId), eq(customFields.entity, 'contact'))),
    db
      .select()
      .from(contactListItems)
      .where(and(eq(contactListItems.companyId, companyId), inArray(contactListItems.key, [...keys, '']))),
    db
      .select()
      .from(shippings)
      .where(and(eq(shippings.companyId, companyId), inArray(shippings.key, [...keys, ''])))
      .orderBy(asc(shippings.id)),
    db
      .select()
      .from(optOuts)
      .where(
        sql`${optOuts.companyId} = ${companyId} AND (${optOuts.key} = ANY(${sql.param(keys)}::text[]) OR ${optOuts.lid} = ANY(${sql.param(lids)}::text[]))`,
      ),
    db.select().from(schedules).where(eq(schedules.contactId, contactId)),
  ])
  const fieldNames = new Map(own.map((field) => [String(field.id), field.name]))
  return {
    ...{ id, name, number, lid, username, email, isGroup, createdAt, updatedAt, lastSeenOn: activeOn },
    extraInfo: extraInfo.map((info) => ({ name: info.name, value: info.value })),
    fields: Object.entries(contact.fields).map(([field, value]) => ({ name: fieldNames.get(field) ?? field, value })),
    aliases: aliases.map(({ kind, value, since, until }) => ({ kind, value, since, until })),
    lists: inLists.map((item) => ({
      listId: item.contactListId,
      name: item.name,
      number: item.number,
      email: item.email,
    })),
    campaigns: campaigns.map(({ campaignId, state, body, sentAt, deliveredAt, readAt, repliedAt, answerBody }) => ({
      ...{ campaignId, state, body, sentAt, deliveredAt, readAt, repliedAt, answer: answerBody },
    })),
    optOuts: outs.map(({ source, text, createdAt: since, revokedAt }) => ({ source, text, since, revokedAt })),
    scheduled: planned.map(({ body, sendAt, sentAt, status }) => ({ body, sendAt, sentAt, status })),
  }
}

async function ticketsFile(db: Db, { companyId, contactId }: Person) {
  const rows = await db.select().from(tickets).where(eq(tickets.contactId, contactId)).orderBy(asc(tickets.id))
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const [rated, events, decided] = await Promise.all([
    db.select().from(ratings).where(inArray(ratings.ticketId, ids)),
    db.select().from(ticketEvents).where(inArray(ticketEvents.ticketId, ids)).orderBy(asc(ticketEvents.createdAt)),
    db
      .select({ ticketId: automationDecisions.ticketId, n: sql<number>`count(*)::int` })
      .from(automationDecisions)
      .where(and(eq(automationDecisions.companyId, companyId), inArray(automationDecisions.ticketId, ids)))
      .groupBy(automationDecisions.ticketId),
  ])
  const of = <R extends { ticketId: number }>(all: readonly R[], id: number) => all.filter((row) => row.ticketId === id)
  return rows.map(({ id, status, createdAt, updatedAt, queueId, userId, whatsappId, tagIds, fields }) => ({
    ...{ id, status, createdAt, updatedAt, queueId, userId, whatsappId, tagIds, fields },
    ratings: of(rated, id).map((row) => ({ rate: row.rate, at: row.createdAt })),
    events: of(events, id).map(({ kind, createdAt: at }) => ({ kind, at })),
    automaticDecisions: of(decided, id)[0]?.n ?? 0,
  }))
}

async function* messageLines(
  db: Db,
  { companyId, contactId, names }: Person,
  files: { name: string; path: string }[],
  { step }: Wish,
): AsyncGenerator<Uint8Array> {
  // Their own conversations, and what they said in groups.
  const theirs =
    names.length === 0
      ? sql`false`
      : sql`(m."participantNumber" = ANY(${sql.param([...names])}::text[]) AND m."ticketId" IN
    (SELECT k.id FROM tickets k WHERE k."companyId" = ${companyId} AND k."isGroup"))`
  const own = sql`m."ticketId" IN (SELECT k.id FROM tickets k WHERE k."contactId" = ${contactId})`
  for (let after = ''; ; ) {
    const ids = await db.execute<{ id: string }>(sql`
      SELECT m.id FROM messages m WHERE (${own} OR ${theirs}) AND m.id > ${after} ORDER BY m.id LIMIT ${PAGE}`)
    const page = [...ids].map(({ id }) => id)
    if (page.length === 0) return
    const [rows, texts, spoken] = await Promise.all([
      db.select().from(messages).where(inArray(messages.id, page)).orderBy(asc(messages.id)),
      db.select().from(messageTexts).where(inArray(messageTexts.messageId, page)),
      db.select().from(voiceTranscripts).where(inArray(voiceTranscripts.messageId, page)),
    ])
    const textOf = new Map(texts.map(({ messageId, text }) => [messageId, text]))
    const saidIn = new Map(spoken.map(({ messageId, text }) => [messageId, text]))
    for (const row of rows) {
      const file = row.mediaPath ? `media/${row.id}` : null
      if (file) files.push({ name: file, path: row.mediaPath! })
      yield line(messageLine(row, textOf.get(row.id), saidIn.get(row.id), file))
    }
    await step(page.length)
    after = page.at(-1)!
    if (page.length < PAGE) return
  }
}

const messageLine = (row: Message, whole: string | undefined, transcript: string | undefined, file: string | null) => ({
  ...{ id: row.id, ticketId: row.ticketId, at: row.createdAt, from: row.fromMe ? 'company' : 'contact' },
  ...{
    body: whole ?? row.body,
    mediaType: row.mediaType,
    file,
    fileName: row.mediaName,
    transcript: transcript ?? null,
  },
  ...{ earlier: row.earlierBodies, reactions: row.reactions, isDeleted: row.isDeleted, ack: row.ack },
})

async function* noteLines(db: Db, { contactId }: Person): AsyncGenerator<Uint8Array> {
  for (let after = ''; ; ) {
    const rows = await db
      .select()
      .from(ticketNotes)
      .where(
        sql`${ticketNotes.ticketId} IN (SELECT k.id FROM tickets k WHERE k."contactId" = ${contactId}) AND ${ticketNotes.id} > ${after}`,
      )
      .orderBy(asc(ticketNotes.id))
      .limit(PAGE)
    for (const { id, ticketId, userId, note, createdAt } of rows)
      yield line({ id, ticketId, userId, note, at: createdAt })
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}

/** The contact that an export is of; undefined where it is gone. */
export async function exportedContact(db: Db, companyId: number, contactId: number): Promise<Contact | undefined> {
  const [row] = await db
    .select()
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), eq(contacts.id, contactId)))
  return row
}
