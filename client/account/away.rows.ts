import type { Rows } from '../replica/rows.ts'

interface Left {
  queueId: number | null
  count: number
}

/** What somebody has open, by queue; without groups. */
export const openOf = (userId: number): Rows<Left> => ({
  query: {
    sql: `SELECT "queueId", count(*)::int AS count FROM tickets
      WHERE "userId" = $1 AND status = 'open' AND NOT coalesce("isGroup", false) GROUP BY "queueId"`,
    params: [userId],
    tables: ['tickets'],
  },
  read: (raw) => ({ queueId: raw['queueId'] as number | null, count: Number(raw['count']) }),
  keyOf: ({ queueId }) => queueId ?? 0,
})
