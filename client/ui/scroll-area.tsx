import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

/**
 * A region that scrolls by itself and can be scrolled by keyboard. The browser's own thin scroll bars:
 * scripted ones cost frames in long lists and break momentum on phones. Name it with `aria-label`.
 */
export function ScrollArea({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      role={props['aria-label'] || props['aria-labelledby'] ? 'region' : undefined}
      tabIndex={0}
      className={cn('focus-ring min-h-0 overflow-y-auto overscroll-contain outline-offset-[-2px]', className)}
      {...props}
    />
  )
}
