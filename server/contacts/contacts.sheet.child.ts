/** Reads a spreadsheet in a process of its own, see `bounded.ts`: what the file says of itself is not believed. */
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { once } from 'node:events'
import type { CellValue } from 'hucre'
import { answer } from '../bounded.child.ts'
import type { SheetAnswer, SheetOrder } from './contacts.sheet.ts'

/** Room for notes above or below; what is more than the header and the rows is refused by count. */
const MOST_COLUMNS = 200
/** Characters of a cell; a contact keeps a thousand. */
const MOST_CELL = 2_000
const MOST_SHEETS = 20
/** What the parser leaves behind would otherwise lie about until it is a hundred megabytes. */
const ROWS_A_SWEEP = 5_000

class TooMuch extends Error {
  constructor(readonly problem: 'rows' | 'text') {
    super(problem)
  }
}

await answer<SheetOrder, SheetAnswer>(async ({ file, into, mostRows, mostText }) => {
  const out = createWriteStream(into, { flags: 'wx', mode: 0o600 })
  let rows = 0
  let text = 0
  /** Empty rows are written when one follows that is not. */
  let empty = 0
  try {
    for await (const cells of rowsOf(await readFile(file), mostRows + 1)) {
      const row = cells.slice(0, MOST_COLUMNS).map(textOf)
      if (row.every((cell) => !cell.trim())) {
        empty++
        // So far below everything that nothing comes any more, or as many rows as no file has.
        if (rows + empty > mostRows) break
        continue
      }
      rows += empty + 1
      if (rows > mostRows) throw new TooMuch('rows')
      const line = `${'[]\n'.repeat(empty)}${JSON.stringify(row)}\n`
      empty = 0
      text += line.length
      if (text > mostText) throw new TooMuch('text')
      if (!out.write(line)) await once(out, 'drain')
      if (rows % ROWS_A_SWEEP === 0) Bun.gc(true)
    }
  } catch (error) {
    return { problem: error instanceof TooMuch ? error.problem : 'unreadable' }
  } finally {
    out.end()
    await once(out, 'close')
  }
  return { rows }
})

async function* rowsOf(bytes: Buffer, most: number): AsyncGenerator<CellValue[]> {
  const zip = bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))
  const ole = bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))
  // Only what this file needs is loaded.
  if (!zip && !ole) {
    const { streamCsvRows } = await import('hucre/csv')
    yield* streamCsvRows(textIn(bytes), { maxRows: most })
  } else if (zip && isXlsx(bytes)) yield* xlsxRows(bytes, most)
  else {
    const { read } = await import('hucre')
    const { sheets } = await read(bytes, { maxRows: most })
    yield* sheets.find((sheet) => sheet.rows.length > 0)?.rows ?? []
  }
}

/** Of the first sheet that has any. Rows that the file leaves out are empty. */
async function* xlsxRows(bytes: Buffer, most: number): AsyncGenerator<CellValue[]> {
  const { streamXlsxRows } = await import('hucre/xlsx')
  for (let sheet = 0; sheet < MOST_SHEETS; sheet++) {
    let next = 0
    for await (const { index, values } of streamXlsxRows(bytes, { sheet, maxRows: most })) {
      for (; next < index && next <= most; next++) yield []
      yield values
      next++
    }
    if (next > 0) return
  }
}

/** Not an xlsb, an ods or another archive, which only the whole reader knows. */
function isXlsx(bytes: Buffer): boolean {
  return bytes.includes('xl/workbook.xml')
}

/** UTF-8, or what spreadsheets on Windows write. @throws for what is no text */
function textIn(buffer: Buffer): string {
  // "Unicode text": each letter has two bytes, and the first two tell their order.
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return new TextDecoder('utf-16le').decode(buffer)
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return new TextDecoder('utf-16be').decode(buffer)
  if (buffer.length === 0 || !isText(buffer)) throw new Error('no text')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer)
  } catch {
    return new TextDecoder('windows-1252').decode(buffer)
  }
}

/** Without the marks that no text has. One that DOS wrote may end with 0x1a; a PDF may be written in letters alone. */
function isText(buffer: Buffer): boolean {
  const isMark = (byte: number) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1a
  return !buffer.subarray(0, 5).equals(Buffer.from('%PDF-')) && !buffer.some(isMark)
}

function textOf(cell: CellValue): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '')
  return String(cell).slice(0, MOST_CELL)
}
