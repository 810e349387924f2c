import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { numberVariants } from '../../schema/contacts/contacts.phone.ts'
import { contacts, type Contact } from '../../schema/contacts/contacts.table.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { nameOf } from '../../schema/texts.ts'
import type { Change } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import { mergeContacts } from './contacts.merge.ts'

/** A contact, and what finding it changed; `merged` is what making one of two changed besides. */
export type KnownContact = Contact & { created: boolean; changed: boolean; merged: Change[] }

/** Where a contact is reached on WhatsApp. */
export function addressOf(contact: { number: string | null; lid: string | null; isGroup: boolean }): ChatAddress {
  return contact.isGroup
    ? { kind: 'group', groupId: contact.number ?? '' }
    : { kind: 'person', number: contact.number, lid: contact.lid }
}

const keysOf = (chat: ChatAddress) =>
  chat.kind === 'group' ? { number: chat.groupId, lid: null } : { number: chat.number, lid: chat.lid }

/** How a contact of this chat may be written: somebody typed the number before WhatsApp told how it writes it. */
const spellingsOf = (chat: ChatAddress): string[] =>
  chat.kind === 'group' ? [chat.groupId] : chat.number ? numberVariants(chat.number) : []

/** What is true of a company's contacts that are at one of these addresses; undefined where nobody can be. */
export function atAddresses(companyId: number, chats: readonly ChatAddress[]): SQL | undefined {
  const keys = chats.map(keysOf)
  // Arrays, so that it is one statement for the database however many they are.
  const among = (column: typeof contacts.number | typeof contacts.lid, values: (string | null)[]) => {
    const wanted = values.filter((value) => value)
    return wanted.length === 0 ? undefined : sql`${column} = ANY(${sql.param(wanted)}::text[])`
  }
  const at = or(
    among(contacts.number, chats.flatMap(spellingsOf)),
    among(
      contacts.lid,
      keys.map((k) => k.lid),
    ),
  )
  return at && and(eq(contacts.companyId, companyId), at)
}

/** Every contact that is at one of these addresses. */
async function contactsAt(tx: Tx, companyId: number, chats: readonly ChatAddress[]): Promise<Contact[]> {
  const at = atAddresses(companyId, chats)
  return at ? tx.select().from(contacts).where(at).orderBy(contacts.id) : []
}

/** `contactOf` for many chats, one after the other, of which most are known and unchanged: they are read at once. */
export async function contactsOf(
  tx: Tx,
  companyId: number,
  chats: readonly ChatAddress[],
): Promise<(chat: ChatAddress, name: string | null, day: string) => Promise<KnownContact>> {
  let known: Contact[] | undefined = await contactsAt(tx, companyId, chats)
  return async (chat, name, day) => {
    const contact = await contactOf(tx, companyId, chat, name, day, known)
    // What this chat changed, the next may be about.
    if (contact.merged.length > 0) known = undefined
    else if (contact.created) known?.push(contact)
    else if (contact.changed) known = known?.map((c) => (c.id === contact.id ? contact : c))
    return contact
  }
}

/**
 * The contact behind a chat, made or brought up to date: one row for a person, whichever of the two addresses
 * (number or LID) a message came by. Two rows that turn out to be one person are merged.
 *
 * @param name what the other side calls itself; never replaces a name that the company edited
 * @param day `YYYY-MM-DD`, the day of this sign of life
 * @param known contacts among which those of this chat are, if they were read already
 */
export async function contactOf(
  tx: Tx,
  companyId: number,
  chat: ChatAddress,
  name: string | null,
  day: string,
  known?: readonly Contact[],
): Promise<KnownContact> {
  const { number, lid } = keysOf(chat)
  const cleanName = nameOf(name) || null
  const spellings = spellingsOf(chat)
  const found = (known ?? (await contactsAt(tx, companyId, [chat]))).filter(
    (c) => (c.number !== null && spellings.includes(c.number)) || (lid && c.lid === lid),
  )
  if (found.length === 0) {
    const [made] = await tx
      .insert(contacts)
      .values({
        companyId,
        number,
        lid,
        name: cleanName ?? number ?? lid ?? '',
        nameSource: cleanName ? 'push' : 'number',
        isGroup: chat.kind === 'group',
        activeOn: day,
      })
      .returning()
    return { ...made!, created: true, changed: false, merged: [] }
  }
  let contact = found[0]!
  const merged: Change[] = []
  // By its two addresses, or by two spellings of its number.
  for (const other of found.slice(1)) {
    const merge = await mergeContacts(tx, contact, other, null)
    contact = merge.kept
    merged.push(...merge.changes)
  }
  const patch: Partial<Contact> = {}
  if (number && contact.number !== number) patch.number = number
  if (lid && contact.lid !== lid) patch.lid = lid
  if (cleanName && contact.nameSource !== 'edited' && contact.name !== cleanName)
    Object.assign(patch, { name: cleanName, nameSource: 'push' })
  const visible = Object.keys(patch).length > 0
  if (contact.activeOn < day) patch.activeOn = day
  if (Object.keys(patch).length === 0) return { ...contact, created: false, changed: found.length > 1, merged }
  const [updated] = await tx
    .update(contacts)
    .set({ ...patch, ...(visible ? { updatedAt: new Date() } : {}) })
    .where(eq(contacts.id, contact.id))
    .returning()
  return { ...updated!, created: false, changed: visible || found.length > 1, merged }
}

/** WhatsApp said that a number and a LID are one person: what we hold of them becomes one contact. */
export async function mergeIdentity(
  tx: Tx,
  companyId: number,
  { number, lid }: { number: string; lid: string },
): Promise<Change[]> {
  const found = await tx
    .select()
    .from(contacts)
    .where(
      and(
        eq(contacts.companyId, companyId),
        or(inArray(contacts.number, numberVariants(number)), eq(contacts.lid, lid)),
      ),
    )
    .orderBy(contacts.id)
  let kept = found[0]
  if (!kept || (found.length === 1 && kept.number === number && kept.lid === lid)) return []
  const changes: Change[] = []
  for (const other of found.slice(1)) {
    const merge = await mergeContacts(tx, kept, other, null)
    kept = merge.kept
    changes.push(...merge.changes)
  }
  await tx.update(contacts).set({ number, lid, updatedAt: new Date() }).where(eq(contacts.id, kept.id))
  return [...changes, { companyId, table: 'contacts', action: 'update', id: kept.id }]
}
