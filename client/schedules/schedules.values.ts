import { useCallback } from 'react'
import { placeholderValue } from '../../schema/placeholders/placeholders.ts'
import type { ValueOf } from '../placeholders/placeholders.text.tsx'
import { useCompanyClock } from '../placeholders/placeholders.values.ts'
import { useUser } from '../session/session.tsx'
import type { Schedule } from './schedules.rows.ts'

/** What the server settles when it sends: the ticket, and where it goes through. */
const settledLater = new Set(['protocol', 'ticket', 'ticket_id', 'queue', 'connection'])

/** What variables will say, or said, in a scheduled message, as far as it is known without its ticket. */
export function useScheduleValues(): (schedule: Pick<Schedule, 'sendAt' | 'contact' | 'user'>) => ValueOf {
  const { company } = useUser()
  const clock = useCompanyClock()
  return useCallback(
    ({ sendAt, contact, user }) =>
      (key) =>
        settledLater.has(key.toLowerCase())
          ? undefined
          : placeholderValue(key, { ...clock, now: new Date(sendAt), contact, user, company }),
    [clock, company],
  )
}
