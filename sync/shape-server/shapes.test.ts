import { expect, test } from 'bun:test'
import { parseColumnList, parseTableName, type Table } from './tables.ts'
import { type Definition, Generation, Shape, ShapeIndex, type Snapshot, sees } from './shapes.ts'

const column = (name: string) => ({
  name,
  typeOid: 25,
  sqlType: 'text',
  constantType: 'text',
  baseType: 'text',
  category: 'S',
  schemaEntry: { type: 'text' },
  codePointOrder: true,
  deterministic: true,
})

const table: Table = {
  oid: 1,
  schema: 'public',
  name: 'notes',
  sqlName: '"public"."notes"',
  columns: [column('id'), column('body')],
  unreplicated: [],
  key: [0],
  primaryKey: ['id'],
  fingerprint: '',
  seen: { fingerprint: '', last: 1 },
  born: 1,
}

function define(id: string, equality: { column: number; values: string[] }[] = []): Definition {
  const predicate = { kind: 'compiled' as const, test: () => true, equality }
  const request = { table: 'notes', where: id, params: {}, full: false, changesOnly: false }
  return { id, request, table, where: { sql: id, predicate }, columns: [0, 1], full: false, changesOnly: false }
}

function snapshot(xmin: number, xmax: number, running: number[], insertLsn: number): Snapshot {
  return { xmin, xmax, running: new Set(running), insertLsn, texts: { xmin: '', xmax: '', xip_list: [] } }
}

const insert = (id: string, body = '') => [{ op: 0, change: { operation: 'insert' as const, tuple: [id, body] } }]
const idsIn = (json: string) => (JSON.parse(`[${json}]`) as { value: { id: string } }[]).map((m) => m.value.id)

test('a snapshot sees what had ended before it, over the wrap of the 32-bit transaction ids too', () => {
  const early = snapshot(100, 110, [105], 0)
  expect([99, 104, 105, 109, 110].map((xid) => sees(early, xid))).toEqual([true, true, false, true, false])
  const wrap = 2 ** 32
  const late = snapshot(wrap + 5, wrap + 10, [wrap + 7], 0)
  expect([wrap - 1, 4, 7, 9, 10].map((xid) => sees(late, xid))).toEqual([true, true, false, true, false])
})

test('[S2] each generation of a shape gets from the one log what its snapshot had not seen', () => {
  const shape = new Shape(define('a'), 10, 1_000_000, 1_000_000)
  const generation = new Generation('h1', shape, 0)
  shape.generations.add(generation)
  shape.append(20, 1, insert('seen'))
  shape.append(30, 2, insert('running'))
  shape.append(40, 3, insert('overtook'))
  shape.settle(generation, snapshot(2, 5, [2], 60))
  shape.append(50, 4, insert('told late'))
  shape.append(60, 5, insert('after'))
  const start = { lsn: 0, op: 0 }
  expect(idsIn(shape.slice(generation, start).json)).toEqual(['running', 'after'])

  const second = new Generation('h2', shape, 0)
  shape.generations.add(second)
  shape.settle(second, snapshot(6, 6, [], 70))
  expect(shape.hasMore(second, start)).toBe(false)
  shape.append(70, 6, insert('new'))
  expect(idsIn(shape.slice(second, start).json)).toEqual(['new'])
  expect(idsIn(shape.slice(generation, { lsn: 60, op: 0 }).json)).toEqual(['new'])
})

test('[S13] a log that grows too long loses its oldest transactions, and who has not read them starts over', () => {
  const shape = new Shape(define('a'), 0, 1_000_000, 10_000)
  const generation = new Generation('h', shape, 0)
  shape.generations.add(generation)
  shape.settle(generation, snapshot(1, 1, [], 0))
  for (let i = 1; i <= 100; i++) shape.append(i * 8, i, insert(String(i), 'x'.repeat(400)))
  expect(shape.logBytes).toBeLessThanOrEqual(10_000)
  expect(shape.canServe(generation, { lsn: 0, op: 0 })).toBe(false)
  expect(shape.canServe(generation, { lsn: 790, op: 0 })).toBe(true)
  expect(idsIn(shape.slice(generation, { lsn: 784, op: 0 }).json)).toEqual(['99', '100'])
})

