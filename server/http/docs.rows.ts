import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { getTableColumns } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { apiKeys } from '../../schema/api-keys/api-keys.table.ts'
import { nullable } from '../../schema/inputs.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { shownColumns as shownContact } from '../contacts/contacts.queries.ts'
import { besideMessage } from '../messages/messages.queries.ts'
import { besideTicket, shownTag } from '../tickets/tickets.queries.ts'

// What the calls of the screens answer, read off the columns that they select: a new one stands here by itself.

const text = Type.String()
const count = Type.Integer()
const picture = nullable(Type.String({ description: 'Its address' }))

/** What a column holds when it has become JSON; anything where the database does not say. */
function valueOf(column: AnyPgColumn): TSchema {
  switch (column.dataType) {
    case 'number':
      return /Int|Serial/.test(column.columnType) ? Type.Integer() : Type.Number()
    case 'boolean':
      return Type.Boolean()
    case 'date':
      return Type.String({ format: 'date-time' })
    case 'string':
      return Type.String(column.enumValues?.length ? { enum: column.enumValues } : {})
    case 'array':
      return Type.Array(valueOf((column as unknown as { baseColumn: AnyPgColumn }).baseColumn))
    default:
      return Type.Unknown()
  }
}

const fieldsOf = (columns: Record<string, AnyPgColumn>): TProperties =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      column.notNull || column.dataType === 'json' ? valueOf(column) : nullable(valueOf(column)),
    ]),
  )
const rowOf = (columns: Record<string, AnyPgColumn>, more: TProperties = {}) =>
  Type.Object({ ...fieldsOf(columns), ...more })

const ticket = rowOf(getTableColumns(tickets), {
  contact: rowOf(besideTicket.contact, { profilePicUrl: picture, urlPicture: picture }),
  queue: nullable(rowOf(besideTicket.queue)),
  user: nullable(rowOf(besideTicket.user)),
  whatsapp: nullable(rowOf(besideTicket.whatsapp)),
  tags: Type.Array(rowOf(shownTag)),
})
const {
  companyId: _company,
  queueScope: _queue,
  userScope: _user,
  mediaPath: _path,
  ...ofMessage
} = getTableColumns(messages)
const quoted = rowOf(ofMessage, { mediaUrl: picture, medias: Type.Array(text), contact: rowOf(besideMessage.contact) })
const { hash: _hash, companyId: _owner, createdBy: _by, ...ofKey } = getTableColumns(apiKeys)

/** By name, as `#/components/schemas/…` has them. */
export const rows = {
  TicketRow: ticket,
  ContactRow: rowOf(shownContact, {
    ...{ profilePicUrl: picture, urlPicture: picture },
    whatsapp: nullable(Type.Object({ id: count, name: text }, { description: 'Over which they were last spoken to' })),
  }),
  MessageRow: Type.Composite([quoted, Type.Object({ quotedMsg: nullable(quoted) })]),
  ApiKey: rowOf(ofKey),
}
