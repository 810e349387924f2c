import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Check, Mail } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { documentOf } from '../../schema/documents.ts'
import { payerCountries, payerInput } from '../../schema/invoices/invoices.inputs.ts'
import type { PayerInput } from '../../schema/invoices/invoices.inputs.ts'
import { useProductName } from '../session/branding.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { LoadingRows } from '../kit/data-list.tsx'
import { dueDay } from '../base/due-date.ts'
import { errorText } from '../session/error-text.ts'
import { SelectField } from '../kit/form-fields.tsx'
import { NeedsNetwork, schemaResolver } from '../kit/form.tsx'
import { dateText } from '../i18n/dates.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Dialog, DialogBody, DialogContent, DialogFooter, DialogProblem } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toaster.tsx'
import { useMoney } from './invoices.words.ts'
import { paymentErrorText } from './invoices.failure.ts'
import { PixStep } from './invoices.pix.tsx'
import { type Charge, type Invoice, invoices, type Subscription, useSubscription } from './invoices.queries.ts'

type Step = 'payer' | 'review'
const steps: readonly Step[] = ['payer', 'review']

/** Pays an invoice: who pays, a last look at what for; then the Pix. */
export function CheckoutDialog({
  invoice,
  onClose,
  onPaid,
}: {
  invoice: Invoice
  onClose: () => void
  /** Hears until when the company may work now. */
  onPaid: (dueDate: string) => void
}) {
  const { t } = useLingui()
  const { data, error, loading, reload } = useSubscription()
  // What was read when the dialog opened: reading it again must not begin the form anew.
  const [first, setFirst] = useState<Subscription | null>(null)
  if (data && !first && !loading) setFirst(data)
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={t`Pagar a fatura ${invoice.id}`}
        size="lg"
        onInteractOutside={(event) => event.preventDefault()}
      >
        {first ? (
          <Checkout invoice={invoice} subscription={first} onClose={onClose} onPaid={onPaid} />
        ) : (
          <DialogBody>
            {error && !loading ? (
              <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
            ) : (
              <LoadingRows label={t`Assinatura`} />
            )}
          </DialogBody>
        )}
      </DialogContent>
    </Dialog>
  )
}

function Checkout({
  invoice,
  subscription,
  onClose,
  onPaid,
}: {
  invoice: Invoice
  subscription: Subscription
  onClose: () => void
  onPaid: (dueDate: string) => void
}) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const [step, setStep] = useState<Step>('payer')
  const [charge, setCharge] = useState<Charge | null>(null)
  const form = useForm<PayerInput>({
    defaultValues: { ...subscription.payer, document: documentOf(subscription.payer.document)?.punctuated ?? '' },
    resolver: usePayerRules(subscription.asksDocument),
  })
  const { errors, isSubmitting, isValid } = form.formState

  const ask = async (payer: PayerInput) => {
    try {
      setCharge(await invoices.pay(invoice.id, payer))
      return true
    } catch (failure) {
      form.setError('root', { message: paymentErrorText(failure, 'payer') })
      return false
    }
  }
  const pay = form.handleSubmit(
    async (payer) => {
      if (await ask(payer)) toast.success(t`Assinatura realizada com sucesso!, aguardando a realização do pagamento`)
    },
    (wrong) => {
      setStep('payer')
      const [field] = Object.keys(wrong) as (keyof PayerInput)[]
      if (field) setTimeout(() => form.setFocus(field))
    },
  )
  if (charge)
    return (
      <PixStep
        invoice={invoice}
        charge={charge}
        onRenew={() => ask(form.getValues())}
        problem={errors.root?.message}
        onClose={onClose}
        onPaid={onPaid}
      />
    )
  if (subscription.provider === null) return <NoProvider operatorEmail={subscription.operatorEmail} />

  const at = steps.indexOf(step)
  const next = steps[at + 1]
  const before = steps[at - 1]
  return (
    <form
      noValidate
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (next) setStep(next)
        else void pay()
      }}
    >
      <DialogBody className="flex flex-col gap-5">
        <Stepper
          step={step}
          wrong={Object.keys(errors).some((name) => name !== 'root')}
          isFilled={isValid}
          onGo={setStep}
        />
        {step === 'payer' && <PayerStep form={form} asksDocument={subscription.asksDocument} />}
        {step === 'review' && <ReviewStep invoice={invoice} plan={subscription.plan} payer={form.getValues()} />}
      </DialogBody>
      {errors.root?.message && <DialogProblem>{errors.root.message}</DialogProblem>}
      {offline && <NeedsNetwork className="mx-5 mb-3" />}
      <DialogFooter>
        {before ? (
          <Button variant="outline" disabled={isSubmitting} onClick={() => setStep(before)}>
            <Trans>Voltar</Trans>
          </Button>
        ) : (
          <Button variant="outline" onClick={onClose}>
            <Trans>Cancelar</Trans>
          </Button>
        )}
        {/* Two buttons with keys of their own: one that changed under a double click would pay. */}
        {next ? (
          <Button key="next" type="submit">
            <Trans>Próximo</Trans>
          </Button>
        ) : (
          <Button key="pay" type="submit" busy={isSubmitting} disabled={offline}>
            <Trans>PAGAR</Trans>
          </Button>
        )}
      </DialogFooter>
    </form>
  )
}

