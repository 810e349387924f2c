import { Trans } from '@lingui/react/macro'
import { Check, Search } from 'lucide-react'
import { Fragment, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { isComposing } from '../base/is-composing.ts'
import { cn } from './cn.ts'
import { filterByText } from './filter.ts'
import { itemClasses } from './panel.ts'
import { Spinner } from './spinner.tsx'

export type CommandItem = {
  id: string
  /** What is searched, and shown unless `content` says otherwise. */
  label: string
  /** Searched too, never shown. */
  keywords?: string
  content?: ReactNode
  /** In a closed field, which has one line, where `content` has more. */
  line?: ReactNode
  /** Items of one group stand together under its name. Give them in group order. */
  group?: string
  /** Small text or a `Kbd` at the right edge. */
  hint?: ReactNode
  disabled?: boolean
}

/**
 * A search field over a list of choices: arrows, Home, End and Enter move and choose while the focus stays in the field.
 * The list filters itself, unless `onQueryChange` is given with `filter={false}`: then the caller brings the matching items.
 */
export function Command({
  items,
  onSelect,
  onNothing,
  label,
  placeholder,
  query: controlledQuery,
  onQueryChange,
  filter = true,
  loading = false,
  selected,
  empty,
  footer,
  className,
  listClassName,
}: {
  items: readonly CommandItem[]
  onSelect: (id: string) => void
  /** Enter, while there is nothing to choose. */
  onNothing?: () => void
  /** Accessible name of field and list. */
  label: string
  placeholder?: string
  query?: string
  onQueryChange?: (query: string) => void
  filter?: boolean
  loading?: boolean
  /** Ids that carry a check mark. Leave out where nothing is ever "chosen". */
  selected?: readonly string[]
  empty?: ReactNode
  footer?: ReactNode
  className?: string
  listClassName?: string
}) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const [ownQuery, setOwnQuery] = useState('')
  const query = controlledQuery ?? ownQuery
  const shown = useMemo(
    () => (filter ? filterByText(items, query, (item) => `${item.label} ${item.keywords ?? ''}`) : [...items]),
    [items, query, filter],
  )
  const usable = shown.filter((item) => !item.disabled)
  const [activeId, setActiveId] = useState<string | null>(selected?.[0] ?? null)
  const active = usable.find((item) => item.id === activeId) ?? usable[0]

  useEffect(() => {
    if (!active) return
    list.current?.querySelector(`[data-id="${CSS.escape(active.id)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const move = (to: number) => setActiveId(usable[(to + usable.length) % usable.length]?.id ?? null)
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and arrows belong to it.
    if (isComposing(event.nativeEvent)) return
    const at = active ? usable.indexOf(active) : -1
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(usable.length - 1),
      Enter: () => (active ? onSelect(active.id) : onNothing?.()),
    }
    const step = steps[event.key]
    if (!step || (event.key === 'Home' && query) || (event.key === 'End' && query)) return
    event.preventDefault()
    event.stopPropagation()
    step()
  }

  const option = (item: CommandItem) => {
    const chosen = selected?.includes(item.id)
    return (
      <div
        key={item.id}
        role="option"
        id={`${base}-${item.id}`}
        data-id={item.id}
        data-active={item === active}
        aria-selected={selected ? chosen : item === active}
        aria-disabled={item.disabled || undefined}
        onPointerMove={() => !item.disabled && setActiveId(item.id)}
        // The field must keep the focus, or the list would close under the finger.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => !item.disabled && onSelect(item.id)}
        className={cn(itemClasses, 'cursor-pointer')}
      >
        <span className="min-w-0 flex-1 truncate">{item.content ?? item.label}</span>
        {item.hint && <span className="shrink-0 text-xs text-muted-foreground">{item.hint}</span>}
        {selected && (
          <Check aria-hidden="true" className={cn('size-4 text-primary-soft-foreground', !chosen && 'invisible')} />
        )}
      </div>
    )
  }
  // Neighbours of one group, under its name.
  const blocks: { group: string | undefined; items: CommandItem[] }[] = []
  for (const item of shown) {
    const last = blocks.at(-1)
    if (last && last.group === item.group) last.items.push(item)
    else blocks.push({ group: item.group, items: [item] })
  }

  return (
    <div className={cn('flex min-h-0 flex-col', className)}>
      <div className="-mx-1 -mt-1 mb-1 flex items-center gap-2 border-b px-3">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        <input
          // Opening a search list is a request to type in it.
          autoFocus
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${base}-list`}
          aria-activedescendant={active ? `${base}-${active.id}` : undefined}
          aria-autocomplete="list"
          aria-label={label}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={query}
          onChange={(event) => {
            setOwnQuery(event.target.value)
            onQueryChange?.(event.target.value)
            setActiveId(null)
          }}
          onKeyDown={onKeyDown}
          className="h-9 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted-foreground/80 sm:text-sm touch:h-11"
        />
        {loading && <Spinner className="text-muted-foreground" />}
      </div>
      <div
        ref={list}
        id={`${base}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={selected && selected.length > 1 ? true : undefined}
        aria-busy={loading || undefined}
        className={cn('max-h-72 min-h-0 overflow-y-auto overscroll-contain', listClassName)}
      >
        {blocks.map(({ group, items: together }) =>
          group === undefined ? (
            <Fragment key={together[0]!.id}>{together.map(option)}</Fragment>
          ) : (
            <div key={together[0]!.id} role="group" aria-label={group}>
              <div aria-hidden="true" className="px-2 pt-2 pb-1 text-xs font-medium text-muted-foreground">
                {group}
              </div>
              {together.map(option)}
            </div>
          ),
        )}
      </div>
      {/* There before it says anything, or it would not be heard. */}
      <p
        role="status"
        className={shown.length === 0 ? 'px-2 py-6 text-center text-sm text-muted-foreground' : 'sr-only'}
      >
        {shown.length > 0 ? '' : loading ? <Trans>Buscando…</Trans> : (empty ?? <Trans>Nada encontrado</Trans>)}
      </p>
      {footer}
    </div>
  )
}
