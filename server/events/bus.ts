import { can, type Permission, type Principal, type TicketScope } from '../../schema/permissions.ts'
import type { TicketStatus } from '../../schema/tickets/tickets.table.ts'
import type { Sql } from '../db/database.ts'
import { createNotifications, MAX_LINE_BYTES } from '../notifications.ts'
import type { Logger } from '../log.ts'

/** On the wire each is `company-{companyId}-{name}`. */
export type EventName =
  | 'ticket'
  | 'appMessage'
  | 'contact'
  | 'user'
  | 'role'
  | 'queue'
  | 'whatsapp'
  | 'whatsappSession'
  | 'auth'
  | 'tag'
  /** The company's own fields of contacts and tickets. */
  | 'customField'
  /** Message templates of an official connection have changed. */
  | 'template'
  | 'settings'
  | 'quickmessage'
  /** Told to those who have it. */
  | 'macro'
  /** Views of reports, or reports that go out by mail, have changed. */
  | 'report'
  /** What is done by itself in tickets has changed. */
  | 'rule'
  | 'prompt'
  | 'file'
  | 'announcement'
  | 'help'
  | 'queueIntegration'
  /** A phrase that begins a flow. */
  | 'flowCampaign'
  /** Told to a company when what all its screens go by has changed, such as its clock; and of any company to the operator. */
  | 'company'
  /** Of the company's invoices, told to its admins: `CONCLUIDA` when one was paid. */
  | 'payment'
  | 'schedule'
  | 'ContactList'
  | 'ContactListItem'
  | `ContactListItem-${number}`
  | 'campaign'
  /** Somebody wants no messages to many, or does again: says nothing of whom, and agents ask anew. */
  | 'optOut'
  /** A contact's data are being erased: whoever keeps copies asks of whom. */
  | 'erasure'
  /** A person's data are being gathered, told to whoever asked for them. */
  | 'privacyExport'
  /** The register of what people ask about their data. */
  | 'privacyRequest'
  | 'apiKey'
  | 'webhook'
  /** A promise to a contact is at risk, or was broken. */
  | 'sla'
  /** What is promised has changed. */
  | 'slaPolicy'
  | 'typing'
  | 'viewers'
  /** Somebody was called by a note, or has read that they were: told to them alone. */
  | 'mention'
  | 'chat'
  | `chat-${number}`
  | `chat-user-${number}`

/** Without the number of the row that some of them are of. */
type EventKind =
  | Exclude<EventName, `ContactListItem-${number}` | `chat-${number}` | `chat-user-${number}`>
  | 'chat-user'

/**
 * Who hears of what happens: whoever is let ask for it. An event whose list asks a permission reaches those who hold it
 * (or one of several), and nobody else; of what a list tells all that work there, everybody hears. Whom of these it is
 * about, `EventAudience` narrows.
 */
const audienceOf: Record<EventKind, 'everybody' | readonly Permission[]> = {
  ticket: 'everybody',
  appMessage: 'everybody',
  contact: 'everybody',
  user: 'everybody',
  role: ['roles:write', 'users:write'],
  queue: 'everybody',
  whatsapp: 'everybody',
  whatsappSession: ['connections-page:actionButtons'],
  auth: 'everybody',
  tag: 'everybody',
  customField: 'everybody',
  template: 'everybody',
  settings: 'everybody',
  quickmessage: 'everybody',
  macro: 'everybody',
  report: ['reports:read'],
  rule: ['rules:write'],
  prompt: 'everybody',
  file: 'everybody',
  announcement: 'everybody',
  help: 'everybody',
  queueIntegration: 'everybody',
  flowCampaign: ['automations:write'],
  company: 'everybody',
  payment: ['invoices:pay'],
  schedule: 'everybody',
  ContactList: ['campaigns:write'],
  ContactListItem: ['campaigns:write'],
  campaign: ['campaigns:write'],
  optOut: 'everybody',
  erasure: 'everybody',
  privacyExport: ['privacy:write'],
  privacyRequest: ['privacy:write'],
  apiKey: ['api-keys:write'],
  webhook: ['webhooks:write'],
  sla: 'everybody',
  slaPolicy: ['sla:write'],
  typing: 'everybody',
  viewers: 'everybody',
  mention: 'everybody',
  chat: 'everybody',
  'chat-user': 'everybody',
}

