import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { keys } from '../base/local.ts'
import { session, sessionStored, type SessionUser } from './session-store.ts'
import { sessionUser } from './session.fixture.ts'

const person = (id: number) => sessionUser({ id, name: `Pessoa ${id}`, email: `${id}@exemplo.com` })

const stored = new Map<string, string>()
const realStorage = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
const ends: string[] = []
let forget: () => void
beforeAll(() => {
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  forget = session.onEnd(async (why) => {
    await Bun.sleep(5)
    ends.push(`${why} ${session.get()?.user.id ?? 'nobody'}`)
  })
})
afterAll(async () => {
  forget()
  await session.end('logout')
  if (realStorage) Object.defineProperty(globalThis, 'localStorage', realStorage)
  else Reflect.deleteProperty(globalThis, 'localStorage')
})
beforeEach(() => {
  session.begin('token of 7', person(7))
  ends.length = 0
})

/** What another tab writes, and this one hears of when all of it is done. */
const otherTab = (id: string, token: string, user: SessionUser) => {
  stored.set(keys.session, JSON.stringify({ id, token, user }))
  sessionStored()
}

test('who logs in as somebody else in another tab takes over here when everything of the first is gone', async () => {
  otherTab('new', 'token of 8', person(8))
  expect(session.get()).toBeNull()
  await session.cleaned()
  expect(ends).toEqual(['logout nobody'])
  expect(session.get()?.user.id).toBe(8)
})

test('the same holds when a call is what notices it', async () => {
  stored.set(keys.session, JSON.stringify({ id: 'new', token: 'token of 8', user: person(8) }))
  expect(session.latest()?.id).toBe('new')
  expect(session.get()).toBeNull()
  await session.cleaned()
  expect(ends).toEqual(['logout nobody'])
  expect(session.get()?.user.id).toBe(8)
})

test('a token that another tab renewed, or the same person’s new login, ends nothing', async () => {
  otherTab('new', 'another token', person(7))
  await session.cleaned()
  expect([ends, session.get()?.token]).toEqual([[], 'another token'])
})

test('an answer about the person who was here before is not taken for the one who is here now', async () => {
  otherTab('new', 'token of 8', person(8))
  await session.cleaned()
  session.setUser(person(7))
  expect([session.get()?.token, session.get()?.user.id]).toEqual(['token of 8', 8])
  expect(session.latest()?.user.id).toBe(8)
})
