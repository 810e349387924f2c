import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { mergeRefusal } from '../../schema/tickets/tickets.merge.ts'
import { useNow } from '../base/now.ts'
import { useDirectory } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { usePrincipal } from '../session/session.tsx'
import { ticketsOfContact, type TicketRow } from '../tickets/tickets.rows.ts'
import { useMergeTickets } from '../tickets/tickets.use-merge.ts'
import { listTime, useLastLine } from '../tickets/tickets.words.ts'
import { cn } from '../ui/cn.ts'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Where what was said in this ticket goes: another one of the same contact. */
export default function MergeDialog({ ticket, onClose }: { ticket: TicketRow; onClose: () => void }) {
  const { t } = useLingui()
  const who = usePrincipal()
  const { merge } = useMergeTickets()
  const { rows } = useRows(ticketsOfContact(ticket.contactId))
  const offered = rows?.filter((other) => mergeRefusal(ticket, other, who) === null)
  const [chosen, setChosen] = useState<number | null>(null)
  const into = offered?.find(({ id }) => id === chosen) ?? (offered?.length === 1 ? offered[0] : undefined)
  const submit = () => {
    if (!into) return
    onClose()
    void merge(ticket, into)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t`Juntar o atendimento #${ticket.id}`}
        description={t`Mensagens, observações e a linha do tempo passam para o outro atendimento deste contato. Este fica encerrado e aponta para lá; o contato não é avisado.`}
        size="sm"
      >
        <DialogForm onSubmit={submit}>
          <DialogBody>
            {!offered && <Skeleton className="h-24" />}
            {offered?.length === 0 && (
              <p className="py-2 text-sm text-muted-foreground">
                <Trans>O contato não tem outro atendimento que possa receber este.</Trans>
              </p>
            )}
            {offered && offered.length > 0 && (
              <div role="radiogroup" aria-label={t`Atendimento que recebe`} className="flex flex-col gap-2">
                {offered.map((other) => (
                  <Choice key={other.id} ticket={other} chosen={other.id === into?.id} onChoose={setChosen} />
                ))}
              </div>
            )}
          </DialogBody>
          <DialogButtons disabled={!into}>
            <Trans>Juntar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}

function Choice({ ticket, chosen, onChoose }: { ticket: TicketRow; chosen: boolean; onChoose: (id: number) => void }) {
  const { t, i18n } = useLingui()
  const { queues, users, connections } = useDirectory()
  const lastLine = useLastLine()
  const statuses = { pending: t`aguardando`, open: t`em atendimento`, closed: t`resolvido` }
  const now = useNow()
  const name = useId()
  const place = [
    queues.byId.get(ticket.queueId ?? 0)?.name,
    users.byId.get(ticket.userId ?? 0)?.name,
    connections.byId.get(ticket.whatsappId ?? 0)?.name,
  ].filter(Boolean)
  return (
    <label
      className={cn(
        'flex cursor-pointer gap-3 rounded-lg border px-3 py-2.5 has-focus-visible:ring-2 has-focus-visible:ring-ring',
        chosen && 'border-primary bg-accent/50',
      )}
    >
      <input
        type="radio"
        name="into"
        checked={chosen}
        onChange={() => onChoose(ticket.id)}
        aria-labelledby={name}
        className="mt-1 accent-primary outline-none"
      />
      <span id={name} className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex items-center gap-2 text-sm">
          <span className="font-medium tabular-nums">#{ticket.id}</span>
          <span className="min-w-0 flex-1 truncate text-xs text-muted-foreground">{statuses[ticket.status]}</span>
          <time
            dateTime={new Date(ticket.updatedAt).toISOString()}
            className="text-xs text-muted-foreground tabular-nums"
          >
            {listTime(ticket.updatedAt, now, i18n.locale)}
          </time>
        </span>
        <span className="truncate text-[0.8125rem]">{lastLine(ticket)}</span>
        {place.length > 0 && <span className="truncate text-xs text-muted-foreground">{place.join(' · ')}</span>}
      </span>
    </label>
  )
}
