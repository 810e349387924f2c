import type { ReactNode, Ref } from 'react'
import { usePrincipal } from '../session/session.tsx'
import { OptedOutNotice } from '../opt-outs/opt-outs.notice.tsx'
import { writingState } from '../tickets/tickets.actions.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { Closed, ClosedWindow } from './messages.closed-composer.tsx'
import { EditBar } from './messages.edit-bar.tsx'
import { OpenComposer } from './messages.open-composer.tsx'
import type { MessageRow } from './messages.rows.ts'
import { LineDown } from './messages.line-down.tsx'
import { TemplateButton } from './messages.template-button.tsx'
import { WindowClock } from './messages.window-clock.tsx'
import type { TalkWindow } from './messages.window.ts'

export interface ComposerHandle {
  focus: () => void
  addFiles: (files: readonly File[]) => void
}

/** Where one writes to the contact; closed with the reason unless the ticket is open. */
export function Composer({
  ticket,
  talk,
  reply,
  replyAuthor,
  editing,
  onReplyDone,
  onReplyAgain,
  onEditDone,
  actionForClosed,
  ref,
}: {
  ticket: TicketRow
  /** Null: one may write at any time. */
  talk: TalkWindow | null
  reply: MessageRow | null
  replyAuthor: string | null
  editing: MessageRow | null
  onReplyDone: () => void
  /** What quoted it was not taken. */
  onReplyAgain: (reply: MessageRow) => void
  onEditDone: () => void
  /** The button that makes writing possible: accept or reopen. */
  actionForClosed: ReactNode
  ref?: Ref<ComposerHandle>
}) {
  const state = writingState(ticket, usePrincipal())
  if (state !== 'open') return <Closed state={state} action={actionForClosed} />
  if (talk?.is === 'closed')
    return (
      <>
        <LineDown ticket={ticket} />
        <ClosedWindow since={talk.since} action={<TemplateButton ticket={ticket} />} />
      </>
    )
  if (editing) return <EditBar key={editing.id} row={editing} onDone={onEditDone} />
  return (
    <>
      <OptedOutNotice contactId={ticket.contactId} isGroup={ticket.isGroup} />
      <OpenComposer
        ticket={ticket}
        above={
          <>
            <LineDown ticket={ticket} />
            {talk && <WindowClock {...talk} />}
          </>
        }
        reply={reply}
        replyAuthor={replyAuthor}
        onReplyDone={onReplyDone}
        onReplyAgain={onReplyAgain}
        ref={ref}
      />
    </>
  )
}
