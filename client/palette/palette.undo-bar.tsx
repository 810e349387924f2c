import { Trans, useLingui } from '@lingui/react/macro'
import { Undo2, X } from 'lucide-react'
import { useEffect } from 'react'
import { UNDO_MS } from '../../schema/undo.ts'
import { useActions } from '../kit/actions.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { offers } from '../session/undo.ts'
import { useStore } from '../base/store.ts'

/** Of several that can be taken back at once, so many are shown. */
const shown = 3

/** What was done a moment ago, with the way back: by button, by Z, and by Ctrl+Z where no text is to be undone. */
export default function UndoBar() {
  const { t } = useLingui()
  const all = useStore(offers)
  const latest = all[0]
  useActions([
    {
      id: 'undo',
      label: t`Desfazer`,
      group: t`Em qualquer tela`,
      shortcut: 'z',
      when: latest !== undefined,
      run: () => latest?.undo(),
    },
  ])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      const { target } = event
      const isWriting =
        (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.value !== ''
      const offer = offers.get()[0]
      if (!offer || isWriting || event.defaultPrevented) return
      event.preventDefault()
      offer.undo()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <div
      role="status"
      className="pointer-events-none fixed bottom-4 left-4 z-50 flex flex-col-reverse gap-2 max-sm:inset-x-3 max-sm:bottom-20"
    >
      {all.slice(0, shown).map(({ id, text, undo }) => (
        <div
          key={id}
          data-undo
          // The bar goes, and the focus would go with it: a press leaves it where one was writing.
          onMouseDown={(event) => event.preventDefault()}
          className="pointer-events-auto relative flex items-center gap-3 overflow-hidden rounded-lg border bg-popover py-2 pr-2 pl-3.5 text-sm text-popover-foreground shadow-overlay sm:w-max sm:max-w-md sm:min-w-80"
        >
          <p className="min-w-0 flex-1 font-medium">{text}</p>
          <button
            type="button"
            aria-keyshortcuts="z"
            onClick={undo}
            className="focus-ring inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm font-medium text-primary-soft-foreground hover:bg-accent touch:h-11 [&_svg]:size-4"
          >
            <Undo2 aria-hidden="true" />
            <Trans>Desfazer</Trans>
            <span aria-hidden="true" className="touch:hidden">
              <Kbd>Z</Kbd>
            </span>
          </button>
          <IconButton label={t`Fechar`} onClick={() => offers.set((now) => now.filter((offer) => offer.id !== id))}>
            <X />
          </IconButton>
          <span
            aria-hidden="true"
            className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-primary/60 motion-safe:animate-[undo-time_linear_forwards]"
            style={{ animationDuration: `${UNDO_MS}ms` }}
          />
        </div>
      ))}
    </div>
  )
}
