import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { onDemand } from '../base/late.tsx'
import type { ChosenBy } from '../../schema/automation/automation.decide.ts'
import type { SlaMetric } from '../../schema/sla-policies/sla.metrics.ts'
import { ticketTimeline, type EventRow } from '../messages/messages.rows.ts'
import { Button } from '../ui/button.tsx'
import { useUsers } from '../replica/directory.ts'
import { useSlaWords } from '../sla-policies/sla-policies.words.ts'
import { useRows } from '../replica/live-rows.ts'
import { dateText } from '../i18n/dates.ts'

const AssignedDialog = onDemand(() => import('../automation/automation.assigned.tsx'))

/** Whoever does these may say something with it. */
const speaks: ReadonlySet<EventRow['kind']> = new Set(['transferred', 'supervisor_called', 'snoozed', 'woken'])

/** What happened to a ticket, in one sentence, and what its sender said of it. `when` ends the sentence. */
export function EventWords({ event, when }: { event: EventRow; when?: ReactNode }) {
  const { note } = event.data
  const sentence = (
    <>
      <Sentence event={event} />
      {when}
      {event.kind === 'assigned' && <WhyAssigned event={event} />}
    </>
  )
  if (!speaks.has(event.kind) || typeof note !== 'string') return sentence
  return (
    <>
      {sentence}
      <q dir="auto" className="mt-0.5 block whitespace-pre-wrap text-foreground italic">
        {note}
      </q>
    </>
  )
}

function Sentence({ event }: { event: EventRow }) {
  const { t, i18n } = useLingui()
  const users = useUsers()
  const { metrics } = useSlaWords()
  const user = (event.userId === null ? undefined : users.byId.get(event.userId)?.name) ?? t`O sistema`
  // What a flow or a bot transfers is told as `to`.
  const { queue, connection, user: to = event.data['to'] } = event.data
  switch (event.kind) {
    case 'created':
      return event.userId === null ? (
        <Trans>O contato escreveu e o atendimento começou</Trans>
      ) : (
        <Trans>{user} iniciou o atendimento</Trans>
      )
    case 'accepted':
      return <Trans>{user} aceitou o atendimento</Trans>
    case 'returned':
      return <Trans>{user} devolveu o atendimento à fila</Trans>
    case 'resolved':
      return <Trans>{user} resolveu o atendimento</Trans>
    case 'reopened':
      return <Trans>{user} reabriu o atendimento</Trans>
    case 'macro': {
      const macro = String(event.data['macro'] ?? '')
      return (
        <Trans>
          {user} executou a macro {macro}
        </Trans>
      )
    }
    case 'rule': {
      const rule = String(event.data['rule'] ?? '')
      return <Trans>A regra {rule} agiu</Trans>
    }
    case 'undone':
      if (event.data['done'] === 'macro') {
        const macro = String(event.data['macro'] ?? '')
        return (
          <Trans>
            {user} desfez a macro {macro}
          </Trans>
        )
      }
      switch (event.data['done']) {
        case 'accepted':
          return <Trans>{user} desfez o aceite</Trans>
        case 'returned':
          return <Trans>{user} desfez a devolução</Trans>
        case 'snoozed':
          return <Trans>{user} desfez o adiamento</Trans>
        case 'transferred':
          return <Trans>{user} desfez a transferência</Trans>
        default:
          return <Trans>{user} desfez a resolução</Trans>
      }
    case 'transferred':
      if (typeof connection === 'string')
        return (
          <Trans>
            {user} continuou o atendimento pela conexão {connection}
          </Trans>
        )
      if (typeof event.data['policy'] === 'string') {
        const { policy } = event.data
        return (
          <Trans>
            O prazo passou, e a política {policy} levou o atendimento para a fila {queue}
          </Trans>
        )
      }
      if (to && queue)
        return (
          <Trans>
            {user} transferiu para {to}, fila {queue}
          </Trans>
        )
      if (to)
        return (
          <Trans>
            {user} transferiu para {to}
          </Trans>
        )
      if (queue)
        return (
          <Trans>
            {user} transferiu para a fila {queue}
          </Trans>
        )
      return <Trans>{user} transferiu o atendimento</Trans>
    case 'expired':
      return <Trans>O sistema resolveu o atendimento por falta de resposta</Trans>
    case 'reopened_by_contact':
      return <Trans>O contato voltou a escrever e o atendimento foi reaberto</Trans>
    case 'queued':
      return queue ? (
        <Trans>O sistema pôs o atendimento na fila {queue}, depois de esperar sem fila</Trans>
      ) : (
        <Trans>O sistema pôs o atendimento numa fila, depois de esperar sem fila</Trans>
      )
    case 'chosen':
      switch (event.data['by'] as ChosenBy | undefined) {
        case 'flow':
          return <Trans>Um fluxo pôs o atendimento na fila {queue}</Trans>
        case 'prompt':
          return <Trans>O assistente passou o atendimento para a fila {queue}</Trans>
        case 'integration':
          return <Trans>A integração passou o atendimento para a fila {queue}</Trans>
        case 'only':
          return <Trans>O sistema pôs o atendimento na fila {queue}, a única da conexão</Trans>
        case 'closed':
          return <Trans>O sistema tirou o atendimento da fila, que está fora do horário</Trans>
        case undefined:
      }
      return queue ? <Trans>O contato escolheu a fila {queue}</Trans> : <Trans>O contato voltou ao menu</Trans>
    case 'out_of_hours':
      return <Trans>O sistema avisou o contato de que está fora do horário de atendimento</Trans>
    case 'fields': {
      const fields = String(event.data['fields'] ?? '')
      return event.userId !== null ? (
        <Trans>
          {user} preencheu: {fields}
        </Trans>
      ) : (
        <Trans>O sistema preencheu: {fields}</Trans>
      )
    }
    case 'snoozed': {
      const { until } = event.data
      const at = typeof until === 'number' ? dateText(i18n.locale, until, 'date', 'time') : null
      return at === null ? (
        <Trans>{user} adiou o atendimento até o contato responder</Trans>
      ) : (
        <Trans>
          {user} adiou o atendimento até {at}
        </Trans>
      )
    }
    case 'woken':
      switch (event.data['by']) {
        case 'contact':
          return <Trans>O contato escreveu e o atendimento adiado voltou</Trans>
        case 'person':
          return <Trans>{user} reativou o atendimento adiado</Trans>
        default:
          return <Trans>O atendimento adiado voltou, na hora marcada</Trans>
      }
    case 'campaign_replied': {
      const campaign = String(event.data['campaign'] ?? '')
      return <Trans>O contato respondeu à campanha {campaign}</Trans>
    }
    case 'sla_warned':
    case 'sla_breached': {
      const promise = metrics[event.data['metric'] as SlaMetric] ?? ''
      return event.kind === 'sla_warned' ? (
        <Trans>O prazo está perto do fim: {promise}</Trans>
      ) : (
        <Trans>O prazo passou: {promise}</Trans>
      )
    }
    case 'assigned': {
      const { from } = event.data
      if (typeof from === 'string')
        return (
          <Trans>
            {from} se ausentou, e o sistema entregou o atendimento a {to}
          </Trans>
        )
      switch (event.data['rule']) {
        case 'roundRobin':
          return <Trans>O sistema entregou o atendimento a {to}: era a sua vez</Trans>
        case 'leastBusy':
          return <Trans>O sistema entregou o atendimento a {to}, com menos atendimentos abertos</Trans>
        case 'skill':
          return <Trans>O sistema entregou o atendimento a {to}, que conhece o assunto</Trans>
        case 'lastAgent':
          return <Trans>O sistema entregou o atendimento a {to}, que atendeu o contato da última vez</Trans>
        default:
          return <Trans>O sistema entregou o atendimento a {to}</Trans>
      }
    }
    case 'left_behind':
      return <Trans>{to} se ausentou e o atendimento voltou à fila</Trans>
    case 'supervisor_called':
      return <Trans>{user} chamou um supervisor</Trans>
    case 'supervisor_answered':
      return <Trans>{user} atendeu ao chamado</Trans>
    case 'merged':
    case 'merged_into':
    case 'parted': {
      const number = String(event.data['ticket'] ?? '')
      return event.kind === 'merged' ? (
        <Trans>
          {user} trouxe para cá o atendimento #{number}
        </Trans>
      ) : event.kind === 'merged_into' ? (
        <Trans>
          {user} juntou este atendimento ao #{number}
        </Trans>
      ) : (
        <Trans>
          {user} separou este atendimento do #{number}
        </Trans>
      )
    }
    case 'rated': {
      const rates: Record<string, string> = { 1: t`insatisfeito`, 2: t`satisfeito`, 3: t`muito satisfeito` }
      const rate = rates[String(event.data['rate'])] ?? String(event.data['rate'])
      return <Trans>O contato avaliou o atendimento: {rate}</Trans>
    }
  }
}

