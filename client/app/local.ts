/**
 * localStorage that never throws: a browser may refuse it (private mode, full disk, policy),
 * and the app then works with memory alone.
 */
export const local = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value)
    } catch {
      // Kept in memory by whoever called.
    }
  },
  remove(key: string): void {
    try {
      localStorage.removeItem(key)
    } catch {
      // Nothing was stored.
    }
  },
}

export const keys = {
  session: 'balcao.session',
  /** Why the last session ended, for the other tabs and the login screen. */
  ended: 'balcao.session-ended',
  theme: 'balcao.theme',
  locale: 'balcao.locale',
  volume: 'balcao.volume',
  drawer: 'balcao.drawer',
  lastEmail: 'balcao.last-email',
  /** And a user's id: their tasks, which are nowhere else. */
  tasks: 'balcao.tasks.',
} as const

/** Choices of the device rather than of the person: they outlive a logout. */
const devicePreferences: readonly string[] = [
  keys.theme,
  keys.locale,
  keys.volume,
  keys.drawer,
  keys.lastEmail,
  keys.ended,
  'balcao.branding',
]

/** Empties localStorage of everything that belongs to the person who was logged in, but for what they keep here only. */
export function clearPersonal(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!devicePreferences.includes(key) && !key.startsWith(keys.tasks)) localStorage.removeItem(key)
    }
  } catch {
    // Storage refused: nothing was stored.
  }
}
