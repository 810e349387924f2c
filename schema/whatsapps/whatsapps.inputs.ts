import { type Static, Type } from '@sinclair/typebox'
import { weekHours } from '../hours/hours.inputs.ts'
import { longText, optionalRowId, patterned, personName, requiring, rowId } from '../inputs.ts'
import { whatsappWire } from '../wire.ts'
import { cloudInput } from './whatsapps.cloud.inputs.ts'
import { providers } from './whatsapps.providers.ts'

/** 0 switches it off. */
const minutes = Type.Integer({ minimum: 0, maximum: 525_600 })

/** All that people write of a connection. */
export const whatsappInput = Type.Object({
  name: personName,
  isDefault: Type.Boolean(),
  queueIds: Type.Array(rowId, { maxItems: 200 }),
  greetingMessage: longText,
  completionMessage: longText,
  outOfHoursMessage: longText,
  ratingMessage: longText,
  expiresInactiveMessage: longText,
  expiresTicket: minutes,
  timeUseBotQueues: minutes,
  maxUseBotQueues: Type.Integer({ minimum: 0, maximum: 1_000 }),
  timeToTransfer: minutes,
  transferQueueId: optionalRowId,
  /** Who answers while nobody else does: an assistant, or a bot elsewhere. */
  promptId: optionalRowId,
  integrationId: optionalRowId,
  /** Its own hours, in place of the company's; none where it has none. */
  schedules: weekHours,
})
export type WhatsappInput = Static<typeof whatsappInput>

/** What other clients of this family send, and no screen of ours shows. */
const others = {
  /** Only the one that it has, or nothing: older clients send back what they read. */
  token: Type.Optional(Type.String({ maxLength: 128 })),
}

/** As the wire spells it. */
export const newWhatsapp = Type.Object({
  ...whatsappWire.write(requiring(whatsappInput, ['name']).properties),
  ...others,
  /** By which wire it speaks, for good. */
  provider: Type.Optional(Type.Union(providers.map((provider) => Type.Literal(provider)))),
  /** How its number is reached; only of the official API, and then always. */
  official: Type.Optional(cloudInput),
})
export const changedWhatsapp = Type.Object({
  ...whatsappWire.write(requiring(whatsappInput, []).properties),
  ...others,
  /** The one that it has, or nothing. */
  provider: Type.Optional(Type.String({ maxLength: 30 })),
})

/** The number of the phone that is to be linked, with its country code: 8 to 15 digits, marks between them allowed. */
export const pairingInput = Type.Object({
  number: patterned({ maxLength: 30, pattern: '^[^0-9]*([0-9][^0-9]*){8,15}$' }),
})
