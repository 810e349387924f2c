import { type Static, Type } from '@sinclair/typebox'
import { settingInput } from '../settings/settings.inputs.ts'
import type { SettingKey } from '../settings/settings.keys.ts'
import { longText, optionalRowId, patterned, personName, requiring } from '../inputs.ts'

const kinds = ['dialogflow', 'n8n', 'webhook', 'typebot', 'flowbuilder', 'billing'] as const
export const billingSystems = ['asaas', 'ixc', 'mkauth'] as const
export type BillingSystemName = (typeof billingSystems)[number]

const keyword = Type.String({ maxLength: 100 })

/** All that people write of an integration; which of it counts depends on its type. */
export const integrationInput = Type.Object({
  type: Type.Union(kinds.map((kind) => Type.Literal(kind))),
  name: personName,
  /** Dialogflow's project; of other types it is the name. */
  projectName: Type.String({ maxLength: 100 }),
  /** The service account of Dialogflow as JSON, or the mask of the one that is kept. */
  jsonContent: Type.String({ maxLength: 10_000 }),
  language: patterned({ maxLength: 20, pattern: '^[A-Za-z-]*$' }),
  /** The address of n8n, of a webhook or of Typebot's viewer. */
  urlN8N: patterned({ maxLength: 2_000, pattern: '^(https?://\\S+)?$' }),
  /** Signs the events: `whsec_` and 24 to 64 bytes in base64, or the mask of the one that is kept; empty: not signed. */
  secret: patterned({ maxLength: 100, pattern: '^(whsec_[A-Za-z0-9+/]{32,88}={0,2}|•{8})?$' }),
  /** The flow that type `flowbuilder` begins. */
  flowId: optionalRowId,
  typebotSlug: patterned({ maxLength: 100, pattern: '^[\\w.-]*$' }),
  /** Milliseconds between two bubbles. */
  typebotDelayMessage: Type.Integer({ minimum: 0, maximum: 30_000 }),
  /** Minutes of silence after which a conversation begins anew; 0 never. */
  typebotExpires: Type.Integer({ minimum: 0, maximum: 10_080 }),
  typebotKeywordFinish: keyword,
  typebotKeywordRestart: keyword,
  typebotRestartMessage: longText,
  typebotUnknownMessage: longText,
  /** Of type `billing`: which system the company bills with. Its keys are settings. */
  billingSystem: Type.Union(billingSystems.map((system) => Type.Literal(system))),
})
export type IntegrationInput = Static<typeof integrationInput>

/** The keys of billing systems, which are settings, as the form of an integration holds them. */
export const billingKeys = {
  asaas: ['asaas'],
  ixc: ['ipixc', 'tokenixc'],
  mkauth: ['ipmkauth', 'clientidmkauth', 'clientsecretmkauth'],
} as const satisfies Record<BillingSystemName, readonly SettingKey[]>
export type BillingKey = (typeof billingKeys)[BillingSystemName][number]

/** What the form of an integration holds. */
export const integrationForm = Type.Object({
  ...integrationInput.properties,
  keys: Type.Record(Type.String(), settingInput.properties.value),
})
export type IntegrationForm = IntegrationInput & { keys: Record<BillingKey, string> }

export const newIntegration = requiring(integrationInput, ['type', 'name'])
export const changedIntegration = requiring(integrationInput, [])

/** Whom a Dialogflow project is tried with: what was typed, or the key that an integration keeps. */
export const testSessionInput = Type.Object({
  projectName: integrationInput.properties.projectName,
  jsonContent: integrationInput.properties.jsonContent,
  language: integrationInput.properties.language,
  /** The integration whose key is meant by a mask. */
  id: Type.Optional(optionalRowId),
})
/** What somebody writes to try an integration. */
export const integrationTry = Type.Object({
  text: patterned({ minLength: 1, maxLength: 2_000, pattern: '\\S' }),
  /** Forgets what was said before. */
  restart: Type.Optional(Type.Boolean()),
})

/** What an integration of each type cannot do without. */
export const neededFields: Record<IntegrationInput['type'], readonly (keyof IntegrationInput)[]> = {
  dialogflow: ['projectName', 'jsonContent', 'language'],
  n8n: ['urlN8N'],
  webhook: ['urlN8N'],
  typebot: ['urlN8N', 'typebotSlug'],
  flowbuilder: ['flowId'],
  billing: ['billingSystem'],
}

/** The fields that are missing from a whole integration. */
export const missingFields = (input: Partial<IntegrationInput> & Pick<IntegrationInput, 'type'>): string[] =>
  neededFields[input.type].filter((field) => !input[field])
