import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Filter as FilterIcon } from 'lucide-react'
import type { ContactSort } from '../../schema/contacts/contacts.inputs.ts'
import { isWholeTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { FieldTests } from '../custom-fields/custom-fields.tests.tsx'
import { useDirectory } from '../replica/directory.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Field } from '../ui/field.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Select } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'
import { allContacts, type ContactNarrowing } from './contacts.queries.ts'

const countOf = ({ tagIds, queueIds, whatsappIds, isServed, from, to, email, fields }: ContactNarrowing) =>
  tagIds.length +
  queueIds.length +
  whatsappIds.length +
  Number(isServed) +
  Number(from !== '' || to !== '') +
  Number(email !== 'any') +
  fields.filter(isWholeTest).length

/** Narrows and orders the list of contacts, by what is known of them and of their tickets. */
export function ContactFilter({
  value,
  disabled,
  onChange,
}: {
  value: ContactNarrowing
  disabled: boolean
  onChange: (value: ContactNarrowing) => void
}) {
  const { t } = useLingui()
  const { queues, tags, connections } = useDirectory()
  const fields = useFields()
  const count = countOf(value)
  const options = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ id: String(id), label: name }))
  const choose = (change: Partial<ContactNarrowing>) => onChange({ ...value, ...change })
  const emails: { value: ContactNarrowing['email']; label: string }[] = [
    { value: 'any', label: t`Com ou sem e-mail` },
    { value: 'with', label: t`Só com e-mail` },
    { value: 'without', label: t`Só sem e-mail` },
  ]
  const sorts: { value: ContactSort; label: string }[] = [
    { value: 'name', label: t`Por nome` },
    { value: 'active', label: t`Últimos a escrever` },
    { value: 'created', label: t`Mais novos` },
  ]
  return (
    <div className="flex items-center gap-2">
      <Popover>
        <PopoverTrigger asChild>
          <Button
            variant="outline"
            disabled={disabled}
            aria-label={
              count > 0
                ? plural(count, { one: 'Filtrar contatos (# escolha)', other: 'Filtrar contatos (# escolhas)' })
                : t`Filtrar contatos`
            }
          >
            <FilterIcon />
            <Trans>Filtrar</Trans>
            {count > 0 && <Badge tone="solid">{count}</Badge>}
          </Button>
        </PopoverTrigger>
        <PopoverContent
          align="start"
          aria-label={t`Filtrar contatos`}
          className="flex max-h-[85dvh] w-80 flex-col gap-3 overflow-y-auto"
        >
          <Field label={t`Etiquetas`}>
            <MultiCombobox
              placeholder={t`Todas`}
              options={options(tags.list)}
              values={value.tagIds.map(String)}
              onChange={(ids) => choose({ tagIds: ids.map(Number) })}
            />
          </Field>
          <Field label={t`Filas`}>
            <MultiCombobox
              placeholder={t`Todas`}
              options={options(queues.list)}
              values={value.queueIds.map(String)}
              onChange={(ids) => choose({ queueIds: ids.map(Number) })}
            />
          </Field>
          <Field label={t`Conexões`}>
            <MultiCombobox
              placeholder={t`Todas`}
              options={options(connections.list)}
              values={value.whatsappIds.map(String)}
              onChange={(ids) => choose({ whatsappIds: ids.map(Number) })}
            />
          </Field>
          <fieldset className="flex flex-col gap-1.5">
            <legend className="mb-1.5 text-[0.8125rem] leading-none font-medium">
              <Trans>Primeiro contato</Trans>
            </legend>
            <div className="grid grid-cols-2 gap-2">
              <DateInput
                aria-label={t`Desde`}
                value={value.from}
                max={value.to || undefined}
                onChange={(from) => choose({ from })}
              />
              <DateInput
                aria-label={t`Até`}
                value={value.to}
                min={value.from || undefined}
                onChange={(to) => choose({ to })}
              />
            </div>
          </fieldset>
          <Field label={t`E-mail`}>
            <Select value={value.email} onChange={(email) => choose({ email })} options={emails} />
          </Field>
          <Field label={t`Só com atendimento em andamento`} inline>
            <Switch checked={value.isServed} onCheckedChange={(isServed) => choose({ isServed })} />
          </Field>
          <FieldTests
            fields={fieldsOn(fields, 'contact')}
            value={value.fields}
            onChange={(tests) => choose({ fields: tests })}
          />
          <Button
            variant="outline"
            size="sm"
            className="self-start"
            disabled={count === 0}
            onClick={() => onChange({ ...allContacts, sort: value.sort })}
          >
            <Trans>Limpar</Trans>
          </Button>
        </PopoverContent>
      </Popover>
      <div className="w-44">
        <Select
          aria-label={t`Ordem`}
          disabled={disabled}
          value={value.sort}
          onChange={(sort) => choose({ sort })}
          options={sorts}
        />
      </div>
    </div>
  )
}
