import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../session/api.ts'
import { loginWithPasskey, offersPasskeys } from '../account/passkeys.ts'

/** A question is good for five minutes: a login screen that stands open longer asks again before that. */
const ASK_AGAIN_MS = 4 * 60_000
const reportedCodes = new Set([
  'ERR_PASSKEY',
  'ERR_PASSKEY_CHALLENGE',
  'ERR_IP_REFUSED',
  'ERR_SUBSCRIPTION_EXPIRED',
  'ERR_COMPANY_OFF',
])

/**
 * While the login screen is open, the browser offers keys where the e-mail is typed, if it can.
 * @param paused while somebody enters in another way
 * @returns whether a key was chosen and the server is asked whether it is good: to enter in another way at that moment
 * would begin two sessions, of which the later to reach the server ends the other
 */
export function usePasskeyAutofill(
  paused: boolean,
  { onEntered, onFailed }: { onEntered: () => void; onFailed: (reason: unknown) => void },
): boolean {
  const [isEntering, setEntering] = useState(false)
  const callbacks = useRef({ onEntered, onFailed })
  useEffect(() => {
    callbacks.current = { onEntered, onFailed }
  })
  useEffect(() => {
    if (paused) return
    let current = new AbortController()
    let isChosen = false
    const turn = (on: boolean) => setEntering((isChosen = on))
    const wait = async () => {
      current.abort()
      const { signal } = (current = new AbortController())
      if (!(await offersPasskeys().catch(() => false)) || signal.aborted) return
      try {
        // At once: the next click may have happened already.
        await loginWithPasskey({ waiting: signal, onChosen: () => flushSync(() => turn(true)) })
        callbacks.current.onEntered()
      } catch (error) {
        if (signal.aborted) return
        turn(false)
        // Nobody asked for it, so only what became of a chosen key is told.
        if (!(error instanceof ApiError) || !reportedCodes.has(error.code)) return
        callbacks.current.onFailed(error)
        void wait()
      }
    }
    void wait()
    const timer = setInterval(() => void (isChosen || wait()), ASK_AGAIN_MS)
    return () => {
      clearInterval(timer)
      current.abort()
      turn(false)
    }
  }, [paused])
  return isEntering
}
