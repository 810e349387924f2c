import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Control, FieldErrors, UseFormReturn } from 'react-hook-form'
import { Controller, useForm, useWatch } from 'react-hook-form'
import type { BillingKey, IntegrationForm, IntegrationInput } from '../../schema/integrations/integrations.inputs.ts'
import {
  billingKeys,
  billingSystems,
  integrationForm,
  integrationInput,
  missingFields,
} from '../../schema/integrations/integrations.inputs.ts'
import { MASK } from '../../schema/secrets.ts'
import { ApiError } from '../session/api.ts'
import { type BotFailureFacts, useBotFailure } from '../kit/bot-failures.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { errorText } from '../session/error-text.ts'
import { SelectField } from '../kit/form-fields.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { SecretInput } from '../kit/secret-input.tsx'
import { useFlows } from '../flows/flows.queries.ts'
import { useSettings } from '../settings/settings.queries.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { WebhookGuide } from './integrations.guide.tsx'
import { type Integration, integrations } from './integrations.queries.ts'
import { billingNames, useBillingKeyWords, useKinds } from './integrations.words.ts'

const allKeys = Object.values(billingKeys).flat() as BillingKey[]
const secretFields = ['jsonContent', 'secret'] as const
type SecretField = (typeof secretFields)[number]

function valuesOf(integration: Integration | null, keys: Record<string, string>): IntegrationForm {
  const blank: IntegrationInput = {
    ...{ type: 'typebot', name: '', projectName: '', jsonContent: '', language: 'pt-BR', urlN8N: '', secret: '' },
    ...{ flowId: null, typebotSlug: '', typebotDelayMessage: 1000, typebotExpires: 1, billingSystem: 'asaas' },
    ...{ typebotKeywordFinish: '', typebotKeywordRestart: '', typebotRestartMessage: '', typebotUnknownMessage: '' },
  }
  const kept =
    integration && Object.fromEntries(Object.keys(blank).map((key) => [key, integration[key as keyof Integration]]))
  return {
    ...blank,
    ...kept,
    billingSystem: integration?.billingSystem ?? 'asaas',
    keys: Object.fromEntries(allKeys.map((key) => [key, keys[key] ?? ''])) as Record<BillingKey, string>,
  }
}

/** Adds (`integration` null) or edits an integration; which fields there are depends on its type. */
export function IntegrationDialog(props: {
  integration: Integration | null
  onClose: () => void
  onSaved: () => void
}) {
  const settings = useSettings()
  // The keys of billing systems are settings: whether they are set is known once these have come.
  if (!settings.data && !settings.error) return null
  const keys = Object.fromEntries((settings.data ?? []).map(({ key, value }) => [key, value]))
  return <IntegrationForms {...props} keys={keys} />
}

function IntegrationForms({
  integration,
  keys,
  onClose,
  onSaved,
}: {
  integration: Integration | null
  keys: Record<string, string>
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const kinds = useKinds()
  const obeySchema = schemaResolver<IntegrationForm>(integrationForm, {
    urlN8N: t`Comece com http:// ou https://`,
    typebotSlug: t`Só o nome público, sem o endereço`,
    secret: t`whsec_ e de 24 a 64 bytes em base64`,
    language: t`Um código como pt-BR`,
  })
  const form = useForm<IntegrationForm>({
    defaultValues: valuesOf(integration, keys),
    resolver: async (values, context, options) => {
      const { errors, values: clean } = await obeySchema(values, context, options)
      const missing = missingFields(values).filter((field) => !(field in errors))
      const wrong = {
        ...errors,
        ...Object.fromEntries(missing.map((field) => [field, { type: 'required', message: t`Obrigatório` }])),
      }
      return Object.keys(wrong).length > 0
        ? { values: {}, errors: wrong }
        : { values: clean as IntegrationForm, errors: {} }
    },
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const type = useWatch({ control, name: 'type' })

  const save = async ({ keys: given, ...values }: IntegrationForm) => {
    if (type === 'billing')
      for (const key of billingKeys[values.billingSystem]) {
        if (given[key] === MASK || given[key] === (keys[key] ?? '')) continue
        try {
          // One after another: the address of a system first, which forgets its older keys.
          await integrations.saveKey(key, given[key])
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          throw new Refusal<IntegrationForm>(`keys.${key}`, errorText(error))
        }
      }
    // What other types would have is left as it is.
    const { billingSystem, ...input } = values
    const sent = type === 'billing' ? { ...input, billingSystem } : input
    await (integration ? integrations.update(integration.id, sent) : integrations.create(sent))
    toast.success(t`Integração salva`)
    onSaved()
  }

  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={integration ? t`Editar integração` : t`Adicionar integração`}
      form={form}
      fieldOf={{ ERR_INTEGRATION_NAME_ALREADY_EXISTS: 'name', ERR_ADDRESS_REFUSED: 'urlN8N' }}
      onSubmit={async (values) => {
        try {
          await save(values)
        } catch (error) {
          // A field that looks right and is not: the server knows which.
          const field = error instanceof ApiError && error.code === 'ERR_INTEGRATION_FIELD' && error.params['field']
          if (typeof field === 'string' && field in integrationInput.properties)
            throw new Refusal<IntegrationForm>(
              field as keyof IntegrationInput,
              field === 'jsonContent' ? t`Cole o arquivo JSON da conta de serviço` : t`Valor inválido`,
            )
          throw error
        }
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={<Trans>Tipo</Trans>} hint={kinds[type].hint}>
          <SelectField
            control={control}
            name="type"
            autoFocus={!integration}
            options={Object.entries(kinds).map(([kind, { label, icon: Icon }]) => ({
              value: kind as IntegrationInput['type'],
              label: (
                <span className="flex items-center gap-2">
                  <Icon aria-hidden="true" className="size-4 text-muted-foreground" />
                  {label}
                </span>
              ),
            }))}
          />
        </Field>
        <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
          <Input autoFocus={integration !== null} autoComplete="off" {...register('name')} />
        </Field>
      </div>
      {type === 'dialogflow' && <DialogflowFields form={form} integration={integration} />}
      {(type === 'n8n' || type === 'webhook') && <WebhookFields form={form} integration={integration} />}
      {type === 'typebot' && <TypebotFields form={form} />}
      {type === 'flowbuilder' && <FlowField control={control} errors={errors} />}
      {type === 'billing' && <BillingFields form={form} keys={keys} />}
    </FormDialog>
  )
}

type Form = UseFormReturn<IntegrationForm>

function Secret({
  control,
  name,
  integration,
  multiline,
  placeholder,
}: {
  control: Control<IntegrationForm>
  name: SecretField
  integration: Integration | null
  multiline?: boolean
  placeholder: string
}) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <SecretInput
          {...field}
          wasKept={integration?.[name] === MASK}
          multiline={multiline}
          placeholder={placeholder}
        />
      )}
    />
  )
}

