import { isIP } from 'node:net'
import { Elysia } from 'elysia'
import { impersonationInput } from '../../schema/auth/impersonation.inputs.ts'
import { DomainError } from '../../schema/errors.ts'
import { findCompany } from '../companies/companies.queries.ts'
import { callerAddress } from '../http/caller.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demandSuper } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { findById, loadSessionUser } from './auth.queries.ts'
import { MOST_USER_AGENT } from './devices.ts'
import { actingUser, beginActing, listPeople } from './impersonation.ts'
import { refusalOf } from './may-enter.ts'

const tags = ['companies']

/** The operator in the name of a company's user: for half an hour, with a reason, and told to the company. */
export function impersonationRoutes(deps: AppDeps) {
  const { auth, authLog, config, db, events, now, tokens } = deps

  const need = async (id: number, ownId: number) => {
    const company = await findCompany(db, id)
    if (!company || company.removal) throw new DomainError('ERR_NO_COMPANY_FOUND')
    if (id === ownId) throw new DomainError('ERR_FORBIDDEN')
    return company
  }

  return new Elysia({ prefix: '/companies' })
    .use(authed(deps))
    .get(
      '/:id/users',
      async ({ who, params, query }) => {
        demandSuper(who)
        await need(params.id, who.companyId)
        return { users: await listPeople(db, params.id, query.searchParam?.trim()) }
      },
      {
        params: idParams,
        query: pageQuery,
        detail: { tags, summary: 'People of a company for whom the operator may act, admins first, 20 at most' },
      },
    )
    .post(
      '/:id/impersonate',
      async ({ who, sessionId, params, body, request, server, set }) => {
        demandSuper(who)
        const company = await need(params.id, who.companyId)
        const found = await findById(db, body.userId)
        if (!found || found.user.companyId !== company.id || found.user.super)
          throw new DomainError('ERR_NO_USER_FOUND')
        const barred = refusalOf(found.user, found.company, now(), true)
        if (barred) throw barred
        const address = callerAddress(request, server, config.trustProxy)
        const { session, announcementId } = await beginActing(db, {
          operator: { userId: who.userId, name: who.name, sessionId },
          company,
          userId: body.userId,
          reason: body.reason.trim(),
          readOnly: body.write !== true,
          userAgent: request.headers.get('user-agent')?.slice(0, MOST_USER_AGENT) ?? null,
          address: address && isIP(address) ? address : null,
          now: now(),
        })
        auth.forget(body.userId)
        const { id, companyId, name, profile } = found.user
        authLog('acting', { userId: id, companyId, sessionId: session.id, byUserId: who.userId, address })
        // Not for all of the company: whoever hears it asks what is theirs.
        events.emit({ companyId, name: 'announcement', action: 'delete', payload: { id: announcementId } })
        const user = await loadSessionUser(db, { userId: id, companyId, super: false }, now())
        if (!user) throw new DomainError('ERR_NO_USER_FOUND')
        const { tokenVersion, expiresAt, reason, readOnly } = session
        set.headers['cache-control'] = 'no-store'
        return {
          token: await tokens.signAccess(
            { userId: id, companyId, name, profile, tokenVersion, acting: true },
            now(),
            expiresAt,
          ),
          user: actingUser(user, {
            operatorId: who.userId,
            operatorSessionId: sessionId,
            name: who.name,
            reason: reason ?? '',
            readOnly,
            until: expiresAt,
          }),
        }
      },
      {
        params: idParams,
        body: impersonationInput,
        detail: {
          tags,
          summary: 'Act in the name of a user for half an hour; only to read, unless `write` is wished',
          description:
            'Answers a token that is not renewed and ends with the operator’s own session, `DELETE /auth/logout`, or the user’s word. The company’s admins are told, and the audit log names the operator and the reason.',
        },
      },
    )
}
