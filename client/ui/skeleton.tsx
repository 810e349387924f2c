import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

/** A grey stand-in. Put `aria-busy` and a name on the region that is loading; the shapes themselves are silent. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return <div aria-hidden="true" className={cn('animate-pulse rounded-md bg-muted', className)} {...props} />
}

/** One stand-in where nothing around it says that it loads: this one says so itself. */
export function LoadingBlock({ className }: { className?: string }) {
  const { t } = useLingui()
  return (
    <div role="status" aria-busy="true" aria-label={t`Carregando…`} className={className}>
      <Skeleton className="size-full" />
    </div>
  )
}
