import { DomainError } from '../errors.ts'
import type { Language } from '../languages.ts'
import { plain } from '../plain.ts'
import type { CustomField, FieldPatch, FieldType, FieldValue } from './custom-fields.table.ts'

/**
 * What a field takes, how it is written and how it is read: the one place for forms, commands, REST, files, programs and
 * flows. Pure.
 */

/** For form and rules. */
export const fieldBounds = {
  /** Of one entity of a company; those that are put aside count for themselves. */
  most: 50,
  mostArchived: 100,
  options: 50,
  /** With those that are offered no more. */
  allOptions: 200,
  name: 60,
  label: 60,
  help: 200,
  key: 40,
  text: 1_000,
  /** Whole up to here, as JSON keeps it. */
  number: 999_999_999_999_999,
} as const

/** Why a field does not take something; the client has a sentence for each. */
export const fieldFaults = ['type', 'tooLong', 'number', 'date', 'boolean', 'choice', 'unknown'] as const
export type FieldFault = (typeof fieldFaults)[number]

type Definition = Pick<CustomField, 'id' | 'name' | 'type' | 'options'>
type Taken = FieldValue | null
/** What it takes, or why not. */
export type Read = { value: Taken } | { fault: FieldFault }

const taken = (value: Taken): Read => ({ value })
const refused = (fault: FieldFault): Read => ({ fault })

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/

/** Whether there is such a day, from the year 1000 to 9999. */
export function isDay(text: string): boolean {
  const [, year, month, day] = dayPattern.exec(text) ?? []
  if (year === undefined || Number(year) < 1000) return false
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day)
}

const isNumber = (value: number) => Number.isFinite(value) && Math.abs(value) <= fieldBounds.number

const rules: Record<FieldType, (value: FieldValue, field: Definition, before: Taken | undefined) => Read> = {
  text: (value) => {
    if (typeof value !== 'string') return refused('type')
    // Postgres keeps no such letter.
    const text = value.replaceAll('\u0000', '').trim()
    return text.length > fieldBounds.text ? refused('tooLong') : taken(text || null)
  },
  number: (value) => (typeof value === 'number' && isNumber(value) ? taken(value) : refused('number')),
  date: (value) => (typeof value === 'string' && isDay(value) ? taken(value) : refused('date')),
  boolean: (value) => (typeof value === 'boolean' ? taken(value) : refused('boolean')),
  choice: (value, { options }, before) => {
    const option = options.find(({ id }) => id === value)
    // Who has what is offered no more keeps it.
    return option && (!option.archived || before === value) ? taken(option.id) : refused('choice')
  },
}

/**
 * What a field makes of a value that is already of its kind.
 * @param before what it was
 */
export const takeValue = (field: Definition, value: Taken, before?: Taken): Read =>
  value === null ? taken(null) : rules[field.type](value, field, before)

/**
 * The change of fields of one entity, as it is written.
 * @param before the values as they are
 * @throws DomainError `ERR_NO_FIELD_FOUND`, `ERR_FIELD_VALUE`
 */
export function takePatch(
  fields: readonly CustomField[],
  entity: CustomField['entity'],
  patch: FieldPatch,
  before?: FieldPatch | null,
): FieldPatch {
  const made: FieldPatch = {}
  for (const [id, value] of Object.entries(patch)) {
    const field = fields.find((one) => one.entity === entity && String(one.id) === id)
    if (!field) throw new DomainError('ERR_NO_FIELD_FOUND')
    const read = takeValue(field, value, before?.[id])
    if ('fault' in read) throw new DomainError('ERR_FIELD_VALUE', { field: field.name, reason: read.fault })
    made[id] = read.value
  }
  return made
}

/** What of a change is none is left out: a field that has the value already. */
export const changedIn = (before: FieldPatch | null, patch: FieldPatch): FieldPatch =>
  Object.fromEntries(Object.entries(patch).filter(([id, value]) => (before?.[id] ?? null) !== value))

// ── as text ──────────────────────────────────────────────────────────────────────────────────

