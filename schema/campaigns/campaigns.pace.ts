import { DAY_MS } from '../durations.ts'
import { chance } from './campaigns.message.ts'

/** Seconds between messages. */
export interface Pace {
  messageInterval: number
  /** After so many messages the longer pause is made; 0 never. */
  longerIntervalAfter: number
  /** The longer pause; 0 is none. */
  greaterInterval: number
}
export const standardPace: Pace = { messageInterval: 20, longerIntervalAfter: 20, greaterInterval: 60 }

/** No two gaps are alike; on average they are what was set. */
const JITTER = 0.1

/**
 * Milliseconds from a message to the next.
 * @param sends how many have left, that one among them
 */
export function gapAfter(pace: Pace, sends: number, seed: number): number {
  const isLonger = pace.longerIntervalAfter > 0 && pace.greaterInterval > 0 && sends % pace.longerIntervalAfter === 0
  const seconds = isLonger ? pace.greaterInterval : pace.messageInterval
  return Math.round(seconds * 1_000 * (1 + JITTER * (2 * chance(seed, `gap ${sends}`) - 1)))
}

/** Whether the next one waits until WhatsApp has said a word about the last: so a refusal stops the one after it. */
export const isPaced = (pace: Pace): boolean => pace.messageInterval > 0

/** Who has not answered a question for so long is not asked for any more. */
export const CONFIRM_MS = 7 * DAY_MS
