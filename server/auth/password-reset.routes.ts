import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { email } from '../../schema/inputs.ts'
import { resetPassword } from '../../schema/users/users.passwords.ts'
import { callerAddress } from '../http/caller.ts'
import type { AppDeps } from '../http/deps.ts'
import { addJobs } from '../jobs/queue.ts'
import { createAttempts } from './attempts.ts'
import { findByEmail } from './auth.queries.ts'
import { CODE_TRIES, hashOfCode } from './password-reset.codes.ts'
import { redeemCode } from './password-reset.queries.ts'
import { hashPassword } from './passwords.ts'

const tags = ['auth']
const code = t.String({ minLength: 1, maxLength: 64 })

/** The answer to a request for a code takes at least this long, which is more than the work behind either answer. */
export const REPLY_MS = 100

/**
 * A new password by a code that comes in a mail. That an e-mail is unknown is told, because the clients of this
 * family show it; how many may be asked is limited, by address and by e-mail.
 */
export function passwordResetRoutes(deps: AppDeps) {
  const { db, events, config, now, attempts, tokens, onRightsChanged } = deps
  const requests = createAttempts({ perEmail: 4, perAddress: 30 })
  const uses = createAttempts({ perEmail: 10, perAddress: 60 })

  const use = async (input: { email: string; token: string; newPassword: string }, address: string | null) => {
    uses.begin(input.email, address, now())
    // Before anything is looked up: whoever has no account waits as long.
    const passwordHash = await hashPassword(input.newPassword)
    const user = await redeemCode(db, {
      email: input.email,
      codeHash: hashOfCode(tokens, input.token),
      passwordHash,
      now: now(),
      maxTries: CODE_TRIES,
    })
    if (!user) throw new DomainError('ERR_RESET_CODE')
    uses.succeeded(input.email, address)
    // Whoever forgot their password has often tried it too many times before.
    attempts.succeeded(input.email, null)
    onRightsChanged(user.id)
    events.emit({
      companyId: user.companyId,
      name: 'auth',
      action: 'logout',
      payload: {},
      audience: { userId: user.id },
    })
    return {}
  }

  return new Elysia()
    .get('/forgetpassword', () => ({ enabled: config.mail !== undefined }), {
      detail: { tags, summary: 'Whether codes can be sent: a mail server is configured; needs no login' },
    })
    .post(
      '/forgetpassword/:email',
      async ({ params, request, server }) => {
        if (!config.mail) throw new DomainError('ERR_NO_MAIL')
        requests.begin(params.email, callerAddress(request, server, config.trustProxy), now())
        const ask = async () => {
          const found = await findByEmail(db, params.email)
          if (found) await addJobs(db, found.user.companyId, [{ kind: 'mail.passwordReset', userId: found.user.id }])
          return { status: found ? 200 : 404 }
        }
        const [answer] = await Promise.all([ask(), Bun.sleep(REPLY_MS)])
        return answer
      },
      {
        params: t.Object({ email }),
        detail: {
          tags,
          summary: 'Send a code to the e-mail; `status` in the answer is 404 when nobody has it; needs no login',
        },
      },
    )
    .post(
      '/resetpasswords',
      ({ body, request, server }) => use(body, callerAddress(request, server, config.trustProxy)),
      {
        body: t.Object({ email, token: code, newPassword: resetPassword }),
        detail: { tags, summary: 'Set a new password with the code; ends every session; needs no login' },
      },
    )
    .post(
      '/resetpasswords/:email/:token/:newPassword',
      ({ params, request, server }) => use(params, callerAddress(request, server, config.trustProxy)),
      {
        params: t.Object({ email, token: code, newPassword: resetPassword }),
        detail: { tags, summary: 'The same for older clients; a password does not belong into an address' },
      },
    )
}
