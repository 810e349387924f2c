import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Check, ListFilter as FilterIcon, Pencil, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { filterName } from '../../schema/filters/filters.inputs.ts'
import { newId } from '../../schema/ids.ts'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { FieldTests } from '../custom-fields/custom-fields.tests.tsx'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Switch } from '../ui/switch.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { useDirectory } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { perform } from '../session/perform.ts'
import {
  narrowingCount,
  noNarrowing,
  normal,
  sameNarrowing,
  savedFilters,
  storedFilter,
  type SavedFilterRow,
} from './tickets.saved-filters.ts'
import type { ListNarrowing } from '../../schema/tickets/tickets.list.ts'

interface Props {
  value: ListNarrowing
  onChange: (filter: ListNarrowing) => void
  /** The lists show the tickets of all users. */
  all: boolean
  /** Whether the nearest deadlines stand above; undefined where nothing is promised. */
  dueFirst?: { value: boolean; onChange: (value: boolean) => void } | undefined
}

/** Narrows the lists, and keeps what they are narrowed to under names. */
export default function TicketFilterButton(props: Props) {
  const { t } = useLingui()
  const replica = useReplica()
  const [deleting, setDeleting] = useState<SavedFilterRow | null>(null)
  const count = narrowingCount(props.value)
  const label =
    count > 0
      ? plural(count, { one: 'Filtrar atendimentos (# escolha)', other: 'Filtrar atendimentos (# escolhas)' })
      : t`Filtrar atendimentos`
  const name = deleting?.name
  return (
    <>
      <Popover>
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
          <Choices {...props} />
          <Saved {...props} onDelete={setDeleting} />
        </PopoverContent>
      </Popover>
      <ConfirmDialog
        open={deleting !== null}
        onOpenChange={(open) => !open && setDeleting(null)}
        title={t`Excluir o filtro ${name}?`}
        confirmLabel={t`Excluir`}
        destructive
        onConfirm={async () => {
          if (deleting) await perform(replica, 'filters.delete', { id: deleting.id })
        }}
      >
        <Trans>Os atendimentos continuam como estão.</Trans>
      </ConfirmDialog>
    </>
  )
}

function Choices({ value, onChange, all, dueFirst }: Props) {
  const { t } = useLingui()
  const who = usePrincipal()
  const { queues, tags, users, connections } = useDirectory()
  const fields = useFields()
  const mine = all ? queues.list : queues.list.filter((queue) => who.queueIds.includes(queue.id))
  const withoutQueue = all || who.allTicket ? [{ id: 0, name: t`Sem fila` }] : []
  const choose = (change: Partial<ListNarrowing>) => onChange(normal({ ...value, ...change }))
  const options = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ id: String(id), label: name }))
  return (
    <>
      {dueFirst && (
        <Field label={t`Próximo prazo primeiro`} inline>
          <Switch checked={dueFirst.value} onCheckedChange={dueFirst.onChange} />
        </Field>
      )}
      <Field label={t`Filas`}>
        <MultiCombobox
          placeholder={t`Todas`}
          options={options([...mine, ...withoutQueue])}
          values={value.queueIds.map(String)}
          onChange={(ids) => choose({ queueIds: ids.map(Number) })}
        />
      </Field>
      <Field label={t`Etiquetas`}>
        <MultiCombobox
          placeholder={t`Todas`}
          options={options(tags.list)}
          values={(value.tagIds ?? []).map(String)}
          onChange={(ids) => choose({ tagIds: ids.map(Number) })}
        />
      </Field>
      {(all || value.userIds) && (
        <Field label={t`Usuários`}>
          <MultiCombobox
            placeholder={t`Todos`}
            options={options(users.list)}
            values={(value.userIds ?? []).map(String)}
            onChange={(ids) => choose({ userIds: ids.map(Number) })}
          />
        </Field>
      )}
      <Field label={t`Conexões`}>
        <MultiCombobox
          placeholder={t`Todas`}
          options={options(connections.list)}
          values={(value.whatsappIds ?? []).map(String)}
          onChange={(ids) => choose({ whatsappIds: ids.map(Number) })}
        />
      </Field>
      <FieldTests
        fields={fieldsOn(fields, 'ticket')}
        value={value.fields ?? []}
        onChange={(tests) => choose({ fields: tests })}
      />
      <Field label={t`Só com mensagens não lidas`} inline>
        <Switch checked={value.unreadOnly ?? false} onCheckedChange={(unreadOnly) => choose({ unreadOnly })} />
      </Field>
      <Field label={t`Só os que esperam resposta`} inline>
        <Switch
          checked={value.unansweredOnly ?? false}
          onCheckedChange={(unansweredOnly) => choose({ unansweredOnly })}
        />
      </Field>
    </>
  )
}

