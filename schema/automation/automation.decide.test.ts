import { describe, expect, test } from 'bun:test'
import { before, minutes, now } from '../example-facts.fixture.ts'
import type { ScheduleEntry } from '../hours/hours.open.ts'
import { phraseKey } from '../flows/flows.edits.inputs.ts'
import { type Answer, decide, type Situation } from './automation.decide.ts'
import type { AutomationRules, OptionRules, QueueRules } from './automation.rules.ts'
import { blank } from './automation.state.ts'

const closed: ScheduleEntry[] = [{ weekday: '', weekdayEn: 'thursday', startTime: '08:00', endTime: '08:00' }]

const queue = (id: number, name: string, values: Partial<QueueRules> = {}): QueueRules => ({
  ...{ id, name, greetingMessage: `Aqui é ${name}.`, outOfHoursMessage: '', schedules: [] },
  ...{ promptId: null, integrationId: null, options: [], file: null },
  ...values,
})
const option = (id: number, number: number, title: string, values: Partial<OptionRules> = {}): OptionRules => ({
  ...{ id, parentId: null, option: number, title, message: `Sobre ${title}.`, file: null },
  ...values,
})

interface Company extends Omit<Partial<AutomationRules>, 'company' | 'connection' | 'queues'> {
  company?: Partial<AutomationRules['company']>
  connection?: Partial<AutomationRules['connection']>
  queues?: QueueRules[]
}
/** A company with nothing set, but for the queues that the connection offers in this order. */
const companyWith = ({ company, connection, queues = [], ...rest }: Company = {}): AutomationRules => ({
  company: {
    ...{ name: 'Padaria', language: 'pt', timeZone: 'America/Sao_Paulo', schedules: [], scheduleType: 'disabled' },
    ...{ greetsAlone: false, isSubscribed: true },
    ...company,
  },
  connection: {
    ...{ id: 2, name: 'Balcão', greetingMessage: 'Olá, {{firstName}}!', outOfHoursMessage: '', schedules: [] },
    ...{ promptId: null, integrationId: null, maxUseBotQueues: 3, timeUseBotQueues: 0 },
    queueIds: queues.map(({ id }) => id),
    ...connection,
  },
  queues: new Map(queues.map((one) => [one.id, one])),
  ...{ phrases: [], welcomeFlowId: null, defaultFlowId: null, promptIds: new Set([1, 2]), integrations: new Map() },
  ...rest,
})
const two = [queue(1, 'Vendas'), queue(2, 'Suporte')]
const phrase = (id: number, text: string, flowId: number, whatsappId: number | null = null) => ({
  ...{ id, phraseKey: phraseKey(text), flowId, whatsappId },
})

type Told = Partial<Omit<Situation, 'ticket' | 'contact'>> & {
  ticket?: Partial<Situation['ticket']>
  contact?: Partial<Situation['contact']>
}
const situation = (text: string | null, { ticket, contact, ...rest }: Told = {}): Situation => ({
  now,
  ticket: { id: 5, status: 'pending', userId: null, queueId: null, isGroup: false, ...ticket },
  contact: { name: 'Ana Lima', number: '5511', email: '', disableBot: false, isNew: false, ...contact },
  message: { text, writtenAt: now },
  wasServed: false,
  memory: blank,
  run: null,
  ...rest,
})
const answer = (rules: AutomationRules, text: string | null, told?: Told) => decide(rules, situation(text, told))

/** What is done, in short. */
const short = ({ actions }: Answer) =>
  actions.map((action) => {
    switch (action.kind) {
      case 'say':
        return action.file ? `file ${action.file.name}` : action.body
      case 'queue':
        return `→ ${action.queueId ?? 'no queue'}`
      case 'ask':
        return `ask ${action.by} ${action.id}`
      case 'startFlow':
        return `flow ${action.flowId} by ${action.why}`
      default:
        return action.kind
    }
  })
