import { type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  type Command,
  command,
  type CommandContext,
  type Decision,
  type FactReader,
  nothing,
  together,
} from '../command.ts'
import { DomainError, type ErrorCode } from '../errors.ts'
import { clientId, moment, nullable, optionalRowId, rowId } from '../inputs.ts'
import type { Principal } from '../permissions.ts'
import { undoable } from '../undo.inputs.ts'
import { ticketCommands, visible } from './tickets.commands.ts'
import { snoozeNote, transferNote, unreadCount } from './tickets.inputs.ts'
import { mostBulk } from './tickets.list.ts'
import type { Ticket } from './tickets.table.ts'
import { taggedAs } from './tickets.tagged.ts'

const ids = Type.Array(rowId, { minItems: 1, maxItems: mostBulk, uniqueItems: true })
const tagIds = Type.Array(rowId, { maxItems: 50, uniqueItems: true })

/** What is done with each of several tickets. */
export const bulkAction = Type.Union([
  Type.Object({ type: Type.Literal('accept') }, { additionalProperties: false }),
  Type.Object({ type: Type.Literal('return') }, { additionalProperties: false }),
  Type.Object(
    {
      type: Type.Literal('resolve'),
      /** Of each ticket, by its id, how many unread messages its author saw in it: see `tickets.resolve`. */
      unread: Type.Optional(
        Type.Record(Type.String({ pattern: '^[0-9]{1,10}$' }), unreadCount, { maxProperties: mostBulk }),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Object({ type: Type.Literal('read') }, { additionalProperties: false }),
  Type.Object(
    {
      type: Type.Literal('transfer'),
      queueId: optionalRowId,
      userId: Type.Optional(optionalRowId),
      note: Type.Optional(transferNote),
    },
    { additionalProperties: false },
  ),
  Type.Object({ type: Type.Literal('tag'), add: tagIds, remove: tagIds }, { additionalProperties: false }),
  /** Puts them aside: until a moment, or with null until the contact of each answers. */
  Type.Object(
    {
      ...{ type: Type.Literal('snooze'), until: nullable(moment) },
      ...{ keep: Type.Optional(Type.Boolean()), note: Type.Optional(snoozeNote) },
    },
    { additionalProperties: false },
  ),
])
export type BulkAction = Static<typeof bulkAction>
export type BulkType = BulkAction['type']

/** A ticket that was left as it is, and why. */
export interface BulkFailure {
  id: number
  error: ErrorCode
}
/** What became of each of several tickets. */
export interface BulkResult {
  done: number[]
  failed: BulkFailure[]
}

/** The part of a bulk that one ticket is: its facts, and then what is decided. */
interface Part<F> {
  facts(ticketId: number, read: FactReader, who: Principal): Promise<F>
  decide(facts: F, context: CommandContext): Decision
}

/** A command that is asked of each ticket as if it were asked of that one alone. */
const asCommand = <I extends TSchema, F>(
  of: Pick<Command<I, F>, 'facts' | 'decide'>,
  inputOf: (ticketId: number) => Static<I>,
): Part<{ input: Static<I>; facts: F }> => ({
  facts: async (ticketId, read, who) => {
    const input = inputOf(ticketId)
    return { input, facts: await of.facts(input, read, who) }
  },
  decide: ({ input, facts }, context) => of.decide(input, facts, context),
})

/** A ticket's tags with some more and some less. */
export function taggedDecision(
  ticket: Pick<Ticket, 'id' | 'tagIds'>,
  add: readonly number[],
  remove: readonly number[],
): Decision {
  const kept = ticket.tagIds.filter((tagId) => !remove.includes(tagId) && !add.includes(tagId))
  const tags = [...kept, ...add].sort((a, b) => a - b)
  if (String(tags) === String(ticket.tagIds)) return nothing
  return {
    rows: [{ table: 'tickets', op: 'update', ids: [ticket.id], values: { tagIds: tags } }],
    ...taggedAs(ticket, tags),
    effects: [],
  }
}

const tagPart = ({ add, remove }: Extract<BulkAction, { type: 'tag' }>): Part<Ticket> => ({
  facts: async (ticketId, read, who) => {
    const ticket = visible(await read.need('tickets', ticketId), who)
    for (const tagId of add) await read.need('tags', tagId)
    return ticket
  },
  decide: (ticket) => taggedDecision(ticket, add, remove),
})

/** Only whose ticket it is reads it; alone such a command changes nothing, among several it is to be said. */
const readPart: Part<unknown> = {
  facts: async (ticketId, read, who) => {
    const ticket = visible(await read.need('tickets', ticketId), who)
    if (ticket.userId !== who.userId) throw new DomainError('ERR_FORBIDDEN')
    return ticketCommands['tickets.read'].facts({ ticketId }, read, who)
  },
  decide: (facts, context) => ticketCommands['tickets.read'].decide({ ticketId: 0 }, facts as never, context),
}

const parts: { [T in BulkType]: (action: Extract<BulkAction, { type: T }>, isHeld: boolean) => Part<never> } = {
  accept: (_action, isHeld) =>
    asCommand(ticketCommands['tickets.accept'], (ticketId) => ({ ticketId, undoable: isHeld })) as Part<never>,
  return: (_action, isHeld) =>
    asCommand(ticketCommands['tickets.return'], (ticketId) => ({ ticketId, undoable: isHeld })) as Part<never>,
  resolve: ({ unread }, isHeld) =>
    asCommand(ticketCommands['tickets.resolve'], (ticketId) => ({
      ...{ ticketId, undoable: isHeld },
      ...(unread?.[ticketId] !== undefined && { unread: unread[ticketId] }),
    })) as Part<never>,
  transfer: ({ type: _type, ...to }, isHeld) =>
    asCommand(ticketCommands['tickets.transfer'], (ticketId) => ({
      ...{ ticketId, ...to, undoable: isHeld },
    })) as Part<never>,
  snooze: ({ type: _type, ...until }, isHeld) =>
    asCommand(ticketCommands['tickets.snooze'], (ticketId) => ({
      ...{ ticketId, ...until, undoable: isHeld },
    })) as Part<never>,
  read: () => readPart as Part<never>,
  tag: (action) => tagPart(action) as Part<never>,
}

/** What of a bulk can be taken back by `tickets.undoBulk`; tags are put back by another bulk. */
export const undoneInBulk: ReadonlySet<BulkType> = new Set<BulkType>([
  ...(['accept', 'return', 'resolve', 'transfer', 'snooze'] as const),
])

/** The id under which each ticket's part of a bulk is known: held effects and lines of the timeline have theirs of it. */
export const partOf = (commandId: string, ticketId: number): string => `${commandId}-${ticketId}`

const idsIn = (id: number | null | undefined) => (id == null ? [] : [id])

type Found = { id: number; facts: unknown } | BulkFailure

/** The facts of each ticket, or why there are none. In the order of ids, so that two at once wait for each other, and no more. */
async function factsOfEach(
  ticketIds: readonly number[],
  part: Part<never>,
  read: FactReader,
  who: Principal,
): Promise<Found[]> {
  const found: Found[] = []
  for (const id of ticketIds.toSorted((a, b) => a - b))
    try {
      found.push({ id, facts: await part.facts(id, read, who) })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      found.push({ id, error: error.code })
    }
  return found
}

/** One decision of all that may be done; the rest is named. */
function decideEach(
  found: readonly Found[],
  part: Part<never>,
  context: CommandContext,
): Decision & { result: BulkResult & Record<string, unknown> } {
  const [decisions, done, failed]: [Decision[], number[], BulkFailure[]] = [[], [], []]
  for (const one of found) {
    if ('error' in one) {
      failed.push(one)
      continue
    }
    try {
      decisions.push(part.decide(one.facts as never, { ...context, commandId: partOf(context.commandId, one.id) }))
      done.push(one.id)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      failed.push({ id: one.id, error: error.code })
    }
  }
  return { ...together(...decisions), result: { done, failed } }
}

/** What was not done stays with its user as a command of its own, with the reason of the first. */
function refusedOf<I extends { ids: number[] }>(input: I, result: Record<string, unknown>) {
  const failed = (result['failed'] ?? []) as BulkFailure[]
  if (failed.length === 0) return null
  return {
    input: { ...input, ids: failed.map(({ id }) => id) },
    error: { code: failed[0]!.error, params: { failed } },
  }
}

const of = (action: BulkAction, isHeld: boolean | undefined): Part<never> =>
  (parts[action.type] as (action: BulkAction, isHeld: boolean) => Part<never>)(action, isHeld === true)

export const bulkCommands = {
  /** Does one thing with several tickets, of each by its own rules; what may not be done is named and left. */
  'tickets.bulk': command({
    name: 'tickets.bulk',
    needs: 'tickets:bulk',
    input: Type.Object({ ids, action: bulkAction, undoable }, { additionalProperties: false }),
    facts: async ({ ids: ticketIds, action, undoable: isHeld }, read, who) => {
      await read.ahead({
        tickets: ticketIds,
        ...(action.type === 'tag' ? { tags: action.add } : {}),
        ...(action.type === 'transfer' ? { queues: idsIn(action.queueId), users: idsIn(action.userId) } : {}),
        ...(action.type === 'read' ? { unreadOf: ticketIds } : {}),
      })
      // The same for all: what is not there is refused at once.
      if (action.type === 'transfer') {
        if (action.queueId !== null) await read.need('queues', action.queueId)
        if (action.userId != null) await read.need('users', action.userId)
        if (action.queueId === null && action.userId == null) throw new DomainError('ERR_QUEUE_REQUIRED')
      }
      if (action.type === 'tag') for (const tagId of action.add) await read.need('tags', tagId)
      return factsOfEach(ticketIds, of(action, isHeld), read, who)
    },
    decide: ({ action, undoable: isHeld }, found, context) => decideEach(found, of(action, isHeld), context),
    refusedPart: refusedOf,
  }),

  /** Takes back what a bulk of the same person did, given as undoable, of all tickets that nothing has followed yet. */
  'tickets.undoBulk': command({
    name: 'tickets.undoBulk',
    needs: 'tickets:bulk',
    input: Type.Object({ ids, commandId: clientId }, { additionalProperties: false }),
    facts: async ({ ids: ticketIds, commandId }, read, who) => {
      const events = ticketIds.map((id) => `${partOf(commandId, id)}:${id}`)
      await read.ahead({ tickets: ticketIds, ticketEvents: events })
      return factsOfEach(ticketIds, undoPart(commandId), read, who)
    },
    decide: ({ commandId }, found, context) => decideEach(found, undoPart(commandId), context),
    refusedPart: refusedOf,
  }),
}

const undoPart = (commandId: string): Part<never> =>
  asCommand(ticketCommands['tickets.undo'], (ticketId) => ({
    ...{ ticketId, commandId: partOf(commandId, ticketId) },
  })) as Part<never>
