import { Popover as PopoverPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { panelClasses } from './panel.ts'

export const Popover = PopoverPrimitive.Root
export const PopoverTrigger = PopoverPrimitive.Trigger
export const PopoverAnchor = PopoverPrimitive.Anchor
export const PopoverClose = PopoverPrimitive.Close

/** Whether the keyboard is somewhere else by now. The dialog around what goes takes it only so that it stays inside. */
function isFocusTaken(): boolean {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body) return false
  return !activeElement.matches('[role="dialog"], [role="alertdialog"]')
}

export function PopoverContent({
  className,
  onCloseAutoFocus,
  sideOffset = 6,
  collisionPadding = 8,
  ...props
}: ComponentProps<typeof PopoverPrimitive.Content>) {
  return (
    <PopoverPrimitive.Portal>
      <PopoverPrimitive.Content
        sideOffset={sideOffset}
        collisionPadding={collisionPadding}
        className={cn(panelClasses, 'w-72 max-w-[calc(100vw-1rem)] p-3', className)}
        onCloseAutoFocus={(event) => {
          onCloseAutoFocus?.(event)
          // Radix gives it back a moment after the popover has gone: a menu that was opened meanwhile would close.
          if (isFocusTaken()) event.preventDefault()
        }}
        {...props}
      />
    </PopoverPrimitive.Portal>
  )
}
