import type { PauseReason } from './campaigns.state.ts'

/** Chats a day with people who never wrote: one step more after each day without a stop. Our own defaults, unproven. */
export const warmup = [20, 40, 80, 150, 300, 500] as const
/**
 * How many chats a day a connection may begin with people who never wrote.
 * @param cap the company’s own number, which wins; null: by the step of the warm-up
 */
export const newChatsOf = (step: number, cap: number | null): number =>
  cap ?? warmup[Math.min(Math.max(step, 0), warmup.length - 1)]!

/** The step of a connection on a day, by the last day on which it sent to many. */
export const stepOn = (step: number, last: string | null, today: string): number =>
  last === null || last === today ? step : Math.min(step + 1, warmup.length - 1)

/** What a connection may still send today. */
export interface Allowance {
  dailyCap: number
  newChatCap: number | null
  warmupStep: number
  warmupDay: string | null
  sentToday: number
  newToday: number
}

/** What the caps of a day hold back; nothing, new chats, or all. */
export function heldBy(allowance: Allowance, today: string): 'nothing' | 'new_chats' | 'all' {
  if (allowance.sentToday >= allowance.dailyCap) return 'all'
  const step = stepOn(allowance.warmupStep, allowance.warmupDay, today)
  return allowance.newToday >= newChatsOf(step, allowance.newChatCap) ? 'new_chats' : 'nothing'
}

/** How the last messages of a connection went. */
export interface Lately {
  /** Those that left, failed, or were found not to be on WhatsApp; at most 50. */
  all: number
  failed: number
  notOnWhatsapp: number
  /** At WhatsApp for a day, and on no phone. */
  undelivered: number
  optedOut: number
}

/** From so many on rates say something. */
const FROM = 20
export const LATELY = 50

const rates: readonly { of: keyof Lately; most: number; reason: PauseReason }[] = [
  { of: 'failed', most: 0.2, reason: 'rate_failed' },
  { of: 'notOnWhatsapp', most: 0.15, reason: 'rate_not_on_whatsapp' },
  { of: 'undelivered', most: 0.6, reason: 'rate_undelivered' },
  { of: 'optedOut', most: 0.05, reason: 'rate_opted_out' },
]

/** Why a connection should send no more, or null. */
export function stopBy(lately: Lately): PauseReason | null {
  if (lately.all < FROM) return null
  return rates.find(({ of, most }) => lately[of] / lately.all >= most)?.reason ?? null
}

/** What WhatsApp answers to who may begin no new chats. Nobody tries again by themselves. */
export const isLock = (error: string | null | undefined): boolean => error === '463'
