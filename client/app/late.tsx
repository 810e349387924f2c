import { use } from 'react'
import type { ComponentType } from 'react'

/** However busy the browser is, what waits for a quiet moment comes after this, ms. */
const patienceMs = 2500
const quietWithinMs = 500
/** Of several that wait in line, each. */
const turnWithinMs = 100

const shown = Promise.withResolvers<void>()
let isShown = false

/** The screen that was asked for can be used: what it could do without may be fetched now. */
export const firstScreenShown = (): void => {
  isShown = true
  shown.resolve()
}

/** Whether {@link firstScreenShown} was said: from then on what is asked for is drawn at once. */
export const isFirstScreenShown = (): boolean => isShown

/** Resolves when the browser has a moment, at the latest after so many ms. */
export const quietMoment = (withinMs: number): Promise<void> =>
  new Promise((resolve) =>
    // Safari has no idle callback.
    typeof requestIdleCallback === 'function'
      ? requestIdleCallback(() => resolve(), { timeout: withinMs })
      : setTimeout(resolve, 50),
  )

/** The first screen is there, or takes so long that the rest must not wait for it, and the browser has a moment. */
export const afterFirstScreen: Promise<void> = (async () => {
  await Promise.race([shown.promise, new Promise<void>((resolve) => setTimeout(resolve, patienceMs))])
  await quietMoment(quietWithinMs)
})()

let line = afterFirstScreen

/** After the first screen, each in a moment of its own: together they would be one long task. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  line = line.then(() => quietMoment(turnWithinMs))
  return line.then(work)
}

/** A component in a file of its own that is there at once when it has been fetched before. Suspends while it is not. */
export type Late<Props> = ComponentType<Props> & { fetch: () => Promise<ComponentType<Props>> }

/**
 * Like `lazy`, for what belongs to the first minute but not to the first screen: it is fetched when first shown, or
 * in the quiet moment after the first screen, and from then on is shown without suspending.
 */
export function late<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { waits = false }: { waits?: boolean } = {},
): Late<Props> {
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
  const turn = inTurn(fetch)
  let awaited = waits ? turn : null
  turn.catch(() => (awaited = null))
  function Shown(props: Props) {
    const Component = loaded ?? use(awaited ?? fetch())
    return <Component {...props} />
  }
  return Object.assign(Shown, { fetch })
}

/** Like {@link late}, for what waits for the first screen even where it would be shown at once. */
export function afterwards<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  return late(load, { waits: true })
}
