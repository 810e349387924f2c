import { Trans, useLingui } from '@lingui/react/macro'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Brand } from '../kit/brand.tsx'
import { useBrowserOnline } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { LanguageSwitch } from '../kit/language-switch.tsx'
import { chooseLocale, offeredLocale } from '../i18n/locale.ts'

/** What people see who have not logged in: languages above, the mark, one card, and where else to go. */
export function PublicPage({
  title,
  brand = 'login',
  children,
  footer,
}: {
  title: ReactNode
  /** Whose picture stands above. */
  brand?: 'login' | 'signup'
  children: ReactNode
  footer?: ReactNode
}) {
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <header className="flex justify-end p-3">
        <LanguageSwitch />
      </header>
      <main className="flex flex-1 flex-col items-center justify-center px-5 pb-20">
        <div className="w-full max-w-[22rem]">
          <Brand place={brand} className="mb-7 justify-center [&_svg]:size-9 [&>span]:text-xl" />
          <div className="rounded-xl border bg-card p-6 shadow-xs sm:p-7">
            <h1 className="text-base font-semibold">{title}</h1>
            {children}
          </div>
          <LanguageOffer />
          {footer && (
            <div className="mt-5 flex flex-col items-center gap-2 text-center text-sm text-muted-foreground">
              {footer}
            </div>
          )}
        </div>
      </main>
    </div>
  )
}

/** Of links below the card and inside it; tall enough for a finger. */
export const linkClasses =
  'focus-ring inline-flex items-center rounded-sm font-medium text-primary-soft-foreground underline-offset-4 hover:underline touch:min-h-11'

/** In the language that is offered: who reads it has understood it. */
const offers = { es: 'Continuar en español', en: 'Continue in English' } as const

/** Offers the browser's language to who has not chosen one on this device. */
function LanguageOffer() {
  const { i18n } = useLingui()
  const offered = offeredLocale()
  if (!offered || offered === i18n.locale) return null
  return (
    <p className="mt-4 text-center text-sm">
      <button type="button" lang={offered} onClick={() => void chooseLocale(offered)} className={linkClasses}>
        {offers[offered]}
      </button>
    </p>
  )
}

/** Why it did not succeed. */
export function Failure({ of: error }: { of: unknown }) {
  return (
    <p role="alert" className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive-soft-foreground">
      {errorText(error)}
    </p>
  )
}

/** Says what is missing while there is no network. */
export function OfflineHint({ children }: { children?: ReactNode }) {
  if (useBrowserOnline()) return null
  return (
    <p
      role="status"
      className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-soft-foreground"
    >
      <CloudOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children ?? <Trans>Sem conexão. Para continuar é preciso internet.</Trans>}</span>
    </p>
  )
}
