import { useEffect, useRef } from 'react'
import { addShortcuts } from '../base/shortcuts.ts'
import { createStore, useStore } from '../base/store.ts'

/** Something that can be done now, from the command palette or by its keys. */
export interface Action {
  id: string
  label: string
  /** Those of one group stand together, in palette and help sheet. */
  group: string
  /** Other words that people may look for. */
  keywords?: string
  /** One or two keys pressed in turn, as in `Shortcut.keys`. */
  shortcut?: string
  /** Whether it can be done at this moment; left out, it always can. */
  when?: boolean
  run: () => void
}

const registered = createStore<readonly Action[]>([])

/** Whether the palette is open. */
export const palette = createStore(false)

/** What was typed before the palette was there, and whether Enter ended it. */
export interface Early {
  text: string
  isEntered: boolean
}

/** Adds actions and their keys; answers how to remove them. */
export function addActions(added: readonly Action[]): () => void {
  registered.set((current) => [...current, ...added])
  const removeShortcuts = addShortcuts(
    added.flatMap(({ shortcut, label, group, run }) => (shortcut ? [{ keys: shortcut, label, group, run }] : [])),
  )
  return () => {
    removeShortcuts()
    registered.set((current) => current.filter((action) => !added.includes(action)))
  }
}

/**
 * Offers actions while the component is mounted. They may be made anew on every render: the latest `run` is the one
 * that runs.
 */
export function useActions(actions: readonly Action[]): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const key = JSON.stringify(actions.filter(({ when }) => when !== false))
  useEffect(() => {
    const offered = JSON.parse(key) as Omit<Action, 'run'>[]
    return addActions(
      offered.map((action) => ({ ...action, run: () => latest.current.find(({ id }) => id === action.id)?.run() })),
    )
  }, [key])
}

/** What can be done now; of several with one id the latest, which is the one of the screen in front. */
export function useOffered(): readonly Action[] {
  return [...new Map(useStore(registered).map((action) => [action.id, action])).values()]
}

/** A screen that was just asked for takes this long to come at most, ms. */
const shownWithinMs = 5000

/** Runs an action of a screen as soon as that screen offers it. */
export function runWhenOffered(id: string): void {
  const tryNow = () => {
    const action = registered.get().findLast((offered) => offered.id === id)
    if (!action) return false
    stop()
    // After the screen has settled: what opens a dialog wants to know where the focus was.
    setTimeout(action.run)
    return true
  }
  const unsubscribe = registered.subscribe(tryNow)
  const timer = setTimeout(unsubscribe, shownWithinMs)
  const stop = () => {
    unsubscribe()
    clearTimeout(timer)
  }
  tryNow()
}
