import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import {
  type Alias,
  type Known,
  type Named,
  type Recognised,
  recognise,
  rename,
  type Renaming,
} from '../../schema/contacts/contacts.aliases.ts'
import { numberVariants } from '../../schema/contacts/contacts.phone.ts'
import { contacts, type Contact } from '../../schema/contacts/contacts.table.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { nameOf } from '../../schema/texts.ts'
import type { Change } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import { mergeContacts } from './contacts.merge.ts'

/** A contact, and what finding it changed; `merged` is what making one of two changed besides. */
export type KnownContact = Contact & { created: boolean; changed: boolean; merged: Change[] }

/** A contact with all that it is known by. */
type Found = Contact & { aliases: Alias[] }

/** Where a contact is reached on WhatsApp, as far as their row tells. */
export function addressOf(contact: Pick<Contact, 'number' | 'lid' | 'isGroup'>): ChatAddress {
  return contact.isGroup
    ? { kind: 'group', groupId: contact.number ?? '' }
    : { kind: 'person', number: contact.number, lid: contact.lid }
}

const namedIn = (chat: ChatAddress): Named =>
  chat.kind === 'group'
    ? { number: chat.groupId, lid: null }
    : { number: chat.number || null, lid: chat.lid || null, bsuid: chat.bsuid }

/** How a number may be written: somebody typed it before WhatsApp told how it writes it. */
const spellingsOf = (chat: ChatAddress): string[] =>
  chat.kind === 'group' ? [chat.groupId] : chat.number ? numberVariants(chat.number) : []

const asChat = ({ number, lid, bsuid }: Named): ChatAddress => ({ kind: 'person', number, lid, bsuid })

/** What is true of a company's contacts that are, or were, at one of these addresses; undefined where nobody can be. */
export function atAddresses(companyId: number, chats: readonly ChatAddress[]): SQL | undefined {
  // Arrays, so that it is one statement for the database however many they are.
  const among = (column: typeof contacts.number | typeof contacts.lid, values: string[]) =>
    values.length === 0 ? undefined : sql`${column} = ANY(${sql.param(values)}::text[])`
  const people = chats.filter((chat) => chat.kind === 'person')
  const ids = people.flatMap(({ bsuid }) => (bsuid ? [bsuid.id, ...(bsuid.parent ? [bsuid.parent] : [])] : []))
  const names = [...people.flatMap(spellingsOf), ...ids]
  const at = or(
    among(contacts.number, chats.flatMap(spellingsOf)),
    among(
      contacts.lid,
      people.flatMap(({ lid }) => lid || []),
    ),
    // Read first: each contact that it finds is then one look into an index.
    names.length > 0
      ? sql`${contacts.id} = ANY(ARRAY(SELECT a."contactId" FROM ${contactAliases} a
          WHERE a."companyId" = ${companyId} AND a."value" = ANY(${sql.param(names)}::text[])))`
      : undefined,
  )
  return at && and(eq(contacts.companyId, companyId), at)
}

/** Every contact that is, or was, at one of these addresses. */
async function contactsAt(tx: Tx, companyId: number, chats: readonly ChatAddress[]): Promise<Found[]> {
  const at = atAddresses(companyId, chats)
  if (!at) return []
  const rows = await tx.select({ contact: contacts, aliases: aliasesSql }).from(contacts).where(at).orderBy(contacts.id)
  return rows.map(({ contact, aliases }) => ({ ...contact, aliases: aliases.map(aliasOf) }))
}

type Told = Omit<Alias, 'since' | 'until'> & { since: number; until: number | null }
const aliasOf = ({ since, until, ...alias }: Told): Alias => ({
  ...{ ...alias, since: new Date(since) },
  until: until === null ? null : new Date(until),
})

/** Aliases of a contact in a row that has it. */
const aliasesSql = sql<
  Told[]
>`(SELECT coalesce(json_agg(json_build_object('kind', a."kind", 'scope', a."scope", 'value', a."value",
  'since', (extract(epoch FROM a."since") * 1000)::float8, 'until', (extract(epoch FROM a."until") * 1000)::float8)), '[]')
  FROM ${contactAliases} a WHERE a."contactId" = "contacts"."id")`

