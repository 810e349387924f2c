import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Controller, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import {
  type accountSecrets,
  addressOf,
  fieldsOf,
  neededOf,
  paymentAccountInput,
  pemPairOf,
  pixKeyOf,
} from '../../schema/invoices/invoices.inputs.ts'
import type { PaymentAccountInput } from '../../schema/invoices/invoices.inputs.ts'
import { paymentProviders } from '../../schema/invoices/invoices.table.ts'
import type { PaymentProviderName } from '../../schema/invoices/invoices.table.ts'
import { MASK } from '../../schema/secrets.ts'
import { ApiError } from '../session/api.ts'
import { useProductName } from '../session/branding.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { LoadingRows } from '../kit/data-list.tsx'
import { errorText } from '../session/error-text.ts'
import { SelectField } from '../kit/form-fields.tsx'
import { NeedsNetwork, schemaResolver } from '../kit/form.tsx'
import { SecretInput } from '../kit/secret-input.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PageCard } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { paymentErrorAnswer, paymentErrorText } from './invoices.failure.ts'
import { type PaymentAccount, savePaymentAccount, usePaymentAccount } from './invoices.queries.ts'
import { usePaymentAccountWords } from './invoices.words.ts'

/** How companies pay the operator. */
export function PaymentSettings() {
  const { t } = useLingui()
  const { data, error, loading, reload } = usePaymentAccount()
  if (data) return <AccountForm key={JSON.stringify(data)} account={data} onSaved={reload} />
  if (error && !loading)
    return (
      <PageCard>
        <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
      </PageCard>
    )
  return <LoadingRows label={t`Pagamentos`} />
}

type Form = PaymentAccountInput
type Name = keyof Form

function AccountForm({ account, onSaved }: { account: PaymentAccount; onSaved: () => void }) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  /** What no field is about, and what the service said of any. */
  const [problem, setProblem] = useState<{ text: string | null; answer: ReturnType<typeof paymentErrorAnswer> } | null>(
    null,
  )
  const { isSet: _isSet, webhook, ...stored } = account
  const rules = schemaResolver<Form>(paymentAccountInput)
  /** What is wrong with a field, whoever finds it. */
  const words: Partial<Record<Name, string>> = {
    pixKey: t`Use um CPF, CNPJ, e-mail, telefone com +55 ou chave aleatória`,
    efiCertificate: t`Cole o certificado e a chave dele, os dois em PEM`,
    efiBaseUrl: t`Use um endereço que comece com https://`,
    asaasBaseUrl: t`Use um endereço que comece com https://`,
  }
  /** What of the chosen service's fields is wrong. */
  const wrongOf = (values: Form): Partial<Record<Name, string>> => {
    const found: Partial<Record<Name, string>> = {}
    const { provider, pixKey, efiCertificate } = values
    if (provider !== 'asaas' && !pixKeyOf(pixKey)) found.pixKey = words.pixKey!
    if (provider === 'efi' && efiCertificate !== MASK && !pemPairOf(efiCertificate))
      found.efiCertificate = words.efiCertificate!
    if (provider !== 'pix') {
      const { base, keys } = addressOf[provider]
      const address = values[base].trim()
      if (address !== '' && !/^https?:\/\/./.test(address)) found[base] = words[base]!
      if (address !== stored[base])
        for (const key of keys) if (values[key] === MASK) found[key] = t`Informe de novo: o endereço mudou`
    }
    for (const name of neededOf[provider]) if (values[name].trim() === '') found[name] = t`Obrigatório`
    return found
  }
  const form = useForm<Form>({
    defaultValues: stored,
    resolver: async (values, context, options) => {
      // What another service uses is neither looked at nor sent.
      const used: readonly Name[] = fieldsOf[values.provider]
      const own = {
        ...stored,
        provider: values.provider,
        ...Object.fromEntries(used.map((name) => [name, values[name]])),
      }
      const found = await rules(own, context, options)
      const wrong = Object.entries(wrongOf(own)).map(([name, message]) => [name, { type: 'wrong', message }])
      const errors = { ...found.errors, ...(Object.fromEntries(wrong) as object) }
      return Object.keys(errors).length === 0 ? found : { values: {}, errors }
    },
  })
  const { errors, isSubmitting } = form.formState
  const labels = usePaymentAccountWords()
  const product = useProductName()
  const provider = useWatch({ control: form.control, name: 'provider' })
  const names: Record<PaymentProviderName, string> = {
    pix: t`Chave Pix própria, com confirmação manual`,
    efi: t`Efí, com confirmação automática`,
    asaas: t`Asaas, com confirmação automática`,
  }
  const hints: Record<PaymentProviderName, ReactNode> = {
    pix: <Trans>{product} gera o QR. Quando o dinheiro chega, marque a fatura como paga em Empresas.</Trans>,
    efi: <Trans>Cada fatura ganha um Pix próprio, que expira em uma hora e confirma sozinho.</Trans>,
    asaas: <Trans>Cada fatura vira uma cobrança Pix no Asaas, que pede o CPF ou CNPJ de quem paga.</Trans>,
  }
  const submit = form.handleSubmit(async (values) => {
    setProblem(null)
    try {
      const { isTold } = await savePaymentAccount(values)
      toast.success(isTold ? t`Pagamentos salvos; o serviço já sabe onde avisar` : t`Pagamentos salvos`)
      onSaved()
    } catch (error) {
      const refusal = error instanceof ApiError ? error : undefined
      const { field, fields, why } = refusal?.params ?? {}
      const about = (refusal?.code === 'ERR_PAYMENT_FIELD' ? [field] : Array.isArray(fields) ? fields : []) as Name[]
      for (const [index, name] of about.entries())
        form.setError(name, { message: refusalText(name, why) }, { shouldFocus: index === 0 })
      const detail = paymentErrorAnswer(error)
      const text = about.length === 0 ? paymentErrorText(error, 'operator') : null
      if (text || detail) setProblem({ text, answer: detail })
    }
  })
  /** What a service says of a field, or the server. */
  const refusalText = (name: Name, why: unknown): string => {
    if (why === 'credentials')
      return name === 'asaasKey' ? t`O serviço não aceita esta chave` : t`O serviço não aceita estas credenciais`
    if (why === 'unreachable' || why === 'unreadable') return t`Não houve resposta válida deste endereço`
    if (why === 'untrusted') return t`O certificado deste endereço não é de confiança`
    if (why === 'certificate')
      return t`O serviço desligou ao ver o certificado: confira se é desta conta e se não venceu`
    if (why === 'refused') return t`O serviço não aceita esta chave Pix`
    return words[name] ?? t`Valor inválido`
  }
  const text = (name: Name, extra: { hint?: ReactNode; placeholder?: string } = {}) => (
    <Field
      label={labels[name]}
      required={(neededOf[provider] as readonly Name[]).includes(name)}
      hint={extra.hint}
      error={errors[name]?.message}
    >
      <Input autoComplete="off" spellCheck={false} placeholder={extra.placeholder} {...form.register(name)} />
    </Field>
  )
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title={<Trans>Pagamentos</Trans>}
        description={<Trans>Como as empresas pagam as faturas desta plataforma.</Trans>}
      />
      <CardBody>
        <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
          <Field label={labels.provider} hint={hints[provider]}>
            <SelectField
              control={form.control}
              name="provider"
              options={paymentProviders.map((name) => ({ value: name, label: names[name] }))}
            />
          </Field>
          {provider !== 'asaas' &&
            text('pixKey', {
              hint: <Trans>CPF, CNPJ, e-mail, telefone com +55 ou chave aleatória.</Trans>,
            })}
          {provider === 'pix' && (
            <div className="grid gap-4 sm:grid-cols-2">
              {text('pixName', {
                hint: <Trans>Até 25 letras aparecem no banco de quem paga.</Trans>,
              })}
              {text('pixCity')}
            </div>
          )}
          {provider === 'efi' && (
            <>
              {text('efiClientId')}
              <Secret form={form} name="efiClientSecret" account={account} />
              <Secret
                form={form}
                name="efiCertificate"
                account={account}
                multiline
                hint={
                  <Trans>
                    O certificado P12 da Efí vira PEM com: openssl pkcs12 -in certificado.p12 -out certificado.pem
                    -nodes
                  </Trans>
                }
              />
              {text('efiBaseUrl', {
                placeholder: 'https://pix.api.efipay.com.br',
                hint: <Trans>Em branco, o de produção. Quem troca o endereço informa as chaves de novo.</Trans>,
              })}
            </>
          )}
          {provider === 'asaas' && (
            <>
              <Secret form={form} name="asaasKey" account={account} />
              {text('asaasBaseUrl', {
                placeholder: 'https://api.asaas.com/v3',
                hint: <Trans>Em branco, o de produção. Quem troca o endereço informa as chaves de novo.</Trans>,
              })}
            </>
          )}
          {webhook && provider === stored.provider && <Webhook {...webhook} />}
          {problem && (
            <div
              role="alert"
              className="flex flex-col gap-1 rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive-soft-foreground"
            >
              {problem.text && <p>{problem.text}</p>}
              {problem.answer && (
                <p className="text-xs">
                  {problem.answer.label}: <code className="wrap-anywhere">{problem.answer.words}</code>
                </p>
              )}
            </div>
          )}
          {offline && <NeedsNetwork />}
          <div>
            <Button type="submit" busy={isSubmitting} disabled={offline}>
              <Trans>Salvar</Trans>
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  )
}

