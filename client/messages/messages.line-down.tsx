import { Trans, useLingui } from '@lingui/react/macro'
import { Unplug } from 'lucide-react'
import { kindOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { phoneText } from '../kit/phone-text.ts'
import { useDirectory } from '../replica/directory.ts'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { Button } from '../ui/button.tsx'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu.tsx'
import { toast } from '../ui/toaster.tsx'

/** Above the field, while the ticket's connection is down: a way to go on over another, and which number the contact will see. */
export function LineDown({ ticket }: { ticket: TicketRow }) {
  const { t } = useLingui()
  const replica = useReplica()
  const { connections } = useDirectory()
  const own = ticket.whatsappId === null ? undefined : connections.byId.get(ticket.whatsappId)
  if (ticket.isGroup || ticket.userId === null || !own || own.status !== 'DISCONNECTED') return null
  // Of whom no number is known, the other wire has no name.
  const others = connections.list.filter(
    ({ id, status, provider }) =>
      id !== own.id &&
      status === 'CONNECTED' &&
      (ticket.contactNumber !== null || kindOf(provider) === kindOf(own.provider)),
  )
  if (others.length === 0) return null
  const { name } = own
  const goOn = async (whatsappId: number, number: string) => {
    const { id: ticketId, queueId, userId } = ticket
    const done = await perform(replica, 'tickets.transfer', { ticketId, queueId, userId, whatsappId })
    if (done) toast.success(number ? t`O contato verá o número ${number}` : t`Atendimento continua por outra conexão`)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-2 pb-1.5 text-xs text-warning-soft-foreground">
      <Unplug aria-hidden="true" className="size-3.5 shrink-0" />
      <p className="min-w-0 flex-1">
        <Trans>A conexão {name} está desconectada: o que você escreve espera por ela.</Trans>
      </p>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="outline" size="sm">
            <Trans>Continuar por outra</Trans>
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          {others.map((other) => {
            const number = phoneText(other.number)
            return (
              <DropdownMenuItem key={other.id} onSelect={() => void goOn(other.id, number)}>
                <span>
                  {other.name}
                  {number && (
                    <span className="block text-xs text-muted-foreground tabular-nums">
                      <Trans>O contato verá {number}</Trans>
                    </span>
                  )}
                </span>
              </DropdownMenuItem>
            )
          })}
        </DropdownMenuContent>
      </DropdownMenu>
    </div>
  )
}
