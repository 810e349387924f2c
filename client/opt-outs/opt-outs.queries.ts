import { useFetched } from '../session/fetched.ts'
import { usePlanFeature } from '../session/plan.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { useSettled } from '../base/use-settled.ts'

/** Who only passes by on the way to another conversation asks nothing; and to paint one comes first. */
const passedByMs = 300

/** Whether a contact wants no messages to many; undefined while nobody knows, and where the plan has no campaigns. */
export function useOptedOut(contactId: number, isGroup: boolean): boolean | undefined {
  const has = usePlanFeature('useCampaigns')
  const isAsked = useSettled(contactId, passedByMs) === contactId && has && !isGroup
  const { data, reload } = useFetched<{ optedOut: boolean }>(isAsked ? `/opt-outs/of/${contactId}` : null)
  useCompanyEvent('optOut', reload)
  return data?.optedOut
}
