import { use } from 'react'
import type { ComponentType } from 'react'

/** However busy the browser is, what waits for a quiet moment comes after this, ms. */
const patienceMs = 2500

const shown = Promise.withResolvers<void>()

/** The screen that was asked for can be used: what it could do without may be fetched now. */
export const firstScreenShown = (): void => shown.resolve()

/** The first screen is there, or takes so long that the rest must not wait for it, and the browser has a moment. */
export const afterFirstScreen: Promise<void> = (async () => {
  await Promise.race([shown.promise, new Promise<void>((resolve) => setTimeout(resolve, patienceMs))])
  await new Promise<void>((resolve) =>
    // Safari has no idle callback.
    typeof requestIdleCallback === 'function'
      ? requestIdleCallback(() => resolve(), { timeout: 500 })
      : setTimeout(resolve, 50),
  )
})()

/** A component in a file of its own that is there at once when it has been fetched before. Suspends while it is not. */
export type Late<Props> = ComponentType<Props> & { fetch: () => Promise<ComponentType<Props>> }

/**
 * Like `lazy`, for what belongs to the first minute but not to the first screen: it is fetched when first shown, or
 * in the quiet moment after the first screen, and from then on is shown without suspending.
 */
export function late<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): Late<Props> {
  let loaded: ComponentType<Props> | null = null
  let loading: Promise<ComponentType<Props>> | null = null
  const fetch = () =>
    (loading ??= load().then(
      (module) => (loaded = module.default),
      (error: unknown) => {
        // The next attempt may have a network.
        loading = null
        throw error
      },
    ))
  void afterFirstScreen.then(fetch).catch(() => undefined)
  function Shown(props: Props) {
    const Component = loaded ?? use(fetch())
    return <Component {...props} />
  }
  return Object.assign(Shown, { fetch })
}

/** Like {@link late}, for what waits for the first screen even where it would be shown at once. */
export function afterwards<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  return late(() => afterFirstScreen.then(load))
}