/** The rules of `schema/`, in the checkout's own words. */
function usePayerRules(asksDocument: boolean): Resolver<PayerInput> {
  const { t } = useLingui()
  const required: Partial<Record<keyof PayerInput, string>> = {
    firstName: t`O nome completo é obrigatório`,
    address2: t`O Endereço é obrigatório`,
    city: t`Cidade é obrigatória`,
    zipcode: t`CEP é obrigatório`,
    country: t`País é obrigatório`,
  }
  const rules = schemaResolver<PayerInput>(payerInput)
  return async (values, context, options) => {
    const found = await rules(values, context, options)
    const errors: Record<string, { type: string; message?: string }> = { ...(found.errors as object) }
    for (const [field, message] of Object.entries(required))
      if (errors[field]?.type === 'required') errors[field] = { ...errors[field], message }
    const { document } = values
    if (document.trim() === '' ? asksDocument : !documentOf(document))
      errors['document'] = {
        type: 'format',
        message: document.trim() === '' ? t`Informe o CPF ou CNPJ de quem paga` : t`CPF ou CNPJ inválido`,
      }
    if (Object.keys(errors).length === 0) return found
    return { values: {}, errors: errors as never }
  }
}

function Stepper({
  step,
  wrong,
  isFilled,
  onGo,
}: {
  step: Step
  wrong: boolean
  /** Whether all is said of who pays. */
  isFilled: boolean
  onGo: (step: Step) => void
}) {
  const { t } = useLingui()
  const words: Record<Step, string> = { payer: t`Dados`, review: t`Revisar` }
  const at = steps.indexOf(step)
  return (
    <ol aria-label={t`Etapas do pagamento`} className="flex items-center gap-1">
      {steps.map((name, index) => (
        <li key={name} className="flex min-w-0 flex-1 items-center gap-1 last:flex-none">
          <button
            type="button"
            aria-current={name === step ? 'step' : undefined}
            onClick={() => onGo(name)}
            className={cn(
              'focus-ring flex items-center gap-2 rounded-md px-1.5 py-1 text-sm touch:min-h-11',
              name === step ? 'font-medium text-foreground' : 'text-muted-foreground hover:text-foreground',
            )}
          >
            <span
              aria-hidden="true"
              className={cn(
                'flex size-6 shrink-0 items-center justify-center rounded-full text-xs tabular-nums',
                name === 'payer' && wrong
                  ? 'bg-destructive-soft text-destructive-soft-foreground'
                  : name === step
                    ? 'bg-primary text-primary-foreground'
                    : 'bg-secondary text-secondary-foreground',
              )}
            >
              {index < at && (name !== 'payer' || (isFilled && !wrong)) ? <Check className="size-3.5" /> : index + 1}
            </span>
            {words[name]}
          </button>
          {index < steps.length - 1 && <span aria-hidden="true" className="h-px min-w-2 flex-1 bg-border" />}
        </li>
      ))}
    </ol>
  )
}

