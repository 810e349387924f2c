import { describe, expect, test } from 'bun:test'
import type { Calendar } from '../hours/hours.spans.ts'
import type { ScheduleEntry, Weekday } from '../hours/hours.open.ts'
import { seeds } from '../../tests/support/dose.ts'
import { dueAts, fits } from './sla.clock.ts'
import { policy, said, Story } from './sla.fixture.ts'
import { conversation } from './sla.oracle.fixture.ts'
import type { SlaPolicy } from './sla-policies.table.ts'

const zone = 'America/Sao_Paulo'
/** By the clock in São Paulo; the 12th is a Monday, and the 15th a Thursday. */
const at = (text: string) => new Date(`2026-01-${text}-03:00`)
const day = (weekdayEn: Weekday, startTime: string, endTime: string): ScheduleEntry => ({
  ...{ weekday: '', weekdayEn, startTime, endTime },
})
const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const
/** Edge minutes are open: these end a minute before the hour, so that figures are round. */
const office: Calendar = {
  schedules: [
    ...workdays.flatMap((one) => [day(one, '08:00', '11:59'), day(one, '13:00', '17:59')]),
    day('saturday', '09:00', '11:59'),
    day('sunday', '00:00', '00:00'),
  ],
  holidays: [{ date: '2026-01-20', name: 'Padroeiro' }],
  timeZone: zone,
}
const inOffice = (values: Partial<SlaPolicy>) => new Story([policy(values)], { company: office })
const always = (values: Partial<SlaPolicy>) => new Story([policy({ calendar: '24x7', ...values })])
const minutes = (ms: number | null) => (ms === null ? null : ms / 60_000)

describe('[K7] when a promise is due', () => {
  const cases: [name: string, start: string, minutes: number, due: string][] = [
    ['within the morning', '15T09:00:00', 60, '15T10:00:00'],
    ['to the second', '15T09:00:17', 60, '15T10:00:17'],
    ['over lunch', '15T11:30:00', 60, '15T13:30:00'],
    ['begun in the lunch hour', '15T12:20:00', 30, '15T13:30:00'],
    ['to the last second of the morning', '15T11:00:00', 60, '15T12:00:00'],
    ['over night', '15T17:30:00', 60, '16T08:30:00'],
    ['begun before it opens', '15T05:00:00', 15, '15T08:15:00'],
    ['begun after it closed', '15T23:00:00', 15, '16T08:15:00'],
    ['over a Saturday', '16T17:30:00', 60, '17T09:30:00'],
    ['over a Sunday', '17T11:30:00', 60, '19T08:30:00'],
    ['over a holiday', '19T17:30:00', 60, '21T08:30:00'],
    ['begun on a holiday', '20T10:00:00', 60, '21T09:00:00'],
    ['a day of nine hours', '15T08:00:00', 540, '15T18:00:00'],
    ['a week of forty-eight hours', '12T08:00:00', 2_880, '17T12:00:00'],
    ['a minute', '15T17:59:30', 1, '16T08:00:30'],
  ]
  test.each(cases)('%s', (_name, start, length, due) => {
    expect(dueAts(policy({ firstAnswer: length }), office, at(start)).firstAnswer).toEqual(at(due))
  })

  test('over clocks that go forward, by hours that are open all night', () => {
    const night = { ...office, timeZone: 'America/New_York', schedules: [], holidays: [] }
    const start = new Date('2026-03-07T23:00:00-05:00')
    expect(dueAts(policy({ firstAnswer: 240 }), night, start).firstAnswer).toEqual(
      new Date('2026-03-08T04:00:00-04:00'),
    )
  })

  test('over clocks that go back, when an hour comes twice', () => {
    const sunday = [
      ...(['saturday', ...workdays] as const).map((one) => day(one, '00:00', '00:00')),
      day('sunday', '00:00', '05:59'),
    ]
    const early = { ...office, timeZone: 'America/New_York', schedules: sunday, holidays: [] }
    const start = new Date('2026-11-01T00:00:00-04:00')
    // Seven hours are open on that Sunday.
    expect(dueAts(policy({ firstAnswer: 420 }), early, start).firstAnswer).toEqual(
      new Date('2026-11-01T06:00:00-05:00'),
    )
  })

  test('by no hours but the clock', () => {
    expect(dueAts(policy({ resolution: 43_200 }), null, at('01T00:00:00')).resolution).toEqual(at('31T00:00:00'))
  })
})