/** What is said of somebody who is found by their address. */
export interface Seen {
  /** What the other side calls itself; never replaces a name that the company edited. */
  name: string | null
  username?: string | null | undefined
  /** `YYYY-MM-DD`, the day of this sign of life. */
  day: string
  /** When it was said: what is older than what is known says nothing new. */
  at: Date
}

/** `contactOf` for many chats, one after the other, of which most are known and unchanged: they are read at once. */
export async function contactsOf(
  tx: Tx,
  companyId: number,
  chats: readonly ChatAddress[],
): Promise<(chat: ChatAddress, seen: Seen) => Promise<KnownContact>> {
  let known: Found[] | undefined = await contactsAt(tx, companyId, chats)
  return async (chat, seen) => {
    const { contact, isAnew, found } = await contactIn(tx, companyId, chat, seen, known)
    // What this chat changed, the next may be about.
    if (isAnew) known = undefined
    else if (contact.created) known?.push(found)
    else known = known?.map((c) => (c.id === contact.id ? found : c))
    return contact
  }
}

/**
 * The contact behind a chat, made or brought up to date: one row for a person, by whichever of their names a message came.
 * Rows that turn out to be one person are merged. See `schema/contacts/contacts.aliases.ts`.
 */
export const contactOf = async (tx: Tx, companyId: number, chat: ChatAddress, seen: Seen): Promise<KnownContact> =>
  (await contactIn(tx, companyId, chat, seen)).contact

/** @returns `isAnew`: more than this contact changed */
async function contactIn(tx: Tx, companyId: number, chat: ChatAddress, seen: Seen, given?: readonly Found[]) {
  const named = namedIn(chat)
  const rows = given ?? (await contactsAt(tx, companyId, [chat]))
  const isGroup = chat.kind === 'group'
  const spellings = spellingsOf(chat)
  const known = rows.filter((row) => row.isGroup === isGroup || (row.number !== null && spellings.includes(row.number)))
  const verdict = recognise(named, known, seen.at)
  return settled(tx, companyId, known, verdict, seen, isGroup)
}

/** WhatsApp said that some names are one person's: what we hold of them becomes one contact. */
export async function mergeIdentity(tx: Tx, companyId: number, named: Named, at: Date): Promise<Change[]> {
  const known = await contactsAt(tx, companyId, [asChat(named)])
  const verdict = recognise(named, known, at)
  return verdict.contactId === null ? [] : changesOf(companyId, await settled(tx, companyId, known, verdict, {}, false))
}

/** Somebody goes by other names from then on; whoever is not known yet is made, so that either name finds them. */
export async function renameContact(tx: Tx, companyId: number, renaming: Renaming, at: Date): Promise<Change[]> {
  const known = await contactsAt(tx, companyId, [asChat(renaming.before), asChat(renaming.after)])
  return changesOf(companyId, await settled(tx, companyId, known, rename(renaming, known, at), {}, false))
}

type Settled = Awaited<ReturnType<typeof settled>>

const changesOf = (companyId: number, { contact }: Settled): Change[] => [
  ...contact.merged,
  ...(contact.created || contact.changed
    ? [
        {
          companyId,
          table: 'contacts' as const,
          action: contact.created ? ('create' as const) : ('update' as const),
          id: contact.id,
        },
      ]
    : []),
]

/** What somebody is called of whom no name is known: never by an id. */
const nameless = (number: string | null, username: string | null) => number ?? (username ? `@${username}` : '')

