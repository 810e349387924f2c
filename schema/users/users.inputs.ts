import { type Static, Type } from '@sinclair/typebox'
import { givenPassword } from '../auth/auth.inputs.ts'
import { email, nullable, optionalRowId, password, personName, requiring, rowId } from '../inputs.ts'
import { allTicketWords } from '../wire.ts'
import { profiles } from './users.table.ts'

/** All that an admin writes of a user. */
export const userInput = Type.Object({
  name: personName,
  email,
  password,
  profile: Type.Union(profiles.map((profile) => Type.Literal(profile))),
  /** One of the company's roles; null: the profile says what they may do. */
  roleId: optionalRowId,
  /** Whether they see tickets without a queue. */
  allTicket: Type.Boolean(),
  whatsappId: optionalRowId,
  queueIds: Type.Array(rowId, { maxItems: 500 }),
  /** At so many open tickets their queues give them no more; null: as the company says. */
  capacity: nullable(Type.Integer({ minimum: 1, maximum: 500 })),
  /** Tags of tickets that they are good at. */
  skillIds: Type.Array(rowId, { maxItems: 50, uniqueItems: true }),
})

/** With another e-mail or password of one's own. */
const proof = { currentPassword: Type.Optional(givenPassword) }

/** The form of a user who exists; an empty password leaves the old one. */
export const knownUserInput = Type.Object({
  ...userInput.properties,
  password: Type.Union([Type.Literal(''), password]),
  ...proof,
})
/** What everybody writes of themselves. */
export const profileInput = Type.Pick(knownUserInput, ['name', 'email', 'password', 'currentPassword'])
/** The same with a new e-mail or password. */
export const provenProfileInput = Type.Object({
  ...profileInput.properties,
  currentPassword: Type.String({ ...givenPassword, minLength: 1 }),
})

/** As the wire spells it. */
const allTicket = Type.Optional(Type.Union(allTicketWords.map((word) => Type.Literal(word))))
export const newUser = Type.Object({
  ...requiring(userInput, ['name', 'email']).properties,
  allTicket,
  /** Without one they are invited, and choose their own. */
  password: Type.Optional(Type.Union([password, Type.Literal('')])),
})
export const changedUser = Type.Object({
  ...requiring(userInput, []).properties,
  allTicket,
  password: Type.Optional(Type.Union([password, Type.Literal(''), Type.Null()])),
  ...proof,
})

export type UserInput = Omit<Static<typeof userInput>, 'password'> & {
  /** Left out when it stays as it is. */
  password?: string
  currentPassword?: string | undefined
}

/** What people say of being there. */
export const away = Type.Object(
  {
    /** Whose; missing: one's own. */
    userId: Type.Optional(rowId),
    away: Type.Boolean(),
    /** When they are back, in milliseconds since 1970; null: when somebody says so. */
    until: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 253_402_300_799_000 }))),
  },
  { additionalProperties: false },
)
