/** Of promises that ended: how many were kept, of how many, and which share; of none, all of it. */
export function keptOf(rows: readonly { met: number; breached: number }[]): {
  met: number
  all: number
  share: number
} {
  const met = rows.reduce((sum, row) => sum + row.met, 0)
  const all = rows.reduce((sum, row) => sum + row.breached, met)
  return { met, all, share: all === 0 ? 1 : met / all }
}
