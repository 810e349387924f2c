/** What may be promised: the first answer of a service, each later one, and its end. */
export const slaMetrics = ['firstAnswer', 'nextAnswer', 'resolution'] as const
export type SlaMetric = (typeof slaMetrics)[number]
export const isSlaMetric = (word: string): word is SlaMetric => (slaMetrics as readonly string[]).includes(word)
