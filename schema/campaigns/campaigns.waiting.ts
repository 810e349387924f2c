import { nextOpen, type BulkHours } from './campaigns.hours.ts'
import { midnightAfter } from './campaigns.forecast.ts'
import { type Allowance, heldBy } from './campaigns.guard.ts'
import { dayIn } from '../companies/companies.subscription.ts'

/** Why people of a campaign that goes on have nothing yet, and until when. */
export type WaitReason = 'connection' | 'hours' | 'daily_cap' | 'new_chats' | 'answer'
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
  asked: number
  askedUntil: Date | null
  /** Null where the number is not guarded. */
  guard: (Allowance & { hours: BulkHours }) | null
}

export function waitingOf(facts: WaitingFacts): Waiting[] {
  const { now, timeZone, guard, ready, readyNew } = facts
  const held = ((): Waiting | null => {
    if (!facts.isConnected) return { reason: 'connection', n: ready, until: null }
    if (!guard) return null
    const open = nextOpen(guard.hours, now, timeZone)
    if (!open || open > now) return { reason: 'hours', n: ready, until: open }
    const by = heldBy(guard, dayIn(timeZone, now))
    if (by === 'all') return { reason: 'daily_cap', n: ready, until: midnightAfter(now, timeZone) }
    return by === 'new_chats' ? { reason: 'new_chats', n: readyNew, until: midnightAfter(now, timeZone) } : null
  })()
  return [
    ...(held && held.n > 0 ? [held] : []),
    ...(facts.asked > 0 ? [{ reason: 'answer' as const, n: facts.asked, until: facts.askedUntil }] : []),
  ]
}
