import { afterEach, beforeEach, expect, mock, spyOn, test } from 'bun:test'
import { newId } from '../../schema/ids.ts'
import { MemoryIndexedDb } from './indexed-db.fixture.ts'
import * as dexie from './outbox.dexie.ts'
import type { Entry } from './outbox.state.ts'
import { agent } from './replica.fixture.ts'
import { deleteEverybody } from './leftovers.ts'
import { createReplica } from './replica.ts'
import type { FromTab, ToTab } from './wire.ts'

/**
 * A tab whose worker has not said anything yet: what a start without a network, or a session that ends at once, meets.
 * Browser, worker and disk are of cardboard; the real ones are met in `tests/e2e`.
 */
const outbox = dexie.memoryStorage()
void mock.module('./outbox.dexie.ts', () => ({ ...dexie, dexieStorage: () => outbox }))

let worker: { onmessage: ((event: { data: ToTab }) => void) | null }
/** What the tab has said to its worker. */
let heard: FromTab[]
const silent = { addEventListener: () => undefined, removeEventListener: () => undefined }
const browser = {
  document: { ...silent, hidden: false },
  window: silent,
  location: { href: 'http://balcao.test/' },
  localStorage: {},
  Worker: class {
    onmessage: ((event: { data: ToTab }) => void) | null = null
    constructor() {
      worker = this
    }
    postMessage(message: FromTab) {
      heard.push(message)
    }
    terminate() {}
  },
}
const names = Object.keys(browser)
let before: Record<string, PropertyDescriptor | undefined>
let deleted: string[]
let disk: MemoryIndexedDb
let restore: () => void
beforeEach(() => {
  before = Object.fromEntries(names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]))
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  disk = new MemoryIndexedDb()
  deleted = []
  heard = []
  const { deleteDatabase } = disk
  disk.deleteDatabase = (name) => (deleted.push(name), deleteDatabase(name))
  restore = disk.install()
})
afterEach(() => {
  restore()
  for (const name of names) {
    const own = before[name]
    if (own) Object.defineProperty(globalThis, name, own)
    else Reflect.deleteProperty(globalThis, name)
  }
})

const entry = (state: Entry['state']): Entry => ({
  id: newId(),
  name: 'messages.send',
  input: { id: newId(), ticketId: 1, body: 'Bom dia' },
  state,
  createdAt: 1,
  attempts: 0,
  error: null,
  ticketId: 1,
  file: null,
  seq: 1,
  txid: null,
  tables: null,
  sentAt: null,
  notBefore: 0,
})
const replica = () => createReplica({ who: agent, baseUrl: '', token: async () => null })

test('[L2] a session that ends before its worker has read the outbox keeps what was not sent, and a logout does not', async () => {
  const waiting = entry('queued')
  await outbox.add(waiting, null)
  await replica().destroy({ keepUnsent: true })
  expect(deleted).not.toContain('balcao-1-7-outbox')
  await replica().destroy()
  expect(deleted).toContain('balcao-1-7-outbox')
  await outbox.remove([waiting.id])
})

test('[L2] a session that ends keeps no outbox in which the server has taken everything', async () => {
  const taken = entry('sent')
  await outbox.add(taken, null)
  await replica().destroy({ keepUnsent: true })
  expect(deleted).toContain('balcao-1-7-outbox')
  await outbox.remove([taken.id])
})

const leaves = (...names: string[]) => {
  for (const name of names) disk.stores.set(name, new Map())
}
const left = () => [...disk.stores.keys()]

test('[L2] a start without a session deletes what every user has left, but for an outbox that waits for its user', async () => {
  const waiting = entry('queued')
  await outbox.add(waiting, null)
  const all = ['/pglite/balcao-1-7-x', 'balcao-1-7-last-rows', 'balcao-1-7-outbox', '/pglite/balcao-2-9-x', 'another']
  leaves(...all, 'balcao-passing-1-past-outbox')
  await deleteEverybody({ keepUnsent: true, isNobody: () => true })
  expect(left()).toEqual(['balcao-1-7-outbox', 'another'])
  await deleteEverybody({ keepUnsent: false, isNobody: () => true })
  expect(left()).toEqual(['another'])
  await outbox.remove([waiting.id])

  leaves('balcao-1-7-outbox')
  await deleteEverybody({ keepUnsent: true, isNobody: () => true })
  expect(left()).toEqual(['another'])
})

test('[L2] who logs in while that is done keeps what is theirs', async () => {
  leaves('/pglite/balcao-1-7-x', 'balcao-1-7-last-rows')
  await deleteEverybody({ keepUnsent: false, isNobody: () => false })
  expect(left()).toEqual(['/pglite/balcao-1-7-x', 'balcao-1-7-last-rows'])
})

