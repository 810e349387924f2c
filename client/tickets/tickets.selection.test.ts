import { describe, expect, test } from 'bun:test'
import { mostBulk } from '../../schema/tickets/tickets.list.ts'
import { allOf, keptOf, rangedTo, toggled } from './tickets.choosing.ts'
import { noSelection } from './tickets.selection.ts'

const order = Array.from({ length: 300 }, (_, i) => 1000 - i)
const idsOf = ({ ids }: { ids: ReadonlySet<number> }) => [...ids]

describe('choosing several tickets of a list', () => {
  test('one after the other, and each of them no longer', () => {
    const two = toggled(toggled(noSelection, 1000), 998)
    expect(idsOf(two)).toEqual([1000, 998])
    expect(idsOf(toggled(two, 1000))).toEqual([998])
    expect(toggled(toggled(two, 1000), 998)).toBe(noSelection)
  })

  test('a range goes from the one chosen last, downwards and upwards, and keeps what was chosen before', () => {
    const from = toggled(toggled(noSelection, 990), 997)
    expect(idsOf(rangedTo(from, order, 995)).toSorted()).toEqual([990, 995, 996, 997])
    expect(idsOf(rangedTo(from, order, 999)).toSorted()).toEqual([990, 997, 998, 999])
    // The next range begins where the last one did.
    expect(idsOf(rangedTo(rangedTo(from, order, 995), order, 999)).length).toBe(6)
  })

  test('a range from nothing, or from what the list has no longer, is the one', () => {
    expect(rangedTo(noSelection, order, 995)).toEqual({ ids: new Set([995]), anchor: 995 })
    expect(idsOf(rangedTo(toggled(noSelection, 5), order, 995))).toEqual([5, 995])
  })

  test('no more than one command takes, the nearest to where it began', () => {
    expect(idsOf(allOf(order))).toEqual(order.slice(0, mostBulk))
    const up = rangedTo(toggled(noSelection, 701), order, 1000)
    expect(up.ids.size).toBe(mostBulk)
    expect(up.ids.has(702)).toBe(true)
    expect(up.ids.has(1000)).toBe(false)
    expect(toggled(up, 1000)).toEqual(up)
    expect(allOf([])).toBe(noSelection)
  })

  test('what has left the list is chosen no longer', () => {
    const all = allOf([1, 2, 3])
    expect(keptOf(all, () => true)).toBe(all)
    expect(idsOf(keptOf(all, (id) => id !== 2))).toEqual([1, 3])
    expect(keptOf(all, () => false)).toBe(noSelection)
  })
})
