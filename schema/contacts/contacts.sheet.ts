import { mergedFields } from '../custom-fields/custom-fields.merge.ts'
import type { FieldPatch } from '../custom-fields/custom-fields.table.ts'
import { changedIn, readText, type SaidField } from '../custom-fields/custom-fields.values.ts'
import type { Language } from '../languages.ts'
import { isEmail } from '../inputs.ts'
import { plain } from '../plain.ts'
import { clip } from '../texts.ts'
import { type NumberReason, readNumber } from './contacts.numbers.ts'
import type { ExtraInfo } from './contacts.table.ts'

/**
 * Contacts in a spreadsheet: how its header and rows are read, and what a row does to a contact that is there already.
 */

/** Most rows of one file, the header not counted. */
export const MOST_ROWS = 50_000
/** Bytes of one file. */
export const MOST_SHEET_BYTES = 5_000_000

/** What a row does to a contact that has its number: fills what is empty, wins where it says something, or nothing. */
export const importModes = ['fill', 'replace', 'keep'] as const
export type ImportMode = (typeof importModes)[number]

export const rowOutcomes = ['created', 'updated', 'unchanged', 'duplicate', 'invalid'] as const
export type RowOutcome = (typeof rowOutcomes)[number]
/** `email` and `name` cost a row that field; the others, in a row that is `invalid`, the person. */
export type RowReason = NumberReason | 'email' | 'name' | 'full'

/** What became of a row. `line` is its number in the file, as the spreadsheet shows it. */
export interface ImportedRow {
  line: number
  name: string
  number: string
  outcome: RowOutcome
  reason?: RowReason
  /** For a duplicate: the line that has the number first. */
  firstLine?: number
}

/** One line of the answer to an import: after each piece of work how far it is, and its rows. */
export interface ImportProgress {
  total: number
  done: number
  rows: ImportedRow[]
  /** Of a dry run: what would have become of all rows up to here; `rows` has then only some of those with a problem. */
  counts?: Record<RowOutcome, number>
  /** Of a dry run, in its first line: what the file looks like, and how its columns are understood. */
  sheet?: SheetPreview
}

/** So many lines from the top of a file are shown before anything is written; the column names stand among them. */
export const TOP_LINES = 20
/** So many rows with a problem are told of by a dry run. */
export const MOST_PROBLEMS = 100

export interface SheetPreview {
  /** The first lines as they stand in the file. */
  lines: string[][]
  mapping: SheetMapping
}

/** Which columns of a sheet are read as what, counted from 0; the others are left out. */
export interface SheetMapping {
  /** The line that names the columns, counted from 1, with titles above it left out; 0 where all lines are people. */
  headerLine: number
  name: number | null
  /** What a name goes on with, in that order: an address book has a column for each of its parts. */
  moreNames?: number[]
  number: number | null
  /** Where the number is, in that order, when the first column has none. */
  moreNumbers?: number[]
  email: number | null
  extra: number[]
}

/** Which column holds what; the rest is extra information. */
export interface Columns {
  name: number | null
  moreNames: number[]
  number: number
  moreNumbers: { column: number; name: string }[]
  email: number | null
  extra: { column: number; name: string }[]
}

const words = (text: string) => new Set(text.split(' '))
const names = words(
  'name nome nombre contato contacto contact fullname nomecompleto nombrecompleto cliente customer firstname givenname ' +
    'primeironome primernombre',
)
/** What an address book calls the parts of a name. */
const givenNames = words('firstname givenname primeironome primernombre nome nombre')
const middleNames = words('middlename additionalname nomedomeio segundonome segundonombre')
const familyNames = words('lastname familyname surname sobrenome apellido apellidos ultimonome')
const numbers = words(
  'number numero phone telefone telefono celular whatsapp fone tel cel mobile movil phonenumber mobilephone phonevalue ' +
    'numerodetelefone numerodetelefono numerodewhatsapp telefonecelular celularwhatsapp whatsappcelular telefonomovil',
)
/** Numbers of an address book at which fewer people have WhatsApp. */
const furtherNumbers = words(
  'homephone businessphone primaryphone otherphone companymainphone telefonecomercial telefoneresidencial ' +
    'telefoneprincipal outrotelefone telefonodeltrabajo telefonoparticular telefonoprincipal',
)
const emails = words('email mail correo emailaddress emailvalue correoelectronico enderecodeemail')

/** Accents, case, blanks, hyphens and digits do not tell headers apart. */
const headerKey = (text: string) => plain(text).replace(/[^a-z]/g, '')

