import { useLingui } from '@lingui/react/macro'
import { ColorTag } from '../ui/badge.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { useQueues } from './queues.queries.ts'

/** Any number of the company's queues, by id. */
export function QueuePicker({
  value,
  onChange,
  disabled,
}: {
  value: readonly number[]
  onChange: (ids: number[]) => void
  disabled?: boolean
}) {
  const { t } = useLingui()
  const { data, loading } = useQueues()
  return (
    <MultiCombobox
      values={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      options={(data ?? []).map((queue) => ({
        id: String(queue.id),
        label: queue.name,
        content: (
          <ColorTag color={queue.color} className="text-sm text-foreground">
            {queue.name}
          </ColorTag>
        ),
      }))}
      placeholder={t`Nenhuma fila`}
      searchPlaceholder={t`Buscar fila…`}
      empty={t`Nenhuma fila encontrada`}
      loading={loading && !data}
      disabled={disabled}
    />
  )
}
