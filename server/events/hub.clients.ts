import { Crowd, type Most } from '../../schema/crowd.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { TicketStatus } from '../../schema/tickets/tickets.table.ts'
import type { Authenticated } from '../auth/authenticator.ts'
import type { EventTicket } from './bus.ts'

/** Close codes that a client understands. */
export const CLOSE_SESSION_ENDED = 4001
/** The company may not work: the reason says which of the two. */
export const CLOSE_COMPANY_BARRED = 4002
/** Said to who waited for it: the company works again. */
export const CLOSE_WORKS_AGAIN = 4003
export const CLOSE_POLICY = 1008
/** Said to a socket that has to make room, or finds none; the same code as on the sync socket. */
export const CLOSE_CROWDED = 4429

/** One socket, as the hub sees it. */
export interface Wire {
  /** Text of a JSON frame `{event, data}`. */
  send(text: string): void
  close(code: number, reason: string): void
}

export interface Client {
  wire: Wire
  who: Principal
  tokenVersion: number
  /** From where it was opened; undefined where that does not count. */
  address: string | null | undefined
  /** The operator, in the user's name: nobody is to take them for the user. */
  acting: Authenticated['acting']
  /** The company may not work: the socket is there to hear when it may, and for nothing else. */
  waits: boolean
  /** Said `userStatus`: a person, not a program. */
  present: boolean
  chats: Set<number>
  statuses: Set<TicketStatus>
  notification: boolean
  /** Tickets it was told of: only these are ever reported gone. */
  told: Set<number>
  frames: { since: number; count: number }
  gone: boolean
  /** Counts what it said of its looking: a slow answer to an earlier word must not undo a later one. */
  looks: number
}

/** A person has one socket for each tab. */
const MOST_SOCKETS: Most = { user: 32, company: 2_000, all: 10_000 }
const MOST_TOLD = 5_000

/** A frame as it goes over the line. */
export const frame = (event: string, data: unknown) => JSON.stringify({ event, data })

/** Somebody who has just come in, and has asked for nothing yet. */
export const newClient = (
  wire: Wire,
  { who, tokenVersion, acting, barred }: Authenticated,
  address: string | null | undefined,
  now: Date,
): Client => ({
  wire,
  who,
  tokenVersion,
  address,
  acting,
  waits: barred !== null,
  present: false,
  chats: new Set(),
  statuses: new Set(),
  notification: false,
  told: new Set(),
  frames: { since: now.getTime(), count: 0 },
  gone: false,
  looks: 0,
})

/** Whether the client has asked for events of such a ticket. */
export const wants = (client: Client, ticket: EventTicket) =>
  client.notification || client.chats.has(ticket.id) || client.statuses.has(ticket.status)

/** The client is told of a ticket. */
export function remember({ told }: Client, id: number): void {
  told.delete(id)
  told.add(id)
  if (told.size > MOST_TOLD) told.delete(told.values().next().value!)
}

/** The sockets of this process, by company and by user. */
export class Clients {
  private readonly companies = new Map<number, Set<Client>>()
  private readonly crowd: Crowd<Client>

  constructor(most: Most = MOST_SOCKETS) {
    this.crowd = new Crowd(most)
  }

  /** @returns those who are to go first; null where there is no room (`Crowd.makeRoom`) */
  makeRoom(who: Principal): readonly Client[] | null {
    return this.crowd.makeRoom(who)
  }

  add(client: Client): void {
    const { who } = client
    this.crowd.add(who, client)
    const set = this.companies.get(who.companyId) ?? new Set()
    this.companies.set(who.companyId, set.add(client))
  }

  /** @returns whether it was here */
  delete(client: Client): boolean {
    if (!this.crowd.delete(client.who, client)) return false
    const { companyId } = client.who
    const set = this.companies.get(companyId)!
    set.delete(client)
    if (set.size === 0) this.companies.delete(companyId)
    return true
  }

  /** As they are now: who comes and goes meanwhile changes nothing of it. */
  ofUser(userId: number): Client[] {
    return [...this.crowd.of(userId)]
  }

  /** Undefined where nobody of the company is here. */
  of(companyId: number): ReadonlySet<Client> | undefined {
    return this.companies.get(companyId)
  }

  all(): Client[] {
    return [...this.companies.values()].flatMap((set) => [...set])
  }

  clear(): void {
    this.companies.clear()
  }
}
