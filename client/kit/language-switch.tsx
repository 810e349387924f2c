import { useLingui } from '@lingui/react/macro'
import { cn } from '../ui/cn.ts'
import { chooseLocale, localeNames, locales, storedLocale } from '../i18n/locale.ts'

/** The three languages side by side: no menu to open, and none to load before the first screen. */
export function LanguageSwitch() {
  const { t } = useLingui()
  const current = storedLocale()
  return (
    <div role="group" aria-label={t`Idioma`} className="flex items-center gap-1">
      {locales.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === current}
          onClick={() => void chooseLocale(locale)}
          className={cn(
            'focus-ring h-8 rounded-md px-2.5 text-sm text-muted-foreground transition-colors hover:text-foreground touch:h-11',
            locale === current && 'font-medium text-foreground',
          )}
        >
          {localeNames[locale]}
        </button>
      ))}
    </div>
  )
}
