/**
 * localStorage that never throws: a browser may refuse it (private mode, full disk, policy),
 * and the app then works with memory alone. In a tab in which the operator acts for somebody, what belongs to a person
 * is kept in that tab's own storage: what the operator has in this browser stays as it is.
 */
export const local = {
  get(key: string): string | null {
    try {
      return storageOf(key).getItem(key)
    } catch {
      return null
    }
  },
  set(key: string, value: string): void {
    try {
      storageOf(key).setItem(key, value)
    } catch {
      // Kept in memory by whoever called.
    }
  },
  remove(key: string): void {
    try {
      storageOf(key).removeItem(key)
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
  /** Groups of the menu that somebody folded. */
  menuFolded: 'balcao.menu-folded',
  lastEmail: 'balcao.last-email',
  /** Since when this device is used, ms; `seen` once the hint to install the app was answered. */
  installHint: 'balcao.install-hint',
  /** And a user's id: their tasks, which are nowhere else. */
  tasks: 'balcao.tasks.',
} as const

/** With a user's id behind it, what is theirs and is nowhere else. */
const kept: readonly string[] = [keys.tasks]

/** Choices of the device rather than of the person: they outlive a logout. */
const devicePreferences: readonly string[] = [
  keys.theme,
  keys.locale,
  keys.volume,
  keys.drawer,
  keys.menuFolded,
  keys.lastEmail,
  keys.installHint,
  keys.ended,
  'balcao.branding',
]

/**
 * Whether the operator acts for somebody in this tab. It is one or the other from its loading to its end: what begins or
 * ends the acting loads the page anew.
 */
export const isActingTab: boolean = (() => {
  try {
    return sessionStorage.getItem(keys.session) !== null
  } catch {
    return false
  }
})()

function storageOf(key: string): Storage {
  const own = isActingTab && (key === keys.ended || !devicePreferences.includes(key))
  return own ? sessionStorage : localStorage
}

/** Makes this tab one in which the operator acts for somebody. The caller loads the page anew. */
export function keepActing(text: string): void {
  sessionStorage.setItem(keys.session, text)
}

/** Makes it the operator's own again. The caller loads the page anew. */
export function forgetActing(): void {
  try {
    sessionStorage.clear()
  } catch {
    // Nothing was stored.
  }
}

/** Empties localStorage of everything that belongs to the person who was logged in, but for what they keep here only. */
export function clearPersonal(): void {
  if (isActingTab) return forgetActing()
  try {
    for (const key of Object.keys(localStorage)) {
      if (!devicePreferences.includes(key) && !kept.some((name) => key.startsWith(name))) localStorage.removeItem(key)
    }
  } catch {
    // Storage refused: nothing was stored.
  }
}
