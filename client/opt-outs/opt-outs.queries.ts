import { useFetched } from '../app/fetched.ts'
import { usePlanFeature } from '../app/plan.ts'
import { useCompanyEvent } from '../app/use-event.ts'

/** Whether a contact wants no messages to many; undefined while nobody knows, and where the plan has no campaigns. */
export function useOptedOut(contactId: number, isGroup: boolean): boolean | undefined {
  const has = usePlanFeature('useCampaigns')
  const { data, reload } = useFetched<{ optedOut: boolean }>(has && !isGroup ? `/opt-outs/of/${contactId}` : null)
  // While a campaign runs the same event comes every second.
  useCompanyEvent('campaign', (event) => {
    if ((event as { action?: string }).action === 'optOuts') reload()
  })
  return data?.optedOut
}
