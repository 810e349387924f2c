import { useCallback } from 'react'
import { fillPlaceholders, type Language } from '../../schema/placeholders/placeholders.ts'
import { useUser } from '../app/session.tsx'
import { useConnections, useQueues } from '../app/directory.ts'
import { useRows } from '../app/live-rows.ts'
import type { Rows } from '../app/rows.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'

const variableKeys = ['firstName', 'name', 'ms', 'protocol', 'hora'] as const

/** One of the variables that the composer offers, as it reads now; empty where the contact has none. */
export interface MessageVariable {
  key: (typeof variableKeys)[number]
  value: string
}

interface CompanyRow {
  timeZone: string
  language: Language
}

const ownCompany: Rows<CompanyRow> = {
  query: { sql: 'SELECT id, "timeZone", language FROM companies', tables: ['companies'] },
  read: (raw) => ({ timeZone: String(raw['timeZone']), language: raw['language'] as Language }),
  keyOf: () => 0,
}

/** What stands in double braces, for a ticket: on the company's clock and in its language. */
export function usePlaceholders(ticket: TicketRow): {
  /** The text with every `{{name}}` filled in, as it would read now and from oneself. */
  fill: (text: string, of?: { now: number; user: string }) => string
  variables: () => readonly MessageVariable[]
} {
  const { name: userName, company } = useUser()
  const clock = useRows(ownCompany).rows?.[0]
  const queue = useQueues().byId.get(ticket.queueId ?? 0)?.name
  const connection = useConnections().byId.get(ticket.whatsappId ?? 0)?.name
  const { id, contactName, contactNumber } = ticket
  const fill = useCallback(
    (text: string, of?: { now: number; user: string }) =>
      text.includes('{{')
        ? fillPlaceholders(text, {
            now: of ? new Date(of.now) : new Date(),
            timeZone: clock?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
            language: clock?.language ?? 'pt',
            contact: { name: contactName, number: contactNumber },
            ticket: { id },
            user: { name: of?.user ?? userName },
            queue: queue === undefined ? null : { name: queue },
            connection: connection === undefined ? null : { name: connection },
            company: { name: company.name },
          })
        : text,
    [clock, contactName, contactNumber, id, userName, queue, connection, company.name],
  )
  const variables = useCallback(() => variableKeys.map((key) => ({ key, value: fill(`{{${key}}}`) })), [fill])
  return { fill, variables }
}
