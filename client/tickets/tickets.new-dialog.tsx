import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { withCountry } from '../../schema/contacts/contacts.phone.ts'
import { can } from '../../schema/permissions.ts'
import { api, ApiError } from '../session/api.ts'
import { useCallingCode } from '../session/company-country.ts'
import { errorText } from '../session/error-text.ts'
import { NeedsNetwork } from '../kit/form.tsx'
import { usePrincipal } from '../session/session.tsx'
import { ContactPicker } from '../contacts/contacts.picker.tsx'
import type { FoundContact } from '../contacts/contacts.rows.ts'
import { useContactSearch } from '../contacts/contacts.search.ts'
import { phoneText } from '../kit/phone-text.ts'
import { ColorTag } from '../ui/badge.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm, DialogProblem } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { useConnections, useQueues } from '../replica/directory.ts'
import { useOnline } from '../replica/use-online.ts'
import { useTicketActions } from './tickets.use-actions.tsx'

/** The ticket in the way, as far as one may know it: `uuid` only of those that one may see, such as one's own. */
interface ExistingTicket {
  id: number
  uuid?: string
  userId: number | null
  user: { name: string } | null
  queue: { name: string } | null
}
type CreatedContact = FoundContact & { alreadyExists?: boolean; existingContact?: FoundContact }

/** An item of the list that stands for a number nobody has saved yet. */
const newNumber = 'new'

/** Begins a conversation with a contact. Online only: the server decides whether there is one already. */
export function NewTicketDialog({
  with: known,
  number,
  onClose,
}: {
  /** Whom it is about, where that is settled. */
  with?: FoundContact
  /** A number to begin with, from a contact card. */
  number?: string | undefined
  onClose: () => void
}) {
  const { t } = useLingui()
  const who = usePrincipal()
  const callingCode = useCallingCode()
  const online = useOnline()
  const queues = useQueues()
  const connections = useConnections()
  const actions = useTicketActions()
  const free = can(who, 'tickets-manager:showall')
  const offeredQueues = free ? queues.list : queues.list.filter((queue) => who.queueIds.includes(queue.id))
  const [query, setQuery] = useState(number ?? '')
  const [contact, setContact] = useState<FoundContact | null>(known ?? null)
  const [chosenQueue, setQueueId] = useState<string>()
  // The queues may come a moment after the dialog.
  const queueId = chosenQueue ?? (offeredQueues.length === 1 ? String(offeredQueues[0]!.id) : undefined)
  const [whatsappId, setWhatsappId] = useState<string | undefined>(() =>
    who.whatsappId === null ? undefined : String(who.whatsappId),
  )
  const [problem, setProblem] = useState<{ field: 'contact' | 'queue' | 'all'; text: string } | null>(null)
  const [saving, setSaving] = useState(false)
  const { found, searching } = useContactSearch(query)

  // What a message or a card names has its country.
  const digits = query === number ? query : withCountry(query, callingCode)
  const unknown =
    /^[\d\s()+.-]+$/.test(query.trim()) &&
    digits.length >= 8 &&
    !searching &&
    found.every((one) => one.number !== digits)

  // A number from a card: its contact is chosen as soon as it is found.
  useEffect(() => {
    if (!number || contact) return
    const match = found.find((candidate) => candidate.number === number)
    if (match) setContact(match)
  }, [number, contact, found])

  const pick = async (picked: FoundContact | string | null) => {
    setProblem(null)
    if (picked !== newNumber) return setContact(typeof picked === 'string' ? null : picked)
    setSaving(true)
    try {
      const made = await api.post<CreatedContact>('/contacts', {
        name: phoneText(digits),
        number: query === number ? `+${digits}` : query.trim(),
        email: '',
      })
      setContact(made.existingContact ?? made)
      setQuery('')
    } catch (error) {
      setProblem({ field: 'contact', text: errorText(error) })
    } finally {
      setSaving(false)
    }
  }
  const submit = async () => {
    if (!contact) return setProblem({ field: 'contact', text: t`Escolha um contato` })
    if (queueId === undefined && !free) return setProblem({ field: 'queue', text: t`Selecione uma fila` })
    setSaving(true)
    setProblem(null)
    try {
      const ticket = await api.post<{ uuid: string }>('/tickets', {
        contactId: contact.id,
        queueId: queueId === undefined ? null : Number(queueId),
        whatsappId: whatsappId === undefined ? null : Number(whatsappId),
        userId: who.userId,
        status: 'open',
      })
      onClose()
      actions.open(ticket)
    } catch (error) {
      const existing = error instanceof ApiError ? (error.params['ticket'] as ExistingTicket | undefined) : undefined
      if (existing?.uuid && existing.userId === who.userId) {
        onClose()
        actions.open({ uuid: existing.uuid })
      } else setProblem({ field: 'all', text: existing ? whose(existing) : errorText(error) })
    } finally {
      setSaving(false)
    }
  }
  const whose = ({ user, queue }: ExistingTicket): string => {
    const queueName = queue?.name ?? t`Sem fila`
    const userName = user?.name
    return userName
      ? t`Este contato já está em atendimento com ${userName}, na fila ${queueName}.`
      : t`Este contato já aguarda atendimento na fila ${queueName}.`
  }

  return (
    <Dialog open onOpenChange={(open) => !open && !saving && onClose()}>
      <DialogContent
        title={t`Novo atendimento`}
        description={known && (known.name || phoneText(known.number))}
        size="sm"
      >
        <DialogForm onSubmit={() => void submit()}>
          <DialogBody className="flex flex-col gap-4">
            {!known && (
              <ContactPicker
                contact={contact}
                onPick={(picked) => void pick(picked)}
                query={query}
                onSearch={(typed) => {
                  setQuery(typed)
                  // It was of another number.
                  setProblem(null)
                }}
                found={found}
                searching={searching}
                more={unknown ? [{ id: newNumber, label: t`Novo contato: ${phoneText(digits)}` }] : []}
                {...(number && !contact && { placeholder: phoneText(number) })}
                disabled={!online}
                autoFocus
                error={problem?.field === 'contact' && problem.text}
              />
            )}
            <Field label={t`Fila`} required={!free} error={problem?.field === 'queue' && problem.text}>
              <Select
                value={queueId}
                onChange={(value) => {
                  setQueueId(value)
                  setProblem(null)
                }}
                placeholder={t`Selecione uma fila`}
                options={offeredQueues.map((queue) => ({
                  value: String(queue.id),
                  label: (
                    <ColorTag color={queue.color} className="text-[length:inherit] text-inherit">
                      {queue.name}
                    </ColorTag>
                  ),
                }))}
              />
            </Field>
            <Field label={t`Conexão`}>
              <Select
                value={whatsappId}
                onChange={setWhatsappId}
                placeholder={t`A padrão`}
                options={connections.list.map((connection) => ({
                  value: String(connection.id),
                  label: connection.name,
                }))}
              />
            </Field>
          </DialogBody>
          {problem?.field === 'all' && <DialogProblem>{problem.text}</DialogProblem>}
          {!online && <NeedsNetwork className="mx-5 mb-3" />}
          <DialogButtons busy={saving} disabled={!online}>
            <Trans>Iniciar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
