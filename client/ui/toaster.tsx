import { useEffect, useState, useSyncExternalStore } from 'react'
import type { ToasterProps } from './toasts.tsx'
import type * as toasts from './toasts.tsx'

type Kind = 'success' | 'error' | 'info' | 'warning'
export interface ToastOptions {
  description?: string
  /** ms; Infinity stays until it is closed. Where none is given, as long as `timeToasts` says. */
  duration?: number
  /** Of several with one id, the latest is shown. */
  id?: string
  action?: { label: string; onClick: () => void }
}

type Toasts = typeof toasts

/** Nothing of it is fetched before the first toast, or before {@link prepareToasts} is called. */
let wanted = false
const listeners = new Set<() => void>()
const mounted = Promise.withResolvers<(kind: Kind | null, text: string, options?: ToastOptions) => void>()

/** Fetches what toasts need, in a quiet moment. */
export function prepareToasts(): void {
  wanted = true
  for (const listener of listeners) listener()
}

let usualMs: () => number = () => 2_000
/** @param by how long a toast stays that is shown now (ms) */
export function timeToasts(by: () => number): void {
  usualMs = by
}

function show(kind: Kind | null, text: string, options?: ToastOptions): void {
  prepareToasts()
  // Settled now: somebody may be on another screen when there is a place for it.
  const timed = { duration: usualMs(), ...options }
  void mounted.promise.then((shown) => shown(kind, text, timed))
}

/** Says something in passing. */
export const toast = Object.assign((text: string, options?: ToastOptions) => show(null, text, options), {
  success: (text: string, options?: ToastOptions) => show('success', text, options),
  error: (text: string, options?: ToastOptions) => show('error', text, options),
  info: (text: string, options?: ToastOptions) => show('info', text, options),
  warning: (text: string, options?: ToastOptions) => show('warning', text, options),
})

/**
 * Where toasts appear.
 * @param load brings what they need, however long that takes: what is said meanwhile is shown then
 */
export function Toaster({ load, ...props }: ToasterProps & { load: () => Promise<Toasts> }) {
  const show = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => wanted,
  )
  const [toasts, setToasts] = useState<Toasts | null>(null)
  useEffect(() => {
    if (show) void load().then(setToasts)
  }, [show, load])
  // A toast that is made before the place for it exists would be lost.
  useEffect(() => {
    if (toasts) mounted.resolve(toasts.show)
  }, [toasts])
  // A dialog that opens hides all else from screen readers, but no live regions: this one is there before any toast is.
  return <div aria-live="off">{toasts && <toasts.default {...props} />}</div>
}
