import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { asksForNumbers, hidesNumbers, maskedValue } from '../../schema/contacts/contacts.masking.ts'
import { can, lacksNumbers, type Permission, type Principal } from '../../schema/permissions.ts'
import { actAs } from '../actor.ts'
import type { Allow, Authenticated } from '../auth/authenticator.ts'
import { callerAddress } from './caller.ts'
import type { AppDeps } from './deps.ts'

/** The token of an `Authorization: Bearer` header, or null. */
export function bearerOf(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
}

/** What a person does before two-factor, where they must have it. */
type Before2fa = 'also before two-factor'

/** Gives the routes after it `who`, `sessionId` and `tokenVersion`; without a good token they do not run, and nothing of the input is looked at. */
export const authed = (deps: Pick<AppDeps, 'auth' | 'config'>, before2fa?: Before2fa) =>
  recognising(deps, { without2fa: before2fa !== undefined })

/** The same, for what a company's admins may also do when its time is over. */
export const authedToPay = (deps: Pick<AppDeps, 'auth' | 'config'>, before2fa?: Before2fa) =>
  recognising(deps, { without2fa: before2fa !== undefined, toPay: true })

/** The same, for what anybody may do whose company may not work: wait for it. `barred` says why. */
export const authedToWait = (deps: Pick<AppDeps, 'auth' | 'config'>) => recognising(deps, { toWait: true })

function recognising({ auth, config }: Pick<AppDeps, 'auth' | 'config'>, allow: Allow) {
  return (
    new Elysia()
      .derive({ as: 'scoped' }, async ({ request, server }) => {
        const ip = callerAddress(request, server, config.trustProxy)
        const { who, sessionId, tokenVersion, acting, barred } = await auth.byToken(bearerOf(request), {
          ...allow,
          address: ip,
        })
        const operator = acting && { id: acting.operatorId, name: acting.name, reason: acting.reason }
        actAs({ kind: 'user', id: who.userId, name: who.name, ip, ...(operator && { operator }) })
        if (acting) demandActing(acting, request)
        return { who, sessionId, tokenVersion, acting, barred }
      })
      .onBeforeHandle({ as: 'scoped' }, ({ who, body, path, request }) => {
        if (lacksNumbers(who) && request.method !== 'GET' && !ofOwnWords.test(path) && asksForNumbers(body))
          throw new DomainError('ERR_NUMBERS_HIDDEN')
      })
      // Files are answered as responses of their own: who writes one with numbers in it looks at the role there.
      .onAfterHandle({ as: 'scoped' }, ({ who, response, path }) =>
        hidesNumbers(who) && !ofOwnPhones(path) ? maskedValue(response) : undefined,
      )
  )
}

/**
 * What people say themselves, filled in with what they may read. Greetings, campaigns and the like are filled in with all
 * that is known, and stand in the conversation afterwards.
 */
const ofOwnWords = /^\/(?:messages|commands|schedules|quick-messages|ticket-notes|chats)(?:\/|$)/

/** The company's own connections, whose numbers are known to everybody who works there. */
const ofOwnPhones = (path: string) => /^\/whatsapp/.test(path)

/**
 * What the operator may do in a user's name: look, and change only where that was wished and the company told so. What
 * makes the user who they are stays theirs in any case.
 * @throws DomainError `ERR_IMPERSONATION_OWN`, `ERR_IMPERSONATION_READ_ONLY`
 */
function demandActing({ readOnly }: NonNullable<Authenticated['acting']>, request: Request): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const path = new URL(request.url).pathname
  // Sockets and files are asked for with a pass, which changes nothing.
  if (/^\/auth\/passes\/?$/.test(path)) return
  if (/^\/(?:auth|push)\//.test(path)) throw new DomainError('ERR_IMPERSONATION_OWN')
  if (readOnly) throw new DomainError('ERR_IMPERSONATION_READ_ONLY')
}

/**
 * What reading leads to, such as messages that count as read from now on: a GET changes something by this alone. Of who
 * only looks in a user's name it is left out, or the user's unread messages and the contact's ticks would tell of it.
 */
export async function byReading(who: Principal, effect: () => Promise<unknown>): Promise<void> {
  if (!who.visiting) await effect()
}

/** @throws DomainError `ERR_NO_PERMISSION` */
export function demand(who: Principal, permission: Permission): void {
  if (!can(who, permission)) throw new DomainError('ERR_NO_PERMISSION')
}

/**
 * Only the operator goes on.
 * @throws DomainError `ERR_NO_SUPER`
 */
export function demandSuper(who: Principal): void {
  if (!who.super) throw new DomainError('ERR_NO_SUPER')
}
