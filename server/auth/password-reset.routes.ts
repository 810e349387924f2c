import { type Context, Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { email } from '../../schema/inputs.ts'
import { mustUseProvider } from '../../schema/oidc/oidc.rules.ts'
import { resetInput } from '../../schema/auth/auth.inputs.ts'
import { type AddressSource, callerAddress } from '../http/caller.ts'
import { networkOf } from '../network.ts'
import type { AppDeps } from '../http/deps.ts'
import { addJobs } from '../jobs/queue.ts'
import { type Count, createAttempts } from './attempts.ts'
import { findByEmail } from './auth.queries.ts'
import { authCookie, cookieOf, DEVICE_COOKIE } from './cookies.ts'
import { rememberDevice } from './known-devices.ts'
import { hashOfCode } from './password-reset.codes.ts'
import { redeemCode } from './password-reset.writes.ts'
import { hashPassword } from './passwords.ts'
import { DEVICE_SECONDS } from './tokens.ts'

const tags = ['auth']

/** The answer to a request for a code takes at least this long, which is more than the work behind either answer. */
export const REPLY_MS = 100

/** E-mails that nobody has, asked for from one network: whoever asks for so many is not looking for their own. */
const UNKNOWN_PER_HOUR = 20

/**
 * A new password by a code that comes in a mail. That an e-mail is unknown is told, because the clients of this
 * family show it; how many may be asked is limited, by address and by e-mail.
 */
export function passwordResetRoutes(deps: AppDeps) {
  const { authLog, db, events, config, now, signIn, tokens, onRightsChanged } = deps
  const attempts = createAttempts({ topic: 'reset', between: deps.between })
  /** By e-mail and network together: what a stranger asks elsewhere keeps nobody from asking. */
  const counts = (what: string, email: string, network: string, most: { pair: number; network: number }): Count[] => [
    { name: `${what} ${email.toLowerCase()} ${network}`, most: most.pair },
    ...(network === '?' ? [] : [{ name: `${what} ${network}`, most: most.network }]),
  ]

  const use = async (
    input: { email: string; token: string; newPassword: string },
    { request, server, set }: { request: Request; server: AddressSource | null; set: Context['set'] },
  ) => {
    const { email } = input
    const address = callerAddress(request, server, config.trustProxy)
    const counted = counts('code', email, networkOf(address), { pair: 10, network: 60 })
    attempts.begin(counted, now(), () => authLog('lock', { email, address }))
    // Before anything is looked up: whoever has no account waits as long.
    const passwordHash = await hashPassword(input.newPassword)
    const codeHash = hashOfCode(tokens, input.token)
    const user = await redeemCode(db, { email, codeHash, password: input.newPassword, passwordHash, now: now() })
    if (!user) {
      authLog('code-refused', { email, address })
      throw new DomainError('ERR_RESET_CODE')
    }
    authLog('reset', { userId: user.id, companyId: user.companyId, address })
    attempts.forget(counted.slice(0, 1))
    // Whoever forgot their password has often tried it too many times before, and the mailbox is theirs.
    signIn.proven({ email, address })
    const remembered = await rememberDevice(tokens, cookieOf(request, DEVICE_COOKIE), email, now())
    set.headers['set-cookie'] = authCookie(request, config, DEVICE_COOKIE, remembered, DEVICE_SECONDS)
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
        const address = callerAddress(request, server, config.trustProxy)
        const network = networkOf(address)
        const onLocked = () => authLog('lock', { email: params.email, address })
        const unknown: Count = { name: `unknown ${network}`, most: UNKNOWN_PER_HOUR, minutes: 60 }
        const counted = [...counts('ask', params.email, network, { pair: 4, network: 30 }), unknown]
        attempts.begin(counted, now(), onLocked)
        const ask = async () => {
          const found = await findByEmail(db, params.email)
          authLog('code', { userId: found?.user.id, companyId: found?.user.companyId, email: params.email, address })
          // It counts as one that nobody has: who needs no provider is not to be found by asking for all.
          if (found && mustUseProvider(found.provider, found.user)) throw new DomainError('ERR_OIDC_ONLY')
          if (found) attempts.succeeded([unknown])
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
    .post('/resetpasswords', ({ body, ...context }) => use(body, context), {
      body: resetInput,
      detail: { tags, summary: 'Set a new password with the code; ends every session; needs no login' },
    })
    .post('/resetpasswords/:email/:token/:newPassword', ({ params, ...context }) => use(params, context), {
      params: resetInput,
      detail: { tags, summary: 'The same for older clients; a password does not belong into an address' },
    })
}