/** The rule that ended it. */
const ended = ({ steps }: Answer) => `${steps.at(-1)!.step}: ${steps.at(-1)!.why}`

/** A contact who writes one message after the other. */
function talk(rules: AutomationRules, told: Told = {}) {
  let memory = told.memory ?? blank
  let queueId = told.ticket?.queueId ?? null
  let at = told.now ?? now
  return {
    later: (ms: number) => void (at = new Date(at.getTime() + ms)),
    say(text: string | null): string[] {
      const said = answer(rules, text, {
        ...told,
        now: at,
        message: { text, writtenAt: at },
        memory,
        ticket: { ...told.ticket, queueId },
      })
      ;({ memory, queueId } = said)
      return short(said)
    },
    queue: () => queueId,
  }
}
const menu = 'Olá, Ana!\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte'

describe('[A1] nothing is said', () => {
  const rules = companyWith({ queues: two })
  test.each([
    ['in a group', { ticket: { isGroup: true } }, 'group'],
    ['to who is served', { ticket: { status: 'open', userId: 7 } }, 'agent'],
    ['to who was given to a person', { ticket: { userId: 7 } }, 'agent'],
    ['to a contact whose bot is off', { contact: { disableBot: true } }, 'contact_without_bot'],
    ['about what came late', { message: { text: 'Oi', writtenAt: before(minutes(10) + 1) } }, 'too_late'],
  ] as [string, Told, string][])('%s', (_, told, why) => {
    const said = answer(rules, 'Oi', told)
    expect([short(said), ended(said)]).toEqual([[], `may_answer: ${why}`])
  })
  test('by a company without a subscription', () => {
    const said = answer(companyWith({ queues: two, company: { isSubscribed: false } }), 'Oi')
    expect(ended(said)).toBe('may_answer: no_subscription')
  })
  test('and a message that is ten minutes old is still answered', () => {
    expect(short(answer(rules, 'Oi', { message: { text: 'Oi', writtenAt: before(minutes(10)) } }))).toEqual([menu])
  })
})

describe('[A2] the first rule that matches answers, and no other', () => {
  // Everything that may answer is there: each rule is left out in turn, and the next one answers.
  const queues = [queue(1, 'Vendas', { promptId: 2 }), queue(2, 'Suporte')]
  const all: Company = {
    queues,
    phrases: [phrase(1, 'promoção', 11)],
    welcomeFlowId: 12,
    defaultFlowId: 13,
    company: { scheduleType: 'company', schedules: closed },
    connection: { promptId: 1, integrationId: 3, outOfHoursMessage: 'Fechado.' },
    integrations: new Map([[3, { type: 'n8n', flowId: null }]]),
  }
  const open = { ...all, company: {} }
  const noPrompt = { ...open, connection: { integrationId: 3 } }
  const noBot = { ...open, connection: {} }
  const noDefault = { ...noBot, defaultFlowId: null }
  const isNew = { contact: { isNew: true } }
  const cases: [string, Company, string, Told, string[], string][] = [
    ['a flow before a phrase', all, 'promoção', { run: { flowId: 9 } }, ['continueFlow'], 'flow: waited_for'],
    ['a phrase before the welcome', open, 'Promoção ', isNew, ['flow 11 by phrase'], 'phrase: phrase'],
    ['the welcome before the prompt', open, 'Oi', isNew, ['flow 12 by welcome'], 'welcome: new_contact'],
    ['“#” before the hours', all, '#', { ticket: { queueId: 1 } }, ['→ no queue', menu], 'menu: shown'],
    ['the hours before a phrase', all, 'promoção', {}, ['Fechado.', 'toldHours'], 'hours: closed'],
    ['the hours before the welcome', all, 'Oi', isNew, ['Fechado.', 'toldHours'], 'hours: closed'],
    ['the prompt before the integration', open, 'Oi', {}, ['ask prompt 1'], 'connection_prompt: asked'],
    ['the integration before the rest', noPrompt, 'Oi', {}, ['ask integration 3'], 'connection_integration: asked'],
    ['the bot of the queue', open, 'Oi', { ticket: { queueId: 1 } }, ['ask prompt 2'], 'queue_prompt: asked'],
    ['the default flow before the menu', noBot, 'Oi', {}, ['flow 13 by default'], 'default_flow: no_phrase'],
    ['the menu before the greeting', noDefault, 'Oi', {}, [menu], 'menu: shown'],
    ['the greeting last', { ...noDefault, queues: [] }, 'Oi', {}, ['Olá, Ana!'], 'greeting: first'],
  ]
  test.each(cases)('%s', (_, company, text, told, actions, why) => {
    const said = answer(companyWith(company), text, told)
    expect([short(said), ended(said)]).toEqual([actions, why])
    expect(said.steps.filter(({ result }) => result === 'matched').length).toBeGreaterThan(0)
  })

  test('where nothing is set, silence is told as what it is', () => {
    const said = answer(companyWith({ connection: { greetingMessage: '' } }), 'Oi')
    expect([short(said), ended(said)]).toEqual([[], 'silence: no_rule'])
  })

  test('the greeting is said once in a service', () => {
    const contact = talk(companyWith())
    expect([contact.say('Oi'), contact.say('Alô?')]).toEqual([['Olá, Ana!'], []])
  })
})

