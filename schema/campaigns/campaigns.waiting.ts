import { nextOpen, type BulkHours } from './campaigns.hours.ts'
import { midnightAfter } from './campaigns.forecast.ts'
import { type Allowance, heldBy } from './campaigns.guard.ts'
import { dayIn } from '../companies/companies.subscription.ts'

/** Why people of a campaign that goes on have nothing yet, and until when. */
/** `locked`: WhatsApp lets the connection begin no chats. */
export type WaitReason = 'connection' | 'hours' | 'daily_cap' | 'new_chats' | 'locked' | 'answer'
export interface Waiting {
  reason: WaitReason
  /** So many people. */
  n: number
  /** When it goes on; of an answer, until when it is waited for. Null: nobody knows. */
  until: Date | null
}

export interface WaitingFacts {
  now: Date
  timeZone: string
  isConnected: boolean
  /** Whose turn it could be, and those of them with whom it would begin a chat. */
  ready: number
  readyNew: number
  /** Who was asked and has not answered, and until when that is waited for. */
  /** Who of those ready has never written to the connection. */
  readyWithoutChat: number
  asked: number
  askedUntil: Date | null
  /** Until when WhatsApp lets the connection begin no chats; null where it may. */
  lockedUntil: Date | null
  /** Null where the number is not guarded. */
  guard: (Allowance & { hours: BulkHours }) | null
}

export function waitingOf(facts: WaitingFacts): Waiting[] {
  const { now, timeZone, guard, ready, readyNew } = facts
  const locked: Waiting | null =
    facts.lockedUntil && facts.lockedUntil > now && facts.readyWithoutChat > 0
      ? { reason: 'locked', n: facts.readyWithoutChat, until: facts.lockedUntil }
      : null
  const held = ((): Waiting | null => {
    if (!facts.isConnected) return { reason: 'connection', n: ready, until: null }
    if (!guard) return locked
    const open = nextOpen(guard.hours, now, timeZone)
    if (!open || open > now) return { reason: 'hours', n: ready, until: open }
    const by = heldBy(guard, dayIn(timeZone, now))
    if (by === 'all') return { reason: 'daily_cap', n: ready, until: midnightAfter(now, timeZone) }
    const midnight = midnightAfter(now, timeZone)
    // What lasts longer is what is waited for.
    if (by !== 'new_chats' || readyNew === 0 || (locked && locked.until! > midnight)) return locked
    return { reason: 'new_chats', n: readyNew, until: midnight }
  })()
  return [
    ...(held && held.n > 0 ? [held] : []),
    ...(facts.asked > 0 ? [{ reason: 'answer' as const, n: facts.asked, until: facts.askedUntil }] : []),
  ]
}
