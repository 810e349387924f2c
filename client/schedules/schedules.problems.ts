import { isText } from '../../schema/inputs.ts'
import { hasPassed } from '../../schema/past.ts'
import { scheduleText } from '../../schema/schedules/schedules.inputs.ts'

// Apart from the rows, which the list of tickets reads ahead: the rules of texts are no part of the first screen.

/** What is wrong with a schedule, by field; nothing when it may be saved. */
export function scheduleProblems(
  {
    body,
    sendAt,
    contactId,
  }: {
    body: string
    sendAt: string
    contactId: number | undefined
  },
  now: Date,
): { body?: 'short'; sendAt?: 'required' | 'past'; contact?: 'required' } {
  const at = new Date(sendAt)
  return {
    ...(contactId === undefined && { contact: 'required' }),
    ...(!isText(scheduleText, body.trim()) && { body: 'short' }),
    ...(Number.isNaN(at.getTime()) ? { sendAt: 'required' } : hasPassed(at, now) && { sendAt: 'past' }),
  }
}
