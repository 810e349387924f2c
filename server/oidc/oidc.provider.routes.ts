import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { changedOidc, domainToProve } from '../../schema/oidc/oidc.inputs.ts'
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
import type { Tx } from '../db/database.ts'
import { clientOf, redirectUriOf } from './oidc.client.ts'

const tags = ['auth']
/** How often the DNS is asked for a company. */
const PROOFS_PER_HOUR = 30

/** What an admin says of the provider that their company trusts. */
export function ownProvider(deps: AppDeps) {
  const { config, db, now, outside, tokens } = deps
  const { resolveTxt = createTxtResolver() } = deps
  const attempts = createAttempts()
  /** How a domain is proven: the record that its DNS is to have. */
  const proofOf = ({ companyId, provenDomains }: OidcProvider, domain: string) => ({
    ...{ domain, proven: provenDomains.includes(domain), name: proofName(domain) },
    text: proofText(tokens.hashOf, companyId, domain),
  })
  const told = async (companyId: number, row: OidcProvider | undefined, request: Request) => ({
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
        return told(who.companyId, await providerOf(db, who.companyId), request)
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
        await db.transaction((tx) => keepProvider(tx, deps, who, { ...body, issuer, clientId }))
        return told(companyId, await providerOf(db, companyId), request)
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
        if (!(await proveDomain(db, companyId, domain, now()))) throw new DomainError('ERR_NOT_FOUND')
        return told(companyId, await providerOf(db, companyId), request)
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
        return told(who.companyId, undefined, request)
      },
      { detail: { tags, summary: 'Trust nobody any more; people sign in by their passwords' } },
    )
}

type Given = typeof changedOidc.static

/**
 * Keeps what an admin says of their provider; what they leave out stays.
 * @param body with issuer and client as they are kept
 * @throws DomainError where a domain is another company's, a role is not to be granted, or nobody could come in any more
 */
async function keepProvider(tx: Tx, { sealer, now }: AppDeps, who: Principal, body: Given): Promise<void> {
  const { companyId } = who
  const [before] = await tx.select().from(oidcProviders).where(eq(oidcProviders.companyId, companyId)).for('update')
  const isSame = before?.issuer === body.issuer && before.clientId === body.clientId
  const { secret, keeps } = secretAfter(sealer, companyId, before, body)
  const ssoOnly = body.ssoOnly ?? before?.ssoOnly ?? false
  const domains = [...new Set(body.domains.map((domain) => domain.toLowerCase()))]
  await demandFree(tx, companyId, domains)
  const values = {
    ...{ issuer: body.issuer, clientId: body.clientId, secret, domains },
    // One that is not named any more is free for whoever proves it.
    provenDomains: (before?.provenDomains ?? []).filter((domain) => domains.includes(domain)),
    makesUsers: body.makesUsers ?? before?.makesUsers ?? false,
    roleId: body.roleId === undefined ? (before?.roleId ?? null) : body.roleId,
    groupsClaim: body.groupsClaim ?? before?.groupsClaim ?? 'groups',
    roleRules:
      body.roleRules?.map(({ group, profile, roleId }) => ({
        ...{ group: group.trim(), profile: roleId === null ? profile : ('user' as const), roleId },
      })) ??
      before?.roleRules ??
      [],
    triedAt: isSame && keeps ? before.triedAt : null,
    ssoOnly,
    breakGlassUserId: ssoOnly
      ? body.breakGlassUserId === undefined
        ? (before?.breakGlassUserId ?? null)
        : body.breakGlassUserId
      : null,
    updatedAt: now(),
  }
  if (values.roleId !== null) await lockRole(tx, companyId, values.roleId, 'share')
  for (const { profile, roleId } of body.roleRules ?? [])
    demandCovers(who, {
      profile,
      role: roleId === null ? null : await lockRole(tx, companyId, roleId, 'share'),
    })
  if (ssoOnly && values.provenDomains.length === 0)
    throw new DomainError('ERR_OIDC_DOMAIN_UNPROVEN', { field: 'domains', domain: domains[0] })
  if (ssoOnly) await lockBreakGlass(tx, companyId, values.breakGlassUserId)
  // A new secret alone is part of its life. Who is let in by nothing else is not sent to another place untried.
  if (ssoOnly && !(before?.ssoOnly && isSame) && values.triedAt === null)
    throw new DomainError('ERR_OIDC_UNTRIED', { field: 'ssoOnly' })
  await tx
    .insert(oidcProviders)
    .values({ companyId, ...values })
    .onConflictDoUpdate({ target: oidcProviders.companyId, set: values })
}

/** The secret, sealed: a new one, or the one before, which is sent to no other address. */
function secretAfter(sealer: Sealer, companyId: number, before: OidcProvider | undefined, body: Given) {
  const given = body.secret === MASK ? undefined : body.secret
  const isThere = before?.issuer === body.issuer
  const keeps = given === undefined || (isThere && given === clientOf(sealer, before).secret)
  if (!keeps) return { keeps, secret: sealText(sealer, given, secretPlace(companyId)) }
  return { keeps, secret: isThere ? before.secret : '' }
}
