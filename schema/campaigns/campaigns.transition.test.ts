import { describe, expect, test } from 'bun:test'
import { DomainError } from '../errors.ts'
import { campaignStatuses, isAtWork, type CampaignMove, type CampaignStatus } from './campaigns.state.ts'
import type { Campaign } from './campaigns.table.ts'
import {
  campaignAfter,
  type CampaignEvent,
  campaignTransitions,
  changeCampaign,
  mayMove,
} from './campaigns.transition.ts'

const now = new Date('2026-11-28T12:00:00Z')
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
const campaign = (values: Partial<Campaign> = {}): Campaign => ({
  ...{ id: 1, companyId: 1, name: 'Natal', status: 'INATIVA', confirmation: false, weights: [1, 1, 1, 1, 1], seed: 1 },
  answersOpenTickets: false,
  ...{ message1: 'Oi', message2: null, message3: null, message4: null, message5: null },
  ...{ confirmationMessage1: null, confirmationMessage2: null, confirmationMessage3: null },
  ...{ confirmationMessage4: null, confirmationMessage5: null, whatsappId: 3, contactListId: 1, tagListId: null },
  ...{
    segmentIds: [],
    fileListId: null,
    templateId: null,
    templateValues: {},
    replyQueueId: null,
    bulkGuard: false,
    scheduledAt: null,
    startedAt: null,
  },
  ...{ completedAt: null, pauseReason: null, plannedAt: null, planCursor: null, duplicates: 0, sends: 0, userId: 1 },
  ...{ mediaPath: null, mediaName: null, mediaMime: null, mediaSize: null, createdAt: now, updatedAt: now },
  ...values,
})
/** Moves of a campaign whose texts fit. */
function fitting<M extends CampaignMove>(...moves: M[]) {
  return Object.fromEntries(moves.map((type) => [type, { type, isTooLong: false }])) as {
    [T in M]: { type: T; isTooLong: boolean }
  }
}
const events: { [T in CampaignEvent['type']]: Extract<CampaignEvent, { type: T }> } = {
  ...fitting('start', 'cancel', 'restart', 'pause', 'resume', 'retry'),
  due: { type: 'due', isTooLong: false },
  stop: { type: 'stop', reason: 'refused' },
  finish: { type: 'finish' },
  plan: { type: 'plan', duplicates: 2, cursor: null },
  send: { type: 'send', count: 1 },
  write: { type: 'write', values: { name: 'Páscoa', message1: 'Olá' } },
  file: { type: 'file', file: { mediaPath: 'a.png' } },
  lose: { type: 'lose', field: 'contactListId', isNeeded: true },
  remove: { type: 'remove' },
}
const types = Object.keys(events) as CampaignEvent['type'][]
const standing: Record<CampaignStatus, Campaign> = {
  INATIVA: campaign(),
  PROGRAMADA: campaign({ status: 'PROGRAMADA', scheduledAt: inHours(2) }),
  EM_ANDAMENTO: campaign({ status: 'EM_ANDAMENTO', startedAt: inHours(-1) }),
  PAUSADA: campaign({ status: 'PAUSADA', startedAt: inHours(-1), pauseReason: 'hand' }),
  CANCELADA: campaign({ status: 'CANCELADA', startedAt: inHours(-1) }),
  FINALIZADA: campaign({ status: 'FINALIZADA', startedAt: inHours(-1), completedAt: now }),
}
/** The status after it; `=`: the same with something changed; `-`: nothing; `state`, `running`: refused. */
const said = (row: Campaign, event: CampaignEvent) => {
  const outcome = campaignAfter(row, event, now)
  if ('refused' in outcome) return outcome.refused === 'ERR_CAMPAIGN_RUNNING' ? 'running' : 'state'
  if (Object.keys(outcome.patch).length === 0) return '-'
  return outcome.patch.status === undefined || outcome.patch.status === row.status ? '=' : outcome.patch.status
}

describe('[M9] each event in each status', () => {
  const on = 'EM_ANDAMENTO'
  const no = 'state'
  const moves = { start: no, cancel: no, restart: no, pause: no, resume: no, retry: no }
  const asleep = {
    ...moves,
    due: '-',
    stop: '-',
    finish: '-',
    plan: '-',
    send: '-',
    write: no,
    file: no,
    lose: '=',
    remove: '-',
  }
  const table: Record<CampaignStatus, Record<CampaignEvent['type'], string>> = {
    INATIVA: { ...asleep, start: on, write: '=', file: '=' },
    PROGRAMADA: { ...asleep, start: on, cancel: 'CANCELADA', due: on, write: '=', file: '=', lose: 'INATIVA' },
    EM_ANDAMENTO: {
      ...{ ...asleep, cancel: 'CANCELADA', pause: 'PAUSADA', stop: 'PAUSADA', finish: 'FINALIZADA' },
      ...{ plan: '=', send: '=', remove: 'running' },
    },
    PAUSADA: { ...asleep, cancel: 'CANCELADA', resume: on, retry: on, remove: 'running' },
    CANCELADA: { ...asleep, restart: on, retry: on, write: '=' },
    FINALIZADA: { ...asleep, retry: on },
  }
  test.each(campaignStatuses.map((status) => [status] as const))('%s', (status) => {
    expect(Object.fromEntries(types.map((type) => [type, said(standing[status], events[type])]))).toEqual(table[status])
    expect(Object.keys(campaignTransitions[status]).sort()).toEqual([...types].sort())
    expect(isAtWork(status)).toBe(table[status].remove === 'running')
    for (const move of Object.keys(moves) as CampaignMove[])
      expect(mayMove(status, move)).toBe(table[status][move] !== no)
  })
})

