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
    template,
    windowEnd,
  }: {
    body: string
    sendAt: string
    contactId: number | undefined
    /** Where it is said by one: whether one is chosen, and what it still lacks. */
    template?: { isChosen: boolean; missing: readonly string[] } | undefined
    /** Until when a text may be sent, as far as that is known; `at: null`: the contact has not written. */
    windowEnd?: { at: Date | null } | null
  },
  now: Date,
): {
  body?: 'short' | 'closed'
  sendAt?: 'required' | 'past'
  contact?: 'required'
  template?: 'required' | 'values'
} {
  const at = new Date(sendAt)
  return {
    ...(contactId === undefined && { contact: 'required' }),
    ...(template ? templateProblem(template) : bodyProblem(body, isClosedAt(windowEnd, at))),
    ...(Number.isNaN(at.getTime()) ? { sendAt: 'required' } : hasPassed(at, now) && { sendAt: 'past' }),
  }
}

/** Whether nothing but a template will reach the contact at that time, unless they write before. */
export const isClosedAt = (windowEnd: { at: Date | null } | null | undefined, at: Date): boolean =>
  windowEnd != null && (windowEnd.at === null || windowEnd.at <= at)

const templateProblem = ({ isChosen, missing }: { isChosen: boolean; missing: readonly string[] }) => {
  if (!isChosen) return { template: 'required' as const }
  return missing.length > 0 ? { template: 'values' as const } : {}
}

const bodyProblem = (body: string, isClosed: boolean) => {
  if (!isText(scheduleText, body.trim())) return { body: 'short' as const }
  return isClosed ? { body: 'closed' as const } : {}
}