test('[A4] a phrase is the whole message: one of the connection before one of all, any text last', () => {
  const of = (phrases: AutomationRules['phrases'], text: string, told: Told = {}) =>
    short(answer(companyWith({ phrases }), text, told))[0]
  const phrases = [phrase(1, 'oi', 11), phrase(2, 'oi', 12, 2), phrase(3, 'oi', 13, 9), phrase(4, '*', 14)]
  expect(of(phrases, ' OI\n')).toBe('flow 12 by phrase')
  expect(of([phrases[0]!, phrases[3]!], 'oi')).toBe('flow 11 by phrase')
  expect(of(phrases, 'oi, tudo bem?')).toBe('flow 14 by phrase')
  expect(of([phrases[2]!], 'oi')).toBe('Olá, Ana!')
  // Who is in a flow leaves it for a phrase that it does not wait for, not for any text.
  const inFlow = (text: string) =>
    short(decide(companyWith({ phrases }), situation(text, { run: { flowId: 9 } }), { notForFlow: true }))
  expect([inFlow('oi'), inFlow('tudo bem?')]).toEqual([['flow 12 by phrase'], []])
})

test('[A5] out of the company’s hours no flow begins, and one that the contact is in goes on', () => {
  const rules = companyWith({
    ...{ phrases: [phrase(1, 'oi', 11)], welcomeFlowId: 12, defaultFlowId: 13 },
    company: { scheduleType: 'company', schedules: closed },
    connection: { outOfHoursMessage: 'Fechado.' },
  })
  const notice = ['Fechado.', 'toldHours']
  expect(short(answer(rules, 'oi'))).toEqual(notice)
  expect(short(answer(rules, 'olá', { contact: { isNew: true } }))).toEqual(notice)
  expect(short(answer(rules, 'olá'))).toEqual(notice)
  expect(short(answer(rules, '1', { run: { flowId: 9 } }))).toEqual(['continueFlow'])
})

