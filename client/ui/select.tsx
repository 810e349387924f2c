import { Check, ChevronDown, ChevronUp } from 'lucide-react'
import { Select as SelectPrimitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn.ts'
import { useFieldControl, useFieldLabelId } from './field.tsx'
import { controlClasses } from './input.tsx'
import { itemClasses, panelClasses } from './panel.ts'

export type Option<V extends string = string> = { value: V; label: ReactNode; disabled?: boolean }

/**
 * A closed list of choices. Values are non-empty strings (Radix reserves the empty one for "nothing chosen");
 * for long lists use {@link Combobox}.
 */
export function Select<V extends string = string>({
  value,
  onChange,
  options,
  placeholder,
  className,
  disabled,
  name,
  ...aria
}: {
  value: V | undefined
  onChange: (value: V) => void
  options: readonly Option<V>[]
  placeholder?: string
  className?: string
  disabled?: boolean
  name?: string
} & Pick<ComponentProps<'button'>, 'id' | 'aria-label' | 'aria-labelledby' | 'autoFocus' | 'onBlur' | 'ref'>) {
  const field = useFieldControl()
  const labelId = useFieldLabelId()
  // The open list is called as what opened it.
  const named = aria['aria-label']
    ? { 'aria-label': aria['aria-label'] }
    : { 'aria-labelledby': aria['aria-labelledby'] ?? labelId }
  return (
    <SelectPrimitive.Root
      value={value ?? ''}
      onValueChange={(next) => {
        // Radix clears the value with '' when options load after it; that is not a choice somebody made.
        if (next !== '') onChange(next as V)
      }}
      disabled={disabled}
      name={name}
    >
      <SelectPrimitive.Trigger
        {...field}
        {...aria}
        className={cn(
          controlClasses,
          'flex h-8 items-center justify-between gap-2 text-left data-[placeholder]:text-muted-foreground touch:h-11',
          className,
        )}
      >
        <span className="min-w-0 truncate">
          <SelectPrimitive.Value placeholder={placeholder} />
        </span>
        <SelectPrimitive.Icon asChild>
          <ChevronDown className="size-4 shrink-0 text-muted-foreground" />
        </SelectPrimitive.Icon>
      </SelectPrimitive.Trigger>
      <SelectPrimitive.Portal>
        <SelectPrimitive.Content
          {...named}
          position="popper"
          sideOffset={4}
          className={cn(
            panelClasses,
            'max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width)',
          )}
        >
          <SelectPrimitive.ScrollUpButton className="flex justify-center py-0.5">
            <ChevronUp className="size-4" />
          </SelectPrimitive.ScrollUpButton>
          <SelectPrimitive.Viewport className="max-h-80">
            {options.map((option) => (
              <SelectPrimitive.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled}
                className={cn(itemClasses, 'pr-8')}
              >
                <SelectPrimitive.ItemText>{option.label}</SelectPrimitive.ItemText>
                <SelectPrimitive.ItemIndicator className="absolute right-2">
                  <Check className="size-4 text-primary-soft-foreground" />
                </SelectPrimitive.ItemIndicator>
              </SelectPrimitive.Item>
            ))}
          </SelectPrimitive.Viewport>
          <SelectPrimitive.ScrollDownButton className="flex justify-center py-0.5">
            <ChevronDown className="size-4" />
          </SelectPrimitive.ScrollDownButton>
        </SelectPrimitive.Content>
      </SelectPrimitive.Portal>
    </SelectPrimitive.Root>
  )
}
