import { Trans, useLingui } from '@lingui/react/macro'
import { Controller, useForm } from 'react-hook-form'
import { apiKeyForm } from '../../schema/api-keys/api-keys.inputs.ts'
import { type ApiScope, apiScopes } from '../../schema/api-keys/api-keys.scopes.ts'
import { dayKey } from '../i18n/month.ts'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { type ApiKey, apiKeys } from './api-keys.queries.ts'
import { useScopeWords } from './api-keys.words.ts'

/** Nothing answers to these yet: a key may hold them, but nobody is offered them. */
const offered = apiScopes.filter((scope) => !/^(campaigns|reports):/.test(scope))

interface Values {
  name: string
  scopes: ApiScope[]
  addresses: string
  ratePerMinute: number
  expiresOn: string
}

/** Makes a key (`apiKey` null) or changes one; a new one is handed on to be shown. */
export function ApiKeyDialog({
  apiKey,
  onClose,
  onSaved,
}: {
  apiKey: ApiKey | null
  onClose: () => void
  onSaved: (key: string | undefined) => void
}) {
  const { t } = useLingui()
  const words = useScopeWords()
  const form = useForm<Values>({
    defaultValues: {
      name: apiKey?.name ?? '',
      scopes: apiKey?.scopes ?? ['messages:send'],
      addresses: apiKey?.ipAllow.join('\n') ?? '',
      ratePerMinute: apiKey?.ratePerMinute ?? 120,
      expiresOn: apiKey?.expiresAt ? dayKey(Date.parse(apiKey.expiresAt)) : '',
    },
    resolver: schemaResolver(apiKeyForm),
  })
  const {
    register,
    control,
    getValues,
    formState: { errors, dirtyFields },
  } = form
  return (
    <FormDialog
      onClose={onClose}
      title={apiKey ? t`Editar chave` : t`Criar chave`}
      size="lg"
      form={form}
      onSubmit={async ({ name, ratePerMinute }) => {
        // Rules of the schema are about what it has: the rest is read as it was typed.
        const { scopes, addresses, expiresOn } = getValues()
        if (scopes.length === 0) throw new Refusal<Values>('scopes', t`Escolha ao menos uma permissão`)
        const chosen = expiresOn ? new Date(`${expiresOn}T23:59:59`).toISOString() : null
        // What was not touched stays to the second: one that has ended may be edited as it is.
        const expiresAt = dirtyFields.expiresOn ? chosen : (apiKey?.expiresAt ?? null)
        if (dirtyFields.expiresOn && chosen && Date.parse(chosen) <= Date.now())
          throw new Refusal<Values>('expiresOn', t`Esta data já passou`)
        const input = {
          ...{ name, scopes, ratePerMinute },
          ipAllow: addresses.split(/[\s,;]+/).filter(Boolean),
          expiresAt,
        }
        if (apiKey) await apiKeys.update(apiKey.id, input)
        const made = apiKey ? undefined : await apiKeys.create(input)
        toast.success(t`Chave salva`)
        onSaved(made?.key)
      }}
    >
      <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
        <Input autoFocus autoComplete="off" placeholder={t`Loja virtual`} {...register('name')} />
      </Field>
      <Controller
        control={control}
        name="scopes"
        render={({ field: { value, onChange } }) => (
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 text-sm font-medium">
              <Trans>Permissões</Trans>
            </legend>
            {offered.map((scope) => (
              <Field key={scope} inline label={words[scope]}>
                <Checkbox
                  checked={value.includes(scope)}
                  onCheckedChange={(on) =>
                    onChange(on === true ? [...value, scope] : value.filter((one) => one !== scope))
                  }
                />
              </Field>
            ))}
            {errors.scopes?.message && (
              <p role="alert" className="text-xs text-destructive-soft-foreground">
                {errors.scopes.message}
              </p>
            )}
          </fieldset>
        )}
      />
      <Field
        label={<Trans>Endereços permitidos</Trans>}
        hint={<Trans>Um endereço IP ou rede por linha; vazio permite todos.</Trans>}
      >
        <Textarea rows={2} className="font-mono" placeholder="203.0.113.0/24" {...register('addresses')} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={<Trans>Chamadas por minuto</Trans>} error={errors.ratePerMinute?.message}>
          <Input type="number" min={1} max={60_000} {...register('ratePerMinute', { valueAsNumber: true })} />
        </Field>
        <Field
          label={<Trans>Vale até</Trans>}
          hint={<Trans>Vazio: não vence.</Trans>}
          error={errors.expiresOn?.message}
        >
          <Controller control={control} name="expiresOn" render={({ field }) => <DateInput {...field} />} />
        </Field>
      </div>
    </FormDialog>
  )
}
