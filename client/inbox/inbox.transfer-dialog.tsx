import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { isAway } from '../../schema/assignment/assignment.presence.ts'
import { useNow } from '../base/now.ts'
import { searchFrom } from '../contacts/contacts.search.ts'
import { ColorTag } from '../ui/badge.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { filterByText } from '../ui/filter.ts'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toaster.tsx'
import { transferNote } from '../../schema/tickets/tickets.inputs.ts'
import { Textarea } from '../ui/textarea.tsx'
import { useDirectory } from '../replica/directory.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'

/** Where tickets go. */
export interface TransferWish {
  queueId: number
  userId: number | null
  whatsappId: number | null
  note?: string
}

/** Hands a ticket to a queue, and to a colleague in it if one is chosen. */
export function TransferDialog({ ticket, onClose }: { ticket: TicketRow; onClose: () => void }) {
  const { t } = useLingui()
  const actions = useTicketActions()
  return (
    <TransferForm
      title={t`Transferir atendimento`}
      exceptUserId={ticket.userId}
      withConnection
      onClose={onClose}
      onSubmit={async (to, said) => {
        if (!(await actions.transfer(ticket, to))) return
        onClose()
        actions.leave(ticket)
        toast.success(said)
      }}
    />
  )
}

/** Asks where one ticket or several are to go. */
export function TransferForm({
  title,
  description,
  exceptUserId = null,
  withConnection = false,
  onSubmit,
  onClose,
}: {
  title: string
  description?: string | undefined
  /** They have it already. */
  exceptUserId?: number | null
  withConnection?: boolean
  /** `said` tells where they went. */
  onSubmit: (to: TransferWish, said: string) => Promise<void>
  onClose: () => void
}) {
  const { t } = useLingui()
  const { queues, users, connections } = useDirectory()
  const now = useNow()
  const [queueId, setQueueId] = useState<string | undefined>(undefined)
  const [userId, setUserId] = useState<string | null>(null)
  const [whatsappId, setWhatsappId] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [query, setQuery] = useState('')
  const [missing, setMissing] = useState(false)

  const chosenUser = userId === null ? undefined : users.byId.get(Number(userId))
  const found = query.trim().length >= searchFrom ? filterByText(users.list, query, (user) => user.name) : []
  const offered = [...(chosenUser && !found.includes(chosenUser) ? [chosenUser] : []), ...found].filter(
    (user) => user.id !== exceptUserId || user === chosenUser,
  )

  const submit = async () => {
    if (queueId === undefined) return setMissing(true)
    const queue = queues.byId.get(Number(queueId))?.name ?? ''
    await onSubmit(
      {
        queueId: Number(queueId),
        userId: userId === null ? null : Number(userId),
        whatsappId: whatsappId === null ? null : Number(whatsappId),
        ...(note.trim() && { note: note.trim() }),
      },
      chosenUser ? t`Transferido para ${chosenUser.name}` : t`Transferido para a fila ${queue}`,
    )
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={title} description={description} size="sm">
        <DialogForm onSubmit={() => void submit()}>
          <DialogBody className="flex flex-col gap-4">
            <Field label={t`Fila`} required error={missing && queueId === undefined && t`Selecione uma fila`}>
              <Select
                autoFocus
                value={queueId}
                onChange={setQueueId}
                placeholder={t`Selecione uma fila`}
                options={queues.list.map((queue) => ({
                  value: String(queue.id),
                  label: (
                    <ColorTag color={queue.color} className="text-[length:inherit] text-inherit">
                      {queue.name}
                    </ColorTag>
                  ),
                }))}
              />
            </Field>
            <Field label={t`Usuário (opcional)`} hint={t`Sem usuário, o atendimento volta a aguardar na fila.`}>
              <Combobox
                value={userId}
                onChange={setUserId}
                clearable
                placeholder={t`Ninguém em especial`}
                searchPlaceholder={t`Digite ao menos 3 letras`}
                onSearch={setQuery}
                empty={query.trim().length < searchFrom ? t`Digite ao menos 3 letras` : undefined}
                options={offered.map((user) => ({
                  id: String(user.id),
                  label: user.name,
                  hint: isAway(user, now) ? t`ausente` : user.online ? t`on-line` : undefined,
                }))}
              />
            </Field>
            {withConnection && (
              <Field label={t`Conexão (opcional)`}>
                <Combobox
                  value={whatsappId}
                  onChange={setWhatsappId}
                  clearable
                  placeholder={t`Manter a atual`}
                  options={connections.list.map((connection) => ({
                    id: String(connection.id),
                    label: connection.name,
                    hint: connection.status === 'CONNECTED' ? undefined : t`desconectada`,
                  }))}
                />
              </Field>
            )}
            <Field label={t`Recado para quem recebe (opcional)`} hint={t`O contato não vê.`}>
              <Textarea
                value={note}
                maxRows={4}
                maxLength={transferNote.maxLength}
                onChange={(event) => setNote(event.target.value)}
              />
            </Field>
          </DialogBody>
          <DialogButtons>
            <Trans>Transferir</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
