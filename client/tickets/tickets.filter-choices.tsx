import { useLingui } from '@lingui/react/macro'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { FieldTests } from '../custom-fields/custom-fields.tests.tsx'
import type { ListNarrowing } from '../../schema/tickets/tickets.list.ts'
import { useDirectory } from '../replica/directory.ts'
import { usePrincipal } from '../session/session.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { Switch } from '../ui/switch.tsx'
import { normal } from './tickets.views.ts'

export interface ChoicesProps {
  value: ListNarrowing
  onChange: (filter: ListNarrowing) => void
  /** The lists show the tickets of all users. */
  all: boolean
}

/** What a list of tickets can be narrowed to. */
export function Choices({ value, onChange, all }: ChoicesProps) {
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
