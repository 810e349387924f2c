import { asc, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { changedHelp, newHelp } from '../../schema/helps/helps.inputs.ts'
import { type Help, helps } from '../../schema/helps/helps.table.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demandSuper } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'

const tags = ['helps']
/** More films than anybody watches. */
const MOST_SHOWN = 500

/** Films that explain the product: everybody sees them, the operator writes them. */
export function helpRoutes(deps: AppDeps) {
  const { db, events, now } = deps
  const all = () => db.select().from(helps).orderBy(asc(helps.id)).limit(MOST_SHOWN)
  /** The operator's own company hears at once; all others the next time they look. */
  const emit = (companyId: number, action: string, payload: Record<string, unknown>) =>
    events.emit({ companyId, name: 'help', action, payload })

  return new Elysia({ prefix: '/helps' })
    .use(authed(deps))
    .get('/', all, { detail: { tags, summary: 'All helps, the oldest first' } })
    .get('/list', all, { detail: { tags, summary: 'The same' } })
    .post(
      '/',
      async ({ who, body }) => {
        demandSuper(who)
        const [record] = await db
          .insert(helps)
          .values({ ...body, title: body.title.trim(), createdAt: now(), updatedAt: now() })
          .returning()
        emit(who.companyId, 'create', { record })
        return record!
      },
      { body: newHelp, detail: { tags, summary: 'Add a help; the operator' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demandSuper(who)
        const [record]: (Help | undefined)[] = await db
          .update(helps)
          .set({ ...body, ...(body.title !== undefined && { title: body.title.trim() }), updatedAt: now() })
          .where(eq(helps.id, params.id))
          .returning()
        if (!record) throw new DomainError('ERR_NO_HELP_FOUND')
        emit(who.companyId, 'update', { record })
        return record
      },
      { params: idParams, body: changedHelp, detail: { tags, summary: 'Change a help; the operator' } },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demandSuper(who)
        const gone = await db.delete(helps).where(eq(helps.id, params.id)).returning({ id: helps.id })
        if (gone.length === 0) throw new DomainError('ERR_NO_HELP_FOUND')
        emit(who.companyId, 'delete', { id: params.id })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a help; the operator' } },
    )
}
