import { useLingui } from '@lingui/react/macro'
import { ChevronsUpDown, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { isComposing } from '../base/is-composing.ts'
import { cn } from './cn.ts'
import { Command } from './command.tsx'
import type { CommandItem } from './command.tsx'
import { useFieldControl, useFieldLabelId } from './field.tsx'
import { controlClasses } from './input.tsx'
import { Popover, PopoverContent, PopoverTrigger } from './popover.tsx'

type Shared = {
  options: readonly CommandItem[]
  placeholder?: string
  searchPlaceholder?: string
  /** What is typed, where whoever gives `onSearch` keeps it; else the list is empty of it each time it opens. */
  query?: string
  /** Called with what is typed; give it when the options come from a search, together with `loading`. Turns own filtering off. */
  onSearch?: (query: string) => void
  loading?: boolean
  /** Shown when nothing matches. */
  empty?: ReactNode
  disabled?: boolean
  autoFocus?: boolean
  className?: string
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
}

/** One choice out of many, found by typing. `null` means none; `clearable` lets people return to it. */
export function Combobox({
  value,
  onChange,
  clearable = false,
  ...shared
}: Shared & { value: string | null; onChange: (value: string | null) => void; clearable?: boolean }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const chosen = shared.options.find((option) => option.id === value)
  return (
    <Picker
      {...shared}
      open={open}
      onOpenChange={setOpen}
      selected={value === null ? [] : [value]}
      onSelect={(id) => {
        onChange(id)
        setOpen(false)
      }}
      onClear={clearable && value !== null ? () => onChange(null) : undefined}
      clearLabel={t`Limpar`}
    >
      {/* What is chosen, but whose name has not come yet, is not nothing. */}
      {chosen ? (chosen.line ?? chosen.content ?? chosen.label) : value === null ? null : '…'}
    </Picker>
  )
}

/** Any number of choices. The list stays open while choosing. */
export function MultiCombobox({
  values,
  onChange,
  ...shared
}: Shared & { values: readonly string[]; onChange: (values: string[]) => void }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const chosen = shared.options.filter((option) => values.includes(option.id))
  return (
    <Picker
      {...shared}
      open={open}
      onOpenChange={setOpen}
      selected={values}
      onSelect={(id) => onChange(values.includes(id) ? values.filter((value) => value !== id) : [...values, id])}
      onClear={values.length > 0 ? () => onChange([]) : undefined}
      clearLabel={t`Limpar`}
    >
      {chosen.length > 0 ? chosen.map((option) => option.label).join(', ') : null}
    </Picker>
  )
}

function Picker({
  options,
  placeholder,
  searchPlaceholder,
  query,
  onSearch,
  loading,
  empty,
  disabled,
  autoFocus,
  className,
  open,
  onOpenChange,
  selected,
  onSelect,
  onClear,
  clearLabel,
  children,
  ...own
}: Shared & {
  open: boolean
  onOpenChange: (open: boolean) => void
  selected: readonly string[]
  onSelect: (id: string) => void
  onClear: (() => void) | undefined
  clearLabel: string
  children: ReactNode
}) {
  const { t } = useLingui()
  const field = useFieldControl()
  const fieldLabelId = useFieldLabelId()
  const ownId = useId()
  const id = own.id ?? field.id ?? ownId
  const labelId = own['aria-labelledby'] ?? (own['aria-label'] === undefined ? fieldLabelId : undefined)
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <div className="relative w-full min-w-0">
        <PopoverTrigger asChild>
          <button
            type="button"
            {...field}
            // A button that opens a list is no field to those who must fill it in; the label's mark says it.
            aria-required={undefined}
            {...own}
            id={id}
            // A label alone would keep silent about what is chosen.
            aria-labelledby={labelId && `${labelId} ${id}`}
            disabled={disabled}
            autoFocus={autoFocus}
            data-autofocus={autoFocus || undefined}
            // Who types at the closed list is searching already: the letter goes to the search, which has the focus by then.
            onKeyDown={({ key, ctrlKey, metaKey, altKey, nativeEvent }) => {
              if (key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey && !isComposing(nativeEvent))
                flushSync(() => onOpenChange(true))
            }}
            className={cn(
              controlClasses,
              'flex h-8 items-center text-left touch:h-11',
              onClear ? 'pr-14 touch:pr-20' : 'pr-8',
              className,
            )}
          >
            <span className={cn('min-w-0 flex-1 truncate', !children && 'text-muted-foreground')}>
              {children ?? placeholder ?? t`Escolher`}
            </span>
            <ChevronsUpDown aria-hidden="true" className="absolute right-2.5 size-4 text-muted-foreground" />
          </button>
        </PopoverTrigger>
        {onClear && !disabled && (
          <button
            type="button"
            aria-label={clearLabel}
            onClick={onClear}
            className="focus-ring absolute inset-y-0 right-8 my-auto flex size-6 items-center justify-center rounded-sm text-muted-foreground hover:text-foreground touch:tap-area"
          >
            <X className="size-3.5" />
          </button>
        )}
      </div>
      <PopoverContent
        aria-label={searchPlaceholder ?? t`Buscar`}
        align="start"
        className="w-(--radix-popover-trigger-width) min-w-56 p-1"
      >
        <Command
          items={options}
          selected={selected}
          onSelect={onSelect}
          label={searchPlaceholder ?? t`Buscar`}
          placeholder={searchPlaceholder ?? t`Buscar…`}
          query={query}
          onQueryChange={onSearch}
          filter={!onSearch}
          loading={loading}
          empty={empty}
        />
      </PopoverContent>
    </Popover>
  )
}
