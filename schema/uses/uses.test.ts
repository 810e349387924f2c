import { expect, test } from 'bun:test'
import { campaignStatuses } from '../campaigns/campaigns.state.ts'
import { newData } from '../flows/flows.graph.ts'
import { blockFields, campaignWithout, MOST_NAMED, usesView, type Use, usedNouns } from './uses.ts'

test('the fields by which blocks name something are fields that those blocks have', () => {
  for (const noun of usedNouns)
    for (const { type, field } of blockFields[noun]) expect([type, field in newData(type)]).toEqual([type, true])
})

test('a campaign that is at work is never left without what it still reads; one that would begin by itself waits', () => {
  for (const status of campaignStatuses)
    for (const isPlanned of [false, true])
      for (const noun of ['contactList', 'tag', 'fileList'] as const) {
        const isWorking = status === 'EM_ANDAMENTO' || status === 'PAUSADA'
        const reads = isWorking && (noun === 'fileList' || !isPlanned)
        expect([status, noun, campaignWithout(noun, { status, isPlanned })]).toEqual([
          status,
          noun,
          reads
            ? 'campaignRefuses'
            : isWorking
              ? 'campaignGoesOn'
              : status === 'PROGRAMADA'
                ? 'campaignUnscheduled'
                : 'campaignWithout',
        ])
      }
  expect(campaignWithout('queue', { status: 'EM_ANDAMENTO', isPlanned: false })).toBe('repliesWithoutQueue')
  for (const status of campaignStatuses) {
    const isWorking = status === 'EM_ANDAMENTO' || status === 'PAUSADA'
    expect([status, campaignWithout('connection', { status, isPlanned: true })]).toEqual([
      status,
      isWorking ? 'campaignEnds' : status === 'PROGRAMADA' ? 'campaignEndsUnsent' : 'campaignWithoutConnection',
    ])
    for (const isPlanned of [false, true])
      expect([status, campaignWithout('segment', { status, isPlanned })]).toEqual([
        status,
        isWorking && isPlanned ? 'campaignGoesOn' : 'campaignWithoutPeople',
      ])
  }
})

test('who may not see a place is told that there is one, and so is who is told of many', () => {
  const flows = Array.from(
    { length: MOST_NAMED + 3 },
    (_, i): Use => ({
      ...{ kind: 'flow', id: i, name: `Fluxo ${i}`, becomes: 'flowGoesPast' },
    }),
  )
  const campaign: Use = { kind: 'campaign', id: 1, name: 'Natal', becomes: 'campaignRefuses' }
  const line: Use = { kind: 'connection', id: 1, name: 'Loja', becomes: 'withoutAssistant' }
  const all = [...flows, campaign, line]
  expect(usesView(all, () => false)).toEqual({ uses: [line], others: flows.length + 1, isRefused: true })
  const seen = usesView(all, () => true)
  expect([seen.uses.length, seen.others]).toEqual([MOST_NAMED + 2, 3])
})
