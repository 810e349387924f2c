import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import type { ToastOptions } from './toaster.tsx'

export interface ToasterProps {
  theme: 'light' | 'dark'
  /** Accessible name. */
  label: string
}

export const show = (kind: 'success' | 'error' | 'info' | 'warning' | null, text: string, options?: ToastOptions) =>
  void (kind ? toast[kind](text, options) : toast(text, options))

/** Each toast closes after its own time, later under the pointer or with the focus inside. */
export default function Toasts({ theme, label }: ToasterProps) {
  useEffect(letTabGoOn, [])
  return (
    <Sonner
      theme={theme}
      position="top-center"
      offset={12}
      mobileOffset={12}
      gap={8}
      style={{ fontFamily: 'inherit' }}
      containerAriaLabel={label}
      icons={{
        success: <CircleCheck className="size-4.5 text-success" />,
        error: <CircleX className="size-4.5 text-destructive" />,
        warning: <TriangleAlert className="size-4.5 text-warning" />,
        info: <Info className="size-4.5 text-info" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          // Can be pressed above a dialog, too, which takes the pointer from everything else.
          toast:
            'pointer-events-auto flex w-full items-start gap-2.5 rounded-lg border bg-popover px-3.5 py-3 text-sm text-popover-foreground shadow-overlay sm:w-[356px]',
          icon: 'mt-px shrink-0',
          content: 'min-w-0 flex-1 break-words',
          title: 'font-medium',
          description: 'text-muted-foreground',
          actionButton:
            'focus-ring -my-1 ml-1 shrink-0 self-center rounded-md bg-primary px-2.5 py-1.5 text-xs font-medium text-primary-foreground hover:bg-primary-hover',
          cancelButton:
            'focus-ring -my-1 shrink-0 self-center rounded-md px-2.5 py-1.5 text-xs font-medium text-muted-foreground hover:bg-accent',
        },
      }}
    />
  )
}

/**
 * When a toast goes, sonner gives the focus back to where it came from. It does so, too, when somebody leaves the toast by
 * Tab, who would come to it again and again: of those it does not hear.
 * @returns ends it
 */
function letTabGoOn(): () => void {
  let byTab = false
  const pressed = ({ key }: KeyboardEvent) => {
    if (key !== 'Tab') return
    byTab = true
    // The focus moves before anything else happens.
    setTimeout(() => {
      byTab = false
    })
  }
  const left = (event: FocusEvent) => {
    const { target, relatedTarget } = event
    const toaster = byTab && target instanceof Element ? target.closest('[data-sonner-toaster]') : null
    if (toaster && !(relatedTarget instanceof Node && toaster.contains(relatedTarget))) event.stopPropagation()
  }
  document.addEventListener('keydown', pressed, true)
  document.addEventListener('focusout', left, true)
  return () => {
    document.removeEventListener('keydown', pressed, true)
    document.removeEventListener('focusout', left, true)
  }
}
