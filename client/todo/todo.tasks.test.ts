import { expect, test } from 'bun:test'
import { added, changed, mostTasks, read, without } from './todo.tasks.ts'

const one = added([], ' Ligar para a Maria ', { id: 'a', now: 1 })

test('a task is what was written, without blanks, the newest first', () => {
  expect(one).toEqual([{ id: 'a', text: 'Ligar para a Maria', createdAt: 1, updatedAt: 1 }])
  expect(added(one, 'Outra', { id: 'b', now: 2 }).map(({ id }) => id)).toEqual(['b', 'a'])
})

test('an empty text is ignored, when it is added and when it is changed', () => {
  expect(added(one, '  ', { id: 'b', now: 2 })).toBe(one)
  expect(changed(one, 'a', ' ', 2)).toBe(one)
})

test('a change keeps when it was made, and the same words change nothing', () => {
  expect(changed(one, 'a', 'Escrever', 5)).toEqual([{ id: 'a', text: 'Escrever', createdAt: 1, updatedAt: 5 }])
  expect(changed(one, 'a', 'Ligar para a Maria ', 5)).toBe(one)
  expect(without(one, 'a')).toEqual([])
})

test('there are only so many, and what is no task is not read', () => {
  const full = Array.from({ length: mostTasks }, (_, i) => ({ ...one[0]!, id: String(i) }))
  expect(added(full, 'x', { id: 'x', now: 1 })).toBe(full)
  for (const kept of [null, '', '{', '{}', '[1,null,{"id":"a"},{"id":"a","text":" ","createdAt":1,"updatedAt":1}]'])
    expect([kept, read(kept)]).toEqual([kept, []])
  expect(read(JSON.stringify(one))).toEqual([...one])
})
