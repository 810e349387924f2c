import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CalendarClock, CalendarDays, List, Paperclip, Plus, SearchX } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useConnectionState } from '../session/connection-state.ts'
import { DataList, LoadingRows, OfflineCopy } from '../kit/data-list.tsx'
import { errorCodeText, errorText } from '../session/error-text.ts'
import { whenText } from '../session/moment-text.ts'
import { toastError } from '../session/failure.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { useFetched } from '../session/fetched.ts'
import { RemoveDialog, RowActions } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { narrowQuery, useMedia } from '../ui/use-media.ts'
import type { FoundContact } from '../contacts/contacts.rows.ts'
import { phoneText } from '../kit/phone-text.ts'
import { TemplateText, useTemplateWords } from '../placeholders/placeholders.text.tsx'
import { useScheduleValues } from './schedules.values.ts'
import { dateText, firstDayOf } from '../i18n/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { Tabs, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Calendar, type Handling, MonthSwitch } from './calendar.tsx'
import { monthOf, weeksOf } from '../i18n/month.ts'
import { ScheduleDialog } from './schedules.dialog.tsx'
import { removeSchedule, useScheduleList, useSchedulesBetween } from './schedules.queries.ts'
import { useRows } from '../replica/live-rows.ts'
import { type Schedule, scheduleStatus } from './schedules.rows.ts'

type View = 'calendar' | 'list'
type Overlay = { kind: 'create'; to?: FoundContact } | { kind: 'edit' | 'remove'; schedule: Schedule }

/** What is to be sent at its time, and what was: a month's page, or all of it in a list. */
export default function SchedulesScreen() {
  return (
    <PlanGate feature="useSchedules">
      <Schedules />
    </PlanGate>
  )
}

