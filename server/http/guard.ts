import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { can, type Permission, type Principal } from '../../schema/permissions.ts'
import { actAs } from '../actor.ts'
import { callerAddress } from './caller.ts'
import type { AppDeps } from './deps.ts'

/** The token of an `Authorization: Bearer` header, or null. */
export function bearerOf(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
}

/** What a person does before two-factor, where they must have it. */
type Before2fa = 'also before two-factor'

/** Gives the routes after it `who`, `sessionId` and `tokenVersion`; without a good token they do not run, and nothing of the input is looked at. */
export function authed({ auth, config }: Pick<AppDeps, 'auth' | 'config'>, before2fa?: Before2fa) {
  return new Elysia().derive({ as: 'scoped' }, async ({ request, server }) => {
    const ip = callerAddress(request, server, config.trustProxy)
    const { who, sessionId, tokenVersion } = await auth.byToken(bearerOf(request), {
      without2fa: before2fa !== undefined,
      address: ip,
    })
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
