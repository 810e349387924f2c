import type { DecidedTable, RowChange, ServerChange, ServerDecision } from './command.ts'
import type { TicketPatch } from './tickets/tickets.transition.ts'

/**
 * Which table is written before which. A ticket comes before what is said in it, so that this finds the ticket where it
 * will be; its invoice before a charge.
 */
const place: Record<DecidedTable, number> = {
  tickets: 0,
  ticketEvents: 1,
  messages: 2,
  ticketNotes: 3,
  mentions: 4,
  contacts: 4,
  customFields: 4,
  queues: 4,
  tags: 4,
  templates: 4,
  users: 4,
  whatsapps: 4,
  schedules: 4,
  drafts: 4,
  savedFilters: 4,
  macros: 4,
  chats: 4,
  chatUsers: 4,
  chatMessages: 4,
  flows: 4,
  flowNodes: 4,
  invoices: 5,
  charges: 6,
  campaigns: 7,
  shippings: 8,
  optOuts: 9,
  flowRuns: 9,
}

/** Of these many are written at once: those that begin together, so that they are one statement. */
const areMany: ReadonlySet<DecidedTable> = new Set(['tickets', 'messages'])
const act = { insert: 0, update: 1, delete: 2 }

/**
 * The changes of a decision in the order in which they are written, as few statements as can be: tables in their order,
 * of what becomes of one ticket only the end, and of each table what was decided first comes first. What sweeps is
 * written as it stands: who decides it has read none of the rows, and knows what must be there before what.
 */
export function inWritingOrder(rows: ServerDecision['rows']): ServerDecision['rows'] {
  const changes: (RowChange | ServerChange)[] = []
  const ends = new Map<string | number, Extract<RowChange, { table: 'tickets'; op: 'update' }>>()
  for (const row of rows) {
    if ('where' in row) return rows
    if (row.table !== 'tickets' || row.op !== 'update') changes.push(row)
    else
      for (const id of row.ids) {
        // Each part was allowed to be decided: together they are what was.
        const before = ends.get(id)?.values
        const values = { ...before, ...row.values } as TicketPatch
        // Of fields each change is a part.
        if (before?.fields && row.values.fields) values.fields = { ...before.fields, ...row.values.fields }
        ends.set(id, { ...row, ids: [id], values })
      }
  }
  const columns = (row: { values: object }) => Object.keys(row.values).sort().join()
  changes.push(...[...ends.values()].toSorted((a, b) => columns(a).localeCompare(columns(b))))
  return changes.toSorted(
    (a, b) =>
      place[a.table] - place[b.table] || (a.table === b.table && areMany.has(a.table) ? act[a.op] - act[b.op] : 0),
  )
}
