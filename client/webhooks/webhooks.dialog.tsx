import { Trans, useLingui } from '@lingui/react/macro'
import { Controller, useForm } from 'react-hook-form'
import { type WebhookEventType, webhookEvents } from '../../schema/webhooks/webhooks.events.ts'
import { webhookForm } from '../../schema/webhooks/webhooks.inputs.ts'
import { useQueues } from '../replica/directory.ts'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { type Webhook, webhooks } from './webhooks.queries.ts'

interface Values {
  url: string
  events: WebhookEventType[]
  queueIds: number[]
  active: boolean
}

/** Makes a webhook (`webhook` null) or changes one; the secret of a new one is handed on to be shown. */
export function WebhookDialog({
  webhook,
  onClose,
  onSaved,
}: {
  webhook: Webhook | null
  onClose: () => void
  onSaved: (secret: string | undefined) => void
}) {
  const { t } = useLingui()
  const queues = useQueues().list
  const form = useForm<Values>({
    defaultValues: {
      url: webhook?.url ?? '',
      events: webhook?.events ?? ['message.received', 'message.ack'],
      queueIds: webhook?.queueIds ?? [],
      active: webhook?.active ?? true,
    },
    resolver: schemaResolver(webhookForm, { url: t`Comece com https://` }),
  })
  const {
    register,
    control,
    getValues,
    formState: { errors },
  } = form
  return (
    <FormDialog
      onClose={onClose}
      title={webhook ? t`Editar webhook` : t`Adicionar webhook`}
      size="lg"
      form={form}
      fieldOf={{ ERR_URL_FORBIDDEN: 'url' }}
      onSubmit={async ({ url }) => {
        const { events, queueIds, active } = getValues()
        if (events.length === 0) throw new Refusal<Values>('events', t`Escolha ao menos um evento`)
        const input = { url, events, queueIds, active }
        if (webhook) await webhooks.update(webhook.id, input)
        const made = webhook ? undefined : await webhooks.create(input)
        toast.success(t`Webhook salvo`)
        onSaved(made?.secret)
      }}
    >
      <Field label={<Trans>Endereço</Trans>} required error={errors.url?.message}>
        <Input
          autoFocus
          inputMode="url"
          autoComplete="off"
          placeholder="https://exemplo.com/balcao"
          {...register('url')}
        />
      </Field>
      <Controller
        control={control}
        name="events"
        render={({ field: { value, onChange } }) => (
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 text-sm font-medium">
              <Trans>Eventos</Trans>
            </legend>
            <div className="grid gap-x-4 sm:grid-cols-2">
              {webhookEvents.map((event) => (
                <Field key={event} inline label={<code className="text-xs">{event}</code>}>
                  <Checkbox
                    checked={value.includes(event)}
                    onCheckedChange={(on) =>
                      onChange(on === true ? [...value, event] : value.filter((one) => one !== event))
                    }
                  />
                </Field>
              ))}
            </div>
            {errors.events?.message && (
              <p role="alert" className="text-xs text-destructive-soft-foreground">
                {errors.events.message}
              </p>
            )}
          </fieldset>
        )}
      />
      {queues.length > 0 && (
        <Controller
          control={control}
          name="queueIds"
          render={({ field: { value, onChange } }) => (
            <fieldset className="flex flex-col gap-1">
              <legend className="mb-1 text-sm font-medium">
                <Trans>Só destas filas (nenhuma marcada: todas)</Trans>
              </legend>
              <div className="grid gap-x-4 sm:grid-cols-2">
                {queues.map(({ id, name }) => (
                  <Field key={id} inline label={name}>
                    <Checkbox
                      checked={value.includes(id)}
                      onCheckedChange={(on) =>
                        onChange(on === true ? [...value, id] : value.filter((one) => one !== id))
                      }
                    />
                  </Field>
                ))}
              </div>
            </fieldset>
          )}
        />
      )}
      <Controller
        control={control}
        name="active"
        render={({ field: { value, onChange, ref } }) => (
          <Field label={<Trans>Ligado</Trans>} inline>
            <Switch ref={ref} checked={value} onCheckedChange={onChange} />
          </Field>
        )}
      />
    </FormDialog>
  )
}
