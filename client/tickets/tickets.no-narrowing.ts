import type { ListNarrowing } from '../../schema/tickets/tickets.list.ts'

/** A list that nothing narrows. */
export const noNarrowing: ListNarrowing = { queueIds: [] }
