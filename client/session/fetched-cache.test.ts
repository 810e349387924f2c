import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'bun:test'
import { fetchAgain, fetchAllAgain, fetchedCache, whileUnsaved, withUnsaved } from './fetched-cache.ts'
import { sessionUser } from './session.fixture.ts'
import { session } from './session-store.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  fetchedCache.clear()
})

/** Shows what `queryFn` answers, as a screen does. */
function shown<T>(queryKey: readonly unknown[], queryFn: () => Promise<T>): QueryObserver<T> {
  const observer = new QueryObserver<T>(fetchedCache, { queryKey, queryFn })
  stops.push(observer.subscribe(() => undefined))
  return observer
}

test('who hears of a change while the first answer is under way is shown what came after it', async () => {
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('with the new tag')]
  const list = shown(['/tags', 'pages', ''], () => answers.shift()!)
  fetchAgain(['/tags', 'pages', ''])
  await Bun.sleep(300)
  first.resolve('without it')
  await Bun.sleep(0)
  expect(list.getCurrentResult().data).toBe('with the new tag')
})

test('a burst of events makes one request, and all who show the same share its answer', async () => {
  let requests = 0
  const ask = async () => ++requests
  const [one, other] = [shown(['/queue', 'one', {}], ask), shown(['/queue', 'one', {}], ask)]
  await Bun.sleep(10)
  expect(requests).toBe(1)
  for (let i = 0; i < 30; i++) fetchAgain(['/queue', 'one', {}])
  await Bun.sleep(300)
  expect([requests, one.getCurrentResult().data, other.getCurrentResult().data]).toEqual([2, 2, 2])
})

test('when the connection is back, what is shown is fetched again, and what nobody shows is not', async () => {
  const asked: string[] = []
  const show = (path: string) => shown([path, 'one', {}], async () => asked.push(path))
  show('/queue')
  show('/tags')
  await Bun.sleep(10)
  stops.pop()!()
  fetchAllAgain()
  await Bun.sleep(300)
  expect(asked).toEqual(['/queue', '/tags', '/queue'])
})

test('when the connection opens, the first answer that is under way is shown, and then asked for again', async () => {
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('with what came before the socket')]
  const list = shown(['/queue', 'one', {}], () => answers.shift()!)
  fetchAllAgain()
  await Bun.sleep(300)
  expect(answers).toHaveLength(1)
  first.resolve('without it')
  await Bun.sleep(10)
  expect(list.getCurrentResult().data).toBe('without it')
  await Bun.sleep(300)
  expect(list.getCurrentResult().data).toBe('with what came before the socket')
})

test('what is being saved is in every answer that comes meanwhile, and what was under way then is asked for again', async () => {
  const key = ['/queue-options', 'one', {}]
  const [early, late] = [Promise.withResolvers<string[]>(), Promise.withResolvers<string[]>()]
  const answers = [Promise.resolve(['a']), early.promise, late.promise, Promise.resolve(['a', 'b as saved'])]
  const list = shown(key, async () => withUnsaved(key, await answers.shift()!))
  const saved = Promise.withResolvers<void>()
  await Bun.sleep(10)
  const saving = whileUnsaved(key, saved.promise, (rows: string[]) => [...rows, 'b'])
  fetchAgain(key)
  await Bun.sleep(200)
  early.resolve(['a'])
  await Bun.sleep(10)
  expect(list.getCurrentResult().data).toEqual(['a', 'b'])
  fetchAgain(key)
  await Bun.sleep(200)
  saved.resolve()
  await saving
  late.resolve(['a'])
  await Bun.sleep(10)
  expect(list.getCurrentResult().data).toEqual(['a', 'b'])
  await Bun.sleep(300)
  expect(list.getCurrentResult().data).toEqual(['a', 'b as saved'])
})

test('what was not saved holds against no answer any longer', async () => {
  const key = ['/settings', 'one', {}]
  const refused = whileUnsaved(key, Promise.reject(new Error('refused')), () => 'changed')
  expect(withUnsaved(key, 'as it was')).toBe('changed')
  await expect(refused).rejects.toThrow('refused')
  expect(withUnsaved(key, 'as it was')).toBe('as it was')
})

test('a failure is told at once and leaves what was shown; the next answer takes it away', async () => {
  const answers = [async () => 1, () => Promise.reject(new Error('away')), async () => 2]
  const list = shown(['/users', 'pages', ''], () => answers.shift()!())
  await Bun.sleep(10)
  fetchAgain(['/users', 'pages', ''])
  await Bun.sleep(300)
  expect(list.getCurrentResult()).toMatchObject({ data: 1, error: { message: 'away' }, isFetching: false })
  fetchAgain(['/users', 'pages', ''])
  await Bun.sleep(300)
  expect(list.getCurrentResult()).toMatchObject({ data: 2, error: null })
})

test('whose rights change is shown nothing that was fetched before', async () => {
  session.begin('token', sessionUser())
  const answers = ['5511987651835', '+55 11 9••••-1835']
  const [shownKey, leftKey] = [
    ['/contacts', 'pages', ''],
    ['/contacts', 'one', 1],
  ]
  const list = shown(shownKey, async () => answers.shift()!)
  shown(leftKey, async () => '5511987651835')
  await Bun.sleep(10)
  stops.pop()!()
  // Another name is no other right.
  session.setUser(sessionUser({ name: 'Ana Lima' }))
  expect([list.getCurrentResult().data, fetchedCache.getQueryData(leftKey)]).toEqual(['5511987651835', '5511987651835'])
  const role = { id: 1, name: 'Sem números', permissions: [], ticketScope: 'all' as const, maskNumbers: true }
  session.setUser(sessionUser({ name: 'Ana Lima', role }))
  expect([fetchedCache.getQueryData(shownKey), fetchedCache.getQueryData(leftKey)]).toEqual([undefined, undefined])
  await Bun.sleep(10)
  expect(list.getCurrentResult().data).toBe('+55 11 9••••-1835')
  await session.end('logout')
})