describe('which policy counts', () => {
  test('[K1] the first that fits by queue, tag and field; a group has none', () => {
    const vip = policy({ id: 1, queueIds: [3], tagIds: [8, 9], contactField: { name: 'Plano', value: 'ouro' } })
    const fields = [{ name: 'plano ', value: 'OURO' }]
    const contactFields = {}
    expect(fits(vip, { queueId: 3, tagIds: [9], fields, contactFields })).toBe(true)
    for (const other of [{ queueId: null }, { queueId: 4 }, { tagIds: [7] }, { fields: [] }])
      expect(fits(vip, { queueId: 3, tagIds: [9], fields, contactFields, ...other })).toBe(false)
    const story = new Story([
      { ...vip, active: false },
      policy({ id: 2, queueIds: [3], firstAnswer: 10 }),
      policy({ id: 3, firstAnswer: 5 }),
    ])
    expect(story.contact(at('15T09:00:00'), { queueId: 3, tagIds: [9], fields }).of('firstAnswer')).toMatchObject([
      { policyId: 2 },
    ])
    const group = always({ firstAnswer: 5, resolution: 5 }).contact(at('15T09:00:00'), { isGroup: true })
    expect([group.clocks.size, group.next]).toEqual([0, { nextDueAt: null, nextDueMetric: null, nextRiskAt: null }])
  })

  test('[K1] by a field of the company’s own that the contact has filled in', () => {
    const big = policy({ contactField: { id: 4, op: 'range', from: 1_000 } })
    const of = (contactFields: Record<string, number | null>) =>
      fits(big, { queueId: null, tagIds: [], fields: [], contactFields })
    expect([of({ 4: 1_000 }), of({ 4: 999 }), of({ 4: null }), of({})]).toEqual([true, false, false, false])
  })

  test('[K9] another queue has another promise, counted from where it began', () => {
    const story = new Story([
      policy({ id: 1, queueIds: [3], calendar: '24x7', firstAnswer: 10, resolution: 100 }),
      policy({ id: 2, calendar: '24x7', firstAnswer: 60 }),
    ])
    story.contact(at('15T09:00:00'))
    expect(story.next).toMatchObject({ nextDueAt: at('15T10:00:00') })
    story.happen(at('15T09:05:00'), { queueId: 3 }, { recount: true })
    expect(story.of('firstAnswer')).toMatchObject([
      { policyId: 2 - 1, startedAt: at('15T09:00:00'), dueAt: at('15T09:10:00') },
    ])
    expect(story.of('resolution')).toMatchObject([{ dueAt: at('15T10:40:00') }])
    // And back: what the other policy does not promise is in neither count.
    story.happen(at('15T09:06:00'), { queueId: null }, { recount: true })
    expect(story.of('resolution')).toMatchObject([{ endedAt: at('15T09:06:00'), metAt: null, breachedAt: null }])
    expect(story.next).toMatchObject({ nextDueAt: at('15T10:00:00'), nextDueMetric: 'firstAnswer' })
  })

  test('[K9] a tag is taken off and put on', () => {
    const story = new Story([policy({ tagIds: [5], calendar: '24x7', firstAnswer: 10 })])
    story.contact(at('15T09:00:00'))
    expect(story.clocks.size).toBe(0)
    story.happen(at('15T09:03:00'), { tagIds: [5] })
    expect(story.next).toMatchObject({ nextDueAt: at('15T09:10:00') })
    story.happen(at('15T09:04:00'), { tagIds: [] })
    expect(story.next).toMatchObject({ nextDueAt: null })
    story.happen(at('15T09:05:00'), { tagIds: [5] })
    expect(story.of('firstAnswer').at(-1)).toMatchObject({ startedAt: at('15T09:00:00'), dueAt: at('15T09:10:00') })
  })

  test('[K9] the hours of the new queue count', () => {
    const evening = { ...office, schedules: workdays.map((one) => day(one, '18:00', '21:59')) }
    const story = new Story([policy({ calendar: 'queue', firstAnswer: 60 })], {
      company: office,
      queues: { 4: evening },
    })
    story.contact(at('15T17:00:00'))
    expect(story.next).toMatchObject({ nextDueAt: at('15T18:00:00') })
    story.happen(at('15T17:10:00'), { queueId: 4 }, { recount: true })
    expect(story.next).toMatchObject({ nextDueAt: at('15T19:00:00') })
  })

  test('[K15] what the next policy calls a later answer goes on as one', () => {
    const story = new Story([
      policy({ id: 1, tagIds: [5], calendar: '24x7', nextAnswer: 30 }),
      policy({ id: 2, calendar: '24x7', firstAnswer: 10 }),
    ])
    story.contact(at('15T09:00:00')).happen(at('15T09:01:00'), { tagIds: [5] })
    expect(story.of('firstAnswer')).toMatchObject([{ endedAt: at('15T09:01:00'), metAt: null }])
    expect(story.of('nextAnswer')).toMatchObject([{ dueAt: at('15T09:30:00'), endedAt: null }])
  })
})

