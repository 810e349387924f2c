import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

/** Where a list has nothing to show: what this place is for and, if there is one, the next step. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
  as: Title = 'p',
  className,
}: {
  icon?: LucideIcon
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** What the title is to a screen reader: of a page that holds nothing else, its heading. */
  as?: 'p' | 'h1'
  className?: string
}) {
  return (
    <div className={cn('flex flex-col items-center justify-center gap-1 px-6 py-14 text-center', className)}>
      {Icon && (
        <span
          aria-hidden="true"
          className="mb-3 flex size-11 items-center justify-center rounded-xl bg-muted text-muted-foreground"
        >
          <Icon className="size-5" strokeWidth={1.75} />
        </span>
      )}
      <Title className="font-medium">{title}</Title>
      {children && <div className="max-w-sm text-sm text-balance wrap-anywhere text-muted-foreground">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
