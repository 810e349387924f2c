import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { BadgeCheck } from 'lucide-react'
import { LoadingRows } from '../app/data-list.tsx'
import { daysLeft, dueDay } from '../app/due-date.ts'
import { errorText } from '../app/error-text.ts'
import { useNow } from '../app/now.ts'
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
  const now = new Date(useNow())
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
            title={<DaysLeft dueDate={data.dueDate} now={now} />}
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

function DaysLeft({ dueDate, now }: { dueDate: string | null; now: Date }) {
  if (dueDate === null) return <Trans>Sem data de vencimento</Trans>
  const days = daysLeft(dueDate, now)
  if (days < 0) return <Trans>A assinatura venceu</Trans>
  if (days === 0) return <Trans>Hoje é o último dia</Trans>
  return <Plural value={days} one="Falta # dia" other="Faltam # dias" />
}
