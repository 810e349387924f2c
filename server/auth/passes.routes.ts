import { Elysia } from 'elysia'
import { passInput } from '../../schema/auth/auth.inputs.ts'
import { DomainError } from '../../schema/errors.ts'
import type { AppDeps } from '../http/deps.ts'
import { authedToWait } from '../http/guard.ts'
import { PASS_SECONDS } from './passes.ts'

/** `POST /auth/passes`: what may stand in the address of a socket or a file. */
export function passRoutes(deps: Pick<AppDeps, 'auth' | 'config' | 'passes'>) {
  return new Elysia({ prefix: '/auth/passes' }).use(authedToWait(deps)).post(
    '/',
    async ({ who: { userId }, tokenVersion, barred, body, set }) => {
      if (barred && body.for !== 'events') throw barred
      const { path } = body
      if ((body.for === 'media') !== (path !== undefined))
        throw new DomainError('ERR_VALIDATION', {
          fields: [{ path: 'body/path', message: 'of a file, and only there' }],
        })
      const use = body.for === 'media' ? { for: body.for, path: path! } : { for: body.for }
      set.headers['cache-control'] = 'no-store'
      return { pass: await deps.passes.give({ userId, tokenVersion }, use), seconds: PASS_SECONDS[body.for] }
    },
    {
      body: passInput,
      detail: {
        tags: ['auth'],
        summary: 'A pass that stands in an address in place of the token: for one socket, or for one file',
        description:
          'Good for `seconds`. It goes into `?pass=` of `/events` or `/sync`, for one connection, or of `/public/{path}`, and ends with the session. Where the company may not work, there is one for `/events` alone, which then tells of its invoices, and closes with 4003 as soon as the company works again.',
      },
    },
  )
}
