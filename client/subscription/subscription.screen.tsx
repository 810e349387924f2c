import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { BadgeCheck } from 'lucide-react'
import { daysBetween } from '../../schema/invoices/invoices.due.ts'
import { LoadingRows } from '../app/data-list.tsx'
import { useToday } from '../app/company-day.ts'
import { dueDay } from '../app/due-date.ts'
import { errorText } from '../app/error-text.ts'
import { dateText } from '../i18n/dates.ts'
import { useSubscription } from '../invoices/invoices.queries.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
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
        <Card className="max-w-xl" aria-label={t`Assinatura`}>
          <CardHeader
            title={<DaysLeft dueDate={data.dueDate} today={today} />}
            description={
              data.dueDate && <Trans>Último dia: {dateText(i18n.locale, dueDay(data.dueDate), 'fullDate')}</Trans>
            }
          />
          <CardBody className="flex flex-col gap-4">
            <Field label={<Trans>E-mail de cobrança</Trans>}>
              <Input readOnly value={data.email} />
            </Field>
            <div>
              <Button asChild>
                <Link to="/financeiro">
                  <BadgeCheck />
                  <Trans>Assinar</Trans>
                </Link>
              </Button>
            </div>
          </CardBody>
        </Card>
      )}
    </Page>
  )
}

function DaysLeft({ dueDate, today }: { dueDate: string | null; today: string }) {
  if (dueDate === null) return <Trans>Sem data de vencimento</Trans>
  const days = daysBetween(today, dueDate)
  if (days < 0) return <Trans>A assinatura venceu</Trans>
  if (days === 0) return <Trans>Hoje é o último dia</Trans>
  return <Plural value={days} one="Falta # dia" other="Faltam # dias" />
}
