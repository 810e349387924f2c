import { Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { campaignInput, weightBounds } from '../../schema/campaigns/campaigns.inputs.ts'
import type { CampaignInput } from '../../schema/campaigns/campaigns.inputs.ts'
import { fill } from '../../schema/campaigns/campaigns.message.ts'
import { editable, isTooLate } from '../../schema/campaigns/campaigns.state.ts'
import { missingValues } from '../../schema/templates/templates.parts.ts'
import { offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { useConnections } from '../replica/directory.ts'
import { ApiError } from '../session/api.ts'
import { lacksFile, TemplateChoice } from '../templates/templates.choice.tsx'
import { isSendable, useTemplates } from '../templates/templates.rows.ts'
import { FileField, useOwnFile } from '../kit/file-field.tsx'
import { SwitchField } from '../kit/form-fields.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { Button } from '../ui/button.tsx'
import { Combobox, MultiCombobox } from '../ui/combobox.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Tabs, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { campaigns, useChoices } from './campaigns.queries.ts'
import type { Campaign } from './campaigns.queries.ts'
import { WithoutValue } from './campaigns.words.tsx'

const five = [1, 2, 3, 4, 5] as const

/** The time on this computer's wall, as the input wants it. */
function wallTime(at: string | null): string {
  if (!at) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Adds (`campaign` null), edits or shows a campaign. */
export function CampaignDialog({
  campaign,
  onClose,
  onSaved,
}: {
  campaign: Campaign | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const choices = useChoices()
  const [tab, setTab] = useState('1')
  const file = useOwnFile(campaign?.mediaName ?? null)
  // Once a new one is stored, another attempt goes on with it.
  const stored = useRef<number | null>(campaign?.id ?? null)
  const [now] = useState(() => new Date())
  const what = campaign
    ? editable(
        { status: campaign.status, scheduledAt: campaign.scheduledAt ? new Date(campaign.scheduledAt) : null },
        now,
      )
    : 'all'
  const form = useForm<CampaignInput>({
    defaultValues: {
      name: campaign?.name ?? '',
      confirmation: campaign?.confirmation ?? false,
      answersOpenTickets: campaign?.answersOpenTickets ?? false,
      ...(Object.fromEntries(
        five.flatMap((n) => [
          [`message${n}`, campaign?.[`message${n}`] ?? ''],
          [`confirmationMessage${n}`, campaign?.[`confirmationMessage${n}`] ?? ''],
        ]),
      ) as Pick<CampaignInput, `message${(typeof five)[number]}` | `confirmationMessage${(typeof five)[number]}`>),
      weights: campaign?.weights ?? [1, 1, 1, 1, 1],
      whatsappId: campaign?.whatsappId ?? null,
      contactListId: campaign?.contactListId ?? null,
      tagListId: campaign?.tagListId ?? null,
      segmentIds: campaign?.segmentIds ?? [],
      fileListId: campaign?.fileListId ?? null,
      templateId: campaign?.templateId ?? null,
      templateValues: campaign?.templateValues ?? {},
      replyQueueId: campaign?.replyQueueId ?? null,
      // Hours, caps and stop rates are recommended where a person decides.
      bulkGuard: campaign?.bulkGuard ?? true,
      scheduledAt: wallTime(campaign?.scheduledAt ?? null),
    },
    resolver: schemaResolver(campaignInput),
  })
  const {
    register,
    control,
    setValue,
    formState: { errors },
  } = form
  const message = `message${Number(tab) as 1}` as const
  const question = `confirmationMessage${Number(tab) as 1}` as const
  const asks = useWatch({ control, name: 'confirmation' })
  const text = useWatch({ control, name: message }) ?? ''
  const weights = useWatch({ control, name: 'weights' })
  const texts = useWatch({ control, name: ['message1', 'message2', 'message3', 'message4', 'message5'] })
  const written = texts.flatMap((one, index) => (one?.trim() ? [index] : []))
  const weight = weights[Number(tab) - 1] ?? 0
  const sum = written.reduce((all, index) => all + (weights[index] ?? 0), 0)
  const share = sum === 0 ? Math.round(100 / written.length) : Math.round((100 * weight) / sum)
  const [scheduledAt, whatsappId, contactListId, tagListId, segmentIds] = useWatch({
    control,
    name: ['scheduledAt', 'whatsappId', 'contactListId', 'tagListId', 'segmentIds'],
  })
  const variables = choices.settings?.variables ?? []
  const example = fill(text, { name: 'Ana Souza', number: '5511912345678', email: 'ana@example.com' }, variables)
  const locked = what !== 'all'
  // When its date comes nobody is asked: what it lacks then ends it.
  const dated = !locked && Boolean(scheduledAt)
  const nobody = contactListId === null && tagListId === null && segmentIds.length === 0
  const [templateId, templateValues] = useWatch({ control, name: ['templateId', 'templateValues'] })
  const connection = useConnections().byId.get(whatsappId ?? 0)
  const byTemplate = connection !== undefined && offersOf(connection.provider).templates
  const templates = useTemplates(byTemplate ? whatsappId : null)
  const template = templates?.find(({ id }) => id === templateId)
  const missing = template ? missingValues(template.parts, templateValues).map(({ key }) => key) : []
  const shown = (value: string) =>
    fill(value, { name: 'Ana Souza', number: '5511912345678', email: 'ana@example.com' }, variables).body
  const insert = (name: string) => setValue(message, `${text}{${name}}`, { shouldDirty: true })

  const picker = (
    name: 'whatsappId' | 'contactListId' | 'tagListId' | 'fileListId' | 'replyQueueId',
    label: string,
    options: readonly { id: number; name: string }[],
    hint?: ReactNode,
  ) => (
    <Field label={label} hint={hint} error={errors[name]?.message}>
      <Controller
        control={control}
        name={name}
        render={({ field }) => (
          <Combobox
            clearable
            disabled={locked}
            value={field.value === null ? null : String(field.value)}
            onChange={(id) => field.onChange(id === null ? null : Number(id))}
            options={options.map((option) => ({ id: String(option.id), label: option.name }))}
          />
        )}
      />
    </Field>
  )

  return (
    <FormDialog
      onClose={onClose}
      title={campaign ? (what === 'nothing' ? t`Ver campanha` : t`Editar campanha`) : t`Nova campanha`}
      size="xl"
      form={form}
      readOnly={what === 'nothing'}
      fieldOf={{ ERR_CAMPAIGN_DATE: 'scheduledAt' }}
      onSubmit={async (values) => {
        if (byTemplate && !template) throw new Refusal<CampaignInput>('templateId', t`Escolha um modelo`)
        if (missing.length > 0)
          throw new Refusal<CampaignInput>('templateId', t`Faltam valores das variáveis do modelo`)
        if (template && lacksFile(template.parts, file))
          throw new Refusal<CampaignInput>('templateId', t`Escolha o arquivo que o modelo pede`)
        const at = values.scheduledAt ? new Date(values.scheduledAt) : null
        const input = {
          ...values,
          ...(!byTemplate && { templateId: null, templateValues: {} }),
          scheduledAt: at?.toISOString() ?? null,
        }
        // The date comes after the file: close to it a campaign takes no file any more, and must not leave without one.
        const isNew = stored.current === null
        const waits = file.chosen !== null && at !== null
        // Nothing is kept of one whose date would then be refused.
        if (isNew && waits && isTooLate(at, null, new Date())) throw new ApiError('ERR_CAMPAIGN_DATE', 400)
        stored.current ??= (await campaigns.create(waits ? { ...input, scheduledAt: null } : input)).id
        const id = stored.current
        await file.save({ attach: (chosen) => campaigns.attach(id, chosen), detach: () => campaigns.detach(id) })
        if (!isNew || waits) await campaigns.update(id, input)
        toast.success(t`Campanha salva`)
        onSaved()
      }}
    >
      {what === 'nothing' && (
        <p className="rounded-lg bg-info-soft px-3.5 py-2.5 text-sm text-info-soft-foreground">
          {campaign?.status === 'FINALIZADA' ? (
            <Trans>A campanha terminou: agora só pode ser lida.</Trans>
          ) : (
            <Trans>Nesta situação a campanha só pode ser lida. Cancele-a para mudar os textos.</Trans>
          )}
        </p>
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
          <Input autoFocus autoComplete="off" readOnly={locked} {...register('name')} />
        </Field>
        <Field
          label={<Trans>Agendamento</Trans>}
          hint={t`Vazio: começa quando você iniciar`}
          error={errors.scheduledAt?.message}
        >
          <Controller
            control={control}
            name="scheduledAt"
            render={({ field: { value, onChange, ref } }) => (
              <DateInput ref={ref} type="datetime-local" disabled={locked} value={value ?? ''} onChange={onChange} />
            )}
          />
        </Field>
        {picker(
          'contactListId',
          t`Lista de contatos`,
          choices.lists,
          dated && nobody && (
            <Warning>
              <Trans>Sem lista, etiqueta ou segmento, a campanha termina na data marcada sem enviar nada</Trans>
            </Warning>
          ),
        )}
        {picker(
          'whatsappId',
          t`Conexão`,
          choices.whatsapps,
          dated && whatsappId === null && (
            <Warning>
              <Trans>Sem conexão, a campanha termina na data marcada sem enviar nada</Trans>
            </Warning>
          ),
        )}
        {picker('tagListId', t`Lista de etiqueta`, choices.tags, t`Quem tem um atendimento com a etiqueta`)}
        {!byTemplate && picker('fileListId', t`Lista de arquivos`, choices.files)}
        {choices.segments.length > 0 && (
          <Field label={<Trans>Segmentos</Trans>}>
            <Controller
              control={control}
              name="segmentIds"
              render={({ field }) => (
                <MultiCombobox
                  disabled={locked}
                  values={field.value.map(String)}
                  onChange={(ids) => field.onChange(ids.map(Number))}
                  options={choices.segments.map((segment) => ({ id: String(segment.id), label: segment.name }))}
                />
              )}
            />
          </Field>
        )}
        {picker('replyQueueId', t`Fila de quem responde`, choices.queues)}
      </div>
      <Field
        label={<Trans>Proteger o número</Trans>}
        hint={t`Respeita horários, limites por dia e para quando muitas mensagens falham. Recomendado.`}
        inline
      >
        <SwitchField control={control} name="bulkGuard" disabled={locked} />
      </Field>
      {byTemplate && (
        <TemplateChoice
          templates={templates?.filter((one) => one.id === templateId || isSendable(one)) ?? []}
          chosen={template}
          values={templateValues}
          onChoose={(next) => {
            setValue('templateId', next?.id ?? null, { shouldDirty: true })
            setValue('templateValues', {}, { shouldDirty: true })
          }}
          onValues={(next) => setValue('templateValues', next, { shouldDirty: true })}
          shown={shown}
          insertable={{
            label: t`Preenchida no envio`,
            names: ['nome', 'numero', 'email', ...variables.map(({ key }) => key)].map((key) => [`{${key}}`, key]),
          }}
          error={errors.templateId?.message}
          missing={errors.templateId ? missing : []}
          file={file}
          isFixed={locked}
        />
      )}
      {!byTemplate && (
        <>
          <Field
            label={<Trans>Pedir confirmação antes</Trans>}
            hint={t`A mensagem vai só a quem responder, e não a quem disser não`}
            inline
          >
            <SwitchField control={control} name="confirmation" disabled={locked} />
          </Field>
          {asks && (
            <Field
              label={<Trans>Sim ou não também abre atendimento</Trans>}
              hint={t`Desligado, um sim ou um não à pergunta não abre atendimento. Qualquer outra resposta sempre abre.`}
              inline
            >
              <SwitchField control={control} name="answersOpenTickets" disabled={locked} />
            </Field>
          )}
          <Tabs value={tab} onValueChange={setTab}>
            <TabsList aria-label={t`Mensagens da campanha`}>
              {five.map((n) => (
                <TabsTrigger key={n} value={String(n)}>
                  <Trans>Msg. {n}</Trans>
                </TabsTrigger>
              ))}
            </TabsList>
          </Tabs>
          <div key={tab} className="flex flex-col gap-3">
            {asks && (
              <Field label={<Trans>Pergunta de confirmação</Trans>} error={errors[question]?.message}>
                <Textarea rows={2} readOnly={what === 'nothing'} {...register(question)} />
              </Field>
            )}
            <Field label={<Trans>Mensagem</Trans>} error={errors[message]?.message}>
              <Textarea rows={4} readOnly={what === 'nothing'} {...register(message)} />
            </Field>
            {what !== 'nothing' && (
              <div className="flex flex-wrap items-center gap-1.5">
                {['nome', 'numero', 'email', ...variables.map(({ key }) => key)].map((name) => (
                  <Button key={name} type="button" size="sm" variant="outline" onClick={() => insert(name)}>
                    {`{${name}}`}
                  </Button>
                ))}
              </div>
            )}
            {written.length > 1 && (
              <Field
                label={<Trans>Peso desta mensagem</Trans>}
                hint={weight === 0 ? t`Ninguém a recebe` : t`Cerca de ${share}% das pessoas a recebem`}
                error={errors.weights?.message}
              >
                <Input
                  type="number"
                  className="max-w-28"
                  min={weightBounds.minimum}
                  max={weightBounds.maximum}
                  readOnly={locked}
                  value={weight}
                  onChange={(event) => {
                    const n = Math.trunc(event.target.valueAsNumber) || 0
                    const next = Math.min(Math.max(n, weightBounds.minimum), weightBounds.maximum)
                    setValue('weights', weights.with(Number(tab) - 1, next), { shouldDirty: true })
                  }}
                />
              </Field>
            )}
            {text.trim() && (
              <div className="rounded-lg border bg-muted/40 p-3">
                <p className="mb-1 text-xs text-muted-foreground">
                  <Trans>Como Ana Souza receberia</Trans>
                </p>
                <p className="text-sm break-words whitespace-pre-wrap">{example.body}</p>
                <WithoutValue names={example.missing} />
              </div>
            )}
          </div>
          <Field label={<Trans>Anexo</Trans>}>
            <FileField file={file} testId="campaign-file" disabled={locked} fixed={locked} />
          </Field>
        </>
      )}
    </FormDialog>
  )
}

/** What may be saved, and will not do what is meant. */
function Warning({ children }: { children: ReactNode }) {
  return (
    <span role="status" className="flex items-start gap-1.5 text-warning-soft-foreground">
      <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden="true" />
      <span>{children}</span>
    </span>
  )
}
