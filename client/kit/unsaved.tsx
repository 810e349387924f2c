import { Trans } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { unsaved } from '../session/has-unsaved.ts'

/**
 * Keeps what was typed from going without a question: by another screen, the browser's way back, a reload, or Escape.
 *
 * @param isUnsaved whether something was typed that is not saved
 * @returns `question` stands in the page; `asks` answers whether it has to be asked now, and asks it: `discard` runs when
 *   the answer is to throw away; `release` says that it is being saved, or may go; `hold`, that it was not saved after all
 */
export function useUnsaved(isUnsaved: boolean): {
  question: ReactNode
  asks: (discard: () => void) => boolean
  release: () => void
  hold: () => void
} {
  const [own] = useState(() => Symbol('form'))
  useEffect(() => {
    if (!isUnsaved) return
    unsaved.add(own)
    return () => void unsaved.delete(own)
  }, [own, isUnsaved])
  const { history } = useRouter()
  /** What is asked now: what runs when it is thrown away, and when it is not. */
  const [asked, setAsked] = useState<{ discard: () => void; keep: () => void } | null>(null)
  useEffect(() => {
    const isHeld = () => unsaved.has(own)
    let keep = () => {}
    return history.block({
      enableBeforeUnload: isHeld,
      // Answers whether one stays.
      blockerFn: () => {
        if (!isHeld()) return false
        // Another way was asked for before: that one is given up.
        keep()
        const { promise, resolve } = Promise.withResolvers<boolean>()
        keep = () => resolve(true)
        setAsked({ discard: () => resolve(false), keep })
        return promise
      },
    })
  }, [history, own])
  const release = () => void unsaved.delete(own)
  return {
    release,
    hold: () => void (isUnsaved && unsaved.add(own)),
    asks: (discard) => {
      if (!unsaved.has(own)) return false
      setAsked({ discard, keep: () => undefined })
      return true
    },
    question: (
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => {
          if (open) return
          // Answered already where it was thrown away.
          asked?.keep()
          setAsked(null)
        }}
        title={<Trans>Descartar as alterações?</Trans>}
        confirmLabel={<Trans>Descartar</Trans>}
        cancelLabel={<Trans>Continuar editando</Trans>}
        destructive
        onConfirm={() => {
          release()
          asked?.discard()
        }}
      >
        <Trans>O que você mudou ainda não foi salvo.</Trans>
      </ConfirmDialog>
    ),
  }
}
