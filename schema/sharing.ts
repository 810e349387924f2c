/** Who besides its author has something that people make for themselves: nobody, everybody, or who serves some queues. */
export const sharings = ['own', 'company', 'queues'] as const
export type Sharing = (typeof sharings)[number]
