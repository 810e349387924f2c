import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useState } from 'react'
import { type FieldTest, mostFieldTests } from '../../schema/custom-fields/custom-fields.conditions.ts'
import type { FieldValue } from '../../schema/custom-fields/custom-fields.table.ts'
import type { FieldFault } from '../../schema/custom-fields/custom-fields.values.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Combobox, MultiCombobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { FieldInput, useValueText } from './custom-fields.input.tsx'
import { type FieldRow, useFields } from './custom-fields.rows.ts'
import { useFieldWords } from './custom-fields.words.ts'

type Op = FieldTest['op']

/** What may be asked of a field of this type. */
const opsOf = ({ type }: FieldRow): readonly Op[] => [
  ...(type === 'text' ? (['has'] as const) : []),
  type === 'number' || type === 'date' ? 'range' : 'any',
  'filled',
  'empty',
]
const blank = (id: number, op: Op): FieldTest =>
  op === 'any' ? { id, op, values: [] } : op === 'has' ? { id, op, text: '' } : { id, op }

/** What is asked of a field that somebody has just chosen. */
export const blankTest = (field: FieldRow): FieldTest => blank(field.id, opsOf(field)[0]!)

function useOpWords(): (field: FieldRow, op: Op) => string {
  const { t } = useLingui()
  return (_field, op) =>
    ({ has: t`contém`, any: t`é`, range: t`de … até …`, filled: t`está preenchido`, empty: t`está vazio` })[op]
}

/** A test in a few words; a field that is gone is a dash. */
export function useTestText(): (test: FieldTest) => string {
  const { t } = useLingui()
  const fields = useFields()
  const textOf = useValueText()
  const words = useOpWords()
  return (test) => {
    const field = fields.find(({ id }) => id === test.id)
    if (!field) return '—'
    const { name } = field
    const said = (value: FieldValue | undefined) => (value === undefined ? '…' : textOf(field, value))
    switch (test.op) {
      case 'filled':
      case 'empty':
        return `${name} ${words(field, test.op)}`
      case 'has': {
        const { text } = test
        return t`${name} contém ${text}`
      }
      case 'any':
        return `${name} = ${test.values.map(said).join(', ')}`
      case 'range': {
        const [from, to] = [said(test.from), said(test.to)]
        return t`${name} de ${from} até ${to}`
      }
    }
  }
}

/** What a field is to be. */
export function FieldTestEditor({
  field,
  test,
  onChange,
  className,
}: {
  field: FieldRow
  test: FieldTest
  onChange: (test: FieldTest) => void
  className?: string
}) {
  const { t } = useLingui()
  const words = useOpWords()
  return (
    <div className={cn('flex flex-col gap-2', className)}>
      <Select<Op>
        aria-label={t`Condição de ${field.name}`}
        value={test.op}
        onChange={(op) => onChange(blank(field.id, op))}
        options={opsOf(field).map((op) => ({ value: op, label: words(field, op) }))}
      />
      {test.op === 'has' && (
        <End
          label={t`Texto`}
          field={field}
          value={test.text || undefined}
          onChange={(text) => onChange({ ...test, text: String(text ?? '') })}
        />
      )}
      {test.op === 'any' && <Values field={field} test={test} onChange={onChange} />}
      {test.op === 'range' && (
        <div className={cn('grid grid-cols-2 gap-2', field.type === 'date' && 'max-sm:grid-cols-1')}>
          <End<string | number>
            label={t`De`}
            field={field}
            value={test.from}
            onChange={(from) => onChange(within(test, { from }))}
          />
          <End<string | number>
            label={t`Até`}
            field={field}
            value={test.to}
            onChange={(to) => onChange(within(test, { to }))}
          />
        </div>
      )}
    </div>
  )
}

type Range = Extract<FieldTest, { op: 'range' }>
type Bound = string | number | undefined

function within({ id, from, to }: Range, change: { from?: Bound; to?: Bound }): Range {
  const ends = { from, to, ...change }
  return {
    ...{ id, op: 'range' },
    ...(ends.from !== undefined && { from: ends.from }),
    ...(ends.to !== undefined && { to: ends.to }),
  }
}

function Values({
  field,
  test,
  onChange,
}: {
  field: FieldRow
  test: Extract<FieldTest, { op: 'any' }>
  onChange: (test: FieldTest) => void
}) {
  const { t } = useLingui()
  const set = (values: FieldValue[]) => onChange({ ...test, values })
  if (field.type === 'choice')
    return (
      <MultiCombobox
        aria-label={t`Valor de ${field.name}`}
        options={field.options
          .filter(({ id, archived }) => !archived || test.values.includes(id))
          .map(({ id, label }) => ({ id, label }))}
        values={test.values.map(String)}
        onChange={set}
      />
    )
  const [value = null] = test.values
  return (
    <End
      label={t`Valor`}
      field={field}
      value={value ?? undefined}
      onChange={(next) => set(next === undefined ? [] : [next])}
    />
  )
}

function End<V extends FieldValue>({
  label,
  field,
  value,
  onChange,
}: {
  label: string
  field: FieldRow
  value: FieldValue | undefined
  onChange: (value: V | undefined) => void
}) {
  const words = useFieldWords()
  const [fault, setFault] = useState<FieldFault | null>(null)
  return (
    <Field label={<span className="sr-only">{`${field.name}: ${label}`}</span>} error={fault && words.faults[fault]}>
      <FieldInput
        field={field}
        value={value ?? null}
        onChange={(next) => onChange((next ?? undefined) as V | undefined)}
        onFault={setFault}
      />
    </Field>
  )
}

/** What several fields are to be, all of them; nothing where the company has none. */
export function FieldTests({
  fields,
  value,
  onChange,
}: {
  fields: readonly FieldRow[]
  value: readonly FieldTest[]
  onChange: (tests: readonly FieldTest[]) => void
}) {
  const { t } = useLingui()
  if (fields.length === 0) return null
  return (
    <div role="group" aria-label={t`Campos próprios`} className="flex flex-col gap-2">
      {value.map((test, at) => {
        const field = fields.find(({ id }) => id === test.id)
        return (
          <div key={`${test.id} ${at}`} className="flex flex-col gap-1.5 rounded-lg border p-2">
            <div className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate text-[0.8125rem] font-medium">{field?.name ?? '—'}</span>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={t`Retirar a condição de ${field?.name ?? '—'}`}
                onClick={() => onChange(value.toSpliced(at, 1))}
              >
                <X />
              </Button>
            </div>
            {field && <FieldTestEditor field={field} test={test} onChange={(next) => onChange(value.with(at, next))} />}
          </div>
        )
      })}
      {value.length < mostFieldTests && (
        <Field label={<Trans>Campos próprios</Trans>}>
          <Combobox
            value={null}
            placeholder={t`Escolher um campo`}
            options={fields.map(({ id, name }) => ({ id: String(id), label: name }))}
            onChange={(chosen) => {
              const field = fields.find(({ id }) => String(id) === chosen)
              if (field) onChange([...value, blankTest(field)])
            }}
          />
        </Field>
      )}
    </div>
  )
}
