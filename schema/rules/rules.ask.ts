import { meetsField } from '../custom-fields/custom-fields.conditions.ts'
import type { FieldPatch } from '../custom-fields/custom-fields.table.ts'
import { HOUR_MS } from '../durations.ts'
import { plain } from '../plain.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import type { RuleEvent } from './rules.events.ts'
import type { ConditionKind, ConditionOf, RuleCondition } from './rules.inputs.ts'
import type { ConditionMet, Rule } from './rules.table.ts'

/** What of a rule says when it acts. */
export type Asked = Pick<Rule, 'trigger' | 'byPeople' | 'match' | 'conditions'>

/** What conditions are asked about. */
export interface AskedAbout {
  ticket: Pick<Ticket, 'status' | 'queueId' | 'userId' | 'whatsappId' | 'tagIds' | 'fields'>
  contactFields: FieldPatch
  /** The message's text; null where the event is none, or it holds none. */
  text: string | null
  /** Whether the counter of the ticket is open at the event's moment. */
  isOpen: () => boolean
}

type Answer = Omit<ConditionMet, 'kind'>
type Happened = Pick<RuleEvent, 'added' | 'rate'>

const among = (ids: readonly number[], id: number | null, not: boolean): Answer => ({
  held: ids.includes(id ?? 0) !== not,
  found: id,
})

const answers: { [K in ConditionKind]: (condition: ConditionOf<K>, about: AskedAbout, event: Happened) => Answer } = {
  status: ({ is }, { ticket }) => ({ held: is.includes(ticket.status), found: ticket.status }),
  queue: ({ ids, not }, { ticket }) => among(ids, ticket.queueId, not),
  user: ({ ids, not }, { ticket }) => among(ids, ticket.userId, not),
  connection: ({ ids, not }, { ticket }) => among(ids, ticket.whatsappId, not),
  tag: ({ ids, not }, { ticket }) => ({
    held: ids.some((id) => ticket.tagIds.includes(id)) !== not,
    found: ticket.tagIds,
  }),
  tagAdded: ({ ids }, _about, { added = [] }) => ({ held: ids.some((id) => added.includes(id)), found: added }),
  words: ({ words, not }, { text }) => {
    const said = plain(text ?? '')
    const found = words.find((word) => said.includes(plain(word.trim())))
    // The rule's own word, not the contact's.
    return { held: (found !== undefined) !== not, found: found ?? null }
  },
  field: ({ entity, test }, { ticket, contactFields }) => ({
    held: meetsField(test, entity === 'ticket' ? ticket.fields : contactFields),
  }),
  hours: ({ open }, { isOpen }) => {
    const found = isOpen()
    return { held: found === open, found }
  },
  rate: ({ is }, _about, { rate = 0 }) => ({ held: (is as readonly number[]).includes(rate), found: rate }),
}

/** Whether a rule is asked about an event at all. */
export const isAsked = (rule: Asked & Pick<Rule, 'id'>, event: Pick<RuleEvent, 'trigger' | 'byPerson' | 'ruleId'>) =>
  rule.trigger === event.trigger &&
  (event.ruleId === undefined || event.ruleId === rule.id) &&
  (event.trigger !== 'created' || rule.byPeople || event.byPerson !== true)

/** Whether what a rule asks for is so: each condition with what was found. One without conditions always acts. */
export function ask(
  { match, conditions }: Pick<Asked, 'match' | 'conditions'>,
  about: AskedAbout,
  event: Happened,
): { holds: boolean; met: ConditionMet[] } {
  const met = conditions.map(
    (condition): ConditionMet => ({
      kind: condition.kind,
      ...(answers[condition.kind] as (of: RuleCondition, about: AskedAbout, event: Happened) => Answer)(
        condition,
        about,
        event,
      ),
    }),
  )
  const holds = met.length === 0 || (match === 'all' ? met.every(({ held }) => held) : met.some(({ held }) => held))
  return { holds, met }
}

// ── guards ───────────────────────────────────────────────────────────────────────────────────

export const guards = {
  /** So many rules may stand between an event and what answers it. */
  mostDepth: 3,
  /** So often a rule acts in one ticket within an hour. */
  anHour: 5,
  /** So many rules act after one event, and what follows from it. */
  perRoot: 20,
} as const

/** What a rule has done in a ticket lately. */
export interface Done {
  ruleId: number
  root: string
  at: Date
}

export const guardCodes = ['depth', 'once', 'hour', 'many'] as const

/** Why a rule that would act does not: the code of the guard, or null. */
export function guarded(
  ruleId: number,
  { root, depth }: Pick<RuleEvent, 'root' | 'depth'>,
  done: readonly Done[],
  now: Date,
): (typeof guardCodes)[number] | null {
  if (depth >= guards.mostDepth) return 'depth'
  if (done.some((one) => one.ruleId === ruleId && one.root === root)) return 'once'
  if (done.filter((one) => one.root === root).length >= guards.perRoot) return 'many'
  const since = now.getTime() - HOUR_MS
  if (done.filter((one) => one.ruleId === ruleId && one.at.getTime() > since).length >= guards.anHour) return 'hour'
  return null
}
