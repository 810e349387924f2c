import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import {
  actionBounds,
  type ActionOf,
  type ActionType,
  mostActions,
  type RuleAction,
  type TicketAction,
} from '../../schema/actions/actions.inputs.ts'
import type { FieldFault } from '../../schema/custom-fields/custom-fields.values.ts'
import { type SnoozeChoice, snoozeChoices } from '../../schema/tickets/tickets.snooze-choices.ts'
import { useDirectory } from '../replica/directory.ts'
import { FieldInput } from '../custom-fields/custom-fields.input.tsx'
import { type FieldRow, fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { useFieldWords } from '../custom-fields/custom-fields.words.ts'
import { useFlows } from '../flows/flows.queries.ts'
import { TemplateField } from '../placeholders/placeholders.field.tsx'
import { Button } from '../ui/button.tsx'
import { Combobox, MultiCombobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Select } from '../ui/select.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { useActionWords } from './actions.words.tsx'

const order: readonly ActionType[] = [
  'message',
  'note',
  'tag',
  'queue',
  'assign',
  'field',
  'snooze',
  'flow',
  'webhook',
  'unread',
  'resolve',
]

const blank: { [T in ActionType]: ActionOf<T> } = {
  message: { type: 'message', body: '' },
  note: { type: 'note', note: '' },
  tag: { type: 'tag', add: [], remove: [] },
  queue: { type: 'queue', queueId: 0 },
  assign: { type: 'assign', to: 'me' },
  field: { type: 'field', fieldId: 0, value: null },
  snooze: { type: 'snooze', until: 'tomorrow' },
  flow: { type: 'flow', flowId: 0 },
  webhook: { type: 'webhook', webhookId: 0 },
  unread: { type: 'unread' },
  resolve: { type: 'resolve' },
}
export const firstAction: TicketAction = blank.message

/**
 * Whether there is nothing left to choose in it.
 * @param byItself nobody does it, to whom a ticket could be given
 */
export function isWholeAction(action: RuleAction, byItself = false): boolean {
  switch (action.type) {
    case 'message':
      return action.body.trim() !== ''
    case 'note':
      return action.note.trim().length >= 2
    case 'tag':
      return action.add.length + action.remove.length > 0
    case 'queue':
      return action.queueId > 0
    case 'flow':
      return action.flowId > 0
    case 'webhook':
      return action.webhookId > 0
    case 'field':
      return action.fieldId > 0 && !Number.isNaN(action.value)
    case 'assign':
      return !byItself || action.to !== 'me'
    default:
      return true
  }
}

const noWebhooks: readonly { id: number; url: string }[] = []

/** Actions in the order in which they are done: each can be changed, moved and taken out. */
export function ActionList({
  value,
  onChange,
  tried,
  byItself = false,
  webhooks = noWebhooks,
}: {
  value: readonly RuleAction[]
  onChange: (actions: RuleAction[]) => void
  /** What is missing is said. */
  tried: boolean
  /** Nobody does them: the product does, by itself. */
  byItself?: boolean
  /** Those that may be told; macros tell none. */
  webhooks?: readonly { id: number; url: string }[]
}) {
  const { t } = useLingui()
  const move = (from: number, to: number) => {
    const rest = value.toSpliced(from, 1)
    onChange(rest.toSpliced(to, 0, value[from]!))
  }
  return (
    <div className="flex flex-col gap-3">
      <ol className="flex flex-col gap-3" aria-label={t`Ações`}>
        {value.map((action, index) => (
          <li key={index} className="flex flex-col gap-3 rounded-lg border p-3">
            <ActionFields
              action={action}
              number={index + 1}
              missing={tried && !isWholeAction(action, byItself)}
              byItself={byItself}
              webhooks={webhooks}
              onChange={(next) => onChange(value.with(index, next))}
              buttons={
                <>
                  <IconButton
                    label={t`Subir a ação ${index + 1}`}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  >
                    <ArrowUp />
                  </IconButton>
                  <IconButton
                    label={t`Descer a ação ${index + 1}`}
                    disabled={index === value.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    <ArrowDown />
                  </IconButton>
                  <IconButton
                    label={t`Retirar a ação ${index + 1}`}
                    disabled={value.length === 1}
                    onClick={() => onChange(value.toSpliced(index, 1))}
                  >
                    <X />
                  </IconButton>
                </>
              }
            />
          </li>
        ))}
      </ol>
      <Button
        variant="outline"
        size="sm"
        className="self-start"
        disabled={value.length >= mostActions}
        onClick={() => onChange([...value, blank.resolve])}
      >
        <Plus />
        <Trans>Adicionar ação</Trans>
      </Button>
    </div>
  )
}

function ActionFields({
  action,
  number,
  missing,
  byItself,
  webhooks,
  onChange,
  buttons,
}: {
  action: RuleAction
  number: number
  missing: boolean
  byItself: boolean
  webhooks: readonly { id: number; url: string }[]
  onChange: (action: RuleAction) => void
  buttons: ReactNode
}) {
  const { t } = useLingui()
  const { types, snoozes } = useActionWords()
  const { queues, users, tags } = useDirectory()
  const fields = fieldsOn(useFields(), 'ticket')
  const flows = useFlows().data ?? []
  const error = missing && t`Obrigatório`
  const named = (list: readonly { id: number; name: string }[]) =>
    list.map(({ id, name }) => ({ id: String(id), label: name }))
  // Who has no fields of their own, no flows and no webhooks, is offered none.
  const choices: Partial<Record<ActionType, number>> = {
    field: fields.length,
    flow: flows.length,
    webhook: webhooks.length,
  }
  const offered = order.filter((type) => type === action.type || choices[type] !== 0)
  return (
    <div role="group" aria-label={t`Ação ${number}`} className="flex min-w-0 flex-col gap-3">
      <div className="flex items-end gap-1">
        <Field label={t`Ação ${number}`} className="min-w-0 flex-1 sm:max-w-60">
          <Select<ActionType>
            value={action.type}
            onChange={(type) => onChange(blank[type])}
            options={offered.map((type) => ({ value: type, label: types[type] }))}
          />
        </Field>
        <span className="ml-auto flex shrink-0">{buttons}</span>
      </div>
      {action.type === 'message' && (
        <TemplateField
          label={<Trans>Mensagem</Trans>}
          value={action.body}
          onChange={(body) => onChange({ ...action, body })}
          contact={null}
          rows={3}
          maxRows={10}
          maxLength={actionBounds.body}
          error={error}
        />
      )}
      {action.type === 'note' && (
        <Field label={<Trans>Observação</Trans>} required error={error} hint={<Trans>O contato não vê</Trans>}>
          <Textarea
            rows={2}
            maxRows={8}
            maxLength={actionBounds.note}
            value={action.note}
            onChange={(event) => onChange({ ...action, note: event.target.value })}
          />
        </Field>
      )}
      {action.type === 'tag' && (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <Field label={<Trans>Pôr</Trans>} error={error}>
            <MultiCombobox
              values={action.add.map(String)}
              onChange={(ids) =>
                onChange({
                  ...action,
                  add: ids.map(Number),
                  remove: action.remove.filter((id) => !ids.includes(String(id))),
                })
              }
              options={named(tags.list)}
            />
          </Field>
          <Field label={<Trans>Tirar</Trans>}>
            <MultiCombobox
              values={action.remove.map(String)}
              onChange={(ids) =>
                onChange({
                  ...action,
                  remove: ids.map(Number),
                  add: action.add.filter((id) => !ids.includes(String(id))),
                })
              }
              options={named(tags.list)}
            />
          </Field>
        </div>
      )}
      {action.type === 'queue' && (
        <Field label={<Trans>Fila</Trans>} required error={error}>
          <Combobox
            value={action.queueId === 0 ? null : String(action.queueId)}
            onChange={(id) => onChange({ ...action, queueId: Number(id ?? 0) })}
            options={named(queues.list)}
          />
        </Field>
      )}
      {action.type === 'assign' && (
        <Field label={<Trans>Pessoa</Trans>} required error={error}>
          <Combobox
            value={byItself && action.to === 'me' ? null : String(action.to)}
            onChange={(id) => onChange({ ...action, to: id === null || id === 'me' ? 'me' : Number(id) })}
            options={[...(byItself ? [] : [{ id: 'me', label: t`Quem executa` }]), ...named(users.list)]}
          />
        </Field>
      )}
      {action.type === 'snooze' && (
        <Field label={<Trans>Até quando</Trans>}>
          <Select<SnoozeChoice>
            value={action.until}
            onChange={(until) => onChange({ ...action, until })}
            options={snoozeChoices.map((value) => ({ value, label: snoozes[value] }))}
          />
        </Field>
      )}
      {action.type === 'flow' && (
        <Field
          label={<Trans>Fluxo</Trans>}
          required
          error={error}
          hint={<Trans>O atendimento volta a aguardar, e o fluxo fala com o contato</Trans>}
        >
          <Combobox
            value={action.flowId === 0 ? null : String(action.flowId)}
            onChange={(id) => onChange({ ...action, flowId: Number(id ?? 0) })}
            options={named(flows)}
          />
        </Field>
      )}
      {action.type === 'webhook' && (
        <Field
          label={<Trans>Webhook</Trans>}
          required
          error={error}
          hint={<Trans>Recebe o evento rule.acted, quaisquer que sejam os eventos e as filas dele</Trans>}
        >
          <Combobox
            value={action.webhookId === 0 ? null : String(action.webhookId)}
            onChange={(id) => onChange({ ...action, webhookId: Number(id ?? 0) })}
            options={webhooks.map(({ id, url }) => ({ id: String(id), label: url }))}
          />
        </Field>
      )}
      {action.type === 'field' && <FieldToFill action={action} fields={fields} error={error} onChange={onChange} />}
    </div>
  )
}

/** What no field takes: stands for what was typed and is no value, so that the action is not whole. */
const noValue = Number.NaN

function FieldToFill({
  action,
  fields,
  error,
  onChange,
}: {
  action: ActionOf<'field'>
  fields: readonly FieldRow[]
  error: ReactNode
  onChange: (action: ActionOf<'field'>) => void
}) {
  const words = useFieldWords()
  const [fault, setFault] = useState<FieldFault | null>(null)
  const field = fields.find(({ id }) => id === action.fieldId)
  const set = (value: ActionOf<'field'>['value']) => onChange({ ...action, value })
  const isFaulty = Number.isNaN(action.value)
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <Field label={<Trans>Campo</Trans>} required error={action.fieldId === 0 && error}>
        <Combobox
          value={action.fieldId === 0 ? null : String(action.fieldId)}
          onChange={(id) => {
            setFault(null)
            onChange({ ...action, fieldId: Number(id ?? 0), value: null })
          }}
          options={fields.map(({ id, name }) => ({ id: String(id), label: name }))}
        />
      </Field>
      {field && (
        <Field
          label={<Trans>Valor</Trans>}
          hint={<Trans>Vazio esvazia o campo</Trans>}
          error={isFaulty && fault && words.faults[fault]}
        >
          <FieldInput
            key={field.id}
            field={field}
            value={isFaulty ? null : action.value}
            onChange={set}
            onFault={(next) => {
              setFault(next)
              if (next) set(noValue)
              else if (isFaulty) set(null)
            }}
            onTyped
          />
        </Field>
      )}
    </div>
  )
}
