import { expect, test } from 'bun:test'
import type { Replica } from '../../sync/client/replica.types.ts'
import { rowsReady } from './live-rows.ts'
import type { Rows } from './rows.ts'

const rows: Rows<{ id: number }> = {
  query: { sql: 'SELECT 1 AS id', tables: ['tickets'] },
  read: (raw) => ({ id: Number(raw['id']) }),
  keyOf: ({ id }) => id,
}

test('who asks again after a query failed has it run again, and does not wait for an answer that was given', async () => {
  let runs = 0
  const replica = {
    live: (_: unknown, onRows: (rows: unknown[], fromLastTime: boolean) => void, onError: (error: Error) => void) => {
      const run = ++runs
      queueMicrotask(() => (run < 3 ? onError(new Error(`failure ${run}`)) : onRows([{ id: 1 }], false)))
      return () => undefined
    },
  } as unknown as Replica
  const outcome = () =>
    Promise.race([
      rowsReady(replica, rows).then(
        () => 'rows',
        (error: Error) => error.message,
      ),
      Bun.sleep(500).then(() => 'still waiting'),
    ])
  expect([await outcome(), await outcome(), await outcome()]).toEqual(['failure 1', 'failure 2', 'rows'])
})

test('rows of the last time are there for the first drawing, before the replica has told anything', async () => {
  const replica = { lastTime: () => [{ id: 7 }], live: () => () => undefined } as unknown as Replica
  const outcome = await Promise.race([
    rowsReady(replica, rows).then(() => 'rows'),
    Bun.sleep(200).then(() => 'still waiting'),
  ])
  expect(outcome).toBe('rows')
})

test('nothing found while the rows are still being loaded is told once they are all there', async () => {
  const listeners = new Set<() => void>()
  let state = 'loading'
  let answer: (rows: unknown[]) => void = () => undefined
  const replica = {
    live: (_: unknown, onRows: (rows: unknown[], fromLastTime: boolean) => void) => {
      answer = (found) => onRows(found, false)
      return () => undefined
    },
    status: {
      get: () => ({ state }),
      subscribe: (listener: () => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  } as unknown as Replica
  let ready = false
  void rowsReady(replica, rows).then(() => (ready = true))
  answer([])
  await Bun.sleep(1)
  expect(ready).toBe(false)
  state = 'live'
  for (const listener of listeners) listener()
  await Bun.sleep(1)
  expect(ready).toBe(true)
  expect(listeners.size).toBe(0)
})
