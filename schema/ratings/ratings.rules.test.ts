import { expect, test } from 'bun:test'
import { before, minutes, now } from '../example-facts.fixture.ts'
import { asksForRating, type EndedService, rateOf, ratingRequest } from './ratings.rules.ts'

test('[G1] a contact is asked once for each service, where the company wishes it and an agent served; a group never', () => {
  const asks = (service: Partial<EndedService> = {}) =>
    asksForRating({ userRating: 'enabled', isGroup: false, userId: 7, startedAt: now, ratingAt: null, ...service })
  expect(asks()).toBe(true)
  expect(asks({ userRating: 'disabled' })).toBe(false)
  expect(asks({ isGroup: true })).toBe(false)
  expect(asks({ userId: null })).toBe(false)
  expect(asks({ startedAt: null })).toBe(false)
  expect(asks({ ratingAt: now })).toBe(false)
})

test('[G2] a rate is 1, 2 or 3 alone, within five minutes of the question, and once', () => {
  const asked = { ratingAt: before(minutes(5)), rated: false }
  expect(['1', ' 2\n', '3', '0', '4', '12', 'nota 2', '2!', ''].map((text) => rateOf(text, asked, now))).toEqual([
    1,
    2,
    3,
    null,
    null,
    null,
    null,
    null,
    null,
  ])
  expect(rateOf(null, asked, now)).toBeNull()
  expect(rateOf('2', { ...asked, ratingAt: before(minutes(5) + 1) }, now)).toBeNull()
  expect(rateOf('2', { ...asked, rated: true }, now)).toBeNull()
  expect(rateOf('2', { ratingAt: null, rated: false }, now)).toBeNull()
  expect(rateOf('2', undefined, now)).toBeNull()
})

test('the question says how to answer, after the connection’s own words', () => {
  expect(ratingRequest('Obrigado!', 'pt')).toStartWith('Obrigado!\n\nAvalie')
  expect(ratingRequest('  ', 'en')).toStartWith('Please rate')
})
