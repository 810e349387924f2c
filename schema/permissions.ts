import type { Role, TicketScopeName } from './roles/roles.table.ts'
import type { Profile, User } from './users/users.table.ts'

/** Who is asking: made from a token by the server, never from input. The browser holds a copy to hide what is refused. */
export interface Principal {
  userId: number
  companyId: number
  name: string
  profile: Profile
  /** What an admin has put together for people like them; it takes the place of what the profile gives. */
  role?: PrincipalRole | null
  super: boolean
  /** Queues the user works in. */
  queueIds: readonly number[]
  /** Whether tickets without a queue are shown. */
  allTicket: boolean
  /** The connection the user writes from by default. */
  whatsappId: number | null
  /** The company has its people read contacts' numbers only in part. */
  numbersHidden?: boolean
  /** It is the operator, in the user's name. */
  acting?: boolean
  /** And only to look: nothing changes by them, also not by what they read. */
  visiting?: boolean
}

/** What of a role decides. */
export type PrincipalRole = Pick<Role, 'id' | 'permissions' | 'ticketScope' | 'maskNumbers'>

/** What a stored user may do follows from these of their columns, and from the queues they work in. */
export const principalFrom = (
  user: Pick<User, 'id' | 'companyId' | 'name' | 'profile' | 'super' | 'allTicket' | 'whatsappId'>,
  queueIds: readonly number[],
  role: PrincipalRole | null = null,
  numbersHidden = false,
): Principal => ({
  userId: user.id,
  companyId: user.companyId,
  name: user.name,
  profile: user.profile,
  ...(role && {
    role: {
      ...{ id: role.id, permissions: role.permissions },
      ...{ ticketScope: role.ticketScope, maskNumbers: role.maskNumbers },
    },
  }),
  ...(numbersHidden && { numbersHidden }),
  super: user.super,
  queueIds,
  allTicket: user.allTicket,
  whatsappId: user.whatsappId,
})

/** Permission → profiles that hold it. The operator (`super`) holds `super:*` besides the profile's own. */
const holders = {
  'dashboard:view': ['admin'],
  'drawer-admin-items:view': ['admin'],
  'tickets-manager:showall': ['admin', 'supervisor'],
  'tickets:spy': ['admin'],
  'ticket-options:deleteTicket': ['admin'],
  /** Makes one ticket of two of a contact, and takes that back. */
  'tickets:merge': ['admin', 'supervisor', 'user'],
  /** Is called by agents to a ticket, and answers the call; says of colleagues that they are away, or back. */
  'tickets:supervise': ['admin', 'supervisor'],
  /** Reads reports of the tickets that they see, and opens those that a figure counted. */
  'reports:read': ['admin', 'supervisor'],
  /** Takes reports out as files, has them sent by mail, and shares views of them. */
  'reports:export': ['admin', 'supervisor'],
  /** Sees the company's figures of this moment, on a screen that hangs on the wall. */
  'wall:read': ['admin', 'supervisor'],
  'user-modal:editProfile': ['admin'],
  'user-modal:editQueues': ['admin'],
  'users:write': ['admin'],
  /** Puts roles together. */
  'roles:write': ['admin'],
  'contacts-page:deleteContact': ['admin', 'supervisor'],
  'contacts:merge': ['admin', 'supervisor'],
  'contacts:export': ['admin', 'supervisor'],
  /** Takes spreadsheets in: of contacts, and with what else they ask, of contact lists and opt-outs. */
  'contacts:import': ['admin', 'supervisor'],
  /** Reads one number that a role or the company hides, which the audit log remembers. */
  'contacts:reveal': ['admin', 'supervisor'],
  /** Answers what the law gives people: their data exported, erased and held, terms of keeping, the register of requests. */
  'privacy:write': ['admin'],
  'connections-page:actionButtons': ['admin'],
  'connections-page:addConnection': ['admin'],
  'connections-page:editOrDeleteConnection': ['admin'],
  'connections:token': ['admin'],
  'api-keys:write': ['admin'],
  'webhooks:write': ['admin'],
  /** Makes, deletes and confirms message templates of official connections. To send by one needs nothing. */
  'templates:write': ['admin'],
  'queues:write': ['admin'],
  'settings:write': ['admin'],
  /** Says who gets in and how: second steps, passwords, networks, the company's own provider, the operator's visits. */
  'security:write': ['admin'],
  /** Reads who changed what. */
  'audit:read': ['admin'],
  /** Sees the company's invoices and pays them, also when its time is over. */
  'invoices:pay': ['admin'],
  /** Does one thing with several tickets at once; of each it is asked as if it were done with that one alone. */
  'tickets:bulk': ['admin', 'supervisor', 'user'],
  /** Makes views of the ticket list for others, and changes those that are shared. */
  'views:share': ['admin', 'supervisor'],
  'tags:kanban': ['admin', 'supervisor'],
  /** Says which fields contacts and tickets have. To fill them in needs nothing. */
  'fields:write': ['admin'],
  'quick-messages:any': ['admin', 'supervisor'],
  /** Makes macros for others, and changes those that are shared. Own ones, and to run one, need nothing. */
  'macros:write': ['admin', 'supervisor'],
  /** Says what is done by itself after something has happened to a ticket, and reads what was. */
  'rules:write': ['admin'],
  'company:schedules': ['admin'],
  /** Makes, changes and deletes lists of files. To send what stands on them needs nothing. */
  'files:write': ['admin', 'supervisor'],
  /** Writes campaigns, their settings, contact lists and segments. */
  'campaigns:write': ['admin'],
  /** Starts, pauses and ends them. */
  'campaigns:send': ['admin'],
  /** Notes that somebody wants no bulk messages, or does again. */
  'opt-outs:write': ['admin'],
  /** Says what answers in an agent's place: flows, phrases, assistants, integrations. */
  'automations:write': ['admin'],
  /** Writes what is promised to contacts: policies of deadlines. */
  'sla:write': ['admin'],
  /** Sees each rule that was asked about a message; others see how it ended. */
  'automations:trace': ['admin', 'supervisor'],
} as const satisfies Record<string, readonly Profile[]>