const yes: Record<Language, string> = { pt: 'Sim', en: 'Yes', es: 'Sí' }
const no: Record<Language, string> = { pt: 'Não', en: 'No', es: 'No' }
const yesWords = new Set([...Object.values(yes).map(plain), 's', 'y', 'true', 'verdadeiro', 'verdadero', '1', 'x'])
const noWords = new Set([...Object.values(no).map(plain), 'n', 'false', 'falso', '0'])

/**
 * A number as people write it: `1.234,5`, `1,234.5`, `1234,5`, `-7`, `R$ 10,00`. Where one mark stands before three digits, the
 * language says whether it parts thousands.
 */
function numberIn(text: string, language: Language): number | null {
  const bare = text.replace(/\s/g, '').replace(/^(R\$|US\$|\$|€)/, '')
  if (!/^[+-]?\d[\d.,]*$/.test(bare) || bare.length > 30) return null
  const marks = bare.replace(/[^.,]/g, '')
  if (marks === '') return Number(bare)
  const last = marks.at(-1)!
  const isLastAlone = marks.indexOf(last) === marks.length - 1
  const threes = bare.split(/[.,]/).slice(1)
  const isThousands = marks.length > 1 ? !isLastAlone : last === (language === 'en' ? ',' : '.')
  if (isThousands && threes.every((group) => group.length === 3) && new Set(marks).size === 1)
    return Number(bare.replaceAll(last, ''))
  // The last mark parts the fraction, and all before it thousands.
  if (!isLastAlone || threes.slice(0, -1).some((group) => group.length !== 3)) return null
  const at = bare.lastIndexOf(last)
  return Number(`${bare.slice(0, at).replace(/[.,]/g, '')}.${bare.slice(at + 1) || '0'}`)
}

