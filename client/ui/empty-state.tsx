import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

/** Where a list has nothing to show: what this place is for and, if there is one, the next step. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
  className,
}: {
  icon?: LucideIcon
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
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
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-sm text-sm text-balance text-muted-foreground">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
