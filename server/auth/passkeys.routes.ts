import { Elysia } from 'elysia'
import { provenInput } from '../../schema/auth/auth.inputs.ts'
import { passkeyMade, passkeyRemoved, passkeyRenamed } from '../../schema/auth/passkeys.inputs.ts'
import type { Config } from '../config.ts'
import { callerAddress } from '../http/caller.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { ownName, ownOrigins } from '../http/own-origin.ts'
import { loadAccess } from './auth.queries.ts'
import { createPasswordProof } from './current-password.ts'
import { beginPasskey, keepPasskey, removePasskey, renamePasskey } from './passkeys.writes.ts'
import { listPasskeys, MOST_PASSKEYS, passkeyView, type Place } from './passkeys.queries.ts'
import { enabledFactor } from './two-factor.queries.ts'

const tags = ['auth']

/** Where keys are good: the name and addresses under which our pages are seen. */
export const placeOf = (request: Request, config: Pick<Config, 'publicUrl' | 'trustProxy'>): Place => ({
  name: ownName(request, config),
  origins: ownOrigins(request, config),
})

/** The keys that one's devices hold. Signing in by them is among the other ways in, in `auth.routes.ts`. */
export function passkeyRoutes(deps: AppDeps) {
  const { auth, config, db, onRightsChanged } = deps
  const demandPassword = createPasswordProof(deps)

  return new Elysia({ prefix: '/auth/passkeys' })
    .use(authed(deps, 'also before two-factor'))
    .get(
      '/',
      async ({ who, set }) => {
        set.headers['cache-control'] = 'no-store'
        return { passkeys: (await listPasskeys(db, who.userId)).map(passkeyView), limit: MOST_PASSKEYS }
      },
      { detail: { tags, summary: 'One’s keys: what they are called, since when, and when they were last used' } },
    )
    .post(
      '/begin',
      async ({ who, body, request, server, set }) => {
        set.headers['cache-control'] = 'no-store'
        await demandPassword(who, body.currentPassword, callerAddress(request, server, config.trustProxy))
        return beginPasskey(deps, placeOf(request, config), who)
      },
      {
        body: provenInput,
        detail: { tags, summary: 'What a browser needs to have a device make a key (options of WebAuthn as JSON)' },
      },
    )
    .post(
      '/',
      async ({ who, body, request }) => {
        const row = await keepPasskey(deps, placeOf(request, config), who, body)
        onRightsChanged(who.userId)
        return passkeyView(row)
      },
      { body: passkeyMade, detail: { tags, summary: 'Keep the key that a device has made' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => passkeyView(await renamePasskey(db, who.userId, params.id, body.name)),
      {
        params: idParams,
        body: passkeyRenamed,
        detail: { tags, summary: 'Call a key something else' },
      },
    )
    .post(
      '/:id/remove',
      async ({ who, params, body, request, server }) => {
        await demandPassword(who, body.currentPassword, callerAddress(request, server, config.trustProxy))
        const [access, factor] = await Promise.all([loadAccess(db, who.userId), enabledFactor(db, who.userId)])
        const keepOne = !factor && access?.twoFactor.due != null
        await db.transaction((tx) => removePasskey(tx, who.userId, params.id, keepOne))
        auth.forget(who.userId)
        return {}
      },
      {
        params: idParams,
        body: passkeyRemoved,
        detail: {
          tags,
          summary: 'Remove a key, with the password; not the last second step where the company asks for one',
        },
      },
    )
}
