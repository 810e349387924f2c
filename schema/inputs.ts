import { type TSchema, Type } from '@sinclair/typebox'

/** The shapes of input that many routes and commands share, so that a rule is written once. */

export const rowId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
export const optionalRowId = Type.Union([rowId, Type.Null()])
/** A client-made id: UUID, any version. */
export const clientId = Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' })
/** Ids of messages: ours, or what a connection gave in older rows. */
export const messageId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9-]+$' })
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** WhatsApp refuses longer texts. */
export const messageBody = Type.String({ minLength: 1, maxLength: 65_536, pattern: '\\S' })
export const personName = Type.String({ minLength: 2, maxLength: 50 })
export const password = Type.String({ minLength: 5, maxLength: 50 })
export const email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' })
export const hexColor = Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })
