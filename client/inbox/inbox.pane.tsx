import { useLingui } from '@lingui/react/macro'
import { Suspense, useDeferredValue, useState } from 'react'
import { late } from '../base/late.tsx'
import { useMedia } from '../ui/use-media.ts'
import { Conversation } from '../messages/messages.conversation.tsx'
import { Sheet, SheetContent } from '../ui/sheet.tsx'
import { ContactPanel, type PanelFocus } from './inbox.contact-panel.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { TransferDialog } from './inbox.transfer-dialog.tsx'
import { useContactName } from '../tickets/tickets.words.ts'

const MergeDialog = late(() => import('./inbox.merge-dialog.tsx'))
const SupervisorDialog = late(() => import('./inbox.supervisor-dialog.tsx'))
const ScheduleDialog = late(() => import('./inbox.schedule-dialog.tsx'))

/** The conversation with the contact's data beside it, or over it where there is no room. */
export default function TicketPane({
  ticket,
  remote,
  onBack,
  onWriteTo,
}: {
  ticket: TicketRow
  remote: boolean
  onBack: (() => void) | undefined
  onWriteTo: (number: string) => void
}) {
  const { t } = useLingui()
  const beside = useMedia('(width >= 1200px)')
  const nameOf = useContactName()
  const name = nameOf(ticket)
  const [drawer, setDrawer] = useDrawer()
  const ticketId = ticket.id
  const [over, setOver] = useState<Over>({ ticketId })
  // What was opened over one ticket is not open over the next.
  const { sheet = false, dialog, focus = unfocused }: Over = over.ticketId === ticketId ? over : { ticketId }
  const open = beside ? drawer : sheet
  const toggle = (section?: 'tags' | 'notes') => {
    const next = section !== undefined || !open
    if (beside) setDrawer(next)
    setOver({ ticketId, sheet: !beside && next, focus: section ? { section, asked: focus.asked + 1 } : focus })
  }
  const close = () => setOver({ ticketId })
  const leave = () => !beside && setOver({ ticketId })
  const panel = <LatePanel ticket={ticket} remote={remote} focus={focus} onLeave={leave} />
  return (
    <div className="flex h-full min-h-0">
      <section aria-label={t`Conversa com ${name}`} className="min-w-0 flex-1">
        <Conversation
          ticket={ticket}
          remote={remote}
          drawerOpen={open}
          onToggleDrawer={toggle}
          onTransfer={() => setOver({ ticketId, dialog: 'transfer' })}
          onMerge={() => setOver({ ticketId, dialog: 'merge' })}
          onCallSupervisor={() => setOver({ ticketId, dialog: 'supervisor' })}
          onSchedule={() => setOver({ ticketId, dialog: 'schedule' })}
          onWriteTo={onWriteTo}
          onBack={onBack}
        />
      </section>
      {beside && drawer && (
        <aside aria-label={t`Dados do contato`} className="flex w-80 shrink-0 flex-col border-l bg-card">
          {panel}
        </aside>
      )}
      {!beside && (
        <Sheet open={sheet} onOpenChange={(next) => setOver({ ticketId, sheet: next })}>
          <SheetContent title={t`Dados de ${name}`}>{panel}</SheetContent>
        </Sheet>
      )}
      {dialog === 'transfer' && <TransferDialog ticket={ticket} onClose={close} />}
      {dialog === 'merge' && (
        <Suspense fallback={null}>
          <MergeDialog ticket={ticket} onClose={close} />
        </Suspense>
      )}
      {dialog === 'supervisor' && (
        <Suspense fallback={null}>
          <SupervisorDialog ticket={ticket} onClose={close} />
        </Suspense>
      )}
      {dialog === 'schedule' && (
        <Suspense fallback={null}>
          <ScheduleDialog ticket={ticket} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

interface Over {
  ticketId: number
  sheet?: boolean
  dialog?: 'transfer' | 'merge' | 'supervisor' | 'schedule'
  focus?: PanelFocus
}
const unfocused: PanelFocus = { section: null, asked: 0 }

/** The contact's data follow the conversation, which is what was asked for. */
function LatePanel({
  ticket,
  ...rest
}: {
  ticket: TicketRow
  remote: boolean
  focus: PanelFocus
  onLeave: () => void
}) {
  const shown = useDeferredValue(ticket)
  return <ContactPanel key={shown.id} ticket={shown} {...rest} />
}

let drawerOpen = false

/** Whether the contact's data stand beside the conversation; the same for the next one. */
function useDrawer(): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(drawerOpen)
  return [
    open,
    (next) => {
      drawerOpen = next
      setOpen(next)
    },
  ]
}
