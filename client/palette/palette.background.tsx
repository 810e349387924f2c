import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { repeatable } from '../../sync/client/repeatable.ts'
import { leave } from '../account/leaving.ts'
import { profileSheet } from '../account/profile-sheet.ts'
import { shortcutsSheet } from '../base/shortcuts.ts'
import { useStore } from '../base/store.ts'
import { setTheme, useTheme } from '../base/theme.ts'
import { useMenu, useSideScreens } from '../kit/use-menu.ts'
import { chooseLocale, localeNames, locales } from '../i18n/locale.ts'
import { overlayClasses } from '../ui/panel.ts'
import { Spinner } from '../ui/spinner.tsx'
import { toast } from '../ui/toaster.tsx'
import { type Early, palette, runWhenOffered, useActions, useOffered } from '../kit/actions.ts'
import { isComposing } from '../base/is-composing.ts'
import type PaletteDialog from './palette.dialog.tsx'

const loadDialog = repeatable(() => import('./palette.dialog.tsx'))

/** Who types in one go makes no longer pauses, ms. */
const burstMs = 600

const nothing: Early = { text: '', isEntered: false }

/** Ctrl+K or Cmd+K, and the actions that every screen has. */
export default function Palette() {
  const { t } = useLingui()
  const open = useStore(palette)
  // It stays mounted once it was opened: what is chosen there may show a dialog of its own.
  const [Dialog, setDialog] = useState<typeof PaletteDialog | null>(null)
  const early = useRef(nothing)
  const anteroom = useRef<{ leave: () => void }>(null)
  const lastKeyAt = useRef(0)
  useShellActions()
  // With the screen, not a moment after it: on a busy machine a key comes between the two.
  useLayoutEffect(() => {
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
  const failed = useEffectEvent(async () => {
    // What is still being typed is for the palette: as keys of the screen it would do something there.
    for (let left = burstMs; left > 0; left = lastKeyAt.current + burstMs - performance.now())
      await new Promise((resolve) => setTimeout(resolve, left))
    if (!palette.get()) return
    const typed = { ...early.current, isEntered: false }
    anteroom.current?.leave()
    palette.set(false)
    toast.error(t`Não foi possível abrir os comandos`, {
      id: 'palette',
      duration: 10_000,
      action: {
        label: t`Tentar de novo`,
        onClick: () => {
          early.current = typed
          palette.set(true)
        },
      },
    })
  })
  useEffect(() => {
    if (!open || Dialog) return
    loadDialog().then(({ default: come }) => {
      // First: what comes remembers who had the focus, and gives it back.
      anteroom.current?.leave()
      // At once: a letter typed between the two would be nobody's.
      flushSync(() => setDialog(() => come))
    }, failed)
  }, [open, Dialog])
  useEffect(() => {
    if (!open) return
    return () => void (early.current = nothing)
  }, [open])
  if (Dialog) return <Dialog open={open} early={early} onOpenChange={palette.set} />
  return (
    open && (
      <Anteroom
        ref={anteroom}
        typed={() => early.current}
        onTyped={(typed) => (early.current = typed)}
        onKey={() => (lastKeyAt.current = performance.now())}
      />
    )
  )
}

/**
 * Who knows the keys does not wait for the palette to come: what is typed meanwhile is for it, and no shortcut. A field
 * takes it, because only a field knows dead keys and input methods; it is seen when the palette lets one wait.
 */
function Anteroom({
  ref,
  typed,
  onTyped,
  onKey,
}: {
  /** Gives the focus back to who had it. */
  ref: Ref<{ leave: () => void }>
  typed: () => Early
  onTyped: (typed: Early) => void
  onKey: () => void
}) {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  const leaving = useRef(() => {})
  const [first] = useState(() => typed().text)
  useLayoutEffect(() => {
    const before = document.activeElement
    let isLeft = false
    const leave = () => {
      if (isLeft) return
      isLeft = true
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus()
      else field.current?.blur()
    }
    const isOutside = ({ target }: Event) => target instanceof Node && !field.current?.contains(target)
    const onPointerDown = (event: Event) => {
      if (!isOutside(event)) return
      isLeft = true
      palette.set(false)
    }
    // A screen that comes meanwhile may want the keyboard; another dialog gets it.
    const onFocusIn = (event: Event) => {
      if (isLeft || !isOutside(event)) return
      if ((event.target as Element).closest('[role="dialog"], [role="alertdialog"]')) {
        isLeft = true
        palette.set(false)
      } else field.current?.focus()
    }
    field.current?.focus()
    leaving.current = leave
    document.addEventListener('pointerdown', onPointerDown, true)
    document.addEventListener('focusin', onFocusIn)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true)
      document.removeEventListener('focusin', onFocusIn)
      leave()
    }
  }, [])
  useImperativeHandle(ref, () => ({ leave: () => leaving.current() }), [])
  return (
    <>
      {/* Both only where the palette lets one wait; a click goes through to what is behind. */}
      <div
        aria-hidden="true"
        className={`${overlayClasses} pointer-events-none animate-in fade-in-0 fill-mode-backwards delay-150 duration-150`}
      />
      <div className="fixed inset-x-2 top-[8vh] z-50 mx-auto flex max-w-xl items-center gap-2 rounded-xl border bg-popover px-3 text-popover-foreground shadow-overlay animate-in fade-in-0 fill-mode-backwards delay-150">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        <input
          ref={field}
          type="text"
          aria-label={t`Comandos, atendimentos e contatos`}
          aria-busy="true"
          autoComplete="off"
          spellCheck={false}
          placeholder={t`O que você quer fazer?`}
          defaultValue={first}
          onChange={({ target }) => onTyped({ text: target.value, isEntered: false })}
          onKeyDown={(event) => {
            onKey()
            if (isComposing(event.nativeEvent)) return
            // Without a network it may take long: until it is there it is called off here.
            if (event.key === 'Escape') palette.set(false)
            // Of nothing that was typed, the first is nobody's choice.
            else if (event.key === 'Enter') onTyped({ text: typed().text, isEntered: typed().text.trim() !== '' })
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
          className="h-9 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted-foreground/80 sm:text-sm touch:h-11"
        />
        <Spinner className="text-muted-foreground" />
      </div>
    </>
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
