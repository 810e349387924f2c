import { Trans, useLingui } from '@lingui/react/macro'
import { Paperclip, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { mayChangeSchedule } from '../../schema/schedules/schedules.rights.ts'
import { useUsers } from '../replica/directory.ts'
import { errorCodeText } from '../session/error-text.ts'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { useRows } from '../replica/live-rows.ts'
import { perform } from '../session/perform.ts'
import { TemplateText } from '../placeholders/placeholders.text.tsx'
import { useScheduleValues } from '../schedules/schedules.values.ts'
import { schedulesOfContact } from '../schedules/schedules.rows.ts'
import { dateText } from '../i18n/dates.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'

/** What waits to be sent to the contact at its time, and what could not be sent. */
export function ContactSchedules({ ticket }: { ticket: TicketRow }) {
  const { t, i18n } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const { rows } = useRows(schedulesOfContact(ticket.contactId))
  const users = useUsers()
  const valuesOf = useScheduleValues()
  const contact = { id: ticket.contactId, name: ticket.contactName, number: ticket.contactNumber }
  const [deleting, setDeleting] = useState<string | null>(null)
  if (!rows || rows.length === 0)
    return (
      <p className="text-xs text-muted-foreground">
        <Trans>Nenhuma mensagem agendada.</Trans>
      </p>
    )
  return (
    <>
      <ul className="flex flex-col gap-2">
        {rows.map((schedule) => {
          const when = dateText(i18n.locale, schedule.sendAt, 'moment')
          return (
            <li key={schedule.id} className="flex items-start gap-1 rounded-md bg-muted/60 py-1.5 pr-1 pl-2.5">
              <div className="min-w-0 flex-1">
                <p className="text-xs font-medium tabular-nums">
                  <time dateTime={new Date(schedule.sendAt).toISOString()}>{when}</time>
                  {schedule.mediaName && (
                    <Paperclip role="img" aria-label={t`com arquivo`} className="ml-1.5 inline size-3" />
                  )}
                </p>
                <p className="line-clamp-3 text-xs wrap-anywhere whitespace-pre-wrap text-muted-foreground">
                  <TemplateText
                    text={schedule.body}
                    values={valuesOf({ ...schedule, contact, user: users.byId.get(schedule.userId ?? 0) ?? null })}
                  />
                </p>
                {schedule.status === 'ERRO' && (
                  <p className="text-xs text-destructive-soft-foreground">
                    <Trans>Não enviada:</Trans> {errorCodeText(schedule.error ?? 'ERR_SENDING_WAPP_MSG')}
                  </p>
                )}
              </div>
              {mayChangeSchedule(who, schedule) && (
                <Button
                  variant="destructive-ghost"
                  size="icon-sm"
                  aria-label={t`Excluir o agendamento de ${when}`}
                  onClick={() => setDeleting(schedule.id)}
                >
                  <Trash2 />
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <ConfirmDialog
        open={deleting !== null}
        onOpenChange={(open) => !open && setDeleting(null)}
        title={t`Excluir o agendamento?`}
        confirmLabel={t`Excluir`}
        destructive
        onConfirm={async () => {
          if (deleting) await perform(replica, 'schedules.delete', { id: deleting })
        }}
      >
        <Trans>A mensagem não será enviada.</Trans>
      </ConfirmDialog>
    </>
  )
}
