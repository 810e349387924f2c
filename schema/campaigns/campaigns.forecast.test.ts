import { describe, expect, test } from 'bun:test'
import { forecast, type ForecastFacts } from './campaigns.forecast.ts'
import { standardHours } from './campaigns.hours.ts'
import { fill, isTooLong, missingIn } from './campaigns.message.ts'
import { standardPace } from './campaigns.pace.ts'

const guard = {
  ...{
    hours: standardHours,
    dailyCap: 1_000,
    newChatCap: null,
    warmupStep: 0,
    warmupDay: null,
    sentToday: 0,
    newToday: 0,
  },
} satisfies ForecastFacts['guard']
const planOf = (values: Partial<ForecastFacts> = {}, guarded: Partial<NonNullable<ForecastFacts['guard']>> = {}) =>
  forecast({
    ...{ people: 100, newChats: 0, pace: standardPace, seed: 3, sends: 0, start: new Date('2026-01-15T15:00:00Z') },
    ...{ timeZone: 'America/Sao_Paulo', guard: { ...guard, ...guarded }, ...values },
  })

/** Of the processor, so that a busy machine does not count. The best of three: the first compiles. */
const leastMs = (work: () => unknown) =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage()
      work()
      return process.cpuUsage(before).user / 1_000
    }),
  )

describe('when a campaign would end', () => {
  test('settings that let nothing leave are named, and end the search', () => {
    expect(planOf({ newChats: 100 }, { newChatCap: 0 })).toMatchObject({ endsAt: null, never: 'new_chats', days: [] })
    expect(planOf({}, { dailyCap: 0 })).toMatchObject({ endsAt: null, never: 'daily_cap', days: [] })
    expect(planOf({}, { hours: { periods: {}, holidays: [] } })).toMatchObject({ endsAt: null, never: 'hours' })
    expect(planOf({ people: 20_000 }, { dailyCap: 1 })).toMatchObject({ endsAt: null, never: 'too_long' })
  })
  test('who has written before is served also where no new chat may begin', () => {
    const { days, never } = planOf({ people: 10, newChats: 4 }, { newChatCap: 0 })
    expect([days[0]!.n, never]).toEqual([6, 'new_chats'])
  })
  test('what is full for today goes on tomorrow', () => {
    const { days, endsAt, never } = planOf({ people: 25 }, { dailyCap: 10 })
    expect(days.map(({ day, n }) => [day, n])).toEqual([
      ['2026-01-15', 10],
      ['2026-01-16', 10],
      ['2026-01-17', 5],
    ])
    expect([endsAt?.slice(0, 10), never]).toEqual(['2026-01-17', null])
  })
  test('200 settings at their limits, by chance: none takes 100 ms', () => {
    let seed = 7
    const roll = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const one = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)]!
    const short = { from: '10:00', to: '10:01' }
    const hours = [
      standardHours,
      { periods: {}, holidays: [] },
      { periods: { sunday: [short] }, holidays: [] },
      { periods: { monday: [short], friday: [{ from: '23:59', to: '00:01' }] }, holidays: [] },
    ]
    for (let n = 0; n < 200; n++) {
      const people = one([0, 1, 40_000])
      const facts: Partial<ForecastFacts> = {
        ...{ people, newChats: one([0, people, 20_000]), seed: n },
        pace: one([standardPace, { messageInterval: 0, longerIntervalAfter: 0, greaterInterval: 0 }]),
        timeZone: one(['America/Sao_Paulo', 'Asia/Kathmandu', 'Europe/Lisbon']),
      }
      const caps = { dailyCap: one([0, 1, 100_000]), newChatCap: one([0, 1, null]), hours: one(hours) }
      expect([n, leastMs(() => planOf(facts, caps)) < 100]).toEqual([n, true])
    }
  }, 60_000)
})

describe('the texts of a campaign', () => {
  const person = { name: 'Ana', number: '5511987654321', email: '' }
  const variables = [
    { key: 'Loja', value: 'x'.repeat(500) },
    { key: 'vazia', value: ' ' },
  ]
  test('what is missing is known without filling anything in, and is what filling finds', () => {
    for (const text of [
      '{nome} {email} {loja}',
      '{vazia} {nada} {Email}',
      'Oi',
      '{numero}{constructor}',
      '{{nome}} {{ LOJA }} {{firstName}} {{nada}}',
    ])
      expect(missingIn(text, variables)(person)).toSatisfy(
        (names: string[]) => names.toSorted().join() === fill(text, person, variables).missing.toSorted().join(),
      )
  })
  test('double braces are filled as single ones are, in the spellings of other texts too', () => {
    for (const text of ['Olá {nome}!', 'Olá {{nome}}!', 'Olá {{ Nome }}!', 'Olá {{name}}!', 'Olá {{firstName}}!'])
      expect(fill(text, person, [])).toEqual({ body: 'Olá Ana!', missing: [] })
    expect(fill('{{apelido}} {{name}}', person, [{ key: 'Name', value: 'Centro' }])).toEqual({
      body: ' Centro',
      missing: ['apelido'],
    })
  })
  test('nobody is addressed by a number: it counts as no name', () => {
    for (const name of ['5511970606845', '+55 (11) 97060-6845']) {
      const nameless = { ...person, name }
      expect(fill('Olá {{nome}}!', nameless, [])).toEqual({ body: 'Olá !', missing: ['nome'] })
      expect(missingIn('Olá {firstName}!', [])(nameless)).toEqual(['firstName'])
    }
  })
  test('no more is built than a message holds', () => {
    const text = '{l}'.repeat(1_333)
    const { body } = fill(text, person, [{ key: 'l', value: 'x'.repeat(500) }])
    expect(body.length).toBe(65_500)
    // It is told before anything starts.
    expect(isTooLong(text, [{ key: 'l', value: 'x'.repeat(500) }])).toBe(true)
    expect(isTooLong('{nome} {l}'.repeat(100), [{ key: 'l', value: 'x'.repeat(500) }])).toBe(false)
    const missing = missingIn(text, [{ key: 'l', value: 'x'.repeat(500) }])
    expect(leastMs(() => Array.from({ length: 20_000 }, () => missing(person)))).toBeLessThan(100)
  })
})
