import { Trans, useLingui } from '@lingui/react/macro'
import { Megaphone, Paperclip } from 'lucide-react'
import { useState } from 'react'
import { shownSince } from '../../schema/announcements/announcements.audience.ts'
import { errorText } from '../session/error-text.ts'
import { local } from '../base/local.ts'
import { useUser } from '../session/session.tsx'
import { TopBarPopover } from '../kit/top-bar-popover.tsx'
import { dateText } from '../i18n/dates.ts'
import { useMedia } from '../kit/media.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { newestOf, useAnnouncements } from './announcements.queries.ts'
import type { Announcement } from './announcements.queries.ts'

/** In the top bar: what the operator tells everybody, with a dot while there is something unseen. */
export default function AnnouncementsPopover() {
  const { t } = useLingui()
  const user = useUser()
  const seenKey = `balcao.announcements-seen.${user.id}`
  const { data, error, loading, reload, hasMore, loadMore } = useAnnouncements()
  const [seenAt, setSeenAt] = useState(() => Number(local.get(seenKey) ?? 0))
  const newest = newestOf(data ?? [])
  const unseen = newest > seenAt
  const onOpenChange = (open: boolean) => {
    // Marked when it closes: while it is open, what is new is still marked as new.
    if (open || newest === 0) return
    local.set(seenKey, String(newest))
    setSeenAt(newest)
  }
  return (
    <TopBarPopover
      title={t`Comunicados`}
      label={unseen ? t`Comunicados: há novos` : t`Comunicados`}
      icon={Megaphone}
      mark={
        unseen && (
          <span
            aria-hidden="true"
            className="absolute top-1 right-1 touch:top-2.5 touch:right-2.5 size-2 rounded-full bg-destructive ring-2 ring-card"
          />
        )
      }
      onOpenChange={onOpenChange}
      className="w-88 p-0"
    >
      {!data ? (
        error && !loading ? (
          <ErrorState onRetry={reload} className="py-8">
            {errorText(error)}
          </ErrorState>
        ) : (
          <div className="flex flex-col gap-2 p-4">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-full" />
          </div>
        )
      ) : data.length === 0 ? (
        <EmptyState icon={Megaphone} title={t`Nenhum comunicado`} className="py-8" />
      ) : (
        <div
          className="focus-ring max-h-[350px] overflow-y-auto overscroll-contain rounded-lg"
          tabIndex={0}
          role="region"
          aria-label={t`Comunicados`}
        >
          <ul className="divide-y">
            {data.map((announcement) => (
              <Item key={announcement.id} announcement={announcement} unseen={shownSince(announcement) > seenAt} />
            ))}
          </ul>
          {hasMore && (
            <Button variant="ghost" size="sm" className="m-2" busy={loading} onClick={loadMore}>
              <Trans>Mostrar mais</Trans>
            </Button>
          )}
        </div>
      )}
    </TopBarPopover>
  )
}

function Item({ announcement, unseen }: { announcement: Announcement; unseen: boolean }) {
  const { t, i18n } = useLingui()
  const { priority, title, text, mediaPath, mediaName } = announcement
  const since = new Date(shownSince(announcement))
  const words = { 1: t`Prioridade alta`, 2: t`Prioridade média`, 3: t`Prioridade baixa` }[priority]
  const colour = { 1: 'bg-destructive', 2: 'bg-warning', 3: 'bg-muted-foreground/50' }[priority]
  return (
    <li className="relative py-3 pr-4 pl-5">
      <span aria-hidden="true" className={`absolute inset-y-3 left-2 w-1 rounded-full ${colour}`} />
      <div className="flex items-baseline gap-2">
        <h2 className="min-w-0 flex-1 text-sm font-medium break-words">
          <span className="sr-only">{words}: </span>
          {title}
        </h2>
        {unseen && (
          <Badge tone="primary">
            <Trans>Novo</Trans>
          </Badge>
        )}
        <time dateTime={since.toISOString()} className="shrink-0 text-xs text-muted-foreground tabular-nums">
          {dateText(i18n.locale, since, 'dayMonth')}
        </time>
      </div>
      <p className="mt-1 text-sm break-words whitespace-pre-wrap text-muted-foreground">{text}</p>
      {mediaPath && <Attachment path={mediaPath} name={mediaName ?? mediaPath} />}
    </li>
  )
}

/** Announcements carry pictures only; they are private, and fetched with the token. */
function Attachment({ path, name }: { path: string; name: string }) {
  const { url, error } = useMedia({ path })
  if (error || !url)
    return (
      <span className="mt-2 flex w-fit max-w-full items-center gap-1.5 rounded-md border px-2 py-1 text-xs">
        <Paperclip aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="truncate">{name}</span>
      </span>
    )
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="focus-ring mt-2 block w-fit max-w-full overflow-hidden rounded-md border"
    >
      <img src={url} alt={name} className="max-h-40 object-contain" />
    </a>
  )
}
