import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, Download, ExternalLink, FileText, Images, Link2, MessageSquareText, Play } from 'lucide-react'
import { createContext, use, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { errorText } from '../session/error-text.ts'
import { useRows } from '../replica/live-rows.ts'
import { toastError } from '../session/failure.tsx'
import { useReplica } from '../replica/replica.tsx'
import { dateText } from '../i18n/dates.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { captionOf } from './messages.bubble-media.tsx'
import { Lightbox } from './messages.lightbox.tsx'
import { saveBlob, useMedia, useSeen } from '../kit/media.ts'
import { fileSize } from '../kit/file-size.ts'
import { sharedOf, sharedPage, sharedSince, type SharedKind, type SharedRow } from './messages.shared-rows.ts'
import { linksIn } from '../kit/text-format.ts'
import { plainText } from '../kit/text-tree.ts'
import { openAt } from './messages.open-at.ts'

/** Pictures, videos, files and links that went between the company and a contact, as far as this browser holds them. */
export default function SharedMedia({
  contactId,
  onBack,
  onLeave,
}: {
  contactId: number
  onBack: () => void
  /** Somebody goes to a message in the conversation, which may lie under this. */
  onLeave: () => void
}) {
  const { t } = useLingui()
  return (
    <LeaveContext value={onLeave}>
      <section aria-label={t`Mídia, arquivos e links`} className="flex min-h-0 flex-1 flex-col">
        <div className="flex items-center gap-1 px-2 pt-2">
          <IconButton label={t`Voltar aos dados do contato`} onClick={onBack} autoFocus>
            <ArrowLeft />
          </IconButton>
          <h2 className="text-sm font-semibold">
            <Trans>Mídia, arquivos e links</Trans>
          </h2>
        </div>
        <Tabs defaultValue="media" className="flex min-h-0 flex-1 flex-col px-4 pt-2">
          <TabsList look="pill" aria-label={t`O que foi enviado`}>
            <TabsTrigger value="media">
              <Trans>Mídia</Trans>
            </TabsTrigger>
            <TabsTrigger value="files">
              <Trans>Arquivos</Trans>
            </TabsTrigger>
            <TabsTrigger value="links">
              <Trans>Links</Trans>
            </TabsTrigger>
          </TabsList>
          <Kind kind="media" contactId={contactId} icon={Images} empty={<Trans>Nenhuma foto ou vídeo</Trans>} />
          <Kind kind="files" contactId={contactId} icon={FileText} empty={<Trans>Nenhum arquivo</Trans>} />
          <Kind kind="links" contactId={contactId} icon={Link2} empty={<Trans>Nenhum link</Trans>} />
        </Tabs>
      </section>
    </LeaveContext>
  )
}

const LeaveContext = createContext<() => void>(() => undefined)

function Kind({
  kind,
  contactId,
  icon,
  empty,
}: {
  kind: SharedKind
  contactId: number
  icon: typeof Images
  empty: ReactNode
}) {
  return (
    <TabsContent value={kind} className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-3">
      <List kind={kind} contactId={contactId} icon={icon} empty={empty} />
    </TabsContent>
  )
}

function List({ kind, contactId, icon, empty }: Parameters<typeof Kind>[0]) {
  const { t } = useLingui()
  const replica = useReplica()
  const [since, setSince] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const { rows, error } = useRows(
    useMemo(() => sharedOf(contactId, kind, since), [contactId, kind, since]),
    { keepPrevious: true },
  )
  const [imageId, setImageId] = useState<string | null>(null)
  if (error && !rows)
    return <p role="alert" className="text-sm">{t`O que está guardado neste navegador não pôde ser lido.`}</p>
  if (!rows)
    return (
      <div role="status" aria-label={t`Carregando`} className="flex flex-col gap-2">
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
      </div>
    )
  if (rows.length === 0) return <EmptyState icon={icon} title={empty} className="py-8" />
  const hasMore = since === null ? rows.length === sharedPage : since !== -Infinity
  const more = async () => {
    setBusy(true)
    const { sql, params, read } = sharedSince(contactId, kind, rows.at(-1)!.createdAt)
    try {
      setSince(read(await replica.query<{ since: unknown }>(sql, params)))
    } catch (failure) {
      toastError(failure)
    }
    setBusy(false)
  }
  const images = rows.filter(({ mediaType }) => mediaType === 'image')
  return (
    <>
      {kind === 'media' ? (
        <ul className="grid grid-cols-3 gap-1.5">
          {rows.map((row) => (
            <li key={row.id}>
              <Tile row={row} onOpen={() => setImageId(row.id)} />
            </li>
          ))}
        </ul>
      ) : (
        <ul className="flex flex-col gap-1">
          {rows.map((row) => (
            <li key={row.id}>{kind === 'files' ? <File row={row} /> : <Links row={row} />}</li>
          ))}
        </ul>
      )}
      {hasMore && (
        <Button variant="ghost" size="sm" busy={busy} className="mt-2 w-full" onClick={() => void more()}>
          <Trans>Mostrar mais</Trans>
        </Button>
      )}
      {imageId !== null && (
        <Lightbox images={images.toReversed()} id={imageId} onChange={setImageId} onClose={() => setImageId(null)} />
      )}
    </>
  )
}

/** Opens the conversation at a message. */
function useGoTo() {
  const actions = useTicketActions()
  const leave = use(LeaveContext)
  return ({ id, ticketId, ticketUuid }: SharedRow) => {
    openAt({ ticketId, messageId: id })
    actions.open({ uuid: ticketUuid })
    leave()
  }
}

function Tile({ row, onOpen }: { row: SharedRow; onOpen: () => void }) {
  const { t, i18n } = useLingui()
  const goTo = useGoTo()
  const [ref, seen] = useSeen()
  const isImage = row.mediaType === 'image'
  const media = useMedia(row.mediaPath ? { path: row.mediaPath } : null, seen && isImage)
  const when = dateText(i18n.locale, row.createdAt, 'date')
  return (
    <button
      type="button"
      ref={ref}
      onClick={() => (isImage ? onOpen() : goTo(row))}
      aria-label={isImage ? t`Ampliar a imagem de ${when}` : t`Ver na conversa o vídeo de ${when}`}
      className="focus-ring relative flex aspect-square w-full items-center justify-center overflow-hidden rounded-md bg-foreground/5"
    >
      {!isImage ? (
        <span className="flex size-9 items-center justify-center rounded-full bg-foreground/15">
          <Play aria-hidden="true" className="ml-0.5 size-4 fill-current" />
        </span>
      ) : media.url ? (
        <img src={media.url} alt="" draggable={false} className="size-full object-cover" />
      ) : (
        media.loading && <Spinner className="text-muted-foreground" />
      )}
    </button>
  )
}

function File({ row }: { row: SharedRow }) {
  const { t, i18n } = useLingui()
  const goTo = useGoTo()
  const [wanted, setWanted] = useState(false)
  const media = useMedia(row.mediaPath ? { path: row.mediaPath } : null, wanted)
  const name = row.mediaName ?? t`documento`
  const details = [
    media.error ? errorText(media.error) : null,
    row.mediaSize === null ? null : fileSize(row.mediaSize, i18n.locale),
    dateText(i18n.locale, row.createdAt, 'date'),
  ]
  const { blob } = media
  useEffect(() => {
    // Asked for by the click that made it wanted; later clicks save at once.
    if (wanted && blob) saveBlob(blob, name)
  }, [wanted, blob, name])
  const save = () => {
    if (blob) saveBlob(blob, name)
    else if (media.error) media.retry()
    else setWanted(true)
  }
  return (
    <Line title={name} note={details.filter(Boolean).join(' · ')} icon={<FileText />} onGo={() => goTo(row)}>
      <IconButton label={t`Baixar ${name}`} busy={media.loading} onClick={save}>
        <Download />
      </IconButton>
    </Line>
  )
}

function Links({ row }: { row: SharedRow }) {
  const { t, i18n } = useLingui()
  const goTo = useGoTo()
  const said = plainText(captionOf(row))
  return linksIn(row.body).map((href) => (
    <Line
      key={href}
      title={href.replace(/^https?:\/\/(www\.)?/, '')}
      note={`${dateText(i18n.locale, row.createdAt, 'date')} · ${said}`}
      icon={<Link2 />}
      onGo={() => goTo(row)}
    >
      <Button variant="ghost" size="icon-sm" asChild className="text-muted-foreground">
        <a href={href} target="_blank" rel="noopener noreferrer nofollow" aria-label={t`Abrir ${href}`}>
          <ExternalLink />
        </a>
      </Button>
    </Line>
  ))
}

function Line({
  title,
  note,
  icon,
  onGo,
  children,
}: {
  title: string
  note: string
  icon: ReactNode
  onGo: () => void
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <div className="flex items-center gap-1 rounded-md bg-muted/60 py-1.5 pr-1 pl-2.5 [&_svg]:size-4">
      <span aria-hidden="true" className="mr-1.5 text-muted-foreground">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-[0.8125rem] font-medium">{title}</span>
        <span className="block truncate text-xs text-muted-foreground">{note}</span>
      </span>
      <IconButton label={t`Ver ${title} na conversa`} onClick={onGo}>
        <MessageSquareText />
      </IconButton>
      {children}
    </div>
  )
}
