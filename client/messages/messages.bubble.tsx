import { Trans, useLingui } from '@lingui/react/macro'
import { Ban, Check, CheckCheck, CircleAlert, Clock3, RotateCw, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { useOutbox } from '../replica/replica-hooks.ts'
import { errorCodeText } from '../session/error-text.ts'
import { dateText } from '../i18n/dates.ts'
import { isNotice, type MediaType, type NoticeKind, noticeIcons } from '../../schema/messages/messages.content.ts'
import { remarkOf, TAKEN_BACK } from '../../schema/messages/messages.own.ts'
import { clip } from '../../schema/texts.ts'
import { Button } from '../ui/button.tsx'
import type { Delivery } from '../base/thread.ts'
import { cn } from '../ui/cn.ts'
import { hueOf } from '../ui/avatar-text.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { BubbleMedia, captionOf } from './messages.bubble-media.tsx'
import { About, TemplateButtons, useNoticeWords } from './messages.bubble-notice.tsx'
import { cloudFailureText } from '../kit/cloud-failures.ts'
import { FormattedText } from '../kit/formatted-text.tsx'
import type { MessageRow } from './messages.rows.ts'
import { plainText } from '../kit/text-tree.ts'
import { isSignedBy, splitSignature } from '../kit/signature.ts'
import { ackMark, countReactions, wasOvertaken, type AckMark, type WaitsFor } from './messages.thread.ts'

/** What a bubble can ask of its conversation. One object for the life of the conversation. */
export interface BubbleActions {
  openMenu: (row: MessageRow, at: { x: number; y: number }, kind: 'menu' | 'react') => void
  openImage: (row: MessageRow) => void
  jumpTo: (messageId: string) => void
  writeTo: (number: string) => void
  react: (row: MessageRow, emoji: string) => void
  retry: (row: MessageRow, entryId: string | null) => void
  discard: (entryId: string) => void
}

export interface BubbleProps {
  row: MessageRow
  deliveryState: Delivery['state'] | null
  entryId: string | null
  errorCode: string | null
  /** What a message of ours that is not on its way waits for. */
  waitsFor: WaitsFor | null
  first: boolean
  last: boolean
  /** The message answered to; null while it is unknown, undefined where nothing is quoted. */
  quoted: MessageRow | null | undefined
  /** Who wrote it, where that is worth saying: colleagues, and people in groups. */
  author: string | null
  quotedAuthor: string | null
  /** The reader may act: answer, edit. */
  writable: boolean
  /** The reader may react, and the connection offers it. */
  reactable: boolean
  actions: BubbleActions
}

/** One message. Everything it needs comes as plain values, so that it is drawn again only when it says something else. */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { row, first, last, author, actions, reactable, quoted } = props
  const { t, i18n } = useLingui()
  const own = row.fromMe
  const delivery: Delivery | null = props.deliveryState
    ? { state: props.deliveryState, entryId: props.entryId, error: null }
    : null
  const mark = own ? ackMark(row, delivery) : null
  const remark = own && !delivery ? remarkOf(row) : null
  const caption = captionOf(row)
  const bare = row.mediaType === 'sticker' && !row.isDeleted
  const reactions = row.reactions.length > 0 ? countReactions(row.reactions) : null
  return (
    <div
      className={cn('flex px-3 sm:px-5', own && 'flex-row-reverse', first ? 'pt-2' : 'pt-0.5', reactions && 'pb-3.5')}
    >
      <div
        id={`bubble-${row.id}`}
        data-bubble={own ? 'own' : 'theirs'}
        onContextMenu={(event) => {
          // Selected text and links keep the browser's own menu.
          if (getSelection()?.toString() || (event.target as Element).closest('a, video')) return
          event.preventDefault()
          actions.openMenu(row, { x: event.clientX, y: event.clientY }, 'menu')
        }}
        className={cn(
          'relative min-w-0 max-w-[min(34rem,82%)] rounded-xl text-[0.8125rem] leading-[1.45] touch:text-[0.9375rem]',
          bare ? '' : 'px-2.5 pt-1.5 pb-1.5 shadow-xs',
          !bare && (own ? 'bg-bubble-out' : 'bg-bubble-in'),
          !bare && last && (own ? 'rounded-br-sm' : 'rounded-bl-sm'),
          mark === 'failed' && 'ring-1 ring-destructive/45',
          row.isDeleted && 'text-muted-foreground',
          'data-editing:scroll-my-2 data-editing:inset-ring-2 data-editing:inset-ring-primary',
        )}
      >
        {first && author && !bare && !isSignedBy(row.body, author) && (
          <p
            className="mb-0.5 truncate text-xs font-semibold text-[oklch(0.46_0.11_var(--hue))] dark:text-[oklch(0.8_0.09_var(--hue))]"
            style={{ '--hue': hueOf(author) } as React.CSSProperties}
          >
            {author}
          </p>
        )}
        {!(first && author) && (
          // Colour and side tell who wrote it; to those who do not see them, a word does, which is not copied along.
          <span className="sr-only select-none">{own ? t`Nós:` : author ? `${author}:` : t`Contato:`} </span>
        )}
        {quoted !== undefined && (
          <Quote row={quoted} author={props.quotedAuthor} onJump={() => quoted && actions.jumpTo(quoted.id)} />
        )}
        {row.about && row.about.is !== 'pix' && quoted === undefined && <About about={row.about} />}
        {row.isDeleted && (
          <p className="flex items-start gap-1.5 text-muted-foreground italic">
            <Ban aria-hidden="true" className="mt-[0.2em] size-3.5 shrink-0" />
            <DeletedWords row={row} />
          </p>
        )}
        <div className="relative">
          <div className={cn(row.isDeleted && 'line-through decoration-muted-foreground/50')}>
            <BubbleMedia row={row} delivery={delivery} onOpenImage={actions.openImage} onWriteTo={actions.writeTo} />
            {row.about?.is === 'pix' && <About about={row.about} />}
            {caption !== '' && (
              // The time stays in the right corner, where a line from right to left begins.
              <div dir="auto" className={cn('[&:dir(rtl)]:pb-3.5', row.mediaType !== 'chat' && 'mt-1')}>
                <FormattedText text={caption} messageId={row.id} isCut={row.isCut} />
                {/* Keeps the last line free of the time, which lies in the corner. */}
                <span
                  aria-hidden="true"
                  className={cn('inline-block h-3', own ? 'w-17' : 'w-12', row.isEdited && (own ? 'w-29' : 'w-24'))}
                />
              </div>
            )}
          </div>
          <span
            className={cn(
              'flex items-center justify-end gap-1 text-[0.6875rem] leading-none text-muted-foreground select-none',
              caption !== '' ? 'absolute right-0 bottom-0.5' : 'mt-1',
              bare && 'absolute right-1 bottom-1 rounded-full bg-card/85 px-1.5 py-1',
            )}
          >
            {row.isEdited && <Edited row={row} />}
            <time dateTime={new Date(row.createdAt).toISOString()} className="tabular-nums">
              {dateText(i18n.locale, row.createdAt, 'time')}
            </time>
            {mark && <Ack mark={mark} waitsFor={props.waitsFor} />}
          </span>
        </div>
        {reactions && (
          <span className={cn('absolute -bottom-3.5 flex gap-1', own ? 'right-2' : 'left-2')}>
            {reactions.map(({ emoji, count, mine }) => (
              <button
                key={emoji}
                type="button"
                disabled={!reactable}
                aria-pressed={mine}
                aria-label={mine ? t`${emoji}: ${count}, retirar a sua reação` : t`${emoji}: ${count}, reagir também`}
                onClick={() => actions.react(row, mine ? '' : emoji)}
                className={cn(
                  'focus-ring flex h-5.5 items-center gap-1 rounded-full border px-1.5 text-xs shadow-xs',
                  mine ? 'border-primary/40 bg-primary-soft' : 'bg-card',
                )}
              >
                {emoji}
                {count > 1 && <span className="text-[0.6875rem] text-muted-foreground tabular-nums">{count}</span>}
              </button>
            ))}
          </span>
        )}
        {row.about?.is === 'template' && !row.isDeleted && <TemplateButtons buttons={row.about.buttons} />}
        {delivery?.entryId && delivery.state !== 'failed' && row.mediaType !== 'chat' && (
          <Uploading entryId={delivery.entryId} onCancel={actions.discard} />
        )}
        {props.waitsFor && mark !== 'failed' && (
          <p className="mt-1 text-right text-[0.6875rem] text-muted-foreground">
            {props.waitsFor === 'network' ? <Trans>não enviada: sem rede</Trans> : <Trans>aguardando a conexão</Trans>}
          </p>
        )}
        {remark && !row.isDeleted && (
          <p className="mt-1 text-right text-[0.6875rem] text-muted-foreground">
            {remark === 'held_back' ? (
              <Trans>o WhatsApp a segura enquanto avalia o modelo</Trans>
            ) : (
              <Trans>pode ter chegado duas vezes: o WhatsApp não respondeu à primeira</Trans>
            )}
          </p>
        )}
        {mark === 'failed' && <Failure {...props} />}
      </div>
    </div>
  )
})

