import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { conditionsOf, ruleBounds, ruleWords } from '../../schema/rules/rules.inputs.ts'
import { type RuleTrigger, ruleTriggers } from '../../schema/rules/rules.triggers.ts'
import { ActionList, firstAction, isWholeAction } from '../actions/actions.list.tsx'
import { SelectField, SwitchField } from '../kit/form-fields.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toaster.tsx'
import { useWebhookChoices } from '../webhooks/webhooks.queries.ts'
import { ConditionList, isWholeCondition } from './rules.conditions.tsx'
import { DryRun } from './rules.dry-run.tsx'
import { type RuleForm, type RuleRow, rules } from './rules.queries.ts'
import { useRuleSentences } from './rules.sentences.ts'
import { useTriggerWords } from './rules.words.ts'

const isMinutes = (minutes: number | null) =>
  minutes !== null && Number.isInteger(minutes) && minutes >= 1 && minutes <= ruleBounds.mostMinutes

/** Whether there is nothing left to choose in it. */
const isWholeRule = ({ trigger, minutes, conditions, actions }: RuleForm): boolean =>
  (trigger !== 'idle' || isMinutes(minutes)) &&
  conditions.every(isWholeCondition) &&
  actions.every((action) => isWholeAction(action, true))

/** Writes a rule (`row` null), or changes one: "Quando … e … então …". A new one is off until somebody switches it on. */
export function RuleDialog({
  row,
  onClose,
  onSaved,
}: {
  row: RuleRow | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const triggers = useTriggerWords()
  const { when, then } = useRuleSentences()
  const hooks = useWebhookChoices()
  const [tried, setTried] = useState(false)
  // As it was opened: a change that somebody else has made meanwhile is not written over.
  const [version] = useState(row?.version)
  const form = useForm<RuleForm>({
    defaultValues: {
      name: row?.name ?? '',
      trigger: row?.trigger ?? 'messageIn',
      minutes: row?.minutes ?? null,
      byPeople: row?.byPeople ?? false,
      match: row?.match ?? 'all',
      conditions: row?.conditions ?? [],
      actions: row?.actions ?? [firstAction],
      stopOnMatch: row?.stopOnMatch ?? false,
    },
    resolver: schemaResolver(ruleWords),
  })
  const { control, register, getValues, setValue } = form
  const { errors } = form.formState
  const values = useWatch({ control }) as RuleForm
  const turnTo = (trigger: RuleTrigger) => {
    setValue('trigger', trigger, { shouldDirty: true })
    setValue('minutes', trigger === 'idle' ? (values.minutes ?? 30) : null)
    // What the new one cannot tell is asked no more.
    setValue(
      'conditions',
      values.conditions.filter(({ kind }) => conditionsOf[trigger].includes(kind)),
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={row ? t`Editar regra` : t`Nova regra`}
      size="lg"
      form={form}
      onSubmit={async ({ name }) => {
        setTried(true)
        const input = { ...getValues(), name }
        if (!isWholeRule(input)) throw new Refusal<RuleForm>('root', t`Complete a regra.`)
        await (row ? rules.update(row.id, { ...input, version: version! }) : rules.create(input))
        toast.success(row ? t`Regra salva` : t`Regra salva. Ela começa desligada`)
        onSaved()
      }}
    >
      <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
        <Input autoFocus autoComplete="off" {...register('name')} />
      </Field>
      <fieldset className="flex flex-col gap-4 rounded-lg border p-3">
        <legend className="px-1 text-sm font-semibold">
          <Trans>Quando</Trans>
        </legend>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Field label={<Trans>Acontecimento</Trans>}>
            <Select<RuleTrigger>
              value={values.trigger}
              onChange={turnTo}
              options={ruleTriggers.map((value) => ({ value, label: triggers[value] }))}
            />
          </Field>
          {values.trigger === 'idle' && (
            <Field
              label={<Trans>Minutos sem mensagem</Trans>}
              required
              error={tried && !isMinutes(values.minutes) && t`De 1 a 43.200`}
            >
              <Input
                type="number"
                min={1}
                max={ruleBounds.mostMinutes}
                value={values.minutes ?? ''}
                onChange={({ target }) =>
                  setValue('minutes', target.value === '' ? null : Math.trunc(target.valueAsNumber), {
                    shouldDirty: true,
                  })
                }
              />
            </Field>
          )}
          {values.trigger === 'created' && (
            <Field
              label={<Trans>Também os que a equipe começa</Trans>}
              hint={<Trans>Sem isto, só os que o contato começa</Trans>}
            >
              <SwitchField control={control} name="byPeople" />
            </Field>
          )}
        </div>
      </fieldset>
      <fieldset className="flex flex-col gap-4 rounded-lg border p-3">
        <legend className="px-1 text-sm font-semibold">
          <Trans>e</Trans>
        </legend>
        {values.conditions.length > 1 && (
          <Field label={<Trans>Quantas precisam valer</Trans>} className="sm:max-w-60">
            <SelectField
              control={control}
              name="match"
              options={[
                { value: 'all', label: t`Todas` },
                { value: 'any', label: t`Qualquer uma` },
              ]}
            />
          </Field>
        )}
        <Controller
          control={control}
          name="conditions"
          render={({ field }) => (
            <ConditionList trigger={values.trigger} value={field.value} onChange={field.onChange} tried={tried} />
          )}
        />
      </fieldset>
      <fieldset className="flex flex-col gap-4 rounded-lg border p-3">
        <legend className="px-1 text-sm font-semibold">
          <Trans>então</Trans>
        </legend>
        <Controller
          control={control}
          name="actions"
          render={({ field }) => (
            <ActionList byItself webhooks={hooks} value={field.value} onChange={field.onChange} tried={tried} />
          )}
        />
        <Field
          label={<Trans>Depois dela, não perguntar às outras</Trans>}
          hint={<Trans>As regras abaixo desta não agem no mesmo acontecimento</Trans>}
        >
          <SwitchField control={control} name="stopOnMatch" />
        </Field>
      </fieldset>
      <p className="rounded-lg bg-primary-soft px-3.5 py-3 text-sm text-primary-soft-foreground wrap-anywhere">
        {when(values)}, {then(values)}
      </p>
      <DryRun rule={values} isWhole={isWholeRule(values)} />
    </FormDialog>
  )
}
