import { Elysia } from 'elysia'
import type { AppDeps, Health } from './deps.ts'
import { bearerOf } from './guard.ts'

/** How the server is, for what watches it. */
export function healthRoutes({ auth }: Pick<AppDeps, 'auth'>, healthNow: () => Promise<Health>) {
  const isOperator = async (request: Request) => {
    const token = bearerOf(request)
    return (
      token !== null &&
      (await auth.byToken(token).then(
        ({ who }) => who.super,
        () => false,
      ))
    )
  }
  return new Elysia({ prefix: '/health' })
    .onTransform(({ set }) => {
      set.headers['cache-control'] = 'no-store'
    })
    .get(
      '',
      async ({ request, set }) => {
        const health = await healthNow()
        set.status = health.ok ? 200 : 503
        // How many use it, over how many connections, is the operator's business.
        return (await isOperator(request)) ? health : { ok: health.ok }
      },
      { detail: { tags: ['server'], summary: 'Whether it is up; of each part, to the operator’s token' } },
    )
    .get('/live', () => ({ ok: true }), {
      detail: { tags: ['server'], summary: 'Whether the process answers; where it does not, start it again' },
    })
    .get(
      '/ready',
      async ({ set }) => {
        const { ok } = await healthNow()
        set.status = ok ? 200 : 503
        return { ok }
      },
      { detail: { tags: ['server'], summary: 'Whether people may be sent here; 503 while the database is away' } },
    )
}
