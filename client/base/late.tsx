import { createElement, startTransition, use, useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { once, patient, repeatable } from '../../sync/client/repeatable.ts'

/** However busy the browser is, what waits for a quiet moment comes after this, ms. */
const shownWithinMs = 2500
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
  await Promise.race([shown.promise, new Promise<void>((resolve) => setTimeout(resolve, shownWithinMs))])
  await quietMoment(quietWithinMs)
})()

let line = afterFirstScreen

/** After the first screen, each in a moment of its own: together they would be one long task. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  line = line.then(() => quietMoment(turnWithinMs))
  return line.then(work)
}

/** What waits in line now has had its turn. */
export async function lateParts(): Promise<void> {
  await afterFirstScreen
  await line
  await quietMoment(turnWithinMs)
}

/** A component that is fetched once, when it is asked for. */
function kept<Props>(again: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | null = null
  return { now: () => loaded, fetch: once(async () => (loaded = (await again()).default)) }
}

/** The same: when it is its turn, or before, when it is asked for. */
function fetched<Props>(again: () => Promise<{ default: ComponentType<Props> }>) {
  const part = kept(again)
  const turn = inTurn(part.fetch)
  turn.catch(() => undefined)
  return { ...part, turn }
}

/** What the place of a part is told that could not be fetched. */
export interface MissingProps {
  onRetry: () => void
  /** Of a dialog: it is wanted no more. */
  onClose: (() => void) | undefined
}
let missing: () => ComponentType<MissingProps> | null = () => null
/** Has what stands in such a place fetched before anything is missed: without a network it could not come itself. */
export const whenMissing = (load: () => Promise<{ default: ComponentType<MissingProps> }>): void => {
  missing = fetched(patient(load)).now
}

/** A component in a file of its own that is there at once when it has been fetched before. Suspends while it is not. */
export type Late<Props> = ComponentType<Props> & { fetch: () => Promise<ComponentType<Props>> }

/**
 * Shows a component when it has come. Where it cannot come, its place says so and asks again: a dialog that the network
 * failed must not take the screen with it.
 */
function shownWhenThere<Props extends object>(
  now: () => ComponentType<Props> | null,
  fetch: () => Promise<ComponentType<Props>>,
): Late<Props> {
  let tried: Promise<ComponentType<Props> | null> | null = null
  const tryOnce = () => (tried ??= fetch().catch(() => null))
  const forget = () => {
    tried = null
  }
  function Shown(props: Props) {
    const [, draw] = useState(0)
    const there = now() ?? use(tryOnce())
    if (there) return createElement(there, props)
    const onRetry = () => {
      forget()
      startTransition(() => draw((times) => times + 1))
    }
    // By either of these a part says that it is a dialog.
    const { onClose, onOpenChange } = props as Partial<MissingProps> & { onOpenChange?: (open: boolean) => void }
    const close = onClose ?? (onOpenChange && (() => onOpenChange(false)))
    return <Failed onRetry={onRetry} onClose={close} forget={forget} />
  }
  return Object.assign(Shown, { fetch })
}

function Failed({ forget, ...props }: MissingProps & { forget: () => void }) {
  // Who opens it anew has it asked for anew.
  useEffect(() => forget, [forget])
  const [Missing] = useState(missing)
  return Missing && <Missing {...props} />
}

/**
 * Like `lazy`, for what belongs to the first minute but not to the first screen: it is fetched when first shown, or
 * in the quiet moment after the first screen, and from then on is shown without suspending.
 */
export function late<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): Late<Props> {
  const { now, fetch } = fetched(repeatable(load))
  return shownWhenThere(now, fetch)
}

/** Like `lazy`, for what is fetched when it is first shown. */
export function onDemand<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): Late<Props> {
  const { now, fetch } = kept(repeatable(load))
  return shownWhenThere(now, fetch)
}

/**
 * For what waits for the first screen even where it would be shown at once; `room` stands for it until then. It does
 * not suspend: all that suspends is shown together, in one long task, and these come one by one. Where it cannot be
 * fetched, it is asked for again until it comes, and the screen stands without it.
 */
export function afterwards<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props & { room?: ReactNode }> {
  const { now, turn } = fetched(patient(load))
  return function Afterwards({ room = null, ...props }) {
    const [Component, setComponent] = useState(now)
    useEffect(() => {
      if (Component) return
      void turn.then((component) => startTransition(() => setComponent(() => component)))
    }, [Component])
    // What is left of the props is the component's own.
    return Component ? <Component {...(props as unknown as Props)} /> : room
  }
}
