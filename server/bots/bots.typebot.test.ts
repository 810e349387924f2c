import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import { fakeTypebot } from '../../tests/fakes/bots/typebot.ts'
import type { BotAnswer, BotConversation } from './bots.answer.ts'
import { answerIn, botDeps, saying, textsOf } from './bots.fixture.ts'
import { askTypebot, type TypebotSettings } from './bots.typebot.ts'
import { bubbleText } from './bots.typebot.text.ts'

let typebot: ReturnType<typeof fakeTypebot>
let served: ReturnType<typeof serveFakes<'typebot'>>
let settings: TypebotSettings
let world: ReturnType<typeof botDeps>
beforeAll(() => {
  served = serveFakes({ typebot: { handle: (request, path) => typebot.handle(request, path) } })
})
afterAll(() => served.stop())
beforeEach(() => {
  typebot = fakeTypebot()
  world = botDeps()
  settings = {
    ...{ urlN8N: served.urls.typebot, typebotSlug: 'padaria', typebotDelayMessage: 1000, typebotExpires: 10 },
    ...{ typebotKeywordFinish: 'Sair', typebotKeywordRestart: 'recomeçar' },
    ...{ typebotRestartMessage: 'Vamos de novo.', typebotUnknownMessage: 'Não entendi.' },
  }
})

/** A contact who writes one text after another; what is kept goes along. */
function contact() {
  let session: unknown
  return async (text: string, more: Partial<BotConversation['message']> = {}): Promise<BotAnswer> => {
    const conversation = saying(text, { session })
    const answer = answerIn(
      await askTypebot(world.deps, settings, { ...conversation, message: { ...conversation.message, ...more } }),
    )
    if (answer.session !== undefined) session = answer.session
    expect(JSON.stringify(session ?? null).length).toBeLessThanOrEqual(4_096)
    return answer
  }
}

