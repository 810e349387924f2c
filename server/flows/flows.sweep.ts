import { sql } from 'drizzle-orm'
import { storedTypes } from '../../schema/flows/flows.graph.ts'
import type { Db } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'

/** Whoever draws has so long to use what they have uploaded, or to take back that they removed it. */
const UNUSED_DAYS = 7
/** So many in one transaction. */
const BATCH = 1_000

/**
 * Forgets the files that no flow sends any more: neither a draft names them nor a version that was ever published, so
 * nobody who is in the middle of a flow misses one.
 *
 * @returns how many
 */
export async function sweepFlowFiles(db: Db): Promise<number> {
  let swept = 0
  for (;;) {
    const gone = await db.transaction(async (tx) => {
      const rows = await tx.execute<{ companyId: number; mediaPath: string | null }>(sql`
        WITH nodes AS (
          SELECT "companyId", "type", "data" FROM "flow_nodes"
          UNION ALL
          SELECT v."companyId", node ->> 'type', node -> 'data' FROM "flow_versions" v, jsonb_array_elements(v."nodes") AS node),
        used AS (
          SELECT "companyId", "data" ->> 'file' AS name FROM nodes WHERE "type" IN ${storedTypes}
          UNION
          SELECT "companyId", element ->> 'file' FROM nodes, jsonb_array_elements("data" -> 'elements') AS element
          WHERE "type" = 'singleBlock')
        DELETE FROM "flow_files" WHERE "id" IN (
          SELECT f."id" FROM "flow_files" f
          WHERE f."createdAt" < now() - ${UNUSED_DAYS} * interval '1 day'
            AND NOT EXISTS (SELECT FROM used WHERE used."companyId" = f."companyId" AND used.name = f."name")
          LIMIT ${BATCH})
        RETURNING "companyId", "mediaPath"`)
      // The bytes go after the commit, unless a message shows them.
      for (const [companyId, own] of Map.groupBy(rows, (row) => row.companyId))
        await addJobs(
          tx,
          companyId,
          own.flatMap(({ mediaPath }) => (mediaPath ? [{ kind: 'media.release' as const, path: mediaPath }] : [])),
        )
      return rows.length
    })
    swept += gone
    if (gone < BATCH) return swept
  }
}
