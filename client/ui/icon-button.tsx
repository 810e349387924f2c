import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { Tooltip } from './tooltip.tsx'

/** A quiet button that is an icon. What it does is its name, and is shown when a pointer rests on it. */
export function IconButton({
  label,
  className,
  ...props
}: Omit<ComponentProps<typeof Button>, 'aria-label' | 'variant' | 'size'> & { label: string }) {
  return (
    <Tooltip content={label}>
      <Button
        variant="ghost"
        size="icon"
        aria-label={label}
        className={cn('text-muted-foreground aria-pressed:bg-accent aria-pressed:text-foreground', className)}
        {...props}
      />
    </Tooltip>
  )
}