test('[S7] who waits is woken by what it has not seen, and by nothing else', () => {
  const shape = new Shape(define('a'), 0, 1_000_000, 1_000_000)
  const generation = new Generation('h', shape, 0)
  shape.generations.add(generation)
  shape.settle(generation, snapshot(2, 2, [], 100))
  const woken: string[] = []
  shape.waiters.add({ generation, offset: { lsn: 0, op: 0 }, wake: (reason) => woken.push(reason) })
  shape.append(50, 1, insert('in the snapshot'))
  expect([shape.tell(), woken]).toEqual([0, []])
  shape.append(100, 2, insert('new'))
  expect([shape.tell(), woken]).toEqual([1, ['changes']])
})

test('[S15] shapes that show the same of a row share what is written of it, and forget it at the same place', () => {
  const [one, other] = [new Shape(define('a'), 0, 1_000_000, 10_000), new Shape(define('b'), 0, 1_000_000, 10_000)]
  const generations = [one, other].map((shape) => {
    const generation = new Generation('h', shape, 0)
    shape.generations.add(generation)
    shape.settle(generation, snapshot(1, 1, [], 0))
    return generation
  })
  for (let i = 1; i <= 3; i++) {
    const change = insert(String(i))
    const [first] = one.append(i * 8, i, change)
    expect(other.append(i * 8, i, change)[0]).toBe(first!)
    // The last of a transaction says so: one that is not the last is another message.
    expect(other.append(i * 8 + 4, i, [...change, { ...change[0]!, op: 2 }])[0]).not.toBe(first!)
  }
  for (const [i, shape] of [one, other].entries()) {
    const generation = generations[i]!
    shape.dropUpTo(16)
    expect([shape.canServe(generation, { lsn: 8, op: 0 }), shape.canServe(generation, { lsn: 16, op: 0 })]).toEqual([
      false,
      true,
    ])
    expect(shape.hasMore(generation, { lsn: 16, op: 0 })).toBe(true)
  }
  expect(idsIn(one.slice(generations[0]!, { lsn: 16, op: 0 }).json)).toEqual(['3'])
})

test('only shapes that a row could be in are asked, each once', () => {
  const index = new ShapeIndex()
  const shapeOf = (id: string, equality?: { column: number; values: string[] }[]) => {
    const shape = new Shape(define(id, equality), 0, 1, 1)
    index.add(shape)
    return shape
  }
  const all = shapeOf('all')
  const a = shapeOf('a', [{ column: 1, values: ['a'] }])
  const ab = shapeOf('ab', [{ column: 1, values: ['a', 'b'] }])
  shapeOf('c', [{ column: 1, values: ['c'] }])
  const found = (old?: string, now?: string) =>
    [...index.candidates(old === undefined ? undefined : ['1', old], now === undefined ? undefined : ['1', now])].map(
      (shape) => shape.definition.id,
    )
  expect(found(undefined, 'a').sort()).toEqual(['a', 'ab', 'all'])
  expect(found('a', 'b').sort()).toEqual(['a', 'ab', 'all'])
  expect(found('b', undefined).sort()).toEqual(['ab', 'all'])
  expect(found('x', 'y')).toEqual(['all'])
  index.delete(ab)
  index.delete(all)
  expect(found('a', 'b')).toEqual(['a'])
  index.delete(a)
  expect(found('a', 'b')).toEqual([])
})

test('names are read as Postgres reads them', () => {
  expect(parseTableName('Issues')).toEqual({ schema: 'public', name: 'issues' })
  expect(parseTableName('App."My ""own"" table.1"')).toEqual({ schema: 'app', name: 'My "own" table.1' })
  expect(() => parseTableName('a.b.c')).toThrow()
  expect(() => parseTableName('a b')).toThrow()
  expect(parseColumnList('"Id",name, "a,""b"')).toEqual(['Id', 'name', 'a,"b'])
  expect(() => parseColumnList('a,,b')).toThrow()
})

test('a large answer is the same for all who are told together, and is kept no longer than that', () => {
  const shape = new Shape(define('a'), 0, 1_000_000, 10_000_000)
  const generation = new Generation('h', shape, 0)
  shape.generations.add(generation)
  shape.settle(generation, snapshot(1, 1, [], 0))
  const start = { lsn: 0, op: 0 }
  const told: unknown[] = []
  const wait = () =>
    shape.waiters.add({ generation, offset: start, wake: () => told.push(shape.slice(generation, start)) })
  wait()
  wait()
  shape.append(8, 1, insert('1'))
  shape.tell()
  expect(told[1]).toBe(told[0])
  expect(shape.slice(generation, start)).toBe(told[0] as never)
  shape.append(16, 2, insert('2', 'x'.repeat(500_000)))
  shape.tell()
  expect(told[3]).toBe(told[2])
  expect(shape.slice(generation, start)).not.toBe(told[2] as never)
})
