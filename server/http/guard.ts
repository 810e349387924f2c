import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { can, type Permission, type Principal } from '../../schema/permissions.ts'
import { actAs } from '../actor.ts'
import type { Allow } from '../auth/authenticator.ts'
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

function recognising({ auth, config }: Pick<AppDeps, 'auth' | 'config'>, allow: Allow) {
  return new Elysia().derive({ as: 'scoped' }, async ({ request, server }) => {
    const ip = callerAddress(request, server, config.trustProxy)
    const { who, sessionId, tokenVersion } = await auth.byToken(bearerOf(request), { ...allow, address: ip })
    actAs({ kind: 'user', id: who.userId, name: who.name, ip })
    return { who, sessionId, tokenVersion }
  })
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