export type Permission = keyof typeof holders

/** What a role may hold. Who sees all tickets is said by its scope, and nowhere else. */
export const grantable = (Object.keys(holders) as Permission[]).filter((name) => name !== 'tickets-manager:showall')

/** Keys that open the company to programs. */
const opening = ['connections:token', 'api-keys:write', 'webhooks:write'] as const
/** What outlives the half hour of an operator who acts for a user: also who gets in, and how. */
const lasting: ReadonlySet<Permission> = new Set([...opening, 'security:write'])
/**
 * What tells numbers to whom a role hides them: flows and integrations hand them on to whichever address is written there,
 * and an import says of thousands of guesses which were right.
 */
const revealing: ReadonlySet<Permission> = new Set([...opening, 'automations:write', 'contacts:import'])
/** Whether nobody has it from whom numbers are kept. */
export const revealsNumbers = (permission: Permission): boolean => revealing.has(permission)

/** What decides about permissions. */
export type Rights = Pick<Principal, 'profile' | 'role' | 'numbersHidden'>

/**
 * Whether numbers are kept from somebody for good: by their role, or by the company where they may not reveal one. Who may
 * reads them one by one, on the record, and what they set up for others may tell them.
 */
export const lacksNumbers = (who: Rights): boolean =>
  who.role?.maskNumbers === true || (who.numbersHidden === true && !gives(who, 'contacts:reveal'))

/** Whether profile or role give it, whatever else takes it away. */
const gives = (who: Rights, permission: Permission): boolean =>
  who.role
    ? who.role.permissions.includes(permission)
    : (holders[permission] as readonly Profile[]).includes(who.profile)

/** Whether `who` holds `permission`. The server refuses by it, the client hides by it. */
export function can(who: Rights & Pick<Principal, 'acting'>, permission: Permission): boolean {
  if (who.acting && lasting.has(permission)) return false
  if (revealing.has(permission) && lacksNumbers(who)) return false
  if (who.role)
    return permission === 'tickets-manager:showall' ? scopeOf(who) === 'all' : who.role.permissions.includes(permission)
  return (holders[permission] as readonly Profile[]).includes(who.profile)
}

