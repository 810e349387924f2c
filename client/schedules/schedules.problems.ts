import { isText } from '../../schema/inputs.ts'
import { scheduleText } from '../../schema/schedules/schedules.inputs.ts'

// Apart from the rows, which the list of tickets reads ahead: the rules of texts are no part of the first screen.

/** What is written as this minute is meant as now, ms. */
const minuteMs = 60_000

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
  now: number,
): { body?: 'short'; sendAt?: 'required' | 'past'; contact?: 'required' } {
  const at = new Date(sendAt).getTime()
  return {
    ...(contactId === undefined && { contact: 'required' }),
    ...(!isText(scheduleText, body.trim()) && { body: 'short' }),
    ...(Number.isNaN(at) ? { sendAt: 'required' } : at < now - minuteMs && { sendAt: 'past' }),
  }
}
