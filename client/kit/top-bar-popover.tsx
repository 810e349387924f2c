import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

/** A button of the top bar and what it opens. */
export function TopBarPopover({
  title,
  label,
  icon: Icon,
  mark,
  open,
  onOpenChange,
  className,
  children,
}: {
  title: string
  /** The title and what the mark says, in words. */
  label: string
  icon: LucideIcon
  /** On the icon's corner. */
  mark: ReactNode
  /** Left out, it opens and closes by itself. */
  open?: boolean
  onOpenChange: (open: boolean) => void
  className: string
  children: ReactNode
}) {
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <Tooltip content={title}>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={label} className="text-muted-foreground">
            <Icon />
            {mark}
          </Button>
        </PopoverTrigger>
      </Tooltip>
      <PopoverContent align="end" aria-label={title} className={className}>
        {children}
      </PopoverContent>
    </Popover>
  )
}

/** A count as such a mark, at most 99+; nothing at zero. */
export function CornerCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Badge
      aria-hidden="true"
      tone="solid"
      className="absolute -top-0.5 -right-0.5 touch:top-1 touch:right-1 h-4 min-w-4 justify-center px-1 text-[0.625rem]"
    >
      {count > 99 ? '99+' : count}
    </Badge>
  )
}
