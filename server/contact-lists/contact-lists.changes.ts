import { eq } from 'drizzle-orm'
import { contactListItems } from '../../schema/contact-lists/contact-lists.table.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { violates } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'

/** Writes down what WhatsApp says of a number. Who turns out to stand on the list twice stands on it once. */
export async function noteNumber(
  db: Db,
  item: { id: number; number: string },
  found: { number: string; lid?: string | null } | null,
  now: Date,
): Promise<void> {
  const one = eq(contactListItems.id, item.id)
  const values = found
    ? { isWhatsappValid: true, number: found.number, key: numberKey(found.number), lid: found.lid ?? null }
    : { isWhatsappValid: false }
  try {
    await db
      .update(contactListItems)
      .set({ ...values, checkedAt: now, updatedAt: now })
      .where(one)
  } catch (error) {
    if (!violates(error, 'contact_list_items_number')) throw error
    await db.delete(contactListItems).where(one)
  }
}
