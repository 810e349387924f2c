import { and, asc, eq, sql } from 'drizzle-orm'
import { type Template, templates } from '../../schema/templates/templates.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const TEMPLATES_PER_PAGE = 20

export async function listTemplates(
  db: Db,
  companyId: number,
  asked: { whatsappId: number | undefined; search: string | undefined; pageNumber: number },
): Promise<{ records: Template[]; hasMore: boolean }> {
  const { whatsappId, search, pageNumber } = asked
  const rows = await db
    .select()
    .from(templates)
    .where(
      and(
        eq(templates.companyId, companyId),
        whatsappId === undefined ? undefined : eq(templates.whatsappId, whatsappId),
        search ? sql`${templates.name} LIKE ${anywhere(search.toLowerCase())}` : undefined,
      ),
    )
    .orderBy(asc(templates.name), asc(templates.language), asc(templates.id))
    .limit(TEMPLATES_PER_PAGE + 1)
    .offset((pageNumber - 1) * TEMPLATES_PER_PAGE)
  return { records: rows.slice(0, TEMPLATES_PER_PAGE), hasMore: rows.length > TEMPLATES_PER_PAGE }
}

export async function findTemplate(db: Db | Tx, companyId: number, id: number): Promise<Template | undefined> {
  const [row] = await db
    .select()
    .from(templates)
    .where(and(eq(templates.companyId, companyId), eq(templates.id, id)))
  return row
}

/** The templates of a company that go by these names on these connections. */
export async function namedTemplates(
  db: Db | Tx,
  companyId: number,
  named: readonly { whatsappId: number; name: string; language: string }[],
): Promise<Map<string, Template>> {
  if (named.length === 0) return new Map()
  const rows = await db
    .select()
    .from(templates)
    .where(
      and(
        eq(templates.companyId, companyId),
        sql`(${templates.whatsappId}, ${templates.name}, ${templates.language}) IN (
          SELECT x."whatsappId", x."name", x."language"
          FROM json_to_recordset(${JSON.stringify(named)}::text::json) AS x("whatsappId" int, "name" text, "language" text))`,
      ),
    )
  return new Map(rows.map((row) => [templatePlace(row), row]))
}

/** The templates of a company that go by these names, on whichever of its connections. */
export const templatesNamed = (
  db: Db | Tx,
  companyId: number,
  named: readonly { name: string; language: string }[],
): Promise<Template[]> =>
  db
    .select()
    .from(templates)
    .where(
      and(
        eq(templates.companyId, companyId),
        sql`(${templates.name}, ${templates.language}) IN (SELECT x."name", x."language"
          FROM json_to_recordset(${JSON.stringify(named)}::text::json) AS x("name" text, "language" text))`,
      ),
    )

export const templatePlace = ({
  whatsappId,
  name,
  language,
}: {
  whatsappId: number
  name: string
  language: string
}): string => `${whatsappId}/${language}/${name}`