describe('answers', () => {
  test('[K2] the first is counted from the first message, and is met by a person', () => {
    const story = always({ firstAnswer: 10 })
      .contact(at('15T09:00:00'))
      .contact(at('15T09:04:00'))
      .person(at('15T09:09:00'))
    expect(story.of('firstAnswer')).toMatchObject([
      { startedAt: at('15T09:00:00'), metAt: at('15T09:09:00'), breachedAt: null, tookMs: 9 * 60_000 },
    ])
    expect(story.told).toEqual([])
  })

  test('[K2] none is waited for where a person began', () => {
    const story = always({ firstAnswer: 10, nextAnswer: 20 }).person(at('15T09:00:00')).contact(at('15T09:05:00'))
    expect(story.of('firstAnswer')).toEqual([])
    expect(story.of('nextAnswer')).toMatchObject([{ startedAt: at('15T09:05:00'), dueAt: at('15T09:25:00') }])
  })

  test('[K3] a later one is counted from the first message that is not answered', () => {
    const story = always({ firstAnswer: 10, nextAnswer: 20 })
    story.contact(at('15T09:00:00')).person(at('15T09:01:00'))
    expect(story.next).toMatchObject({ nextDueAt: null })
    story.contact(at('15T10:00:00')).contact(at('15T10:15:00'))
    expect(story.next).toMatchObject({ nextDueAt: at('15T10:20:00'), nextDueMetric: 'nextAnswer' })
    story.person(at('15T10:19:00')).contact(at('15T11:00:00'))
    expect(story.of('nextAnswer').map(({ metAt, tookMs }) => [metAt, minutes(tookMs)])).toEqual([
      [at('15T10:19:00'), 19],
      [null, null],
    ])
  })

  test('[K3] without a promise of the first, the first counts as any', () => {
    expect(always({ nextAnswer: 20 }).contact(at('15T09:00:00')).next).toMatchObject({
      ...{ nextDueMetric: 'nextAnswer', nextDueAt: at('15T09:20:00') },
    })
  })

  test('[K4] what nobody has said is none: a bot leaves the clock as it is', () => {
    const story = always({ firstAnswer: 10 }).contact(at('15T09:00:00')).happen(at('15T09:01:00'))
    expect(story.next).toMatchObject({ nextDueAt: at('15T09:10:00') })
  })

  test('[K13] one that comes late is broken at its moment, though nobody looked then', () => {
    const story = always({ firstAnswer: 10 }).contact(at('15T09:00:00')).person(at('15T09:30:00'))
    expect(story.of('firstAnswer')).toMatchObject([
      { breachedAt: at('15T09:10:00'), metAt: at('15T09:30:00'), warnedAt: null },
    ])
    expect(story.told).toEqual(['breach firstAnswer'])
  })

  test('[K13] at the very moment it is in time', () => {
    expect(always({ firstAnswer: 10 }).contact(at('15T09:00:00')).person(at('15T09:10:00')).told).toEqual([])
  })

  test('[K13] what the phone tells late was said when it was said', () => {
    const story = always({ firstAnswer: 10 }).contact(at('15T09:00:00'))
    story.happen(at('15T09:30:00'), { status: 'open' }, said('person', at('15T09:08:00')))
    expect([story.told, story.of('firstAnswer')[0]!.metAt]).toEqual([[], at('15T09:08:00')])
  })

  test('[K15] a ticket that is closed unanswered ends the clock in neither count', () => {
    const story = always({ firstAnswer: 10 }).contact(at('15T09:00:00')).close(at('15T09:05:00'))
    expect(story.of('firstAnswer')).toMatchObject([{ metAt: null, breachedAt: null, endedAt: at('15T09:05:00') }])
  })
})

