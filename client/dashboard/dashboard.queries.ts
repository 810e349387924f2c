import { api } from '../session/api.ts'
import { useToday } from '../session/company-day.ts'
import { useFetched } from '../session/fetched.ts'
import type { Fetched } from '../session/fetched.ts'
import { chartQuery, countersQuery, problemOf } from './dashboard.filter.queries.ts'
import type { Filter, Moment } from './dashboard.filter.queries.ts'

export interface Counters {
  supportHappening: number
  supportPending: number
  supportFinished: number
  /** Minutes. */
  avgSupportTime: number | null
  /** Minutes. */
  avgWaitTime: number | null
  /** Platform-wide, for the operator only. */
  totalCompanies?: number
  totalWhatsappSessions?: number
}

export interface Attendant {
  id: number
  name: string
  /** Mean of the contacts' ratings, 1 to 3; null while nobody has rated. */
  rating: number | null
  /** Minutes. */
  avgSupportTime: number | null
  online: boolean
}

export interface Dashboard {
  counters: Counters
  attendants: readonly Attendant[]
}

export interface PerUser {
  data: readonly { nome: string; quantidade: number }[]
}

/** By hour when it is about one day, else by day. */
export interface PerDay {
  data: readonly Moment[]
  count: number
}

/** What happens now is asked for again this often while the page can be seen. */
const refreshMs = 60_000

/** The figures of the filter; nothing is asked while it lacks something. */
export function useDashboard(filter: Filter): {
  dashboard: Fetched<Dashboard>
  perUser: Fetched<PerUser>
  perDay: Fetched<PerDay>
} {
  const usable = problemOf(filter) === null
  // Days, so it is the same question all day long, and another one after midnight.
  const range = chartQuery(filter, useToday())
  const dashboard = useFetched<Dashboard>(usable ? '/dashboard' : null, countersQuery(filter), { everyMs: refreshMs })
  const perUser = useFetched<PerUser>(usable ? '/dashboard/ticketsUsers' : null, range)
  const perDay = useFetched<PerDay>(usable ? '/dashboard/ticketsDay' : null, range)
  return { dashboard, perUser, perDay }
}

/** As `server/dashboard/dashboard.first-steps.ts` has them. */
export type FirstStep =
  | 'password'
  | 'name'
  | 'queue'
  | 'agent'
  | 'connection'
  | 'answer'
  | 'hours'
  | 'plan'
  | 'payment'
  | 'companies'
  | 'logo'

export type StepLack =
  | 'queue'
  | 'seen'
  | 'offer'
  | 'unpayable'
  | 'company-words'
  | 'company-week'
  | 'queue-words'
  | 'queue-week'

export interface FirstSteps {
  /** `lack`: what a step that was begun lacks still. */
  steps: { step: FirstStep; done: boolean; lack?: StepLack }[]
  closed: boolean
}

/** @param wanted whether they are shown at all */
export const useFirstSteps = (wanted: boolean) =>
  useFetched<FirstSteps>(wanted ? '/dashboard/first-steps' : null, undefined, { everyMs: refreshMs })

export const closeFirstSteps = () => api.delete('/dashboard/first-steps')
