import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { BadgeCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { LoadingRows } from '../app/data-list.tsx'
import { daysLeft, dueDay } from '../app/due-date.ts'
import { errorText } from '../app/error-text.ts'
import { useFetched } from '../app/fetched.ts'
import { useNow } from '../app/now.ts'
import { dateText } from '../i18n/dates.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Page, PageCard } from '../ui/page.tsx'

interface Subscription {
  email: string
  /** `YYYY-MM-DD`, the last valid day; null never ends. */
  dueDate: string | null
  operatorEmail: string | null
}

/** How long the company may still work, and how it goes on. */
export default function SubscriptionScreen() {
  const { t, i18n } = useLingui()
  const { data, error, loading, reload } = useFetched<Subscription>('/subscription')
  const now = new Date(useNow())
  const [asked, setAsked] = useState(false)
  const how = useId()
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
              <Button aria-expanded={asked} aria-controls={how} onClick={() => setAsked((before) => !before)}>
                <BadgeCheck />
                <Trans>Assinar</Trans>
              </Button>
            </div>
            <div id={how} role="status">
              {asked && (
                <p className="rounded-md bg-info-soft px-3 py-2 text-sm text-info-soft-foreground">
                  {data.operatorEmail ? (
                    <Trans>
                      Para assinar ou renovar, escreva para{' '}
                      <a className="font-medium underline" href={`mailto:${data.operatorEmail}`}>
                        {data.operatorEmail}
                      </a>
                      . Assim que o pagamento for confirmado, a data acima muda.
                    </Trans>
                  ) : (
                    <Trans>
                      Para assinar ou renovar, fale com quem opera esta plataforma. Assim que o pagamento for
                      confirmado, a data acima muda.
                    </Trans>
                  )}
                </p>
              )}
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
