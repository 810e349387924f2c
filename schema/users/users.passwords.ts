import { Type } from '@sinclair/typebox'

/** A password that is set with a code: at least one upper-case letter, one lower-case letter and one digit. */
export const resetPassword = Type.String({
  minLength: 8,
  maxLength: 50,
  pattern: '^(?=[\\s\\S]*[A-ZÀ-ÖØ-Þ])(?=[\\s\\S]*[a-zß-öø-ÿ])(?=[\\s\\S]*[0-9])',
})
