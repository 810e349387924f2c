import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ListFilter as FilterIcon } from 'lucide-react'
import { Suspense, useState } from 'react'
import { late } from '../base/late.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Switch } from '../ui/switch.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { Choices, type ChoicesProps } from './tickets.filter-choices.tsx'
import { noNarrowing } from './tickets.no-narrowing.ts'
import { narrowingCount } from './tickets.views.ts'

const ViewDialog = late(() => import('./tickets.view-dialog.tsx'))

/** Narrows the lists. What they are narrowed to can be kept as a view. */
export default function TicketFilterButton({
  onSaved,
  dueFirst,
  ...props
}: ChoicesProps & {
  /** It is kept under this id. */
  onSaved?: (id: string) => void
  /** Whether the nearest deadlines stand above; undefined where nothing is promised. */
  dueFirst?: { value: boolean; onChange: (value: boolean) => void } | undefined
}) {
  const { t } = useLingui()
  const { value, onChange, all } = props
  const [open, setOpen] = useState(false)
  const [saving, setSaving] = useState(false)
  const count = narrowingCount(value)
  const label =
    count > 0
      ? plural(count, { one: 'Filtrar atendimentos (# escolha)', other: 'Filtrar atendimentos (# escolhas)' })
      : t`Filtrar atendimentos`
  return (
    <>
      <Popover open={open} onOpenChange={setOpen}>
        <Tooltip content={label}>
          <PopoverTrigger asChild>
            <Button variant="ghost" size="icon" aria-label={label} className="relative">
              <FilterIcon />
              {count > 0 && (
                <Badge
                  tone="solid"
                  className="absolute -top-0.5 -right-0.5 h-4 min-w-4 justify-center px-1 text-[0.625rem]"
                >
                  {count}
                </Badge>
              )}
            </Button>
          </PopoverTrigger>
        </Tooltip>
        <PopoverContent
          align="end"
          aria-label={t`Filtrar atendimentos`}
          className="flex max-h-[min(36rem,85dvh)] w-80 flex-col gap-3 overflow-y-auto"
        >
          {dueFirst && (
            <Field label={t`Próximo prazo primeiro`} inline>
              <Switch checked={dueFirst.value} onCheckedChange={dueFirst.onChange} />
            </Field>
          )}
          <Choices {...props} />
          <div className="flex gap-2 border-t pt-3">
            <Button variant="outline" size="sm" disabled={count === 0} onClick={() => onChange(noNarrowing)}>
              <Trans>Limpar</Trans>
            </Button>
            <Button
              variant="outline"
              size="sm"
              disabled={count === 0}
              onClick={() => {
                setOpen(false)
                setSaving(true)
              }}
            >
              <Trans>Salvar como visão</Trans>
            </Button>
          </div>
        </PopoverContent>
      </Popover>
      <Suspense fallback={null}>
        {saving && (
          <ViewDialog
            view={null}
            filter={{ ...value, ...(!all && { mine: true }), ...(dueFirst?.value && { order: 'due' }) }}
            onClose={() => setSaving(false)}
            onSaved={(id) => {
              if (!onSaved) return
              // The view shows the same.
              onChange(noNarrowing)
              onSaved(id)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
