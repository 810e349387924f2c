import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { isTimeZone } from '../../schema/wall.ts'
import { useNow } from '../base/now.ts'
import { useUser } from './session.tsx'

/** Today by the company's clock, by which the server counts days: `YYYY-MM-DD`. Another one after midnight. */
export function useToday(): string {
  const { timeZone } = useUser().company
  // A browser may be older than a zone; then its own clock has to do.
  const zone = timeZone && isTimeZone(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone
  return dayIn(zone, new Date(useNow()))
}
