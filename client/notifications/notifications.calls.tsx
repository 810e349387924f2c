import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useNow } from '../base/now.ts'
import { useUsers } from '../replica/directory.ts'
import { useReplica } from '../replica/replica.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { listTime, useContactName } from '../tickets/tickets.words.ts'
import { ring } from './notifications.bell.ts'
import { notify } from './notifications.notice.ts'

/** Rings once for each ticket to which a supervisor is called from now on. */
export function useCallBell(calls: readonly TicketRow[] | undefined): void {
  const { t } = useLingui()
  const { status } = useReplica()
  const nameOf = useContactName()
  const known = useRef<ReadonlyMap<number, number> | null>(null)
  useEffect(() => {
    if (!calls) return
    const before = known.current
    known.current = new Map(calls.map((one) => [one.id, one.supervisorCalledAt ?? 0]))
    // What was called for before the page opened is shown by the count.
    if (!before || status.get().state === 'loading') return
    const news = calls.filter((one) => before.get(one.id) !== one.supervisorCalledAt)
    if (news.length === 0) return
    ring()
    for (const ticket of news)
      notify(nameOf(ticket), t`Um supervisor foi chamado`, ticket.uuid, `/tickets/${ticket.uuid}`)
  }, [calls, status, nameOf, t])
}

/** Tickets to which a supervisor is called, with who calls. */
export function CallList({ calls, onGo }: { calls: readonly TicketRow[]; onGo: () => void }) {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const users = useUsers()
  const nameOf = useContactName()
  const now = useNow()
  return (
    <section aria-label={t`Chamados de supervisor`} className="border-b pb-1">
      <h2 className="px-2 pt-1.5 pb-1 text-xs font-medium text-muted-foreground">
        <Trans>Chamados de supervisor</Trans>
      </h2>
      <ul className="max-h-56 overflow-y-auto overscroll-contain">
        {calls.map((ticket) => {
          const caller = users.byId.get(ticket.supervisorCalledBy ?? 0)?.name ?? t`Usuário excluído`
          return (
            <li key={ticket.id}>
              <button
                type="button"
                onClick={() => {
                  onGo()
                  void navigate({ to: '/tickets/$uuid', params: { uuid: ticket.uuid } })
                }}
                className="focus-ring flex w-full flex-col rounded-md px-2 py-2 text-left outline-offset-[-2px] hover:bg-accent"
              >
                <span className="flex w-full items-baseline gap-2">
                  <span className="min-w-0 flex-1 truncate text-[0.8125rem] font-medium">{nameOf(ticket)}</span>
                  <span className="text-[0.6875rem] text-muted-foreground tabular-nums">
                    {listTime(ticket.supervisorCalledAt ?? ticket.updatedAt, now, i18n.locale)}
                  </span>
                </span>
                <span className="block w-full truncate text-xs text-destructive-soft-foreground">
                  {t`${caller} chama`}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
