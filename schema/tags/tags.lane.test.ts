import { describe, expect, test } from 'bun:test'
import { laneOf, lanesOf, tagsInLane } from './tags.lane.ts'

const tag = (id: number, name: string, laneOrder: number | null = null, kanban = 1) => ({ id, name, kanban, laneOrder })

describe('the lanes of the board', () => {
  test('are the tags that are meant for it, by their place, then by name', () => {
    const tags = [tag(1, 'Pago'), tag(2, 'Urgente', null, 0), tag(3, 'Novo', 2), tag(4, 'Água'), tag(5, 'Zero', 1)]
    expect(lanesOf(tags).map(({ id }) => id)).toEqual([5, 3, 4, 1])
  })

  test('a ticket stands in one lane, however many of their tags it has, and without any in the first', () => {
    const lanes = lanesOf([tag(1, 'B', 2), tag(2, 'A', 1)])
    expect(laneOf([], lanes)).toBeNull()
    expect(laneOf([9], lanes)).toBeNull()
    expect(laneOf([1], lanes)).toBe(1)
    expect(laneOf([1, 2], lanes)).toBe(2)
  })

  test('a ticket that is moved leaves all other lanes and keeps its other tags', () => {
    const lanes = new Set([1, 2, 3])
    expect(tagsInLane([9, 1, 2], lanes, 3)).toEqual([3, 9])
    expect(tagsInLane([9, 1], lanes, null)).toEqual([9])
    expect(tagsInLane([], lanes, 2)).toEqual([2])
    expect(tagsInLane([2], lanes, 2)).toEqual([2])
  })
})