const MOST_EXTRA = 30
const MOST_MORE = 5

type Named = Omit<SheetMapping, 'headerLine'>

/** What the columns' names say. */
function namedColumns(header: readonly string[]): Named {
  const keys = header.map(headerKey)
  const all = (known: ReadonlySet<string>) => keys.flatMap((key, column) => (known.has(key) ? column : []))
  const [number = null, ...moreNumbers] = [...all(numbers), ...all(furtherNumbers)].slice(0, MOST_MORE)
  const name = all(names)[0] ?? null
  const isGiven = name !== null && givenNames.has(keys[name]!)
  const moreNames = isGiven ? [...all(middleNames).slice(0, 1), ...all(familyNames).slice(0, 1)] : []
  const email = all(emails)[0] ?? null
  const taken = new Set([number, ...moreNumbers, name, ...moreNames, email])
  const extra = header.flatMap((text, column) => (text.trim() && !taken.has(column) ? column : [])).slice(0, MOST_EXTRA)
  return {
    ...{ name, number, email, extra },
    ...(moreNames.length > 0 && { moreNames }),
    ...(moreNumbers.length > 0 && { moreNumbers }),
  }
}

const isLikeNumber = (text: string) =>
  text.length <= 50 && /^[^\p{L}]+$/u.test(text) && /^\d{8,15}$/.test(text.replace(/\D/g, ''))

/** The first column of which most cells are so; null where there is none. */
function columnWith(lines: readonly (readonly string[])[], is: (cell: string) => boolean): number | null {
  const width = Math.max(0, ...lines.map((cells) => cells.length))
  for (let column = 0; column < width; column++) {
    const filled = lines.map((cells) => (cells[column] ?? '').trim()).filter(Boolean)
    const hits = filled.filter(is).length
    if (hits > 0 && hits * 2 > filled.length) return column
  }
  return null
}

/**
 * How a sheet seems to be meant: the first line that names a number's column names them all. Where no line does, the
 * number is in the column that has numbers, and what stands above the first of them is no person.
 * @param lines from the top of the file
 */
export function guessMapping(lines: readonly (readonly string[])[]): SheetMapping {
  for (const [index, line] of lines.entries()) {
    const found = namedColumns(line)
    if (found.number !== null) return { headerLine: index + 1, ...found }
  }
  const number = columnWith(lines, isLikeNumber)
  if (number === null) return { headerLine: 1, ...namedColumns(lines[0] ?? []) }
  const headerLine = lines.findIndex((cells) => isLikeNumber(cells[number] ?? ''))
  const people = lines.slice(headerLine)
  const header = headerLine === 0 ? [] : lines[headerLine - 1]!
  const named = namedColumns(header)
  const email = named.email ?? columnWith(people, (cell) => isEmail(cell))
  const free = (cell: string) => /\p{L}{2}/u.test(cell) && !isEmail(cell)
  const name = named.name ?? columnWith(people, free)
  const extra = named.extra.filter((column) => column !== number && column !== email && column !== name)
  return { headerLine, name, number, email, extra }
}

/** The name of a column as spreadsheets count them: `A` to `Z`, then `AA`. */
export function columnLetter(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnLetter(Math.floor(column / 26) - 1) + letter
}

/** @returns null when no column is the number's */
export function mappedColumns(header: readonly string[], mapping: Named): Columns | null {
  const { name, moreNames = [], number, moreNumbers = [], email } = mapping
  if (number === null) return null
  const label = (column: number) => plainText(header[column] ?? '').slice(0, 100) || columnLetter(column)
  const labelled = (column: number) => ({ column, name: label(column) })
  return {
    ...{ name, number, email, moreNames: moreNames.slice(0, MOST_MORE) },
    moreNumbers: moreNumbers.slice(0, MOST_MORE).map(labelled),
    extra: mapping.extra.slice(0, MOST_EXTRA).map(labelled),
  }
}

/** What a header alone says. @returns null when no column is the number's */
export const columnsOf = (header: readonly string[]): Columns | null => mappedColumns(header, namedColumns(header))

/** A row that can be written. `name` is empty where the file gives none. */
export interface SheetContact {
  name: string
  number: string
  /** Further numbers of the same person. */
  others: string[]
  email: string
  extra: Omit<ExtraInfo, 'id'>[]
}

/**
 * Reads a row. A field that cannot be kept costs no person: `reason` then says which was left out, or shortened.
 * @param country calling code such as `55`, of the country whose numbers are written without it; empty where none are
 */
