import { Trans } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { unsaved } from './has-unsaved.ts'

/**
 * Keeps what was typed from going without a question: by another screen, the browser's way back, a reload, or Escape.
 *
 * @param isUnsaved whether something was typed that is not saved
 * @returns `question` stands in the page; `asks` answers whether it has to be asked now, and asks it: `discard` runs when
 *   the answer is to throw away; `release` says that it was saved, or may go
 */
export function useUnsaved(isUnsaved: boolean): {
  question: ReactNode
  asks: (discard: () => void) => boolean
  release: () => void
} {
  const [own] = useState(() => Symbol('form'))
  useEffect(() => {
    if (!isUnsaved) return
    unsaved.add(own)
    return () => void unsaved.delete(own)
  }, [own, isUnsaved])
  const isHeld = useCallback(() => unsaved.has(own), [own])
  const blocker = useBlocker({ shouldBlockFn: isHeld, enableBeforeUnload: isHeld, withResolver: true })
  const [isAsking, setAsking] = useState(false)
  const discarding = useRef(() => {})
  const release = () => void unsaved.delete(own)
  const isBlocked = blocker.status === 'blocked'
  return {
    release,
    asks: (discard) => {
      if (!unsaved.has(own)) return false
      discarding.current = discard
      setAsking(true)
      return true
    },
    question: (
      <ConfirmDialog
        open={isAsking || isBlocked}
        onOpenChange={(open) => {
          if (open) return
          setAsking(false)
          // Answered already where the way is free.
          if (isBlocked && unsaved.has(own)) blocker.reset()
        }}
        title={<Trans>Descartar as alterações?</Trans>}
        confirmLabel={<Trans>Descartar</Trans>}
        cancelLabel={<Trans>Continuar editando</Trans>}
        destructive
        onConfirm={() => {
          release()
          if (isBlocked) blocker.proceed()
          else discarding.current()
        }}
      >
        <Trans>O que você mudou ainda não foi salvo.</Trans>
      </ConfirmDialog>
    ),
  }
}
