import { Type } from '@sinclair/typebox'

/** Of a command: who gave it is offered to take it back. What it would tell the contact is held meanwhile. */
export const undoable = Type.Optional(Type.Boolean())
