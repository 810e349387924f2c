import { Trans, useLingui } from '@lingui/react/macro'
import {
  CircleAlert,
  Download,
  ExternalLink,
  FileText,
  ImageOff,
  MapPin,
  PhoneMissed,
  Play,
  RotateCw,
} from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { withCountry } from '../../schema/contacts/contacts.phone.ts'
import { isNotice, type MediaType, type NoticeKind } from '../../schema/messages/messages.content.ts'
import { useCallingCode } from '../session/company-country.ts'
import { errorText } from '../session/error-text.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { AudioPlayer } from './messages.audio-player.tsx'
import { Notice } from './messages.bubble-notice.tsx'
import { useKnownContact } from './messages.known-contact.ts'
import { saveBlob, useMedia, useSeen, type MediaSource } from '../kit/media.ts'
import { parseCards, parsePlace } from './messages.parts.ts'
import { fileSize } from '../kit/file-size.ts'
import { phoneText } from '../kit/phone-text.ts'
import type { MessageRow } from './messages.rows.ts'
import { sentFile } from './messages.sending.ts'
import { useTalk } from './messages.use-talk.ts'
import type { Delivery } from '../base/thread.ts'

/** Where the bytes of a message are: just sent from here, in the outbox, or in the media store. */
export function mediaSource(row: MessageRow, delivery: Delivery | null): MediaSource {
  const blob = sentFile(row.id)
  if (blob) return { blob, name: row.id }
  if (row.mediaPath) return { path: row.mediaPath }
  return delivery?.entryId ? { outboxEntry: delivery.entryId } : null
}

export interface MediaProps {
  row: MessageRow
  delivery: Delivery | null
  onOpenImage: (row: MessageRow) => void
  onWriteTo: (number: string) => void
}

/** What a message carries besides its text; nothing for a plain text. */
export function BubbleMedia(props: MediaProps) {
  const { row } = props
  if (row.mediaState === 'failed') return <FailedMedia />
  if (isNotice(row.mediaType)) return <Notice row={row} kind={row.mediaType} />
  const Media = media[row.mediaType]
  return Media && <Media {...props} />
}

/** What is shown of each kind; null where the text is all. Notices have their own. */
const media: Record<Exclude<MediaType, NoticeKind>, ((props: MediaProps) => ReactNode) | null> = {
  chat: null,
  reactionMessage: null,
  image: ImageMedia,
  sticker: ImageMedia,
  video: VideoMedia,
  audio: AudioMedia,
  application: DocumentMedia,
  locationMessage: ({ row }) => <PlaceCard body={row.body} />,
  contactMessage: ({ row, onWriteTo }) => <ContactCards body={row.body} onWriteTo={onWriteTo} />,
  vcard: ({ row, onWriteTo }) => <ContactCards body={row.body} onWriteTo={onWriteTo} />,
  call_log: ({ row }) => (
    <p className="flex items-center gap-2 py-1 text-muted-foreground">
      <PhoneMissed aria-hidden="true" className="size-4 text-destructive" />
      {row.body || <Trans>Chamada perdida</Trans>}
    </p>
  ),
}

const saysBody = ({ body }: MessageRow) => body
/** A file's name is stored where its words are missing. */
const unlessName = ({ body, mediaName }: MessageRow) => (body === mediaName ? '' : body)
/** The card of what it is about says it. */
const unlessCard = ({ body, about }: MessageRow) => (about ? '' : body)
/** A form, or the name of what a person did not write. */
const none = () => ''

const captions: Record<MediaType, (row: MessageRow) => string> = {
  chat: saysBody,
  image: unlessName,
  video: unlessName,
  application: unlessName,
  audio: none,
  sticker: none,
  locationMessage: none,
  contactMessage: none,
  vcard: none,
  reactionMessage: none,
  call_log: none,
  ad: unlessCard,
  pix: unlessCard,
  order: saysBody,
  product: saysBody,
  poll: saysBody,
  event: saysBody,
  group_invite: saysBody,
  view_once: saysBody,
  phone_only: saysBody,
}

/** Whether `body` is words of a person, to be shown below the media, and not a file's name or a stored form. */
export function captionOf(row: MessageRow): string {
  // A newer server may know a kind that this page does not.
  return captions[row.mediaType]?.(row) ?? ''
}

function ImageMedia({ row, delivery, onOpenImage }: MediaProps) {
  const { t } = useLingui()
  const [ref, seen] = useSeen()
  const source = mediaSource(row, delivery)
  const media = useMedia(source, seen)
  const sticker = row.mediaType === 'sticker'
  const box = sticker ? 'size-36' : 'h-52 w-72 max-w-full'
  if (media.error) return <BrokenMedia className={box} message={errorText(media.error)} onRetry={media.retry} />
  return (
    <button
      type="button"
      ref={ref}
      disabled={!media.url || sticker}
      onClick={() => onOpenImage(row)}
      aria-label={sticker ? t`Figurinha` : t`Ampliar imagem`}
      className={cn(
        'focus-ring relative block overflow-hidden rounded-md',
        !sticker && 'bg-foreground/5 enabled:cursor-zoom-in',
        box,
      )}
    >
      {media.url ? (
        <img
          src={media.url}
          alt=""
          draggable={false}
          className={cn('size-full', sticker ? 'object-contain' : 'object-cover')}
        />
      ) : source === null ? (
        <span className="flex size-full items-center justify-center gap-2 text-xs text-muted-foreground">
          <Spinner />
          <Trans>Baixando do WhatsApp…</Trans>
        </span>
      ) : (
        <Skeleton className="size-full rounded-md" />
      )}
      {delivery && delivery.state !== 'failed' && <Uploading />}
    </button>
  )
}

