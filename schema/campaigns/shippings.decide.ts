import { type Condition, nothing, type ServerChange, type ServerDecision, type SweepingChange } from '../command.ts'
import type { ByTable } from '../decided.ts'
import { draw } from './campaigns.message.ts'
import type { ShippingState, SkipReason } from './campaigns.state.ts'
import type { Campaign, Shipping } from './campaigns.table.ts'
import { finalReasons, type ShippingEvent, shippingAfter } from './shippings.transition.ts'

/** A row after an event, and what is written of it. */
export interface MovedShipping {
  row: Shipping
  change: ServerChange
}

/** What an event makes of a row; undefined where it changes nothing, or is about one that stands otherwise. */
export function moveShipping(row: Shipping, event: ShippingEvent, now: Date): MovedShipping | undefined {
  const patch = shippingAfter(row, event, now)
  if (patch === 'refused' || Object.keys(patch).length === 0) return undefined
  return { row: { ...row, ...patch }, change: changed(row.id, patch) }
}

const changed = (id: number, values: ByTable<Shipping>): ServerChange => ({
  table: 'shippings',
  op: 'update',
  ids: [id],
  values,
})

/** Several rows and what happened to each, as one decision. The same row may come more than once. */
export function decideShippings(
  all: readonly { row: Shipping; event: ShippingEvent }[],
  now: Date,
): { decision: ServerDecision; moved: Shipping[] } {
  const rows = new Map<number, Shipping>()
  const changes: ServerChange[] = []
  for (const { row, event } of all) {
    const found = moveShipping(rows.get(row.id) ?? row, event, now)
    if (!found) continue
    rows.set(row.id, found.row)
    changes.push(found.change)
  }
  return { decision: { ...nothing, rows: changes }, moved: [...rows.values()] }
}

/** Whom a campaign finds, and why they do not get it. */
export interface PlannedPerson
  extends Pick<Shipping, 'key' | 'name' | 'number' | 'lid' | 'email' | 'itemId' | 'checkedAt' | 'isNewChat'> {
  skip: SkipReason | null
}

/** With it a person's row begins. */
export function planShipping(campaign: Campaign, person: PlannedPerson, id: number, now: Date): ServerChange {
  const { skip, ...who } = person
  const values: Partial<Shipping> & { id: number } = {
    ...{ id, companyId: campaign.companyId, campaignId: campaign.id, whatsappId: campaign.whatsappId, ...who },
    ...{ state: skip ? 'skipped' : 'planned', reason: skip, dueAt: skip ? null : now },
    messageIndex: draw(campaign, person.key).messageIndex,
  }
  return { table: 'shippings', op: 'insert', values }
}

// ── many rows that nobody reads ──────────────────────────────────────────────────────────────

/** What happens to a whole campaign, or to many people at once. */
export type SweepingEvent = Extract<ShippingEvent, { type: 'optOut' | 'cancel' | 'restart' | 'retry' }>
/** Whose rows. */
export type ShippingScope = { column: 'campaignId'; in: readonly number[] } | { column: 'key'; in: readonly string[] }

type ShippingCondition = Condition<keyof Shipping & string>
interface Kind {
  state: ShippingState
  /** Of the rows in that state, those that an earlier line has not taken and of which this holds. */
  and: readonly ShippingCondition[]
  /** One of them. */
  like: Partial<Shipping>
}

const planned: Kind = { state: 'planned', and: [], like: {} }
const failed: Kind = { state: 'failed', and: finalReasons.map((isNot) => ({ column: 'reason', isNot })), like: {} }
const kinds: { [T in SweepingEvent['type']]: readonly Kind[] } = {
  optOut: [planned],
  cancel: [planned],
  restart: [
    {
      state: 'cancelled',
      and: [
        { column: 'confirmationRequestedAt', is: 'set' },
        { column: 'confirmedAt', is: 'empty' },
      ],
      like: { confirmationRequestedAt: new Date(0) },
    },
    { state: 'cancelled', and: [], like: {} },
    failed,
  ],
  retry: [failed],
}

/** A row of which nothing has happened yet. */
const blank: Omit<Shipping, 'state'> = {
  ...{ id: 0, companyId: 0, campaignId: 0, name: '', number: '', key: '', lid: null, email: '', itemId: null },
  ...{
    reason: null,
    messageIndex: 0,
    body: null,
    about: null,
    whatsappId: null,
    wid: null,
    messageId: null,
    ack: 0,
    attempts: 0,
  },
  ...{ dueAt: null, turn: 1, checkedAt: null, confirmationBody: null, confirmationWid: null },
  ...{ confirmationMessageId: null, confirmationRequestedAt: null, confirmedAt: null, isNewChat: false },
  ...{ sentAt: null, deliveredAt: null, readAt: null, repliedAt: null, optedOutAt: null, ticketId: null },
  ...{ answerBody: null, answerWid: null, answerMessageId: null, answeredAt: null },
  createdAt: new Date(0),
}

/**
 * The same for all rows of a campaign, or of people, of which nobody needs to know one: what becomes of each kind of row is
 * asked of the table, with one that is like it.
 */
export function sweepShippings(scope: ShippingScope, event: SweepingEvent, now: Date): ServerDecision {
  const rows = kinds[event.type].map(({ state, and, like }): SweepingChange => {
    const values = shippingAfter({ ...blank, ...like, state }, event, now)
    if (values === 'refused') throw new Error(`${event.type} is refused for what is ${state}`)
    return { table: 'shippings', op: 'update', where: scope, and: [{ column: 'state', in: [state] }, ...and], values }
  })
  return { ...nothing, rows }
}
