import { Type } from '@sinclair/typebox'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { changedOidc, domainToProve, oidcBegin, oidcReturn } from '../../schema/oidc/oidc.inputs.ts'
import { type OidcProvider, oidcProviders } from '../../schema/oidc/oidc.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { MASK } from '../../schema/secrets.ts'
import { actingAs } from '../actor.ts'
import { createAttempts } from '../auth/attempts.ts'
import { authCookie, cookieOf } from '../auth/cookies.ts'
import { enter } from '../auth/entering.ts'
import { findById } from '../auth/auth.queries.ts'
import { hashPassword } from '../auth/passwords.ts'
import { beginOrAsk } from '../auth/sessions.ts'
import { ATTEMPT_SECONDS } from '../auth/tokens.ts'
import { demandRoom } from '../companies/plan-limits.ts'
import { callerAddress } from '../http/caller.ts'
import type { AppDeps } from '../http/deps.ts'
import { asDomainError } from '../http/errors.ts'
import { authed, demand } from '../http/guard.ts'
import { queryId } from '../http/inputs.ts'
import { demandCovers, lockRole } from '../roles/roles.queries.ts'
import { openText, sealText } from '../seal.ts'
import { createTxtResolver, demandProof, proofName, proofText } from './oidc.dns.ts'
import { authorizationUrl, discover, newAttempt, redeem, type Vouched } from './oidc.protocol.ts'
import {
  adminsOf,
  anybodyUses,
  countOutsiders,
  demandFree,
  lockBreakGlass,
  providerFor,
  providerOf,
  secretPlace,
} from './oidc.queries.ts'
import { followGroups, noteTried, userVouchedFor } from './oidc.writes.ts'
import { proveDomain } from './oidc.changes.ts'

const tags = ['auth']
/** How often the DNS is asked for a company. */
const PROOFS_PER_HOUR = 30
/** What a sign-in has begun with, while the person is at the provider. */
const ATTEMPT_COOKIE = 'jsso'

const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Whether somebody is vouched for by whom the company trusts still. */
const isSameTrust = (one: OidcProvider, other: OidcProvider) =>
  one.issuer === other.issuer && one.clientId === other.clientId && one.secret === other.secret

