import { useLingui } from '@lingui/react/macro'
import { cn } from '../ui/cn.ts'
import { useRows } from '../replica/live-rows.ts'
import { ticketViews, type ViewRow } from './tickets.views.ts'

/** The views, to be put on and taken off with a click; nothing while there are none. */
export default function ViewChips({
  isOn,
  onChoose,
}: {
  isOn: (view: ViewRow) => boolean
  /** Null: none any more. */
  onChoose: (view: ViewRow | null) => void
}) {
  const { t } = useLingui()
  const { rows } = useRows(ticketViews)
  if (!rows || rows.length === 0) return null
  return (
    <div role="group" aria-label={t`Visões`} className="flex shrink-0 gap-1.5 overflow-x-auto px-3 pt-2">
      {rows.map((row) => {
        const on = isOn(row)
        return (
          <button
            key={row.id}
            type="button"
            aria-pressed={on}
            onClick={() => onChoose(on ? null : row)}
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
