import { useLingui } from '@lingui/react/macro'
import { Suspense, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Ref } from 'react'
import { late } from '../base/late.tsx'
import { copyText } from '../base/copy-text.ts'
import { isFocusLost } from '../base/focus-lost.ts'
import { whenUncovered } from '../base/when-uncovered.ts'
import { toastError } from '../session/failure.tsx'
import { ApiError } from '../session/api.ts'
import { useOnline } from '../replica/use-online.ts'
import { useReplica } from '../replica/replica.tsx'
import { usePlanFeature } from '../session/plan.ts'
import { useStore } from '../base/store.ts'
import { usePrincipal } from '../session/session.tsx'
import { clip } from '../../schema/texts.ts'
import { useOffers } from '../replica/offers.ts'
import { perform } from '../session/perform.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { toast } from '../ui/toaster.tsx'
import { captionOf } from './messages.bubble-media.tsx'
import type { BubbleActions } from './messages.bubble.tsx'
import { homeCode } from '../../schema/contacts/contacts.phone.ts'
import { useCallingCode } from '../session/company-country.ts'
import { PhonesContext } from '../kit/formatted-text.tsx'
import { PhoneMenu } from './messages.phone-menu.tsx'
import { Lightbox } from './messages.lightbox.tsx'
import { canEdit } from './messages.may.ts'
import { canAskWhy, MessageMenu, type MenuRequest } from './messages.menu.tsx'
import { type MessageRow, writtenAt } from './messages.rows.ts'
import { plainText } from '../kit/text-tree.ts'
import { ScheduledMessages } from './messages.scheduled.tsx'
import { ThreadView } from './messages.thread-view.tsx'
import { TypingLine } from './messages.typing-line.tsx'
import { useReading, useUnreadLine } from './messages.use-reading.ts'
import { useThread } from './messages.use-thread.ts'
import { sought, wantedMessage } from './messages.open-at.ts'
import { wholeText } from '../kit/whole-text.ts'

const WhyDialog = late(() => import('../automation/automation.why-dialog.tsx'))

export interface MessagesHandle {
  /** Up in an empty composer edits what was written last, as in other chats. */
  editLast: () => void
}

