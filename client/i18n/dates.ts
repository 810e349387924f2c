import { languageTags } from '../../schema/languages.ts'
import type { Locale } from './locale.ts'

const dayMonth = { day: '2-digit', month: '2-digit' } as const
const fullDate = { ...dayMonth, year: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit' } as const

const looks = {
  /** 21:03 */
  time,
  /** With the seconds. */
  clock: { ...time, second: '2-digit' },
  weekday: { weekday: 'short' },
  weekdayName: { weekday: 'long' },
  dayMonth,
  date: { ...dayMonth, year: '2-digit' },
  fullDate,
  /** Written out, without the year. */
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
  moment: { ...fullDate, ...time },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DateLook = keyof typeof looks

/** Formatters are made once: making one costs more than the row it is for. */
const formats = new Map<string, Intl.DateTimeFormat>()

function format(locale: string, look: DateLook, timeZone?: string): Intl.DateTimeFormat {
  const key = `${locale}:${look}:${timeZone}`
  let made = formats.get(key)
  if (!made) {
    made = new Intl.DateTimeFormat(tagOf(locale), { ...looks[look], ...(timeZone && { timeZone }) })
    formats.set(key, made)
  }
  return made
}

/** Without the point of an abbreviation: a short weekday stands alone, or before a time. */
function written(locale: string, look: DateLook, at: number | Date, timeZone?: string): string {
  const text = format(locale, look, timeZone).format(at)
  return look === 'weekday' ? text.replace('.', '') : text
}

/** The country too: English alone would be the dates and the clock of the United States. */
const tagOf = (locale: string): string => languageTags[locale as Locale] ?? locale

/**
 * A moment on this machine's clock as people of a language write it: the one place where the screens get it from.
 * @param locale `i18n.locale`
 * @param at ms since 1970, or a date
 * @param parts what of it is written, with blanks between
 */
export const dateText = (locale: string, at: number | Date, ...parts: [DateLook, ...DateLook[]]): string =>
  parts.map((look) => written(locale, look, at)).join(' ')

/** The same on the clock of another zone, such as the company's. */
export const dateTextIn = (timeZone: string, locale: string, at: number, ...parts: [DateLook, ...DateLook[]]): string =>
  parts.map((look) => written(locale, look, at, timeZone)).join(' ')

/**
 * What a zone is called now: `GMT-3`, or what people there call their time; nothing where this browser knows no such zone.
 */
export function zoneText(timeZone: string, locale: string, look: 'shortOffset' | 'longGeneric'): string {
  try {
    const parts = new Intl.DateTimeFormat(tagOf(locale), { timeZone, timeZoneName: look }).formatToParts()
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  } catch {
    return ''
  }
}

/** An hour of the day, 0 to 23: `9h`, in English `09:00`. */
export const hourText = (locale: string, hour: number): string =>
  locale.startsWith('en') ? `${String(hour).padStart(2, '0')}:00` : `${hour}h`

/** On which day weeks begin where a language is at home; Sunday where the browser does not know. */
export function firstDayOf(language: string): number {
  const locale = new Intl.Locale(tagOf(language)) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 7) % 7
}
