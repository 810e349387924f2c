import { useEffect } from 'react'
import { isComposing } from './is-composing.ts'
import { createStore, useStore } from './store.ts'

/** One shortcut: one or two keys pressed in turn (`?`, `g t`). Letters are lower case; a name like `Escape` is the event's `key`. */
export interface Shortcut {
  keys: string
  label: string
  /** Those of one group stand together in the sheet. */
  group?: string
  run: () => void
}

const registered = createStore<readonly Shortcut[]>([])

/** Adds shortcuts; answers how to remove them. */
export function addShortcuts(added: readonly Shortcut[]): () => void {
  registered.set((current) => [...current, ...added])
  return () => registered.set((current) => current.filter((shortcut) => !added.includes(shortcut)))
}

/** A shortcut as the sheet tells it. */
export type ListedShortcut = Pick<Shortcut, 'keys' | 'label' | 'group'>

const ofRows = createStore<readonly ListedShortcut[]>([])

/** What the sheet tells of keys that a list answers itself, for the row that the keyboard is at. */
export const useRowShortcuts = (): readonly ListedShortcut[] => useStore(ofRows)

/** Tells them while the list is mounted. */
export function useListedForRow(shortcuts: readonly ListedShortcut[]): void {
  const announced = JSON.stringify(shortcuts)
  useEffect(() => {
    const added = JSON.parse(announced) as ListedShortcut[]
    ofRows.set((current) => [...current, ...added])
    return () => ofRows.set((current) => current.filter((one) => !added.includes(one)))
  }, [announced])
}

/** Whether the sheet that lists them is open. */
export const shortcutsSheet = createStore(false)

export const useShortcuts = (): readonly Shortcut[] => useStore(registered)

/** The second key counts for this long after the first, ms. */
export const sequenceMs = 1000

/**
 * What a key press means, given the one before it.
 *
 * @param held the first key of a sequence still waiting for its second, or null
 */
export function pressed(
  shortcuts: readonly Shortcut[],
  held: string | null,
  key: string,
): { run: Shortcut } | { held: string } | 'nothing' {
  const sequence = held === null ? key : `${held} ${key}`
  // The latest registered wins: a screen may take over a key of the shell.
  const match = shortcuts.findLast((shortcut) => shortcut.keys === sequence)
  if (match) return { run: match }
  if (held !== null) return pressed(shortcuts, null, key)
  return shortcuts.some((shortcut) => shortcut.keys.startsWith(`${key} `)) ? { held: key } : 'nothing'
}

/** The first key of a sequence, and when it was pressed; it waits for its second. */
let held: { key: string; at: number } | null = null

const heldAt = (timeStamp: number): string | null =>
  held !== null && timeStamp - held.at <= sequenceMs ? held.key : null

/** Whether this key ends a sequence that was begun: what has keys of its own must leave it to the listener below. */
export function endsSequence({ key, timeStamp }: { key: string; timeStamp: number }): boolean {
  const first = heldAt(timeStamp)
  return first !== null && registered.get().some(({ keys }) => keys === `${first} ${key.toLowerCase()}`)
}

const fields = 'input, textarea, select, [contenteditable]'
// One that is closing holds the focus until it is gone; what is pressed meanwhile is meant for the screen.
const surfaces = ['menu', 'listbox', 'dialog', 'alertdialog']
  .map((role) => `[role="${role}"]:not([data-state="closed"])`)
  .join(', ')

/** Listens to the keyboard; answers how to stop. Keys typed into fields, menus and dialogs are not shortcuts. */
export function listenToShortcuts(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement | null
    if (target?.closest(`${fields}, ${surfaces}`)) {
      // What is written is left with Escape, and the keys are shortcuts again.
      if (event.key === 'Escape' && target.matches(fields) && !target.closest(surfaces)) target.blur()
      return
    }
    if (document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"]')) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const result = pressed(registered.get(), heldAt(event.timeStamp), key)
    held = null
    if (result === 'nothing') return
    if ('held' in result) {
      held = { key: result.held, at: event.timeStamp }
      return
    }
    event.preventDefault()
    result.run.run()
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}
