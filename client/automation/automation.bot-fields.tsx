import { Trans, useLingui } from '@lingui/react/macro'
import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form'
import { usePlanFeature } from '../session/plan.ts'
import { useIntegrations } from '../integrations/integrations.queries.ts'
import { usePrompts } from '../prompts/prompts.queries.ts'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

interface Props<T extends FieldValues> {
  control: Control<T>
  prompt: Path<T>
  integration: Path<T>
}

/** Which assistant or bot elsewhere answers while nobody else does; each only where the plan has it. */
export function BotFields<T extends FieldValues>({ control, prompt, integration }: Props<T>) {
  const hasPrompts = usePlanFeature('useOpenAi')
  const hasIntegrations = usePlanFeature('useIntegrations')
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {hasPrompts && <PromptField control={control} name={prompt} />}
      {hasIntegrations && <IntegrationField control={control} name={integration} />}
    </div>
  )
}

function PromptField<T extends FieldValues>({ control, name }: { control: Control<T>; name: Path<T> }) {
  const { t } = useLingui()
  const { data = [] } = usePrompts()
  return (
    <Field label={<Trans>Assistente de IA</Trans>} hint={<Trans>Responde antes de qualquer outro robô.</Trans>}>
      <RowSelect control={control} name={name} rows={data} none={t`Nenhum`} />
    </Field>
  )
}

function IntegrationField<T extends FieldValues>({ control, name }: { control: Control<T>; name: Path<T> }) {
  const { t } = useLingui()
  const { data = [] } = useIntegrations('')
  return (
    <Field label={<Trans>Integração</Trans>} hint={<Trans>Responde onde não há assistente.</Trans>}>
      <RowSelect control={control} name={name} rows={data} none={t`Nenhuma`} />
    </Field>
  )
}

function RowSelect<T extends FieldValues>({
  control,
  name,
  rows,
  none,
}: {
  control: Control<T>
  name: Path<T>
  rows: readonly { id: number; name: string }[]
  none: string
}) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, ref } }) => (
        <Select
          ref={ref}
          value={String(value ?? 'none')}
          onChange={(next) => onChange(next === 'none' ? null : Number(next))}
          options={[{ value: 'none', label: none }, ...rows.map((row) => ({ value: String(row.id), label: row.name }))]}
        />
      )}
    />
  )
}
