import { inflateRawSync } from 'node:zlib'
import { type CellValue, parseCsv, read } from 'hucre'
import { MOST_ROWS } from '../../schema/contacts/contacts.sheet.ts'
import type { SheetAnswer } from './contacts.sheet.ts'

/** Bytes that a workbook may unfold to; fifty thousand rows of contacts need a tenth. */
const MOST_UNFOLDED = 120_000_000
/** Room for notes above or below; what is more than the header and the rows is refused by count. */
const MOST_COLUMNS = 200

declare const self: Worker

self.onmessage = (event: MessageEvent<Uint8Array>) => {
  void answer(event.data).then((said) => self.postMessage(said))
}

async function answer(bytes: Uint8Array): Promise<SheetAnswer> {
  try {
    const rows = (await cellsOf(bytes)).map((row) => row.slice(0, MOST_COLUMNS).map(textOf))
    while (rows.at(-1)?.every((cell) => !cell.trim())) rows.pop()
    return rows.length > MOST_ROWS + 1 ? { problem: 'rows' } : { rows }
  } catch {
    return { problem: 'unreadable' }
  }
}

async function cellsOf(bytes: Uint8Array): Promise<CellValue[][]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const zip = buffer.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))
  const ole = buffer.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))
  if (!zip && !ole) return parseCsv(textIn(buffer), { maxRows: MOST_ROWS + 2 })
  if (zip) assertUnfolds(buffer)
  const { sheets } = await read(buffer, { maxRows: MOST_ROWS + 2 })
  return sheets.find((sheet) => sheet.rows.length > 0)?.rows ?? []
}

/** UTF-8, or what spreadsheets on Windows write. @throws for what is no text */
function textIn(buffer: Buffer): string {
  if (buffer.length === 0 || buffer.includes(0)) throw new Error('no text')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer)
  } catch {
    return new TextDecoder('windows-1252').decode(buffer)
  }
}

/** @throws when the archive would fill the memory: what it says of itself is not believed, it is tried */
function assertUnfolds(zip: Buffer): void {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  if (end < 0) throw new Error('no directory')
  const entries = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  let left = MOST_UNFOLDED
  for (let i = 0; i < entries; i++) {
    const method = zip.readUInt16LE(at + 10)
    const size = zip.readUInt32LE(at + 20)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    if (method === 8) left -= inflateRawSync(zip.subarray(start, start + size), { maxOutputLength: left }).length
    else left -= size
    if (left <= 0) throw new Error('unfolds to too much')
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}

function textOf(cell: CellValue): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '')
  return String(cell)
}
