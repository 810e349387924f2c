import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import type { PromptInput } from '../../schema/prompts/prompts.inputs.ts'
import { promptInput } from '../../schema/prompts/prompts.inputs.ts'
import {
  azureVoiceNames,
  azureVoices,
  DEFAULT_BASE_URL,
  DEFAULT_MODEL,
  isAzureVoice,
  NO_VOICE,
  serviceVoices,
  SUGGESTED_TRANSCRIPTION_MODEL,
} from '../../schema/prompts/prompts.voices.ts'
import { MASK } from '../../schema/secrets.ts'
import { SelectField } from '../kit/form-fields.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { SecretInput } from '../kit/secret-input.tsx'
import { useQueues } from '../queues/queues.queries.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import type { Prompt } from './prompts.queries.ts'
import { prompts } from './prompts.queries.ts'

/** The fields of each tab but the first. */
const tabs: Record<string, readonly string[]> = {
  answers: ['maxTokens', 'temperature', 'maxMessages', 'model', 'baseUrl'],
  voice: ['transcriptionModel', 'voice', 'voiceKey', 'voiceRegion'],
}

function inputOf(prompt: Prompt | null): PromptInput {
  const blank = {
    ...{ name: '', prompt: '', apiKey: '', baseUrl: '', model: '', transcriptionModel: '' },
    ...{ voice: NO_VOICE, voiceKey: '', voiceRegion: '', maxTokens: 100, temperature: 1, maxMessages: 10 },
  }
  const kept = prompt && Object.fromEntries(Object.keys(blank).map((key) => [key, prompt[key as keyof Prompt]]))
  // A number or nothing, until one is chosen.
  return { ...blank, ...kept, queueId: (prompt?.queueId ?? null) as number }
}