/** Writes who somebody is. */
async function settled(
  tx: Tx,
  companyId: number,
  known: readonly Found[],
  { contactId, merges, person, others }: Recognised,
  { name, username, day }: Partial<Pick<Seen, 'name' | 'username' | 'day'>>,
  isGroup: boolean,
): Promise<{ contact: KnownContact; found: Found; isAnew: boolean }> {
  const merged: Change[] = []
  for (const other of others) {
    const before = known.find(({ id }) => id === other.id)!
    const { number, numberAt } = other
    const named = before.nameSource === 'number' ? { name: nameless(null, before.username) } : {}
    await tx
      .update(contacts)
      .set({ number, numberAt, ...named, updatedAt: new Date() })
      .where(eq(contacts.id, other.id))
    await writeAliases(tx, companyId, other.id, before.aliases, other.aliases)
    merged.push({ companyId, table: 'contacts', action: 'update', id: other.id })
  }
  const cleanName = nameOf(name) || null
  const { number, numberAt, lid } = person
  const label = nameOf(username) || null
  if (contactId === null) {
    const [made] = await tx
      .insert(contacts)
      .values({
        ...{ companyId, number, numberAt: isGroup ? null : numberAt, lid, username: label, isGroup },
        name: cleanName ?? nameless(number, label),
        nameSource: cleanName ? 'push' : 'number',
        ...(day !== undefined && { activeOn: day }),
      })
      .returning()
    await writeAliases(tx, companyId, made!.id, [], person.aliases)
    const contact = { ...made!, created: true, changed: false, merged }
    return { contact, found: { ...made!, aliases: [...person.aliases] }, isAnew: others.length > 0 }
  }
  const of = (id: number) => known.find((one) => one.id === id)!
  let contact: Contact = of(contactId)
  let aliases = of(contactId).aliases
  if (merges.length > 0) {
    aliases = [contactId, ...merges].flatMap((id) => of(id).aliases)
    await endAliases(tx, companyId, aliases, person.aliases)
    for (const id of merges) {
      const merge = await mergeContacts(tx, contact, of(id), null)
      contact = merge.kept
      merged.push(...merge.changes)
    }
  }
  await writeAliases(tx, companyId, contactId, aliases, person.aliases)
  const patch: Partial<Contact> = {}
  if (contact.number !== number) patch.number = number
  if (contact.lid !== lid) patch.lid = lid
  if (label && contact.username !== label) patch.username = label
  if (cleanName && contact.nameSource !== 'edited' && contact.name !== cleanName)
    Object.assign(patch, { name: cleanName, nameSource: 'push' })
  else if (contact.nameSource === 'number' && !isGroup && (patch.number !== undefined || patch.username))
    patch.name = nameless(number, label ?? contact.username)
  const visible = Object.keys(patch).length > 0
  if (!isGroup && contact.numberAt?.getTime() !== numberAt?.getTime()) patch.numberAt = numberAt
  if (day !== undefined && contact.activeOn < day) patch.activeOn = day
  const changed = visible || merges.length > 0
  const isAnew = merged.length > 0
  if (Object.keys(patch).length > 0) {
    const [updated] = await tx
      .update(contacts)
      .set({ ...patch, ...(visible ? { updatedAt: new Date() } : {}) })
      .where(eq(contacts.id, contact.id))
      .returning()
    contact = updated!
  }
  const { aliases: _aliases, ...row } = contact as Found
  return {
    contact: { ...row, created: false, changed, merged },
    found: { ...row, aliases: [...person.aliases] },
    isAnew,
  }
}

const isSame = (a: Alias, b: Alias) => a.kind === b.kind && a.scope === b.scope && a.value === b.value
const isAt = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime()

/** Before several become one: of two ids in a portfolio only one is today's. */
async function endAliases(tx: Tx, companyId: number, before: readonly Alias[], after: readonly Alias[]): Promise<void> {
  for (const alias of before) {
    const now = after.find((own) => isSame(own, alias))
    if (alias.kind !== 'number' && alias.until === null && now?.until)
      await tx.update(contactAliases).set({ until: now.until }).where(isAlias(companyId, alias))
  }
}

const isAlias = (companyId: number, { kind, scope, value }: Alias) =>
  and(
    eq(contactAliases.companyId, companyId),
    eq(contactAliases.kind, kind),
    eq(contactAliases.scope, scope),
    eq(contactAliases.value, value),
  )

/** Those that change; those that end come first, since one of a portfolio is today's. */
async function writeAliases(
  tx: Tx,
  companyId: number,
  contactId: number,
  before: readonly Alias[],
  after: Known['aliases'],
): Promise<void> {
  const changed = after
    .filter((alias) => {
      const own = before.find((one) => isSame(one, alias))
      return !own || !isAt(own.until, alias.until) || !isAt(own.since, alias.since)
    })
    .toSorted((a, b) => Number(a.until === null) - Number(b.until === null))
  for (const alias of changed) {
    const { since, until } = alias
    const isThere = before.some((own) => isSame(own, alias))
    if (isThere)
      await tx
        .update(contactAliases)
        .set({ since, until })
        .where(and(isAlias(companyId, alias), eq(contactAliases.contactId, contactId)))
    // Another who has got it at this very moment is met as a conflict, and it is done again.
    else await tx.insert(contactAliases).values({ companyId, contactId, ...alias })
  }
}
