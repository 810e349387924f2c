import { keys, local } from './local.ts'
import { createStore, useStore } from './store.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'
export type Theme = 'light' | 'dark'

const prefersDark = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null

function readChoice(): ThemeChoice {
  const stored = local.get(keys.theme)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

const choice = createStore<ThemeChoice>(readChoice())
const theme = createStore<Theme>('light')

// public/theme.js does the same before the first paint.
function apply(): void {
  const current = choice.get()
  const dark = current === 'dark' || (current === 'system' && (prefersDark?.matches ?? false))
  theme.set(dark ? 'dark' : 'light')
  document.documentElement.classList.toggle('dark', dark)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#15191c' : '#f7f9fa')
}

/** Follows the system and the other tabs from now on. Once, at start. */
export function startTheme(): void {
  apply()
  prefersDark?.addEventListener('change', apply)
  window.addEventListener('storage', (event) => {
    if (event.key !== keys.theme) return
    choice.set(readChoice())
    apply()
  })
}

export function setTheme(next: ThemeChoice): void {
  if (next === 'system') local.remove(keys.theme)
  else local.set(keys.theme, next)
  choice.set(next)
  apply()
}

export const useTheme = (): Theme => useStore(theme)
export const useThemeChoice = (): ThemeChoice => useStore(choice)
