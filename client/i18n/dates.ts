const dayMonth = { day: '2-digit', month: '2-digit' } as const
const fullDate = { ...dayMonth, year: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit' } as const

const looks = {
  /** 21:03, 9:03 PM */
  time,
  /** With the seconds. */
  clock: { ...time, second: '2-digit' },
  hour: { hour: 'numeric' },
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
    made = new Intl.DateTimeFormat(locale, { ...optionsFor(locale, look), ...(timeZone && { timeZone }) })
    formats.set(key, made)
  }
  return made
}

/** Nobody writes "09:03 PM". */
function optionsFor(locale: string, look: DateLook): Intl.DateTimeFormatOptions {
  const options: Intl.DateTimeFormatOptions = looks[look]
  return options.hour && twelveHours(locale) ? { ...options, hour: 'numeric' } : options
}

const twelveHours = (locale: string): boolean =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true

/**
 * A moment on this machine's clock as people of a language write it: the one place where the screens get it from.
 * @param locale `i18n.locale`
 * @param at ms since 1970, or a date
 * @param parts what of it is written, with blanks between
 */
export const dateText = (locale: string, at: number | Date, ...parts: [DateLook, ...DateLook[]]): string =>
  parts.map((look) => format(locale, look).format(at)).join(' ')

/** The same on the clock of another zone, such as the company's. */
export const dateTextIn = (timeZone: string, locale: string, at: number, ...parts: [DateLook, ...DateLook[]]): string =>
  parts.map((look) => format(locale, look, timeZone).format(at)).join(' ')

/** An hour of the day, 0 to 23: `21h`, `9 PM`. */
export const hourText = (locale: string, hour: number): string =>
  twelveHours(locale) ? dateText(locale, new Date(2026, 0, 1, hour), 'hour') : `${hour}h`
