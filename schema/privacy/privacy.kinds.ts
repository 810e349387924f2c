/** What is erased of a person, as previews and proofs count it. */
export const erasedKinds = [
  'messages',
  'files',
  'tickets',
  'notes',
  'schedules',
  'drafts',
  'campaigns',
  'lists',
  'optOuts',
  'automation',
  'traces',
  'webhooks',
  'jobs',
  'wire',
  'names',
  'exports',
  'requests',
] as const
export type ErasedKind = (typeof erasedKinds)[number]
export type ErasedCounts = Partial<Record<ErasedKind, number>>