/** Adds (`prompt` null) or edits an assistant. */
export function PromptDialog({
  prompt,
  onClose,
  onSaved,
}: {
  prompt: Prompt | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const queues = useQueues().data ?? []
  const [tab, setTab] = useState('general')
  const form = useForm<PromptInput>({
    defaultValues: inputOf(prompt),
    resolver: schemaResolver(promptInput, {
      apiKey: t`Uma chave não tem espaços nem acentos`,
      baseUrl: t`Comece com http:// ou https://`,
      model: t`O nome do modelo, como o serviço o escreve`,
      transcriptionModel: t`O nome do modelo, como o serviço o escreve`,
      voiceRegion: t`Só letras minúsculas e números, como brazilsouth`,
    }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const voice = useWatch({ control, name: 'voice' })
  const number = (name: 'maxTokens' | 'maxMessages' | 'temperature', step?: string) => (
    <Input
      type="number"
      inputMode={step ? 'decimal' : 'numeric'}
      min={0}
      step={step}
      {...register(name, { valueAsNumber: true })}
    />
  )
  const secret = (name: 'apiKey' | 'voiceKey', placeholder: string) => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => <SecretInput {...field} wasKept={prompt?.[name] === MASK} placeholder={placeholder} />}
    />
  )

  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={prompt ? t`Editar assistente` : t`Adicionar assistente`}
      form={form}
      fieldOf={{
        ERR_PROMPT_NAME_ALREADY_EXISTS: 'name',
        ERR_PROMPT_KEY_REQUIRED: 'apiKey',
        ERR_ADDRESS_REFUSED: 'baseUrl',
        ERR_NO_QUEUE_FOUND: 'queueId',
      }}
      onInvalid={(wrong) =>
        setTab(Object.keys(tabs).find((one) => wrong.every((field) => tabs[one]!.includes(field))) ?? 'general')
      }
      onSubmit={async (values) => {
        await (prompt ? prompts.update(prompt.id, values) : prompts.create(values))
        toast.success(t`Assistente salvo`)
        onSaved()
      }}
    >
      <Tabs value={tab} onValueChange={setTab} className="flex min-h-[26rem] flex-col gap-5">
        <TabsList aria-label={t`Partes do assistente`}>
          <TabsTrigger value="general">
            <Trans>Geral</Trans>
          </TabsTrigger>
          <TabsTrigger value="answers">
            <Trans>Respostas</Trans>
          </TabsTrigger>
          <TabsTrigger value="voice">
            <Trans>Voz</Trans>
          </TabsTrigger>
        </TabsList>
        <TabsContent value="general" className="flex flex-col gap-4">
          <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
            <Input autoFocus autoComplete="off" {...register('name')} />
          </Field>
          <Field
            label={<Trans>Instruções</Trans>}
            required
            hint={
              <Trans>
                Quem é o assistente, o que sabe da empresa e como fala. Ele recebe também o primeiro nome do contato.
              </Trans>
            }
            error={errors.prompt?.message}
          >
            <Textarea maxRows={12} className="min-h-40" {...register('prompt')} />
          </Field>
          <Field
            label={<Trans>Fila</Trans>}
            required
            hint={<Trans>Recebe o atendimento quando o assistente o passa adiante, ou quando falha.</Trans>}
            error={errors.queueId && t`Informe o setor`}
          >
            <SelectField
              control={control}
              name="queueId"
              placeholder={t`Escolha uma fila`}
              options={queues.map((queue) => ({ value: queue.id, label: queue.name }))}
            />
          </Field>
          <Field
            label={<Trans>Chave da API</Trans>}
            required
            hint={<Trans>É guardada cifrada e nunca mais é mostrada.</Trans>}
            error={errors.apiKey?.message}
          >
            {secret('apiKey', 'sk-…')}
          </Field>
        </TabsContent>
        <TabsContent value="answers" className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-3">
            <Field
              label={<Trans>Máximo de tokens</Trans>}
              hint={<Trans>De cada resposta; 100 são umas 75 palavras.</Trans>}
              error={errors.maxTokens?.message}
            >
              {number('maxTokens')}
            </Field>
            <Field
              label={<Trans>Temperatura</Trans>}
              hint={<Trans>0 é mais exato; 2 é mais solto.</Trans>}
              error={errors.temperature?.message}
            >
              {number('temperature', '0.1')}
            </Field>
            <Field
              label={<Trans>Mensagens lembradas</Trans>}
              hint={<Trans>As últimas da conversa.</Trans>}
              error={errors.maxMessages?.message}
            >
              {number('maxMessages')}
            </Field>
          </div>
          <Field
            label={<Trans>Modelo</Trans>}
            hint={<Trans>Em branco, {DEFAULT_MODEL}.</Trans>}
            error={errors.model?.message}
          >
            <Input autoComplete="off" spellCheck={false} placeholder={DEFAULT_MODEL} {...register('model')} />
          </Field>
          <Field
            label={<Trans>Endereço do serviço</Trans>}
            hint={<Trans>Para outros serviços com a interface da OpenAI. Em branco, o da própria OpenAI.</Trans>}
            error={errors.baseUrl?.message}
          >
            <Input
              type="url"
              autoComplete="off"
              spellCheck={false}
              placeholder={DEFAULT_BASE_URL}
              {...register('baseUrl')}
            />
          </Field>
        </TabsContent>
        <TabsContent value="voice" className="flex flex-col gap-4">
          <Field
            label={<Trans>Modelo de transcrição</Trans>}
            hint={<Trans>Entende os áudios dos contatos. Em branco, eles não são ouvidos.</Trans>}
            error={errors.transcriptionModel?.message}
          >
            <Input
              autoComplete="off"
              spellCheck={false}
              placeholder={SUGGESTED_TRANSCRIPTION_MODEL}
              {...register('transcriptionModel')}
            />
          </Field>
          <Field
            label={<Trans>Voz</Trans>}
            hint={<Trans>Com uma voz, as respostas vão como áudio.</Trans>}
            error={errors.voice?.message}
          >
            <SelectField
              control={control}
              name="voice"
              options={[
                { value: NO_VOICE, label: t`Texto` },
                ...azureVoices.map((name, index) => ({ value: name, label: t`${azureVoiceNames[index]} (Azure)` })),
                ...serviceVoices.map((name) => ({ value: name, label: t`${name} (do mesmo serviço)` })),
              ]}
            />
          </Field>
          {isAzureVoice(voice) && (
            <div className="grid gap-4 sm:grid-cols-2">
              <Field label={<Trans>Chave da voz (Azure)</Trans>} error={errors.voiceKey?.message}>
                {secret('voiceKey', '')}
              </Field>
              <Field label={<Trans>Região da voz</Trans>} error={errors.voiceRegion?.message}>
                <Input autoComplete="off" spellCheck={false} placeholder="brazilsouth" {...register('voiceRegion')} />
              </Field>
            </div>
          )}
        </TabsContent>
      </Tabs>
    </FormDialog>
  )
}
