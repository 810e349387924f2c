import { Trans } from '@lingui/react/macro'
import { Paperclip } from 'lucide-react'
import { useState } from 'react'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { useFieldControl } from './field.tsx'
import { controlClasses } from './input.tsx'

/**
 * A file to be chosen, in the words of the screens: the browser's own control speaks the browser's language. That
 * control lies over these words, unseen, and does the work.
 */
export function FileInput({ className, onChange, ...props }: Omit<ComponentProps<'input'>, 'type'>) {
  const field = useFieldControl()
  const [name, setName] = useState<string>()
  return (
    <span className={cn('relative block', className)}>
      <input
        {...field}
        {...props}
        type="file"
        className="peer absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
        onChange={(event) => {
          setName(event.target.files?.[0]?.name)
          onChange?.(event)
        }}
      />
      <span
        aria-hidden="true"
        className={cn(
          controlClasses,
          'flex h-8 items-center gap-2 touch:h-11',
          'peer-focus-visible:outline-ring peer-disabled:opacity-60 peer-aria-invalid:border-destructive',
        )}
      >
        <Paperclip className="size-4 shrink-0 text-muted-foreground" />
        <span className={cn('truncate', !name && 'text-muted-foreground')}>
          {name ?? <Trans>Escolher arquivo</Trans>}
        </span>
      </span>
    </span>
  )
}
