/** What a plan may leave out: columns of `plans`. A company without a plan has everything. */
export const planFeatures = [
  'useCampaigns',
  'useSchedules',
  'useInternalChat',
  'useExternalApi',
  'useKanban',
  'useOpenAi',
  'useIntegrations',
] as const

export type PlanFeature = (typeof planFeatures)[number]