function Uploading() {
  return (
    <span className="absolute inset-0 flex items-center justify-center bg-black/20">
      <span className="flex size-10 items-center justify-center rounded-full bg-black/50 text-white">
        <Spinner className="size-5" />
      </span>
    </span>
  )
}

function VideoMedia({ row, delivery }: MediaProps) {
  const { t, i18n } = useLingui()
  const [wanted, setWanted] = useState(false)
  const media = useMedia(mediaSource(row, delivery), wanted)
  if (media.error)
    return <BrokenMedia className="h-44 w-72 max-w-full" message={errorText(media.error)} onRetry={media.retry} />
  if (media.url && wanted)
    return (
      // What a contact sends has no subtitles.
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <video src={media.url} controls autoPlay playsInline className="h-52 w-72 max-w-full rounded-md bg-black" />
    )
  return (
    <button
      type="button"
      aria-label={t`Reproduzir vídeo`}
      onClick={() => setWanted(true)}
      className="focus-ring relative flex h-44 w-72 max-w-full items-center justify-center rounded-md bg-[linear-gradient(160deg,oklch(0.36_0.03_220),oklch(0.22_0.02_225))] text-white"
    >
      <span className="flex size-12 items-center justify-center rounded-full bg-white/20 backdrop-blur-sm">
        {media.loading ? <Spinner className="size-5" /> : <Play className="ml-0.5 size-5 fill-current" />}
      </span>
      {row.mediaSize !== null && (
        <span className="absolute bottom-2 left-2.5 text-xs tabular-nums opacity-90">
          {fileSize(row.mediaSize, i18n.locale)}
        </span>
      )}
    </button>
  )
}

function AudioMedia({ row, delivery }: MediaProps) {
  const [wanted, setWanted] = useState(false)
  const media = useMedia(mediaSource(row, delivery), wanted)
  if (media.error) return <BrokenMedia className="h-16 w-64" message={errorText(media.error)} onRetry={media.retry} />
  if (row.mediaState === 'pending' && mediaSource(row, delivery) === null) return <PendingMedia />
  return (
    <AudioPlayer
      url={media.url}
      loading={media.loading}
      onWanted={() => setWanted(true)}
      isVoice={row.isVoice}
      seconds={row.mediaSeconds}
      waveform={row.waveform}
      own={row.fromMe}
    />
  )
}

function DocumentMedia({ row, delivery }: MediaProps) {
  const { t, i18n } = useLingui()
  const [wanted, setWanted] = useState(false)
  const source = mediaSource(row, delivery)
  const media = useMedia(source, wanted)
  const name = row.mediaName ?? t`documento`
  const kind = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase()
  const { blob } = media
  useEffect(() => {
    // Asked for by the click that made it wanted; later clicks save at once.
    if (wanted && blob) saveBlob(blob, name)
  }, [wanted, blob, name])
  const details = [kind, row.mediaSize === null ? null : fileSize(row.mediaSize, i18n.locale)]
    .filter(Boolean)
    .join(' · ')
  return (
    <button
      type="button"
      disabled={source === null}
      onClick={() => {
        if (media.blob) saveBlob(media.blob, name)
        else if (media.error) media.retry()
        else setWanted(true)
      }}
      className="focus-ring flex w-72 max-w-full items-center gap-3 rounded-md bg-foreground/5 p-2.5 text-left hover:bg-foreground/9"
    >
      <span className="flex size-9 shrink-0 items-center justify-center rounded-md bg-card text-primary-soft-foreground">
        <FileText aria-hidden="true" className="size-5" strokeWidth={1.75} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="sr-only">
          <Trans>Baixar</Trans>
        </span>
        <span className="block truncate text-[0.8125rem] font-medium">{name}</span>
        <span
          // On this ground, in a bubble of ours, the muted colour would be too pale.
          className={cn('block text-xs', media.error ? 'text-destructive-soft-foreground' : 'text-foreground/75')}
        >
          {media.error ? errorText(media.error) : details || <Trans>Documento</Trans>}
        </span>
      </span>
      {source === null || media.loading ? (
        <Spinner className="text-muted-foreground" />
      ) : (
        <Download aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      )}
    </button>
  )
}

function PendingMedia() {
  return (
    <p className="flex h-12 w-56 items-center gap-2.5 text-xs text-muted-foreground">
      <Spinner />
      <Trans>Baixando do WhatsApp…</Trans>
    </p>
  )
}