describe('[A6] with several queues the contact chooses', () => {
  test('three wrong numbers are three menus, then silence; a number that is offered counts also then', () => {
    const contact = talk(companyWith({ queues: two }))
    const said = ['Oi', '7', 'sei lá', 'alô?', '9'].map((text) => contact.say(text))
    expect(said).toEqual([[menu], [menu], [menu], [], []])
    expect(contact.say('2')).toEqual(['→ 2', 'Aqui é Suporte.'])
    expect(contact.queue()).toBe(2)
    expect(contact.say('obrigada')).toEqual([])
  })

  test('a number before the menu was shown is a word like any other, and so is a picture', () => {
    expect(talk(companyWith({ queues: two })).say('2')).toEqual([menu])
    expect(talk(companyWith({ queues: two })).say(null)).toEqual([menu])
  })

  test('without a limit it is shown each time; with minutes it is shown again after them', () => {
    const endless = talk(companyWith({ queues: two, connection: { maxUseBotQueues: 0 } }))
    expect(Array.from({ length: 5 }, () => endless.say('?'))).toEqual(Array(5).fill([menu]))
    const rested = talk(companyWith({ queues: two, connection: { maxUseBotQueues: 1, timeUseBotQueues: 30 } }))
    expect([rested.say('?'), rested.say('?')]).toEqual([[menu], []])
    rested.later(minutes(30))
    expect([rested.say('?'), rested.say('?')]).toEqual([[menu], []])
  })

  test('“2” and “obrigado” in one go choose the second queue, and thank it', () => {
    const contact = talk(companyWith({ queues: two }))
    contact.say('Oi')
    expect([contact.say('2'), contact.say('obrigado')]).toEqual([['→ 2', 'Aqui é Suporte.'], []])
  })
})

test('[A4, A6, A9] numbers are understood as people write them, and words whatever their case, accents and signs', () => {
  const rules = companyWith({ queues: [queue(1, 'Vendas'), queue(2, 'Manutenção')] })
  for (const text of ['2️⃣', ' 2. ', '*2*', 'dois', 'Dos', 'two', 'opção 2', 'MANUTENCAO!', '2 - manutenção', '２']) {
    const contact = talk(rules)
    contact.say('Oi')
    expect([text, contact.say(text)]).toEqual([text, ['→ 2', 'Aqui é Manutenção.']])
  }
  for (const text of ['22', 'manutenções', '1 2', 'um dois', '#️']) {
    const contact = talk(rules)
    contact.say('Oi')
    contact.say(text)
    expect([text, contact.queue()]).toEqual([text, null])
  }
  const tree = queue(1, 'Vendas', { options: [option(1, 1, 'Pães'), option(2, 2, 'Bolos', {})] })
  const inTree = talk(companyWith({ queues: [tree] }))
  inTree.say('Oi')
  expect(inTree.say('1️⃣')).toEqual(['Sobre Pães.'])
  const asked = companyWith({ phrases: [phrase(1, phraseKey('Promoção do dia'), 11)] })
  for (const text of ['promocao do dia', '“Promoção do dia”!', ' PROMOÇÃO  do dia '])
    expect([text, short(answer(asked, text))]).toEqual([text, ['flow 11 by phrase']])
})

test('[A7] a single queue is not asked for, and its connection greets only where the company wishes it', () => {
  const one = [queue(1, 'Vendas')]
  expect(short(answer(companyWith({ queues: one }), 'Oi', { ticket: { queueId: 1 } }))).toEqual(['Aqui é Vendas.'])
  expect(short(answer(companyWith({ queues: one }), 'Oi'))).toEqual(['→ 1', 'Aqui é Vendas.'])
  const greets = talk(companyWith({ queues: one, company: { greetsAlone: true } }), { ticket: { queueId: 1 } })
  expect([greets.say('Oi'), greets.say('Alô?')]).toEqual([['Olá, Ana!', 'Aqui é Vendas.'], []])
})

test('[A8] who comes to a queue meets its prompt, its integration, its options or its greeting', () => {
  const integrations: AutomationRules['integrations'] = new Map([
    [3, { type: 'typebot', flowId: null }],
    [4, { type: 'flowbuilder', flowId: 8 }],
  ])
  const enter = (values: Partial<QueueRules>) => {
    const contact = talk(companyWith({ queues: [queue(1, 'Vendas', values), two[1]!], integrations }))
    contact.say('Oi')
    return contact.say('1').slice(1)
  }
  const options = [option(1, 1, 'Bolos')]
  expect(enter({ promptId: 1, integrationId: 3, options })).toEqual(['Aqui é Vendas.'])
  expect(enter({ promptId: 1, greetingMessage: '' })).toEqual(['ask prompt 1'])
  expect(enter({ promptId: 99, integrationId: 3, options })).toEqual(['ask integration 3'])
  expect(enter({ integrationId: 4 })).toEqual(['flow 8 by integration'])
  expect(enter({ options: [...options, option(2, 2, 'Pães')] })).toEqual([
    'Aqui é Vendas.\n\n*[ 1 ]* - Bolos\n*[ 2 ]* - Pães\n*[ # ]* - Menu inicial',
  ])
  expect(enter({})).toEqual(['Aqui é Vendas.'])
})

