import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { PGlite } from '@electric-sql/pglite'
import { Changes } from './changes.ts'
import { MessageSearch } from './message-search.ts'
import { memoryReplica } from './replica.fixture.ts'
import { deleteRows, patchRows, type TextRow, upsertRows } from './rows.ts'
import { type Sql, Statements } from './statements.ts'
import { localTables } from './tables.ts'

let db: PGlite
let statements: Statements
let search: MessageSearch
beforeAll(async () => {
  db = await memoryReplica()
  statements = new Statements(db)
}, 60_000)
beforeEach(async () => {
  await db.exec('TRUNCATE messages')
  search = new MessageSearch(async () => statements)
})
afterAll(() => db.close())

const table = localTables.messages
const tickets = async (text: string) => (await search.find(text)).map(({ ticketId }) => ticketId)
/** As the engine does it: what is wanted of the changes is told after the commit. */
async function write(work: (tx: Sql, changes: Changes) => Promise<void>): Promise<void> {
  const changes = new Changes((name) => (name === 'messages' && search.wants ? ['id'] : []))
  await statements.transaction((tx) => work(tx, changes))
  search.changed(changes)
}
let minute = 0
const message = (id: string, ticketId: number, body: string): TextRow => ({
  id,
  ticketId: String(ticketId),
  body,
  isDeleted: 'f',
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, ++minute)).toISOString(),
})
const add = (...rows: TextRow[]) => write((tx, changes) => upsertRows(tx, table, rows, changes))

test('tickets are found by what their messages say anywhere, without accents and case, the newest first', async () => {
  await add(message('a', 1, 'Não chegou o BOLETO'), message('b', 2, 'segue'), message('c', 3, 'O boletó, por favor'))
  expect(await tickets('boleto')).toEqual([3, 1])
  expect(await tickets(' NAO ')).toEqual([1])
  expect(await tickets('%')).toEqual([])
  expect(await tickets('')).toEqual([])
})

test('a document is found by its name and a picture by its caption; names of pictures and recordings are shown nowhere', async () => {
  const file = (id: string, ticketId: number, body: string, mediaType: string, more: TextRow = {}) => ({
    ...message(id, ticketId, body),
    mediaType,
    mediaName: 'pedido',
    ...more,
  })
  await add(
    file('voice', 1, 'pedido', 'audio', { isVoice: 't' }),
    file('picture', 2, 'pedido', 'image'),
    file('captioned', 3, 'o pedido dela', 'image'),
    file('document', 4, 'pedido', 'application'),
    file('nameless', 5, 'um pedido', 'video', { mediaName: null }),
  )
  expect(await tickets('pedido')).toEqual([5, 4, 3])
})

test('[Q4] what arrives, is changed, deleted or goes after the first search is found as it is', async () => {
  await add(message('a', 1, 'maçã'), message('b', 2, 'pera'))
  expect(await tickets('maca')).toEqual([1])
  await add(message('c', 3, 'maçã verde'))
  expect(await tickets('maca')).toEqual([3, 1])
  await write((tx, changes) => patchRows(tx, table, [{ id: 'b', body: 'maca e pera' }], changes))
  expect(await tickets('maca')).toEqual([3, 2, 1])
  await write((tx, changes) => patchRows(tx, table, [{ id: 'c', isDeleted: 't' }], changes))
  await write((tx, changes) => deleteRows(tx, table, [{ id: 'a' }], changes))
  expect(await tickets('maca')).toEqual([2])
  // So many that they are not told one by one.
  await add(...Array.from({ length: 1_200 }, (_, i) => message(`m${i}`, 100 + i, `kiwi ${i}`)))
  expect(await tickets('kiwi')).toHaveLength(40)
  expect(await tickets('kiwi 1199')).toEqual([1299])
})

test('what changes while the messages are read for the first time is not missed', async () => {
  await add(...Array.from({ length: 9_000 }, (_, i) => message(`m${String(i).padStart(5, '0')}`, i, `uva ${i}`)))
  const first = tickets('figo')
  await add(message('m00000', 0, 'figo'))
  expect(await first).toEqual([0])
})

test('each ticket is found with the newest message that says it, as it was written; within one ticket all of them are', async () => {
  await add(message('a', 1, 'O *Boleto* de maio'), message('b', 1, 'e o boleto de junho?'), message('c', 2, 'boleto'))
  expect(await search.find('boleto de')).toMatchObject([{ ticketId: 1, messageId: 'b', body: 'e o boleto de junho?' }])
  expect((await search.find('BOLETO', 1)).map(({ messageId }) => messageId)).toEqual(['b', 'a'])
  expect(await search.find('boleto', 3)).toEqual([])
})