describe('the end', () => {
  test('[K5] is counted from the beginning to the resolution', () => {
    const story = inOffice({ resolution: 120 }).contact(at('15T11:30:00')).close(at('15T14:00:00'))
    expect(story.of('resolution').map(({ metAt, tookMs, breachedAt }) => [metAt, minutes(tookMs), breachedAt])).toEqual(
      [[at('15T14:00:00'), 90, null]],
    )
  })

  test('[K6] stands still while the last word is a person’s', () => {
    const story = inOffice({ resolution: 120 }).contact(at('15T09:00:00')).person(at('15T09:30:00'))
    expect(story.next).toMatchObject({ nextDueAt: null })
    story.contact(at('15T16:00:00'))
    expect(story.next).toMatchObject({ nextDueAt: at('15T17:30:00') })
    expect(minutes(story.of('resolution')[0]!.pausedMs)).toBe(390)
    story.close(at('15T16:10:00'))
    expect(story.of('resolution').map(({ tookMs }) => minutes(tookMs))).toEqual([40])
  })

  test('[K6] a second word of ours changes nothing', () => {
    const story = always({ resolution: 60 })
      .contact(at('15T09:00:00'))
      .person(at('15T09:10:00'))
      .person(at('15T09:20:00'))
    story.contact(at('15T10:00:00'))
    expect(story.next).toMatchObject({ nextDueAt: at('15T10:50:00') })
  })

  test('[K6] stands still while the ticket lies aside, and goes on when it wakes', () => {
    const story = always({ resolution: 60, firstAnswer: 90 }).contact(at('15T09:00:00'))
    story.happen(at('15T09:10:00'), { snoozedUntil: at('16T09:00:00') })
    expect(story.next).toMatchObject({ nextDueMetric: 'firstAnswer' })
    story.happen(at('16T09:00:00'), { snoozedUntil: null })
    expect(story.of('resolution')[0]).toMatchObject({ dueAt: at('16T09:50:00') })
  })

  test('[K6] a message that does not wake it leaves it standing, and one that does sets it going', () => {
    const story = always({ resolution: 60 }).contact(at('15T09:00:00')).person(at('15T09:10:00'))
    story.happen(at('15T09:11:00'), { snoozedUntil: at('16T09:00:00') }).contact(at('15T09:20:00'))
    expect(story.next).toMatchObject({ nextDueAt: null })
    story.contact(at('15T10:00:00'), { snoozedUntil: null })
    expect(story.next).toMatchObject({ nextDueAt: at('15T10:50:00') })
  })

  test('[K8] who writes again begins a service with clocks of its own', () => {
    const story = always({ resolution: 60, firstAnswer: 10 }).contact(at('15T09:00:00')).person(at('15T09:05:00'))
    story.close(at('15T09:06:00')).contact(at('15T15:00:00'))
    expect(story.of('resolution').map(({ startedAt }) => startedAt)).toEqual([at('15T09:00:00'), at('15T15:00:00')])
    expect(story.of('firstAnswer')[1]).toMatchObject({ dueAt: at('15T15:10:00'), metAt: null })
  })

  test('[K8] an agent who opens it again is waited for by nobody', () => {
    const story = always({ resolution: 60, firstAnswer: 10 }).contact(at('15T09:00:00')).close(at('15T09:06:00'))
    story.happen(at('15T15:00:00'), { status: 'open' })
    expect([story.of('firstAnswer').length, story.next]).toMatchObject([1, { nextDueAt: at('15T16:00:00') }])
  })

  test('[K8] an end that is taken back has not been', () => {
    const story = always({ resolution: 60, nextAnswer: 10 }).contact(at('15T09:00:00'))
    const before = story.next
    story.close(at('15T09:05:00')).happen(at('15T09:05:08'), { status: 'pending' }, { isResumed: true })
    expect(story.next).toEqual(before!)
    expect(story.clocks.size).toBe(2)
    // What was answered as it was closed stays answered.
    story.happen(at('15T09:07:00'), { status: 'closed' }, said('person', at('15T09:07:00')))
    story.happen(at('15T09:07:05'), { status: 'open' }, { isResumed: true })
    expect([story.of('nextAnswer').map(({ metAt }) => metAt), story.next]).toMatchObject([
      [at('15T09:07:00')],
      { nextDueAt: null },
    ])
  })
})