function Saved({ value, onChange, onDelete }: Props & { onDelete: (row: SavedFilterRow) => void }) {
  const { t } = useLingui()
  const replica = useReplica()
  const { rows: saved = [] } = useRows(savedFilters)
  const [naming, setNaming] = useState<SavedFilterRow | 'new' | null>(null)
  const narrowed = narrowingCount(value) > 0
  const known = saved.some((row) => sameNarrowing(row.filter, value))
  const save = async (name: string) => {
    const row = typeof naming === 'object' && naming ? naming : { id: newId(), filter: value }
    if (await perform(replica, 'filters.save', { id: row.id, name, filter: storedFilter(row.filter) })) setNaming(null)
  }
  return (
    <div className="flex flex-col gap-2 border-t pt-3">
      {naming === 'new' ? (
        <NameForm onSave={save} onCancel={() => setNaming(null)} />
      ) : (
        <div className="flex gap-2">
          <Button variant="outline" size="sm" disabled={!narrowed} onClick={() => onChange(noNarrowing)}>
            <Trans>Limpar</Trans>
          </Button>
          <Button variant="outline" size="sm" disabled={!narrowed || known} onClick={() => setNaming('new')}>
            <Trans>Salvar filtro</Trans>
          </Button>
        </div>
      )}
      {saved.length > 0 && (
        <ul aria-label={t`Filtros salvos`} className="flex flex-col">
          {saved.map((row) =>
            typeof naming === 'object' && naming?.id === row.id ? (
              <li key={row.id}>
                <NameForm initial={row.name} onSave={save} onCancel={() => setNaming(null)} />
              </li>
            ) : (
              <li key={row.id} className="flex items-center gap-1">
                <button
                  type="button"
                  aria-pressed={sameNarrowing(row.filter, value)}
                  onClick={() => onChange(row.filter)}
                  className="focus-ring flex min-h-7 min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 text-left text-sm hover:bg-accent touch:min-h-11"
                >
                  <span className="truncate">{row.name}</span>
                  {sameNarrowing(row.filter, value) && <Check aria-hidden="true" className="size-3.5 shrink-0" />}
                </button>
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={t`Renomear ${row.name}`}
                  onClick={() => setNaming(row)}
                  className="text-muted-foreground"
                >
                  <Pencil />
                </Button>
                <Button
                  variant="destructive-ghost"
                  size="icon-sm"
                  aria-label={t`Excluir ${row.name}`}
                  onClick={() => onDelete(row)}
                >
                  <Trash2 />
                </Button>
              </li>
            ),
          )}
        </ul>
      )}
    </div>
  )
}

function NameForm({
  initial = '',
  onSave,
  onCancel,
}: {
  initial?: string
  onSave: (name: string) => Promise<void>
  onCancel: () => void
}) {
  const { t } = useLingui()
  const [name, setName] = useState(initial)
  return (
    <form
      className="flex items-center gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') void onSave(name.trim())
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <Input
        autoFocus
        value={name}
        maxLength={filterName.maxLength}
        aria-label={t`Nome do filtro`}
        placeholder={t`Nome do filtro`}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" size="icon-sm" aria-label={t`Salvar`} disabled={name.trim() === ''}>
        <Check />
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label={t`Cancelar`} onClick={onCancel}>
        <X />
      </Button>
    </form>
  )
}