/** The profiles that hold a permission by themselves, without a role. */
export const profilesHolding = (permission: Permission): readonly Profile[] => holders[permission]

/** Whether somebody says of colleagues that they are away, or back; of themselves everybody does. */
export const marksAway = (who: Rights & Pick<Principal, 'acting'>): boolean =>
  can(who, 'tickets:supervise') || can(who, 'users:write')

/** Which tickets somebody with these rights sees. */
export const scopeOf = (who: Rights): TicketScopeName =>
  who.role ? who.role.ticketScope : who.profile === 'user' ? 'queues' : 'all'

/** What admins alone have, and that shows figures or a menu only. */
const looking: ReadonlySet<Permission> = new Set(['dashboard:view', 'drawer-admin-items:view'])
/** What of a role makes an admin of whoever has it, whatever they are called. */
const administering = grantable.filter(
  (name) => !looking.has(name) && (holders[name] as readonly Profile[]).every((profile) => profile === 'admin'),
)
/** Whether what is asked of admins is asked of them: by their profile, or by what their role lets them do. */
export const administers = (who: Rights): boolean =>
  who.profile === 'admin' || administering.some((name) => can(who, name))

const reach: Record<TicketScopeName, number> = { own: 0, queues: 1, all: 2 }

/** What every agent has: whoever is given it is given no more than anybody. */
const everybodys = (permission: Permission): boolean => (holders[permission] as readonly Profile[]).includes('user')

/**
 * Whether somebody has all that these rights give. Nobody gives what they do not have, nor changes who has more than
 * they do: with another's password they would have it.
 */
export const covers = (who: Rights & Pick<Principal, 'acting'>, rights: Rights): boolean =>
  reach[scopeOf(who)] >= reach[scopeOf(rights)] &&
  (!who.role?.maskNumbers || rights.role?.maskNumbers === true) &&
  grantable.every((name) => !can(rights, name) || can(who, name) || everybodys(name))

/** The part of a ticket that decides who sees it. */
export interface TicketScope {
  queueId: number | null
  userId: number | null
}

/**
 * Which tickets a person sees, as a value: all of the company, or their own and those of some queues, where null stands
 * for tickets without a queue. `tickets.sight.ts` puts it into the words of databases.
 */
export type TicketSight = 'all' | { userId: number; queues: readonly (number | null)[] }

/** The queues whose waiting tickets concern a person, none where they see their own only; null with `allTicket`: those without a queue. */
export const ownQueues = (who: Pick<Principal, 'queueIds' | 'allTicket' | 'role'>): (number | null)[] =>
  who.role?.ticketScope === 'own' ? [] : [...who.queueIds, ...(who.allTicket ? [null] : [])]

/**
 * Who sees a ticket, its messages, its notes and its files: those who see all, its agent, the people of its
 * queue, and, when it has no queue, those whose `allTicket` is enabled.
 */
export function ticketSight(who: Principal): TicketSight {
  return can(who, 'tickets-manager:showall') ? 'all' : { userId: who.userId, queues: ownQueues(who) }
}

/** Whether a ticket lies within a sight. */
export const sees = (sight: TicketSight, ticket: TicketScope): boolean =>
  sight === 'all' || ticket.userId === sight.userId || sight.queues.includes(ticket.queueId)

/** Whether somebody sees a ticket. The server’s lists and the shapes ask the same (rule V1 of `sync/SPEC.md`). */
export const canSeeTicket = (who: Principal, ticket: TicketScope): boolean => sees(ticketSight(who), ticket)

/**
 * Who writes in an open ticket: its agent, and those who see all. A colleague of the queue reads along; two voices
 * in one conversation would be a double answer.
 */
export function canAnswer(who: Rights & Pick<Principal, 'userId'>, ticket: Pick<TicketScope, 'userId'>): boolean {
  return ticket.userId === null || ticket.userId === who.userId || can(who, 'tickets-manager:showall')
}
