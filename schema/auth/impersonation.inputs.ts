import { Type } from '@sinclair/typebox'
import { rowId } from '../inputs.ts'

/** Whom the operator acts for, and why: the company reads it. */
export const impersonationInput = Type.Object({
  userId: rowId,
  reason: Type.String({ minLength: 10, maxLength: 300, pattern: '\\S' }),
  /** Left out, the operator looks and changes nothing. */
  write: Type.Optional(Type.Boolean()),
})
