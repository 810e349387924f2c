import { cva } from 'class-variance-authority'
import type { VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { Spinner } from './spinner.tsx'

export const buttonVariants = cva(
  [
    'focus-ring relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none',
    'transition-[background-color,color,border-color,box-shadow] duration-100',
    'disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 aria-busy:opacity-100',
    "[&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
  ],
  {
    variants: {
      variant: {
        primary: 'bg-primary text-primary-foreground shadow-xs hover:bg-primary-hover',
        secondary:
          'bg-secondary text-secondary-foreground hover:bg-accent hover:brightness-[0.98] dark:hover:brightness-110',
        outline: 'border border-input bg-card text-foreground shadow-xs hover:bg-accent',
        ghost: 'text-foreground hover:bg-accent',
        destructive: 'bg-destructive text-destructive-foreground shadow-xs hover:brightness-95',
        'destructive-ghost': 'text-destructive-soft-foreground hover:bg-destructive-soft',
        link: 'h-auto! rounded-sm px-0! text-primary-soft-foreground underline-offset-4 hover:underline',
      },
      size: {
        sm: 'h-7 px-2.5 text-xs touch:h-11 touch:px-3 touch:text-sm',
        md: 'h-8 px-3 text-sm touch:h-11 touch:px-4',
        lg: 'h-10 px-4 text-sm touch:h-11',
        icon: 'size-8 touch:size-11',
        'icon-sm': 'size-7 touch:size-11',
      },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
)

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonVariants> & {
    /** Renders the only child with the button's look, for links. */
    asChild?: boolean
    /** Shows a spinner, keeps the width and refuses clicks while something is under way. */
    busy?: boolean
  }

/** A button. `type` is `button` unless said otherwise, so that none submits a form by accident. Icon sizes need an `aria-label`. */
export function Button({
  variant,
  size,
  asChild = false,
  busy = false,
  className,
  children,
  disabled,
  type,
  ...props
}: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className)
  if (asChild)
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    )
  return (
    <button
      type={type ?? 'button'}
      className={classes}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...props}
    >
      {busy ? (
        <>
          <span className="inline-flex items-center gap-1.5 opacity-0">{children}</span>
          <span className="absolute inset-0 flex items-center justify-center rounded-[inherit] bg-inherit">
            <Spinner className="size-4" />
          </span>
        </>
      ) : (
        children
      )}
    </button>
  )
}
