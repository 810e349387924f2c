import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import { fakeWebhook } from '../../tests/fakes/bots/webhook.ts'
import { isFailure } from './bots.answer.ts'
import { answerIn, botDeps, saying } from './bots.fixture.ts'
import { readAnswer, sendWebhook, WEBHOOK_TRIES, webhookEvent } from './bots.webhook.ts'
import { isSigned, isWebhookSecret, signatureOf } from '../signing.ts'

let webhook: ReturnType<typeof fakeWebhook>
let served: ReturnType<typeof serveFakes<'webhook'>>
beforeAll(() => {
  served = serveFakes({ webhook: { handle: (request) => webhook.handle(request) } })
})
afterAll(() => served.stop())
let world: ReturnType<typeof botDeps>
beforeEach(() => {
  webhook = fakeWebhook()
  world = botDeps()
  webhook.state.now = () => world.clock.now.getTime() / 1000
})
const send = (tries = 0, secrets = [webhook.secret], text = 'oi') =>
  sendWebhook(
    world.deps,
    { urlN8N: `${served.urls.webhook}/hook`, secrets },
    webhookEvent(
      saying(text, { message: { id: 'M1', type: 'image', text, mediaUrl: 'https://b.test/x?sig=1' } }),
      world.clock.now,
    ),
    { id: 'evt_1', tries },
  )

describe('a webhook', () => {
  test('is told of a message in one documented body, signed', async () => {
    await send()
    expect(webhook.received).toEqual([
      {
        id: 'evt_1',
        at: 1_795_348_800,
        bytes: expect.any(Number),
        event: {
          type: 'message.received',
          timestamp: '2026-11-22T12:00:00.000Z',
          data: {
            ticket: { id: 7, uuid: '0193b4a0-0000-7000-8000-000000000001' },
            contact: { id: 3, name: 'Maria Lima', number: '5511999990001', email: 'maria@example.test' },
            message: { id: 'M1', type: 'image', text: 'oi', mediaUrl: 'https://b.test/x?sig=1' },
            connection: { id: 1, name: 'Balcão' },
            queue: { id: 2, name: 'Vendas' },
          },
        },
      },
    ])
  })

  test('is signed as Standard Webhooks’ own example is', () => {
    // From the published libraries' tests.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    expect(signatureOf(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')).toBe(signature)
    expect(
      isSigned(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}', `v1,x ${signature}`),
    ).toBe(true)
    expect(isSigned(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265331, '{"test": 2432232314}', signature)).toBe(false)
  })

  test('takes the new secret and the old one while they change', async () => {
    const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
    expect(isFailure(await send(0, [other, webhook.secret]))).toBe(false)
    expect(await send(0, [other])).toMatchObject({ failed: 'again', why: 'credentials' })
    expect(
      [other, webhook.secret, 'whsec_', 'whsec_abc', 'x', `whsec_${'A'.repeat(100)}`].map(isWebhookSecret),
    ).toEqual([...[true, true, false, false, false, false]])
  })

  test('is never sent more than 20 kB', async () => {
    await send(0, [webhook.secret], 'ação😀\u0000"'.repeat(10_000))
    expect(webhook.received[0]!.bytes).toBeLessThanOrEqual(20_000)
    expect(webhook.received[0]!.bytes).toBeGreaterThan(15_000)
  })

  test('answers with messages, a transfer, an end and variables, at the first try only', async () => {
    webhook.state.answer = {
      messages: [
        { text: ' Olá! ' },
        { mediaUrl: 'https://x.test/menu.pdf', text: 'Cardápio' },
        { mediaUrl: 'https://x.test/a', type: 'image' },
      ],
      transferTo: { queueId: 4, userId: '9', reason: 'pediu' },
      stopBot: true,
      variables: { pedido: 12, ok: true, __proto__: 'x', 'a b': 'x' },
    }
    const answer = answerIn(await send())
    expect(answer).toEqual({
      messages: [
        { text: 'Olá!' },
        { mediaUrl: 'https://x.test/menu.pdf', type: 'document', caption: 'Cardápio' },
        { mediaUrl: 'https://x.test/a', type: 'image' },
      ],
      transferTo: { queueId: 4, userId: 9, reason: 'pediu' },
      stop: true,
      variables: { pedido: '12', ok: 'true' },
    })
    expect(answerIn(await send(1))).toEqual({ messages: [] })
  })

  test('that answers anything else says nothing', () => {
    for (const body of [
      ...['Workflow was started', '', null, 3, [], {}, { message: 'Workflow was started' }, { messages: 'x' }],
      ...[{ messages: [3, null, {}, { text: '' }, { mediaUrl: 'file:///etc/passwd' }, { mediaUrl: 'javascript:x' }] }],
      ...[
        { transferTo: 4 },
        { transferTo: {} },
        { transferTo: { queueId: -1 } },
        { variables: [] },
        { stopBot: 'true' },
      ],
    ])
      expect([body, readAnswer(body)]).toEqual([body, { messages: [] }])
    expect(
      readAnswer({ messages: Array.from({ length: 100 }, () => ({ text: 'x'.repeat(9_000) })) }).messages,
    ).toHaveLength(20)
    // n8n answers a list of what its last node gave.
    expect(readAnswer([{ messages: [{ text: 'oi' }] }])).toEqual({ messages: [{ text: 'oi' }] })
  })

  test('that fails is tried again later and later, seven times in all', async () => {
    const due: number[] = []
    for (let tries = 0; tries < WEBHOOK_TRIES - 1; tries++) {
      webhook.troubles.next({ status: tries % 2 ? 500 : 302, headers: { location: 'https://example.com' } })
      const failure = await send(tries)
      if (!isFailure(failure)) throw new Error('no failure')
      expect(failure.failed).toBe('again')
      due.push(failure.afterMs!)
    }
    for (const [at, seconds] of [5, 300, 1_800, 7_200, 18_000, 36_000].entries()) {
      expect(due[at]).toBeGreaterThanOrEqual(seconds * 1000)
      expect(due[at]).toBeLessThanOrEqual(seconds * 1100)
    }
    webhook.troubles.next({ status: 500 })
    expect(await send(WEBHOOK_TRIES - 1)).toMatchObject({ failed: 'final', why: 'broken' })
  })

  test('may ask for a longer pause, and may say that it wants nothing any more', async () => {
    webhook.troubles.next({ status: 429, headers: { 'retry-after': '120' } })
    const failure = await send()
    expect(isFailure(failure) && failure.afterMs).toBeGreaterThanOrEqual(120_000)
    webhook.troubles.next({ status: 410 })
    expect(await send()).toMatchObject({ failed: 'final', why: 'not_found' })
    const inside = await sendWebhook(
      world.deps,
      { urlN8N: 'http://169.254.169.254/', secrets: [] },
      webhookEvent(saying('oi'), world.clock.now),
      { id: 'e', tries: 0 },
    )
    expect(inside).toMatchObject({ failed: 'final', why: 'address' })
  })
})
