import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { savedFilterInput } from '../../schema/filters/filters.inputs.ts'
import { newId } from '../../schema/ids.ts'
import { normalView, storedFilter } from './tickets.views.ts'

test('a view keeps in which order it stands, and is always written in the same form', () => {
  const filter = { queueIds: [2, 1], statuses: ['open', 'pending'] as const, order: 'due' as const, tagIds: [] }
  expect(normalView(filter)).toEqual({ queueIds: [1, 2], order: 'due' })
  const stored = storedFilter(filter)
  expect(stored).toEqual({ queueIds: [1, 2], order: 'due' })
  expect(Value.Check(savedFilterInput, { id: newId(), name: 'Prazos', filter: stored })).toBe(true)
  expect(Value.Check(savedFilterInput, { id: newId(), name: 'Prazos', filter: { order: 'return' } })).toBe(false)
})
