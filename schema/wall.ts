/** What a clock and a calendar on a wall show, in any zone. The moment is given: nothing here looks at the machine's clock. */

export interface Wall {
  year: string
  /** Two digits each. */
  month: string
  day: string
  hour: string
  minute: string
  second: string
  /** In English, such as `Thursday`. */
  weekday: string
}

/** To make one costs a hundred times what using it does. There are as many as there are zones. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    clocks.set(timeZone, clock)
  }
  return clock
}

/** @param timeZone IANA name; another one throws */
export function wallOf(now: Date, timeZone: string): Wall {
  const parts = clockOf(timeZone).formatToParts(now)
  return Object.fromEntries(parts.map(({ type, value }) => [type, value])) as unknown as Wall
}

/** Whether a zone of this name is known. */
export function isTimeZone(name: string): boolean {
  try {
    return name !== '' && Boolean(clockOf(name))
  } catch {
    return false
  }
}
