import { Type } from '@sinclair/typebox'
import { email, patterned } from '../inputs.ts'

/** A password that is asked for, not set: whatever rule it was made by. */
export const givenPassword = Type.String({ maxLength: 256 })

/** Nothing is said of the form of either: they are known or not. */
export const loginInput = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ ...givenPassword, minLength: 1 }),
})

/** A code of an authenticator app, or one for when the phone is gone. */
const code = Type.String({ minLength: 6, maxLength: 20 })
export const codeInput = Type.Object({ code })
export const provenInput = Type.Object({ currentPassword: Type.Optional(givenPassword) })
export const provenCodeInput = Type.Object({ ...provenInput.properties, code })
/** The second half of a login. */
export const secondInput = Type.Object({ challenge: Type.String({ minLength: 1, maxLength: 1_000 }), code })

/** A password that is set with a code: at least one upper-case letter, one lower-case letter and one digit. */
export const resetPassword = patterned({
  minLength: 8,
  maxLength: 128,
  pattern: '^(?=[\\s\\S]*[A-ZÀ-ÖØ-Þ])(?=[\\s\\S]*[a-zß-öø-ÿ])(?=[\\s\\S]*[0-9])',
})
/** An e-mail address, the code that was sent to it, and the password that is to count from now on. */
export const resetInput = Type.Object({
  email,
  token: Type.String({ minLength: 1, maxLength: 64 }),
  newPassword: resetPassword,
})

/** What a pass is for; only one for a file names its path. */
export const passInput = Type.Object({
  for: Type.Union([Type.Literal('events'), Type.Literal('sync'), Type.Literal('media')]),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
})
