import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { BadgeCheck, Check, Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { daysBetween } from '../../schema/invoices/invoices.due.ts'
import { LoadingRows } from '../kit/data-list.tsx'
import { useToday } from '../session/company-day.ts'
import { dueDay } from '../base/due-date.ts'
import { errorText } from '../session/error-text.ts'
import { useUser } from '../session/session.tsx'
import { dateText } from '../i18n/dates.ts'
import { type HeldPlan, type Subscription, useSubscription } from '../invoices/invoices.queries.ts'
import { useMoney } from '../invoices/invoices.words.ts'
import { useFeatureNames } from '../plans/plans.words.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { cn } from '../ui/cn.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Page, PageCard } from '../ui/page.tsx'

/** How long the company may still work, and how it goes on. */
export default function SubscriptionScreen() {
  const { t, i18n } = useLingui()
  const { data, error, loading, reload } = useSubscription()
  const today = useToday()
  return (
    <Page title={t`Assinatura`}>
      {!data ? (
        error && !loading ? (
          <PageCard>
            <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
          </PageCard>
        ) : (
          <LoadingRows label={t`Assinatura`} />
        )
      ) : (
        <div className="flex max-w-xl flex-col gap-4">
          <Card aria-label={t`Assinatura`}>
            <CardHeader
              title={<DaysLeft dueDate={data.dueDate} onTrial={data.onTrial} today={today} />}
              description={
                data.dueDate && <Trans>Último dia: {dateText(i18n.locale, dueDay(data.dueDate), 'fullDate')}</Trans>
              }
            />
            <CardBody className="flex flex-col gap-4">
              {data.plan && <Plan plan={data.plan} used={data.used} />}
              <Field label={<Trans>E-mail de cobrança</Trans>}>
                <Input readOnly value={data.email} />
              </Field>
              <div>
                {data.openInvoices > 0 ? (
                  <Button asChild>
                    <Link to="/financeiro">
                      <BadgeCheck />
                      <Trans>Assinar</Trans>
                    </Link>
                  </Button>
                ) : (
                  <Button asChild variant="outline">
                    <Link to="/financeiro">
                      <Trans>Ver faturas</Trans>
                    </Link>
                  </Button>
                )}
              </div>
              {data.openInvoices === 0 && (
                <p className="text-sm text-muted-foreground">
                  <Trans>Não há nada a pagar agora.</Trans>
                </p>
              )}
            </CardBody>
          </Card>
          <OtherPlans subscription={data} />
        </div>
      )}
    </Page>
  )
}

/** The operator changes the plan: which there are, and whom to write to. */
function OtherPlans({ subscription: { offered, operatorEmail } }: { subscription: Subscription }) {
  const { t } = useLingui()
  const { company } = useUser()
  if (offered.length === 0 && !operatorEmail) return null
  const mailAbout = (subject: string) => `mailto:${operatorEmail}?subject=${encodeURIComponent(subject)}`
  return (
    <Card aria-label={t`Mudar de plano`}>
      <CardHeader
        title={<Trans>Mudar de plano</Trans>}
        description={<Trans>Quem opera a plataforma faz a mudança; a próxima fatura já vem com o novo valor.</Trans>}
      />
      <CardBody className="flex flex-col gap-4">
        {offered.map((plan) => {
          const { name } = plan
          const companyName = company.name
          return (
            <Plan key={plan.id} plan={plan}>
              {operatorEmail && (
                <Button asChild variant="outline" size="sm" className="self-start">
                  <a href={mailAbout(t`Mudar ${companyName} para o plano ${name}`)}>
                    <Mail />
                    <Trans>Pedir este plano</Trans>
                  </a>
                </Button>
              )}
            </Plan>
          )
        })}
        {operatorEmail && (
          <p className="text-sm text-muted-foreground">
            <Trans>
              Dúvidas sobre a assinatura:{' '}
              <a
                className="focus-ring rounded-sm font-medium text-foreground underline"
                href={`mailto:${operatorEmail}`}
              >
                {operatorEmail}
              </a>
            </Trans>
          </p>
        )}
      </CardBody>
    </Card>
  )
}

/** What a plan costs, what it counts, how much of that is used where it is the company's, and what it may do. */
function Plan({
  plan,
  used,
  children,
}: {
  plan: HeldPlan
  /** Of the company's own. */
  used?: Subscription['used']
  children?: ReactNode
}) {
  const { t, i18n } = useLingui()
  const money = useMoney()
  const names = useFeatureNames()
  const counted = [
    { name: t`Usuários`, used: used?.users, of: plan.users },
    { name: t`Conexões`, used: used?.connections, of: plan.connections },
    { name: t`Filas`, used: used?.queues, of: plan.queues },
  ]
  return (
    <section aria-label={used ? t`Plano` : plan.name} className="flex flex-col gap-3 rounded-lg border p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 font-medium">
        <h3 className="min-w-0 wrap-anywhere">{plan.name}</h3>
        <p className="tabular-nums">
          {plan.price ? (
            <>
              {money(plan.price.value)}{' '}
              <span className="text-xs font-normal text-muted-foreground">
                <Plural value={plan.price.months} one="por mês" other="a cada # meses" />
              </span>
            </>
          ) : (
            <Trans>Grátis</Trans>
          )}
        </p>
      </div>
      <dl className="grid grid-cols-3 gap-3 text-sm">
        {counted.map(({ name, used, of }) => (
          <div key={name}>
            <dt className="text-xs text-muted-foreground">{name}</dt>
            <dd
              className={cn(
                'tabular-nums',
                used !== undefined && used >= of && 'font-medium text-warning-soft-foreground',
              )}
            >
              {used === undefined ? i18n.number(of) : t`${i18n.number(used)} de ${i18n.number(of)}`}
            </dd>
          </div>
        ))}
      </dl>
      {plan.features.length > 0 && (
        <ul aria-label={t`O plano inclui`} className="grid gap-x-3 gap-y-1 text-sm sm:grid-cols-2">
          {plan.features.map((feature) => (
            <li key={feature} className="flex items-start gap-2">
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-primary-soft-foreground" />
              {names[feature]}
            </li>
          ))}
        </ul>
      )}
      {children}
    </section>
  )
}

function DaysLeft({ dueDate, onTrial, today }: { dueDate: string | null; onTrial: boolean; today: string }) {
  if (dueDate === null) return <Trans>Sem data de vencimento</Trans>
  const days = daysBetween(today, dueDate)
  if (onTrial && days >= 0)
    return days === 0 ? (
      <Trans>Teste grátis: hoje é o último dia</Trans>
    ) : (
      <Plural value={days} one="Teste grátis: falta # dia" other="Teste grátis: faltam # dias" />
    )
  if (days < 0) return onTrial ? <Trans>O teste grátis terminou</Trans> : <Trans>A assinatura venceu</Trans>
  if (days === 0) return <Trans>Hoje é o último dia</Trans>
  return <Plural value={days} one="Falta # dia" other="Faltam # dias" />
}
