import { LoaderCircle } from 'lucide-react'
import { cn } from './cn.ts'

/** Decorative; whoever shows it says in words (or `aria-busy`) what is awaited. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={cn('size-4 animate-spin', className)} />
}
