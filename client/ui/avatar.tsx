import { Avatar as AvatarPrimitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { initials, hueOf } from './avatar-text.ts'
import { cn } from './cn.ts'

const sizes = {
  xs: 'size-5 text-[0.5625rem]',
  sm: 'size-7 text-[0.6875rem]',
  md: 'size-9 text-xs',
  lg: 'size-14 text-lg',
}

/** A picture or, without one, initials on a colour that stays the same for the same name. Decorative beside the written name. */
export function Avatar({
  name,
  src,
  size = 'md',
  badge,
  className,
}: {
  name: string
  src?: string | null | undefined
  size?: keyof typeof sizes
  /** A small mark over the lower right corner: presence, channel. */
  badge?: ReactNode
  className?: string
}) {
  const hue = hueOf(name)
  return (
    <span aria-hidden="true" className={cn('relative inline-flex shrink-0', className)}>
      <AvatarPrimitive.Root
        className={cn('inline-flex items-center justify-center overflow-hidden rounded-full select-none', sizes[size])}
      >
        {src && <AvatarPrimitive.Image src={src} alt="" className="size-full object-cover" />}
        <AvatarPrimitive.Fallback
          delayMs={src ? 300 : undefined}
          style={{ '--hue': hue } as React.CSSProperties}
          className="flex size-full items-center justify-center bg-[oklch(0.9_0.045_var(--hue))] font-medium text-[oklch(0.4_0.085_var(--hue))] dark:bg-[oklch(0.36_0.05_var(--hue))] dark:text-[oklch(0.88_0.06_var(--hue))]"
        >
          {initials(name)}
        </AvatarPrimitive.Fallback>
      </AvatarPrimitive.Root>
      {badge && <span className="absolute -right-0.5 -bottom-0.5 flex rounded-full ring-2 ring-card">{badge}</span>}
    </span>
  )
}
