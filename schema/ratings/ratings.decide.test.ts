import { expect, test } from 'bun:test'
import type { Decision } from '../command.ts'
import { now, ticket } from '../example-facts.fixture.ts'
import { type EndFacts, endService, keepRate, type LastWords } from './ratings.decide.ts'

const last: LastWords = {
  completionMessage: 'Até logo',
  ratingMessage: 'Como foi?',
  words: (text) => text,
  language: 'pt',
  goodbye: { id: 'goodbye', isSaid: false },
}
const closed = ticket({ status: 'closed', userId: 7 })
const service = {
  id: 9,
  companyId: 1,
  ticketId: 5,
  userId: 7,
  whatsappId: 2,
  queuedAt: now,
  startedAt: now,
  finishedAt: now,
  ratingAt: null,
  rated: false,
  createdAt: now,
  updatedAt: now,
} as unknown as NonNullable<EndFacts['service']>
const end = (facts: Partial<EndFacts> = {}) =>
  endService(
    { ...last, ticket: closed, service, userRating: 'enabled', question: { id: 'question', isSaid: false }, ...facts },
    now,
  )
const said = ({ rows }: Decision) =>
  rows.flatMap((row) => (row.table === 'messages' && row.op === 'insert' ? [String(row.values.body)] : []))

test('[G3] at the end of a service the contact is asked, or hears the farewell, once', () => {
  expect(said(end())).toEqual([expect.stringContaining('Como foi?')])
  expect(end().tracking).toEqual([{ trackingId: 9, change: { ratingAt: now } }])
  expect(said(end({ userRating: 'disabled' }))).toEqual([expect.stringContaining('Até logo')])
  expect(said(end({ userRating: 'disabled', completionMessage: ' ' }))).toEqual([])
  expect(said(end({ service: { ...service, ratingAt: now } }))).toEqual([])
})

test('[G3] a rate is kept with the agent who closed, and the farewell follows it', () => {
  const decision = keepRate(closed, { rate: 2, trackingId: 9, userId: 7 }, last, now)
  expect(decision.ratings).toMatchObject([{ ticketId: 5, trackingId: 9, userId: 7, rate: 2 }])
  expect(decision.tracking).toEqual([{ trackingId: 9, change: { rated: true } }])
  expect(said(decision)).toEqual([expect.stringContaining('Até logo')])
  expect(decision.rows.some((row) => row.table === 'tickets' && 'values' in row && 'status' in row.values)).toBe(false)
})

test('[G4] last words that no message would hold are not said in part: a note in the ticket tells so, once', () => {
  const notes = ({ rows }: Decision) => rows.filter(({ table }) => table === 'ticketNotes').length
  const goodbye = (facts: Partial<EndFacts> = {}) => end({ userRating: 'disabled', words: () => null, ...facts })
  expect([said(goodbye()), notes(goodbye())]).toEqual([[], 1])
  expect(notes(goodbye({ goodbye: { id: 'goodbye', isSaid: true } }))).toBe(0)
  // The scale that the product adds counts.
  const question = end({ words: () => 'x'.repeat(65_500) })
  expect([said(question), notes(question)]).toEqual([[], 1])
})