function Schedules() {
  const { t, i18n } = useLingui()
  const [view, setView] = useState<View>('calendar')
  const [month, setMonth] = useState(() => monthOf(Date.now()))
  const { search, setSearch, settled } = useSearchText()
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const offline = useConnectionState() === 'offline'
  const close = () => setOverlay(null)
  useContactOfAddress((to) => setOverlay({ kind: 'create', to }))

  const nameOf = useCallback(
    ({ contact: { id, name, number } }: Schedule) => name || phoneText(number) || t`Contato ${id}`,
    [t],
  )
  const valuesOf = useScheduleValues()
  const wordsOf = useTemplateWords()
  const removalName = (schedule: Schedule) => {
    const name = nameOf(schedule)
    return t`Agendamento de ${name}`
  }
  const handling: Handling = {
    enabled: !offline,
    edit: (schedule) => setOverlay({ kind: 'edit', schedule }),
    remove: (schedule) => setOverlay({ kind: 'remove', schedule }),
    nameOf,
    wordsOf: (schedule) => wordsOf(schedule.body, valuesOf(schedule)),
  }
  const add = (
    <Button disabled={offline} onClick={() => setOverlay({ kind: 'create' })}>
      <Plus />
      <Trans>Agendar mensagem</Trans>
    </Button>
  )
  const when = (schedule: Schedule) => (
    <time dateTime={new Date(schedule.sendAt).toISOString()}>{dateText(i18n.locale, schedule.sendAt, 'moment')}</time>
  )
  const heldText = (until: number) => {
    const when = whenText(new Date(until))
    return t`O WhatsApp não deixa a conexão começar conversas novas; sai sozinha ${when}`
  }
  const text = (schedule: Schedule) => (
    <>
      <span className="line-clamp-2 wrap-anywhere whitespace-pre-wrap">
        <TemplateText text={schedule.body} values={valuesOf(schedule)} />
      </span>
      {schedule.mediaName && (
        <span className="mt-0.5 flex min-w-0 items-center gap-1 text-xs text-muted-foreground">
          <Paperclip aria-hidden="true" className="size-3 shrink-0" />
          <span className="truncate">{schedule.mediaName}</span>
        </span>
      )}
      {schedule.waitsUntil !== null && (
        <span className="mt-0.5 block text-xs text-warning-soft-foreground">{heldText(schedule.waitsUntil)}</span>
      )}
      {schedule.status === 'ERRO' && (
        <span className="mt-0.5 block text-xs text-destructive-soft-foreground">
          {errorCodeText(schedule.error ?? 'ERR_SENDING_WAPP_MSG')}
        </span>
      )}
    </>
  )
  const actions = (schedule: Schedule) => (
    <RowActions
      name={nameOf(schedule)}
      disabled={offline}
      // What was sent stays as it was.
      onEdit={schedule.status === 'ENVIADA' ? undefined : () => handling.edit(schedule)}
      onRemove={() => handling.remove(schedule)}
    />
  )
  const card = (schedule: Schedule) => (
    <div className="flex items-start gap-2">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="truncate text-sm font-medium">{nameOf(schedule)}</span>
        <span className="flex flex-wrap items-center gap-2 text-xs text-muted-foreground tabular-nums">
          {when(schedule)}
          <StatusBadge schedule={schedule} />
        </span>
        <div className="mt-1 text-sm">{text(schedule)}</div>
      </div>
      <div className="-mt-1 -mr-2">{actions(schedule)}</div>
    </div>
  )
  const nothing = search ? (
    <EmptyState icon={SearchX} title={<Trans>Nenhum agendamento encontrado</Trans>}>
      <Trans>Nenhum agendamento tem “{search}” na mensagem ou no nome do contato.</Trans>
    </EmptyState>
  ) : null

  return (
    <Page
      title={t`Agendamentos`}
      actions={add}
      toolbar={
        <>
          <Tabs value={view} onValueChange={(next) => setView(next as View)}>
            <TabsList look="pill" aria-label={t`Ver como`}>
              <TabsTrigger value="calendar">
                <CalendarDays />
                <Trans>Calendário</Trans>
              </TabsTrigger>
              <TabsTrigger value="list">
                <List />
                <Trans>Lista</Trans>
              </TabsTrigger>
            </TabsList>
          </Tabs>
          <SearchInput value={search} onChange={setSearch} label={t`Buscar agendamento`} />
          {view === 'calendar' && (
            <div className="sm:ml-auto">
              <MonthSwitch month={month} onChange={setMonth} />
            </div>
          )}
        </>
      }
    >
      {view === 'calendar' ? (
        <MonthPage
          month={month}
          search={settled}
          handling={handling}
          card={card}
          empty={
            nothing ?? (
              <EmptyState icon={CalendarClock} title={<Trans>Nada agendado neste mês</Trans>} action={add}>
                <Trans>Mensagens agendadas são enviadas sozinhas, na hora marcada.</Trans>
              </EmptyState>
            )
          }
        />
      ) : (
        <ScheduleList
          search={settled}
          empty={
            nothing ?? (
              <EmptyState icon={CalendarClock} title={<Trans>Nenhum agendamento</Trans>} action={add}>
                <Trans>Mensagens agendadas são enviadas sozinhas, na hora marcada.</Trans>
              </EmptyState>
            )
          }
          columns={[
            {
              id: 'contact',
              header: <Trans>Contato</Trans>,
              cell: (schedule) => <span className="font-medium">{nameOf(schedule)}</span>,
              className: 'w-56',
            },
            { id: 'body', header: <Trans>Mensagem</Trans>, cell: text },
            {
              id: 'sendAt',
              header: <Trans>Enviar em</Trans>,
              cell: when,
              className: 'w-40 whitespace-nowrap tabular-nums text-muted-foreground',
            },
            {
              id: 'status',
              header: <Trans>Situação</Trans>,
              cell: (schedule) => <StatusBadge schedule={schedule} />,
              className: 'w-32',
            },
            { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
          ]}
          card={card}
        />
      )}
      {overlay?.kind === 'create' && <ScheduleDialog {...(overlay.to && { to: overlay.to })} onClose={close} />}
      {overlay?.kind === 'edit' && <ScheduleDialog schedule={overlay.schedule} onClose={close} />}
      {overlay?.kind === 'remove' && (
        <RemoveDialog
          name={removalName(overlay.schedule)}
          remove={() => removeSchedule(overlay.schedule.id)}
          // The list hears of it from the replica.
          onRemoved={close}
          onClose={close}
        >
          <RemovalWords schedule={overlay.schedule} />
        </RemoveDialog>
      )}
    </Page>
  )
}

/** What the removal leads to: it may leave while the question stands. */
function RemovalWords({ schedule }: { schedule: Schedule }) {
  const { status } = useRows(scheduleStatus(schedule.id)).rows?.[0] ?? schedule
  return status === 'ENVIADA' ? (
    <Trans>A mensagem enviada fica na conversa.</Trans>
  ) : (
    <Trans>A mensagem não será enviada.</Trans>
  )
}

function ScheduleList({
  search,
  ...shown
}: { search: string } & Pick<Parameters<typeof DataList<Schedule>>[0], 'columns' | 'card' | 'empty'>) {
  const { t } = useLingui()
  const source = useScheduleList(search)
  return <DataList label={t`Agendamentos`} source={source} {...shown} />
}

const noSchedules: readonly Schedule[] = []

function MonthPage({
  month,
  search,
  handling,
  card,
  empty,
}: {
  month: ReturnType<typeof monthOf>
  search: string
  handling: Handling
  card: (schedule: Schedule) => ReactNode
  empty: ReactNode
}) {
  const { t, i18n } = useLingui()
  const narrow = useMedia(narrowQuery)
  const { year, month: index } = month
  const weeks = useMemo(() => weeksOf({ year, month: index }, firstDayOf(i18n.locale)), [year, index, i18n.locale])
  const from = weeks[0]![0]!
  const last = weeks.at(-1)!.at(-1)!
  const to = new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1)
  const { data, error, loading, reload, hasMore, offline } = useSchedulesBetween(from, to, search)
  if (!data && error && !loading)
    return (
      <PageCard>
        <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
      </PageCard>
    )
  // On its way from month to month, the page's days are there at once.
  if (!data && narrow) return <LoadingRows label={t`Agendamentos`} />
  const isEmpty = data !== undefined && !data.some(({ sendAt }) => new Date(sendAt).getMonth() === index)
  return (
    <div aria-busy={!data} className="flex flex-col gap-3">
      {offline && <OfflineCopy className="mb-0" />}
      {isEmpty && (narrow || search) && <PageCard>{empty}</PageCard>}
      <Calendar month={month} weeks={weeks} schedules={data ?? noSchedules} handling={handling} card={card} />
      {hasMore && (
        <p role="status" className="text-sm text-muted-foreground">
          <Trans>Este mês tem mais agendamentos do que cabem aqui. A lista tem todos.</Trans>
        </p>
      )}
    </div>
  )
}

