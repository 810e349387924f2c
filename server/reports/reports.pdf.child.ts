/** Draws a report in a process of its own, see `bounded.ts`. */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import PDFDocument from 'pdfkit'
import { answer } from '../bounded.child.ts'
import type { PdfOrder } from './reports.pdf.ts'

/** Points. */
const MARGIN = 36
const LINE = 14
const NAME = 120
const SIZE = 7
/** So many columns of figures beside the name; what is more stands in a table below. */
const COLUMNS = 10
/** In place of a letter that the font has not. */
const BOX = '▯'
const [PLAIN, BOLD] = ['plain', 'bold']
const fontFile = (name: string) => Bun.resolveSync(`dejavu-fonts-ttf/ttf/${name}.ttf`, import.meta.dir)

await answer<PdfOrder, { pages: number }>(async ({ into, subtitle, sheet, meaningsTitle }) => {
  const doc = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: sheet.title },
  })
  doc.registerFont(PLAIN, fontFile('DejaVuSansCondensed'))
  doc.registerFont(BOLD, fontFile('DejaVuSansCondensed-Bold'))
  const shown = drawable(doc)
  /** A name that cannot be read is told apart by its number. */
  const nameOf = (name: string, key: string) => {
    const drawn = shown(name)
    return drawn === '' || drawn.includes(BOX) ? `${drawn} (${key})`.trim() : drawn
  }
  const out = createWriteStream(into, { flags: 'wx', mode: 0o600 })
  doc.pipe(out)
  const width = doc.page.width - 2 * MARGIN
  const bottom = () => doc.page.height - MARGIN - LINE
  doc.font(BOLD).fontSize(16).text(shown(sheet.title))
  doc.font(PLAIN).fontSize(9).fillColor('#555').text(shown(subtitle)).fillColor('black')
  doc.moveDown()

  for (let first = 1; first < sheet.header.length; first += COLUMNS) {
    const places = [0, ...sheet.header.keys()].filter(
      (place, i) => i === 0 || (place >= first && place < first + COLUMNS),
    )
    const each = (width - NAME) / (places.length - 1)
    const line = (cells: readonly string[], font: string, height = LINE) => {
      const y = doc.y
      doc.font(font).fontSize(SIZE)
      for (const [i, place] of places.entries())
        doc.text(shown(cells[place] ?? ''), MARGIN + (i === 0 ? 0 : NAME + (i - 1) * each), y, {
          ...{ width: i === 0 ? NAME - 6 : each - 4, height, align: i === 0 ? 'left' : 'right' },
          ...(i === 0 && { ellipsis: true }),
        })
      doc.y = y + height
    }
    const head = () => {
      line(sheet.header, BOLD, LINE * 2.2)
      doc
        .moveTo(MARGIN, doc.y - 3)
        .lineTo(MARGIN + width, doc.y - 3)
        .lineWidth(0.5)
        .stroke('#999')
    }
    if (doc.y + LINE * 5 > bottom()) doc.addPage()
    head()
    for (const [i, row] of sheet.rows.entries()) {
      if (doc.y + LINE > bottom()) {
        doc.addPage()
        head()
      }
      line([nameOf(row[0] ?? '', sheet.keys[i] ?? ''), ...row.slice(1)], PLAIN)
    }
    if (doc.y + LINE > bottom()) doc.addPage()
    line(sheet.total, BOLD)
    doc.moveDown()
  }

  if (doc.y + LINE * 5 > bottom()) doc.addPage()
  doc.font(BOLD).fontSize(10).text(shown(meaningsTitle), MARGIN)
  doc.moveDown(0.5)
  for (const [name, meaning] of sheet.meanings) {
    if (doc.y + LINE * 2 > bottom()) doc.addPage()
    doc
      .font(BOLD)
      .fontSize(SIZE + 1)
      .text(`${shown(name)}: `, MARGIN, doc.y, { continued: true, width })
    doc.font(PLAIN).text(shown(meaning))
  }

  const { count } = doc.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page)
    // Below the margin: pdfkit would begin another page.
    doc.page.margins.bottom = 0
    doc
      .font(PLAIN)
      .fontSize(SIZE)
      .text(`${page + 1} / ${count}`, MARGIN, doc.page.height - MARGIN + 8, { width, align: 'right' })
  }
  doc.end()
  await once(out, 'close')
  return { pages: count }
})

/**
 * Latin, Cyrillic, Greek, Arabic, Hebrew, Armenian and Georgian letters are drawn. What the font has not is a box, so that one sees
 * that there is something; pictures are left out, with the signs that join them.
 */
function drawable(doc: PDFKit.PDFDocument): (text: string) => string {
  doc.font(PLAIN)
  const { font } = (doc as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })._font
  return (text) =>
    text
      .normalize('NFC')
      .replaceAll(/\s/gu, ' ')
      .replaceAll(/[\p{Cc}\p{Cf}\p{Mn}\p{Extended_Pictographic}\p{Emoji_Modifier}]/gu, (sign) =>
        /\p{Mn}/u.test(sign) && font.hasGlyphForCodePoint(sign.codePointAt(0)!) ? sign : '',
      )
      .replaceAll(/[^ ]/gu, (sign) => (font.hasGlyphForCodePoint(sign.codePointAt(0)!) ? sign : BOX))
      .trim()
}
