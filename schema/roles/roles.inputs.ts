import { type Static, Type } from '@sinclair/typebox'
import { patterned, requiring } from '../inputs.ts'
import { grantable, type Permission } from '../permissions.ts'
import { ticketScopes } from './roles.table.ts'

/** Roles that a company may have. */
export const MOST_ROLES = 100

/** All that an admin writes of a role. */
export const roleInput = Type.Object({
  name: patterned({ minLength: 2, maxLength: 50, pattern: '\\S\\s*\\S' }),
  permissions: Type.Array(Type.Unsafe<Permission>(Type.Union(grantable.map((name) => Type.Literal(name)))), {
    maxItems: grantable.length,
    uniqueItems: true,
  }),
  ticketScope: Type.Union(ticketScopes.map((scope) => Type.Literal(scope))),
  maskNumbers: Type.Boolean(),
})
export type RoleInput = Static<typeof roleInput>

export const newRole = requiring(roleInput, ['name'])
export const changedRole = requiring(roleInput, [])
