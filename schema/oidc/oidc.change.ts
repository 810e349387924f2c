import type { Static } from '@sinclair/typebox'
import { DomainError } from '../errors.ts'
import type { changedOidc } from './oidc.inputs.ts'
import type { OidcProvider } from './oidc.table.ts'

export type OidcGiven = Static<typeof changedOidc>
type Kept = Omit<OidcProvider, 'companyId' | 'createdAt'>

/**
 * What is kept of a provider after an admin has said who it is; what they leave out stays.
 * @param given with issuer and client as they are kept
 * @param secret sealed; `keeps`: it is the one before
 * @throws DomainError `ERR_OIDC_DOMAIN_UNPROVEN` where it would be the only way in, and routes nobody
 */
export function providerAfter(
  before: OidcProvider | undefined,
  given: OidcGiven,
  { secret, keeps }: { secret: string; keeps: boolean },
  now: Date,
): Kept {
  const triedAt = isThere(before, given) && keeps ? before.triedAt : null
  const ssoOnly = given.ssoOnly ?? before?.ssoOnly ?? false
  const domains = domainsOf(given)
  // One that is not named any more is free for whoever proves it.
  const provenDomains = (before?.provenDomains ?? []).filter((domain) => domains.includes(domain))
  if (ssoOnly && provenDomains.length === 0)
    throw new DomainError('ERR_OIDC_DOMAIN_UNPROVEN', { field: 'domains', domain: domains[0] })
  const breakGlassUserId =
    given.breakGlassUserId === undefined ? (before?.breakGlassUserId ?? null) : given.breakGlassUserId
  const domainProofs = Object.fromEntries(
    Object.entries(before?.domainProofs ?? {}).filter(([domain]) => provenDomains.includes(domain)),
  )
  return {
    ...{ issuer: given.issuer, clientId: given.clientId, secret, domains, provenDomains, domainProofs },
    makesUsers: given.makesUsers ?? before?.makesUsers ?? false,
    roleId: given.roleId === undefined ? (before?.roleId ?? null) : given.roleId,
    groupsClaim: given.groupsClaim ?? before?.groupsClaim ?? 'groups',
    roleRules:
      given.roleRules?.map(({ group, profile, roleId }) => ({
        ...{ group: group.trim(), profile: roleId === null ? profile : ('user' as const), roleId },
      })) ??
      before?.roleRules ??
      [],
    ...{ triedAt, ssoOnly, breakGlassUserId: ssoOnly ? breakGlassUserId : null, updatedAt: now },
  }
}

/**
 * A new secret alone is part of its life. Who is let in by nothing else is not sent to another place untried.
 * @throws DomainError `ERR_OIDC_UNTRIED`
 */
export function demandTried(before: OidcProvider | undefined, after: Kept): void {
  if (after.ssoOnly && !(before?.ssoOnly && isThere(before, after)) && after.triedAt === null)
    throw new DomainError('ERR_OIDC_UNTRIED', { field: 'ssoOnly' })
}

const isThere = (
  before: OidcProvider | undefined,
  { issuer, clientId }: Pick<OidcProvider, 'issuer' | 'clientId'>,
): before is OidcProvider => before?.issuer === issuer && before.clientId === clientId

/** The domains that an admin names, as they are kept. */
export const domainsOf = ({ domains }: Pick<OidcGiven, 'domains'>): string[] => [
  ...new Set(domains.map((domain) => domain.toLowerCase())),
]
