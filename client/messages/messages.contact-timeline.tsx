import { Trans, useLingui } from '@lingui/react/macro'
import { dateText } from '../i18n/dates.ts'
import { useUsers } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { useOnline } from '../replica/use-online.ts'
import { errorText } from '../session/error-text.ts'
import { useRecords } from '../session/fetched.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { contactTimeline, type EventRow, readEvent } from './messages.rows.ts'
import { EventWords, TimelineItem } from './messages.timeline.tsx'

type Entry = { id: string; ticketId: number; createdAt: string; kind: string; userId: number | null } & Record<
  string,
  unknown
>

/** What happened and was noted over all tickets of a contact, the latest first. Offline, what is held here. */
export default function ContactTimeline({ contactId }: { contactId: number }) {
  const online = useOnline()
  return online ? <Told contactId={contactId} /> : <Held contactId={contactId} />
}

function Told({ contactId }: { contactId: number }) {
  const { t } = useLingui()
  const { data, error, loading, hasMore, loadMore, reload } = useRecords<Entry>(`/contacts/${contactId}/timeline`)
  if (!data && error) return <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
  if (!data)
    return (
      <div role="status" aria-label={t`Carregando`}>
        <Skeleton className="h-24" />
      </div>
    )
  return (
    <>
      <ol className="flex flex-col">
        {data.map((entry) => (
          <Line
            key={entry.id}
            ticketId={entry.ticketId}
            at={Date.parse(entry.createdAt)}
            userId={entry.userId}
            {...(entry.kind === 'note'
              ? { note: String((entry['data'] as { note?: unknown }).note) }
              : { event: readEvent(entry) })}
          />
        ))}
      </ol>
      {hasMore && (
        <Button variant="link" size="sm" className="mt-1 px-0" disabled={loading} onClick={loadMore}>
          <Trans>Mostrar mais antigos</Trans>
        </Button>
      )}
    </>
  )
}

function Held({ contactId }: { contactId: number }) {
  const { rows } = useRows(contactTimeline(contactId))
  return (
    <>
      <p className="mb-2 text-xs text-muted-foreground">
        <Trans>Sem conexão: aqui está o que este aparelho guarda.</Trans>
      </p>
      <ol className="flex flex-col">
        {rows?.map((event) => (
          <Line key={event.id} ticketId={event.ticketId} at={event.createdAt} userId={event.userId} event={event} />
        ))}
      </ol>
    </>
  )
}

function Line({
  ticketId,
  at,
  userId,
  event,
  note,
}: {
  ticketId: number
  at: number
  userId: number | null
  event?: EventRow
  note?: string
}) {
  const { t, i18n } = useLingui()
  const users = useUsers()
  const author = (userId === null ? undefined : users.byId.get(userId)?.name) ?? t`Alguém`
  return (
    <TimelineItem at={at} about={`#${ticketId} · ${dateText(i18n.locale, at, 'moment')}`}>
      {event ? (
        <EventWords event={event} />
      ) : (
        <>
          <Trans>{author} anotou</Trans>
          <q dir="auto" className="mt-0.5 block whitespace-pre-wrap break-words text-foreground italic">
            {note}
          </q>
        </>
      )}
    </TimelineItem>
  )
}
