import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { ColorTag } from '../ui/badge.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { useQueues } from './queues.queries.ts'

/** Any number of the company's queues, by id. */
export function QueuePicker({
  value,
  onChange,
  disabled,
  none,
}: {
  value: readonly number[]
  onChange: (ids: number[]) => void
  disabled?: boolean
  /** What it means that none is chosen. */
  none?: string
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
      placeholder={none ?? t`Nenhuma fila`}
      searchPlaceholder={t`Buscar fila…`}
      empty={t`Nenhuma fila encontrada`}
      loading={loading && !data}
      disabled={disabled}
    />
  )
}

/**
 * Chooses the company's only queue in a form of what is new: without one, nobody would see its tickets.
 *
 * @param queues undefined while they are not known, and where nothing is to be chosen
 */
export function useOnlyQueue<Form extends { queueIds: number[] }>(
  form: UseFormReturn<Form>,
  queues: readonly { id: number }[] | undefined,
): void {
  const { getValues, setValue } = form as unknown as UseFormReturn<{ queueIds: number[] }>
  const done = useRef(false)
  useEffect(() => {
    if (!queues || done.current) return
    done.current = true
    const [only] = queues
    if (only && queues.length === 1 && getValues('queueIds').length === 0) setValue('queueIds', [only.id])
  }, [queues, getValues, setValue])
}
