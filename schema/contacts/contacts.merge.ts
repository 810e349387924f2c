import { getTableColumns } from 'drizzle-orm'
import type { ServerDecision } from '../command.ts'
import { mergedFields } from '../custom-fields/custom-fields.merge.ts'
import type { FieldPatch } from '../custom-fields/custom-fields.table.ts'
import type { Draft } from '../drafts/drafts.table.ts'
import { type Ticket, tickets } from '../tickets/tickets.table.ts'
import type { ContactAlias } from './aliases.table.ts'
import type { Contact, ExtraInfo } from './contacts.table.ts'
import type { ContactMerge, JoinedTicket } from './merges.table.ts'

/**
 * Two contacts become one, and one becomes two again.
 *
 * Undoing gives everything back that came with the other contact. What was written since stays where it was written.
 * Where two active tickets of a connection became one, both are there again, each with the messages it had; the one
 * that had gone comes back closed if its contact is being served on that connection by another ticket meanwhile.
 */
export interface MergeFacts {
  kept: Contact
  gone: Contact
  /** Somebody decided it; else WhatsApp told that they are one person. */
  byHand: boolean
  /** Whether anything arrived from each of the numbers. */
  hasWritten: { kept: boolean; gone: boolean }
  /** Of both, locked. */
  active: Ticket[]
  /** Ids of all tickets of the contact that goes, locked. */
  ticketIds: number[]
  /** What people have begun to write in the active ones. */
  drafts: Draft[]
  /** For a line of the contact's further facts. */
  newInfoId: string
  now: Date
}

/** Where both contacts have an active ticket on a connection: the open one goes on, of two alike the older one. */
export function joinsOf(active: readonly Ticket[]): { into: Ticket; gone: Ticket }[] {
  const order = active.toSorted((a, b) => Number(a.status !== 'open') - Number(b.status !== 'open') || a.id - b.id)
  return [...Map.groupBy(order, (ticket) => ticket.whatsappId).values()].flatMap(([into, gone]) =>
    into && gone ? [{ into, gone }] : [],
  )
}

/** Everything of `gone` becomes `kept`'s. */
export function mergeContacts(facts: MergeFacts): { decision: ServerDecision; kept: Contact } {
  const { kept, gone, now } = facts
  const joins = joinsOf(facts.active)
  const goneTickets = new Set(joins.map((join) => join.gone.id))
  const moved = facts.ticketIds.filter((id) => !goneTickets.has(id))
  const patch: Partial<Contact> = { ...takenOver(facts), updatedAt: now }
  const values = { contactId: kept.id }
  // By their tickets: messages are not found by contact.
  const saidIn = { column: 'ticketId' as const, in: moved }
  return {
    kept: { ...kept, ...patch, fields: mergedFields(kept.fields, patch.fields ?? {}) },
    decision: {
      rows: [
        ...joins.flatMap((join) => joinTickets(join, kept.id, facts.drafts)),
        { table: 'tickets', op: 'update', ids: moved, values },
        { table: 'messages', op: 'update', where: saidIn, values },
        { table: 'ticketNotes', op: 'update', where: saidIn, values },
        { table: 'schedules', op: 'update', where: { column: 'contactId', in: [gone.id] }, values },
        { table: 'flowRuns', op: 'update', where: { column: 'contactId', in: [gone.id] }, values },
        { table: 'contacts', op: 'delete', ids: [gone.id] },
        { table: 'contacts', op: 'update', ids: [kept.id], values: patch },
      ],
      effects: [],
    },
  }
}

/** What is filled in in the other only; what is in both stays as it is where it goes on. */
const broughtFields = (kept: FieldPatch, gone: FieldPatch): { fields?: FieldPatch } => {
  const brought = Object.entries(gone).filter(([id]) => kept[id] == null)
  return brought.length > 0 ? { fields: Object.fromEntries(brought) } : {}
}

/** What takes that back, but for what somebody has changed since. */
const withoutBrought = (now: FieldPatch, before: unknown, gone: unknown): { fields?: FieldPatch } => {
  const { fields = {} } = broughtFields((before ?? {}) as FieldPatch, (gone ?? {}) as FieldPatch)
  const back = Object.keys(fields).filter((id) => now[id] === fields[id])
  return back.length > 0 ? { fields: Object.fromEntries(back.map((id) => [id, null])) } : {}
}