/** Whether somebody with these rights may hear of an event of this name. */
export function mayReceive(who: Principal, name: EventName): boolean {
  const needed = audienceOf[name.replace(/-\d+$/, '') as EventKind]
  return needed === 'everybody' || needed.some((permission) => can(who, permission))
}

export interface EventTicket extends TicketScope {
  id: number
  status: TicketStatus
}

export interface EventAudience {
  /** Only those who may see this ticket; of what happens in it only sockets that joined it (or its status, or notifications). */
  ticket?: EventTicket
  /** Only this user's sockets. */
  userId?: number
  /** Only these users' sockets. */
  userIds?: readonly number[]
  /** Only those who see everybody's tickets. */
  overseers?: true
  /** Only the operator's people. */
  operators?: true
}

export interface LiveEvent {
  companyId: number
  name: EventName
  action: string
  /** Of the row it is about. With it, and without `payload`, the row is loaded when somebody listens. */
  id?: string | number
  /** The ticket that a message is of, where it is known without a look: spares loading what nobody asked for. */
  ticketId?: number
  /** Where the ticket was that has moved: who listened there, and no longer does, is told that it is gone. */
  was?: Omit<EventTicket, 'id'>
  /** What goes beside `action`: facts, or how to get them. */
  payload?: Record<string, unknown> | (() => Promise<Record<string, unknown> | undefined>)
  audience?: EventAudience
}

/** What happened, for whoever listens on any of the servers. Nothing depends on its arrival: rows travel by shapes. */
export interface Events {
  /** Returns at once; call it after the commit. */
  emit(event: LiveEvent): void
  /** @returns how to stop listening */
  listen(listener: (event: LiveEvent) => void): () => void
  close(): Promise<void>
}

/**
 * @param shared whether other servers work on the same database; then events go to them through it, in batches and
 * outside of every transaction, as references where they are large
 */
export async function createEvents({
  sql,
  log,
  shared,
}: {
  sql: Pick<Sql, 'listen' | 'notify'>
  log: Logger
  shared: boolean
}): Promise<Events> {
  const listeners = new Set<(event: LiveEvent) => void>()
  const deliver = (event: LiveEvent) => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        log.error({ err: error, event: event.name }, 'a listener failed')
      }
    }
  }
  const others = shared
    ? await createNotifications({
        sql,
        channel: 'balcao_events',
        everyMs: 20,
        receive(line) {
          try {
            deliver(JSON.parse(line) as LiveEvent)
          } catch (error) {
            log.warn({ err: error }, 'an unreadable event from another server')
          }
        },
        failed: (error) => log.warn({ err: error }, 'events did not reach the other servers'),
      })
    : undefined
  const pass = async (event: LiveEvent) => {
    const payload =
      typeof event.payload === 'function' && event.id === undefined ? await event.payload() : event.payload
    const full = JSON.stringify({ ...event, payload: typeof payload === 'function' ? undefined : payload })
    if (Buffer.byteLength(full) <= MAX_LINE_BYTES) others?.send(full)
    else if (event.id !== undefined) others?.send(JSON.stringify({ ...event, payload: undefined }))
    else log.warn({ event: event.name }, 'an event is too large for the other servers')
  }

  return {
    emit(event) {
      deliver(event)
      if (others)
        void pass(event).catch((error: unknown) => log.warn({ err: error }, 'an event could not be passed on'))
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      listeners.clear()
      // Whom another server tells now, this one told of it last.
      await others?.close()
    },
  }
}
