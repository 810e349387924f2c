import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { queueInput } from '../../schema/queues/queues.inputs.ts'
import type { QueueInput } from '../../schema/queues/queues.inputs.ts'
import { FormDialog, schemaResolver } from '../app/form.tsx'
import { BotFields } from '../automation/automation.bot-fields.tsx'
import { useSetting } from '../settings/settings.queries.ts'
import { ColorSwatch, swatches } from '../ui/color-swatch.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { HoursEditor } from './hours.editor.tsx'
import { fullWeek } from './hours.rules.ts'
import { queues } from './queues.queries.ts'
import type { Queue } from './queues.queries.ts'

/** Adds (`queue` null) or edits a queue. */
export function QueueDialog({
  queue,
  taken,
  onClose,
  onSaved,
}: {
  queue: Queue | null
  /** Colours of the company's other queues. */
  taken: readonly string[]
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const [tab, setTab] = useState('data')
  const withHours = useSetting('scheduleType') === 'queue'
  const form = useForm<QueueInput>({
    defaultValues: {
      name: queue?.name ?? '',
      // The first that is still free, beginning with greens: red is for what is urgent.
      color: queue?.color ?? swatches.slice(24).find((color) => !taken.includes(color)) ?? swatches[24],
      orderQueue: queue?.orderQueue ?? null,
      greetingMessage: queue?.greetingMessage ?? '',
      outOfHoursMessage: queue?.outOfHoursMessage ?? '',
      schedules: fullWeek(queue?.schedules),
      promptId: queue?.promptId ?? null,
      integrationId: queue?.integrationId ?? null,
    },
    resolver: schemaResolver(queueInput, { orderQueue: t`Informe um número inteiro` }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form

  const data = (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
        <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
          <Input autoFocus autoComplete="off" {...register('name')} />
        </Field>
        <Field label={<Trans>Ordem</Trans>} error={errors.orderQueue?.message}>
          <Input
            type="number"
            inputMode="numeric"
            min={0}
            {...register('orderQueue', {
              setValueAs: (value: string | number | null) => (value === '' || value === null ? null : Number(value)),
            })}
          />
        </Field>
      </div>
      <Field
        label={<Trans>Cor</Trans>}
        required
        hint={<Trans>Cada fila tem a sua; as apagadas já estão em uso.</Trans>}
        error={errors.color?.message}
      >
        <Controller
          control={control}
          name="color"
          render={({ field }) => <ColorSwatch value={field.value} onChange={field.onChange} taken={taken} />}
        />
      </Field>
      <Field
        label={<Trans>Saudação</Trans>}
        hint={<Trans>Enviada a quem chega à fila pelo menu ou por uma conexão só dela.</Trans>}
        error={errors.greetingMessage?.message}
      >
        <Textarea maxRows={8} className="min-h-20" {...register('greetingMessage')} />
      </Field>
      <BotFields control={control} prompt="promptId" integration="integrationId" />
    </>
  )
  return (
    <FormDialog
      onClose={onClose}
      title={queue ? t`Editar fila` : t`Adicionar fila`}
      form={form}
      fieldOf={{ ERR_QUEUE_COLOR_ALREADY_EXISTS: 'color', ERR_QUEUE_NAME_ALREADY_EXISTS: 'name' }}
      onInvalid={(wrong) =>
        setTab(wrong.every((field) => field === 'schedules' || field === 'outOfHoursMessage') ? 'hours' : 'data')
      }
      onSubmit={async (values) => {
        await (queue ? queues.update(queue.id, values) : queues.create(values))
        toast.success(t`Fila salva`)
        onSaved()
      }}
    >
      {withHours ? (
        <Tabs value={tab} onValueChange={setTab} className="flex flex-col gap-5">
          <TabsList aria-label={t`Partes da fila`}>
            <TabsTrigger value="data">
              <Trans>Dados da fila</Trans>
            </TabsTrigger>
            <TabsTrigger value="hours">
              <Trans>Horários de atendimento</Trans>
            </TabsTrigger>
          </TabsList>
          <TabsContent value="data" className="flex flex-col gap-4">
            {data}
          </TabsContent>
          <TabsContent value="hours" className="flex flex-col gap-4">
            <HoursEditor control={control} name="schedules" />
            <p className="text-xs text-muted-foreground">
              <Trans>Clique em salvar para registar as alterações</Trans>
            </p>
            <Field
              label={<Trans>Mensagem fora do horário</Trans>}
              hint={<Trans>Em branco, a fila atende sem restrição de horário.</Trans>}
              error={errors.outOfHoursMessage?.message}
            >
              <Textarea maxRows={8} className="min-h-20" {...register('outOfHoursMessage')} />
            </Field>
          </TabsContent>
        </Tabs>
      ) : (
        data
      )}
    </FormDialog>
  )
}
