import type { Effect } from './effects.ts'

/** So long a person is offered to take back what they did, ms. */
export const UNDO_MS = 10_000
/** So long the contact is told nothing of it, ms: a click of the last moment still has to travel. */
export const HELD_MS = 15_000

/** The effect of a decision that can be taken back by the id of its command, or of one that cannot. */
export function heldIf(isHeld: boolean | undefined, key: string, effects: Effect[]) {
  const [effect] = effects
  return isHeld && effect ? { effects: [], held: [{ key, effect }] } : { effects }
}
