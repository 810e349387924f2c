import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

/** A grey stand-in. Put `aria-busy` and a name on the region that is loading; the shapes themselves are silent. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return <div aria-hidden="true" className={cn('animate-pulse rounded-md bg-muted', className)} {...props} />
}
