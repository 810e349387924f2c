import { type Static, Type } from '@sinclair/typebox'
import { email, optionalRowId, patterned, requiring, rowId } from '../inputs.ts'
import { profiles } from '../users/users.table.ts'

export const MOST_ROLE_RULES = 50

const domain = patterned({ minLength: 3, maxLength: 253, pattern: '^[a-zA-Z0-9-]+(\\.[a-zA-Z0-9-]+)+$' })

/** All that an admin writes of whom the company trusts. */
export const oidcInput = Type.Object({
  issuer: patterned({ minLength: 8, maxLength: 500, pattern: '^https?://[^\\s/]+' }),
  clientId: patterned({ minLength: 1, maxLength: 300, pattern: '\\S' }),
  /** Left out or masked, it stays as it is. */
  secret: Type.String({ maxLength: 1_000 }),
  domains: Type.Array(domain, { minItems: 1, maxItems: 20 }),
  makesUsers: Type.Boolean(),
  roleId: optionalRowId,
  groupsClaim: patterned({ minLength: 1, maxLength: 200, pattern: '^\\S+$' }),
  /** In their order: the first group that somebody is in decides. */
  roleRules: Type.Array(
    Type.Object({
      group: patterned({ minLength: 1, maxLength: 300, pattern: '\\S' }),
      profile: Type.Union(profiles.map((profile) => Type.Literal(profile))),
      roleId: optionalRowId,
    }),
    { maxItems: MOST_ROLE_RULES },
  ),
  ssoOnly: Type.Boolean(),
  breakGlassUserId: optionalRowId,
})
export type OidcInput = Static<typeof oidcInput>
export const changedOidc = requiring(oidcInput, ['issuer', 'clientId', 'domains'])

/** Whose DNS is asked. */
export const domainToProve = Type.Object({ domain })
/** The operator's word on a domain. */
export const domainWord = Type.Object({ companyId: rowId, domain, proven: Type.Boolean() })

/** By whose provider somebody wants to sign in: a company’s, or that of the e-mail’s company. */
export const oidcBegin = Type.Object({ email: Type.Optional(email), company: Type.Optional(rowId) })
/** What the provider sends people back with. */
export const oidcReturn = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 2_000 })),
  state: Type.Optional(Type.String({ maxLength: 500 })),
  iss: Type.Optional(Type.String({ maxLength: 500 })),
  error: Type.Optional(Type.String({ maxLength: 200 })),
})
