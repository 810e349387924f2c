import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

/** Scrolls sideways inside itself when the page is narrower than the columns. Name it with `aria-label`. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return (
    <div className="relative w-full overflow-x-auto">
      <table className={cn('w-full border-collapse text-sm', className)} {...props} />
    </div>
  )
}

export function TableHead({ className, ...props }: ComponentProps<'thead'>) {
  return (
    <thead className={cn('sticky top-0 z-10 bg-card text-left text-xs text-muted-foreground', className)} {...props} />
  )
}

export function TableBody(props: ComponentProps<'tbody'>) {
  return <tbody {...props} />
}

export function TableRow({ className, ...props }: ComponentProps<'tr'>) {
  return (
    <tr
      className={cn('group border-b transition-colors last:border-b-0 [tbody_&]:hover:bg-accent/50', className)}
      {...props}
    />
  )
}

export function TableHeader({ className, scope = 'col', ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope={scope}
      className={cn('h-9 px-3 font-medium whitespace-nowrap first:pl-5 last:pr-5', className)}
      {...props}
    />
  )
}

export function TableCell({ className, ...props }: ComponentProps<'td'>) {
  return <td className={cn('h-11 px-3 py-1.5 align-middle first:pl-5 last:pr-5', className)} {...props} />
}
