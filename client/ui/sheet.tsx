import { Dialog as DialogPrimitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { CloseButton } from './close-button.tsx'
import { cn } from './cn.ts'
import { overlayClasses } from './panel.ts'
import { ReturnFocus } from './return-focus.tsx'
import { useEscape } from './use-escape.ts'

export const Sheet = DialogPrimitive.Root
export const SheetTrigger = DialogPrimitive.Trigger
export const SheetClose = DialogPrimitive.Close

/** A panel along one edge, over the page. `bare` leaves the title to screen readers and draws no title bar. */
export function SheetContent({
  side = 'right',
  title,
  bare = false,
  className,
  children,
  onEscapeKeyDown,
  ...props
}: Omit<ComponentProps<typeof DialogPrimitive.Content>, 'title'> & {
  side?: 'left' | 'right'
  title: ReactNode
  bare?: boolean
}) {
  const { close, keys } = useEscape(onEscapeKeyDown)
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlayClasses} />
      <DialogPrimitive.Content
        aria-describedby={undefined}
        className={cn(
          'fixed inset-y-0 z-50 flex w-96 max-w-[calc(100vw-3rem)] flex-col bg-card text-card-foreground shadow-overlay outline-none',
          'pb-[env(safe-area-inset-bottom)] data-[state=open]:animate-in data-[state=open]:duration-200 data-[state=closed]:animate-out data-[state=closed]:duration-150',
          side === 'right'
            ? 'right-0 border-l data-[state=closed]:slide-out-to-right data-[state=open]:slide-in-from-right'
            : 'left-0 border-r data-[state=closed]:slide-out-to-left data-[state=open]:slide-in-from-left',
          className,
        )}
        {...keys}
        {...props}
      >
        <ReturnFocus />
        {bare ? (
          <DialogPrimitive.Title className="sr-only">{title}</DialogPrimitive.Title>
        ) : (
          <div className="flex h-13 shrink-0 items-center gap-3 border-b px-4">
            <DialogPrimitive.Title className="min-w-0 flex-1 truncate text-sm font-semibold">
              {title}
            </DialogPrimitive.Title>
            <CloseButton ref={close} className="-mr-1.5" />
          </div>
        )}
        {children}
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  )
}
