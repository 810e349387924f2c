import { and, eq } from 'drizzle-orm'
import type { ChangedCustomField, CustomFieldInput } from '../../schema/custom-fields/custom-fields.inputs.ts'
import { type CustomField, customFields, type FieldOption } from '../../schema/custom-fields/custom-fields.table.ts'
import { fieldBounds, keyFrom } from '../../schema/custom-fields/custom-fields.values.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Db, Tx } from '../db/database.ts'
import { lockName } from '../db/locks.ts'
import { findField, usedOptions, usesOfField } from './custom-fields.queries.ts'

/** One at a time of a company: bounds and places count. */
const alone = <T>(db: Db, companyId: number, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await lockName(tx, `custom fields ${companyId}`)
    return work(tx)
  })

const ofCompany = (tx: Tx, companyId: number) =>
  tx.select().from(customFields).where(eq(customFields.companyId, companyId))

/** @throws DomainError `ERR_FIELD_LIMIT` */
function demandRoom(all: readonly CustomField[], entity: CustomField['entity'], isArchived: boolean): void {
  const limit = isArchived ? fieldBounds.mostArchived : fieldBounds.most
  const there = all.filter((one) => one.entity === entity && (one.archivedAt !== null) === isArchived)
  if (there.length >= limit) throw new DomainError('ERR_FIELD_LIMIT', { limit })
}

/** What people call the options, without blanks around. @throws DomainError `ERR_VALIDATION` for one that stands there twice, or none */
function optionsOf(type: CustomField['type'], given: readonly FieldOption[]): FieldOption[] {
  if (type !== 'choice') return []
  const options = given.map(({ id, label }) => ({ id, label: label.trim() }))
  const isTwice = (of: 'id' | 'label') => new Set(options.map((one) => one[of].toLowerCase())).size < options.length
  if (options.length === 0 || isTwice('id') || isTwice('label'))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: '/options', message: 'one at least, each once' }] })
  return options
}

/** @throws DomainError `ERR_FIELD_LIMIT`, `ERR_VALIDATION` */
export const makeField = (
  db: Db,
  companyId: number,
  {
    entity,
    type,
    name,
    options = [],
    help = '',
    required = false,
  }: Pick<CustomFieldInput, 'entity' | 'type' | 'name'> & Partial<CustomFieldInput>,
): Promise<CustomField> =>
  alone(db, companyId, async (tx) => {
    const all = await ofCompany(tx, companyId)
    demandRoom(all, entity, false)
    const keys = new Set(all.map(({ key }) => key))
    const [row] = await tx
      .insert(customFields)
      .values({
        ...{ companyId, entity, type, name: name.trim(), help: help.trim(), required },
        key: keyFrom(name, (key) => keys.has(key)),
        options: optionsOf(type, options),
        position: 1 + Math.max(0, ...all.filter((one) => one.entity === entity).map(({ position }) => position)),
      })
      .returning()
    return row!
  })

/** @throws DomainError `ERR_NO_FIELD_FOUND`, `ERR_FIELD_LIMIT`, `ERR_VALIDATION` */
export const changeField = (
  db: Db,
  companyId: number,
  id: number,
  { archived, name, options, help, required }: ChangedCustomField,
  now: Date,
): Promise<CustomField> =>
  alone(db, companyId, async (tx) => {
    const before = await findField(tx, companyId, id)
    if (!before) throw new DomainError('ERR_NO_FIELD_FOUND')
    if (archived !== undefined && archived !== (before.archivedAt !== null))
      demandRoom(await ofCompany(tx, companyId), before.entity, archived)
    const [row] = await tx
      .update(customFields)
      .set({
        ...(name !== undefined && { name: name.trim() }),
        ...(help !== undefined && { help: help.trim() }),
        ...(required !== undefined && { required }),
        ...(options !== undefined && { options: await keptOptions(tx, before, optionsOf(before.type, options)) }),
        ...(archived !== undefined && { archivedAt: archived ? (before.archivedAt ?? now) : null }),
        updatedAt: now,
      })
      .where(eq(customFields.id, before.id))
      .returning()
    return row!
  })

/** Options that are left out, and that somebody has, stay to be read. @throws DomainError `ERR_FIELD_LIMIT` */
async function keptOptions(tx: Tx, field: CustomField, offered: FieldOption[]): Promise<FieldOption[]> {
  const out = field.options.filter(({ id }) => !offered.some((one) => one.id === id))
  const used = await usedOptions(
    tx,
    field,
    out.map(({ id }) => id),
  )
  const kept = out.filter(({ id }) => used.has(id)).map(({ id, label }) => ({ id, label, archived: true }))
  if (offered.length + kept.length > fieldBounds.allOptions)
    throw new DomainError('ERR_FIELD_LIMIT', { limit: fieldBounds.allOptions })
  return [...offered, ...kept]
}

/** Those that are not named come after. @throws DomainError `ERR_NO_FIELD_FOUND` */
export const orderFields = (
  db: Db,
  companyId: number,
  entity: CustomField['entity'],
  ids: readonly number[],
  now: Date,
): Promise<void> =>
  alone(db, companyId, async (tx) => {
    const all = (await ofCompany(tx, companyId)).filter((one) => one.entity === entity)
    if (ids.some((id) => !all.some((one) => one.id === id))) throw new DomainError('ERR_NO_FIELD_FOUND')
    const placeOf = (id: number) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
    const sorted = all.toSorted((a, b) => placeOf(a.id) - placeOf(b.id) || a.position - b.position || a.id - b.id)
    for (const [index, { id, position }] of sorted.entries())
      if (position !== index + 1)
        await tx
          .update(customFields)
          .set({ position: index + 1, updatedAt: now })
          .where(and(eq(customFields.companyId, companyId), eq(customFields.id, id)))
  })

/**
 * A field that nobody has filled in goes; one that somebody has is put aside, and its values stay.
 * @throws DomainError `ERR_NO_FIELD_FOUND`, `ERR_FIELD_LIMIT`
 */
export const removeField = (db: Db, companyId: number, id: number, now: Date): Promise<{ archived: boolean }> =>
  alone(db, companyId, async (tx) => {
    const field = await findField(tx, companyId, id)
    if (!field) throw new DomainError('ERR_NO_FIELD_FOUND')
    if ((await usesOfField(tx, field)) === 0) {
      await tx.delete(customFields).where(eq(customFields.id, field.id))
      return { archived: false }
    }
    if (field.archivedAt === null) {
      demandRoom(await ofCompany(tx, companyId), field.entity, true)
      await tx.update(customFields).set({ archivedAt: now, updatedAt: now }).where(eq(customFields.id, field.id))
    }
    return { archived: true }
  })
