import { Trans, useLingui } from '@lingui/react/macro'
import { CircleHelp, Copy, Pencil, Plus, Reply, RotateCw, SmilePlus, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { onDemand } from '../base/late.tsx'
import type { Capabilities } from '../../schema/whatsapps/whatsapps.providers.ts'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { Popover, PopoverAnchor, PopoverContent } from '../ui/popover.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { canEdit, canTakeBack } from './messages.may.ts'
import type { MessageRow } from './messages.rows.ts'
import { captionOf } from './messages.bubble-media.tsx'

const EmojiPicker = onDemand(() => import('./messages.emoji-picker.tsx'))

/** The reactions that a phone offers first. */
const quickReactions = ['👍', '❤️', '😂', '😮', '😢', '🙏']

export interface MenuRequest {
  row: MessageRow
  at: { x: number; y: number }
  kind: 'menu' | 'react' | 'all-emoji'
}

/** What no agent wrote: the contact did, or a rule had it sent. In groups nothing is answered automatically. */
export const canAskWhy = (row: MessageRow, isGroup: boolean): boolean =>
  !isGroup && (row.fromMe ? row.authorId === null : true)

/** One menu for all bubbles, opened where it was asked for. */
export function MessageMenu({
  request,
  writable,
  offers,
  queued,
  explained,
  onClose,
  onMore,
  onReply,
  onReact,
  onCopy,
  onEdit,
  onDelete,
  onRetry,
  onWhy,
}: {
  request: MenuRequest
  writable: boolean
  /** What the connection of the ticket offers. */
  offers: Capabilities
  /** The message has not left yet: nothing can refer to it. */
  queued: boolean
  /** It can be asked why it was answered so, or sent. */
  explained: boolean
  onClose: () => void
  onMore: () => void
  onReply: (row: MessageRow) => void
  onReact: (row: MessageRow, emoji: string) => void
  onCopy: (row: MessageRow) => void
  onEdit: (row: MessageRow) => void
  onDelete: (row: MessageRow) => void
  onRetry: (row: MessageRow) => void
  onWhy: (row: MessageRow) => void
}) {
  const { t } = useLingui()
  const [now] = useState(() => Date.now())
  const { row, at, kind } = request
  const anchor = { position: 'fixed', left: at.x, top: at.y, width: 1, height: 1 } as const
  const active = writable && !queued && !row.isDeleted
  const mine = row.reactions.find((reaction) => reaction.by === 'me')?.emoji
  const react = (emoji: string) => {
    onReact(row, emoji === mine ? '' : emoji)
    onClose()
  }
  const reactions = (
    <div role="group" aria-label={t`Reagir`} className="flex items-center gap-0.5 p-0.5">
      {quickReactions.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-label={t`Reagir com ${emoji}`}
          aria-pressed={emoji === mine}
          onClick={() => react(emoji)}
          className="focus-ring flex size-8 items-center justify-center rounded-md text-xl leading-none hover:bg-accent aria-pressed:bg-primary-soft touch:size-11"
        >
          {emoji}
        </button>
      ))}
      <button
        type="button"
        aria-label={t`Mais emojis`}
        onClick={onMore}
        className="focus-ring flex size-8 items-center justify-center rounded-md text-muted-foreground hover:bg-accent touch:size-11"
      >
        <Plus className="size-4" />
      </button>
    </div>
  )
  if (kind !== 'menu') {
    return (
      <Popover open onOpenChange={(open) => !open && onClose()}>
        <PopoverAnchor style={anchor} />
        <PopoverContent side="top" className="w-auto p-0.5">
          {kind === 'react' ? (
            reactions
          ) : (
            <Suspense fallback={<Spinner className="m-8" />}>
              <EmojiPicker columns={9} onPick={react} />
            </Suspense>
          )}
        </PopoverContent>
      </Popover>
    )
  }
  const text = captionOf(row)
  return (
    <DropdownMenu open onOpenChange={(open) => !open && onClose()} modal={false}>
      <DropdownMenuTrigger asChild>
        <span aria-hidden="true" style={anchor} />
      </DropdownMenuTrigger>
      <DropdownMenuContent align={row.fromMe ? 'end' : 'start'} sideOffset={2} aria-label={t`Ações da mensagem`}>
        {active && (
          <>
            <DropdownMenuItem onSelect={() => onReply(row)}>
              <Reply />
              <Trans>Responder</Trans>
            </DropdownMenuItem>
            {offers.react && (
              <DropdownMenuItem onSelect={onMoreLater(onMore)}>
                <SmilePlus />
                <Trans>Reagir</Trans>
              </DropdownMenuItem>
            )}
          </>
        )}
        {text !== '' && (
          <DropdownMenuItem onSelect={() => onCopy(row)}>
            <Copy />
            <Trans>Copiar texto</Trans>
          </DropdownMenuItem>
        )}
        {row.fromMe && row.ack === 0 && row.ackError !== null && !row.isDeleted && (
          <DropdownMenuItem onSelect={() => onRetry(row)}>
            <RotateCw />
            <Trans>Reenviar</Trans>
          </DropdownMenuItem>
        )}
        {active && canEdit(row, offers, now) && (
          <DropdownMenuItem onSelect={() => onEdit(row)}>
            <Pencil />
            <Trans>Editar</Trans>
          </DropdownMenuItem>
        )}
        {explained && !queued && (
          <DropdownMenuItem onSelect={() => onWhy(row)}>
            <CircleHelp />
            <Trans>Por quê?</Trans>
          </DropdownMenuItem>
        )}
        {active && canTakeBack(row, offers, now) && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem destructive onSelect={() => onDelete(row)}>
              <Trash2 />
              <Trans>Apagar para todos</Trans>
            </DropdownMenuItem>
          </>
        )}
        {!active && text === '' && !(explained && !queued) && (
          <DropdownMenuItem disabled>
            <Trans>Nenhuma ação disponível</Trans>
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** After the menu has closed and given the focus back, so that it does not take it from the picker. */
const onMoreLater = (then: () => void) => () => void setTimeout(then, 0)
