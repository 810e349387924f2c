import type { FigureKey } from './reports.figures.ts'

/** What reports are answered with, by the server and to the screens alike. */

/** Null where there is nothing to measure. */
export type Values = Partial<Record<FigureKey, number | null>>

export interface ReportRow {
  /** What it is about, as `?row` takes it: an id, `id:version`, `id:metric`, or an hour of the week; `0`: of none. */
  key: string
  /** Null where it is gone, is none, or the key says it. */
  name: string | null
  values: Values
}

/** One of what a figure counted: a service of a ticket, a promise, or a person of a campaign. */
export interface Behind {
  /** Of the service, promise or person. */
  id: string
  /** Null of a person of a campaign who has no ticket, as the rest of it is. */
  ticketId: number | null
  uuid: string | null
  status: 'pending' | 'open' | 'closed' | null
  contact: { id: number | null; name: string }
  queueId: number | null
  userId: number | null
  whatsappId: number | null
  openedAt: string | null
  closedAt: string | null
  /** When it fell into the period. */
  at: string | null
  /** What was measured: seconds; messages of that kind; the rate. Null where it is only counted. */
  value: number | null
  rate: number | null
  comment: string | null
}
