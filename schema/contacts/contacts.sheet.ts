import { isEmail } from '../inputs.ts'
import { plain } from '../plain.ts'
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
export type RowReason = 'number_missing' | 'number' | 'email' | 'name' | 'full'

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
}

/** Which column holds what; the rest is extra information. */
export interface Columns {
  name: number | null
  number: number
  email: number | null
  extra: { column: number; name: string }[]
}

const names = new Set(['name', 'nome', 'nombre', 'contato', 'contact'])
const numbers = new Set(['number', 'numero', 'phone', 'telefone', 'telefono', 'celular', 'whatsapp'])
const emails = new Set(['email', 'mail', 'correo'])

/** Accents, case, blanks and hyphens do not tell headers apart. */
const headerKey = (text: string) => plain(text).replace(/[^a-z]/g, '')

/** @returns null when no column is the number's */
export function columnsOf(header: readonly string[]): Columns | null {
  const found: Omit<Columns, 'number'> & { number: number | null } = {
    name: null,
    number: null,
    email: null,
    extra: [],
  }
  for (const [column, text] of header.entries()) {
    const key = headerKey(text)
    if (found.number === null && numbers.has(key)) found.number = column
    else if (found.name === null && names.has(key)) found.name = column
    else if (found.email === null && emails.has(key)) found.email = column
    else if (text.trim() && found.extra.length < 30) found.extra.push({ column, name: plainText(text).slice(0, 100) })
  }
  return found.number === null ? null : { ...found, number: found.number }
}

/** A row that can be written. `name` is empty where the file gives none. */
export interface SheetContact {
  name: string
  number: string
  email: string
  extra: Omit<ExtraInfo, 'id'>[]
}

/**
 * Reads a row.
 * @param country calling code such as `55`, put before numbers of 10 or 11 digits; empty puts nothing
 */
export function readRow(
  cells: readonly string[],
  columns: Columns,
  country: string,
): { contact: SheetContact } | { reason: RowReason; name: string; number: string } {
  const cell = (column: number | null) => (column === null ? '' : plainText(cells[column] ?? ''))
  const name = cell(columns.name)
  const typed = cell(columns.number)
  const email = cell(columns.email)
  const refused = (reason: RowReason) => ({ reason, name: name.slice(0, 100), number: typed.slice(0, 50) })
  if (!typed) return refused('number_missing')
  // `5,51E+12` is what a spreadsheet makes of a number that it was not told to leave alone: its digits are lost.
  if (!/^[\d\s()+./-]+$/.test(typed)) return refused('number')
  let number = typed.replace(/\D/g, '')
  if (country && !typed.startsWith('+') && (number.length === 10 || number.length === 11)) number = country + number
  if (number.length < 8 || number.length > 15) return refused('number')
  if (name.length > 100) return refused('name')
  if (email && !(email.length <= 100 && isEmail(email))) return refused('email')
  const extra = columns.extra.flatMap(({ column, name: label }) => {
    const value = cell(column).slice(0, 1_000)
    return value ? [{ name: label, value }] : []
  })
  return { contact: { name, number, email: email.toLowerCase(), extra } }
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

interface Known {
  name: string
  nameSource: 'number' | 'push' | 'edited'
  email: string
  extraInfo: readonly ExtraInfo[]
}

/** What a row changes on a contact that is there already; empty when nothing. */
export function importPatch(
  known: Known,
  row: SheetContact,
  mode: ImportMode,
  newId: () => string,
): { name?: string; nameSource?: 'edited'; email?: string; extraInfo?: ExtraInfo[] } {
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
  return patch
}

/**
 * What two ways to write one number have in common: a Brazilian mobile number has a ninth digit that WhatsApp often
 * leaves out, and people leave out the country.
 */
export function numberKey(digits: string): string {
  const national = /^55\d{10,11}$/.test(digits) ? digits.slice(2) : digits
  return /^[1-9]{2}9[6-9]\d{7}$/.test(national) ? national.slice(0, 2) + national.slice(3) : national
}

/** The ways to write a full number that WhatsApp may know it by, the given one first. */
export function numberVariants(digits: string): string[] {
  // Only mobile numbers have got the ninth digit; they began with 6 to 9.
  if (/^55[1-9]{2}9[6-9]\d{7}$/.test(digits)) return [digits, digits.slice(0, 4) + digits.slice(5)]
  if (/^55[1-9]{2}[6-9]\d{7}$/.test(digits)) return [digits, `${digits.slice(0, 4)}9${digits.slice(4)}`]
  return [digits]
}

/** A cell that a spreadsheet would take for a formula is written as text. */
export const asText = (value: string): string => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
