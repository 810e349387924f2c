import { and, eq, lt, ne, notInArray, sql } from 'drizzle-orm'
import { templates } from '../../schema/templates/templates.table.ts'
import type { TemplateNotice, ServiceTemplate } from '../../schema/templates/templates.service.ts'
import type { Db, Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'

/** However often templates change, they are fetched once in so long. */
const SLOT_MS = 1_000
const AT_ONCE = 500

/**
 * Has the templates of a connection fetched when this moment's slot is over: whatever changed in it is told by that, and
 * a fetch that is at work already counts for nothing.
 * @param notice what is noted of one of them when they are there
 */
export async function fetchSoon(
  db: Db | Tx,
  companyId: number,
  whatsappId: number,
  now: Date,
  notice?: TemplateNotice,
): Promise<void> {
  const slot = Math.floor(now.getTime() / SLOT_MS)
  const runAt = new Date((slot + 1) * SLOT_MS)
  await addJobs(db, companyId, [{ kind: 'templates.fetch', whatsappId, slot, ...(notice && { notice }) }], runAt)
}

/** The service says that templates of these connections have changed. */
export async function templatesChanged(
  db: Db,
  connections: readonly { companyId: number; whatsappId: number }[],
  notices: readonly TemplateNotice[],
  now: Date,
): Promise<void> {
  for (const { companyId, whatsappId } of connections)
    for (const notice of notices.length > 0 ? notices : [undefined])
      await fetchSoon(db, companyId, whatsappId, now, notice)
}

/** What is told of a template and stands in none of its own facts; of one that is past that already nothing is noted. */
export async function noteTemplate(
  db: Db,
  whatsappId: number,
  { metaId, nextCategory, advice }: TemplateNotice,
  now: Date,
): Promise<void> {
  const one = and(eq(templates.whatsappId, whatsappId), eq(templates.metaId, metaId))
  if (nextCategory !== undefined)
    await db
      .update(templates)
      .set({ nextCategory, updatedAt: now })
      .where(and(one, nextCategory === null ? undefined : ne(templates.category, nextCategory)))
  if (advice !== undefined)
    await db
      .update(templates)
      .set({ advice, updatedAt: now })
      .where(and(one, eq(templates.status, 'REJECTED')))
}

/**
 * What the service has is what there is. What a company has said yes to stays: that a template became dearer is known only
 * when somebody has said so.
 * @param begun when the service was asked: what was made since then is not in its answer
 */
export async function keepTemplates(
  db: Db,
  { companyId, whatsappId }: { companyId: number; whatsappId: number },
  given: readonly ServiceTemplate[],
  { begun, now }: { begun: Date; now: Date },
): Promise<void> {
  const rows = [...new Map(given.map((one) => [`${one.language}/${one.name}`, one])).values()]
  await db.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += AT_ONCE)
      await tx
        .insert(templates)
        .values(
          rows.slice(at, at + AT_ONCE).map((one) => ({
            ...{ ...one, companyId, whatsappId, confirmedCategory: one.category, createdAt: now, updatedAt: now },
          })),
        )
        .onConflictDoUpdate({
          target: [templates.whatsappId, templates.name, templates.language],
          set: {
            ...taken('metaId', 'category', 'status', 'quality', 'reason', 'parts', 'isStrange', 'updatedAt'),
            confirmedCategory: sql`CASE WHEN excluded."category" = 'MARKETING' THEN ${templates.confirmedCategory} ELSE excluded."category" END`,
            nextCategory: sql`CASE WHEN ${templates.nextCategory} = excluded."category" THEN NULL ELSE ${templates.nextCategory} END`,
            advice: sql`CASE WHEN excluded."status" = 'REJECTED' THEN ${templates.advice} END`,
          },
          // Nothing is told of what is as it was.
          setWhere: sql`(${templates.metaId}, ${templates.category}, ${templates.status}, ${templates.quality}, ${templates.reason}, ${templates.parts}, ${templates.isStrange})
            IS DISTINCT FROM (excluded."metaId", excluded."category", excluded."status", excluded."quality", excluded."reason", excluded."parts", excluded."isStrange")`,
        })
    await tx
      .delete(templates)
      .where(
        and(
          eq(templates.whatsappId, whatsappId),
          lt(templates.createdAt, begun),
          notInArray(
            sql`${templates.language} || '/' || ${templates.name}`,
            rows.length > 0 ? rows.map((one) => `${one.language}/${one.name}`) : [''],
          ),
        ),
      )
  })
}

const taken = (...columns: string[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.raw(`excluded."${column}"`)]))
