import { type Static, Type } from '@sinclair/typebox'
import { mostActions, ruleAction } from '../actions/actions.inputs.ts'
import { fieldTest } from '../custom-fields/custom-fields.inputs.ts'
import { moment, nullable, patterned, requiring, rowId } from '../inputs.ts'
import { type RuleTrigger, ruleTriggers } from './rules.triggers.ts'

/** For rules and form. `mostMinutes` are thirty days. */
export const ruleBounds = {
  ...{ name: 60, most: 50, conditions: 20, chosen: 100, words: 30, word: 100, mostMinutes: 43_200 },
} as const

const oneOf = <const T extends string>(words: readonly T[]) => Type.Union(words.map((word) => Type.Literal(word)))
const said = { additionalProperties: false } as const

export const ruleName = patterned({ minLength: 1, maxLength: ruleBounds.name, pattern: '\\S' })
const chosen = Type.Array(rowId, { minItems: 1, maxItems: ruleBounds.chosen, uniqueItems: true })
/** 0 stands for none. */
const chosenOrNone = Type.Array(Type.Union([rowId, Type.Literal(0)]), {
  minItems: 1,
  maxItems: ruleBounds.chosen,
  uniqueItems: true,
})
/** None of them, instead of one of them. */
const not = Type.Boolean()

export const ruleStatuses = ['pending', 'open', 'closed'] as const
/** What a word of a contact's message is: some of it, whatever its case and accents. */
export const ruleWord = patterned({ minLength: 1, maxLength: ruleBounds.word, pattern: '\\S' })

/** What must be so of the ticket, or of what happened to it. */
export const ruleCondition = Type.Union([
  Type.Object(
    { kind: Type.Literal('status'), is: Type.Array(oneOf(ruleStatuses), { minItems: 1, maxItems: 3 }) },
    said,
  ),
  Type.Object({ kind: Type.Literal('queue'), ids: chosenOrNone, not }, said),
  Type.Object({ kind: Type.Literal('user'), ids: chosenOrNone, not }, said),
  Type.Object({ kind: Type.Literal('connection'), ids: chosen, not }, said),
  /** Has one of them. */
  Type.Object({ kind: Type.Literal('tag'), ids: chosen, not }, said),
  /** One of them was put on just now. */
  Type.Object({ kind: Type.Literal('tagAdded'), ids: chosen }, said),
  /** The message holds one of them. */
  Type.Object(
    {
      kind: Type.Literal('words'),
      words: Type.Array(ruleWord, { minItems: 1, maxItems: ruleBounds.words, uniqueItems: true }),
      not,
    },
    said,
  ),
  Type.Object({ kind: Type.Literal('field'), entity: oneOf(['ticket', 'contact']), test: fieldTest }, said),
  /** The company's hours, or those of the queue or connection, as the company has set. */
  Type.Object({ kind: Type.Literal('hours'), open: Type.Boolean() }, said),
  Type.Object(
    {
      kind: Type.Literal('rate'),
      is: Type.Array(Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)]), { minItems: 1, maxItems: 3 }),
    },
    said,
  ),
])
export type RuleCondition = Static<typeof ruleCondition>
export type ConditionKind = RuleCondition['kind']
export type ConditionOf<K extends ConditionKind> = Extract<RuleCondition, { kind: K }>

/** What can be asked of anything that happened. */
const always = ['status', 'queue', 'user', 'connection', 'tag', 'field', 'hours'] as const
/** What can be asked after each trigger. */
export const conditionsOf: Record<RuleTrigger, readonly ConditionKind[]> = {
  /** The words are those that it begins with. */
  created: ['words', ...always],
  messageIn: ['words', ...always],
  /** The words are those of the answer. */
  campaignReply: ['words', ...always],
  messageOut: ['words', ...always],
  status: always,
  queue: always,
  user: always,
  tagged: ['tagAdded', ...always],
  slaWarning: always,
  slaBreach: always,
  idle: always,
  rated: ['rate', ...always],
}

/** All that people write of a rule. */
export const ruleInput = Type.Object({
  name: ruleName,
  /** Its place among the others, from 1; a new one stands last. */
  position: Type.Integer({ minimum: 1, maximum: ruleBounds.most }),
  active: Type.Boolean(),
  trigger: oneOf(ruleTriggers),
  minutes: nullable(Type.Integer({ minimum: 1, maximum: ruleBounds.mostMinutes })),
  byPeople: Type.Boolean(),
  match: oneOf(['all', 'any']),
  conditions: Type.Array(ruleCondition, { maxItems: ruleBounds.conditions }),
  actions: Type.Array(ruleAction, { minItems: 1, maxItems: mostActions }),
  stopOnMatch: Type.Boolean(),
})
export type RuleInput = Static<typeof ruleInput>

export const newRule = requiring(ruleInput, ['name', 'trigger', 'actions'])
export const changedRule = Type.Object({
  ...requiring(ruleInput, []).properties,
  /** As whoever changes it has seen it; where it was changed since, the change is refused. */
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
})
/** What a form asks in words; the rest is chosen. */
export const ruleWords = Type.Pick(ruleInput, ['name'])

/** What of a rule says when it acts, and what it does. */
export const triedRule = requiring(
  Type.Pick(ruleInput, ['trigger', 'minutes', 'byPeople', 'match', 'conditions', 'actions']),
  ['trigger', 'actions'],
)
/** A rule, and the days over which it is asked what it would have done; without them, the last thirty. */
export const dryRunInput = Type.Object({
  rule: triedRule,
  from: Type.Optional(moment),
  to: Type.Optional(moment),
})