/** What became of a deleted message: who deleted it, and whether anybody had it. */
function DeletedWords({ row }: { row: MessageRow }) {
  if (!row.fromMe) return <Trans>O contato apagou esta mensagem</Trans>
  if (wasOvertaken(row)) return <Trans>Não enviada: a conversa seguiu antes</Trans>
  if (row.ackError === TAKEN_BACK) return <Trans>Apagada antes de ser enviada</Trans>
  return <Trans>Mensagem apagada</Trans>
}

/** How much of a file has left, and the way to call it back. */
function Uploading({ entryId, onCancel }: { entryId: string; onCancel: (entryId: string) => void }) {
  const { t } = useLingui()
  const part = useOutbox().find(({ id }) => id === entryId)?.uploaded
  const percent = Math.round((part ?? 0) * 100)
  return (
    <p className="mt-1 flex items-center justify-end gap-2 text-[0.6875rem] text-muted-foreground">
      {part !== undefined && (
        <>
          <progress
            value={percent}
            max={100}
            aria-label={t`Envio do arquivo`}
            className="h-1 w-24 overflow-hidden rounded-full accent-primary"
          />
          <span className="tabular-nums">{percent}%</span>
        </>
      )}
      <button
        type="button"
        onClick={() => onCancel(entryId)}
        className="focus-ring rounded-sm font-medium text-foreground underline-offset-2 hover:underline touch:min-h-9"
      >
        <Trans>Cancelar o envio</Trans>
      </button>
    </p>
  )
}

