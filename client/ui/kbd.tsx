import type { ReactNode } from 'react'
import { cn } from './cn.ts'

/** One key: `<Kbd>Ctrl</Kbd> <Kbd>K</Kbd>`. */
export function Kbd({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <kbd
      className={cn(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-muted px-1 font-sans text-[0.6875rem] font-medium text-muted-foreground',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
