import { asText } from '../../schema/contacts/contacts.sheet.ts'

/** A table as CSV that spreadsheets open with accents, in columns, and without live formulas. */
export function csvFile(rows: readonly (readonly string[])[]): Blob {
  const cell = (text: string) => {
    const plain = asText(text)
    return /[";\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
  }
  return new Blob([`\ufeff${rows.map((row) => row.map(cell).join(';')).join('\r\n')}\r\n`], { type: 'text/csv' })
}
