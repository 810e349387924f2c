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

/** From this share of a limit on the operator is told, and from the whole of it more loudly. */
export const nearlyFull = 0.8

/** What a new plan allows until the operator says otherwise: enough to begin with, and never nothing by oversight. */
export const newPlanLimits = { users: 5, connections: 1, queues: 5 } as const

export type PlanFeature = (typeof planFeatures)[number]
