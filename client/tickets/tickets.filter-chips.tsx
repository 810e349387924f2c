import { useLingui } from '@lingui/react/macro'
import { cn } from '../ui/cn.ts'
import { useRows } from '../replica/live-rows.ts'
import { noNarrowing, sameNarrowing, savedFilters } from './tickets.saved-filters.ts'
import type { ListNarrowing } from '../../schema/tickets/tickets.list.ts'

/** The saved filters, to be put on and taken off with a click; nothing while there are none. */
export function FilterChips({ value, onChange }: { value: ListNarrowing; onChange: (filter: ListNarrowing) => void }) {
  const { t } = useLingui()
  const { rows } = useRows(savedFilters)
  if (!rows || rows.length === 0) return null
  return (
    <div role="group" aria-label={t`Filtros salvos`} className="flex shrink-0 gap-1.5 overflow-x-auto px-3 pt-2">
      {rows.map((row) => {
        const on = sameNarrowing(row.filter, value)
        return (
          <button
            key={row.id}
            type="button"
            aria-pressed={on}
            onClick={() => onChange(on ? noNarrowing : row.filter)}
            className={cn(
              'focus-ring h-6 max-w-40 shrink-0 truncate rounded-full border px-2.5 text-xs outline-offset-[-2px] touch:h-9',
              on
                ? 'border-primary bg-primary-soft text-primary-soft-foreground'
                : 'text-muted-foreground hover:bg-accent',
            )}
          >
            {row.name}
          </button>
        )
      })}
    </div>
  )
}
