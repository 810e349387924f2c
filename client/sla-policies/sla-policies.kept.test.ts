import { expect, test } from 'bun:test'
import { keptOf } from './sla-policies.kept.ts'

test('promises that were kept are counted of those that ended, over several policies', () => {
  const rows = [
    { met: 3, breached: 1 },
    { met: 1, breached: 3 },
  ]
  expect(keptOf(rows)).toEqual({ met: 4, all: 8, share: 0.5 })
  expect(keptOf([])).toEqual({ met: 0, all: 0, share: 1 })
})
