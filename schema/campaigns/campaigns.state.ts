import { HOUR_MS, MINUTE_MS } from '../durations.ts'
import { hasPassed } from '../past.ts'

/** The words of the life of a campaign and of each of its messages. What may be done follows from the stored row, never from what is asked. */

export const campaignStatuses = ['INATIVA', 'PROGRAMADA', 'EM_ANDAMENTO', 'PAUSADA', 'CANCELADA', 'FINALIZADA'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

export const shippingStates = [
  'planned',
  'skipped',
  'sent',
  'delivered',
  'read',
  'replied',
  'failed',
  'cancelled',
] as const
export type ShippingState = (typeof shippingStates)[number]

/** Why somebody gets no message. */
export const skipReasons = [
  'opted_out',
  'not_on_whatsapp',
  'no_number',
  'not_confirmed',
  'declined',
  'too_many',
  /** Something that the template wants is not known of them. */
  'no_values',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Why a campaign stands still. `hand` and those of `onlyPeopleResume` wait for a person; the others go on by themselves. */
export const pauseReasons = [
  'hand',
  'refused',
  'locked',
  'logout',
  'rate_failed',
  'rate_not_on_whatsapp',
  'rate_undelivered',
  'rate_opted_out',
  'too_long',
  /** Over an official connection: its template is paused, may not be sent, became dearer unseen, or is not there. */
  'template_paused',
  'template_stopped',
  'template_drift',
  'template_gone',
  /** Its file is not what the header of its template wants. */
  'template_file',
  /** Also there: the service took what went to many for spam, limited the account, or wants something set up first. */
  'service_spam',
  'service_limited',
  'service_withdrawn',
  'service_setup',
  'subscription',
  'restored',
] as const
export type PauseReason = (typeof pauseReasons)[number]

/** What people do with a campaign; what each makes of it is in `campaigns.transition.ts`. */
export type CampaignMove = 'start' | 'cancel' | 'restart' | 'pause' | 'resume' | 'retry'

/** What of a campaign may be written: everything, only its texts, or nothing. */
export function editable(
  campaign: { status: CampaignStatus; scheduledAt: Date | null },
  now: Date,
): 'all' | 'texts' | 'nothing' {
  const { status, scheduledAt } = campaign
  if (status === 'INATIVA') return 'all'
  if (status === 'CANCELADA') return 'texts'
  const isFar = scheduledAt === null || scheduledAt.getTime() - now.getTime() > HOUR_MS
  return status === 'PROGRAMADA' && isFar ? 'all' : 'nothing'
}

/** A date makes a campaign a scheduled one, and taking it away makes it inactive again. */
export const statusBySchedule = (scheduledAt: Date | null): CampaignStatus =>
  scheduledAt === null ? 'INATIVA' : 'PROGRAMADA'

/**
 * Whether a date that is written has passed: saving it would begin a campaign that nobody has started. One that stands is
 * known without its seconds, which forms do not show.
 */
export function isTooLate(written: Date | null, stored: Date | null, now: Date): boolean {
  if (written === null) return false
  const minute = (at: Date) => Math.floor(at.getTime() / MINUTE_MS)
  if (stored !== null && minute(stored) === minute(written)) return false
  return hasPassed(written, now)
}

/** Running, or about to go on: it is not deleted, and its list is not either. */
export const isAtWork = (status: CampaignStatus): boolean => status === 'EM_ANDAMENTO' || status === 'PAUSADA'