function StatusBadge({ schedule: { status, waitsUntil } }: { schedule: Schedule }) {
  if (status === 'ENVIADA')
    return (
      <Badge tone="success">
        <Trans>Enviada</Trans>
      </Badge>
    )
  if (status === 'ERRO')
    return (
      <Badge tone="destructive">
        <Trans>Erro no envio</Trans>
      </Badge>
    )
  if (waitsUntil !== null)
    return (
      <Badge tone="warning">
        <Trans>Espera</Trans>
      </Badge>
    )
  return (
    <Badge tone="primary">
      <Trans>Agendada</Trans>
    </Badge>
  )
}

/** `?contactId=7` opens the dialog for that contact; the address forgets it, so that going back does not open it again. */
function useContactOfAddress(open: (contact: FoundContact) => void): void {
  const { contactId } = useSearch({ from: '/private/schedules' })
  const navigate = useNavigate()
  const { data, error } = useFetched<FoundContact>(contactId === undefined ? null : `/contacts/${contactId}`)
  useEffect(() => {
    if (!data && !error) return
    if (data) open({ id: data.id, name: data.name || phoneText(data.number), number: data.number })
    else toastError(error)
    void navigate({ to: '/schedules', search: {}, replace: true })
    // Once for each answer, not for each `open` that a rendering makes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [data, error])
}