function Secret({
  form,
  name,
  account,
  hint,
  multiline = false,
}: {
  form: UseFormReturn<Form>
  name: (typeof accountSecrets)[number]
  account: PaymentAccount
  hint?: ReactNode
  multiline?: boolean
}) {
  const label = usePaymentAccountWords()[name]
  return (
    <Field label={label} required hint={hint} error={form.formState.errors[name]?.message}>
      <Controller
        control={form.control}
        name={name}
        render={({ field: { value, onChange, onBlur, ref } }) => (
          <SecretInput
            ref={ref}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            wasKept={account[name] !== ''}
            multiline={multiline}
          />
        )}
      />
    </Field>
  )
}

/** Where the service calls us; Efí is told of it, Asaas has a form for it. */
function Webhook({ url, token }: { url: string; token?: string }) {
  const { t } = useLingui()
  const product = useProductName()
  return (
    <div className="flex flex-col gap-3 rounded-lg border p-3">
      <p className="text-xs text-muted-foreground">
        {token === undefined ? (
          <Trans>
            A Efí avisa neste endereço, que é registrado ao salvar. Sem aviso, {product} pergunta por conta própria.
          </Trans>
        ) : (
          <Trans>
            No Asaas, em Integrações, crie um webhook de cobranças com este endereço e este token. Sem aviso, {product}{' '}
            pergunta por conta própria.
          </Trans>
        )}
      </p>
      {[
        { label: t`Endereço do webhook`, value: url },
        ...(token === undefined ? [] : [{ label: t`Token de autenticação`, value: token }]),
      ].map(({ label, value }) => (
        <Field key={label} label={label}>
          <div className="flex gap-2">
            <Input readOnly value={value} className="font-mono sm:text-xs" />
            <CopyButton text={value} size="md" aria-label={t`Copiar: ${label}`}>
              <Trans>Copiar</Trans>
            </CopyButton>
          </div>
        </Field>
      ))}
    </div>
  )
}
