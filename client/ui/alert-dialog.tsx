import { useLingui } from '@lingui/react/macro'
import { AlertDialog as AlertDialogPrimitive } from 'radix-ui'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { overlayClasses } from './panel.ts'
import { ReturnFocus } from './return-focus.tsx'
import { useEscape } from './use-escape.ts'

/**
 * Asks before something that cannot be undone. `onConfirm` may be asynchronous: the dialog stays, busy,
 * and closes only when it succeeds (it should report its own failure; the dialog then stays open).
 */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirmLabel,
  cancelLabel,
  destructive = false,
  onConfirm,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  children?: ReactNode
  confirmLabel: ReactNode
  /** Where "Cancelar" could be taken for what is confirmed. */
  cancelLabel?: ReactNode
  destructive?: boolean
  /** Return `false` to keep the dialog open. */
  onConfirm: () => void | boolean | Promise<void | boolean>
}) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const { close, keys } = useEscape()
  const confirm = async () => {
    setBusy(true)
    try {
      if ((await onConfirm()) !== false) onOpenChange(false)
    } finally {
      setBusy(false)
    }
  }
  return (
    <AlertDialogPrimitive.Root open={open} onOpenChange={(next) => !busy && onOpenChange(next)}>
      <AlertDialogPrimitive.Portal>
        <AlertDialogPrimitive.Overlay className={overlayClasses} />
        <AlertDialogPrimitive.Content
          {...keys}
          {...(children ? {} : { 'aria-describedby': undefined })}
          className={cn(
            'fixed top-1/2 left-1/2 z-50 w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 rounded-xl border bg-card p-5 text-card-foreground shadow-overlay outline-none',
            'data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-[0.98] data-[state=open]:duration-150',
            'data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:duration-100',
          )}
        >
          <ReturnFocus />
          <AlertDialogPrimitive.Title className="text-base font-semibold wrap-anywhere">
            {title}
          </AlertDialogPrimitive.Title>
          {children && (
            <AlertDialogPrimitive.Description asChild>
              <div className="mt-1.5 text-sm text-muted-foreground">{children}</div>
            </AlertDialogPrimitive.Description>
          )}
          <div className="mt-5 flex justify-end gap-2 max-sm:flex-col-reverse">
            <AlertDialogPrimitive.Cancel asChild>
              <Button ref={close} variant="outline" disabled={busy}>
                {cancelLabel ?? t`Cancelar`}
              </Button>
            </AlertDialogPrimitive.Cancel>
            <Button variant={destructive ? 'destructive' : 'primary'} busy={busy} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialogPrimitive.Content>
      </AlertDialogPrimitive.Portal>
    </AlertDialogPrimitive.Root>
  )
}
