import { Trans, useLingui } from '@lingui/react/macro'
import { Check, KeyRound, QrCode } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { MASK } from '../../schema/secrets.ts'
import { type ConnectionKind, connectionKinds } from '../../schema/whatsapps/whatsapps.providers.ts'
import { SwitchField } from '../kit/form-fields.tsx'
import { SecretInput } from '../kit/secret-input.tsx'
import { cn } from '../ui/cn.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import type { OfficialForm } from './whatsapps.official.ts'

/** By what a new connection speaks, for good. */
export function KindChoice({ value, onChange }: { value: ConnectionKind; onChange: (kind: ConnectionKind) => void }) {
  const id = useId()
  const words: Record<ConnectionKind, { icon: LucideIcon; name: ReactNode; note: ReactNode }> = {
    phone: {
      icon: QrCode,
      name: <Trans>Por QR</Trans>,
      note: <Trans>O celular da empresa lê um código. Pronta em um minuto.</Trans>,
    },
    api: {
      icon: KeyRound,
      name: <Trans>API oficial</Trans>,
      note: (
        <Trans>Sem celular, pela Meta. Responde a quem escreveu nas últimas 24 horas; depois, só por modelos.</Trans>
      ),
    },
  }
  return (
    <div className="flex flex-col gap-1.5">
      <span id={`${id}-label`} className="text-[0.8125rem] leading-none font-medium">
        <Trans>Tipo de conexão</Trans>
      </span>
      <RadioGroup.Root
        aria-labelledby={`${id}-label`}
        value={value}
        onValueChange={(kind) => onChange(kind as ConnectionKind)}
        className="grid gap-2 sm:grid-cols-2"
      >
        {(Object.keys(connectionKinds) as ConnectionKind[]).map((kind) => {
          const { icon: Icon, name, note } = words[kind]
          return (
            <RadioGroup.Item
              key={kind}
              value={kind}
              aria-labelledby={`${id}-${kind}`}
              aria-describedby={`${id}-${kind}-note`}
              className="focus-ring flex items-start gap-3 rounded-lg border px-3 py-2.5 text-left transition-colors hover:bg-accent/50 data-[state=checked]:border-primary data-[state=checked]:bg-primary-soft"
            >
              <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
              <span className="min-w-0">
                <span id={`${id}-${kind}`} className="block text-sm font-medium">
                  {name}
                </span>
                <span id={`${id}-${kind}-note`} className="block text-xs text-muted-foreground">
                  {note}
                </span>
              </span>
            </RadioGroup.Item>
          )
        })}
      </RadioGroup.Root>
    </div>
  )
}

/** How far one has come; on a phone only the step that it is has its words. */
export function Steps({ now }: { now: 0 | 1 | 2 | 3 }) {
  const { t } = useLingui()
  const names = [t`Conexão`, t`Número`, t`Chaves`, t`Webhook e registro`]
  return (
    <ol aria-label={t`Passos`} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={index === now ? 'step' : undefined}
          className={cn('flex items-center gap-1.5', index === now ? 'font-medium' : 'text-muted-foreground')}
        >
          <span
            aria-hidden="true"
            className={cn(
              'flex size-5 items-center justify-center rounded-full border text-[0.6875rem] tabular-nums [&_svg]:size-3',
              index === now && 'border-primary bg-primary text-primary-foreground',
            )}
          >
            {index < now ? <Check /> : index + 1}
          </span>
          <span className={index === now ? undefined : 'max-sm:sr-only'}>{name}</span>
        </li>
      ))}
    </ol>
  )
}

/** Which number it is, and by which account. `isKnown`: it is a connection's already, for good. */
export function NumberFields<Form extends OfficialForm>({
  form,
  isKnown = false,
}: {
  form: UseFormReturn<Form>
  isKnown?: boolean
}) {
  const { register, control, formState } = form as unknown as UseFormReturn<OfficialForm>
  const { errors } = formState
  return (
    <>
      <Field
        label={<Trans>Identificação do número</Trans>}
        hint={
          isKnown ? (
            <Trans>Não muda. Para outro número, adicione outra conexão.</Trans>
          ) : (
            <Trans>No painel da Meta, em WhatsApp, Configuração da API: “Identificação do número de telefone”.</Trans>
          )
        }
        required={!isKnown}
        error={errors.phoneNumberId?.message}
      >
        <Input
          autoFocus={!isKnown}
          readOnly={isKnown}
          inputMode="numeric"
          autoComplete="off"
          className="tabular-nums"
          {...register('phoneNumberId')}
        />
      </Field>
      <Field
        label={<Trans>Identificação da conta</Trans>}
        hint={<Trans>Logo abaixo dela: “Identificação da conta do WhatsApp Business”.</Trans>}
        required
        error={errors.accountId?.message}
      >
        <Input inputMode="numeric" autoComplete="off" className="tabular-nums" {...register('accountId')} />
      </Field>
      <Field
        label={<Trans>Versão da API</Trans>}
        hint={<Trans>Cada uma vale cerca de dois anos. Deixe como está, se a Meta não pedir outra.</Trans>}
        required
        error={errors.version?.message}
      >
        <Input autoComplete="off" className="max-w-32 tabular-nums" {...register('version')} />
      </Field>
      <Field
        label={<Trans>Usado também no WhatsApp Business</Trans>}
        hint={<Trans>O que for escrito no celular aparece aqui também (coexistência).</Trans>}
        inline
      >
        <SwitchField control={control} name="coexistence" />
      </Field>
    </>
  )
}

/** What opens it. `isKnown`: the server keeps them; they can be replaced, not read. */
export function KeyFields<Form extends OfficialForm>({
  form,
  isKnown = false,
}: {
  form: UseFormReturn<Form>
  isKnown?: boolean
}) {
  const { control, formState } = form as unknown as UseFormReturn<OfficialForm>
  const { errors } = formState
  const secret = (name: 'token' | 'appSecret' | 'verifyToken', label: ReactNode, hint: ReactNode, visible = false) => (
    <Field label={label} hint={hint} required={!isKnown} error={errors[name]?.message}>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, onChange, onBlur, ref } }) => (
          <SecretInput {...{ value, onChange, onBlur, ref, visible }} wasKept={isKnown && value !== MASK} />
        )}
      />
    </Field>
  )
  return (
    <>
      {secret(
        'token',
        <Trans>Token de acesso</Trans>,
        <Trans>
          De um usuário do sistema, sem prazo, com as permissões whatsapp_business_messaging e
          whatsapp_business_management.
        </Trans>,
      )}
      {secret(
        'appSecret',
        <Trans>Chave secreta do aplicativo</Trans>,
        <Trans>No painel da Meta, em Configurações do app, Básico. Com ela conferimos o que a Meta envia.</Trans>,
      )}
      {secret(
        'verifyToken',
        <Trans>Token de verificação</Trans>,
        <Trans>
          Qualquer palavra de oito letras ou mais. A mesma é informada à Meta, junto do endereço do webhook.
        </Trans>,
        true,
      )}
    </>
  )
}
