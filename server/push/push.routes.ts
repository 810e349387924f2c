import { and, desc, eq, notInArray } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { patterned } from '../../schema/inputs.ts'
import { pushPreferences, pushSubscriptions } from '../../schema/push/push.table.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'

const tags = ['push']
const endpoint = t.String({ minLength: 10, maxLength: 1_000 })
const time = patterned({ maxLength: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })

/** Browsers of one user; the one that was there longest gives way. */
const MOST_BROWSERS = 10

/** Being woken by the browser while the app is closed. */
export function pushRoutes(deps: AppDeps) {
  const { db, push, now } = deps
  const bad = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

  return new Elysia({ prefix: '/push' })
    .use(authed(deps))
    .get(
      '/key',
      async ({ who }) => {
        // The first who asks has it made. Nobody's browser is subscribed by the operator in their name.
        if (who.acting) throw new DomainError('ERR_IMPERSONATION_OWN')
        return { publicKey: await push.publicKey() }
      },
      { detail: { tags, summary: 'The key that browsers subscribe with' } },
    )
    .post(
      '/subscriptions',
      async ({ who, sessionId, body }) => {
        if (!push.accepts(body.endpoint)) throw bad('body/endpoint', 'a public https address')
        const { p256dh, auth } = body.keys
        const point = Buffer.from(p256dh, 'base64url')
        if (point.length !== 65 || point[0] !== 4) throw bad('body/keys/p256dh', 'a P-256 key')
        if (Buffer.from(auth, 'base64url').length !== 16) throw bad('body/keys/auth', '16 bytes')
        const own = { companyId: who.companyId, userId: who.userId, sessionId }
        const taken = await db.transaction(async (tx) => {
          // The browser itself, and only it, knows the keys: whoever is logged in there now is its user.
          const written = await tx
            .insert(pushSubscriptions)
            .values({ ...own, endpoint: body.endpoint, p256dh, auth, createdAt: now() })
            .onConflictDoUpdate({
              target: pushSubscriptions.endpoint,
              set: own,
              setWhere: and(eq(pushSubscriptions.p256dh, p256dh), eq(pushSubscriptions.auth, auth)),
            })
            .returning({ id: pushSubscriptions.id })
          if (written.length === 0) return false
          const latest = tx
            .select({ id: pushSubscriptions.id })
            .from(pushSubscriptions)
            .where(eq(pushSubscriptions.userId, who.userId))
            .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id))
            .limit(MOST_BROWSERS)
          await tx
            .delete(pushSubscriptions)
            .where(and(eq(pushSubscriptions.userId, who.userId), notInArray(pushSubscriptions.id, latest)))
          return true
        })
        if (!taken) throw bad('body/keys', 'other keys than this browser has')
        push.subscribed(who.companyId)
        return {}
      },
      {
        body: t.Object({
          endpoint,
          keys: t.Object({
            p256dh: patterned({ minLength: 80, maxLength: 100, pattern: '^[A-Za-z0-9_-]+={0,2}$' }),
            auth: patterned({ minLength: 20, maxLength: 30, pattern: '^[A-Za-z0-9_-]+={0,2}$' }),
          }),
        }),
        detail: { tags, summary: 'Wake this browser for new messages' },
      },
    )
    .delete(
      '/subscriptions',
      async ({ who, body }) => {
        await db
          .delete(pushSubscriptions)
          .where(and(eq(pushSubscriptions.userId, who.userId), eq(pushSubscriptions.endpoint, body.endpoint)))
        return {}
      },
      { body: t.Object({ endpoint }), detail: { tags, summary: 'Let this browser sleep' } },
    )
    .get(
      '/preferences',
      async ({ who }) => {
        const [row] = await db.select().from(pushPreferences).where(eq(pushPreferences.userId, who.userId))
        const { enabled = true, quietFrom = '00:00', quietTo = '00:00' } = row ?? {}
        return { enabled, quietFrom, quietTo }
      },
      { detail: { tags, summary: 'Whether and when one wants to be woken' } },
    )
    .put(
      '/preferences',
      async ({ who, body }) => {
        const values = { ...body, updatedAt: now() }
        await db
          .insert(pushPreferences)
          .values({ userId: who.userId, companyId: who.companyId, ...values })
          .onConflictDoUpdate({ target: pushPreferences.userId, set: values })
        return body
      },
      {
        body: t.Object({ enabled: t.Boolean(), quietFrom: time, quietTo: time }),
        detail: { tags, summary: 'Choose that; times are in the company’s zone, equal ones mean never quiet' },
      },
    )
}
