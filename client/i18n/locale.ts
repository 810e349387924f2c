import { i18n, type Messages } from '@lingui/core'
import { type Language, languages, languageTags } from '../../schema/languages.ts'
import { keys, local } from '../base/local.ts'
import { withNames } from './with-names.ts'
import { zeroIsPlural } from './zero.ts'

export const locales = languages
export type Locale = Language

/** Each language in its own words. */
export const localeNames: Record<Locale, string> = { pt: 'Português', es: 'Español', en: 'English' }

const loaders: Record<Locale, () => Promise<{ messages: Messages }>> = {
  pt: () => import('./locales/pt.po'),
  es: () => import('./locales/es.po'),
  en: () => import('./locales/en.po'),
}

// A text without a catalogue's word is the Portuguese of the code: what is more than a plain plural is in every catalogue. In
// development Lingui compiles what is too new for the catalogues.
if (import.meta.env.PROD) i18n.setMessagesCompiler(withNames)

const isLocale = (value: string | null): value is Locale => locales.some((locale) => locale === value)

/** The language chosen on this device; Portuguese until somebody chooses. */
export function storedLocale(): Locale {
  const stored = local.get(keys.locale)
  return isLocale(stored) ? stored : 'pt'
}

/** The browser's language, where it is another of ours and nobody has chosen one on this device. */
export function offeredLocale(): Exclude<Locale, 'pt'> | undefined {
  if (isLocale(local.get(keys.locale))) return undefined
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLocale)
  return wanted === 'pt' ? undefined : wanted
}

/** Fetches a language's texts and shows them. Without a network and without them, the Portuguese in the code remains. */
export async function activateLocale(locale: Locale): Promise<void> {
  try {
    const { messages } = await loaders[locale]()
    i18n.load(locale, locale === 'pt' ? zeroIsPlural(messages) : messages)
  } catch {
    i18n.load(locale, {})
  }
  i18n.activate(locale, languageTags[locale])
  document.documentElement.lang = languageTags[locale]
}

export async function chooseLocale(locale: Locale): Promise<void> {
  local.set(keys.locale, locale)
  await activateLocale(locale)
}
