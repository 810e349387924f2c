import { Type } from '@sinclair/typebox'
import { type Language, languages, languageTags, type Words, wordIn } from '../../schema/languages.ts'
import { asText } from '../../schema/contacts/contacts.sheet.ts'

/** Files of rows that people open in a program of their own. */
export const sheetTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const
export type SheetFormat = keyof typeof sheetTypes

/** Of the names of the columns, and of what stands in them. Programs name none, and get fields, codes and ISO dates. */
export const sheetLanguage = Type.Optional(Type.Union(languages.map((language) => Type.Literal(language))))

/** What each column is called, for each language in its order: Portuguese, Spanish, English. */
export type ColumnNames = Record<string, Words>

/** The line above the rows. */
export const headerOf = (names: ColumnNames, language: Language | undefined): string[] =>
  Object.entries(names).map(([field, words]) => (language ? wordIn(words, language) : field))

/** Writes a moment as it was on the clocks of `timeZone`, day before month; for programs as ISO has it. */
export function momentWriter(language: Language | undefined, timeZone: string): (at: Date | null) => string {
  if (!language) return (at) => at?.toISOString() ?? ''
  const format = new Intl.DateTimeFormat(languageTags[language], {
    ...{ day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ hourCycle: 'h23', timeZone },
  })
  return (at) => (at ? format.format(at).replace(',', '') : '')
}

/** A file of rows as an answer, which nobody keeps. */
export function sheetResponse(
  body: ReadableStream<Uint8Array>,
  { name, format }: { name: string; format: SheetFormat },
): Response {
  return new Response(body, {
    headers: {
      'content-type': sheetTypes[format],
      'content-disposition': `attachment; filename="${name}.${format}"`,
      'cache-control': 'no-store',
    },
  })
}

/** With a mark for its encoding, or Excel takes accents for something else. */
export function csvOf(header: readonly string[], rows: AsyncGenerator<string[]>): ReadableStream<Uint8Array> {
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => asText(cell).replace(/^[^]*[",;\r\n][^]*$/, (text) => `"${text.replaceAll('"', '""')}"`)).join(',')}\r\n`
  const encoder = new TextEncoder()
  let begun = false
  return new ReadableStream({
    async pull(controller) {
      let text = begun ? '' : `\ufeff${line(header)}`
      begun = true
      while (text.length < 32_768) {
        const { done, value } = await rows.next()
        if (done) {
          controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += line(value)
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await rows.return(undefined)
    },
  })
}