function DialogflowFields({ form, integration }: { form: Form; integration: Integration | null }) {
  const { t } = useLingui()
  const {
    register,
    control,
    getValues,
    formState: { errors },
  } = form
  const failureText = useBotFailure()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ text: string; isFailure: boolean }>()
  const test = async () => {
    setBusy(true)
    setOutcome(undefined)
    try {
      const { projectName, jsonContent, language } = getValues()
      const { messages } = await integrations.testSession({
        ...{ projectName: projectName.trim(), jsonContent: jsonContent.trim(), language: language.trim() },
        id: integration?.id ?? null,
      })
      setOutcome({ text: messages.join('\n') || t`O agente respondeu sem texto`, isFailure: false })
    } catch (error) {
      const failure =
        error instanceof ApiError && 'why' in error.params ? (error.params as unknown as BotFailureFacts) : null
      setOutcome({ text: failure ? failureText(failure) : errorText(error), isFailure: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={<Trans>Nome do projeto</Trans>} required error={errors.projectName?.message}>
          <Input autoComplete="off" spellCheck={false} placeholder="padaria-agente" {...register('projectName')} />
        </Field>
        <Field label={<Trans>Idioma</Trans>} required error={errors.language?.message}>
          <Input autoComplete="off" spellCheck={false} placeholder="pt-BR" {...register('language')} />
        </Field>
      </div>
      <Field
        label={<Trans>Conta de serviço (JSON)</Trans>}
        required
        hint={<Trans>O arquivo que o Google Cloud entrega. É guardado cifrado e nunca mais é mostrado.</Trans>}
        error={errors.jsonContent?.message}
      >
        <Secret
          control={control}
          name="jsonContent"
          integration={integration}
          multiline
          placeholder={'{ "type": "service_account", … }'}
        />
      </Field>
      <div className="flex flex-col items-start gap-2">
        <Button variant="outline" busy={busy} onClick={() => void test()}>
          <Trans>Testar o agente</Trans>
        </Button>
        {outcome && (
          <p
            role="status"
            className={
              outcome.isFailure
                ? 'text-sm wrap-anywhere text-destructive-soft-foreground'
                : 'rounded-xl border bg-muted/40 px-3 py-1.5 text-sm wrap-anywhere whitespace-pre-wrap'
            }
          >
            {outcome.text}
          </p>
        )}
      </div>
    </>
  )
}

function WebhookFields({ form, integration }: { form: Form; integration: Integration | null }) {
  const { t } = useLingui()
  const {
    register,
    control,
    setValue,
    formState: { errors },
  } = form
  const secret = useWatch({ control, name: 'secret' })
  return (
    <>
      <Field label={<Trans>Endereço</Trans>} required error={errors.urlN8N?.message}>
        <Input type="url" autoComplete="off" spellCheck={false} placeholder="https://" {...register('urlN8N')} />
      </Field>
      <Field
        label={<Trans>Segredo da assinatura</Trans>}
        hint={
          <Trans>
            Com ele o seu programa confere que o evento veio daqui. Depois de trocado, o anterior vale por mais um dia.
          </Trans>
        }
        error={errors.secret?.message}
      >
        <Secret control={control} name="secret" integration={integration} placeholder="whsec_…" />
      </Field>
      {secret !== MASK && (
        <div className="-mt-2 flex flex-wrap gap-2">
          <Button
            variant="outline"
            size="sm"
            onClick={() => setValue('secret', newSecret(), { shouldDirty: true, shouldValidate: true })}
          >
            <KeyRound />
            <Trans>Gerar um segredo</Trans>
          </Button>
          {secret && (
            <CopyButton text={secret} aria-label={t`Copiar o segredo`}>
              <Trans>Copiar</Trans>
            </CopyButton>
          )}
        </div>
      )}
      <WebhookGuide />
    </>
  )
}

/** 32 bytes by chance. */
const newSecret = () => `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`

function TypebotFields({ form }: { form: Form }) {
  const {
    register,
    formState: { errors },
  } = form
  const number = (name: 'typebotDelayMessage' | 'typebotExpires') => (
    <Input type="number" inputMode="numeric" min={0} {...register(name, { valueAsNumber: true })} />
  )
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={<Trans>Endereço do Typebot</Trans>}
          required
          hint={<Trans>Do visualizador, onde o robô é aberto.</Trans>}
          error={errors.urlN8N?.message}
        >
          <Input
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://typebot.io"
            {...register('urlN8N')}
          />
        </Field>
        <Field
          label={<Trans>Nome público do robô</Trans>}
          required
          hint={<Trans>A parte final do endereço dele.</Trans>}
          error={errors.typebotSlug?.message}
        >
          <Input autoComplete="off" spellCheck={false} placeholder="meu-robo-x1y2z3" {...register('typebotSlug')} />
        </Field>
        <Field label={<Trans>Intervalo entre mensagens (ms)</Trans>} error={errors.typebotDelayMessage?.message}>
          {number('typebotDelayMessage')}
        </Field>
        <Field
          label={<Trans>Recomeça após (minutos)</Trans>}
          hint={<Trans>De silêncio do contato; 0 nunca.</Trans>}
          error={errors.typebotExpires?.message}
        >
          {number('typebotExpires')}
        </Field>
        <Field
          label={<Trans>Palavra que encerra</Trans>}
          hint={<Trans>O robô para, e um atendente assume.</Trans>}
          error={errors.typebotKeywordFinish?.message}
        >
          <Input autoComplete="off" {...register('typebotKeywordFinish')} />
        </Field>
        <Field label={<Trans>Palavra que recomeça</Trans>} error={errors.typebotKeywordRestart?.message}>
          <Input autoComplete="off" {...register('typebotKeywordRestart')} />
        </Field>
      </div>
      <Field label={<Trans>Mensagem ao recomeçar</Trans>} error={errors.typebotRestartMessage?.message}>
        <Textarea maxRows={6} className="min-h-16" {...register('typebotRestartMessage')} />
      </Field>
      <Field
        label={<Trans>Mensagem de resposta desconhecida</Trans>}
        hint={<Trans>Enviada quando o robô não diz nada.</Trans>}
        error={errors.typebotUnknownMessage?.message}
      >
        <Textarea maxRows={6} className="min-h-16" {...register('typebotUnknownMessage')} />
      </Field>
    </>
  )
}

function FlowField({ control, errors }: { control: Control<IntegrationForm>; errors: FieldErrors<IntegrationForm> }) {
  const { t } = useLingui()
  const flows = useFlows().data ?? []
  return (
    <Field label={<Trans>Fluxo</Trans>} required error={errors.flowId?.message}>
      <SelectField
        control={control}
        name="flowId"
        placeholder={t`Escolha um fluxo`}
        options={flows.map(({ id, name, active }) => ({
          value: id,
          label: active ? name : t`${name} (desativado)`,
        }))}
      />
    </Field>
  )
}

function BillingFields({ form, keys }: { form: Form; keys: Record<string, string> }) {
  const words = useBillingKeyWords()
  const {
    control,
    formState: { errors },
  } = form
  const system = useWatch({ control, name: 'billingSystem' })
  return (
    <>
      <Field label={<Trans>Sistema</Trans>} required error={errors.billingSystem?.message}>
        <SelectField
          control={control}
          name="billingSystem"
          options={billingSystems.map((one) => ({ value: one, label: billingNames[one] }))}
        />
      </Field>
      {billingKeys[system].map((key) => (
        <Field key={key} label={words[key]} required error={errors.keys?.[key]?.message}>
          <Controller
            control={control}
            name={`keys.${key}`}
            render={({ field }) => (
              <SecretInput
                {...field}
                wasKept={keys[key] === MASK}
                visible={key.startsWith('ip')}
                placeholder={key.startsWith('ip') ? 'https://' : ''}
              />
            )}
          />
        </Field>
      ))}
      <p className="text-xs text-muted-foreground">
        <Trans>
          As chaves são só desta empresa, guardadas cifradas. Quem muda o endereço do servidor informa as chaves outra
          vez.
        </Trans>
      </p>
    </>
  )
}
