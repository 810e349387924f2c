/** The calendar day of a due date: `YYYY-MM-DD`, or an instant read in the browser's zone. */
export function dueDay(dueDate: string): Date {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(dueDate)
  const date = day ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : new Date(dueDate)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate())
}
