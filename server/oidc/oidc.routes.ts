import { Type } from '@sinclair/typebox'
import { randomBytes } from 'node:crypto'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { oidcBegin, oidcReturn } from '../../schema/oidc/oidc.inputs.ts'
import type { OidcProvider } from '../../schema/oidc/oidc.table.ts'
import { actingAs } from '../actor.ts'
import { authCookie, cookieOf } from '../auth/cookies.ts'
import { enter } from '../auth/entering.ts'
import { findById } from '../auth/auth.queries.ts'
import { hashPassword } from '../auth/passwords.ts'
import { beginOrAsk } from '../auth/sessions.ts'
import { ATTEMPT_SECONDS } from '../auth/tokens.ts'
import { demandRoom } from '../companies/plan-limits.queries.ts'
import { callerAddress } from '../http/caller.ts'
import type { AppDeps } from '../http/deps.ts'
import { asDomainError } from '../http/errors.ts'
import { queryId } from '../http/inputs.ts'
import { authorizationUrl, discover, newAttempt, redeem, type Vouched } from './oidc.protocol.ts'
import { isSameSecret } from '../same-secret.ts'
import { anybodyUses, providerFor, providerOf } from './oidc.queries.ts'
import { followGroups, noteTried, userVouchedFor } from './oidc.writes.ts'
import { clientOf, redirectUriOf } from './oidc.client.ts'
import { ownProvider } from './oidc.provider.routes.ts'

const tags = ['auth']
/** What a sign-in has begun with, while the person is at the provider. */
const ATTEMPT_COOKIE = 'jsso'

/** Whether somebody is vouched for by whom the company trusts still. */
const isSameTrust = (one: OidcProvider, other: OidcProvider) =>
  one.issuer === other.issuer && one.clientId === other.clientId && one.secret === other.secret

/** Signing in by the word of a company's own provider, and what an admin says of it. */
export const oidcRoutes = (deps: AppDeps) => new Elysia().use(signIn(deps)).use(ownProvider(deps))

/** The way to the provider and back. */
function signIn(deps: AppDeps) {
  const { config, db, now, outside, sealer, tokens } = deps

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
          clientOf(sealer, row),
          attempt,
          redirectUriOf(config, request),
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
          if (!query.state || !isSameSecret(query.state, attempt.state)) throw new DomainError('ERR_OIDC_STATE')
          const asked = await providerOf(db, attempt.companyId)
          if (!asked) throw new DomainError('ERR_OIDC_UNKNOWN')
          // An answer of another provider than the one that was asked (RFC 9207).
          if (query.iss !== undefined && query.iss !== asked.issuer) throw new DomainError('ERR_OIDC_STATE')
          if (query.error || !query.code) throw new DomainError('ERR_OIDC_PROVIDER', { why: 'refused' })
          const { groupsClaim } = asked
          const given = {
            answer: query as Record<string, string>,
            redirectUri: redirectUriOf(config, request),
            groupsClaim,
            now: now(),
          }
          const vouched = await redeem(outside, clientOf(sealer, asked), attempt, given)
          // The company may have let go of it while it answered, or have said something else of groups.
          const row = await providerOf(db, attempt.companyId)
          if (!row || !isSameTrust(row, asked)) throw new DomainError('ERR_OIDC_UNKNOWN')
          const address = callerAddress(request, server, config.trustProxy)
          const provider = { kind: 'provider', name: row.issuer, ip: address } as const
          const found = await actingAs(provider, () => userOf(deps, row, vouched, address))
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
}

/** The user who was vouched for, with the role that their groups have. Colleagues are told of what is new. */
async function userOf(deps: AppDeps, row: OidcProvider, vouched: Vouched, address: string | null) {
  const { authLog, db, events, now, onRightsChanged } = deps
  const { companyId } = row
  const { id, isNew, isLinked } = await userVouchedFor(db, row, vouched, {
    hash: () => hashPassword(randomBytes(24).toString('base64url')),
    room: (tx) => demandRoom(tx, companyId, 'users'),
  })
  if (isLinked) authLog('linked', { userId: id, companyId, address })
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
