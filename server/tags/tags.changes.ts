import { deleteTag } from '../../schema/tags/tags.delete.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import { letGo } from '../uses/uses.changes.ts'
import type { LetGo } from '../uses/uses.queries.ts'

/** Deletes a tag, and takes it off its tickets and campaigns. @throws DomainError `ERR_TAG_IN_USE` */
export const removeTag = (db: Db, companyId: number, id: number, now: Date): Promise<LetGo> =>
  db.transaction(async (tx) => {
    const gone = await letGo(tx, companyId, 'tag', id, now)
    await applyDecision(tx, companyId, deleteTag(id))
    return gone
  })
