import { expect, test } from 'bun:test'
import { daysOfRange } from '../../schema/reports/reports.range.ts'
import { askedOf, queryOf, reportSearch } from './reports.search.ts'

test('an address says which report, of what, and which figure is open', () => {
  const search = { report: 'queues', range: 'last7', queueIds: [1, 0], figure: 'opened', row: 3 }
  expect(reportSearch(search)).toEqual({
    ...{ report: 'queues', range: 'last7', queueIds: [1, 0], figure: 'opened', row: '3' },
  } as never)
  expect(askedOf(queryOf(reportSearch(search)), '2026-03-02')).toEqual({
    ...{ from: '2026-02-24', to: '2026-03-02', queueIds: '[1,0]' },
  })
})

test('what is no report, no period and no figure of the report is left out', () => {
  expect(reportSearch({ report: 'none', range: 'ever', figure: 'x', queueIds: 'all' })).toEqual({
    ...{ report: 'agents', range: 'last30' },
  } as never)
  // A figure of another report.
  expect(reportSearch({ report: 'agents', range: 'last30', figure: 'met' })).not.toHaveProperty('figure')
})

test('periods are whole days of the company’s calendar', () => {
  const days = (range: 'today' | 'last7' | 'last30' | 'month' | 'lastMonth') =>
    Object.values(daysOfRange({ range }, '2026-03-01'))
  expect(days('today')).toEqual(['2026-03-01', '2026-03-01'])
  expect(days('last7')).toEqual(['2026-02-23', '2026-03-01'])
  expect(days('month')).toEqual(['2026-03-01', '2026-03-01'])
  expect(days('lastMonth')).toEqual(['2026-02-01', '2026-02-28'])
})
