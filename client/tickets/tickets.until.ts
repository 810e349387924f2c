import { DAY_MS } from '../../schema/durations.ts'
import { dayOf } from '../base/thread.ts'
import { dateText } from '../i18n/dates.ts'

/** Until when something lies aside: the time of today, with the day of this week, or the date. */
export function untilText(at: number, now: number, locale: string): string {
  if (dayOf(at) === dayOf(now)) return dateText(locale, at, 'time')
  return at - now < 6 * DAY_MS ? dateText(locale, at, 'weekday', 'time') : dateText(locale, at, 'date', 'time')
}
