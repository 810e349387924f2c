import { expect, test } from 'bun:test'
import { widOf } from '../ids.ts'
import { factsOf, type PastMessage, type PastService, type TicketPast } from './reports.facts.ts'

const at = (time: string) => new Date(`2026-01-15T${time}Z`)
/** Eight to six in São Paulo, three hours behind. */
const office = {
  timeZone: 'America/Sao_Paulo',
  holidays: [],
  schedules: [{ weekday: 'quinta', weekdayEn: 'thursday' as const, startTime: '08:00', endTime: '17:59' }],
}
const service = (values: Partial<PastService> = {}): PastService => ({
  ...{ id: 1, whatsappId: 3, queueId: null, userId: 7, createdAt: at('12:00:00'), startedAt: null },
  ...{ finishedAt: null, ratingAt: null, rating: null },
  ...values,
})
let n = 0
const message = (time: string, values: Partial<PastMessage> = {}): PastMessage => ({
  ...{ id: `m${++n}`, wid: `WID${n}`, fromMe: false, authorId: null, createdAt: at(time) },
  ...values,
})
const byAgent = (time: string) => message(time, { fromMe: true, authorId: 7 })
const byPhone = (time: string) => message(time, { fromMe: true })
const byItself = (time: string) => {
  const id = `m${++n}`
  return message(time, { id, wid: widOf(id), fromMe: true })
}
const past = (values: Partial<TicketPast>): TicketPast => ({
  ...{
    companyId: 1,
    ticketId: 5,
    queueId: 2,
    whatsappId: 3,
    tagIds: [],
    services: [service()],
    messages: [],
    runs: [],
    ends: [],
  },
  ...values,
})
const facts = (values: Partial<TicketPast>) => factsOf(past(values), () => office)

test('the first answer is a person’s, to a contact who waits: by the clock, and in open hours', () => {
  const early = service({ createdAt: at('10:50:00') })
  const messages = [message('10:49:58'), byItself('10:50:01'), byAgent('11:10:00'), byAgent('11:20:00')]
  expect(facts({ services: [early], messages }).services[0]).toMatchObject({
    ...{ answeredAt: at('11:10:00'), answerSeconds: 1_200, answerOpenSeconds: 600, outcome: 'active', queueId: 2 },
  })
  // Also from the phone itself.
  expect(facts({ messages: [message('12:00:00'), byPhone('12:05:00')] }).services[0]).toMatchObject({
    answerSeconds: 300,
  })
})

test('who writes first answers nobody', () => {
  const { services } = facts({ messages: [byAgent('12:00:01'), message('12:30:00'), byAgent('12:31:00')] })
  expect(services[0]).toMatchObject({ answeredAt: at('12:31:00') })
  expect(facts({ messages: [byAgent('12:00:01')] }).services[0]).toMatchObject({
    answeredAt: null,
    answerSeconds: null,
  })
})

test('a ticket that is opened again is another service; each message belongs to one of them', () => {
  const first = service({ id: 1, queueId: 9, finishedAt: at('12:30:00') })
  const second = service({ id: 2, createdAt: at('13:00:01') })
  const messages = [
    message('11:59:59'),
    byAgent('12:10:00'),
    // Said when it had ended.
    byItself('12:30:01'),
    // What opened it again came a moment before.
    message('13:00:00'),
    byAgent('13:10:00'),
  ]
  const { services, hours } = facts({ services: [first, second], messages })
  expect(services).toMatchObject([
    { trackingId: 1, queueId: 9, isReopened: false, closeSeconds: 1_800, outcome: 'served', answerSeconds: 600 },
    { trackingId: 2, queueId: 2, isReopened: true, closeSeconds: null, outcome: 'active', answerSeconds: 599 },
  ])
  const of = (id: number) => hours.filter(({ trackingId }) => trackingId === id)
  const sum = (id: number, voice: 'received' | 'sent' | 'automatic') =>
    of(id).reduce((all, hour) => all + hour[voice], 0)
  expect([sum(1, 'received'), sum(1, 'sent'), sum(1, 'automatic')]).toEqual([1, 1, 1])
  expect([sum(2, 'received'), sum(2, 'sent'), sum(2, 'automatic')]).toEqual([1, 1, 0])
  expect(hours.reduce((all, hour) => all + hour.received + hour.sent + hour.automatic, 0)).toBe(messages.length)
})

test('what nobody answered is abandoned, unless a bot has solved it, or nobody had written', () => {
  const closed = service({ finishedAt: at('12:30:00') })
  const outcome = (values: Partial<TicketPast>) => facts({ services: [closed], ...values }).services[0]!.outcome
  const heard = [message('12:00:00')]
  const run = { flowId: 4, version: 2, createdAt: at('12:00:00'), endedAt: at('12:30:00'), reason: 'close' }
  expect(outcome({ messages: heard, ends: [{ at: at('12:30:00'), kind: 'expired', userId: null }] })).toBe('abandoned')
  expect(outcome({ messages: heard, ends: [{ at: at('12:30:00'), kind: 'resolved', userId: 7 }] })).toBe('abandoned')
  expect(outcome({ messages: heard, ends: [{ at: at('12:30:00'), kind: 'resolved', userId: null }] })).toBe('bot')
  expect(outcome({ messages: heard, runs: [run] })).toBe('bot')
  expect(outcome({ messages: heard, runs: [{ ...run, reason: 'queue' }] })).toBe('abandoned')
  expect(outcome({ messages: [...heard, byAgent('12:10:00')], runs: [run] })).toBe('served')
  expect(outcome({ messages: [byItself('12:10:00')] })).toBe('empty')
  expect(outcome({ messages: heard, ends: [{ at: at('12:30:00'), kind: 'merged_into', userId: 7 }] })).toBe('empty')
})

test('a flow has solved alone what no person had to answer, handed over, or gave up', () => {
  const run = { flowId: 4, version: 2, createdAt: at('12:00:00'), endedAt: at('12:30:00') }
  const end = (reason: string | null, messages: PastMessage[] = []) =>
    facts({ messages, runs: [{ ...run, reason, ...(reason === null && { endedAt: null }) }] }).services[0]!.botEnd
  expect(
    ['done', 'close', 'queue', 'agent', 'takenOver', 'silence', 'invalid', 'error', 'broken'].map((r) => end(r)),
  ).toEqual([
    ...['solved', 'solved', 'handedOver', 'handedOver', 'handedOver', 'gaveUp', 'gaveUp', 'gaveUp', 'gaveUp'],
  ] as never)
  expect(end(null)).toBe('running')
  expect(end('done', [message('12:00:00'), byAgent('12:20:00')])).toBe('handedOver')
})

test('messages are counted by the hours of the company’s clock, and by who wrote them', () => {
  const { hours } = facts({
    messages: [message('12:10:00'), message('12:59:59'), byAgent('12:20:00'), message('13:00:00')],
  })
  expect(hours.map(({ hourAt, authorId, received, sent }) => [hourAt.toISOString(), authorId, received, sent])).toEqual(
    [
      ['2026-01-15T12:00:00.000Z', 0, 2, 0],
      ['2026-01-15T12:00:00.000Z', 7, 0, 1],
      ['2026-01-15T13:00:00.000Z', 0, 1, 0],
    ],
  )
  const nepal = factsOf(past({ messages: [message('12:10:00')] }), () => ({ ...office, timeZone: 'Asia/Kathmandu' }))
  expect(nepal.hours[0]!.hourAt.toISOString()).toBe('2026-01-15T11:15:00.000Z')
})
