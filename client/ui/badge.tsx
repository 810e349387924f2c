import { cva } from 'class-variance-authority'
import type { VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

const badgeVariants = cva(
  'inline-flex max-w-full shrink-0 items-center gap-1 rounded-full font-medium whitespace-nowrap [&_svg]:size-3',
  {
    variants: {
      tone: {
        neutral: 'bg-secondary text-secondary-foreground',
        primary: 'bg-primary-soft text-primary-soft-foreground',
        success: 'bg-success-soft text-success-soft-foreground',
        warning: 'bg-warning-soft text-warning-soft-foreground',
        destructive: 'bg-destructive-soft text-destructive-soft-foreground',
        info: 'bg-info-soft text-info-soft-foreground',
        solid: 'bg-primary text-primary-foreground',
        'solid-destructive': 'bg-destructive text-destructive-foreground',
        outline: 'border text-muted-foreground',
      },
      size: { sm: 'h-4.5 px-1.5 text-[0.6875rem]', md: 'h-5.5 px-2 text-xs' },
    },
    defaultVariants: { tone: 'neutral', size: 'sm' },
  },
)

export function Badge({
  tone,
  size,
  className,
  ...props
}: ComponentProps<'span'> & VariantProps<typeof badgeVariants>) {
  return <span className={cn(badgeVariants({ tone, size }), className)} {...props} />
}

/** A count in a pill, at most 99+; nothing at zero. `label` says in words what is counted. */
export function CountBadge({
  count,
  label,
  tone = 'solid',
}: {
  count: number
  label: string
  tone?: 'solid' | 'neutral' | 'solid-destructive'
}) {
  if (count <= 0) return null
  return (
    <Badge tone={tone} className="min-w-4.5 justify-center px-1 tabular-nums">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{label}</span>
    </Badge>
  )
}

/** A named colour chosen by people (queue, tag): a dot of that colour beside the name, legible in both themes whatever the colour. */
export function ColorTag({
  color,
  className,
  children,
  ...props
}: ComponentProps<'span'> & { color: string | null | undefined }) {
  return (
    <span
      className={cn('inline-flex max-w-full min-w-0 items-center gap-1.5 text-xs text-muted-foreground', className)}
      {...props}
    >
      <span
        aria-hidden="true"
        className="size-2 shrink-0 rounded-full ring-1 ring-black/10 ring-inset dark:ring-white/15"
        style={{ background: color ?? 'var(--muted-foreground)' }}
      />
      <span className="truncate">{children}</span>
    </span>
  )
}