describe('a typebot', () => {
  test('is given what a flow has gathered beside what is known of the contact, and who it is by us alone', async () => {
    const variables = { pedido: 'bolo', email: 'novo@example.test', number: '1', ticketId: '2' }
    await askTypebot(world.deps, settings, { ...saying('oi'), variables })
    expect(typebot.started[0]!['prefilledVariables']).toEqual({
      ...{ pedido: 'bolo', email: 'novo@example.test', name: 'Maria Lima', pushName: 'Maria Lima' },
      ...{ number: '5511999990001', ticketId: '7' },
    })
  })

  test('begins with the contact’s name, numbers its choices and takes the number', async () => {
    const say = contact()
    const first = await say('oi')
    expect(textsOf(first)).toEqual([
      'Oi, Maria Lima! Aqui é a padaria.',
      '*1.* Pães\n*2.* Bolos por encomenda\n*3.* Falar com uma pessoa',
    ])
    expect(first.delayMs).toBe(1000)
    expect(typebot.started[0]).toMatchObject({
      isStreamEnabled: false,
      prefilledVariables: {
        number: '5511999990001',
        pushName: 'Maria Lima',
        email: 'maria@example.test',
        ticketId: '7',
      },
    })
    expect(textsOf(await say('2.'))).toEqual(['Certo: Bolos por encomenda. Qual é o seu e-mail?'])
    expect(typebot.continued[0]!.message).toEqual({
      type: 'text',
      text: 'Bolos por encomenda',
      metadata: { replyId: 'itm-bolos' },
    })
    // The viewer says what is wrong, and asks the same again.
    expect(textsOf(await say('não tenho'))).toEqual(['Invalid message. Please, try again.'])
    const last = await say('maria@example.test')
    expect(textsOf(last)).toEqual(['Obrigado! Vou chamar alguém.'])
    expect(last).toMatchObject({ transferTo: { queueId: 1 }, stop: true, session: null })
  })

  test('shows its choices again after a wrong one', async () => {
    const say = contact()
    await say('oi')
    expect(textsOf(await say('7'))).toEqual([
      'Invalid message. Please, try again.',
      '*1.* Pães\n*2.* Bolos por encomenda\n*3.* Falar com uma pessoa',
    ])
    expect(textsOf(await say('Pães'))).toEqual(['Certo: Pães. Qual é o seu e-mail?'])
  })

  test('loses no first text where it begins with a question', async () => {
    settings.typebotSlug = 'begins-with-a-question'
    expect(textsOf(await contact()('quero um bolo'))).toEqual(['You said quero um bolo'])
  })

  test('asks every kind of question, and understands the answers', async () => {
    settings.typebotSlug = 'every-question'
    const say = contact()
    const answers = [
      ...['oi', 'texto', '12', 'a@b.co', 'https://x.test', '2026-12-01', '10:00', '5511999'],
      ...['2', '1 e 3', '1', '2', '5'],
    ]
    const said: string[][] = []
    for (const answer of answers) said.push(textsOf(await say(answer)))
    expect(said.slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => [`Question ${number}`]))
    expect(said[7]).toEqual(['Question 8', '*1.* Alpha\n*2.* Beta, with a comma'])
    expect(said[8]).toEqual(['Question 9', '*1.* Red\n*2.* Green\n*3.* Blue'])
    expect(said[9]).toEqual([
      'Question 10',
      'image https://example.com/sonho.jpg',
      'image https://example.com/pudim.jpg',
      '*1.* Sonho\ncom creme\n*2.* Pudim',
    ])
    expect(said[10]).toEqual([
      'Question 11',
      'image https://example.com/k1.jpg',
      '*1.* Cesta: Comprar\nPara quatro\n*2.* Cesta: Ver mais',
    ])
    expect(said.slice(11)).toEqual([['Question 12'], ['Question 13']])
    expect([...typebot.sessions.values()][0]!.variables).toMatchObject({
      ...{ q1: 'texto', q2: '12', q8: 'Beta, with a comma', q9: 'Red, Blue', q10: 'Sonho', q11: 'Ver mais', q12: '5' },
    })
    // A file is told by its signed address; nobody can pay in a conversation.
    const paying = await say('', { type: 'image', mediaUrl: 'https://balcao.test/public/x?sig=1' })
    expect(textsOf(paying)).toEqual(['Question 14'])
    expect(paying).toMatchObject({ stop: true, session: null, transferTo: { queueId: null, reason: 'payment' } })
  })

  test('waits, redirects and goes on by itself, but not for ever', async () => {
    settings.typebotSlug = 'goes-on'
    const answer = await contact()('oi')
    expect(answer.messages).toEqual([
      { text: 'one' },
      { text: 'two', waitMs: 3_000 },
      { text: 'three' },
      { text: 'https://example.com/menu' },
    ])
    expect(answer.session).toBeNull()
    settings.typebotSlug = 'forever'
    await contact()('oi')
    expect(typebot.continued.filter(({ session }) => session === 'ses2')).toHaveLength(5)
  })

  test('sends pictures, films and sounds by address, and other places as text', async () => {
    settings.typebotSlug = 'media'
    expect(textsOf(await contact()('oi'))).toEqual([
      'image https://example.com/a.png',
      'video https://example.com/a.mp4',
      'https://youtu.be/abc-123',
      'https://vimeo.com/777',
      'audio https://example.com/a.mp3',
      'https://example.com/page',
      'document https://example.com/menu.pdf',
    ])
  })

  test('that says nothing at all is spoken for', async () => {
    settings.typebotSlug = 'silent'
    const say = contact()
    expect(textsOf(await say('a'))).toEqual(['Não entendi.'])
    settings.typebotUnknownMessage = ''
    expect((await contact()('a')).messages).toEqual([])
  })

  test('ends and begins again by the words that the admin chose', async () => {
    const say = contact()
    await say('oi')
    expect(textsOf(await say(' RECOMEÇAR '))[0]).toBe('Vamos de novo.')
    expect(typebot.started).toHaveLength(2)
    expect(typebot.started[1]!.message).toBeUndefined()
    expect(await say('sair')).toEqual({ messages: [], stop: true, session: null })
    expect(typebot.continued).toEqual([])
  })

  test('begins anew when the contact was silent for too long, and when the viewer has forgotten them', async () => {
    const say = contact()
    await say('oi')
    world.clock.now = new Date(world.clock.now.getTime() + 11 * 60_000)
    await say('1')
    expect(typebot.started).toHaveLength(2)
    typebot.sessions.clear()
    expect(textsOf(await say('1'))[0]).toContain('Aqui é a padaria')
    expect(typebot.started).toHaveLength(3)
    settings.typebotExpires = 0
    world.clock.now = new Date('2027-11-22T12:00:00Z')
    expect(textsOf(await say('1'))[0]).toContain('Certo: Pães')
  })

  test('is not found, away, or no typebot: a failure says which', async () => {
    settings.typebotSlug = 'no such bot'
    expect(await askTypebot(world.deps, settings, saying('oi'))).toMatchObject({ failed: 'final', why: 'not_found' })
    for (const [trouble, failure] of [
      [{ status: 500 }, { failed: 'again', why: 'broken' }],
      [
        { status: 400, body: '{"message":"Typebot is closed"}' },
        { failed: 'final', why: 'refused' },
      ],
      [{ status: 403 }, { failed: 'final', why: 'credentials' }],
      [
        { status: 200, body: '<html>' },
        { failed: 'final', why: 'unreadable' },
      ],
      [
        { status: 302, headers: { location: 'http://127.0.0.1/x' } },
        { failed: 'final', why: 'refused' },
      ],
    ] as const) {
      typebot.troubles.next(trouble)
      expect(await askTypebot(world.deps, settings, saying('oi'))).toMatchObject(failure)
    }
  })

  test('with more choices than can be kept still takes their numbers', async () => {
    const items = Array.from({ length: 200 }, (_, at) => ({
      id: `cm${'x'.repeat(40)}${at}`,
      content: `${at} ${'ação '.repeat(30)}`,
    }))
    typebot = fakeTypebot({ bots: { padaria: [{ ask: 'choice input', as: 'x', items }, { say: 'got {{x}}' }] } })
    const say = contact()
    expect(textsOf(await say('oi'))[0]!.length).toBeLessThanOrEqual(4_000)
    expect(textsOf(await say('3'))[0]).toStartWith('got 2 ')
  })
})

