const dayMs = 86_400_000

/** The calendar day of a due date: `YYYY-MM-DD`, or an instant read in the browser's zone. */
export function dueDay(dueDate: string): Date {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(dueDate)
  const date = day ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : new Date(dueDate)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate())
}

/** Whole days from today to the due date: 0 on that day, negative after it. Whether it is over is the server's to say. */
export function daysLeft(dueDate: string, now: Date): number {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  // Rounded, because a day on which the clocks change has 23 or 25 hours.
  return Math.round((dueDay(dueDate).getTime() - today.getTime()) / dayMs)
}