describe('what is told', () => {
  test('[K12] a warning at its share of the time, and the breach, once each', () => {
    const story = always({ firstAnswer: 10, warnAt: 80 }).contact(at('15T09:00:00'))
    for (const time of ['15T09:07:59', '15T09:08:00', '15T09:08:01', '15T09:09:59']) story.tell(at(time))
    expect(story.told).toEqual(['warning firstAnswer'])
    for (const time of ['15T09:10:00', '15T09:10:01', '16T09:10:01']) story.tell(at(time))
    story.person(at('16T09:11:00'))
    expect(story.told).toEqual(['warning firstAnswer', 'breach firstAnswer'])
  })

  test('[K12] of what is broken already nobody is warned', () => {
    const story = always({ firstAnswer: 10 }).contact(at('15T09:00:00')).tell(at('15T11:00:00')).tell(at('15T11:00:01'))
    expect(story.told).toEqual(['breach firstAnswer'])
    expect(story.of('firstAnswer')[0]).toMatchObject({ breachedAt: at('15T09:10:00'), nextAt: null })
  })

  test('[K12] neither another policy nor other hours tell it again', () => {
    const story = new Story([
      policy({ id: 1, tagIds: [5], calendar: '24x7', firstAnswer: 600 }),
      policy({ id: 2, calendar: '24x7', firstAnswer: 10 }),
    ])
    story.contact(at('15T09:00:00')).tell(at('15T09:08:00')).tell(at('15T09:10:00'))
    story
      .happen(at('15T09:11:00'), { tagIds: [5] })
      .tell(at('15T09:12:00'))
      .happen(at('15T09:13:00'), { tagIds: [] })
      .tell(at('15T20:00:00'))
    expect(story.told).toEqual(['warning firstAnswer', 'breach firstAnswer'])
  })

  test('[K14] the ticket shows what is nearest, and from when it is at risk', () => {
    const story = always({ firstAnswer: 100, resolution: 50, warnAt: 50 }).contact(at('15T09:00:00'))
    expect(story.next).toEqual({
      nextDueAt: at('15T09:50:00'),
      nextDueMetric: 'resolution',
      nextRiskAt: at('15T09:25:00'),
    })
  })
})

describe('[K10] changed hours', () => {
  test('are counted from where a clock goes', () => {
    const story = inOffice({ firstAnswer: 60 }).contact(at('15T17:30:00'))
    expect(story.next).toMatchObject({ nextDueAt: at('16T08:30:00') })
    story.calendars.company = { ...office, schedules: [...office.schedules, day('thursday', '18:00', '19:59')] }
    story.happen(at('15T17:40:00'), {}, { recount: true })
    expect(story.next).toMatchObject({ nextDueAt: at('15T18:30:00') })
  })

  test('what had gone before it stood still stays as it was counted', () => {
    const story = inOffice({ resolution: 120 }).contact(at('15T11:00:00')).person(at('15T13:00:00'))
    story.calendars.company = { ...office, schedules: [] }
    story.happen(at('15T13:10:00'), {}, { recount: true }).contact(at('15T14:00:00'))
    expect(story.next).toMatchObject({ nextDueAt: at('15T15:00:00') })
  })

  test('a policy that is switched off ends its clocks in neither count', () => {
    const story = always({ firstAnswer: 60 }).contact(at('15T09:00:00'))
    story.policies = []
    story.happen(at('15T09:10:00'), {}, { recount: true })
    expect([story.next, story.of('firstAnswer')]).toMatchObject([
      { nextDueAt: null },
      [{ metAt: null, endedAt: at('15T09:10:00') }],
    ])
  })
})

test('[K11] on a ticket that is there already nobody promised anything before', () => {
  const story = always({ firstAnswer: 60, resolution: 60 })
  story.ticket.status = 'pending'
  const since = at('15T09:00:00')
  story.state = {
    ...{ ticketId: 7, companyId: 1, policyId: null, serviceAt: at('10T09:00:00'), answeredAt: null },
    ...{ waitingSince: at('10T09:00:00'), isHeld: false },
  }
  story.happen(since, {}, { recount: true, noEarlierThan: since })
  expect(story.of('firstAnswer')).toMatchObject([{ startedAt: since, dueAt: at('15T10:00:00') }])
  expect(story.of('resolution')).toMatchObject([{ startedAt: since, dueAt: at('15T10:00:00') }])
})

test('equals what is counted minute by minute, in any conversation by any hours', () => {
  for (const seed of seeds(25, 2_500)) {
    const { rule, oracle } = conversation(seed)
    expect([seed, rule]).toEqual([seed, oracle])
  }
}, 600_000)
