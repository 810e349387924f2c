import type { FactReader } from '../command.ts'
import { takePatch } from '../custom-fields/custom-fields.values.ts'
import { DomainError } from '../errors.ts'
import { mayGrowTooLong } from '../placeholders/placeholders.ts'
import type { ActionType, RuleAction } from './actions.inputs.ts'

/** Says which of several actions was refused; the first is 1. */
export const atStep = (error: unknown, step: number, action: ActionType): unknown =>
  error instanceof DomainError ? new DomainError(error.code, { ...error.params, step, action }) : error

/**
 * Refuses actions that could never be done: they name what the company does not have, say what no message would hold, or
 * give a field what it does not take.
 *
 * @throws DomainError with `step` and `action`
 */
export async function demandActions(actions: readonly RuleAction[], read: FactReader): Promise<void> {
  for (const [at, action] of actions.entries())
    try {
      if (action.type === 'message' && mayGrowTooLong(action.body)) throw new DomainError('ERR_TEXT_LONG')
      if (action.type === 'tag') for (const id of [...action.add, ...action.remove]) await read.need('tags', id)
      if (action.type === 'queue') await read.need('queues', action.queueId)
      if (action.type === 'assign' && action.to !== 'me') await read.need('users', action.to)
      if (action.type === 'flow') await read.need('flows', action.flowId)
      if (action.type === 'field') takePatch(await read.customFields(), 'ticket', { [action.fieldId]: action.value })
    } catch (error) {
      throw atStep(error, at + 1, action.type)
    }
}