test('[A8] the file of a queue goes before its greeting, once', () => {
  const file = { path: 'a', name: 'mapa.jpg', mimetype: 'image/jpeg', size: 1, voice: false }
  const meet = (values: Partial<QueueRules>) => {
    const contact = talk(companyWith({ queues: [queue(1, 'Vendas', { file, ...values }), two[1]!] }))
    contact.say('Oi')
    return [contact.say('1'), contact.say('x')].map((said) => said.filter((one) => !one.startsWith('→')))
  }
  expect(meet({})).toEqual([['file mapa.jpg', 'Aqui é Vendas.'], []])
  expect(meet({ greetingMessage: '' })).toEqual([['file mapa.jpg'], []])
  expect(meet({ promptId: 1 })[0]).toEqual(['file mapa.jpg', 'Aqui é Vendas.'])
  const root = 'Aqui é Vendas.\n\n*[ 1 ]* - Bolos\n*[ 2 ]* - Pães\n*[ # ]* - Menu inicial'
  expect(meet({ options: [option(1, 1, 'Bolos'), option(2, 2, 'Pães')] })).toEqual([['file mapa.jpg', root], [root]])
})

test('[A6] whoever can press a choice of a menu presses what its number says, and the ways back besides', () => {
  const options = [
    option(1, 1, 'Bolos'),
    option(2, 2, 'Pães'),
    option(3, 1, 'Doce', { parentId: 1 }),
    option(4, 2, 'Salgado', { parentId: 1 }),
  ]
  const rules = companyWith({ queues: [queue(1, 'Vendas', { options }), queue(2, 'Suporte {{firstName}}')] })
  /** After these words: the choices that are offered, and what the text says for the same. */
  const after = (...texts: string[]) => {
    let last: Answer | undefined
    for (const text of texts)
      last = answer(rules, text, {
        ...(last && { memory: last.memory }),
        ticket: { queueId: last?.queueId ?? null },
      })
    return last!
  }
  const offerIn = ({ actions }: Answer) =>
    actions.flatMap((one) => (one.kind === 'say' && one.offer ? [one.offer] : []))[0]
  const menus: [string[], [string, string][]][] = [
    [
      ['Oi'],
      [
        ['Vendas', '1'],
        ['Suporte Ana', '2'],
      ],
    ],
    [
      ['Oi', '1'],
      [
        ['Bolos', '1'],
        ['Pães', '2'],
        ['Menu inicial', '#'],
      ],
    ],
    [
      ['Oi', '1', '1'],
      [
        ['Doce', '1'],
        ['Salgado', '2'],
        ['Voltar', '0'],
        ['Menu inicial', '#'],
      ],
    ],
  ]
  for (const [texts, choices] of menus) {
    const offer = offerIn(after(...texts))!
    expect(offer.choices.map(({ label }) => label)).toEqual(choices.map(([label]) => label))
    for (const [i, { answer: pressed }] of offer.choices.entries())
      expect(after(...texts, pressed)).toEqual({ ...after(...texts, choices[i]![1]) })
  }
  expect(offerIn(after('Oi'))!.words).toBe('Olá, Ana!')
})

