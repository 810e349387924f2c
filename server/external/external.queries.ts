import { and, eq } from 'drizzle-orm'
import { type Contact, contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { type Ticket, tickets } from '../../schema/tickets/tickets.table.ts'
import { type Whatsapp, whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'

/** What a program names by its id, of its own company. */

/** @throws DomainError `ERR_NO_TICKET_FOUND` */
export async function ticketOf(db: Db, companyId: number, id: number): Promise<Ticket> {
  const [ticket] = await db
    .select()
    .from(tickets)
    .where(and(eq(tickets.companyId, companyId), eq(tickets.id, id)))
  if (!ticket) throw new DomainError('ERR_NO_TICKET_FOUND')
  return ticket
}

/** @throws DomainError `ERR_NO_CONTACT_FOUND` */
export async function contactOf(db: Db, companyId: number, id: number): Promise<Contact> {
  const [contact] = await db
    .select()
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), eq(contacts.id, id)))
  if (!contact) throw new DomainError('ERR_NO_CONTACT_FOUND')
  return contact
}

/** @throws DomainError `ERR_NO_WAPP_FOUND` */
export async function connectionOf(db: Db, companyId: number, id: number): Promise<Whatsapp> {
  const [row] = await db
    .select()
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, id)))
  if (!row) throw new DomainError('ERR_NO_WAPP_FOUND')
  return row
}

/**
 * The wished connection, or the company's default.
 * @throws DomainError `ERR_NO_WAPP_FOUND`, `ERR_NO_DEF_WAPP_FOUND`
 */
export async function connectionFor(db: Db, companyId: number, wished: number | undefined): Promise<number> {
  if (wished !== undefined) return (await connectionOf(db, companyId, wished)).id
  const [row] = await db
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.isDefault, true)))
  if (!row) throw new DomainError('ERR_NO_DEF_WAPP_FOUND')
  return row.id
}