test('[M10, M12] what may be written follows from the status and its date; a refusal says where it stands', () => {
  const written = (row: Campaign, values: Partial<Campaign>) => campaignAfter(row, { type: 'write', values }, now)
  expect(written(standing.INATIVA, { scheduledAt: inHours(3) })).toMatchObject({ patch: { status: 'PROGRAMADA' } })
  expect(written(standing.PROGRAMADA, { scheduledAt: null })).toMatchObject({ patch: { status: 'INATIVA' } })
  expect(written(standing.INATIVA, { scheduledAt: inHours(-3) })).toEqual({ refused: 'ERR_CAMPAIGN_DATE' })
  // What begins within the hour is no longer written.
  expect(said({ ...standing.PROGRAMADA, scheduledAt: inHours(0.5) }, events.write)).toBe('state')
  expect(said({ ...standing.PROGRAMADA, scheduledAt: inHours(0.5) }, events.file)).toBe('state')
  expect(written(standing.CANCELADA, { name: 'Páscoa', message1: 'Olá', scheduledAt: inHours(3) })).toEqual<unknown>({
    patch: { message1: 'Olá', updatedAt: now },
  })
  // What was to be sent by itself is not, where what it needs is deleted; another part only goes missing.
  expect(changeCampaign(standing.PROGRAMADA, events.lose, now).campaign).toMatchObject({
    ...{ status: 'INATIVA', scheduledAt: null, contactListId: null },
  })
  const queueGone = { type: 'lose', field: 'replyQueueId', isNeeded: false } as const
  expect(changeCampaign(standing.PROGRAMADA, queueGone, now).campaign).toMatchObject({
    ...{ status: 'PROGRAMADA', scheduledAt: standing.PROGRAMADA.scheduledAt, replyQueueId: null, contactListId: 1 },
  })
  const refused = () => changeCampaign(standing.FINALIZADA, events.write, now)
  expect(refused).toThrow(new DomainError('ERR_CAMPAIGN_STATE', { status: 'FINALIZADA' }))
  expect(changeCampaign(standing.FINALIZADA, events.remove, now).decision.rows).toEqual([
    { table: 'campaigns', op: 'delete', ids: [1] },
  ])
})

test('[M15] nothing begins or goes on that would lose the end of a text; what the clock would begin is paused, and says why', () => {
  const long = { isTooLong: true }
  const of = (status: CampaignStatus, event: CampaignEvent) => campaignAfter(standing[status], event, now)
  for (const status of campaignStatuses)
    for (const type of ['start', 'restart', 'resume', 'retry'] as const)
      if (mayMove(status, type)) expect(of(status, { type, ...long })).toEqual({ refused: 'ERR_CAMPAIGN_TEXT_LONG' })
  expect(of('PROGRAMADA', { type: 'due', ...long })).toEqual<unknown>({
    patch: { status: 'PAUSADA', pauseReason: 'too_long', updatedAt: now },
  })
  // It is in nobody's way to stop.
  expect(said(standing.EM_ANDAMENTO, { type: 'cancel', ...long })).toBe('CANCELADA')
  expect(said(standing.EM_ANDAMENTO, { type: 'pause', ...long })).toBe('PAUSADA')
})

test('[M11] a campaign that goes on forgets why it stood and keeps when it began; what stops one says why', () => {
  const after = (row: Campaign, event: CampaignEvent) => changeCampaign(row, event, now).campaign
  expect(after(standing.PAUSADA, events.resume)).toMatchObject({ pauseReason: null, startedAt: inHours(-1) })
  expect(after(standing.FINALIZADA, events.retry)).toMatchObject({ completedAt: null, startedAt: inHours(-1) })
  expect(after(standing.INATIVA, events.start)).toMatchObject({ startedAt: now })
  expect(after(standing.EM_ANDAMENTO, events.stop)).toMatchObject({ status: 'PAUSADA', pauseReason: 'refused' })
  for (const status of campaignStatuses.filter((one) => one !== 'EM_ANDAMENTO'))
    for (const type of ['stop', 'finish', 'plan', 'send'] as const)
      expect(after(standing[status], events[type])).toEqual(standing[status])
  // Planned once, and counted from then on.
  const planned = after(standing.EM_ANDAMENTO, events.plan)
  expect(planned).toMatchObject({ plannedAt: now, duplicates: 2 })
  expect(after(planned, events.plan)).toEqual(planned)
})
