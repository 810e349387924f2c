import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Plus, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  segmentBounds,
  type SegmentInput,
  segmentName,
  type SegmentRule,
} from '../../schema/segments/segments.inputs.ts'
import { isWholeTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { FieldTestEditor } from '../custom-fields/custom-fields.tests.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toaster.tsx'
import { type Segment, segments, useRuleChoices } from './segments.queries.ts'

type Kind = SegmentRule['kind']

const COUNT_AFTER_MS = 400

const blank: Record<Kind, SegmentRule> = {
  tag: { kind: 'tag', tagId: 0 },
  lastContact: { kind: 'lastContact', when: 'within', days: 30 },
  lastCampaign: { kind: 'lastCampaign', when: 'before', days: 30 },
  queue: { kind: 'queue', queueId: 0 },
  field: { kind: 'field', name: '', value: '' },
  ownField: { kind: 'ownField', test: { id: 0, op: 'filled' } },
  list: { kind: 'list', contactListId: 0 },
}

type RuleOf<K extends SegmentRule['kind']> = Extract<SegmentRule, { kind: K }>
const isDays = ({ days }: { days: number }) =>
  Number.isInteger(days) && days >= segmentBounds.leastDays && days <= segmentBounds.mostDays
const whole: { [K in SegmentRule['kind']]: (rule: RuleOf<K>) => boolean } = {
  tag: ({ tagId }) => tagId > 0,
  lastContact: isDays,
  lastCampaign: isDays,
  queue: ({ queueId }) => queueId > 0,
  field: ({ name, value }) => name.trim() !== '' && value.trim() !== '',
  ownField: ({ test }) => test.id > 0 && isWholeTest(test),
  list: ({ contactListId }) => contactListId > 0,
}
/** Whether there is nothing left to choose in it. */
const isWhole = (rule: SegmentRule): boolean => (whole[rule.kind] as (rule: SegmentRule) => boolean)(rule)

/** Adds (`segment` null) or edits a segment; says how many people it finds while it is being made. */
export function SegmentDialog({
  segment,
  onClose,
  onSaved,
}: {
  segment: Segment | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const [match, setMatch] = useState<SegmentInput['match']>(segment?.match ?? 'all')
  const [rules, setRules] = useState<SegmentRule[]>(segment?.rules ?? [blank.tag])
  const [tried, setTried] = useState(false)
  const form = useForm<{ name: string }>({
    defaultValues: { name: segment?.name ?? '' },
    resolver: schemaResolver(segmentName),
  })
  const count = useCount(match, rules)
  const change = (index: number, rule: SegmentRule) => setRules(rules.with(index, rule))

  return (
    <FormDialog
      onClose={onClose}
      title={segment ? t`Editar segmento` : t`Novo segmento`}
      size="lg"
      form={form}
      fieldOf={{ ERR_SEGMENT_NAME_ALREADY_EXISTS: 'name' }}
      onSubmit={async ({ name }) => {
        setTried(true)
        // What is missing shows beside its rule; the dialog stays.
        if (!rules.every(isWhole)) throw new Refusal('root', t`Complete as regras.`)
        const input = { name, match, rules }
        await (segment ? segments.update(segment.id, input) : segments.create(input))
        toast.success(t`Segmento salvo`)
        onSaved()
      }}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={<Trans>Nome</Trans>} required error={form.formState.errors.name?.message}>
          <Input autoFocus autoComplete="off" {...form.register('name')} />
        </Field>
        <Field label={<Trans>Quem entra</Trans>}>
          <Select<SegmentInput['match']>
            value={match}
            onChange={setMatch}
            options={[
              { value: 'all', label: t`Quem cumpre todas as regras` },
              { value: 'any', label: t`Quem cumpre ao menos uma` },
            ]}
          />
        </Field>
      </div>
      <ul className="flex flex-col gap-3" aria-label={t`Regras`}>
        {rules.map((rule, index) => (
          <li key={index} className="flex items-end gap-2 rounded-lg border p-3">
            <RuleFields
              rule={rule}
              number={index + 1}
              missing={tried && !isWhole(rule)}
              onChange={(next) => change(index, next)}
            />
            {rules.length > 1 && (
              <Button
                variant="ghost"
                size="icon"
                aria-label={t`Retirar a regra ${index + 1}`}
                onClick={() => setRules(rules.toSpliced(index, 1))}
              >
                <X />
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button
          variant="outline"
          size="sm"
          disabled={rules.length >= segmentBounds.rules}
          onClick={() => setRules([...rules, blank.tag])}
        >
          <Plus />
          <Trans>Adicionar regra</Trans>
        </Button>
        <p className="text-sm text-muted-foreground tabular-nums" aria-live="polite">
          {count === undefined ? (
            <Trans>Complete as regras para contar as pessoas.</Trans>
          ) : count === null ? (
            <Trans>poucas pessoas</Trans>
          ) : (
            <Plural value={count} one="# pessoa agora" other="# pessoas agora" />
          )}
        </p>
      </div>
    </FormDialog>
  )
}

/** How many people the rules find, a moment after they were changed; undefined while they are not whole. */
function useCount(match: SegmentInput['match'], rules: readonly SegmentRule[]): number | null | undefined {
  const asked = rules.every(isWhole) ? JSON.stringify({ match, rules }) : null
  const [counted, setCounted] = useState<{ asked: string; count: number | null } | null>(null)
  useEffect(() => {
    if (asked === null) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      segments.count(JSON.parse(asked) as SegmentInput, stop.signal).then(
        ({ count }) => setCounted({ asked, count }),
        () => undefined,
      )
    }, COUNT_AFTER_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [asked])
  return asked === null ? undefined : counted?.count
}

function RuleFields({
  rule,
  number,
  missing,
  onChange,
}: {
  rule: SegmentRule
  number: number
  missing: boolean
  onChange: (rule: SegmentRule) => void
}) {
  const { t } = useLingui()
  const choices = useRuleChoices()
  const fields = fieldsOn(useFields(), 'contact')
  const kinds: { value: Kind; label: string }[] = [
    { value: 'tag', label: t`Etiqueta` },
    { value: 'queue', label: t`Fila` },
    { value: 'lastContact', label: t`Último contato` },
    { value: 'lastCampaign', label: t`Última campanha` },
    { value: 'field', label: t`Informação extra` },
    ...(fields.length > 0 || rule.kind === 'ownField' ? [{ value: 'ownField' as const, label: t`Campo próprio` }] : []),
    { value: 'list', label: t`Lista de contatos` },
  ]
  const error = missing && t`Escolha`
  const picker = (
    label: string,
    id: number,
    options: readonly { id: number; name: string }[],
    write: (id: number) => SegmentRule,
  ) => (
    <Field label={label} className="min-w-40 flex-1" error={error}>
      <Combobox
        value={id === 0 ? null : String(id)}
        onChange={(next) => onChange(write(Number(next ?? 0)))}
        options={options.map((one) => ({ id: String(one.id), label: one.name }))}
      />
    </Field>
  )
  return (
    <div role="group" aria-label={t`Regra ${number}`} className="flex min-w-0 flex-1 flex-wrap items-end gap-3">
      <Field label={<Trans>Regra</Trans>} className="w-44">
        <Select<Kind> value={rule.kind} onChange={(kind) => onChange(blank[kind])} options={kinds} />
      </Field>
      {rule.kind === 'tag' &&
        picker(t`Teve um atendimento com`, rule.tagId, choices.tags, (tagId) => ({ kind: 'tag', tagId }))}
      {rule.kind === 'queue' &&
        picker(t`Teve um atendimento em`, rule.queueId, choices.queues, (queueId) => ({ kind: 'queue', queueId }))}
      {rule.kind === 'list' &&
        picker(t`Está em`, rule.contactListId, choices.lists, (contactListId) => ({ kind: 'list', contactListId }))}
      {(rule.kind === 'lastContact' || rule.kind === 'lastCampaign') && (
        <>
          <Field label={<Trans>Quando</Trans>} className="min-w-40 flex-1">
            <Select<'within' | 'before'>
              value={rule.when}
              onChange={(when) => onChange({ ...rule, when })}
              options={
                rule.kind === 'lastContact'
                  ? [
                      { value: 'within', label: t`Há no máximo` },
                      { value: 'before', label: t`Há mais de` },
                    ]
                  : [
                      { value: 'within', label: t`Recebeu nos últimos` },
                      { value: 'before', label: t`Não recebeu nos últimos` },
                    ]
              }
            />
          </Field>
          <Field label={<Trans>Dias</Trans>} className="w-24" error={missing && t`De 1 a 3650`}>
            <Input
              type="number"
              min={segmentBounds.leastDays}
              max={segmentBounds.mostDays}
              value={Number.isNaN(rule.days) ? '' : rule.days}
              onChange={(event) => onChange({ ...rule, days: Math.trunc(event.target.valueAsNumber) })}
            />
          </Field>
        </>
      )}
      {rule.kind === 'ownField' && (
        <>
          {picker(t`Campo`, rule.test.id, fields, (id) => ({ kind: 'ownField', test: { id, op: 'filled' } }))}
          {fields
            .filter(({ id }) => id === rule.test.id)
            .map((field) => (
              <FieldTestEditor
                key={field.id}
                field={field}
                test={rule.test}
                onChange={(test) => onChange({ kind: 'ownField', test })}
                className="min-w-40 flex-1"
              />
            ))}
        </>
      )}
      {rule.kind === 'field' && (
        <>
          <Field label={<Trans>Campo</Trans>} className="min-w-32 flex-1" error={error}>
            <Input
              maxLength={segmentBounds.said}
              value={rule.name}
              onChange={(event) => onChange({ ...rule, name: event.target.value })}
            />
          </Field>
          <Field label={<Trans>Valor</Trans>} className="min-w-32 flex-1" error={error}>
            <Input
              maxLength={segmentBounds.said}
              value={rule.value}
              onChange={(event) => onChange({ ...rule, value: event.target.value })}
            />
          </Field>
        </>
      )}
    </div>
  )
}