export function readRow(
  cells: readonly string[],
  columns: Columns,
  country: string,
): { contact: SheetContact; reason?: 'email' | 'name' } | { reason: RowReason; name: string; number: string } {
  const cell = (column: number | null) => (column === null ? '' : plainText(cells[column] ?? ''))
  const name = [columns.name, ...columns.moreNames].map(cell).filter(Boolean).join(' ')
  const email = cell(columns.email)
  const places = [columns.number, ...columns.moreNumbers.map(({ column }) => column)]
  const typed = places.map((column) => ({ column, ...readNumber(cells[column] ?? '', country) }))
  const found = typed.flatMap((one) => ('number' in one ? one : []))
  const [first] = found
  if (!first) {
    const bad = typed.flatMap((one) => ('reason' in one ? one : []))
    const refused = bad.find(({ reason }) => reason !== 'number_missing') ?? bad[0]!
    return { reason: refused.reason, name: name.slice(0, 100), number: cell(refused.column).slice(0, 50) }
  }
  const isEmailKept = email.length <= 100 && isEmail(email)
  const left = columns.moreNumbers.filter(({ column }) => column !== first.column)
  const extra = [...columns.extra, ...left].slice(0, MOST_EXTRA).flatMap(({ column, name: label }) => {
    const value = cell(column).slice(0, 1_000)
    return value ? [{ name: label, value }] : []
  })
  const reason = name.length > 100 ? 'name' : email && !isEmailKept ? 'email' : undefined
  return {
    contact: {
      name: clip(name, 100).trim(),
      number: first.number,
      others: [...new Set(found.flatMap(({ number, others }) => [number, ...others]))].slice(1),
      email: isEmailKept ? email.toLowerCase() : '',
      extra,
    },
    ...(reason && { reason }),
  }
}

/** Without the control characters that Postgres or people cannot read, and without the mark of an escaped formula. */
function plainText(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- control characters are what is removed
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
      .trim()
      .replace(/^'(?=[=+\-@])/, '')
  )
}

/**
 * What of a row's further columns fields of the company's own take: of those that are called as one is, by name or key, the
 * first. What a field cannot read stays extra information: nothing of a file is lost.
 */
export function fieldsInRow(
  fields: readonly SaidField[],
  extra: SheetContact['extra'],
  language: Language,
): Pick<SheetContact, 'extra'> & { fields: FieldPatch } {
  if (fields.length === 0) return { extra, fields: {} }
  const taken: FieldPatch = {}
  const left = extra.filter(({ name, value }) => {
    const label = plain(name.trim())
    const field = fields.find((one) => plain(one.name) === label || one.key === label)
    if (!field || field.id in taken) return true
    const read = readText(field, value, language)
    if ('fault' in read || read.value === null) return true
    taken[field.id] = read.value
    return false
  })
  return { extra: left, fields: taken }
}

interface Known {
  fields?: FieldPatch
  name: string
  nameSource: 'number' | 'push' | 'edited'
  email: string
  extraInfo: readonly ExtraInfo[]
}

/** What a row changes on a contact that is there already; empty when nothing. */
export function importPatch(
  known: Known,
  row: SheetContact & { fields?: FieldPatch },
  mode: ImportMode,
  newId: () => string,
): { name?: string; nameSource?: 'edited'; email?: string; extraInfo?: ExtraInfo[]; fields?: FieldPatch } {
  if (mode === 'keep') return {}
  const wins = mode === 'replace'
  const patch: ReturnType<typeof importPatch> = {}
  // A name that only repeats the number is none.
  if (row.name && row.name !== known.name && (wins || known.nameSource === 'number'))
    Object.assign(patch, { name: row.name, nameSource: 'edited' })
  if (row.email && row.email !== known.email && (wins || known.email === '')) patch.email = row.email
  const extraInfo = [...known.extraInfo]
  let changed = false
  for (const { name, value } of row.extra) {
    const at = extraInfo.findIndex((info) => info.name.toLowerCase() === name.toLowerCase())
    const there = extraInfo[at]
    if (there && (!wins || there.value === value)) continue
    changed = true
    if (there) extraInfo[at] = { ...there, value }
    else extraInfo.push({ id: newId(), name, value })
  }
  if (changed) patch.extraInfo = extraInfo.slice(0, 50)
  const before = known.fields ?? {}
  const filled = Object.entries(changedIn(before, row.fields ?? {})).filter(([id]) => wins || before[id] == null)
  if (filled.length > 0) patch.fields = mergedFields(before, Object.fromEntries(filled))
  return patch
}

/** A cell that a spreadsheet would take for a formula is written as text. */
export const asText = (value: string): string => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
