import { Trans, useLingui } from '@lingui/react/macro'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type ShippingState, shippingStates } from '../../schema/campaigns/campaigns.state.ts'
import { errorText } from '../session/error-text.ts'
import { dateText } from '../i18n/dates.ts'
import { phoneText } from '../kit/phone-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { PageCard } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { type CampaignReport, type Recipient, useRecipients } from './campaigns.queries.ts'
import { useEndWords, useReasonWords } from './campaigns.words.tsx'

const states: Record<
  ShippingState,
  { text: MessageDescriptor; tone: 'neutral' | 'info' | 'primary' | 'warning' | 'success' | 'destructive' }
> = {
  planned: { text: msg`Planejada`, tone: 'neutral' },
  skipped: { text: msg`Ficou de fora`, tone: 'warning' },
  sent: { text: msg`Enviada`, tone: 'info' },
  delivered: { text: msg`Entregue`, tone: 'success' },
  read: { text: msg`Lida`, tone: 'success' },
  replied: { text: msg`Respondida`, tone: 'primary' },
  failed: { text: msg`Falhou`, tone: 'destructive' },
  cancelled: { text: msg`Cancelada`, tone: 'neutral' },
}

/** Each person of a campaign: how far they are, why not, and the ticket of their answer. */
export function Recipients({ id, report }: { id: number; report: CampaignReport }) {
  const { t, i18n } = useLingui()
  const reasonWords = useReasonWords()
  const [state, setState] = useState<ShippingState | 'all'>('all')
  const [reason, setReason] = useState('all')
  const [cursors, setCursors] = useState<number[]>([])
  const cursor = cursors.at(-1)
  const { data, error, loading, reload } = useRecipients(id, {
    ...(state !== 'all' && { state }),
    ...(reason !== 'all' && { reason }),
    ...(cursor !== undefined && { cursor }),
  })
  // Who stands there is as far as the figures above say.
  const latestReport = useRef(report)
  useEffect(() => {
    if (latestReport.current === report) return
    latestReport.current = report
    reload()
  }, [report, reload])
  const endWords = useEndWords()
  const reasons = [...new Set(report.failures.flatMap((one) => one.reason ?? []))]
  return (
    <section aria-label={t`Pessoas da campanha`}>
      <div className="mb-2 flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-sm font-semibold">
          <Trans>Pessoas</Trans>
        </h2>
        <div className="flex flex-wrap gap-3">
          <Field label={<Trans>Situação</Trans>} className="w-44">
            <Select<ShippingState | 'all'>
              value={state}
              onChange={(next) => {
                setState(next)
                setCursors([])
              }}
              options={[
                { value: 'all', label: t`Todas` },
                ...shippingStates.map((value) => ({ value, label: i18n._(states[value].text) })),
              ]}
            />
          </Field>
          {reasons.length > 0 && (
            <Field label={<Trans>Motivo</Trans>} className="w-56">
              <Select
                value={reason}
                onChange={(next) => {
                  setReason(next)
                  setCursors([])
                }}
                options={[
                  { value: 'all', label: t`Todos` },
                  ...reasons.map((value) => ({ value, label: reasonWords(value) })),
                ]}
              />
            </Field>
          )}
        </div>
      </div>
      <PageCard>
        {error && !data && !loading ? (
          <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
        ) : !data ? (
          <LoadingBlock className="m-4 h-40" />
        ) : data.records.length === 0 ? (
          <EmptyState icon={SearchX} title={<Trans>Ninguém aqui</Trans>}>
            {state !== 'all' || reason !== 'all' ? (
              <Trans>Ninguém desta campanha está assim.</Trans>
            ) : report.endReason ? (
              endWords(report.endReason)
            ) : (
              <Trans>As pessoas aparecem quando a campanha começa.</Trans>
            )}
          </EmptyState>
        ) : (
          <ul aria-label={t`Pessoas da campanha`}>
            {data.records.map((person) => (
              <Person key={person.id} person={person} />
            ))}
          </ul>
        )}
      </PageCard>
      {(cursors.length > 0 || data?.nextCursor != null) && (
        <div className="mt-2 flex justify-between">
          <Button variant="outline" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            <Trans>Anteriores</Trans>
          </Button>
          <Button
            variant="outline"
            disabled={data?.nextCursor == null}
            onClick={() => data?.nextCursor != null && setCursors([...cursors, data.nextCursor])}
          >
            <Trans>Próximas</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}

function Person({ person }: { person: Recipient }) {
  const { t, i18n } = useLingui()
  const reasonWords = useReasonWords()
  const { name, number, state, reason, body, ticket } = person
  const last = person.repliedAt ?? person.readAt ?? person.deliveredAt ?? person.sentAt
  const { text, tone } = states[state]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2.5 text-sm last:border-b-0">
      <span className="flex min-w-0 flex-1 basis-52 flex-col">
        <span className="truncate font-medium">{name || phoneText(number) || t`Contato sem nome`}</span>
        <span className="text-xs text-muted-foreground tabular-nums">{phoneText(number)}</span>
      </span>
      {body && <span className="hidden min-w-0 flex-1 truncate text-muted-foreground lg:block">{body}</span>}
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{i18n._(text)}</Badge>
        {reason && <span className="text-xs text-muted-foreground">{reasonWords(reason)}</span>}
        {person.optedOutAt && (
          <Badge tone="outline">
            <Trans>Descadastrou-se</Trans>
          </Badge>
        )}
      </span>
      <span className="text-xs text-muted-foreground tabular-nums sm:w-28 sm:text-right">
        {last && dateText(i18n.locale, new Date(last), 'dayMonth', 'clock')}
      </span>
      {ticket ? (
        <Button variant="outline" size="sm" asChild>
          <Link
            to="/tickets/$uuid"
            params={{ uuid: ticket.uuid }}
            aria-label={t`#${ticket.id}, atendimento de ${name}`}
          >
            #{ticket.id}
          </Link>
        </Button>
      ) : (
        <span className="hidden w-14 sm:block" />
      )}
    </li>
  )
}
