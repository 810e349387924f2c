import { useLingui } from '@lingui/react/macro'
import { useCallback, useMemo } from 'react'
import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import { fieldWords } from '../../schema/custom-fields/custom-fields.values.ts'
import { FIELD_PREFIX, fillPlaceholders } from '../../schema/placeholders/placeholders.ts'
import { contactDetails } from '../contacts/contacts.rows.ts'
import { useFields } from '../custom-fields/custom-fields.rows.ts'
import { useUser } from '../session/session.tsx'
import { useConnections, useQueues } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { type Company, ownCompany } from '../replica/own-company.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'

const variableKeys = ['firstName', 'name', 'ms', 'protocol', 'hora'] as const

/** One of the variables that the composer offers, as it reads now; empty where the contact has none. */
export interface MessageVariable {
  key: (typeof variableKeys)[number] | `${typeof FIELD_PREFIX}${string}`
  value: string
}

type CompanyClock = Pick<Company, 'timeZone' | 'language'>

/** What is not known of the conversation stays empty. */
interface About {
  contact: { name: string; number: string | null }
  ticketId: number
  queue: string | undefined
  connection: string | undefined
  /** What a field of the company's own says, by its key. */
  fields?: ((key: string) => string) | undefined
}

/** The company's zone and language; until they are known, those of this machine and Portuguese. */
export function useCompanyClock(): CompanyClock {
  const clock = useRows(ownCompany).rows?.[0]
  return useMemo(() => clock ?? { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: 'pt' }, [clock])
}

/** Fills texts in as the server does: on the company's clock and in its language. */
function useFill(): (text: string, about: About, of?: { now: number; user: string }) => string | null {
  const { name: userName, company } = useUser()
  const clock = useCompanyClock()
  return useCallback(
    (text, { contact, ticketId, queue, connection, fields }, of) =>
      text.includes('{{')
        ? fillPlaceholders(text, {
            now: of ? new Date(of.now) : new Date(),
            ...clock,
            contact,
            ticket: { id: ticketId },
            user: { name: of?.user ?? userName },
            queue: queue === undefined ? null : { name: queue },
            connection: connection === undefined ? null : { name: connection },
            company: { name: company.name },
            fields,
          })
        : text,
    [clock, userName, company.name],
  )
}

/** What stands in double braces, for a ticket. */
export function usePlaceholders(ticket: TicketRow): {
  /** The text with every `{{name}}` filled in, as it would read now and from oneself; null where no message would hold it. */
  fill: (text: string) => string | null
  /** The same to be looked at: what no message would hold stays as it was written. */
  preview: (text: string, of?: { now: number; user: string }) => string
  variables: () => readonly MessageVariable[]
} {
  const fillIn = useFill()
  const queue = useQueues().byId.get(ticket.queueId ?? 0)?.name
  const connection = useConnections().byId.get(ticket.whatsappId ?? 0)?.name
  const { id: ticketId, contactId, contactName: name, contactNumber: number, fields: ofTicket } = ticket
  const own = useFields()
  const { language } = useCompanyClock()
  const ofContact = useRows(own.length > 0 ? contactDetails(contactId) : null).rows?.[0]?.fields
  const fields = useMemo(
    () => fieldWords(own, { ticket: ofTicket, contact: ofContact as FieldPatch | undefined }, language),
    [own, ofTicket, ofContact, language],
  )
  const preview = useCallback(
    (text: string, of?: { now: number; user: string }) =>
      fillIn(text, { contact: { name, number }, ticketId, queue, connection, fields }, of) ?? text,
    [fillIn, name, number, ticketId, queue, connection, fields],
  )
  const fill = useCallback(
    (text: string) => fillIn(text, { contact: { name, number }, ticketId, queue, connection, fields }),
    [fillIn, name, number, ticketId, queue, connection, fields],
  )
  const variables = useCallback(
    () =>
      [...variableKeys, ...own.map(({ key }) => `${FIELD_PREFIX}${key}` as const)].map((key) => ({
        key,
        value: preview(`{{${key}}}`),
      })),
    [preview, own],
  )
  return { fill, preview, variables }
}

export interface SampleContact {
  name: string
  number: string | null
}

/** The same in a form, before there is a conversation: where the contact is not settled, one is made up. */
export function useSampleFill(contact: SampleContact | null): (text: string) => string {
  const { t } = useLingui()
  const fillIn = useFill()
  const queue = useQueues().list[0]?.name
  const connection = useConnections().list[0]?.name
  const own = useFields()
  return (text) =>
    fillIn(text, {
      contact: contact ?? { name: t`Maria Exemplo`, number: '5511999990000' },
      ticketId: 1234,
      queue,
      connection,
      // There is nobody of whom they were filled in.
      fields: (key) =>
        own
          .filter((field) => field.key === key)
          .map(({ name }) => `[${name}]`)
          .join(''),
    }) ?? text
}