/** The messages of a ticket and what is done with one of them. Give it the ticket's id as key. */
export function Messages({
  ticket,
  remote,
  preview,
  writable,
  editingId,
  onReply,
  onEdit,
  onDelete,
  onWriteTo,
  ref,
}: {
  ticket: TicketRow
  remote: boolean
  preview: boolean
  writable: boolean
  /** The message that is being changed. */
  editingId: string | null
  onReply: (row: MessageRow) => void
  onEdit: (row: MessageRow) => void
  onDelete: (row: MessageRow) => void
  onWriteTo: ((number: string) => void) | undefined
  ref: Ref<MessagesHandle>
}) {
  const { t } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const offers = useOffers(ticket.whatsappId)
  const thread = useThread(ticket, remote)
  const schedules = usePlanFeature('useSchedules')
  const unread = useUnreadLine(thread.messages)
  const [menu, setMenu] = useState<MenuRequest | null>(null)
  // The message that a menu, or what it led to, was opened from.
  const opener = useRef<HTMLElement | null>(null)
  const isOver = menu === null
  useEffect(
    () =>
      isOver && opener.current
        ? whenUncovered(() => isFocusLost() && opener.current?.focus({ preventScroll: true }))
        : undefined,
    [isOver],
  )
  const [imageId, setImageId] = useState<string | null>(null)
  const [asked, setAsked] = useState<MessageRow | null>(null)
  const [jump, setJump] = useState<{ id: string } | null>(null)
  const { messages, reach, reachFar } = thread
  const online = useOnline()
  const ticketId = ticket.id

  useReading(ticket, preview ? undefined : messages)

  const latest = useRef({ messages, reach, reachFar, online, onWriteTo })
  useEffect(() => {
    latest.current = { messages, reach, reachFar, online, onWriteTo }
  })
  const jumpTo = useCallback(
    async (id: string) => {
      const known = latest.current.messages?.some(({ row }) => row.id === id)
      if (!known) {
        // Further up than what is drawn: the window is widened to it, if the replica has it in this ticket; else the
        // server shows what is around it.
        const quotedAt = await writtenAt(replica, ticketId, id)
        if (quotedAt !== null) await latest.current.reach(quotedAt)
        else {
          if (!latest.current.online) return void toast.info(t`Esta mensagem não está neste navegador: só com rede`)
          try {
            await latest.current.reachFar(id)
          } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 404) throw error
            return void toast.info(t`A mensagem citada não está neste atendimento`)
          }
        }
      }
      setJump({ id })
    },
    [replica, ticketId, t],
  )
  const wanted = useStore(wantedMessage)
  const isHere = messages !== undefined
  useEffect(() => {
    if (!isHere || wanted?.ticketId !== ticketId) return
    wantedMessage.set(null)
    jumpTo(wanted.messageId).catch(toastError)
  }, [wanted, isHere, ticketId, jumpTo])
  const react = useCallback(
    (row: MessageRow, emoji: string) => void perform(replica, 'messages.react', { messageId: row.id, emoji }),
    [replica],
  )
  const retry = useCallback(
    (row: MessageRow, entryId: string | null) => {
      if (entryId !== null) replica.outbox.retry(entryId).catch(toastError)
      else void perform(replica, 'messages.retry', { messageId: row.id })
    },
    [replica],
  )
  const actions = useMemo<BubbleActions>(
    () => ({
      openMenu: (row, at, kind) => {
        opener.current = document.activeElement?.closest<HTMLElement>('[data-message]') ?? null
        setMenu({ row, at, kind })
      },
      openImage: (row) => setImageId(row.id),
      jumpTo: (id) => {
        sought.set(null)
        jumpTo(id).catch(toastError)
      },
      writeTo: (number) => latest.current.onWriteTo?.(number),
      react,
      retry,
      discard: (entryId) => void replica.outbox.discard(entryId).catch(toastError),
    }),
    [jumpTo, react, retry, replica],
  )
  useImperativeHandle(
    ref,
    () => ({
      editLast: () => {
        const last = latest.current.messages?.findLast(
          ({ row, delivery }) => row.authorId === who.userId && delivery === null && canEdit(row, offers, Date.now()),
        )
        if (last) onEdit(last.row)
      },
    }),
    [who.userId, onEdit, offers],
  )

  const images = useMemo(
    () =>
      imageId === null
        ? []
        : (messages ?? []).map(({ row }) => row).filter((row) => row.mediaType === 'image' && !row.isDeleted),
    [imageId, messages],
  )
  const isBrazilian = useCallingCode() === homeCode
  const canWriteTo = onWriteTo !== undefined
  const { writeTo } = actions
  const phones = useMemo(() => {
    if (!canWriteTo) return null
    const Phone = (props: { text: string; digits: string }) => <PhoneMenu {...props} onWriteTo={writeTo} />
    return { Phone, isBrazilian }
  }, [canWriteTo, writeTo, isBrazilian])
  const menuQueued =
    menu !== null && (messages?.some(({ row, delivery }) => row.id === menu.row.id && delivery !== null) ?? false)

  return (
    <>
      <PhonesContext value={phones}>
        <ThreadView
          ticket={ticket}
          thread={thread}
          unread={unread}
          writable={writable}
          actions={actions}
          jump={jump}
          editingId={editingId}
          typing={
            <>
              {schedules && !preview && <ScheduledMessages ticket={ticket} />}
              <TypingLine ticketId={ticketId} />
            </>
          }
        />
      </PhonesContext>
      {menu && (
        <MessageMenu
          request={menu}
          writable={writable}
          offers={offers}
          queued={menuQueued}
          explained={canAskWhy(menu.row, ticket.isGroup)}
          onClose={() => setMenu((now) => (now === menu ? null : now))}
          onMore={() => setMenu({ ...menu, kind: menu.kind === 'menu' ? 'react' : 'all-emoji' })}
          onReply={onReply}
          onReact={react}
          onCopy={(row) => {
            const text = row.isCut ? wholeText(row.id) : Promise.resolve(captionOf(row))
            text.then(async (text) => {
              if (await copyText(text)) toast.success(t`Texto copiado`)
              else toast.error(t`O navegador não permitiu copiar`)
            }, toastError)
          }}
          onEdit={onEdit}
          onDelete={onDelete}
          onRetry={(row) => retry(row, null)}
          onWhy={setAsked}
        />
      )}
      <Suspense fallback={null}>
        {asked && (
          <WhyDialog
            messageId={asked.id}
            fromMe={asked.fromMe}
            text={clip(plainText(captionOf(asked)), 160)}
            onClose={() => setAsked(null)}
          />
        )}
      </Suspense>
      {imageId !== null && (
        <Lightbox images={images} id={imageId} onChange={setImageId} onClose={() => setImageId(null)} />
      )}
    </>
  )
}
