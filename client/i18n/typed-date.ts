/** How strictly what is typed is read: `whole` while it is being typed, `left` when the person goes on. */
export type Reading = 'whole' | 'left'

const two = (n: number) => String(n).padStart(2, '0')

function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(year, month - 1, day)
  if (year < 1900 || date.getMonth() !== month - 1 || date.getDate() !== day) return null
  return `${year}-${two(month)}-${two(day)}`
}

/**
 * A day as people of our languages type it: `25/12/2026`, and once they have left, `25/12/26`, `25/12` and `25122026`, too;
 * what programs write (`2026-12-25`) as well.
 * @returns `YYYY-MM-DD`, or null where it is no day
 */
export function readDay(text: string, reading: Reading, now: Date = new Date()): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim())
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const parts =
    /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?$/.exec(text.trim()) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(text.trim())
  if (!parts) return null
  const [, day, month, year] = parts
  if (reading === 'whole' && year?.length !== 4) return null
  const full = year === undefined ? now.getFullYear() : Number(year) + (year.length === 2 ? 2000 : 0)
  return dayOf(full, Number(month), Number(day))
}

/** A time of day: `09:30`, and once they have left, `9h30`, `9h`, `9` and `0930`, too. @returns `HH:MM`, or null */
export function readTime(text: string, reading: Reading): string | null {
  const parts = /^(\d{1,2})(?:[:h.](\d{2})?)?$/.exec(text.trim().toLowerCase()) ?? /^(\d{2})(\d{2})$/.exec(text.trim())
  if (!parts) return null
  const [, hour, minute] = parts
  if (reading === 'whole' && (hour!.length !== 2 || minute === undefined)) return null
  if (Number(hour) > 23 || Number(minute ?? 0) > 59) return null
  return `${two(Number(hour))}:${minute ?? '00'}`
}

/**
 * A day and a time: `25/12/2026 09:30`. Who has left without a time means `time`.
 * @returns `YYYY-MM-DDTHH:MM`, or null
 */
export function readMoment(text: string, reading: Reading, time: string, now: Date = new Date()): string | null {
  const [, written = '', clock] = /^(\S+?)(?:[,\s]+|T|$)(\S*)$/.exec(text.trim()) ?? []
  const day = readDay(written, reading, now)
  const at = clock ? readTime(clock, reading) : reading === 'left' ? time : null
  return day && at && `${day}T${at}`
}
