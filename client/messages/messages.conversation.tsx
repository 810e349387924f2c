import { useLingui } from '@lingui/react/macro'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { focusQuietly, hasFinePointer } from '../base/by-finger.ts'
import { isFocusLost } from '../base/focus-lost.ts'
import { late } from '../base/late.tsx'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { useActions } from '../kit/actions.ts'
import { useDirectory } from '../replica/directory.ts'
import { perform } from '../session/perform.ts'
import { offerUndo } from '../session/undo.ts'
import { whenUncovered } from '../base/when-uncovered.ts'
import { openerNow } from '../ui/return-focus.tsx'
import { writingState } from '../tickets/tickets.actions.ts'
import { wantRow } from '../tickets/tickets.row-focus.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { TypingWarning, useViewers } from '../tickets/tickets.viewers.tsx'
import { useContactName } from '../tickets/tickets.words.ts'
import { Composer, type ComposerHandle } from './messages.composer.tsx'
import { DropZone } from './messages.drop-zone.tsx'
import { Header } from './messages.header.tsx'
import { Messages, type MessagesHandle } from './messages.list.tsx'
import { OpenAction } from './messages.open-action.tsx'
import { RefusedCommands } from './messages.refused-commands.tsx'
import { MacroOffer } from '../macros/macros.offer.tsx'
import type { MessageRow } from './messages.rows.ts'
import { PutAside } from './messages.put-aside.tsx'
import { SupervisorCall } from './messages.supervisor-call.tsx'
import { useWindow } from './messages.use-window.ts'
import { useJoined } from './messages.use-joined.ts'

const FindBar = late(() => import('./messages.find-bar.tsx'))

export interface ConversationProps {
  ticket: TicketRow
  /** The ticket is not in the replica; its messages come from the server. */
  remote: boolean
  /** Only looking: nothing is marked read, nothing can be written. */
  preview?: boolean
  drawerOpen?: boolean
  onToggleDrawer?: (section?: 'tags' | 'notes') => void
  onTransfer?: () => void
  onMerge?: () => void
  onCallSupervisor?: () => void
  onSchedule?: () => void
  onWriteTo?: (number: string) => void
  /** On narrow screens: back to the list. */
  onBack?: (() => void) | undefined
}

/**
 * A ticket's conversation: header, messages, and where one writes. It stays when another ticket is opened: of its parts
 * only the messages are built anew.
 */