function FailedMedia() {
  return (
    <p className="flex w-64 max-w-full items-start gap-2 rounded-md bg-foreground/5 px-2.5 py-2 text-xs text-muted-foreground">
      <ImageOff aria-hidden="true" className="mt-px size-4 shrink-0" />
      <Trans>O WhatsApp já não tem este arquivo. Peça ao contato que o envie de novo.</Trans>
    </p>
  )
}

function BrokenMedia({ className, message, onRetry }: { className: string; message: string; onRetry: () => void }) {
  return (
    <div
      className={cn(
        'flex flex-col items-center justify-center gap-1.5 rounded-md bg-foreground/5 p-2 text-center text-xs text-muted-foreground',
        className,
      )}
    >
      <span className="flex items-center gap-1.5">
        <CircleAlert aria-hidden="true" className="size-4" />
        {message}
      </span>
      <Button variant="ghost" size="sm" onClick={onRetry}>
        <RotateCw className="size-3.5" />
        <Trans>Tentar de novo</Trans>
      </Button>
    </div>
  )
}

function PlaceCard({ body }: { body: string }) {
  const { t } = useLingui()
  const place = useMemo(() => parsePlace(body), [body])
  const card = (
    <>
      {place.thumbnail ? (
        <img src={place.thumbnail} alt="" className="h-32 w-full object-cover" />
      ) : (
        <span className="flex h-24 w-full items-center justify-center bg-[repeating-linear-gradient(45deg,transparent,transparent_14px,oklch(from_var(--foreground)_l_c_h/0.05)_14px,oklch(from_var(--foreground)_l_c_h/0.05)_28px)]">
          <MapPin aria-hidden="true" className="size-7 text-destructive" />
        </span>
      )}
      <span className="flex items-center gap-2 px-2.5 py-2">
        <span className="min-w-0 flex-1 truncate text-[0.8125rem] font-medium">
          {place.label && <span className="sr-only select-none">{t`Localização`}: </span>}
          {place.label || t`Localização`}
        </span>
        {place.mapUrl && <ExternalLink aria-hidden="true" className="size-3.5 shrink-0 text-muted-foreground" />}
      </span>
    </>
  )
  const look = 'block w-72 max-w-full overflow-hidden rounded-md bg-foreground/5'
  if (!place.mapUrl) return <div className={look}>{card}</div>
  return (
    <a
      href={place.mapUrl}
      target="_blank"
      rel="noopener noreferrer"
      className={cn('focus-ring hover:bg-foreground/9', look)}
    >
      {card}
      <span className="sr-only">
        {' '}
        <Trans>Abrir no mapa</Trans>
      </span>
    </a>
  )
}

function ContactCards({ body, onWriteTo }: { body: string; onWriteTo: (number: string) => void }) {
  const { t } = useLingui()
  const cards = useMemo(() => parseCards(body), [body])
  if (cards.length === 0) return <p className="text-muted-foreground">{t`Cartão de contato ilegível`}</p>
  return (
    <ul className="flex w-72 max-w-full flex-col gap-1.5">
      {cards.map((card, index) => (
        <li key={index} className="rounded-md bg-foreground/5 p-2.5">
          <div className="flex items-center gap-2.5">
            <Avatar name={card.name} />
            <div className="min-w-0 flex-1">
              <p className="truncate text-[0.8125rem] font-medium">
                <span className="sr-only select-none">{t`Cartão de contato`}: </span>
                {card.name}
              </p>
              {card.organization && <p className="truncate text-xs text-muted-foreground">{card.organization}</p>}
            </div>
          </div>
          {card.phones.map((phone) => (
            <Phone key={phone.text} text={phone.text} dialled={phone.dialled} onWriteTo={onWriteTo} />
          ))}
          {card.emails.map((address) => (
            <a
              key={address}
              href={`mailto:${address}`}
              className="focus-ring mt-1 block truncate rounded-sm text-xs hover:underline"
            >
              {address}
            </a>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** A number of a card, with the contact it already is. */
function Phone({ text, dialled, onWriteTo }: { text: string; dialled: string; onWriteTo: (number: string) => void }) {
  const digits = withCountry(dialled, useCallingCode())
  const known = useKnownContact(digits)
  const { icon: Icon, label, run } = useTalk(digits, onWriteTo)
  return (
    <div className="mt-1.5 flex items-center gap-2 text-xs">
      <span className="min-w-0 flex-1">
        {digits ? (
          <a href={`tel:${digits}`} className="focus-ring block truncate rounded-sm tabular-nums hover:underline">
            {/^\+\d+$/.test(text) ? phoneText(digits) : text}
          </a>
        ) : (
          <span className="block truncate tabular-nums">{text}</span>
        )}
        <span className="block text-muted-foreground">
          {known && <Trans>Nos contatos: {known}</Trans>}
          {known === null && <Trans>Ainda não está nos contatos</Trans>}
        </span>
      </span>
      {digits.length >= 8 && (
        <Button variant="outline" size="sm" className="h-6.5 touch:h-9" onClick={run}>
          <Icon className="size-3.5" />
          {label}
        </Button>
      )}
    </div>
  )
}