describe('[A9] in the options of a queue', () => {
  const file = { path: 'a', name: 'bolos.jpg', mimetype: 'image/jpeg', size: 1, voice: false }
  const options = [
    option(1, 1, 'Bolos', { file }),
    option(2, 2, 'Pães'),
    option(3, 1, 'Chocolate', { parentId: 1 }),
    option(4, 2, 'Cenoura', { parentId: 1 }),
    option(5, 1, 'Francês', { parentId: 2 }),
  ]
  const root = 'Aqui é Vendas.\n\n*[ 1 ]* - Bolos\n*[ 2 ]* - Pães\n*[ # ]* - Menu inicial'
  const cakes = 'Sobre Bolos.\n\n*[ 1 ]* - Chocolate\n*[ 2 ]* - Cenoura\n*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial'
  const enter = () => {
    const contact = talk(companyWith({ queues: [queue(1, 'Vendas', { options }), two[1]!] }))
    contact.say('Oi')
    contact.say('1')
    return contact
  }
  test('a number leads on, “0” back, and a leaf says its words and waits for a person', () => {
    const contact = enter()
    expect(contact.say('1')).toEqual(['file bolos.jpg', cakes])
    expect(contact.say('0')).toEqual([root])
    contact.say('1')
    expect(contact.say('2')).toEqual(['Sobre Cenoura.'])
    expect([contact.say('1'), contact.say('0')]).toEqual([[], []])
  })
  test('a single option leads on by itself', () => {
    expect(enter().say('2')).toEqual(['Sobre Pães.', 'Sobre Francês.'])
  })
  test('what is not offered shows them again, three times', () => {
    const contact = enter()
    expect(['x', '7', '0', '', 'y'].map((text) => contact.say(text))).toEqual([[root], [root], [root], [], []])
    expect(contact.say('1')).toEqual(['file bolos.jpg', cakes])
  })
  test('“#” leads to the menu', () => {
    const contact = enter()
    expect(contact.say(' # ')).toEqual(['→ no queue', menu])
    expect(contact.say('2')).toEqual(['→ 2', 'Aqui é Suporte.'])
  })
})

test('[A10] a queue that is closed says so, and where there are others the contact may choose again', () => {
  const shut = { schedules: closed, outOfHoursMessage: 'Vendas volta amanhã.' }
  const byQueue = { company: { scheduleType: 'queue' } }
  const contact = talk(companyWith({ ...byQueue, queues: [queue(1, 'Vendas', shut), two[1]!] }))
  contact.say('Oi')
  const notice = 'Vendas volta amanhã.\n\nDigite *#* para voltar ao menu.'
  expect(contact.say('1')).toEqual(['→ 1', notice, 'toldHours', '→ no queue'])
  expect(contact.say('#')).toEqual([menu])
  expect(contact.say('2')).toEqual(['→ 2', 'Aqui é Suporte.'])
  const alone = talk(companyWith({ ...byQueue, queues: [queue(1, 'Vendas', shut)] }), { ticket: { queueId: 1 } })
  expect(alone.say('Oi')).toEqual(['Vendas volta amanhã.', 'toldHours'])
  expect(alone.queue()).toBe(1)
})

test('[H5, H6] out of hours who waits is told so, once in five minutes', () => {
  const contact = talk(
    companyWith({
      company: { scheduleType: 'company', schedules: closed },
      connection: { outOfHoursMessage: 'Fechado.' },
      queues: two,
    }),
  )
  const notice = ['Fechado.', 'toldHours']
  expect([contact.say('Oi'), contact.say('Alô?')]).toEqual([notice, []])
  contact.later(minutes(5) - 1)
  expect(contact.say('?')).toEqual([])
  contact.later(1)
  expect(contact.say('?')).toEqual(notice)
})

test('[A11] “#” leads out of everything, also for who was served by a person', () => {
  const rules = companyWith({ queues: two })
  expect(short(answer(rules, '#', { ticket: { queueId: 2 }, wasServed: true }))).toEqual(['→ no queue', menu])
  expect(short(answer(companyWith({ queues: [two[0]!] }), '#', { ticket: { queueId: 1 } }))).toEqual([
    '→ no queue',
    '→ 1',
    'Aqui é Vendas.',
  ])
})

