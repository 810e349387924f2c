import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn.ts'
import { useFieldControl } from './field.tsx'

/** Look of everything one types into or opens like a field. 16 px on phones: below that iOS zooms the page. */
export const controlClasses = [
  'focus-ring w-full min-w-0 rounded-md border border-input bg-card px-2.5 text-base text-foreground shadow-xs sm:text-sm',
  'transition-[border-color,box-shadow] duration-100 placeholder:text-muted-foreground/80',
  'focus-visible:border-ring focus-visible:outline-offset-[-1px]',
  'disabled:cursor-not-allowed disabled:opacity-60',
  'aria-invalid:border-destructive aria-invalid:focus-visible:outline-destructive',
].join(' ')

export type InputProps = ComponentProps<'input'> & {
  /** An icon or short text inside the left edge. */
  before?: ReactNode
  /** A button, unit or icon inside the right edge. */
  after?: ReactNode
}

export function Input({ className, before, after, ...props }: InputProps) {
  const field = useFieldControl()
  const input = (
    <input
      {...field}
      // React focuses it and leaves no trace of the wish; a dialog asks for it again.
      data-autofocus={props.autoFocus || undefined}
      className={cn(
        controlClasses,
        'h-8 touch:h-11',
        // The selector `:read-only` holds for files, too, which are chosen as freely as ever.
        'disabled:bg-muted',
        props.readOnly && 'bg-muted',
        before && 'pl-8',
        after && 'pr-9 touch:pr-12',
        className,
      )}
      {...props}
    />
  )
  if (!before && !after) return input
  return (
    <div className="relative w-full min-w-0">
      {before && (
        <span className="pointer-events-none absolute inset-y-0 left-0 flex w-8 items-center justify-center text-muted-foreground [&_svg]:size-4">
          {before}
        </span>
      )}
      {input}
      {after && <span className="absolute inset-y-0 right-0 flex items-center pr-0.5">{after}</span>}
    </div>
  )
}
