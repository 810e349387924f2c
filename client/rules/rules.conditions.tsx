import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { isWholeTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import {
  type ConditionKind,
  type ConditionOf,
  conditionsOf,
  ruleBounds,
  type RuleCondition,
  ruleStatuses,
} from '../../schema/rules/rules.inputs.ts'
import type { RuleTrigger } from '../../schema/rules/rules.triggers.ts'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { FieldTestEditor } from '../custom-fields/custom-fields.tests.tsx'
import { useConnections, useDirectory } from '../replica/directory.ts'
import { Button } from '../ui/button.tsx'
import { Combobox, MultiCombobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { useConditionWords } from './rules.words.ts'

const blank: { [K in ConditionKind]: ConditionOf<K> } = {
  status: { kind: 'status', is: [] },
  queue: { kind: 'queue', ids: [], not: false },
  user: { kind: 'user', ids: [], not: false },
  connection: { kind: 'connection', ids: [], not: false },
  tag: { kind: 'tag', ids: [], not: false },
  tagAdded: { kind: 'tagAdded', ids: [] },
  words: { kind: 'words', words: [], not: false },
  field: { kind: 'field', entity: 'ticket', test: { id: 0, op: 'filled' } },
  hours: { kind: 'hours', open: false },
  rate: { kind: 'rate', is: [1] },
}

/** Whether there is nothing left to choose in it. */
export function isWholeCondition(condition: RuleCondition): boolean {
  if ('ids' in condition) return condition.ids.length > 0
  if ('is' in condition) return condition.is.length > 0
  if (condition.kind === 'words') return condition.words.length > 0
  return condition.kind !== 'field' || (condition.test.id > 0 && isWholeTest(condition.test))
}

/** What must be so for a rule to act; only what its trigger can tell is offered. */
export function ConditionList({
  trigger,
  value,
  onChange,
  tried,
}: {
  trigger: RuleTrigger
  value: readonly RuleCondition[]
  onChange: (conditions: RuleCondition[]) => void
  /** What is missing is said. */
  tried: boolean
}) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-3">
      {value.length > 0 && (
        <ol className="flex flex-col gap-3" aria-label={t`Condições`}>
          {value.map((condition, index) => (
            <li key={index} className="flex items-start gap-1 rounded-lg border p-3">
              <ConditionFields
                condition={condition}
                number={index + 1}
                trigger={trigger}
                missing={tried && !isWholeCondition(condition)}
                onChange={(next) => onChange(value.with(index, next))}
              />
              <IconButton
                label={t`Retirar a condição ${index + 1}`}
                onClick={() => onChange(value.toSpliced(index, 1))}
              >
                <X />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
      <Button
        variant="outline"
        size="sm"
        className="self-start"
        disabled={value.length >= ruleBounds.conditions}
        onClick={() => onChange([...value, blank[conditionsOf[trigger][0]!]])}
      >
        <Plus />
        <Trans>Adicionar condição</Trans>
      </Button>
    </div>
  )
}

interface Editing {
  condition: RuleCondition
  number: number
  trigger: RuleTrigger
  missing: boolean
  onChange: (condition: RuleCondition) => void
}

function ConditionFields({ condition, number, trigger, missing, onChange }: Editing) {
  const { t } = useLingui()
  const { kinds } = useConditionWords()
  const fields = useFields()
  const offered = conditionsOf[trigger].filter(
    (kind) => kind !== 'field' || fields.length > 0 || condition.kind === kind,
  )
  return (
    <div
      role="group"
      aria-label={t`Condição ${number}`}
      className="grid min-w-0 flex-1 grid-cols-1 gap-3 sm:grid-cols-[11rem_1fr]"
    >
      <Field label={t`Condição ${number}`}>
        <Select<ConditionKind>
          value={condition.kind}
          onChange={(kind) => onChange(blank[kind])}
          options={offered.map((kind) => ({ value: kind, label: kinds[kind] }))}
        />
      </Field>
      <ConditionValue condition={condition} error={missing && t`Obrigatório`} onChange={onChange} />
    </div>
  )
}

function ConditionValue({
  condition,
  error,
  onChange,
}: {
  condition: RuleCondition
  error: ReactNode
  onChange: (condition: RuleCondition) => void
}) {
  const { t } = useLingui()
  const { statuses, rates } = useConditionWords()
  const { queues, users, tags } = useDirectory()
  const connections = useConnections()
  const lists = {
    queue: { all: queues.list, none: t`Nenhuma fila` },
    user: { all: users.list, none: t`Ninguém` },
    connection: { all: connections.list, none: null },
    tag: { all: tags.list, none: null },
    tagAdded: { all: tags.list, none: null },
  }
  switch (condition.kind) {
    case 'status':
      return (
        <Field label={<Trans>É</Trans>} error={error}>
          <MultiCombobox
            values={condition.is}
            onChange={(is) => onChange({ ...condition, is: is as typeof condition.is })}
            options={ruleStatuses.map((id) => ({ id, label: statuses[id] }))}
          />
        </Field>
      )
    case 'rate':
      return (
        <Field label={<Trans>É</Trans>} error={error}>
          <MultiCombobox
            values={condition.is.map(String)}
            onChange={(is) => onChange({ ...condition, is: is.map(Number) as typeof condition.is })}
            options={([1, 2, 3] as const).map((id) => ({ id: String(id), label: rates[id] }))}
          />
        </Field>
      )
    case 'hours':
      return (
        <Field label={<Trans>Está</Trans>}>
          <Select<'open' | 'closed'>
            value={condition.open ? 'open' : 'closed'}
            onChange={(is) => onChange({ ...condition, open: is === 'open' })}
            options={[
              { value: 'closed', label: t`Fora do horário` },
              { value: 'open', label: t`Dentro do horário` },
            ]}
          />
        </Field>
      )
    case 'words':
      return <Words condition={condition} error={error} onChange={onChange} />
    case 'field':
      return <OwnField condition={condition} error={error} onChange={onChange} />
    default: {
      const { all, none } = lists[condition.kind]
      const options = [
        ...(none === null ? [] : [{ id: '0', label: none }]),
        ...all.map(({ id, name }) => ({ id: String(id), label: name })),
      ]
      const picker = (
        <MultiCombobox
          values={condition.ids.map(String)}
          onChange={(ids) => onChange({ ...condition, ids: ids.map(Number) })}
          options={options}
        />
      )
      if (!('not' in condition))
        return (
          <Field label={<Trans>Uma destas</Trans>} error={error}>
            {picker}
          </Field>
        )
      return (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-[8rem_1fr]">
          <Not condition={condition} isHas={condition.kind === 'tag'} onChange={onChange} />
          <Field label={<Trans>Quais</Trans>} error={error}>
            {picker}
          </Field>
        </div>
      )
    }
  }
}

function Not<C extends Extract<RuleCondition, { not: boolean }>>({
  condition,
  isHas,
  onChange,
}: {
  condition: C
  /** It is about what a ticket has, or a message holds. */
  isHas: boolean
  onChange: (condition: C) => void
}) {
  const { t } = useLingui()
  return (
    <Field label={<Trans>Como</Trans>}>
      <Select<'is' | 'not'>
        value={condition.not ? 'not' : 'is'}
        onChange={(is) => onChange({ ...condition, not: is === 'not' })}
        options={[
          { value: 'is', label: isHas ? t`Tem` : t`É` },
          { value: 'not', label: isHas ? t`Não tem` : t`Não é` },
        ]}
      />
    </Field>
  )
}

function Words({
  condition,
  error,
  onChange,
}: {
  condition: ConditionOf<'words'>
  error: ReactNode
  onChange: (condition: RuleCondition) => void
}) {
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-[8rem_1fr]">
      <Not condition={condition} isHas onChange={onChange} />
      <Field
        label={<Trans>Palavras</Trans>}
        error={error}
        hint={<Trans>Uma basta. Separe por vírgulas; maiúsculas e acentos não importam</Trans>}
      >
        <Input
          autoComplete="off"
          defaultValue={condition.words.join(', ')}
          maxLength={ruleBounds.words * ruleBounds.word}
          onChange={(event) => {
            const words = event.target.value.split(',').map((word) => word.trim().slice(0, ruleBounds.word))
            onChange({
              ...condition,
              words: [...new Set(words.filter((word) => word !== ''))].slice(0, ruleBounds.words),
            })
          }}
        />
      </Field>
    </div>
  )
}

function OwnField({
  condition,
  error,
  onChange,
}: {
  condition: ConditionOf<'field'>
  error: ReactNode
  onChange: (condition: RuleCondition) => void
}) {
  const { t } = useLingui()
  const all = useFields()
  const fields = [...fieldsOn(all, 'ticket'), ...fieldsOn(all, 'contact')]
  const field = fields.find(({ id }) => id === condition.test.id)
  const label = (name: string, entity: string) => (entity === 'contact' ? t`${name} (contato)` : name)
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <Field label={<Trans>Campo</Trans>} error={error}>
        <Combobox
          value={condition.test.id === 0 ? null : String(condition.test.id)}
          onChange={(id) => {
            const chosen = fields.find((one) => String(one.id) === id)
            if (chosen) onChange({ ...condition, entity: chosen.entity, test: { id: chosen.id, op: 'filled' } })
          }}
          options={fields.map(({ id, name, entity }) => ({ id: String(id), label: label(name, entity) }))}
        />
      </Field>
      {field && (
        <FieldTestEditor
          className="sm:pt-6"
          field={field}
          test={condition.test}
          onChange={(test) => onChange({ ...condition, test })}
        />
      )}
    </div>
  )
}
