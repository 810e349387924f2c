import { atStep, demandActions } from '../actions/actions.check.ts'
import type { RuleAction } from '../actions/actions.inputs.ts'
import type { FactReader } from '../command.ts'
import { DomainError } from '../errors.ts'
import { conditionsOf, type RuleCondition, type RuleInput } from './rules.inputs.ts'

const wrong = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/**
 * Refuses a rule that could never be asked, or never act: it asks what its trigger does not tell, or names what the company
 * does not have.
 *
 * @param webhookIds those of the company
 * @throws DomainError `ERR_VALIDATION`; of an action with `step` and `action`; `ERR_NO_…_FOUND`
 */
export async function demandRule(
  { trigger, minutes, conditions, actions }: Pick<RuleInput, 'trigger' | 'minutes' | 'conditions' | 'actions'>,
  read: FactReader,
  webhookIds: ReadonlySet<number>,
): Promise<void> {
  if (trigger === 'idle' && minutes === null) throw wrong('/minutes', 'how long nobody writes')
  for (const [at, condition] of conditions.entries()) {
    if (!conditionsOf[trigger].includes(condition.kind))
      throw wrong(`/conditions/${at}`, `${condition.kind} is not asked after ${trigger}`)
    await demandCondition(condition, at, read)
  }
  for (const [at, action] of actions.entries())
    if (action.type === 'assign' && action.to === 'me')
      throw atStep(new DomainError('ERR_NO_USER_FOUND'), at + 1, action.type)
  demandWebhooks(actions, webhookIds)
  await demandActions(actions, read)
}

/** @throws DomainError `ERR_NO_WEBHOOK_FOUND` with `step` and `action`, where an action tells one that is not among them */
export function demandWebhooks(actions: readonly RuleAction[], webhookIds: ReadonlySet<number>): void {
  for (const [at, action] of actions.entries())
    if (action.type === 'webhook' && !webhookIds.has(action.webhookId))
      throw atStep(new DomainError('ERR_NO_WEBHOOK_FOUND'), at + 1, action.type)
}

const tableOf = { queue: 'queues', user: 'users', connection: 'whatsapps', tag: 'tags', tagAdded: 'tags' } as const

async function demandCondition(condition: RuleCondition, at: number, read: FactReader): Promise<void> {
  if (condition.kind === 'field') {
    const { entity, test } = condition
    const fields = await read.customFields()
    if (!fields.some((field) => field.entity === entity && field.id === test.id))
      throw wrong(`/conditions/${at}/test/id`, 'no such field')
    return
  }
  if (!('ids' in condition)) return
  for (const id of condition.ids) if (id !== 0) await read.need(tableOf[condition.kind], id)
}