/** Asks why the queue chose whom it chose. */
function WhyAssigned({ event }: { event: EventRow }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      {' '}
      <Button variant="link" size="sm" onClick={() => setAsked(true)}>
        <Trans>Por quê?</Trans>
      </Button>
      {isAsked && (
        <Suspense fallback={null}>
          <AssignedDialog event={event} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The latest stand there; the others are asked for. */
const shownFirst = 4

/** Everything that happened to the ticket, the latest first, with the full date of each. */
export function Timeline({ ticketId }: { ticketId: number }) {
  const { i18n } = useLingui()
  const { rows } = useRows(ticketTimeline(ticketId))
  const [all, setAll] = useState(false)
  if (!rows || rows.length === 0)
    return (
      <p className="text-xs text-muted-foreground">
        <Trans>Nada guardado aqui.</Trans>
      </p>
    )
  const shown = rows.slice(all ? 0 : -shownFirst).reverse()
  return (
    <>
      <ol className="flex flex-col">
        {shown.map((event) => (
          <TimelineItem key={event.id} at={event.createdAt} about={dateText(i18n.locale, event.createdAt, 'moment')}>
            <EventWords event={event} />
          </TimelineItem>
        ))}
      </ol>
      {rows.length > shownFirst && (
        <Button variant="link" size="sm" aria-expanded={all} className="mt-1 px-0" onClick={() => setAll(!all)}>
          {all ? <Trans>Mostrar menos</Trans> : <Trans>Mostrar tudo ({rows.length})</Trans>}
        </Button>
      )}
    </>
  )
}

/** One thing that happened, in words, and below them when. `at` in ms. */
export function TimelineItem({ at, about, children }: { at: number; about: string; children: ReactNode }) {
  return (
    <li className="relative border-l pb-3 pl-3.5 text-xs last:pb-0 before:absolute before:top-1 before:-left-[3.5px] before:size-1.5 before:rounded-full before:bg-muted-foreground/60">
      <span className="block">{children}</span>
      <time dateTime={new Date(at).toISOString()} className="text-muted-foreground tabular-nums">
        {about}
      </time>
    </li>
  )
}
