import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectWithstood, startTarget, type Target } from '../support/attack.ts'
import { dose } from '../support/dose.ts'
import { endOfZip, workbookOf } from '../support/zip.ts'

let target: Target
let token: string
beforeAll(async () => {
  target = await startTarget({ demo: true })
  token = (await target.login('admin@padaria.test', 'balcao123')).token
})
afterAll(() => target.stop())

async function bring(content: Uint8Array | string): Promise<{ status: number; said: string }> {
  const form = new FormData()
  form.set('file', new Blob([content as BlobPart]), 'contacts')
  const response = await fetch(`${target.url}/contacts/import?mode=keep`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  return { status: response.status, said: await response.text() }
}

const header = '<row r="1"><c t="inlineStr"><is><t>number</t></is></c></row>'

/** Unfolds to 270 MB of texts, each an object of its own for whoever reads them all. */
const bomb = () => workbookOf(header, '<si><t>A</t></si>'.repeat(16_000_000))

test('a sheet with a false end, which unfolds to gigabytes, is refused and takes little', async () => {
  // As it was seen: what follows the true end says that the archive is empty.
  const file = Buffer.concat([bomb(), endOfZip(0, 0, 0)])
  expect(file.length).toBeLessThan(2_000_000)
  const cost = await target.under(() => bring(file))
  expect(cost.result.status).toBe(415)
  expectWithstood(cost, { memoryMb: 800 })
})

test('many such sheets at once are read one after another, and most are told to come later', async () => {
  const file = bomb()
  const cost = await target.under(() => Promise.all(Array.from({ length: 12 }, () => bring(file))))
  const statuses = cost.result.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([415, 429]))
  expect(statuses.filter((status) => status === 415).length).toBeLessThanOrEqual(2)
  expectWithstood(cost)
})

const cells = (row: number, count: number, inside: string) =>
  `<row r="${row}">${`<c t="s"><v>${inside}</v></c>`.repeat(count)}</row>`
test.each([
  [
    'one long text named by ten million cells',
    () =>
      workbookOf(
        Array.from({ length: 50_000 }, (_, at) => cells(at + 1, 200, '0')).join(''),
        `<si><t>number${'A'.repeat(30_000)}</t></si>`,
      ),
  ],
  ['a cell in the furthest corner', () => workbookOf(`${header}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`)],
  ['a million rows of nothing', () => workbookOf(header + '<row/>'.repeat(1_000_000))],
  ['a row of a million cells', () => workbookOf(`${header}<row r="2">${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`)],
  ['elements in elements, a million deep', () => workbookOf('<row>'.repeat(1_000_000))],
  ['one line of 4.9 MB', () => `number,name\n${'5'.repeat(4_900_000)}`],
  ['2.4 million lines', () => `number\n${'1\n'.repeat(2_400_000)}`],
  ['a quote that is never closed', () => `number,name\n"${'5511,"",\n'.repeat(500_000)}`],
  ['a line of 4.9 million delimiters', () => `number${';'.repeat(4_900_000)}`],
  ['nothing but quotes', () => '"'.repeat(4_900_000)],
  [
    'a directory that leads into itself',
    () => Buffer.concat([workbookOf(header).subarray(0, 400), endOfZip(9, 90, 0)]),
  ],
] as const)('%s keeps nobody waiting', async (_what, make) => {
  const file = make()
  const cost = await target.under(() => bring(file))
  expect(cost.result.status).toBeOneOf([200, 400, 413, 415])
  expectWithstood(cost, { memoryMb: 900 })
})

test('a file of 50 MB is refused before it is read', async () => {
  const cost = await target.under(() => bring('5'.repeat(50_000_000)))
  expect(cost.result.status).toBe(413)
  expectWithstood(cost, { memoryMb: 800 })
})

test('tens of thousands of contacts with six columns come in within a minute, and nobody waits for them', async () => {
  const count = dose(15_000, 50_000)
  const lines = Array.from(
    { length: count },
    (_, at) => `Contato ${at} da Silva,55119${10_000_000 + at},contato${at}@example.com,Santos,${at},Cliente antigo`,
  )
  const cost = await target.under(() => bring(`Nome,Número,E-mail,Cidade,Código,Nota\n${lines.join('\n')}`))
  expect(cost.result.status).toBe(200)
  const last = JSON.parse(cost.result.said.trim().split('\n').at(-1)!) as { done: number }
  expect(last.done).toBe(count)
  expectWithstood(cost)
})
