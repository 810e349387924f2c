import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { leave } from '../app/leaving.ts'
import { profileSheet } from '../app/profile-sheet.ts'
import { shortcutsSheet } from '../app/shortcuts.ts'
import { useStore } from '../app/store.ts'
import { setTheme, useTheme } from '../app/theme.ts'
import { useMenu, useSideScreens } from '../app/use-menu.ts'
import { chooseLocale, localeNames, locales } from '../i18n/locale.ts'
import { palette, runWhenOffered, useActions, useOffered } from './actions.ts'

const PaletteDialog = lazy(() => import('./palette.dialog.tsx'))

/** Ctrl+K or Cmd+K, and the actions that every screen has. */
export default function Palette() {
  const open = useStore(palette)
  const [opened, setOpened] = useState(false)
  useShellActions()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Another dialog may hold something half done.
      if (
        !palette.get() &&
        document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"]')
      )
        return
      palette.set((now) => !now)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  // Who knows the keys does not wait for the palette to come: what is typed meanwhile is for it, and no shortcut.
  const early = useRef('')
  useEffect(() => {
    if (!open) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('[role="dialog"]')) return
      // A reload is how one leaves a page that does not come.
      if (/^F\d/.test(event.key)) return
      // Without a network it may take long: until it is there it is called off here.
      if (event.key === 'Escape') palette.set(false)
      else if (event.key === 'Backspace') early.current = [...early.current].slice(0, -1).join('')
      else if (event.key.length === 1) early.current += event.key
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => {
      window.removeEventListener('keydown', onKeyDown, true)
      early.current = ''
    }
  }, [open])
  // It stays mounted once it was opened: what is chosen there may show a dialog of its own.
  if (open && !opened) setOpened(true)
  return (
    <Suspense fallback={null}>
      {opened && <PaletteDialog open={open} early={early} onOpenChange={palette.set} />}
    </Suspense>
  )
}

function useShellActions(): void {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const dark = useTheme() === 'dark'
  const offered = useOffered()
  const onTickets = offered.some(({ id }) => id === 'tickets.new')
  const elsewhere = (id: string) => {
    void navigate({ to: '/tickets' })
    runWhenOffered(id)
  }
  const going = t`Ir para`
  const anywhere = t`Em qualquer tela`
  useActions([
    ...useMenu().map((item) => ({
      id: `go:${item.path}`,
      label: i18n._(item.label),
      group: going,
      shortcut: `g ${item.key}`,
      run: () => void navigate({ to: item.path }),
    })),
    ...useSideScreens().map(({ path, label }) => ({
      id: `go:${path}`,
      label: i18n._(label),
      group: going,
      run: () => void navigate({ to: path }),
    })),
    {
      id: 'tickets.new-elsewhere',
      label: t`Novo atendimento`,
      group: anywhere,
      when: !onTickets,
      run: () => elsewhere('tickets.new'),
    },
    {
      id: 'tickets.search-elsewhere',
      label: t`Buscar atendimentos`,
      group: anywhere,
      when: !onTickets,
      run: () => elsewhere('tickets.search'),
    },
    {
      id: 'theme',
      label: dark ? t`Usar o tema claro` : t`Usar o tema escuro`,
      keywords: 'theme tema dark light',
      group: anywhere,
      run: () => setTheme(dark ? 'light' : 'dark'),
    },
    ...locales.map((locale) => {
      const name = localeNames[locale]
      return {
        id: `locale:${locale}`,
        label: t`Idioma: ${name}`,
        keywords: 'language lengua',
        group: anywhere,
        when: i18n.locale !== locale,
        run: () => void chooseLocale(locale),
      }
    }),
    {
      id: 'profile',
      label: t`Perfil`,
      keywords: t`nome, senha, verificação em duas etapas, chaves de acesso, acessos, notificações`,
      group: anywhere,
      run: () => profileSheet.set(true),
    },
    {
      id: 'help',
      label: t`Mostrar os atalhos`,
      keywords: 'ajuda help ayuda',
      group: anywhere,
      shortcut: '?',
      run: () => shortcutsSheet.set(true),
    },
    { id: 'reload', label: t`Recarregar a página`, group: anywhere, run: () => location.reload() },
    { id: 'logout', label: t`Sair`, keywords: 'logout', group: anywhere, run: leave },
  ])
}
