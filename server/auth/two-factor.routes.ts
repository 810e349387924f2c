import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { generateURI } from 'otplib'
import { codeInput, provenCodeInput, provenInput } from '../../schema/auth/auth.inputs.ts'
import { DomainError } from '../../schema/errors.ts'
import { twoFactors } from '../../schema/users/two-factor.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { audit } from '../audit/audit.changes.ts'
import { callerAddress } from '../http/caller.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { productName } from '../settings/settings.queries.ts'
import { loadAccess } from './auth.queries.ts'
import { createPasswordProof } from './current-password.ts'
import { countPasskeys } from './passkeys.queries.ts'
import { beginFactor, takeCode } from './two-factor.writes.ts'
import { enabledFactor, recoveryCodes } from './two-factor.queries.ts'
import { forgetFactor } from './two-factor.changes.ts'

const tags = ['auth']

/** What a login is proven with besides the password. That a login needs it, `POST /auth/login` answers. */
export function twoFactorRoutes(deps: AppDeps) {
  const { db, sealer, tokens, now, auth, config, onRightsChanged } = deps
  const demandPassword = createPasswordProof(deps)

  return new Elysia({ prefix: '/auth/2fa' })
    .use(authed(deps, 'also before two-factor'))
    .get(
      '/',
      async ({ who, set }) => {
        set.headers['cache-control'] = 'no-store'
        const [factor, access, keys] = await Promise.all([
          enabledFactor(db, who.userId),
          loadAccess(db, who.userId),
          countPasskeys(db, who.userId),
        ])
        return {
          enabled: factor !== undefined,
          recoveryLeft: factor?.recovery.length ?? 0,
          passkeys: keys,
          requiredFrom: access?.twoFactor.due ?? null,
        }
      },
      { detail: { tags, summary: 'Whether one’s logins need a code, and from when on they must' } },
    )
    .post(
      '/setup',
      async ({ who, body, request, server, set }) => {
        set.headers['cache-control'] = 'no-store'
        await demandPassword(who, body.currentPassword, callerAddress(request, server, config.trustProxy))
        const secret = await beginFactor({ db, sealer }, who)
        const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, who.userId))
        return { secret, uri: generateURI({ issuer: await productName(db), label: user!.email, secret }) }
      },
      {
        body: provenInput,
        detail: { tags, summary: 'A secret for an authenticator app; it counts from the first code on' },
      },
    )
    .post(
      '/enable',
      async ({ who, body, set }) => {
        set.headers['cache-control'] = 'no-store'
        const made = recoveryCodes(tokens)
        await takeCode(deps, { userId: who.userId, code: body.code, state: 'begun' }, async (tx) => {
          await tx
            .update(twoFactors)
            .set({ enabledAt: now(), recovery: made.hashes })
            .where(eq(twoFactors.userId, who.userId))
          await audit(tx, {
            ...{ companyId: who.companyId, action: 'update', entity: 'user', id: who.userId },
            facts: { twoFactor: true },
          })
        })
        onRightsChanged(who.userId)
        return { recoveryCodes: made.codes }
      },
      { body: codeInput, detail: { tags, summary: 'The first code; answers ten codes for when the phone is gone' } },
    )
    .post(
      '/disable',
      async ({ who, body, request, server }) => {
        await demandPassword(who, body.currentPassword, callerAddress(request, server, config.trustProxy))
        const isAsked = (await loadAccess(db, who.userId))?.twoFactor.due != null
        if (isAsked && (await countPasskeys(db, who.userId)) === 0) throw new DomainError('ERR_2FA_REQUIRED')
        await takeCode(deps, { userId: who.userId, code: body.code, state: 'enabled' }, (tx) =>
          forgetFactor(tx, who.companyId, who.userId),
        )
        auth.forget(who.userId)
        return {}
      },
      {
        body: provenCodeInput,
        detail: {
          tags,
          summary:
            'Without it again, with the password and a code; not where the company asks for it and there is no key',
        },
      },
    )
}
