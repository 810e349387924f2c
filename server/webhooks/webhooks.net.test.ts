import { afterAll, beforeAll, expect, test } from 'bun:test'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import type { ServerDecision } from '../../schema/command.ts'
import { seeded } from '../../schema/hours/hours.fixture.ts'
import { newId } from '../../schema/ids.ts'
import { ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { causes } from '../../schema/webhooks/webhooks.causes.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { spreadNet } from '../../tests/support/webhook-net.ts'
import { applyDecision } from '../commands/apply.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

type Row = ServerDecision['rows'][number]
type Values = Record<string, unknown>

test('what decisions say is what triggers would catch: nothing is lost, nothing told twice, also of two that meet', async () => {
  const { db } = t.database
  const { id: companyId } = await t.eg.company()
  const [people, queueIds] = [
    [await t.eg.user(companyId), await t.eg.user(companyId)].map(({ id }) => id),
    [await t.eg.queue(companyId), await t.eg.queue(companyId)].map(({ id }) => id),
  ]
  const contacts = [await t.eg.contact(companyId), await t.eg.contact(companyId), await t.eg.contact(companyId)]
  const whatsapp = await t.eg.whatsapp(companyId)
  const [own] = await db
    .insert(campaigns)
    .values({ companyId, name: 'Natal', seed: 1, whatsappId: whatsapp.id })
    .returning()
  const ticketIds: number[] = []
  const messageIds: string[] = []
  for (const { id: contactId } of contacts) {
    const { id: ticketId } = await t.eg.ticket(companyId, { contactId, whatsappId: whatsapp.id })
    ticketIds.push(ticketId)
    for (const fromMe of [true, false])
      messageIds.push((await t.eg.message(companyId, { ticketId, contactId, fromMe, mediaState: 'pending' })).id)
  }
  const [tracking] = await db.select().from(ticketTrackings)
  const net = await spreadNet(t.database)

  const number = seeded(20_261_130)
  const chance = (below: number) => Math.floor(number() * below)
  const one = <T>(list: readonly T[]): T => list[chance(list.length)]!
  const some = <T>(list: readonly T[]): T[] => list.filter(() => chance(2) === 0)
  const values = (pools: Record<string, readonly unknown[]>): Values =>
    Object.fromEntries(some(Object.entries(pools)).map(([column, pool]) => [column, one(pool)]))
  const ofTicket = () =>
    values({
      status: ['open', 'pending', 'closed'],
      queueId: [null, ...queueIds],
      userId: [null, ...people],
      tagIds: [[], [1], [1, 2], [2, 1]],
      fields: [{ '1': 'a' }, { '1': null, '2': 3 }, { '2': [1, 2] }],
      unreadMessages: [0, 3],
    })
  const ofMessage = () =>
    values({
      ...{ ack: [0, 1, 2, 3, 4], ackError: [null, 'wire'], body: ['sim', 'não'], isEdited: [true], isDeleted: [true] },
      ...{ mediaState: ['pending', 'ready', 'failed', 'none'], mediaSeconds: [4] },
    })
  const ofCampaign = () =>
    values({
      status: ['EM_ANDAMENTO', 'PAUSADA', 'FINALIZADA', 'CANCELADA'],
      pauseReason: [null, 'failures'],
      seed: [1],
    })
  let next = 0
  let isRated = false
  const optOut = () => {
    const number = `551199${chance(6)}`
    return { id: 1 + chance(6), companyId, number, key: number, source: 'hand' }
  }
  const begun = (): Row => {
    const { id: contactId } = one(contacts)
    const [ticketId, id] = [one(ticketIds), newId()]
    const message = { id, companyId, ticketId, contactId, body: 'oi', fromMe: chance(2) === 0, ack: chance(3) }
    return one<() => Row>([
      () => ({ table: 'messages', op: 'insert', values: message }) as Row,
      // It is there already.
      () =>
        ({
          table: 'optOuts',
          op: 'insert',
          values: optOut(),
        }) as Row,
      () =>
        ({
          ...{ table: 'tickets', op: 'insert' },
          values: {
            id: 9_000_000 + next++,
            companyId,
            contactId,
            status: 'closed',
            uuid: crypto.randomUUID(),
          },
        }) as Row,
    ])()
  }
  const changed = (): Row =>
    one<() => Row>([
      () => ({ table: 'tickets', op: 'update', ids: some(ticketIds), values: ofTicket() }) as Row,
      () => ({ table: 'messages', op: 'update', ids: some(messageIds), values: ofMessage() }) as Row,
      () => ({ table: 'campaigns', op: 'update', ids: [own!.id], values: ofCampaign() }) as unknown as Row,
    ])()
  /** Alone in its decision: it is written as it stands. */
  const swept = (): Row =>
    one<() => Values>([
      () => ({
        table: 'tickets',
        where: { column: 'tagIds', in: [1] },
        values: one([{ tagIds: { without: 1 } }, { queueId: one(queueIds) }]),
      }),
      () => ({
        table: 'messages',
        where: { column: 'whatsappId', in: [whatsapp.id] },
        and: [{ column: 'fromMe', in: [true] }],
        values: { ack: chance(4), whatsappId: whatsapp.id },
      }),
      () => ({ table: 'campaigns', where: { column: 'id', in: [own!.id] }, values: { status: 'PAUSADA' } }),
    ])() as unknown as Row
  const decision = (): ServerDecision => ({
    rows:
      chance(4) === 0
        ? [{ ...swept(), op: 'update' } as Row]
        : Array.from({ length: 1 + chance(4) }, () => one([begun, changed])()),
    effects: [],
    ...(!isRated &&
      (isRated = true) && {
        ratings: [{ companyId, ticketId: ticketIds[0]!, trackingId: tracking!.id, rate: 1 + chance(3) }],
      }),
  })
  const write = () => {
    const made = decision()
    return db.transaction((tx) => applyDecision(tx, companyId, made)).catch((error: unknown) => error)
  }
  const refused: unknown[] = []
  for (let i = 0; i < 250; i++) {
    // Those that meet decide about the same rows.
    const outcomes = i % 5 === 0 ? await Promise.all([write(), write(), write()]) : [await write()]
    refused.push(...outcomes.filter((outcome) => outcome instanceof Error))
  }
  // Of those that meet one may have to give way.
  expect(refused.map((error) => (error as Error).cause).filter((cause) => !/deadlock/.test(String(cause)))).toEqual([])
  const [caught, said] = [await net.caught(), await net.said()]
  expect(said).toEqual(caught)
  // Each kind was among it.
  const kinds = Object.entries(causes).flatMap(([type, cause]) => (cause === 'by a trigger' ? [] : [type]))
  expect([...new Set(said.map(({ type }) => type))].sort()).toEqual(kinds.sort())
})