/** A day as people write it: `31/12/2026`, `31-12-2026`, `2026-12-31`. In all our languages the day stands in front. */
function dayIn(text: string): string | null {
  const bare = text.trim().replace(/[ T]\d{2}:\d{2}.*$/, '')
  if (isDay(bare)) return bare
  const [, day, month, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(bare) ?? []
  if (!day || !month || !year) return null
  const found = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(found) ? found : null
}

/** What a text means to a field, as cells of a sheet, answers in a flow and programs say it. An empty one empties it. */
export function readText(field: Definition, text: string, language: Language): Read {
  const bare = text.trim()
  if (bare === '') return taken(null)
  switch (field.type) {
    case 'text':
      return takeValue(field, bare)
    case 'number': {
      const found = numberIn(bare, language)
      return found === null ? refused('number') : takeValue(field, found)
    }
    case 'date': {
      const found = dayIn(bare)
      return found === null ? refused('date') : taken(found)
    }
    case 'boolean': {
      const word = plain(bare)
      if (yesWords.has(word)) return taken(true)
      return noWords.has(word) ? taken(false) : refused('boolean')
    }
    case 'choice': {
      const word = plain(bare)
      const option = field.options.find(({ label, archived }) => !archived && plain(label) === word)
      return option ? taken(option.id) : takeValue(field, bare)
    }
  }
}

/** A value in words: of a choice what it is called, of a date the day as the language writes it; empty for none. */
export function valueText(field: Definition, value: Taken | undefined, language: Language): string {
  if (value === null || value === undefined) return ''
  switch (field.type) {
    case 'text':
      return String(value)
    case 'number':
      return numberText(Number(value), language)
    case 'date': {
      const [, year, month, day] = dayPattern.exec(String(value)) ?? []
      return year ? `${day}/${month}/${year}` : ''
    }
    case 'boolean':
      return value === true ? yes[language] : no[language]
    case 'choice':
      return field.options.find(({ id }) => id === value)?.label ?? ''
  }
}

/** Without marks between thousands: it is read again from sheets. */
const numberText = (value: number, language: Language) =>
  language === 'en' ? String(value) : String(value).replace('.', ',')

/** What is needed of a field to say its value in a text. */
export type SaidField = Pick<CustomField, 'id' | 'entity' | 'key' | 'name' | 'type' | 'options'>

/**
 * What texts say of fields, by their keys; empty for what is empty or not there. Undefined where there are no fields.
 * @param values those of the contact and of the ticket; what is not known is empty
 */
export function fieldWords(
  fields: readonly SaidField[],
  values: { contact?: FieldPatch | undefined; ticket?: FieldPatch | undefined },
  language: Language,
): ((key: string) => string) | undefined {
  if (fields.length === 0) return undefined
  return (key) => {
    const field = fields.find((one) => one.key === key)
    return field ? valueText(field, values[field.entity]?.[field.id], language) : ''
  }
}

// ── as programs know them ────────────────────────────────────────────────────────────────────

/** Values by the fields' keys; of a choice what it is called. Null is empty. */
export type KeyedValues = Record<string, Taken>

/** The values of an entity as programs are told of them: every field that is in use, by its key. */
export function byKey(fields: readonly CustomField[], entity: CustomField['entity'], values: FieldPatch): KeyedValues {
  const told: KeyedValues = {}
  for (const field of fields) {
    if (field.entity !== entity || field.archivedAt) continue
    const value = values[field.id] ?? null
    told[field.key] = field.type === 'choice' ? valueText(field, value, 'pt') || null : value
  }
  return told
}

/**
 * What programs write: by key, of a choice its id or what it is called.
 * @throws DomainError `ERR_NO_FIELD_FOUND`, `ERR_FIELD_VALUE`
 */
export function patchFromKeys(
  fields: readonly CustomField[],
  entity: CustomField['entity'],
  values: KeyedValues,
): FieldPatch {
  const patch: FieldPatch = {}
  for (const [key, value] of Object.entries(values)) {
    const field = fields.find((one) => one.entity === entity && one.key === key)
    if (!field) throw new DomainError('ERR_NO_FIELD_FOUND', { key })
    const read =
      field.type === 'choice' && typeof value === 'string' ? readText(field, value, 'pt') : takeValue(field, value)
    if ('fault' in read) throw new DomainError('ERR_FIELD_VALUE', { field: field.name, reason: read.fault })
    patch[field.id] = read.value
  }
  return patch
}

// ── closing ──────────────────────────────────────────────────────────────────────────────────

/** The fields that a person must fill in before this ticket is closed. Groups have no fields of a contact. */
export const missingOnClose = <F extends Pick<CustomField, 'id' | 'entity' | 'required'> & { archivedAt: unknown }>(
  fields: readonly F[],
  ticket: { fields: FieldPatch; isGroup: boolean },
  contact: { fields: FieldPatch } | undefined,
): F[] =>
  fields.filter(({ id, entity, required, archivedAt }) => {
    if (!required || archivedAt) return false
    if (entity === 'ticket') return (ticket.fields[id] ?? null) === null
    return !ticket.isGroup && contact !== undefined && (contact.fields[id] ?? null) === null
  })

// ── keys ─────────────────────────────────────────────────────────────────────────────────────

/** The key of a field of this name: `Número do pedido` is `numero_do_pedido`. One that is taken gets a number. */
export function keyFrom(name: string, isTaken: (key: string) => boolean): string {
  const words = plain(name)
    .split(/[^a-z0-9]/)
    .filter(Boolean)
  const cut = words.join('_').slice(0, fieldBounds.key - 4)
  const bare = cut.endsWith('_') ? cut.slice(0, -1) : cut
  const word = /^[a-z]/.test(bare) ? bare : `campo${bare && `_${bare}`}`
  const most = fieldBounds.most + fieldBounds.mostArchived
  const keys = Array.from({ length: 2 * most + 2 }, (_, n) => (n === 0 ? word : `${word}_${n + 1}`))
  const free = keys.find((key) => !isTaken(key))
  if (free === undefined) throw new DomainError('ERR_FIELD_LIMIT', { limit: fieldBounds.most })
  return free
}
