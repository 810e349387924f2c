import { useLingui } from '@lingui/react/macro'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'

/** What each feature of a plan is called. */
export function useFeatureNames(): Record<PlanFeature, string> {
  const { t } = useLingui()
  return {
    useCampaigns: t`Campanhas`,
    useSchedules: t`Agendamentos`,
    useInternalChat: t`Chat interno`,
    useExternalApi: t`API externa`,
    useKanban: t`Kanban`,
    useOpenAi: t`Assistentes de IA`,
    useIntegrations: t`Integrações`,
  }
}