export function Conversation({
  ticket,
  remote,
  preview = false,
  drawerOpen = false,
  onToggleDrawer,
  onTransfer,
  onMerge,
  onCallSupervisor,
  onSchedule,
  onWriteTo,
  onBack,
}: ConversationProps) {
  const { t } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const { users } = useDirectory()
  const nameOf = useContactName()
  const composer = useRef<ComposerHandle>(null)
  const messages = useRef<MessagesHandle>(null)
  const talk = useWindow(ticket)
  const writable = !preview && writingState(ticket, who) === 'open' && talk?.is !== 'closed'
  const ticketId = ticket.id
  const [written, setWritten] = useState<Written>({ ticketId })
  const { reply = null, editing = null } = written.ticketId === ticketId ? written : nothing

  const [finding, setFinding] = useState<number | null>(null)
  /** Where the keyboard was when the search began. */
  const findFrom = useRef<Element | null>(null)
  const find = () => {
    findFrom.current = openerNow()
    setFinding(ticketId)
  }

  const wasWritable = useRef({ ticketId, writable })
  useEffect(() => {
    const before = wasWritable.current
    wasWritable.current = { ticketId, writable }
    if (!writable || before.writable || before.ticketId !== ticketId) return
    // The button that made it writable has gone. With a mouse the composer takes the focus.
    if (hasFinePointer()) return
    return whenUncovered(() => {
      if (isFocusLost()) focusQuietly(document.querySelector<HTMLElement>('[data-conversation]'))
    })
  }, [ticketId, writable])

  useJoined(ticketId)
  const viewers = useViewers(ticketId, !preview)

  useActions([
    {
      id: 'ticket.find',
      label: t`Buscar na conversa`,
      group: t`Este atendimento`,
      shortcut: 'f',
      when: !preview,
      run: find,
    },
    {
      id: 'ticket.write',
      label: t`Escrever na conversa`,
      group: t`Este atendimento`,
      shortcut: 'r',
      when: writable,
      run: () => composer.current?.focus(),
    },
  ])

  const startReply = useCallback((row: MessageRow) => setWritten({ ticketId, reply: row }), [ticketId])
  const startEdit = useCallback((row: MessageRow) => setWritten({ ticketId, editing: row }), [ticketId])
  const takeBack = useCallback(
    async ({ id: messageId }: MessageRow) => {
      const taken = perform(replica, 'messages.delete', { messageId, undoable: true })
      // The message that the menu was opened at is no place to go on from. A finger would only bring up the keyboard.
      if (hasFinePointer()) whenUncovered(() => composer.current?.focus())
      const withdraw = offerUndo(t`Mensagem apagada para todos`, () => {
        void taken.then((entry) => entry && perform(replica, 'messages.undelete', { messageId, commandId: entry.id }))
      })
      if (!(await taken)) withdraw()
    },
    [replica, t],
  )
  /** After a refusal on the spot, unless something else has been begun. */
  const replyAgain = useCallback(
    (row: MessageRow) => setWritten((now) => (now.reply || now.editing ? now : { ticketId: row.ticketId, reply: row })),
    [],
  )
  const done = useCallback(() => setWritten((now) => (now.reply || now.editing ? { ticketId } : now)), [ticketId])
  const editDone = useCallback(() => {
    done()
    requestAnimationFrame(() => composer.current?.focus())
  }, [done])
  const replyAuthor =
    reply === null
      ? null
      : reply.fromMe
        ? reply.authorId === who.userId
          ? t`Você`
          : (users.byId.get(reply.authorId ?? 0)?.name ?? null)
        : (reply.participantName ?? nameOf(ticket))

  const content = (
    <>
      <Messages
        key={ticketId}
        ref={messages}
        ticket={ticket}
        remote={remote}
        preview={preview}
        writable={writable}
        editingId={editing?.id ?? null}
        onReply={startReply}
        onEdit={startEdit}
        onDelete={takeBack}
        onWriteTo={onWriteTo}
      />
    </>
  )
  if (preview) return <div className="flex min-h-0 flex-1 flex-col">{content}</div>

  return (
    <DropZone enabled={writable} onFiles={(files) => composer.current?.addFiles(files)}>
      <Header
        ticket={ticket}
        drawerOpen={drawerOpen}
        onToggleDrawer={onToggleDrawer}
        onTransfer={onTransfer}
        onMerge={onMerge}
        onCallSupervisor={onCallSupervisor}
        onSchedule={onSchedule}
        onFind={find}
        onBack={onBack}
        viewers={viewers}
      />
      {ticket.snoozedUntil !== null && <PutAside ticket={ticket} until={ticket.snoozedUntil} />}
      {ticket.supervisorCalledAt !== null && <SupervisorCall ticket={ticket} calledAt={ticket.supervisorCalledAt} />}
      <MacroOffer ticket={ticket} />
      {finding === ticketId && (
        <Suspense fallback={null}>
          <FindBar
            key={ticketId}
            ticketId={ticketId}
            onClose={() => {
              setFinding(null)
              const from = findFrom.current
              requestAnimationFrame(() => {
                if (from === document.body) {
                  // It was nowhere yet: who leaves the composer and searches at once was on the way to the row.
                  wantRow({ to: 'at', id: ticketId })
                } else if (from instanceof HTMLElement && from.isConnected) from.focus()
                else composer.current?.focus()
              })
            }}
          />
        </Suspense>
      )}
      {content}
      <RefusedCommands ticketId={ticketId} />
      <TypingWarning viewers={viewers} />
      <div
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' || !(event.target instanceof HTMLTextAreaElement) || event.target.value !== '')
            return
          event.preventDefault()
          messages.current?.editLast()
        }}
      >
        <Composer
          ref={composer}
          ticket={ticket}
          talk={talk}
          reply={reply}
          replyAuthor={replyAuthor}
          editing={editing}
          onReplyDone={done}
          onReplyAgain={replyAgain}
          onEditDone={editDone}
          actionForClosed={<OpenAction ticket={ticket} />}
        />
      </div>
    </DropZone>
  )
}

/** The message that is answered to or changed; of another ticket than the one that is open it says nothing. */
interface Written {
  ticketId: number
  reply?: MessageRow
  editing?: MessageRow
}

const nothing: Omit<Written, 'ticketId'> = {}
