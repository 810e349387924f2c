import { Trans } from '@lingui/react/macro'
import { Dialog as DialogPrimitive } from 'radix-ui'
import type { ComponentProps, FormEvent, ReactNode } from 'react'
import { Button } from './button.tsx'
import { CloseButton } from './close-button.tsx'
import { cn } from './cn.ts'
import { overlayClasses } from './panel.ts'
import { ReturnFocus } from './return-focus.tsx'
import { useEscape } from './use-escape.ts'

export const Dialog = DialogPrimitive.Root
export const DialogTrigger = DialogPrimitive.Trigger
export const DialogClose = DialogPrimitive.Close

const widths = { sm: 'sm:max-w-sm', md: 'sm:max-w-lg', lg: 'sm:max-w-2xl', xl: 'sm:max-w-4xl' }

/**
 * A dialog with its title bar. On a phone it rises from the bottom over the full width.
 * Put the fields in {@link DialogBody} (it scrolls) and the buttons in {@link DialogFooter} (it stays).
 */
export function DialogContent({
  title,
  description,
  size = 'md',
  closable = true,
  className,
  children,
  onEscapeKeyDown,
  ...props
}: Omit<ComponentProps<typeof DialogPrimitive.Content>, 'title'> & {
  title: ReactNode
  description?: ReactNode
  size?: keyof typeof widths
  /** Without it, it stays until what it asks for is done. */
  closable?: boolean
}) {
  const { close, keys } = useEscape(onEscapeKeyDown)
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlayClasses} />
      <DialogPrimitive.Content
        {...(description ? {} : { 'aria-describedby': undefined })}
        className={cn(
          'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-xl border bg-card text-card-foreground shadow-overlay outline-none',
          'pb-[env(safe-area-inset-bottom)] sm:inset-auto sm:top-1/2 sm:left-1/2 sm:w-full sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-xl sm:pb-0',
          'data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:duration-150 max-sm:data-[state=open]:slide-in-from-bottom-8 sm:data-[state=open]:zoom-in-[0.98]',
          'data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:duration-100',
          widths[size],
          className,
        )}
        // Without a field that asks for it, the focus would begin at the cross. One that asked has it already, unless the
        // dialog behind this one took it back in the meantime.
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          if (!(event.currentTarget instanceof HTMLElement)) return
          const asking = event.currentTarget.querySelector<HTMLElement>('[data-autofocus]')
          ;(asking ?? event.currentTarget).focus()
        }}
        {...keys}
        {...props}
      >
        <ReturnFocus />
        <div className="flex items-start gap-3 px-5 pt-4 pb-3">
          <div className="min-w-0 flex-1">
            <DialogPrimitive.Title className="text-base leading-6 font-semibold wrap-anywhere">
              {title}
            </DialogPrimitive.Title>
            {description && (
              <DialogPrimitive.Description className="mt-0.5 text-sm text-muted-foreground">
                {description}
              </DialogPrimitive.Description>
            )}
          </div>
          {closable && <CloseButton ref={close} className="-mt-0.5 -mr-2 touch:-my-2.5 touch:-mr-3.5" />}
        </div>
        {children}
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  )
}

/** Body and footer of a dialog that is filled in. `onSubmit` says itself what is wrong. */
export function DialogForm({
  onSubmit,
  children,
}: {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  children: ReactNode
}) {
  return (
    <form
      noValidate
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        // A dialog inside a dialog is still inside its form for React.
        event.stopPropagation()
        onSubmit(event)
      }}
    >
      {children}
    </form>
  )
}

export function DialogBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5', className)} {...props} />
}

export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cn('flex items-center justify-end gap-2 border-t px-5 py-3 max-sm:[&>*]:flex-1', className)}
      {...props}
    />
  )
}

/** The footer of a form in a dialog: the way out, and the button that does what `children` say. */
export function DialogButtons({
  busy = false,
  disabled = false,
  wayOut,
  children,
}: {
  /** It is being done: there is no way out now. */
  busy?: boolean
  disabled?: boolean
  /** Where there is another way out than to close the dialog. */
  wayOut?: { label: ReactNode; onClick: () => void } | undefined
  children: ReactNode
}) {
  return (
    <DialogFooter>
      {wayOut ? (
        <Button variant="outline" disabled={busy} onClick={wayOut.onClick}>
          {wayOut.label}
        </Button>
      ) : (
        <DialogClose asChild>
          <Button variant="outline" disabled={busy}>
            <Trans>Cancelar</Trans>
          </Button>
        </DialogClose>
      )}
      <Button type="submit" busy={busy} disabled={disabled}>
        {children}
      </Button>
    </DialogFooter>
  )
}

/** Above those buttons: why it was not done, where no field is to blame. */
export function DialogProblem({ children }: { children: ReactNode }) {
  return (
    <p
      role="alert"
      className="mx-5 mb-3 rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive-soft-foreground"
    >
      {children}
    </p>
  )
}
