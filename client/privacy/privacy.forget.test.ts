import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Replica } from '../../sync/client/replica.types.ts'
import { forgetErased } from './privacy.forget.ts'

const realStorage = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
let stored: Map<string, string>
/** What the company has erased: by its number, the contact and a ticket of theirs. */
let erased: { seq: number; contactId: number; ticketId: number }[]
let deleted: string[]
beforeEach(() => {
  stored = new Map()
  erased = []
  deleted = []
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  Object.defineProperty(globalThis, 'caches', {
    value: { delete: async (name: string) => deleted.push(name) },
    configurable: true,
  })
})
afterEach(() => {
  if (realStorage) Object.defineProperty(globalThis, 'localStorage', realStorage)
})

/** As the server answers, two at a time. */
const ask = async (after: number) => {
  const rows = erased.filter(({ seq }) => seq > after).slice(0, 2)
  return {
    seq: rows.at(-1)?.seq ?? erased.at(-1)?.seq ?? 0,
    contactIds: rows.map(({ contactId }) => contactId),
    ticketIds: rows.map(({ ticketId }) => ticketId),
  }
}

/** A browser with a draft and a waiting message in each of these tickets. */
function browser(...ticketIds: number[]) {
  const drafts = new Map(ticketIds.map((id) => [id, `rascunho ${id}`]))
  let waiting = ticketIds.map((ticketId) => ({ id: `m${ticketId}`, ticketId }))
  let rebuilds = 0
  const replica = {
    drafts: { set: async (of: { ticketId: number }, text: string) => void (text === '' && drafts.delete(of.ticketId)) },
    outbox: {
      get: () => waiting,
      discard: async (id: string) => void (waiting = waiting.filter((entry) => entry.id !== id)),
    },
    restart: async ({ rebuild }: { rebuild?: boolean } = {}) => void (rebuild && rebuilds++),
  } as unknown as Replica
  return {
    replica,
    left: () => [...drafts.keys(), ...waiting.map(({ ticketId }) => ticketId)],
    rebuilds: () => rebuilds,
  }
}

test('a browser forgets who was erased while it was away, and nobody else; once', async () => {
  const { replica, left, rebuilds } = browser(10, 11, 12, 13)
  await forgetErased(replica, 7, ask)
  expect([left(), rebuilds()]).toEqual([[10, 11, 12, 13, 10, 11, 12, 13], 0])
  erased = [3, 4, 5].map((seq) => ({ seq, contactId: seq * 100, ticketId: 7 + seq }))
  await forgetErased(replica, 7, ask)
  expect([left(), rebuilds(), deleted]).toEqual([[13, 13], 1, ['balcao-media-7']])
  await forgetErased(replica, 7, ask)
  expect(rebuilds()).toBe(1)
})

test('a new browser has rows of after them: it drops what was begun, and fetches nothing twice', async () => {
  erased = [{ seq: 3, contactId: 300, ticketId: 10 }]
  const { replica, left, rebuilds } = browser(10, 11)
  await forgetErased(replica, 7, ask)
  expect([left(), rebuilds(), deleted]).toEqual([[11, 11], 0, []])
})
