import { and, eq, inArray } from 'drizzle-orm'
import { agentsOf, filesOf, type FlowGraph, templatesOf } from '../../schema/flows/flows.graph.ts'
import { graphOf } from '../../schema/flows/flows.rows.ts'
import { flowFiles, flowVersions } from '../../schema/flows/flows.table.ts'
import { type OwnFile, storedFile } from '../../schema/messages/messages.own.ts'
import type { Db, Tx } from '../db/database.ts'

/** A published version, and the files that it sends. */
export interface Version {
  graph: FlowGraph
  files: ReadonlyMap<string, OwnFile>
  /** Whom it gives tickets to. */
  agents: readonly number[]
  /** Message templates that it sends. */
  templates: readonly { name: string; language: string }[]
}

/** Of all companies; the one that was not asked for the longest goes first. */
const MOST_KEPT = 300

/** Published versions, which never change: read once. */
export function createGraphs() {
  const kept = new Map<number, Version>()
  return {
    /** Those versions of a company that there are. */
    async of(db: Db | Tx, companyId: number, ids: readonly number[]): Promise<Map<number, Version>> {
      const wanted = [...new Set(ids)]
      const missing = wanted.filter((id) => !kept.has(id))
      const found = new Map<number, Version>()
      for (const id of wanted) {
        const version = kept.get(id)
        if (!version) continue
        kept.delete(id)
        kept.set(id, version)
        found.set(id, version)
      }
      if (missing.length > 0)
        for (const [id, version] of await load(db, companyId, missing)) {
          kept.set(id, version)
          found.set(id, version)
        }
      for (const id of kept.keys()) {
        if (kept.size <= MOST_KEPT) break
        kept.delete(id)
      }
      return found
    },
  }
}
export type Graphs = ReturnType<typeof createGraphs>

async function load(db: Db | Tx, companyId: number, ids: readonly number[]): Promise<[number, Version][]> {
  const rows = await db
    .select({ id: flowVersions.id, nodes: flowVersions.nodes })
    .from(flowVersions)
    .where(and(eq(flowVersions.companyId, companyId), inArray(flowVersions.id, [...ids])))
  // What was published was checked before.
  const graphs = rows.map(({ id, nodes }) => ({ id, graph: graphOf(nodes) }))
  const versions = await versionsOf(
    db,
    companyId,
    graphs.map(({ graph }) => graph),
  )
  return graphs.map(({ id }, i) => [id, versions[i]!])
}

/** Drawings with their files, as if they were published. */
export async function versionsOf(db: Db | Tx, companyId: number, graphs: readonly FlowGraph[]): Promise<Version[]> {
  const names = [...new Set(graphs.flatMap(filesOf))]
  const files =
    names.length === 0
      ? []
      : await db
          .select()
          .from(flowFiles)
          .where(and(eq(flowFiles.companyId, companyId), inArray(flowFiles.name, names)))
  const byName = new Map(
    files.flatMap((row) => {
      const file = storedFile(row, { name: row.name })
      return file ? [[row.name, file] as const] : []
    }),
  )
  return graphs.map((graph) => ({
    graph,
    agents: agentsOf(graph),
    templates: templatesOf(graph),
    files: new Map(
      filesOf(graph).flatMap((name) => {
        const file = byName.get(name)
        return file ? [[name, file] as const] : []
      }),
    ),
  }))
}
