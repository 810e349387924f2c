import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { demandTried, domainsOf, type OidcGiven, providerAfter } from '../../schema/oidc/oidc.change.ts'
import { changedOidc, domainToProve } from '../../schema/oidc/oidc.inputs.ts'
import { proofEndsAt } from '../../schema/oidc/oidc.proofs.ts'
import { type OidcProvider, oidcProviders } from '../../schema/oidc/oidc.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { MASK } from '../../schema/secrets.ts'
import { createAttempts } from '../auth/attempts.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { demandCovers, lockRole } from '../roles/roles.queries.ts'
import { type Sealer, sealText } from '../seal.ts'
import { createTxtResolver, demandProof, proofName, proofText } from './oidc.dns.ts'
import { discover } from './oidc.protocol.ts'
import { adminsOf, countOutsiders, demandFree, lockBreakGlass, providerOf, secretPlace } from './oidc.queries.ts'
import { proveDomain } from './oidc.changes.ts'
import { keepProvider, lockProvider } from './oidc.writes.ts'
import type { Tx } from '../db/database.ts'
import { clientOf, redirectUriOf } from './oidc.client.ts'

const tags = ['auth']
/** How often the DNS is asked for a company. */
const PROOFS_PER_HOUR = 30

/** What an admin says of the provider that their company trusts. */
export function ownProvider(deps: AppDeps) {
  const { config, db, now, outside, sealer, tokens } = deps
  const { resolveTxt = createTxtResolver() } = deps
  const attempts = createAttempts({ topic: 'oidc', between: deps.between })
  /** How a domain is proven: the record that its DNS is to have. */
  const proofOf = ({ companyId, provenDomains, domainProofs }: OidcProvider, domain: string) => ({
    ...{ domain, proven: provenDomains.includes(domain), name: proofName(domain) },
    /** Until when it is proven without its record, which is not found any more. */
    endsAt: proofEndsAt(domainProofs[domain]),
    text: proofText(tokens.hashOf, companyId, domain),
  })
  const view = async (companyId: number, row: OidcProvider | undefined, request: Request) => ({
    provider: row
      ? {
          ...{ issuer: row.issuer, clientId: row.clientId, secret: row.secret === '' ? '' : MASK },
          ...{
            domains: row.domains,
            proofs: row.domains.map((domain) => proofOf(row, domain)),
            makesUsers: row.makesUsers,
            roleId: row.roleId,
          },
          ...{ groupsClaim: row.groupsClaim, roleRules: row.roleRules },
          ...{ ssoOnly: row.ssoOnly, breakGlassUserId: row.breakGlassUserId, isTried: row.triedAt !== null },
        }
      : null,
    redirectUri: redirectUriOf(config, request),
    admins: await adminsOf(db, companyId),
    outsiders: row ? await countOutsiders(db, row) : 0,
  })
  /** Whoever says whom the company trusts could be anybody of it. */
  const allowed = (who: Principal) => {
    demand(who, 'security:write')
    demandCovers(who, { profile: 'admin' })
  }

  return new Elysia({ prefix: '/auth/oidc' })
    .use(authed(deps))
    .get(
      '/provider',
      async ({ who, request }) => {
        allowed(who)
        return view(who.companyId, await providerOf(db, who.companyId), request)
      },
      { detail: { tags, summary: 'Whom the company trusts to say who its people are; the secret is masked' } },
    )
    .put(
      '/provider',
      async ({ who, body, request }) => {
        allowed(who)
        const { companyId } = who
        const issuer = body.issuer.trim()
        if (!outside.accepts(issuer, { httpsOnly: true }))
          throw new DomainError('ERR_ADDRESS_REFUSED', { field: 'issuer' })
        const clientId = body.clientId.trim()
        // What does not answer now would let nobody in later.
        await discover(outside, issuer)
        const given = { ...body, issuer, clientId }
        await db.transaction(async (tx) => {
          const before = await lockProvider(tx, companyId)
          await demandFree(tx, companyId, domainsOf(given))
          const after = providerAfter(before, given, secretAfter(sealer, companyId, before, given), now())
          await demandGrantable(tx, who, after, body.roleRules ?? [])
          if (after.ssoOnly) await lockBreakGlass(tx, companyId, after.breakGlassUserId)
          demandTried(before, after)
          await keepProvider(tx, companyId, after)
        })
        return view(companyId, await providerOf(db, companyId), request)
      },
      { body: changedOidc, detail: { tags, summary: 'Say whom the company trusts; it is asked whether it is there' } },
    )
    .post(
      '/provider/domains',
      async ({ who, body, request }) => {
        allowed(who)
        const { companyId } = who
        const domain = body.domain.toLowerCase()
        const row = await providerOf(db, companyId)
        if (!row?.domains.includes(domain)) throw new DomainError('ERR_NOT_FOUND')
        // The DNS of others is asked in our name.
        attempts.begin([{ name: `domains of ${companyId}`, most: PROOFS_PER_HOUR, minutes: 60 }], now())
        await demandFree(db, companyId, [domain])
        await demandProof(resolveTxt, domain, proofText(tokens.hashOf, companyId, domain))
        if (!(await proveDomain(db, { companyId, domain, by: 'dns' }, now()))) throw new DomainError('ERR_NOT_FOUND')
        return view(companyId, await providerOf(db, companyId), request)
      },
      {
        body: domainToProve,
        detail: { tags, summary: 'Ask the DNS of a domain whether it is the company’s: until then it routes nobody' },
      },
    )
    .delete(
      '/provider',
      async ({ who, request }) => {
        allowed(who)
        await db.delete(oidcProviders).where(eq(oidcProviders.companyId, who.companyId))
        return view(who.companyId, undefined, request)
      },
      { detail: { tags, summary: 'Trust nobody any more; people sign in by their passwords' } },
    )
}

/**
 * Of the roles that come with it the one for new people is there, and nobody grants by a group what they do not have.
 * @throws DomainError `ERR_NO_ROLE_FOUND`, `ERR_ROLE_GRANT`
 */
async function demandGrantable(
  tx: Tx,
  who: Principal,
  { roleId }: Pick<OidcProvider, 'roleId'>,
  rules: NonNullable<OidcGiven['roleRules']>,
): Promise<void> {
  if (roleId !== null) await lockRole(tx, who.companyId, roleId, 'share')
  for (const rule of rules) {
    const role = rule.roleId === null ? null : await lockRole(tx, who.companyId, rule.roleId, 'share')
    demandCovers(who, { profile: rule.profile, role })
  }
}

/** The secret, sealed: a new one, or the one before, which is sent to no other address. */
function secretAfter(sealer: Sealer, companyId: number, before: OidcProvider | undefined, body: OidcGiven) {
  const given = body.secret === MASK ? undefined : body.secret
  const isThere = before?.issuer === body.issuer
  const keeps = given === undefined || (isThere && given === clientOf(sealer, before).secret)
  if (!keeps) return { keeps, secret: sealText(sealer, given, secretPlace(companyId)) }
  return { keeps, secret: isThere ? before.secret : '' }
}