const ackIcons = { clock: Clock3, sent: Check, delivered: CheckCheck, read: CheckCheck, failed: CircleAlert }

/** The ticks of an own message, in words for who asks. */
function Ack({ mark, waitsFor }: { mark: AckMark; waitsFor: WaitsFor | null }) {
  const { t } = useLingui()
  const words = {
    clock: t`Na fila de envio`,
    sent: t`Enviada`,
    delivered: t`Entregue`,
    read: t`Lida`,
    failed: t`Não enviada`,
  }
  const reasons = {
    network: t`Sem rede: será enviada assim que ela voltar`,
    connection: t`O WhatsApp está desconectado: será enviada assim que ele voltar`,
  }
  const Icon = ackIcons[mark]
  return (
    <Tooltip content={waitsFor ? reasons[waitsFor] : words[mark]} side="top">
      <Icon
        role="img"
        aria-label={words[mark]}
        className={cn(
          mark === 'clock' || mark === 'failed' ? 'size-3' : 'size-3.5',
          mark === 'read' && 'text-tick-read',
          mark === 'failed' && 'size-3.5 text-destructive',
        )}
      />
    </Tooltip>
  )
}

function Edited({ row }: { row: MessageRow }) {
  const { i18n } = useLingui()
  return (
    <Tooltip
      disabled={row.earlierBodies.length === 0}
      content={row.earlierBodies
        .map(({ at, body }) => `${dateText(i18n.locale, new Date(at), 'moment')}\n${clip(plainText(body), 300)}`)
        .join('\n\n')}
    >
      <span tabIndex={row.earlierBodies.length > 0 ? 0 : undefined} className="focus-ring rounded-sm">
        <Trans>editada</Trans>
      </span>
    </Tooltip>
  )
}

