import { type TObject, Type } from '@sinclair/typebox'
import { MASK } from '../../schema/secrets.ts'
import {
  type ChangedCloud,
  CLOUD_VERSION,
  type CloudInput,
  cloudInput,
  type CloudShown,
  type CloudValue,
} from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'

/** How a number of the official API is reached, as its forms hold it. */
export type OfficialForm = Required<CloudInput>

/** Where an admin is while such a connection is being made. */
export type OfficialStep = 'general' | 'number' | 'keys'
export const officialSteps = ['general', 'number', 'keys'] as const satisfies OfficialStep[]

const { phoneNumberId, accountId, token, appSecret, verifyToken, version, coexistence } = cloudInput.properties
/** What each step is measured by. */
export const rulesOf: Record<'number' | 'keys', TObject> = {
  number: Type.Object({ phoneNumberId, accountId, version, coexistence }),
  keys: Type.Object({ token, appSecret, verifyToken }),
}

/** On which step a value stands; `general` for what is none of the service's. */
export const stepOf = (field: string): OfficialStep =>
  (['number', 'keys'] as const).find((step) => Object.hasOwn(rulesOf[step].properties, field)) ?? 'general'

/** With a word for the webhook that nobody has to think of. */
export const blankOfficial = (): OfficialForm => ({
  ...{ phoneNumberId: '', accountId: '', version: CLOUD_VERSION, coexistence: false, token: '', appSecret: '' },
  verifyToken: Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join(''),
})

/** Of the form's values those that the service is reached by. */
export const reachedBy = (values: OfficialForm): OfficialForm => ({
  ...{ phoneNumberId: values.phoneNumberId, accountId: values.accountId, version: values.version },
  ...{ coexistence: values.coexistence, token: values.token, appSecret: values.appSecret },
  verifyToken: values.verifyToken,
})

/** The form of a number that the server knows: its secrets stand there as kept, and cannot be read. */
export const formOf = (
  known: Pick<CloudShown, 'phoneNumberId' | 'accountId' | 'version' | 'coexistence'>,
): OfficialForm => ({
  ...{ phoneNumberId: known.phoneNumberId, accountId: known.accountId, version: known.version },
  ...{ coexistence: known.coexistence, token: MASK, appSecret: MASK, verifyToken: MASK },
})

/** What of it was changed; a secret that was left as it is kept is not among it. */
export function changedIn(values: OfficialForm, before: OfficialForm): ChangedCloud {
  const { phoneNumberId: _forGood, ...rest } = values
  return Object.fromEntries(
    Object.entries(rest).filter(([key, value]) => value !== MASK && value !== before[key as CloudValue]),
  )
}