test('a bubble’s marks become WhatsApp’s', () => {
  const richText = [
    {
      type: 'p',
      children: [{ text: 'Bem-vindo ' }, { text: 'à padaria ', bold: true }, { text: 'hoje', italic: true }],
    },
    { type: 'p', children: [{ text: '' }] },
    {
      type: 'ul',
      children: [
        { type: 'li', children: [{ type: 'lic', children: [{ text: 'pão' }] }] },
        { type: 'li', children: [{ type: 'lic', children: [{ text: 'bolo' }] }] },
      ],
    },
    {
      type: 'p',
      children: [
        { type: 'a', url: 'https://x.test', children: [{ text: 'site' }] },
        { type: 'inline-variable', children: [{ type: 'p', children: [{ text: 'Ana' }] }] },
      ],
    },
  ]
  expect(bubbleText({ type: 'richText', richText })).toBe(
    'Bem-vindo *à padaria* _hoje_\n\n- pão\n- bolo\nsite (https://x.test)Ana',
  )
  expect(bubbleText({ markdown: '# Oi\n**forte** e *leve* ~~não~~ [site](https://x.test) 1\\. a' })).toBe(
    '*Oi*\n*forte* e _leve_ ~não~ site (https://x.test) 1. a',
  )
  expect(bubbleText({ plainText: ' oi ' })).toBe('oi')
  let deep: unknown = { text: 'x' }
  for (let i = 0; i < 50_000; i++) deep = { children: [deep] }
  expect(bubbleText({ richText: [deep] })).toBe('')
})
