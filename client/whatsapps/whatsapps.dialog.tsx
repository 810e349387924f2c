import { Trans, useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import type { ConnectionKind } from '../../schema/whatsapps/whatsapps.providers.ts'
import { whatsappInput } from '../../schema/whatsapps/whatsapps.inputs.ts'
import type { WhatsappInput } from '../../schema/whatsapps/whatsapps.inputs.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { ApiError } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'
import { succeeds } from '../kit/row-actions.tsx'
import { SelectField } from '../kit/form-fields.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { BotFields } from '../automation/automation.bot-fields.tsx'
import { HoursEditor, HoursZone } from '../hours/hours.editor.tsx'
import { fullWeek } from '../hours/hours.rules.ts'
import { QueuePicker, useOnlyQueue } from '../queues/queues.picker.tsx'
import { useQueues } from '../queues/queues.queries.ts'
import { useSetting } from '../settings/settings.queries.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { KeyFields, KindChoice, NumberFields, Steps } from './whatsapps.official-fields.tsx'
import { useFailureText, useRefusalText } from './whatsapps.official-words.ts'
import { official as service } from './whatsapps.official.queries.ts'
import {
  blankOfficial,
  type OfficialForm,
  officialSteps,
  type OfficialStep,
  reachedBy,
  rulesOf,
  stepOf,
} from './whatsapps.official.ts'
import { connections } from './whatsapps.queries.ts'
import type { ConnectionDetails } from './whatsapps.queries.ts'

/** What is filled in when a text is sent. Kept out of the translated text, where braces mean something. */
const placeholders = '{{firstName}}, {{name}}, {{ms}}, {{protocol}}, {{hora}}'

const blank: WhatsappInput = {
  name: '',
  isDefault: false,
  queueIds: [],
  greetingMessage: '',
  completionMessage: '',
  outOfHoursMessage: '',
  ratingMessage: '',
  expiresInactiveMessage: '',
  expiresTicket: 0,
  timeUseBotQueues: 0,
  maxUseBotQueues: 3,
  timeToTransfer: 0,
  transferQueueId: null,
  promptId: null,
  integrationId: null,
  schedules: [],
}

/** The tab of each field that is not on the general one. */
const tabs: Partial<Record<string, string>> = {
  greetingMessage: 'messages',
  completionMessage: 'messages',
  outOfHoursMessage: 'messages',
  expiresInactiveMessage: 'messages',
  ratingMessage: 'ratings',
  maxUseBotQueues: 'integrations',
  timeUseBotQueues: 'integrations',
  promptId: 'integrations',
  integrationId: 'integrations',
  schedules: 'hours',
}

/** The tab of what is wrong; the general one first. */
const tabOf = (wrong: readonly string[]): string =>
  wrong.some((field) => !tabs[field]) ? 'general' : (tabs[wrong[0] ?? ''] ?? 'general')

/** `made`: the word for the webhook of one of the official API that was just made; it cannot be read later. */
type OnSaved = (connection: ConnectionDetails, made?: { verifyToken: string }) => void

/** Adds (`id` null) or edits a connection. */
export function ConnectionDialog({
  id,
  onClose,
  onSaved,
}: {
  id: number | null
  onClose: () => void
  onSaved: OnSaved
}) {
  const { t } = useLingui()
  const [details, setDetails] = useState<ConnectionDetails | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (id === null) return
    let wanted = true
    setFailure(null)
    connections.get(id).then(
      (found) => wanted && setDetails(found),
      (error: unknown) => wanted && setFailure(error),
    )
    return () => {
      wanted = false
    }
  }, [id, attempt])

  if (id === null || details) return <ConnectionForm details={details} onClose={onClose} onSaved={onSaved} />
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t`Editar conexão`} size="lg">
        <DialogBody>
          {failure ? (
            <ErrorState onRetry={() => setAttempt(attempt + 1)}>{errorText(failure)}</ErrorState>
          ) : (
            <div role="status" aria-busy="true" aria-label={t`Carregando…`} className="flex flex-col gap-4 py-2">
              <Skeleton className="h-8" />
              <Skeleton className="h-8" />
              <Skeleton className="h-24" />
            </div>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

/** What the form edits of a connection, and nothing else of it. */
function inputOf(details: ConnectionDetails): WhatsappInput {
  const known = Object.fromEntries(Object.keys(blank).map((key) => [key, details[key as keyof ConnectionDetails]]))
  return {
    ...blank,
    ...known,
    queueIds: details.queueIds ?? details.queues?.map((queue) => queue.id) ?? [],
  } as WhatsappInput
}

/** Those of the service are filled in only while a connection of its kind is made. */
type ConnectionValues = WhatsappInput & OfficialForm

/** Of the form's values those of the connection itself. */
const inputIn = (values: ConnectionValues): WhatsappInput =>
  Object.fromEntries(
    Object.keys(blank).map((key) => [key, values[key as keyof WhatsappInput]]),
  ) as unknown as WhatsappInput

function ConnectionForm({
  details,
  onClose,
  onSaved,
}: {
  details: ConnectionDetails | null
  onClose: () => void
  onSaved: OnSaved
}) {
  const { t } = useLingui()
  const [tab, setTab] = useState('general')
  const [kind, setKind] = useState<ConnectionKind>('phone')
  const [step, setStep] = useState<OfficialStep>('general')
  const refusal = useRefusalText()
  const failureText = useFailureText()
  const known = useQueues().data
  const queues = known ?? []
  const withHours = useSetting('scheduleType') === 'company'
  const [blankValues] = useState(blankOfficial)
  const form = useForm<ConnectionValues>({
    defaultValues: { ...(details ? inputOf(details) : blank), ...blankValues },
    resolver: (values, context, options) =>
      schemaResolver<ConnectionValues>(step === 'general' ? whatsappInput : rulesOf[step])(values, context, options),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const [schedules, queueIds] = useWatch({ control, name: ['schedules', 'queueIds'] })
  useOnlyQueue(form, details ? undefined : known)
  const number = (name: 'expiresTicket' | 'timeToTransfer' | 'maxUseBotQueues' | 'timeUseBotQueues') => (
    <Input type="number" inputMode="numeric" min={0} {...register(name, { valueAsNumber: true })} />
  )

  const isOfficial = !details && kind === 'api'
  const goTo = (next: OfficialStep) => {
    setStep(next)
    // After its fields are there.
    setTimeout(() => form.setFocus(({ general: 'name', number: 'phoneNumberId', keys: 'token' } as const)[next]))
  }
  /** @throws Refusal at the value that the service does not take */
  const make = async (values: ConnectionValues) => {
    const reached = reachedBy(values)
    try {
      const { verifyToken: _ours, ...tried } = reached
      const state = await service.check(tried)
      if (state.failure) throw new Refusal<ConnectionValues>(state.refused ?? 'root', refusal(state) ?? '')
      return await connections.createOfficial(inputIn(values), reached)
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.code === 'ERR_CLOUD_REFUSED'
      throw isRefusal ? new Refusal<ConnectionValues>('root', failureText(error)) : error
    }
  }

  const text = (
    name: 'greetingMessage' | 'completionMessage' | 'outOfHoursMessage' | 'ratingMessage' | 'expiresInactiveMessage',
    label: ReactNode,
    hint: ReactNode,
  ) => (
    <Field label={label} hint={hint} error={errors[name]?.message}>
      <Textarea maxRows={8} className="min-h-20" {...register(name)} />
    </Field>
  )

  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={details ? t`Editar conexão` : t`Adicionar conexão`}
      form={form}
      fieldOf={{
        ERR_WAPP_NAME_ALREADY_EXISTS: 'name',
        ERR_WAPP_GREETING_REQUIRED: 'greetingMessage',
        ERR_CLOUD_TAKEN: 'phoneNumberId',
      }}
      onInvalid={(wrong) => {
        const place = wrong[0] === undefined || wrong[0] === 'root' ? step : stepOf(wrong[0])
        setStep(place)
        if (place === 'general') setTab(tabOf(wrong))
      }}
      save={!isOfficial ? undefined : step === 'keys' ? <Trans>Verificar e criar</Trans> : <Trans>Continuar</Trans>}
      wayOut={
        step === 'general'
          ? undefined
          : { label: <Trans>Voltar</Trans>, onClick: () => goTo(step === 'keys' ? 'number' : 'general') }
      }
      onSubmit={async (values) => {
        if (isOfficial && step !== 'keys') {
          goTo(step === 'general' ? 'number' : 'keys')
          return false
        }
        const input = inputIn(values)
        const saved = details
          ? await connections.update(details.id, input)
          : isOfficial
            ? await make(values)
            : await connections.create(input)
        toast.success(t`Conexão salva`)
        // After the dialog has closed, so that what opens next keeps the focus.
        setTimeout(() => onSaved(saved, isOfficial ? { verifyToken: values.verifyToken } : undefined))
      }}
    >
      {isOfficial && <Steps now={officialSteps.indexOf(step) as 0 | 1 | 2} />}
      {step === 'number' && <NumberFields form={form} />}
      {step === 'keys' && <KeyFields form={form} />}
      {!details && step === 'general' && <KindChoice value={kind} onChange={setKind} />}
      {/* As high as the first tab: the dialog must not jump under the pointer that goes through them. */}
      <Tabs
        value={tab}
        onValueChange={setTab}
        className="flex min-h-[28rem] flex-col gap-5"
        hidden={step !== 'general'}
      >
        <TabsList aria-label={t`Partes da conexão`}>
          <TabsTrigger value="general">
            <Trans>Geral</Trans>
          </TabsTrigger>
          <TabsTrigger value="messages">
            <Trans>Mensagens</Trans>
          </TabsTrigger>
          <TabsTrigger value="ratings">
            <Trans>Avaliações</Trans>
          </TabsTrigger>
          <TabsTrigger value="integrations">
            <Trans>Integrações</Trans>
          </TabsTrigger>
          {withHours && (
            <TabsTrigger value="hours">
              <Trans>Horários</Trans>
            </TabsTrigger>
          )}
        </TabsList>
        <TabsContent value="general" className="flex flex-col gap-4">
          <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
            <Input autoFocus autoComplete="off" {...register('name')} />
          </Field>
          <Field
            label={<Trans>Conexão padrão</Trans>}
            hint={
              details?.isDefault ? (
                <Trans>Para trocar, marque outra conexão como padrão.</Trans>
              ) : (
                <Trans>Usada quando um atendimento novo não diz por qual número sai.</Trans>
              )
            }
            inline
          >
            <Controller
              control={control}
              name="isDefault"
              render={({ field: { value, onChange, ref, onBlur } }) => (
                <Checkbox
                  ref={ref}
                  onBlur={onBlur}
                  checked={value}
                  disabled={details?.isDefault}
                  onCheckedChange={(next) => onChange(next === true)}
                />
              )}
            />
          </Field>
          <div className="flex flex-col gap-2">
            <Field label={<Trans>Filas</Trans>} hint={<Trans>Com uma só, os atendimentos novos entram nela.</Trans>}>
              <Controller
                control={control}
                name="queueIds"
                render={({ field }) => <QueuePicker value={field.value} onChange={field.onChange} />}
              />
            </Field>
            {queueIds.length === 0 && (
              <Notice>
                <Trans>
                  Sem fila, os atendimentos novos ficam “Sem fila”: só os vê quem administra ou vê atendimentos sem
                  fila. Um fluxo pode escolher a fila.
                </Trans>
              </Notice>
            )}
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label={<Trans>Fechar por inatividade (minutos)</Trans>}
              hint={<Trans>0 usa o prazo do servidor.</Trans>}
              error={errors.expiresTicket?.message}
            >
              {number('expiresTicket')}
            </Field>
            <Field
              label={<Trans>Transferir sem fila após (minutos)</Trans>}
              hint={<Trans>0 não transfere.</Trans>}
              error={errors.timeToTransfer?.message}
            >
              {number('timeToTransfer')}
            </Field>
          </div>
          <Field label={<Trans>Fila da transferência</Trans>}>
            <SelectField
              control={control}
              name="transferQueueId"
              options={[
                { value: null, label: t`Nenhuma` },
                ...queues.map((queue) => ({ value: queue.id, label: queue.name })),
              ]}
            />
          </Field>
          {details?.token && <TokenField id={details.id} first={details.token} />}
        </TabsContent>
        <TabsContent value="messages" className="flex flex-col gap-4">
          {text(
            'greetingMessage',
            <Trans>Saudação</Trans>,
            <Trans>Com várias filas, vem acima do menu e é obrigatória. Sem filas, é enviada uma vez.</Trans>,
          )}
          {text(
            'completionMessage',
            <Trans>Conclusão</Trans>,
            <Trans>Enviada quando o atendimento é resolvido.</Trans>,
          )}
          {text(
            'outOfHoursMessage',
            <Trans>Fora do horário</Trans>,
            withHours ? (
              <Trans>
                Enviada fora do horário da empresa, ou do próprio desta conexão. Em branco, não há restrição de horário
                e ninguém é avisado.
              </Trans>
            ) : (
              <Trans>
                Vale com “Horário de atendimento” em “Da empresa”, nas Configurações. Em branco, não há restrição de
                horário e ninguém é avisado.
              </Trans>
            ),
          )}
          {text(
            'expiresInactiveMessage',
            <Trans>Encerramento por inatividade</Trans>,
            <Trans>Enviada quando o atendimento fecha sozinho.</Trans>,
          )}
          <p className="text-xs text-muted-foreground">
            <Trans>Nos textos podem ser usados: {placeholders}</Trans>
          </p>
        </TabsContent>
        <TabsContent value="ratings" className="flex flex-col gap-4">
          {text(
            'ratingMessage',
            <Trans>Avaliação</Trans>,
            <Trans>Vem antes das notas, quando as avaliações estão ligadas.</Trans>,
          )}
        </TabsContent>
        <TabsContent value="integrations" className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label={<Trans>Repetir o menu das filas até (vezes)</Trans>}
              hint={<Trans>0 repete sempre.</Trans>}
              error={errors.maxUseBotQueues?.message}
            >
              {number('maxUseBotQueues')}
            </Field>
            <Field
              label={<Trans>Depois, mostrar de novo após (minutos)</Trans>}
              hint={<Trans>0 não mostra mais neste atendimento.</Trans>}
              error={errors.timeUseBotQueues?.message}
            >
              {number('timeUseBotQueues')}
            </Field>
          </div>
          <BotFields control={control} prompt="promptId" integration="integrationId" />
        </TabsContent>
        {withHours && (
          <TabsContent value="hours" className="flex flex-col gap-4">
            <Field
              label={<Trans>Horário próprio desta conexão</Trans>}
              hint={<Trans>Desligado, vale o horário da empresa.</Trans>}
              inline
            >
              <Controller
                control={control}
                name="schedules"
                render={({ field: { value, onChange, ref } }) => (
                  <Switch
                    ref={ref}
                    checked={value.length > 0}
                    onCheckedChange={(own) => onChange(own ? fullWeek() : [])}
                  />
                )}
              />
            </Field>
            {schedules.length > 0 && (
              <>
                <HoursEditor control={control} name="schedules" />
                <HoursZone />
              </>
            )}
          </TabsContent>
        )}
      </Tabs>
    </FormDialog>
  )
}

/** The connection's key for the external API: hidden until somebody wants to see it. */
function TokenField({ id, first }: { id: number; first: string }) {
  const { t } = useLingui()
  const [token, setToken] = useState(first)
  const [asking, setAsking] = useState(false)
  const [shown, setShown] = useState(false)
  return (
    <Field label={<Trans>Token da API</Trans>} hint={<Trans>Quem o tem envia mensagens por esta conexão.</Trans>}>
      <div className="flex gap-2">
        <Input
          readOnly
          aria-label={t`Token da API`}
          type={shown ? 'text' : 'password'}
          autoComplete="off"
          value={token}
          className="font-mono text-xs"
          after={
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={shown ? t`Ocultar` : t`Mostrar`}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOff /> : <Eye />}
            </Button>
          }
        />
        <CopyButton text={token} size="md">
          <Trans>Copiar</Trans>
        </CopyButton>
        <Button variant="outline" onClick={() => setAsking(true)}>
          <Trans>Trocar</Trans>
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsking(false)}
          title={<Trans>Trocar o token?</Trans>}
          confirmLabel={<Trans>Trocar</Trans>}
          onConfirm={() =>
            succeeds(
              async () => setToken((await connections.rotateToken(id)).token ?? ''),
              t`Token trocado`,
              () => setShown(true),
            )
          }
        >
          <p>
            <Trans>O token atual deixa de funcionar no mesmo instante, em todos os programas que o usam.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </Field>
  )
}
