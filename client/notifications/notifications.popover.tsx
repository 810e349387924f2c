import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Bell, BellOff, BellRing } from 'lucide-react'
import { useCallback, useState } from 'react'
import { can } from '../../schema/permissions.ts'
import { isNotifiedOf } from '../../schema/tickets/tickets.notify.ts'
import { profileSheet } from '../account/profile-sheet.ts'
import { usePrincipal } from '../session/session.tsx'
import { CornerCount, TopBarPopover } from '../kit/top-bar-popover.tsx'
import { ContactAvatar } from '../kit/contact-avatar.tsx'
import { useRows } from '../replica/live-rows.ts'
import { MentionList } from '../mentions/mentions.list.tsx'
import { ownMentions } from '../mentions/mentions.rows.ts'
import { useNow } from '../base/now.ts'
import { calledTickets, notifiedTickets, type TicketRow } from '../tickets/tickets.rows.ts'
import { listTime, useContactName, useLastLine } from '../tickets/tickets.words.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useWaitingCount } from '../kit/waiting-count.ts'
import { ScreenPending } from '../kit/screen-pending.tsx'
import { CallList, useCallBell } from './notifications.calls.tsx'
import { ring } from './notifications.bell.ts'
import { seenOf, newsSince } from './notifications.news.ts'
import { notify } from './notifications.notice.ts'
import { useNews } from './notifications.use-news.ts'

const none: readonly TicketRow[] = []
const listening = { screen: 'tickets', seenOf, newsSince } as const

/** In the top bar: tickets with something unread that are the agent's own, or that wait in their queues. */
export default function TicketNotifications() {
  const { t, i18n } = useLingui()
  const who = usePrincipal()
  const navigate = useNavigate()
  const nameOf = useContactName()
  const lastLine = useLastLine()
  const now = useNow()
  const [open, setOpen] = useState(false)
  const { rows } = useRows(notifiedTickets(who))
  const tickets = rows ?? none
  const { rows: mentions } = useRows(ownMentions)
  const unreadMentions = mentions?.filter(({ readAt }) => readAt === null).length ?? 0
  const { rows: calls } = useRows(can(who, 'tickets:supervise') ? calledTickets(who) : null)
  useCallBell(calls)
  const count = tickets.length
  const show = useCallback(
    (ticket: TicketRow) => {
      setOpen(false)
      void navigate({ to: '/tickets/$uuid', params: { uuid: ticket.uuid } })
    },
    [navigate],
  )
  useNews(listening, rows, (unread) => {
    const news = unread.filter((ticket) => isNotifiedOf(who, ticket))
    if (news.length === 0) return
    ring()
    for (const ticket of news) notify(nameOf(ticket), lastLine(ticket), ticket.uuid, `/tickets/${ticket.uuid}`)
  })
  useWaitingCount('tickets', count)

  const label =
    count > 0
      ? plural(count, {
          one: 'Notificações: # atendimento com mensagens não lidas',
          other: 'Notificações: # atendimentos com mensagens não lidas',
        })
      : t`Notificações`
  const withMentions =
    unreadMentions > 0
      ? `${label} · ${plural(unreadMentions, { one: '# menção não lida', other: '# menções não lidas' })}`
      : label
  const called = calls?.length ?? 0
  const withCalls =
    called > 0
      ? `${withMentions} · ${plural(called, { one: '# chamado de supervisor', other: '# chamados de supervisor' })}`
      : withMentions
  // What the mark counts is heard, too.
  const total = count + unreadMentions + called
  const withTotal = total > count ? `${withCalls} · ${t`${total} ao todo`}` : withCalls
  return (
    <TopBarPopover
      title={t`Notificações`}
      label={withTotal}
      icon={Bell}
      mark={<CornerCount count={total} />}
      open={open}
      onOpenChange={setOpen}
      className="w-80 p-1"
    >
      {calls && calls.length > 0 && <CallList calls={calls} onGo={() => setOpen(false)} />}
      {mentions && mentions.length > 0 && <MentionList mentions={mentions} onGo={() => setOpen(false)} />}
      {!rows ? (
        <div className="py-8">
          <ScreenPending />
        </div>
      ) : count === 0 ? (
        <EmptyState icon={BellOff} title={t`Nada por ler`} className="py-8" />
      ) : (
        <ul className="max-h-[350px] overflow-y-auto overscroll-contain">
          {tickets.map((ticket) => (
            <li key={ticket.id}>
              <button
                type="button"
                onClick={() => show(ticket)}
                className="focus-ring flex w-full items-start gap-2.5 rounded-md px-2 py-2 text-left outline-offset-[-2px] hover:bg-accent"
              >
                <ContactAvatar
                  name={nameOf(ticket)}
                  picture={ticket.contactPicture}
                  isGroup={ticket.isGroup}
                  size="sm"
                />
                <span className="min-w-0 flex-1">
                  <span className="flex items-baseline gap-2">
                    <span className="min-w-0 flex-1 truncate text-[0.8125rem] font-medium">{nameOf(ticket)}</span>
                    <span className="text-[0.6875rem] text-muted-foreground tabular-nums">
                      {listTime(ticket.updatedAt, now, i18n.locale)}
                    </span>
                  </span>
                  <span className="block truncate text-xs text-muted-foreground">{lastLine(ticket)}</span>
                  <span className="block text-[0.6875rem] text-primary-soft-foreground">
                    <Plural value={ticket.unreadMessages} one="# mensagem não lida" other="# mensagens não lidas" />
                    {ticket.status === 'pending' && (
                      <>
                        {' · '}
                        <Trans>aguardando</Trans>
                      </>
                    )}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <ToNotices onGo={() => setOpen(false)} />
    </TopBarPopover>
  )
}

/** Where notices of this browser are switched on and off: all of them in one place, the person's profile. */
function ToNotices({ onGo }: { onGo: () => void }) {
  return (
    <div className="border-t p-1.5">
      <Button
        variant="ghost"
        size="sm"
        className="w-full justify-start text-muted-foreground"
        onClick={() => {
          onGo()
          profileSheet.set(true)
        }}
      >
        <BellRing />
        <Trans>Avisos neste navegador</Trans>
      </Button>
    </div>
  )
}