/** What stands in one ticket comes to stand in the other. */
function joinTickets(
  { into, gone }: { into: Ticket; gone: Ticket },
  contactId: number,
  drafts: readonly Draft[],
): ServerDecision['rows'] {
  const from = { column: 'ticketId' as const, in: [gone.id] }
  const values = { ticketId: into.id, contactId }
  const writesInBoth = (draft: Draft) =>
    drafts.some(({ userId, ticketId }) => userId === draft.userId && ticketId === into.id)
  return [
    { table: 'messages', op: 'update', where: from, values },
    { table: 'ticketNotes', op: 'update', where: from, values },
    { table: 'ticketEvents', op: 'update', where: from, values: { ticketId: into.id } },
    // What somebody has begun to write goes along, unless they write in both.
    ...drafts
      .filter((draft) => draft.ticketId === gone.id && !writesInBoth(draft))
      .map((draft) => ({
        table: 'drafts' as const,
        op: 'insert' as const,
        values: { ...draft, id: `${draft.userId}:${into.id}`, ticketId: into.id },
      })),
    { table: 'tickets', op: 'delete', ids: [gone.id] },
    {
      table: 'tickets',
      op: 'update',
      ids: [into.id],
      values: {
        unreadMessages: into.unreadMessages + gone.unreadMessages,
        tagIds: [...new Set([...into.tagIds, ...gone.tagIds])],
        ...broughtFields(into.fields, gone.fields),
        ...lastLineOf(gone.lastMessageAt >= into.lastMessageAt ? gone : into),
        updatedAt: gone.updatedAt > into.updatedAt ? gone.updatedAt : into.updatedAt,
      },
    },
  ]
}

const lastLineOf = ({ lastMessage, lastMessageDeleted, lastMessageAt, lastMessageFromMe }: Ticket) => ({
  lastMessage,
  lastMessageDeleted,
  lastMessageAt,
  lastMessageFromMe,
})

/** What the kept contact takes over. Where people decided, nothing that they could read is lost. */
function takenOver({ kept, gone, byHand, hasWritten, newInfoId }: MergeFacts): Partial<Contact> {
  const patch: Partial<Contact> = {
    ...numberOf(kept.number === null ? gone : kept),
    lid: kept.lid ?? gone.lid,
    username: kept.username ?? gone.username,
    email: kept.email || gone.email,
    profilePicUrl: kept.profilePicUrl ?? gone.profilePicUrl,
    activeOn: kept.activeOn > gone.activeOn ? kept.activeOn : gone.activeOn,
    ...broughtFields(kept.fields, gone.fields),
  }
  // A name that people gave survives one that the phone gave.
  if (
    kept.nameSource !== 'edited' &&
    gone.nameSource !== 'number' &&
    !(byHand && kept.nameSource === 'push' && gone.nameSource === 'push')
  )
    Object.assign(patch, { name: gone.name, nameSource: gone.nameSource })
  const named = new Set(kept.extraInfo.map(({ name }) => name.toLowerCase()))
  const extraInfo: ExtraInfo[] = [
    ...kept.extraInfo,
    ...gone.extraInfo.filter(({ name }) => !named.has(name.toLowerCase())),
  ]
  if (byHand && hasTwoNumbers(kept, gone)) {
    // The number that answers is the one that wrote; the other stays readable.
    const takeOther = isOthersNumber({ kept, gone, byHand, hasWritten })
    const other = takeOther ? kept : gone
    if (takeOther) Object.assign(patch, { ...numberOf(gone), lid: gone.lid ?? kept.lid })
    extraInfo.push({ id: newInfoId, name: 'WhatsApp', value: other.number! })
  }
  return { ...patch, extraInfo: extraInfo.slice(0, 50) }
}

const numberOf = ({ number, numberAt }: Contact) => ({ number, numberAt })

/** Whether the contact goes on under the other one's number: that of two which answers. */
const isOthersNumber = ({
  kept,
  gone,
  byHand,
  hasWritten,
}: Pick<MergeFacts, 'kept' | 'gone' | 'byHand' | 'hasWritten'>) =>
  byHand && hasTwoNumbers(kept, gone) && !hasWritten.kept && hasWritten.gone

/**
 * Which aliases the kept contact has: those of both. Where people make two accounts one, it goes on as the one whose number
 * answers, and what would name another is left.
 */
export function mergedAliases(
  facts: Pick<MergeFacts, 'kept' | 'gone' | 'byHand' | 'hasWritten'>,
  aliases: { kept: readonly ContactAlias[]; gone: readonly ContactAlias[] },
): { moved: number[]; left: number[] } {
  const isOther = isOthersNumber(facts)
  const [stay, yield_] = isOther ? [aliases.gone, aliases.kept] : [aliases.kept, aliases.gone]
  const isTaken = ({ kind, scope, value, until }: ContactAlias) =>
    stay.some((own) =>
      kind === 'number'
        ? own.kind === kind && own.value === value
        : kind === 'bsuid' && own.kind === kind && own.scope === scope && own.until === null && until === null,
    )
  const left = yield_.filter(isTaken)
  return {
    moved: aliases.gone.filter((alias) => !left.includes(alias)).map(({ id }) => id),
    left: left.map(({ id }) => id),
  }
}

