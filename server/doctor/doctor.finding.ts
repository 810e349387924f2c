export interface Finding {
  /** What was looked at. */
  name: string
  state: 'good' | 'warning' | 'fault'
  /** What was found. */
  says: string
  /** What to do; where there is nothing to do, it is good. */
  remedy?: string
}

export const good = (name: string, says: string): Finding => ({ name, state: 'good', says })
export const warning = (name: string, says: string, remedy: string): Finding => ({
  name,
  state: 'warning',
  says,
  remedy,
})
export const fault = (name: string, says: string, remedy: string): Finding => ({ name, state: 'fault', says, remedy })