function PayerStep({ form, asksDocument }: { form: ReturnType<typeof useForm<PayerInput>>; asksDocument: boolean }) {
  const { t } = useLingui()
  const {
    register,
    control,
    formState: { errors },
  } = form
  const countries: Record<(typeof payerCountries)[number], string> = { BR: t`Brasil`, usa: t`Estados Unidos` }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={<Trans>Nome completo</Trans>} required error={errors.firstName?.message}>
        <Input autoComplete="name" {...register('firstName')} />
      </Field>
      <Field label={<Trans>CPF ou CNPJ</Trans>} required={asksDocument} error={errors.document?.message}>
        <Input autoComplete="off" {...register('document')} />
      </Field>
      <Field label={<Trans>Endereço</Trans>} required error={errors.address2?.message} className="sm:col-span-2">
        <Input autoComplete="street-address" {...register('address2')} />
      </Field>
      <Field label={<Trans>Bairro</Trans>} error={errors.district?.message}>
        <Input autoComplete="address-level3" {...register('district')} />
      </Field>
      <Field label={<Trans>Cidade</Trans>} required error={errors.city?.message}>
        <Input autoComplete="address-level2" {...register('city')} />
      </Field>
      <Field label={<Trans>Estado</Trans>} error={errors.state?.message}>
        <Input autoComplete="address-level1" {...register('state')} />
      </Field>
      <Field label={<Trans>CEP</Trans>} required error={errors.zipcode?.message}>
        <Input autoComplete="postal-code" {...register('zipcode')} />
      </Field>
      <Field label={<Trans>País</Trans>} required error={errors.country?.message}>
        <SelectField
          control={control}
          name="country"
          options={payerCountries.map((country) => ({ value: country, label: countries[country] }))}
        />
      </Field>
    </div>
  )
}

/** The plan is the company's, and the price the invoice's: there is nothing to choose. */
function ReviewStep({ invoice, plan, payer }: { invoice: Invoice; plan: Subscription['plan']; payer: PayerInput }) {
  const { i18n } = useLingui()
  const money = useMoney()
  const place = [payer.address2, payer.district, payer.city, payer.state, payer.zipcode]
    .filter((part) => part.trim() !== '')
    .join(', ')
  return (
    <dl className="divide-y rounded-xl border">
      <Line label={<Trans>Plano</Trans>}>
        {invoice.detail}
        {plan && (
          <span className="block text-muted-foreground tabular-nums">
            <Plural value={plan.users} one="# usuário" other="# usuários" />
            {' · '}
            <Plural value={plan.connections} one="# conexão" other="# conexões" />
            {' · '}
            <Plural value={plan.queues} one="# fila" other="# filas" />
          </span>
        )}
      </Line>
      <Line label={<Trans>Vencimento</Trans>}>{dateText(i18n.locale, dueDay(invoice.dueDate), 'fullDate')}</Line>
      <Line label={<Trans>Quem paga</Trans>}>
        {payer.firstName.trim() || '—'}
        {payer.document && <span className="block text-muted-foreground tabular-nums">{payer.document}</span>}
      </Line>
      <Line label={<Trans>Endereço</Trans>}>{place || '—'}</Line>
      <Line label={<Trans>Pagamento</Trans>}>Pix</Line>
      <Line label={<Trans>Total</Trans>}>
        <span className="text-base font-semibold tabular-nums">{money(invoice.value)}</span>{' '}
        <span className="text-xs text-muted-foreground">
          <Plural value={invoice.months} one="por # mês" other="por # meses" />
        </span>
      </Line>
    </dl>
  )
}

function Line({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="flex gap-4 px-4 py-2.5 text-sm">
      <dt className="w-28 shrink-0 text-muted-foreground">{label}</dt>
      <dd className="min-w-0 flex-1 break-words">{children}</dd>
    </div>
  )
}

function NoProvider({ operatorEmail }: { operatorEmail: string | null }) {
  const product = useProductName()
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => root.current?.focus(), [])
  return (
    <DialogBody>
      <div
        ref={root}
        tabIndex={-1}
        className="flex items-start gap-3 rounded-lg bg-info-soft px-4 py-3 text-sm text-info-soft-foreground outline-none"
      >
        <Mail aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <p>
          {operatorEmail ? (
            <Trans>
              O pagamento em {product} ainda não foi configurado. Escreva para{' '}
              <a className="font-medium underline" href={`mailto:${operatorEmail}`}>
                {operatorEmail}
              </a>
              ; assim que o pagamento for confirmado, a fatura muda aqui.
            </Trans>
          ) : (
            <Trans>
              O pagamento em {product} ainda não foi configurado. Fale com quem opera a plataforma; assim que o
              pagamento for confirmado, a fatura muda aqui.
            </Trans>
          )}
        </p>
      </div>
    </DialogBody>
  )
}