/** Whether both have a number, and not the same: then they are two people. */
export const hasTwoNumbers = (a: Pick<Contact, 'number'>, b: Pick<Contact, 'number'>): boolean =>
  Boolean(a.number && b.number && a.number !== b.number)

export interface PartFacts {
  merge: Pick<ContactMerge, 'before'>
  /** As it is now, locked. */
  kept: Contact
  /** Of what had come with the other contact: what is the kept contact's still. */
  ticketIds: number[]
  scheduleIds: string[]
  joined: PartedTicket[]
  now: Date
}

export interface PartedTicket {
  record: JoinedTicket
  /** Its contact is being served on that connection by another ticket. */
  isBusy: boolean
  /** What it names and was not deleted since. */
  still: Pick<Ticket, 'queueId' | 'userId' | 'whatsappId'>
  /** What is filled in in the ticket that went on. */
  fields: FieldPatch
  /** When the last line of the ticket that went on was said; undefined where that is gone. */
  lastMessageAt: Date | undefined
  /** Messages that nobody has read: of those that go back, and of those that stay. */
  unread: { back: number; staying: number }
}

/** Makes two contacts of the one again. */
export function partContacts({ merge, kept, ticketIds, scheduleIds, joined, now }: PartFacts): ServerDecision {
  const { gone } = merge.before
  const contactId = Number(gone['id'])
  const values = { contactId }
  return {
    rows: [
      { table: 'contacts', op: 'update', ids: [kept.id], values: keptAgain(kept, merge.before, now) },
      // As Postgres wrote it in JSON, and reads it again.
      { table: 'contacts', op: 'insert', values: gone as Partial<Contact> & { id: number } },
      { table: 'tickets', op: 'update', ids: ticketIds, values },
      { table: 'messages', op: 'update', where: { column: 'ticketId', in: ticketIds }, values },
      { table: 'ticketNotes', op: 'update', where: { column: 'ticketId', in: ticketIds }, values },
      { table: 'schedules', op: 'update', ids: scheduleIds, values },
      { table: 'flowRuns', op: 'update', where: { column: 'ticketId', in: ticketIds }, values },
      ...joined.flatMap(partTickets),
    ],
    effects: [],
  }
}

/** The ticket that had gone is there again, with what it had. */
function partTickets({ record, isBusy, still, fields, lastMessageAt, unread }: PartedTicket): ServerDecision['rows'] {
  const { intoId, into, ticket, messageIds, noteIds, eventIds } = record
  const id = Number(ticket['id'])
  const back = { ticketId: id, contactId: Number(ticket['contactId']) }
  const columns = getTableColumns(tickets)
  const stored = Object.fromEntries(Object.entries(ticket).filter(([name]) => name in columns)) as Partial<Ticket>
  const isLast = lastMessageAt?.getTime() === new Date(String(ticket['lastMessageAt'])).getTime()
  return [
    {
      table: 'tickets',
      op: 'insert',
      values: {
        ...{ ...stored, ...still, id, unreadMessages: unread.back },
        ...(isBusy ? { status: 'closed' as const } : {}),
      },
    },
    { table: 'messages', op: 'update', where: { column: 'id', in: messageIds }, values: back },
    { table: 'ticketNotes', op: 'update', where: { column: 'id', in: noteIds }, values: back },
    { table: 'ticketEvents', op: 'update', where: { column: 'id', in: eventIds }, values: { ticketId: id } },
    {
      table: 'tickets',
      op: 'update',
      ids: [intoId],
      // The last line that the other one brought goes with it, unless something was said since.
      values: {
        unreadMessages: unread.staying,
        ...(isLast ? lastLineOf(into as unknown as Ticket) : {}),
        ...withoutBrought(fields, into['fields'], ticket['fields']),
      },
    },
  ]
}

/** The kept contact without what it took over, except where somebody changed it since. */
function keptAgain(kept: Contact, { kept: before, after, gone }: ContactMerge['before'], now: Date): Partial<Contact> {
  const patch: Record<string, unknown> = {
    updatedAt: now,
    ...withoutBrought(kept.fields, before['fields'], gone['fields']),
  }
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  for (const field of ['name', 'nameSource', 'username', 'email', 'profilePicUrl', 'extraInfo'] as const)
    if (isSame(kept[field], after[field])) patch[field] = before[field]
  for (const field of ['number', 'lid'] as const) {
    // Whatever happened since: what was the other's is the other's.
    if (kept[field] === after[field] || kept[field] === gone[field])
      patch[field] = before[field] === gone[field] ? null : before[field]
    if (field === 'number' && 'number' in patch)
      patch['numberAt'] = patch['number'] && before['numberAt'] ? new Date(String(before['numberAt'])) : null
  }
  return patch
}
