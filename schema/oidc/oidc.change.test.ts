import { describe, expect, test } from 'bun:test'
import type { DomainError } from '../errors.ts'
import { demandTried, type OidcGiven, providerAfter } from './oidc.change.ts'
import type { OidcProvider } from './oidc.table.ts'

const now = new Date('2026-11-30T12:00:00Z')
const tried = new Date('2026-11-01T12:00:00Z')
const kept: OidcProvider = {
  ...{ companyId: 1, issuer: 'https://id.example', clientId: 'balcao', secret: 'sealed' },
  ...{ domains: ['a.example', 'b.example'], provenDomains: ['a.example'], makesUsers: true, roleId: 3 },
  domainProofs: { 'a.example': { by: 'dns' } },
  ...{ groupsClaim: 'groups', roleRules: [], triedAt: tried, ssoOnly: false, breakGlassUserId: null },
  ...{ createdAt: tried, updatedAt: tried },
}
const given: OidcGiven = { issuer: 'https://id.example', clientId: 'balcao', domains: ['A.example', 'a.example'] }
const same = { secret: 'sealed', keeps: true }
const refusal = (...of: Parameters<typeof providerAfter>) => {
  try {
    demandTried(of[0], providerAfter(...of))
    return null
  } catch (error) {
    return (error as DomainError).code
  }
}

describe('what an admin says of their provider', () => {
  test('what they leave out stays, and a domain that is named no more is not theirs any more', () => {
    expect(providerAfter(kept, given, same, now)).toMatchObject({
      ...{ domains: ['a.example'], provenDomains: ['a.example'], makesUsers: true, roleId: 3, triedAt: tried },
      updatedAt: now,
    })
    expect(providerAfter(kept, { ...given, domains: ['c.example'] }, same, now)).toMatchObject({
      ...{ provenDomains: [], domainProofs: {} },
    })
  })

  test('another issuer, client or secret has been tried by nobody', () => {
    expect(providerAfter(kept, { ...given, issuer: 'https://other.example' }, same, now).triedAt).toBeNull()
    expect(providerAfter(kept, { ...given, clientId: 'x' }, same, now).triedAt).toBeNull()
    expect(providerAfter(kept, given, { secret: 'new', keeps: false }, now).triedAt).toBeNull()
  })

  test('it is the only way in where a domain is proven and somebody has come in by it, and stays so under a new secret', () => {
    const only = { ...given, ssoOnly: true, breakGlassUserId: 9 }
    expect(providerAfter(kept, only, same, now)).toMatchObject({ ssoOnly: true, breakGlassUserId: 9 })
    expect(refusal({ ...kept, provenDomains: [] }, only, same, now)).toBe('ERR_OIDC_DOMAIN_UNPROVEN')
    expect(refusal({ ...kept, triedAt: null }, only, same, now)).toBe('ERR_OIDC_UNTRIED')
    const alone = { ...kept, ssoOnly: true, breakGlassUserId: 9 }
    expect(refusal(alone, { ...only, clientId: 'x' }, same, now)).toBe('ERR_OIDC_UNTRIED')
    expect(providerAfter(alone, only, { secret: 'new', keeps: false }, now).ssoOnly).toBe(true)
    expect(providerAfter(alone, { ...given, ssoOnly: false }, same, now).breakGlassUserId).toBeNull()
  })
})
