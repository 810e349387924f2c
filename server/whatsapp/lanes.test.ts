import { expect, test } from 'bun:test'
import { pino } from 'pino'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { createLanes, type Delivery, isTransient, type LanesDeps } from './lanes.ts'
import { until } from './sessions.fixture.ts'

const event = (wid: string, companyId: number): InboundEvent => ({
  kind: 'ack',
  companyId,
  whatsappId: 1,
  wid,
  ack: 2,
  error: null,
})
const delivery = (lane: string, n: number, companyId = 1): Delivery => ({
  journalId: `${lane}${n}`,
  lane,
  event: event(`${lane}${n}`, companyId),
})
const wids = (events: InboundEvent[]) => events.map((e) => ('wid' in e ? e.wid : ''))

function lanesWith(receive: LanesDeps['receive']) {
  const settled: string[] = []
  const parked: string[] = []
  const lanes = createLanes({
    receive,
    settled: async (ids) => void settled.push(...ids),
    parked: async ({ journalId }) => void parked.push(journalId!),
    log: pino({ level: 'silent' }),
  })
  return { lanes, settled, parked }
}

test('what waits together travels together', async () => {
  const calls: number[] = []
  const { lanes, settled } = lanesWith(async (events) => void calls.push(events.length))
  lanes.add(Array.from({ length: 40 }, (_, n) => delivery('ana', n)))
  await until(() => settled.length === 40, 'all to be settled')
  expect(calls).toEqual([40])
})

test('what comes to a company while a batch of its is under way goes together; another company does not wait', async () => {
  const calls: string[][] = []
  const first = Promise.withResolvers<void>()
  const { lanes, settled } = lanesWith(async (events) => {
    calls.push(wids(events))
    if (calls.length === 1) await first.promise
  })
  lanes.add([delivery('ana', 0)])
  await until(() => calls.length === 1, 'the first batch')
  for (const chat of ['bia', 'caio', 'davi']) {
    lanes.add([delivery(chat, 0)])
    await Bun.sleep(0)
  }
  lanes.add([delivery('elsewhere', 0, 2)])
  await until(() => calls.length === 2, 'the other company')
  first.resolve()
  await until(() => settled.length === 5, 'all to be settled')
  expect(calls).toEqual([['ana0'], ['elsewhere0'], ['bia0', 'caio0', 'davi0']])
})

test('one chat is never in two hands, and different chats do not wait for each other', async () => {
  let release = () => undefined as void
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const seen: string[] = []
  const busy = new Set<string>()
  const { lanes, settled } = lanesWith(async (events) => {
    const chats = new Set(wids(events).map((wid) => wid.slice(0, 3)))
    for (const chat of chats) {
      expect(busy.has(chat)).toBe(false)
      busy.add(chat)
    }
    if (chats.has('ana')) await gate
    await new Promise((resolve) => setTimeout(resolve, 1))
    seen.push(...wids(events))
    for (const chat of chats) busy.delete(chat)
  })
  lanes.add([delivery('ana', 0)])
  await new Promise((resolve) => setTimeout(resolve, 5))
  for (let n = 1; n < 5; n++) lanes.add([delivery('ana', n), delivery('bia', n)])
  await until(() => settled.includes('bia4'), 'the other chat')
  expect(seen.some((wid) => wid.startsWith('ana'))).toBe(false)
  release()
  await until(() => settled.includes('ana4'), 'the first chat')
  expect(seen.filter((wid) => wid.startsWith('ana'))).toEqual(['ana0', 'ana1', 'ana2', 'ana3', 'ana4'])
})

test('what is said of a message waits for the message, by whatever name its chat is known', async () => {
  const taken: string[] = []
  const stored = Promise.withResolvers<void>()
  const { lanes, settled } = lanesWith(async (events) => {
    if (events.some((e) => e.kind === 'message')) await stored.promise
    taken.push(...events.map((e) => e.kind))
  })
  const of = { companyId: 1, whatsappId: 1, wid: 'M1', at: new Date(), fromMe: true }
  const chat = { kind: 'person' as const, number: '5511', lid: null }
  const message: InboundEvent = {
    ...of,
    kind: 'message',
    chat,
    participant: null,
    chatName: null,
    sentAt: of.at,
    content: { type: 'text', text: 'do telefone' },
    quotedWid: null,
    offline: false,
  }
  lanes.add([{ journalId: 'm', lane: 'n5511', event: message }])
  await Bun.sleep(0)
  lanes.add([{ journalId: 'a', lane: 'aM1', event: { ...of, kind: 'ack', ack: 3, error: null } }])
  lanes.add([{ journalId: 'e', lane: 'l20005', event: { ...of, kind: 'edit', chat, body: 'corrigido' } }])
  // Longer than the others of the company have patience.
  await Bun.sleep(60)
  expect(taken).toEqual([])
  stored.resolve()
  await until(() => settled.length === 3, 'all to be settled')
  expect(taken[0]).toBe('message')
  // The message is there: nothing has to wait for it any more.
  lanes.add([{ journalId: 'b', lane: 'aM1', event: { ...of, kind: 'ack', ack: 4, error: null } }])
  await until(() => settled.length === 4, 'the second tick')
})

test('a row that is on its way is not taken a second time', async () => {
  const seen: string[] = []
  const { lanes, settled } = lanesWith(async (events) => void seen.push(...wids(events)))
  lanes.add([delivery('ana', 1), delivery('ana', 1)])
  expect(lanes.holding().has('ana1')).toBe(true)
  await until(() => settled.length > 0, 'it to be settled')
  expect(seen).toEqual(['ana1'])
  await until(() => !lanes.holding().has('ana1'), 'it to be let go')
  expect(lanes.size()).toBe(0)
})

test('a database that is away is waited for; only a fault of the event itself is parked', async () => {
  let failures = 0
  const { lanes, settled, parked } = lanesWith(async () => {
    if (++failures <= 6) throw Object.assign(new Error('gone'), { code: '57P03' })
  })
  lanes.add([delivery('ana', 1)])
  await until(() => settled.length === 1, 'the database to be back', 30_000)
  expect(parked).toEqual([])
  expect(isTransient({ code: 'CONNECTION_CLOSED' })).toBe(true)
  expect(isTransient({ code: '40P01' })).toBe(true)
  expect(isTransient({ code: '23505' })).toBe(false)
  expect(isTransient(new TypeError('x'))).toBe(false)
}, 40_000)

test('a batch with one bad event reaches the product but for that one', async () => {
  const seen: string[] = []
  const { lanes, parked } = lanesWith(async (events) => {
    if (wids(events).includes('bia2')) throw new Error('bad')
    seen.push(...wids(events))
  })
  lanes.add([delivery('ana', 1), delivery('bia', 1), delivery('bia', 2), delivery('bia', 3), delivery('caio', 1)])
  await until(() => seen.includes('bia3'), 'the chat to go on', 15_000)
  expect(parked).toEqual(['bia2'])
  expect(seen.toSorted()).toEqual(['ana1', 'bia1', 'bia3', 'caio1'])
}, 20_000)

test('draining waits for what is under way and begins nothing new', async () => {
  const { lanes, settled } = lanesWith(async () => new Promise((resolve) => setTimeout(resolve, 20)))
  lanes.add([delivery('ana', 1)])
  await lanes.drain(5_000)
  expect(settled).toEqual(['ana1'])
  lanes.add([delivery('ana', 2)])
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(settled).toEqual(['ana1'])
})
