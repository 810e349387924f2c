import type * as WebAuthn from '@simplewebauthn/browser'
import { api, ApiError } from '../session/api.ts'
import { keys, local } from '../base/local.ts'
import type { Session, SessionUser } from '../session/session-store.ts'
import { session } from '../session/session-store.ts'

type Browser = typeof WebAuthn
type MakeOptions = Parameters<Browser['startRegistration']>[0]['optionsJSON']
type SignOptions = Parameters<Browser['startAuthentication']>[0]['optionsJSON']

/** A key that one of the person's devices holds, as `GET /auth/passkeys` tells of it. */
export interface Passkey {
  id: number
  name: string
  /** It is in an account of its maker, and so on several devices. */
  synced: boolean
  /** ISO instants. */
  createdAt: string
  lastUsedAt: string | null
}

/**
 * Whether this browser has keys here: none has over plain http to another machine, nor where the address is a number,
 * since keys are bound to a name.
 */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(location.hostname)

/** Only who uses one needs it. */
const browser = (): Promise<Browser> => import('@simplewebauthn/browser')

/** Has this device, or another that the browser reaches, make a key. @throws ApiError */
export async function makePasskey(currentPassword: string, name: string): Promise<Passkey> {
  const optionsJSON = await api.post<MakeOptions>('/auth/passkeys/begin', { currentPassword })
  const { startRegistration } = await browser()
  const response = await startRegistration({ optionsJSON }).catch(asOurs)
  return api.post<Passkey>('/auth/passkeys', { name, response })
}

/**
 * Signs in by a key. @throws ApiError
 * @param challenge the first half of a login, of which this is the second
 * @param waiting given, no window opens: the browser waits until the person chooses a key among what it offers for the
 * e-mail, or until this is aborted
 * @param onChosen called when they have chosen one, before the server is told
 */
export async function loginWithPasskey({
  challenge,
  waiting,
  onChosen,
}: {
  challenge?: string
  waiting?: AbortSignal
  onChosen?: () => void
}): Promise<Session> {
  await session.cleaned()
  const half = challenge === undefined ? {} : { challenge }
  const optionsJSON = await api.post<SignOptions>('/auth/passkey/begin', half, { auth: false })
  const { startAuthentication, WebAuthnAbortService } = await browser()
  const demandWanted = () => {
    if (waiting?.aborted) throw new ApiError('ERR_PASSKEY_STOPPED', 0)
  }
  demandWanted()
  const stop = () => WebAuthnAbortService.cancelCeremony()
  waiting?.addEventListener('abort', stop)
  const asked = startAuthentication({ optionsJSON, useBrowserAutofill: waiting !== undefined })
  const response = await asked.catch(asOurs).finally(() => waiting?.removeEventListener('abort', stop))
  demandWanted()
  onChosen?.()
  const body = { ...half, response }
  const answer = await api.post<{ token: string; user: SessionUser }>('/auth/passkey/enter', body, { auth: false })
  // Meanwhile they have entered in another way.
  demandWanted()
  local.set(keys.lastEmail, answer.user.email)
  return session.begin(answer.token, answer.user)
}

/** Whether the browser offers keys where the e-mail is typed. */
export const offersPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && (await browser()).browserSupportsWebAuthnAutofill()

/** What a browser says of its devices, as one of our codes. */
function asOurs(error: unknown): never {
  const { name } = error as Error
  if (name === 'InvalidStateError') throw new ApiError('ERR_PASSKEY_KNOWN', 0)
  // The same word for "the person said no", "took too long" and "there is none".
  if (name === 'NotAllowedError' || name === 'AbortError') throw new ApiError('ERR_PASSKEY_STOPPED', 0)
  throw new ApiError('ERR_PASSKEY_DEVICE', 0)
}