test('[A12] the default flow begins once in a service, for who is known and has no queue', () => {
  const rules = companyWith({ defaultFlowId: 13, queues: two })
  const contact = talk(rules)
  expect([contact.say('Oi'), contact.say('Alô?')]).toEqual([['flow 13 by default'], [menu]])
  expect(short(answer(rules, 'Oi', { contact: { isNew: true } }))).toEqual([menu])
  expect(short(answer(rules, 'Oi', { ticket: { queueId: 1 } }))).toEqual(['Aqui é Vendas.'])
})

test('[A16] a text that no message would hold is not said, neither in part, and whoever asks why reads it', () => {
  const email = `${'a'.repeat(242)}@example.com`
  const greetingMessage = '{{email}}'.repeat(300)
  const said = answer(companyWith({ connection: { greetingMessage } }), 'Oi', { contact: { email } })
  expect(short(said)).toEqual([])
  expect(said.steps).toContainEqual({ step: 'words', result: 'blocked', why: 'too_long' })
})

describe('[A13] who was told that a person comes', () => {
  const memory = { ...blank, handedOver: true }
  const phrases = [phrase(1, 'oi', 11), phrase(2, '*', 12)]
  const tree = queue(1, 'Vendas', { options: [option(1, 1, 'Pães'), option(2, 2, 'Bolos')], promptId: 2 })
  test.each<[string, AutomationRules, Told]>([
    ['no menu', companyWith({ queues: two }), {}],
    ['no flow', companyWith({ defaultFlowId: 13, welcomeFlowId: 14, queues: two }), { contact: { isNew: true } }],
    ['no phrase', companyWith({ phrases, queues: two }), {}],
    ['no greeting of the connection', companyWith(), {}],
    ['no single queue', companyWith({ queues: [two[0]!] }), {}],
    ['no assistant', companyWith({ connection: { promptId: 1 }, queues: two }), {}],
    ['no bot of a queue to which a colleague moved them', companyWith({ queues: [tree] }), { ticket: { queueId: 1 } }],
  ])('meets %s', (_, rules, told) => {
    const said = answer(rules, 'Oi', { ...told, memory })
    expect([short(said), ended(said)]).toEqual([[], 'may_answer: handed_over'])
  })
  test('meets the menu again where they ask for it, and chooses', () => {
    const contact = talk(companyWith({ queues: two }), { memory })
    expect([contact.say('2'), contact.say('#'), contact.say('2')]).toEqual([[], [menu], ['→ 2', 'Aqui é Suporte.']])
  })
  test('is told when nobody is there, and stays where they wait', () => {
    const shut = { schedules: closed, outOfHoursMessage: 'Vendas volta amanhã.' }
    const rules = companyWith({ company: { scheduleType: 'queue' }, queues: [queue(1, 'Vendas', shut), two[1]!] })
    const contact = talk(rules, { memory, ticket: { queueId: 1 } })
    expect(contact.say('Oi')).toEqual(['Vendas volta amanhã.', 'toldHours'])
    expect(contact.queue()).toBe(1)
  })
})

test('[A13] a bot that has ended and promised nobody is not asked again; what else there is answers', () => {
  const rules = companyWith({ connection: { promptId: 1 }, queues: two })
  expect(short(answer(rules, 'Oi', { memory: { ...blank, botOver: true } }))).toEqual([menu])
})

test('[A14] who was served by a person meets no bot, and is told when nobody is there', () => {
  const rules = companyWith({ queues: two })
  const said = answer(rules, 'Oi', { ticket: { queueId: 1 }, wasServed: true })
  expect([short(said), ended(said)]).toEqual([[], 'may_answer: served_by_person'])
  const shut = companyWith({
    company: { scheduleType: 'company', schedules: closed },
    connection: { outOfHoursMessage: 'Fechado.' },
  })
  expect(short(answer(shut, 'Oi', { wasServed: true }))).toEqual(['Fechado.', 'toldHours'])
})
