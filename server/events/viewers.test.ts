import { beforeEach, describe, expect, test } from 'bun:test'
import { createViewers, type Viewer } from './viewers.ts'

const viewed = { companyId: 1, ticket: { id: 7, status: 'open' as const, queueId: null, userId: null } }
const ana = { userId: 1, name: 'Ana' }
const bruno = { userId: 2, name: 'Bruno' }

let time = 0
let told: { ticketId: number; viewers: Viewer[] }[] = []
let viewers: ReturnType<typeof createViewers<object>>
beforeEach(() => {
  time = 1_000_000
  told = []
  viewers = createViewers({
    now: () => time,
    announce: ({ ticket }, list) => void told.push({ ticketId: ticket.id, viewers: list }),
  })
})

describe('who looks at a ticket', () => {
  test('a person with two windows is one viewer, and is gone with the last of them', () => {
    const [one, two] = [{}, {}]
    viewers.look(one, viewed, ana)
    viewers.look(two, viewed, ana)
    expect(viewers.of(7)).toEqual([{ ...ana, typing: false }])
    viewers.leave(one)
    expect(viewers.of(7)).toHaveLength(1)
    viewers.leave(two)
    expect(viewers.of(7)).toEqual([])
    expect(told.at(-1)).toEqual({ ticketId: 7, viewers: [] })
  })

  test('who opens another ticket has left this one', () => {
    const socket = {}
    viewers.look(socket, viewed, ana)
    viewers.look(socket, { companyId: 1, ticket: { ...viewed.ticket, id: 8 } }, ana)
    expect([viewers.of(7), viewers.of(8)]).toEqual([[], [{ ...ana, typing: false }]])
  })

  test('who says that they still look is no news; who falls silent is gone', () => {
    const [one, two] = [{}, {}]
    viewers.look(one, viewed, ana)
    viewers.look(two, viewed, bruno)
    const before = told.length
    time += 50_000
    viewers.look(one, viewed, ana)
    expect(told).toHaveLength(before)
    time += 50_000
    viewers.sweep()
    expect(viewers.of(7)).toEqual([{ ...ana, typing: false }])
    expect(told).toHaveLength(before + 1)
  })

  test('typing that is not repeated has stopped', () => {
    const socket = {}
    viewers.look(socket, viewed, ana)
    viewers.typing(socket, 7, true)
    expect(told.at(-1)?.viewers).toEqual([{ ...ana, typing: true }])
    time += 10_000
    viewers.sweep()
    expect(told.at(-1)?.viewers).toEqual([{ ...ana, typing: false }])
  })

  test('viewers at another server count until it has not repeated them for long', () => {
    viewers.look({}, viewed, ana)
    viewers.hear(7, 'other', [{ ...bruno, typing: true }])
    expect(viewers.of(7)).toEqual([
      { ...ana, typing: false },
      { ...bruno, typing: true },
    ])
    time += 60_000
    viewers.hear(7, 'other', [{ ...bruno, typing: false }])
    time += 60_000
    viewers.sweep()
    expect(viewers.of(7)).toEqual([{ ...bruno, typing: false }])
    time += 60_000
    viewers.sweep()
    expect(viewers.of(7)).toEqual([])
  })
})
