import { closedWindow, type WindowFacts, windowEnd } from '../../schema/messages/messages.window.ts'
import { HOUR_MS } from '../../schema/durations.ts'

/** Whether one may write to a contact now, over a connection that lets one only for a time after they wrote. */
export type TalkWindow =
  | {
      is: 'open'
      until: Date
      /** Less than an hour is left: the seconds are counted. */
      isEnding: boolean
    }
  /** Since when not; null where nothing of theirs is known here. */
  | { is: 'closed'; since: Date | null }

/**
 * @param isWhole whether all that the contact may have written lately is known here; if not, what is known still says
 *   until when one may write at least, and an end that has passed says nothing: the server refuses then
 * @param now ms since 1970
 */
export function talkWindow(facts: WindowFacts, isWhole: boolean, now: number): TalkWindow | null {
  const closed = closedWindow(facts, new Date(now))
  if (closed) return isWhole ? { is: 'closed', since: closed.closedAt } : null
  const until = windowEnd(facts)
  if (!until) return null
  return { is: 'open', until, isEnding: until.getTime() - now < HOUR_MS }
}