test('[C1] a command is in the outbox of the tab at once, and stored when its promise resolves', async () => {
  const tab = replica()
  // The first one waits for the part that checks input.
  const first = await tab.mutate('tickets.resolve', { ticketId: 1 })
  const promise = tab.mutate('tickets.reopen', { ticketId: 1 })
  expect(tab.outbox.get().map(({ name }) => name)).toEqual(['tickets.resolve', 'tickets.reopen'])
  const second = await promise
  expect((await outbox.load()).map(({ id }) => id)).toContain(second.id)
  await tab.close()
  await outbox.remove([first.id, second.id])
})

test('[C1] what a full disk does not take is sent from memory, with its file, and a new worker is told of it until it is done', async () => {
  const full = spyOn(outbox, 'add').mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
  const tab = replica()
  worker.onmessage!({ data: { t: 'ready' } })
  worker.onmessage!({ data: { t: 'status', status: { ...tab.status.get(), state: 'loading' } } })
  const file = new Blob(['x'])
  const sent = tab.mutate('tickets.resolve', { ticketId: 1 }, { file })
  await Bun.sleep(0)
  const asked = heard.find((message) => message.t === 'mutate')!
  worker.onmessage!({ data: { t: 'done', r: asked.r } })
  const { id } = await sent
  const told = () => heard.filter((message) => message.t === 'mutate' || message.t === 'stored')
  expect(told().at(-1)).toEqual({ t: 'stored', id, memory: { file } })
  expect(tab.status.get().durable).toBe(false)
  expect(await tab.outbox.file(id)).toBe(file)

  heard = []
  worker.onmessage!({ data: { t: 'ready' } })
  expect(told()).toEqual([
    { t: 'mutate', r: expect.any(Number), entry: expect.objectContaining({ id }), awaited: false },
    { t: 'stored', id, memory: { file } },
  ])
  worker.onmessage!({ data: { t: 'done', r: told().flatMap((message) => ('r' in message ? message.r : []))[0]! } })
  heard = []
  const taken = { ...tab.outbox.get()[0]!, state: 'sent' } as Entry
  worker.onmessage!({ data: { t: 'outbox', whole: false, changed: [taken], gone: [] } })
  worker.onmessage!({ data: { t: 'outbox', whole: false, changed: [], gone: [id] } })
  worker.onmessage!({ data: { t: 'ready' } })
  expect(told()).toEqual([])

  // And once there is space again, that is told, too.
  full.mockRestore()
  worker.onmessage!({ data: { t: 'status', status: { ...tab.status.get(), state: 'starting' } } })
  const { id: kept } = await tab.mutate('tickets.reopen', { ticketId: 1 })
  expect(tab.status.get().durable).toBe(true)
  await tab.close()
  await outbox.remove([kept])
})

test('a draft that a full disk does not take is the one that is shown again, not the older one on the disk', async () => {
  const tab = replica()
  await tab.drafts.set({ ticketId: 1 }, 'velho')
  const full = spyOn(outbox, 'setDraft').mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
  await expect(tab.drafts.set({ ticketId: 1 }, 'novo')).rejects.toThrow('full')
  expect(await tab.drafts.get({ ticketId: 1 })).toBe('novo')
  full.mockRestore()
  await tab.drafts.set({ ticketId: 1 }, '')
  expect(await tab.drafts.get({ ticketId: 1 })).toBe('')
  await tab.close()
})

test('[O2] what is done after the clock was set back comes after what waits, not before it', async () => {
  const tab = replica()
  const waiting = { ...entry('queued'), seq: Date.now() + 3_600_000 }
  worker.onmessage!({ data: { t: 'outbox', whole: true, changed: [waiting], gone: [] } })
  const done = await tab.mutate('tickets.resolve', { ticketId: 1 })
  expect(tab.outbox.get().map(({ id }) => id)).toEqual([waiting.id, done.id])
  await tab.close()
  await outbox.remove([done.id])
})

test('[C9] of an outbox of hundreds a tab is told what has changed, and keeps the rest in the order of the clicks', async () => {
  const tab = replica()
  const [first, second, third] = [1, 2, 3].map((seq) => ({ ...entry('queued'), seq })) as [Entry, Entry, Entry]
  const tell = (whole: boolean, changed: Entry[], gone: string[] = []) =>
    worker.onmessage!({ data: { t: 'outbox', whole, changed, gone } })
  tell(true, [first, third])
  tell(false, [second])
  expect(tab.outbox.get()).toEqual([first, second, third])
  const before = tab.outbox.get()[2]
  tell(false, [{ ...second, state: 'sending' }], [first.id])
  expect(tab.outbox.get().map(({ id, state }) => [id, state])).toEqual([
    [second.id, 'sending'],
    [third.id, 'queued'],
  ])
  expect(tab.outbox.get()[1]).toBe(before!)
  tell(true, [third])
  expect(tab.outbox.get()).toEqual([third])
  await tab.close()
})
