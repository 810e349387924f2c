import { type Static, Type } from '@sinclair/typebox'
import { moment, nullable, patterned, personName, requiring } from '../inputs.ts'
import { apiScopes } from './api-keys.scopes.ts'

const address = patterned({
  minLength: 2,
  maxLength: 50,
  pattern: '^[0-9a-fA-F:.]+(/[0-9]{1,3})?$',
  description: 'An address or a network, such as 203.0.113.0/24',
})

/** What people write of a key. */
export const apiKeyInput = Type.Object({
  name: personName,
  scopes: Type.Array(Type.Union(apiScopes.map((scope) => Type.Literal(scope))), {
    minItems: 1,
    maxItems: apiScopes.length,
    uniqueItems: true,
  }),
  /** Empty: from anywhere. */
  ipAllow: Type.Array(address, { maxItems: 20 }),
  ratePerMinute: Type.Integer({ minimum: 1, maximum: 60_000 }),
  expiresAt: nullable(moment),
})
export type ApiKeyInput = Static<typeof apiKeyInput>

export const newApiKey = requiring(apiKeyInput, ['name', 'scopes'])
export const changedApiKey = requiring(apiKeyInput, [])

/** The form: one address on each line, a day without a time. */
export const apiKeyForm = Type.Object({
  name: personName,
  ratePerMinute: apiKeyInput.properties.ratePerMinute,
})
