import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { queueInput } from '../../schema/queues/queues.inputs.ts'
import type { QueueInput } from '../../schema/queues/queues.inputs.ts'
import { FileField, useOwnFile } from '../kit/file-field.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { BotFields } from '../automation/automation.bot-fields.tsx'
import { useSetting } from '../settings/settings.queries.ts'
import { Button } from '../ui/button.tsx'
import { ColorSwatch, swatches } from '../ui/color-swatch.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { HoursEditor, HoursProposed, HoursZone } from '../hours/hours.editor.tsx'
import { AssignmentFields } from './queues.assignment.tsx'
import { OptionTree } from './queue-options.editor.tsx'
import { fullWeek } from '../hours/hours.rules.ts'
import { queues } from './queues.queries.ts'
import type { Queue } from './queues.queries.ts'

type Tab = 'data' | 'options' | 'assignment' | 'hours'

/** Adds (`queue` null) or edits a queue. */
export function QueueDialog({
  queue,
  taken,
  tab: first = 'data',
  onClose,
  onSaved,
}: {
  queue: Queue | null
  /** Colours of the company's other queues. */
  taken: readonly string[]
  /** Where it opens. */
  tab?: Tab
  onClose: () => void
  /** `goOn`: the tree of options is to be made next. */
  onSaved: (queue: Queue, goOn: boolean) => void
}) {
  const { t } = useLingui()
  const [tab, setTab] = useState<Tab>(first)
  const file = useOwnFile(queue?.mediaName ?? null)
  // Once a new one is stored, another attempt only repeats the upload that failed.
  const stored = useRef(queue)
  const goOn = useRef(false)
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
      assignment: queue?.assignment ?? 'manual',
      lastAgentFirst: queue?.lastAgentFirst ?? false,
      whenAway: queue?.whenAway ?? 'keep',
    },
    resolver: schemaResolver(queueInput, { orderQueue: t`Informe um número inteiro` }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form

  const [greetingMessage, name] = useWatch({ control, name: ['greetingMessage', 'name'] })

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
      <FileField file={file} testId="queue-file" />
      <BotFields control={control} prompt="promptId" integration="integrationId" />
    </>
  )
  return (
    <FormDialog
      onClose={onClose}
      size="xl"
      title={queue ? t`Editar fila` : t`Adicionar fila`}
      form={form}
      fieldOf={{ ERR_QUEUE_COLOR_ALREADY_EXISTS: 'color', ERR_QUEUE_NAME_ALREADY_EXISTS: 'name' }}
      onInvalid={(wrong) => {
        goOn.current = false
        setTab(wrong.every((field) => field === 'schedules' || field === 'outOfHoursMessage') ? 'hours' : 'data')
      }}
      onSubmit={async (values) => {
        const saved = stored.current ? await queues.update(stored.current.id, values) : await queues.create(values)
        stored.current = saved
        await file.save({
          attach: (chosen) => queues.attach(saved.id, chosen),
          detach: () => queues.detach(saved.id),
        })
        toast.success(t`Fila salva`)
        onSaved({ ...saved, mediaName: file.chosen?.name ?? file.keptName }, goOn.current)
      }}
    >
      <Tabs
        value={tab}
        onValueChange={(next) => setTab(next as Tab)}
        className="flex min-h-[28rem] flex-col gap-5 sm:min-h-[36rem]"
      >
        <TabsList aria-label={t`Partes da fila`}>
          <TabsTrigger value="data">
            <Trans>Dados da fila</Trans>
          </TabsTrigger>
          <TabsTrigger value="options">
            <Trans>Opções do robô</Trans>
          </TabsTrigger>
          <TabsTrigger value="assignment">
            <Trans>Distribuição</Trans>
          </TabsTrigger>
          {withHours && (
            <TabsTrigger value="hours">
              <Trans>Horários de atendimento</Trans>
            </TabsTrigger>
          )}
        </TabsList>
        <TabsContent value="data" className="flex flex-col gap-4">
          {data}
        </TabsContent>
        <TabsContent value="options">
          {queue ? (
            <OptionTree queue={{ id: queue.id, name, greetingMessage, fileName: file.chosen?.name ?? file.keptName }} />
          ) : (
            <div className="flex flex-col items-start gap-3 py-2">
              <p className="text-sm text-muted-foreground">
                <Trans>As opções pertencem à fila: salve-a e continue por aqui.</Trans>
              </p>
              <Button type="submit" variant="outline" onClick={() => (goOn.current = true)}>
                <Trans>Salvar e montar as opções</Trans>
              </Button>
            </div>
          )}
        </TabsContent>
        <TabsContent value="assignment" className="flex flex-col gap-4">
          <AssignmentFields control={control} />
        </TabsContent>
        {withHours && (
          <TabsContent value="hours" className="flex flex-col gap-4">
            {queue?.schedules.length === 0 && <HoursProposed />}
            <HoursEditor control={control} name="schedules" />
            <HoursZone />
            <p className="text-xs text-muted-foreground">
              <Trans>Clique em salvar para registar as alterações</Trans>
            </p>
            <Field
              label={<Trans>Mensagem fora do horário</Trans>}
              hint={<Trans>Em branco, a fila atende sem restrição de horário e ninguém é avisado.</Trans>}
              error={errors.outOfHoursMessage?.message}
            >
              <Textarea maxRows={8} className="min-h-20" {...register('outOfHoursMessage')} />
            </Field>
          </TabsContent>
        )}
      </Tabs>
    </FormDialog>
  )
}
