import { cn } from './cn.ts'

/** A hairline. Purely visual: structure comes from headings and lists. */
export function Separator({ vertical = false, className }: { vertical?: boolean; className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={cn('shrink-0 bg-border', vertical ? 'w-px self-stretch' : 'h-px w-full', className)}
    />
  )
}
