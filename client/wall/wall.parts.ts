/** Pages of a list that is turned by itself, because nobody has a mouse; the last one has what is left. */
export function pageOf<T>(
  rows: readonly T[],
  size: number,
  turn: number,
): { rows: readonly T[]; page: number; of: number } {
  const of = Math.max(1, Math.ceil(rows.length / size))
  const page = turn % of
  return { rows: rows.slice(page * size, (page + 1) * size), page: page + 1, of }
}

/** Minutes and seconds under an hour, then hours and minutes, then days: what is read from afar has few letters. */
export function waitParts(ms: number): { days: number; hours: number; minutes: number; seconds: number } {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3_600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  }
}

const two = (value: number) => String(value).padStart(2, '0')

/** `4:07`, `1 h 05`, `2 d 3 h`. */
export function waitText(ms: number): string {
  const { days, hours, minutes, seconds } = waitParts(ms)
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${two(minutes)}` : `${minutes}:${two(seconds)}`
}
