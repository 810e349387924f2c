import type { Profile, User } from '../users/users.table.ts'
import type { OidcProvider } from './oidc.table.ts'

/** Who is in the group has this role: one of ours, or one that the company has put together. */
export interface RoleRule {
  group: string
  profile: Profile
  /** Null: the profile says what they may do. */
  roleId: number | null
}

/** What decides whether a company's people come in by its provider alone. */
export type OnlyWay = Pick<OidcProvider, 'ssoOnly' | 'breakGlassUserId'>

/** Whether no password and no key of a device opens this user. Operators are never locked out. */
export const mustUseProvider = (provider: OnlyWay | null, user: Pick<User, 'id' | 'super'>): boolean =>
  provider !== null &&
  provider.ssoOnly &&
  provider.breakGlassUserId !== null &&
  provider.breakGlassUserId !== user.id &&
  !user.super

/** The role that somebody of these groups has; undefined where nothing is said of any. */
export const ruleFor = (rules: readonly RoleRule[], groups: readonly string[]): RoleRule | undefined =>
  rules.find(({ group }) => groups.includes(group))

/** The groups that a token tells under this name; one within another is reached by a point, as in `realm_access.roles`. */
export function groupsIn(claims: Record<string, unknown>, name: string): string[] {
  let found: unknown = claims[name]
  if (found === undefined) {
    found = claims
    for (const part of name.split('.'))
      found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[part] : undefined
  }
  return (Array.isArray(found) ? found : [found]).filter((one) => typeof one === 'string')
}