/** Signing in by the word of a company's own provider, and what an admin says of it. */
export function oidcRoutes(deps: AppDeps) {
  const { authLog, config, db, events, now, onRightsChanged, outside, sealer, tokens } = deps
  const { resolveTxt = createTxtResolver() } = deps
  const attempts = createAttempts()
  const redirectUri = (request: Request) => `${config.publicUrl ?? new URL(request.url).origin}/auth/oidc/callback`
  const clientOf = ({ companyId, issuer, clientId, secret }: OidcProvider) => ({
    ...{ issuer, clientId },
    secret: openText(sealer, secret, secretPlace(companyId)),
  })
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
    redirectUri: redirectUri(request),
    admins: await adminsOf(db, companyId),
    outsiders: row ? await countOutsiders(db, row) : 0,
  })
  /** Whoever says whom the company trusts could be anybody of it. */
  const allowed = (who: Principal) => {
    demand(who, 'security:write')
    demandCovers(who, { profile: 'admin' })
  }

  /** The user who was vouched for, with the role that their groups have. Colleagues are told of what is new. */
  const userOf = async (row: OidcProvider, vouched: Vouched, address: string | null) => {
    const { companyId } = row
    const { id, isNew } = await userVouchedFor(db, row, vouched, {
      hash: () => hashPassword(randomBytes(24).toString('base64url')),
      room: (tx) => demandRoom(tx, companyId, 'users'),
    })
    const role = isNew ? 'same' : await followGroups(db, row, id, vouched.groups, now())
    if (role === 'kept') authLog('role-kept', { userId: id, companyId, address })
    if (role === 'changed') onRightsChanged(id)
    const found = await findById(db, id)
    if (found?.user.companyId !== companyId) throw new DomainError('ERR_OIDC_EMAIL')
    if (isNew || role === 'changed') {
      const { name, profile, online } = found.user
      const payload = { user: { id, name, profile, companyId, online } }
      events.emit({ companyId, name: 'user', action: isNew ? 'create' : 'update', id, payload })
    }
    return found
  }

  return new Elysia({ prefix: '/auth/oidc' })
    .get(
      '/',
      async ({ query }) => ({
        available: query.company
          ? ((await providerOf(db, Number(query.company)))?.provenDomains.length ?? 0) > 0
          : await anybodyUses(db),
      }),
      {
        query: Type.Object({ company: Type.Optional(queryId) }),
        detail: { tags, summary: 'Whether one may sign in by a provider: of a company, or of any' },
      },
    )
    .post(
      '/begin',
      async ({ body, request, set }) => {
        const row = body.company
          ? await providerOf(db, body.company)
          : body.email
            ? await providerFor(db, body.email)
            : undefined
        // Nobody is sent away by a company that has proven nothing: it could not be believed when they come back.
        if (!row || row.provenDomains.length === 0) throw new DomainError('ERR_OIDC_UNKNOWN')
        const attempt = newAttempt()
        const url = await authorizationUrl(
          await discover(outside, row.issuer),
          clientOf(row),
          attempt,
          redirectUri(request),
          body.email,
        )
        const kept = await tokens.signAttempt({ ...attempt, companyId: row.companyId }, now())
        set.headers['set-cookie'] = authCookie(request, config, ATTEMPT_COOKIE, kept, ATTEMPT_SECONDS)
        set.headers['cache-control'] = 'no-store'
        return { url }
      },
      { body: oidcBegin, detail: { tags, summary: 'Where to send somebody who signs in by their company’s provider' } },
    )
    .get(
      '/callback',
      async ({ query, request, server, set }) => {
        set.headers['cache-control'] = 'no-store'
        const cookies = [authCookie(request, config, ATTEMPT_COOKIE, '', 0)]
        /** In the part of the address that no server is sent. */
        const back = (word: string) => {
          set.status = 303
          set.headers['location'] = `/login#${word}`
          set.headers['set-cookie'] = cookies
          return ''
        }
        try {
          const attempt = await tokens.readAttempt(cookieOf(request, ATTEMPT_COOKIE) ?? '', now())
          if (!query.state || !same(query.state, attempt.state)) throw new DomainError('ERR_OIDC_STATE')
          const asked = await providerOf(db, attempt.companyId)
          if (!asked) throw new DomainError('ERR_OIDC_UNKNOWN')
          // An answer of another provider than the one that was asked (RFC 9207).
          if (query.iss !== undefined && query.iss !== asked.issuer) throw new DomainError('ERR_OIDC_STATE')
          if (query.error || !query.code) throw new DomainError('ERR_OIDC_PROVIDER', { why: 'refused' })
          const { groupsClaim } = asked
          const given = {
            answer: query as Record<string, string>,
            redirectUri: redirectUri(request),
            groupsClaim,
            now: now(),
          }
          const vouched = await redeem(outside, clientOf(asked), attempt, given)
          // The company may have let go of it while it answered, or have said something else of groups.
          const row = await providerOf(db, attempt.companyId)
          if (!row || !isSameTrust(row, asked)) throw new DomainError('ERR_OIDC_UNKNOWN')
          const address = callerAddress(request, server, config.trustProxy)
          const provider = { kind: 'provider', name: row.issuer, ip: address } as const
          const found = await actingAs(provider, () => userOf(row, vouched, address))
          const userAgent = request.headers.get('user-agent')
          const session = await beginOrAsk(deps, found, { address, userAgent, byProvider: true })
          if (found.user.profile === 'admin') await noteTried(db, row, now())
          if ('challenge' in session) return back(`challenge=${session.challenge}&methods=${session.methods.join(',')}`)
          cookies.push(...(await enter(deps, session, found.user.email, request)))
          return back('entered')
        } catch (error) {
          const known = asDomainError(error)
          if (!known) throw error
          return back(`error=${known.code}`)
        }
      },
      {
        query: oidcReturn,
        detail: { tags, summary: 'Where the provider sends people back to; goes on to the login screen' },
      },
    )
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
        await db.transaction(async (tx) => {
          const [before] = await tx
            .select()
            .from(oidcProviders)
            .where(eq(oidcProviders.companyId, companyId))
            .for('update')
          const isSame = before?.issuer === issuer && before.clientId === clientId
          const given = body.secret === MASK ? undefined : body.secret
          const keeps = given === undefined || (before?.issuer === issuer && given === clientOf(before).secret)
          const secret = keeps
            ? // One that was given for one address is not sent to another.
              before?.issuer === issuer
              ? before.secret
              : ''
            : sealText(sealer, given, secretPlace(companyId))
          const ssoOnly = body.ssoOnly ?? before?.ssoOnly ?? false
          const domains = [...new Set(body.domains.map((domain) => domain.toLowerCase()))]
          await demandFree(tx, companyId, domains)
          const values = {
            ...{ issuer, clientId, secret, domains },
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
        })
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