/** The message answered to, in short. */
export function Quote({
  row,
  author,
  onJump,
  className,
}: {
  row: MessageRow | null
  author: string | null
  onJump?: () => void
  className?: string
}) {
  const { t } = useLingui()
  const words = useMediaWords()
  const content = (
    <>
      <span className="block truncate text-xs font-semibold text-primary-soft-foreground">
        {row === null ? t`Mensagem anterior` : row.fromMe ? (author ?? t`Nós`) : (author ?? t`Contato`)}
      </span>
      <span className="line-clamp-2 text-xs wrap-anywhere text-muted-foreground">
        {row === null ? (
          <Trans>Não está neste navegador</Trans>
        ) : row.isDeleted ? (
          <Trans>Mensagem apagada</Trans>
        ) : (
          // Who wrote it stands above.
          plainText(splitSignature(captionOf(row)).text) || words(row)
        )}
      </span>
    </>
  )
  const look = cn(
    'mb-1 block w-full min-w-32 rounded-md border-l-[3px] border-primary bg-foreground/5 px-2 py-1 text-left',
    className,
  )
  if (!onJump || row === null) return <div className={look}>{content}</div>
  return (
    <button type="button" onClick={onJump} className={cn('focus-ring hover:bg-foreground/9', look)}>
      {/* What was quoted is what one wants to hear. */}
      <span className="sr-only select-none">{t`Ir para a mensagem citada`}: </span>
      {content}
    </button>
  )
}

/** What a message without words is called. */
export function useMediaWords() {
  const { t } = useLingui()
  const notices = useNoticeWords()
  const words: Record<Exclude<MediaType, NoticeKind>, (row: MessageRow) => string> = {
    chat: ({ body }) => body,
    reactionMessage: ({ body }) => body,
    image: () => `📷 ${t`Imagem`}`,
    video: () => `🎬 ${t`Vídeo`}`,
    audio: ({ isVoice }) => (isVoice ? `🎤 ${t`Mensagem de voz`}` : `🎵 ${t`Áudio`}`),
    application: ({ mediaName }) => `📄 ${mediaName ?? t`Documento`}`,
    sticker: () => `🩷 ${t`Figurinha`}`,
    locationMessage: () => `📍 ${t`Localização`}`,
    contactMessage: () => `👤 ${t`Contato`}`,
    vcard: () => `👤 ${t`Contato`}`,
    call_log: () => `📞 ${t`Chamada perdida`}`,
  }
  return (row: MessageRow): string => {
    if (isNotice(row.mediaType)) return `${noticeIcons[row.mediaType]} ${notices[row.mediaType]}`
    // A newer server may know a kind that this page does not.
    return words[row.mediaType]?.(row) ?? row.body
  }
}

function Failure({ row, entryId, errorCode, writable, actions }: BubbleProps) {
  const { t } = useLingui()
  const code = errorCode ?? row.ackError ?? ''
  const official = cloudFailureText(code)
  return (
    <div
      role="alert"
      className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 border-t border-destructive/25 pt-1.5 text-xs text-destructive-soft-foreground"
    >
      <span className="min-w-0 flex-1">
        {code.startsWith('ERR_') ? (
          errorCodeText(code)
        ) : code === 'NETWORK' ? (
          <Trans>A rede falhou.</Trans>
        ) : official ? (
          t(official)
        ) : (
          <Trans>O WhatsApp recusou a mensagem ({code}).</Trans>
        )}
      </span>
      <span className="flex">
        {writable && (
          <Button variant="ghost" size="sm" className="h-6.5 touch:h-9" onClick={() => actions.retry(row, entryId)}>
            <RotateCw className="size-3.5" />
            <Trans>Reenviar</Trans>
          </Button>
        )}
        {entryId !== null && (
          <Button
            variant="destructive-ghost"
            size="sm"
            className="h-6.5 touch:h-9"
            onClick={() => actions.discard(entryId)}
          >
            <Trash2 className="size-3.5" />
            <Trans>Descartar</Trans>
          </Button>
        )}
      </span>
    </div>
  )
}
