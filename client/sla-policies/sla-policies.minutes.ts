/** Minutes as people say them: the largest unit that they are whole in. */
export const units = { minutes: 1, hours: 60, days: 24 * 60 } as const
export type Unit = keyof typeof units

export function inUnit(minutes: number): { count: number; unit: Unit } {
  const unit: Unit = minutes % units.days === 0 ? 'days' : minutes % units.hours === 0 ? 'hours' : 'minutes'
  return { count: minutes / units[unit], unit }
}
