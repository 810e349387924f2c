import { useEffect, useRef } from 'react'
import { ApiError } from '../app/api.ts'
import { loginWithPasskey, offersPasskeys } from '../app/passkeys.ts'

/** A question is good for five minutes: a login screen that stands open longer asks again before that. */
const ASK_AGAIN_MS = 4 * 60_000
const toldCodes = new Set(['ERR_PASSKEY', 'ERR_PASSKEY_CHALLENGE', 'ERR_IP_REFUSED', 'ERR_SUBSCRIPTION_EXPIRED'])

/**
 * While the login screen is open, the browser offers keys where the e-mail is typed, if it can.
 * @param paused while a key is asked for in a window of the browser
 */
export function usePasskeyAutofill(
  paused: boolean,
  { onEntered, onFailed }: { onEntered: () => void; onFailed: (reason: unknown) => void },
): void {
  const told = useRef({ onEntered, onFailed })
  useEffect(() => {
    told.current = { onEntered, onFailed }
  })
  useEffect(() => {
    if (paused) return
    let current = new AbortController()
    const wait = async () => {
      current.abort()
      const { signal } = (current = new AbortController())
      if (!(await offersPasskeys().catch(() => false)) || signal.aborted) return
      try {
        await loginWithPasskey({ waiting: signal })
        told.current.onEntered()
      } catch (error) {
        // Nobody asked for it, so only what became of a chosen key is told.
        if (signal.aborted || !(error instanceof ApiError) || !toldCodes.has(error.code)) return
        told.current.onFailed(error)
        void wait()
      }
    }
    void wait()
    const timer = setInterval(() => void wait(), ASK_AGAIN_MS)
    return () => {
      clearInterval(timer)
      current.abort()
    }
  }, [paused])
}
