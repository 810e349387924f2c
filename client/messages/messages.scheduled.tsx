import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarClock, Paperclip, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { mayChangeSchedule } from '../../schema/schedules/schedules.rights.ts'
import { useUsers } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { perform } from '../session/perform.ts'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { dateText } from '../i18n/dates.ts'
import { schedulesOfContact } from '../schedules/schedules.rows.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { usePlaceholders } from '../placeholders/placeholders.values.ts'

/** More stand in the contact's panel. */
const mostShown = 3

/** What is still to be sent to the contact, where it will stand and as it will read: below everything that was said. */
export function ScheduledMessages({ ticket }: { ticket: TicketRow }) {
  const { t, i18n } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const { contactId } = ticket
  const { rows } = useRows(useMemo(() => schedulesOfContact(contactId), [contactId]))
  const { preview } = usePlaceholders(ticket)
  const users = useUsers()
  const [cancelling, setCancelling] = useState<string | null>(null)
  const waiting = rows?.filter(({ status }) => status !== 'ERRO') ?? []
  if (waiting.length === 0) return null
  const more = waiting.length - mostShown
  return (
    <section aria-label={t`Envios agendados`} className="flex flex-col items-end gap-1.5 px-3 pt-3 sm:px-5">
      {waiting.slice(0, mostShown).map((schedule) => {
        const when = dateText(i18n.locale, schedule.sendAt, 'dayMonth', 'time')
        return (
          <div
            key={schedule.id}
            className="flex max-w-[min(34rem,82%)] items-start gap-1 rounded-xl border border-dashed border-primary/50 bg-bubble-out/50 py-1.5 pr-1 pl-2.5 text-[0.8125rem] leading-[1.45]"
          >
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-1.5 text-xs text-muted-foreground tabular-nums">
                <CalendarClock aria-hidden="true" className="size-3.5" />
                <time dateTime={new Date(schedule.sendAt).toISOString()}>
                  <Trans>Agendada para {when}</Trans>
                </time>
                {schedule.mediaName && <Paperclip role="img" aria-label={t`com arquivo`} className="size-3" />}
              </p>
              <p dir="auto" className="line-clamp-4 wrap-anywhere whitespace-pre-wrap">
                {preview(schedule.body, {
                  now: schedule.sendAt,
                  user: users.byId.get(schedule.userId ?? 0)?.name ?? '',
                })}
              </p>
            </div>
            {mayChangeSchedule(who, schedule) && (
              <IconButton
                label={t`Cancelar o envio agendado para ${when}`}
                className="size-7"
                onClick={() => setCancelling(schedule.id)}
              >
                <X />
              </IconButton>
            )}
          </div>
        )
      })}
      {more > 0 && (
        <p className="text-xs text-muted-foreground">
          <Trans>e mais {more} nos dados do contato</Trans>
        </p>
      )}
      <ConfirmDialog
        open={cancelling !== null}
        onOpenChange={(open) => !open && setCancelling(null)}
        title={t`Cancelar o envio agendado?`}
        confirmLabel={t`Cancelar o envio`}
        cancelLabel={t`Manter`}
        destructive
        onConfirm={async () => {
          if (cancelling) await perform(replica, 'schedules.delete', { id: cancelling })
        }}
      >
        <Trans>A mensagem não será enviada.</Trans>
      </ConfirmDialog>
    </section>
  )
}
