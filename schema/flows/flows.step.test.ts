import { describe, expect, test } from 'bun:test'
import { dice, facts, flow, noon, randomGraph, runId, Talk } from './flows.fixture.ts'
import { leavingWords } from './flows.leaving.ts'
import {
  type FlowEvent,
  flowMessageId,
  MOST_RUN_BYTES,
  MOST_SENDS,
  MOST_STEPS,
  moveRun,
  newRun,
  TYPEBOT_WAIT_MS,
  versionsOf,
} from './flows.run.ts'
import { pick, step } from './flows.step.ts'

const audio = { kind: 'audio', name: 'voz.ogg', messageId: 'm1' }
const picture = { kind: 'image', name: 'foto.jpg', messageId: 'm2' }

const bakery = flow({
  oi: ['message', { text: 'Oi, {{firstName}}!' }, { a: 'menu' }],
  menu: [
    'menu',
    {
      message: 'O que deseja?',
      options: [
        { number: 1, label: 'Pães' },
        { number: 2, label: 'Encomendas' },
      ],
    },
    { a1: 'breads', a2: 'orders' },
  ],
  breads: ['message', { text: 'Pão francês a R$ 1,00.' }],
  orders: ['ticket', { queueId: 7, message: 'Já chamo alguém.' }],
})

describe('messages and menus', () => {
  test('[FL10] who writes is greeted by name and shown the menu; the run waits for a choice', () => {
    const talk = new Talk(bakery).start('oi')
    expect(talk.said).toEqual(['Oi, Maria!', 'O que deseja?\n\n[1] Pães\n[2] Encomendas'])
    expect(talk.run.wait?.kind).toBe('reply')
    expect(talk.path).toEqual(['1', 'oi', 'menu'])
  })

  test('[FL11] an option is chosen by its number, however it is written, or by its words', () => {
    const twos = [
      '2',
      ' 2. ',
      '*2*',
      '[ 2 ]',
      '2️⃣',
      'opção 2',
      'Opcion 2',
      'Encomendas',
      'ENCOMENDAS!',
      '2 - encomendas',
    ]
    for (const text of twos) expect([text, new Talk(bakery).start().hear(text).run.node]).toEqual([text, 'orders'])
    for (const text of ['paes', 'Pães', '1']) expect(new Talk(bakery).start().hear(text).run.node).toBe('breads')
    for (const text of ['22', 'quero 2 pães', '', '0'])
      expect(new Talk(bakery).start().hear(text).run.node).toBe('menu')
  })

  test('[FL11] whoever can press an option is offered the same ones, and chooses as by its number', () => {
    const talk = new Talk(bakery).start('oi')
    const offer = talk.last.flatMap((effect) => (effect.kind === 'send' && effect.offer ? [effect.offer] : []))[0]!
    expect(offer).toEqual({
      ...{ words: 'O que deseja?', button: 'Ver opções' },
      choices: [
        { label: 'Pães', answer: 'Pães' },
        { label: 'Encomendas', answer: 'Encomendas' },
      ],
    })
    expect(talk.hear(offer.choices[1]!.answer).run.node).toBe('orders')
    const again = new Talk(bakery).start('oi').hear('?')
    const [said] = again.last.flatMap((effect) => (effect.kind === 'send' ? [effect] : []))
    expect(said!.offer?.words.endsWith('\n\nO que deseja?')).toBe(true)
    expect(said!.body.startsWith(said!.offer!.words)).toBe(true)
  })

  test('[FL12] a wrong choice shows the menu again three times, then people take over, or the way for it is taken', () => {
    const talk = new Talk(bakery).start()
    for (let again = 0; again < 3; again++) {
      expect(talk.hear('bolo').said).toEqual([
        'Não entendi. Responda com o número de uma das opções.\n\nO que deseja?\n\n[1] Pães\n[2] Encomendas',
      ])
    }
    expect(talk.hear('', audio).done).toEqual(['send', 'leave'])
    expect(talk.last[1]).toMatchObject({ kind: 'leave', to: 'pending' })
    expect(talk.run.ended).toEqual({ why: 'invalid', node: 'menu' })

    const elsewhere = flow({
      menu: ['menu', { options: [{ number: 1, label: 'a' }], invalidMessage: 'Só 1, {{name}}' }, { invalid: 'm' }],
      m: ['message', { text: 'Certo' }],
    })
    const other = new Talk(elsewhere).start()
    expect(other.hear('x').said).toEqual(['Só 1, Maria Souza\n\n[1] a'])
    expect(other.hear('x').hear('x').hear('x').said).toEqual(['Certo'])
  })

  test('[FL13] silence after a menu takes the way of the time-out, or leaves the ticket to people', () => {
    const rows = (exits: Record<string, string>) =>
      flow({
        menu: [
          'menu',
          { message: 'Oi', options: [{ number: 1, label: 'a' }], timeoutSeconds: 60, timeoutMessage: 'Ainda aí?' },
          exits,
        ],
        m: ['message', { text: 'Até logo' }],
      })
    expect(new Talk(rows({})).start().pass(59).last).toEqual([])
    const left = new Talk(rows({})).start().pass(60)
    expect(left.said).toEqual(['Ainda aí?'])
    expect(left.run.ended).toEqual({ why: 'silence', node: 'menu' })
    expect(new Talk(rows({ timeout: 'm' })).start().pass(60).said).toEqual(['Ainda aí?', 'Até logo'])
  })

  test('[FL13] the time-out counts from when the question has left', () => {
    const talk = new Talk(flow({ q: ['question', { message: 'Nome?', timeoutSeconds: 60 }, { a: 'q' }] })).start()
    const n = talk.effects[0]!.n
    talk.happen({ kind: 'left', n, at: noon.getTime() + 30_000 })
    expect(talk.pass(60).last).toEqual([])
    expect(talk.pass(30).run.ended?.why).toBe('silence')
  })

  test('[FL14] a block says its elements in their order, with its pauses', () => {
    const talk = new Talk(
      flow({
        b: [
          'singleBlock',
          {
            elements: [
              { id: 'message0', kind: 'message', text: 'Veja' },
              { id: 'img0', kind: 'img', file: 'pao.png', name: 'Pão.png', caption: 'Pão de {{name}}' },
              { id: 'interval0', kind: 'interval', seconds: 5 },
              { id: 'audio0', kind: 'audio', file: 'a.ogg', name: '', record: true },
              { id: 'video0', kind: 'video', file: 'v.mp4', name: 'v.mp4', caption: '' },
            ],
          },
          { a: 'm' },
        ],
        m: ['message', { text: 'Fim' }],
      }),
    ).start()
    expect(talk.last).toMatchObject([
      { kind: 'send', body: 'Veja' },
      { kind: 'send', body: 'Pão de Maria Souza', file: { kind: 'image', file: 'pao.png', name: 'Pão.png' } },
    ])
    expect(talk.pass(4).last).toEqual([])
    expect(talk.pass(1).last).toMatchObject([
      { kind: 'send', body: '', file: { kind: 'audio', file: 'a.ogg', name: 'a.ogg' }, voice: true },
      { kind: 'send', file: { kind: 'video' } },
      { kind: 'send', body: 'Fim' },
      { kind: 'leave', to: 'nowhere' },
    ])
  })

  test('[FL14] pictures, videos and recordings go out by themselves, too; a recording as a voice note', () => {
    const talk = new Talk(
      flow({
        i: ['img', { file: 'a.png', name: 'A.png', caption: 'Oi {{name}}' }, { a: 'v' }],
        v: ['video', { file: 'b.mp4', name: 'B.mp4' }, { a: 's' }],
        s: ['audio', { file: 'c.ogg', name: 'C.ogg', record: true }, { a: 't' }],
        t: ['audio', { file: 'd.mp3', name: 'D.mp3' }, {}],
      }),
    ).start()
    expect(talk.last.slice(0, 4)).toMatchObject([
      { body: 'Oi Maria Souza', file: { kind: 'image' } },
      { file: { kind: 'video' } },
      { file: { kind: 'audio' }, voice: true },
      { file: { kind: 'audio' } },
    ])
    expect(talk.last[3]).not.toHaveProperty('voice')
  })
})

describe('waiting', () => {
  const pause = flow({
    i: ['interval', { seconds: 10 }, { a: 'm', reply: 'r' }],
    m: ['message', { text: 'Depois' }],
    r: ['message', { text: 'Você escreveu {{lastText}}' }],
  })

  test('[FL15] an interval is a wait with a time, and goes on when it is over', () => {
    const talk = new Talk(pause).start()
    expect(talk.run.wait).toMatchObject({ kind: 'timer', until: noon.getTime() + 10_000 })
    expect(talk.pass(10).said).toEqual(['Depois'])
  })

  test('[FL15] who writes during an interval takes the way of the reply; without one the message is only stored', () => {
    expect(new Talk(pause).start().hear('oi').said).toEqual(['Você escreveu oi'])
    const deaf = new Talk(flow({ i: ['interval', { seconds: 10 }, { a: 'm' }], m: ['message', { text: 'Depois' }] }))
    const { wait } = deaf.start().run
    expect(deaf.hear('oi').last).toEqual([])
    expect(deaf.run.wait).toEqual(wait)
    expect(deaf.pass(10).said).toEqual(['Depois'])
  })

  test('[FL3] a timer or a result that comes too late, too early or a second time does nothing', () => {
    const talk = new Talk(pause).start()
    const waiting = talk.run
    expect(talk.happen({ kind: 'timer', waitId: waiting.wait!.id }).run).toBe(waiting)
    talk.pass(10)
    const after = talk.run
    expect(talk.happen({ kind: 'timer', waitId: waiting.wait!.id }).run).toBe(after)

    const call = new Talk(
      flow({ h: ['http', { url: 'https://a.example' }, { success: 'i' }], i: ['interval'] }),
    ).start()
    const id = call.run.wait!.id
    const result: FlowEvent = { kind: 'result', waitId: id, result: { kind: 'http', ok: true, status: 200, body: '' } }
    call.happen(result)
    const { run } = call
    expect(call.happen(result).run).toBe(run)
    expect(call.last).toEqual([])
  })

  test('[FL16] parar closes the ticket, # leads to the queue menu; both take back what has not left', () => {
    const stop = new Talk(bakery).start().hear(' Parar ')
    expect(stop.done).toEqual(['takeBack', 'close'])
    expect(stop.run.ended?.why).toBe('stopped')
    const away = new Talk(pause).start().hear('#')
    expect(away.last).toMatchObject([{ kind: 'takeBack' }, { kind: 'leave', to: 'menu' }])
  })

  test('[FL16] the words that lead out are the company’s, however they are spelt; an option of the menu with that word counts first', () => {
    const leaving = { stop: leavingWords('Sair\nnão quero, parar'), menu: leavingWords('voltar; #') }
    const heard = (text: string, graph = pause) => new Talk(graph, facts({ leaving })).start().hear(text).done
    for (const text of ['sair', '*SAIR*', 'Não quero!', 'nao  quero', 'parar'])
      expect(heard(text)).toEqual(['takeBack', 'close'])
    for (const text of ['Voltar.', '#', '#️⃣']) expect(heard(text)).toEqual(['takeBack', 'leave'])
    for (const text of ['quero sair', 'volta', '', '!']) expect(heard(text)).not.toContain('takeBack')
    const options = [{ number: 1, label: 'Voltar' }]
    const menu = flow({ m: ['menu', { message: 'Oi', options }, { a1: 'q' }], q: ['question', { message: 'E?' }] })
    const back = new Talk(menu, facts({ leaving })).start().hear('voltar')
    expect([back.done, back.run.node]).toEqual([['send'], 'q'])
    expect(back.hear('voltar').done).toEqual(['takeBack', 'leave'])
    // Where none was chosen, nothing leads out; a setting of any length is read up to its bound.
    const none = { stop: leavingWords(' ,\n'), menu: [] }
    expect(new Talk(pause, facts({ leaving: none })).start().hear('#').done).not.toContain('takeBack')
    expect(leavingWords('x,'.repeat(1_000))).toHaveLength(20)
  })

  test('[FL17] a person who takes over ends the run and takes back what has not left', () => {
    for (const kind of ['takenOver', 'closed'] as const) {
      const talk = new Talk(bakery).start().happen({ kind })
      expect(talk.done).toEqual(['takeBack'])
      expect(talk.run.ended?.why).toBe(kind)
      expect(talk.hear('1').last).toEqual([])
    }
  })

  test('[FL17] a message that cannot be sent ends the run, and the ticket waits with a note', () => {
    const talk = new Talk(bakery).start().happen({ kind: 'sendFailed', n: 1 })
    expect(talk.last).toMatchObject([
      { kind: 'takeBack' },
      { kind: 'note', guard: 'sendFailed' },
      { kind: 'leave', to: 'pending' },
    ])
  })
})

describe('questions', () => {
  const ask = (kind: Parameters<typeof single>[0]) => new Talk(single(kind)).start()
  const single = (
    kind: 'text' | 'number' | 'email' | 'document' | 'date' | 'time' | 'phone' | 'file' | 'any',
    more: object = {},
  ) =>
    flow({
      q: ['question', { message: 'Diga', saveAs: 'Resposta', kind, ...more }, { a: 'm' }],
      m: ['message', { text: '<{{resposta}}>' }],
    })

  test('[FL18] a date is read and said back with the day before the month, in English too', () => {
    const talk = new Talk(single('date'), facts({ language: 'en' })).start().hear('25/12/2026')
    expect(talk.said).toEqual(['<25/12/2026>'])
    expect(talk.run.vars).toMatchObject({ resposta_iso: '2026-12-25' })
  })

  test('[FL18] an answer of the right kind is kept and goes on', () => {
    const right: [Parameters<typeof single>[0], string, string][] = [
      ['text', ' Bolo de cenoura ', 'Bolo de cenoura'],
      ['number', '1.250,50', '1250.5'],
      ['number', 'R$ 12', '12'],
      ['number', '2,125', '2.1250'],
      ['email', ' ana@example.com ', 'ana@example.com'],
      ['document', '529.982.247-25', '52998224725'],
      ['document', '11.222.333/0001-81', '11222333000181'],
      ['document', '12.ABC.345/01DE-35', '12ABC34501DE35'],
      ['date', '25/12/2026', '25/12/2026'],
      ['date', '3-2-80', '03/02/1980'],
      ['date', '10/1', '10/01/2027'],
      ['date', 'amanhã', '16/01/2026'],
      ['time', '14h30', '14:30'],
      ['time', '9', '09:00'],
      ['phone', '(11) 99999-0000', '11999990000'],
      ['any', 'o que for', 'o que for'],
    ]
    for (const [kind, text, kept] of right) expect([kind, ...ask(kind).hear(text).said]).toEqual([kind, `<${kept}>`])
    expect(ask('date').hear('25/12/2026').run.vars).toMatchObject({ resposta_iso: '2026-12-25' })
    const sent = ask('file').hear('', picture)
    expect(sent.said).toEqual(['<foto.jpg>'])
    expect(sent.run.vars).toMatchObject({ resposta: 'foto.jpg', resposta_id: 'm2' })
  })

  test('[FL18] an answer of another kind is asked for again, as often as it is said, then people take over', () => {
    const wrong: [Parameters<typeof single>[0], string][] = [
      ['text', '  '],
      ['number', 'doze'],
      ['number', '1.2.3'],
      ['email', 'ana@'],
      ['document', '111.111.111-11'],
      ['document', '529.982.247-24'],
      ['date', '31/02/2026'],
      ['time', '25:00'],
      ['phone', '123'],
      ['file', 'não tenho'],
    ]
    for (const [kind, text] of wrong) expect([kind, text, ask(kind).hear(text).run.node]).toEqual([kind, text, 'q'])
    const talk = new Talk(single('number', { tries: 2, invalidMessage: 'Número, {{name}}!' })).start()
    expect(talk.hear('', audio).said).toEqual(['Número, Maria Souza!'])
    expect(talk.hear('x').run.ended?.why).toBe('invalid')
  })

  test('[FL18] messages that follow one another at once are one answer, where the question gathers', () => {
    const talk = new Talk(single('text', { gatherSeconds: 4 })).start()
    expect(talk.hear('um bolo').last).toEqual([])
    talk.pass(3)
    expect(talk.hear('de cenoura').last).toEqual([])
    talk.pass(3)
    expect(talk.pass(1).said).toEqual(['<um bolo\nde cenoura>'])
    expect(new Talk(single('any', { gatherSeconds: 4 })).start().hear('veja', picture).said).toEqual(['<veja>'])
  })

  test('[FL19] a variable is filled into what follows once; nothing that a contact writes is read as a placeholder', () => {
    expect(ask('text').hear('{{number}} {{secret:chave}}').said).toEqual(['<{{number}} {{secret:chave}}>'])
    const known = facts({ contact: { name: 'Eva', extraInfo: [{ name: 'Cidade', value: 'Recife' }] } })
    const talk = new Talk(flow({ m: ['message', { text: '{{cidade}} {{CIDADE}} {{nada}}|{{company}}' }] }), known)
    expect(talk.start().said).toEqual(['Recife Recife |Padaria'])
  })
})

test('a field of the company’s own is said by its key, and compared in a condition', () => {
  const graph = flow({
    m: ['message', { text: '{{field.motivo}}|{{field.nada}}' }, { a: 'c' }],
    c: ['condition', { mode: 'single', key: 'field.motivo', condition: 1, value: 'troca' }, { true: 't', false: 'f' }],
    t: ['message', { text: 'sim' }],
    f: ['message', { text: 'não' }],
  })
  const said = (motivo: string) => {
    const fields = (key: string) => (key === 'motivo' ? motivo : '')
    return new Talk(graph, facts({ fields })).start().said
  }
  expect([said('Troca'), said('')]).toEqual([
    ['Troca|', 'sim'],
    ['|', 'não'],
  ])
})

describe('choices', () => {
  const asked = (data: object, before = '10') => {
    const graph = flow({
      q: ['question', { saveAs: 'idade' }, { a: 'c' }],
      c: ['condition', data, { true: 't', false: 'f', 'cond-0': 'um', 'cond-1': 'dois', default: 'nenhum' }],
      ...Object.fromEntries(['t', 'f', 'um', 'dois', 'nenhum'].map((id) => [id, ['message', { text: id }]] as const)),
    })
    return (values = {}) => new Talk(graph, facts(values)).start().hear(before).said[0]
  }

  test('[FL20] a variable is compared as a number where both sides are numbers, otherwise as text', () => {
    const truths: [number, string, string, boolean][] = [
      [1, '10', '10,0', true],
      [2, '10', '9', true],
      [3, '10', '9', false],
      [4, '9', '10', true],
      [5, '1.000', '200', true],
      [1, 'São Paulo', 'sao paulo', true],
      [6, 'pão de queijo', 'PAO', true],
      [5, 'b', 'a', true],
    ]
    for (const [condition, left, value, right] of truths)
      expect([left, condition, value, asked({ key: 'Idade', condition, value }, left)()]).toEqual([
        ...[left, condition, value],
        right ? 't' : 'f',
      ])
    expect(asked({ key: '{{nada}}', condition: 1, value: '' })()).toBe('t')
  })

  test('[FL20] rules look at variables, the contact, the ticket’s tags and queue, and the last text; all or any', () => {
    const rules = [
      { of: 'variable', key: 'idade', operator: 'atLeast', value: '18' },
      { of: 'ticket', key: 'tag', operator: 'equals', value: 'VIP' },
    ]
    const vip = { tags: [{ id: 3, name: 'Vip' }] }
    expect(asked({ mode: 'rules', match: 'all', rules }, '20')(vip)).toBe('t')
    expect(asked({ mode: 'rules', match: 'all', rules }, '20')()).toBe('f')
    expect(asked({ mode: 'rules', match: 'any', rules }, '20')()).toBe('t')
    const one = (rule: object, values = {}) => asked({ mode: 'rules', match: 'all', rules: [rule] })(values)
    expect(one({ of: 'ticket', key: 'tag', operator: 'notEquals', value: '3' }, vip)).toBe('f')
    expect(one({ of: 'ticket', key: 'queue', operator: 'equals', value: '2' }, { queue: { id: 2, name: 'X' } })).toBe(
      't',
    )
    expect(one({ of: 'ticket', key: 'queue', operator: 'empty', value: '' })).toBe('t')
    expect(one({ of: 'contact', key: 'email', operator: 'contains', value: '@example' })).toBe('t')
    expect(one({ of: 'text', key: '', operator: 'startsWith', value: '1' })).toBe('t')
    expect(one({ of: 'contact', key: 'Cidade', operator: 'filled', value: '' })).toBe('f')
  })

  test('[FL20] of several cases the first that is right is taken', () => {
    const of = (value: string) => ({
      label: value,
      match: 'all',
      rules: [{ of: 'variable', key: 'idade', operator: 'less', value }],
    })
    const cases = [of('5'), of('50')]
    expect(asked({ mode: 'cases', cases }, '3')()).toBe('um')
    expect(asked({ mode: 'cases', cases }, '30')()).toBe('dois')
    expect(asked({ mode: 'cases', cases }, '300')()).toBe('nenhum')
  })

  test('[FL21] the randomizer sends its share one way; the same run always goes the same way', () => {
    const of = (percent: number, seed: number) =>
      new Talk(
        flow({ r: ['randomizer', { percent }, { a: 'x', b: 'y' }], x: ['message'], y: ['message'] }),
        facts(),
        {},
        seed,
      ).start().run.node
    const share = (percent: number) =>
      Array.from({ length: 1_000 }, (_, seed) => of(percent, seed)).filter((n) => n === 'x')
    expect(share(0)).toHaveLength(0)
    expect(share(100)).toHaveLength(1_000)
    expect(Math.abs(share(30).length - 300)).toBeLessThan(60)
    expect(of(50, 7)).toBe(of(50, 7))
  })

  test('[FL22] hours are the company’s, the connection’s own, a queue’s, or those of the node in its zone', () => {
    const noonOnly = [{ weekday: '', weekdayEn: 'thursday' as const, startTime: '11:00', endTime: '13:00' }]
    const closed = [{ weekday: '', weekdayEn: 'thursday' as const, startTime: '08:00', endTime: '08:00' }]
    const at = (data: object, hours = {}) =>
      new Talk(
        flow({ h: ['hours', data, { open: 'o', closed: 'c' }], o: ['message'], c: ['message'] }),
        facts({ hours: { company: noonOnly, connection: [], queues: {}, ...hours } }),
      ).start().run.node
    expect(at({})).toBe('o')
    expect(at({}, { connection: closed })).toBe('c')
    expect(at({ of: 'queue', queueId: 4 }, { queues: { 4: closed } })).toBe('c')
    expect(at({ of: 'own', schedules: noonOnly })).toBe('o')
    expect(at({ of: 'own', schedules: noonOnly, timeZone: 'Asia/Tokyo' })).toBe('o') // a Friday there
    expect(at({ of: 'own', schedules: noonOnly, timeZone: 'Europe/Lisbon' })).toBe('c')
    expect(at({ of: 'own', schedules: noonOnly, timeZone: 'nowhere' })).toBe('o')
  })
})

describe('what a flow does', () => {
  test('[FL23] a queue or a person gets the ticket, and the flow is over', () => {
    const queue = new Talk(flow({ t: ['ticket', { queueId: 7, message: 'Um momento' }, { a: 't' }] })).start()
    expect(queue.last).toMatchObject([
      { kind: 'send', body: 'Um momento' },
      { kind: 'toQueue', queueId: 7 },
    ])
    expect(queue.run.ended?.why).toBe('queue')
    expect(new Talk(flow({ t: ['agent', { userId: 3 }] })).start().last).toMatchObject([{ kind: 'toAgent', userId: 3 }])
  })

  test('[FL23] an end leaves the ticket to people, shows the queue menu or closes', () => {
    const end = (then: 'pending' | 'menu' | 'close') =>
      new Talk(flow({ e: ['end', { then, message: 'Tchau' }] })).start().last.slice(1)
    expect(end('pending')).toMatchObject([{ kind: 'leave', to: 'pending' }])
    expect(end('menu')).toMatchObject([{ kind: 'leave', to: 'menu' }])
    expect(end('close')).toMatchObject([{ kind: 'close' }])
  })

  test('[FL33] a variable is set from words and others, once, and emptied; a condition and a text read it', () => {
    const talk = new Talk(
      flow({
        q: ['question', { message: 'Nome?', kind: 'text', saveAs: 'nome_dela' }, { a: 's' }],
        s: ['set', { saveAs: 'Saudacao', value: 'Oi, {{nome_dela}}!' }, { a: 'm' }],
        m: ['message', { text: '{{saudacao}}' }, { a: 'e' }],
        e: ['set', { saveAs: 'saudacao', value: '' }, { a: 'c' }],
        c: ['condition', { mode: 'single', key: 'saudacao', condition: 1, value: '' }, { true: 'y', false: 'n' }],
        y: ['message', { text: 'vazia' }],
        n: ['message', { text: 'cheia' }],
      }),
    )
    talk.start()
    // What a contact writes is never read as a variable.
    expect(talk.said).toEqual(['Nome?'])
    talk.hear('{{number}}')
    expect(talk.said).toEqual(['Oi, {{number}}!', 'vazia'])
  })

  test('[FL24] tags, fields of the contact and notes are written, and known to what follows', () => {
    const talk = new Talk(
      flow({
        t: ['tag', { tagId: 3 }, { a: 'u' }],
        u: ['tag', { tagId: 4, action: 'remove' }, { a: 'f' }],
        f: ['field', { field: 'email', value: 'x@example.com' }, { a: 'g' }],
        g: ['field', { field: 'extra', extraName: 'Cidade', value: 'Natal' }, { a: 'n' }],
        n: ['note', { text: 'Mora em {{Cidade}}, {{email}}' }, { a: 'c' }],
        c: [
          'condition',
          { mode: 'rules', rules: [{ of: 'ticket', key: 'tag', operator: 'equals', value: '3' }] },
          { true: 'y' },
        ],
        y: ['message', { text: 'tem a etiqueta' }],
      }),
    ).start()
    expect(talk.last).toMatchObject([
      { kind: 'tag', tagId: 3 },
      { kind: 'untag', tagId: 4 },
      { kind: 'field', field: 'email', value: 'x@example.com' },
      { kind: 'field', field: 'extra', extraName: 'Cidade', value: 'Natal' },
      { kind: 'note', text: 'Mora em Natal, x@example.com', guard: null },
      { kind: 'send', body: 'tem a etiqueta' },
      { kind: 'leave' },
    ])
  })

  const api = flow({
    q: ['question', { saveAs: 'cpf' }, { a: 'h' }],
    h: [
      'http',
      {
        method: 'POST',
        url: 'https://api.example.com/c/{{cpf}}?k={{secret:chave}}',
        headers: [{ name: 'X-De', value: '{{cpf}}' }],
        body: '{"cpf":"{{cpf}}","n":"{{name}}"}',
        saves: [
          { path: 'data.items[0].valor', saveAs: 'valor' },
          { path: 'data', saveAs: 'tudo' },
        ],
        saveStatusAs: 'status',
      },
      { success: 's', error: 'e' },
    ],
    s: ['message', { text: '{{valor}} {{status}}' }],
    e: ['message', { text: 'Falhou {{status}}' }],
  })
  const result = (talk: Talk, values: object = {}) =>
    talk.happen({
      kind: 'result',
      waitId: talk.run.wait!.id,
      result: { kind: 'http', ok: true, status: 200, body: { data: { items: [{ valor: 9.5 }] } }, ...values },
    })

  test('[FL25] an outside call is asked for as its place demands, and secrets stay names', () => {
    const talk = new Talk(api).start().hear('a/"b"\n{{secret:chave}}')
    expect(talk.last).toMatchObject([
      {
        kind: 'http',
        waitId: talk.run.wait!.id,
        request: {
          method: 'POST',
          url: ['https://api.example.com/c/', 'a%2F%22b%22%0A%7B%7Bsecret%3Achave%7D%7D', '?k=', { secret: 'chave' }],
          headers: [{ name: 'X-De', value: ['a/"b" {{secret:chave}}'] }],
          body: ['{"cpf":"', 'a/\\"b\\"\\n{{secret:chave}}', '","n":"', 'Maria Souza', '"}'],
        },
      },
    ])
  })

  test('[FL25] where a required field is not in the answer, or the answer is a page of words, the call failed', () => {
    const saves = [
      { path: 'faturas', saveAs: 'faturas', required: true },
      { path: 'aviso', saveAs: 'aviso' },
    ]
    const bills = flow({
      h: ['http', { url: 'https://api.example.com/', saves }, { success: 's', error: 'e' }],
      s: ['message', { text: 'Faturas: {{faturas}}{{aviso}}' }],
      e: ['message', { text: 'Falhou' }],
    })
    const told = (body: unknown) => result(new Talk(bills).start(), { body }).said
    expect(told({ faturas: ['março'] })).toEqual(['Faturas: ["março"]'])
    expect(told({ faturas: [] })).toEqual(['Faturas: []'])
    expect(told({ faturas: 0, aviso: '!' })).toEqual(['Faturas: 0!'])
    for (const body of [
      '<html>Em manutenção</html>',
      '',
      null,
      {},
      { faturas: null },
      { faturas: '' },
      [{ faturas: 1 }],
    ])
      expect([body, ...told(body)]).toEqual([body, 'Falhou'])
  })

  test('[FL25] what it answers is kept by path; an error, or no answer in time, takes the way of the error', () => {
    expect(result(new Talk(api).start().hear('1')).said).toEqual(['9.5 200'])
    expect(result(new Talk(api).start().hear('1'), { status: 500 }).said).toEqual(['Falhou 500'])
    expect(result(new Talk(api).start().hear('1'), { ok: false }).said).toEqual(['Falhou '])
    expect(new Talk(api).start().hear('1').pass(60).said).toEqual(['Falhou '])
    expect(pick({ a: [{ b: null }, { b: [1] }] }, 'a[1].b')).toBe('[1]')
    expect(pick({ a: 1 }, 'constructor.name')).toBe('')
    const alone = new Talk(flow({ h: ['http', { url: 'https://a.example' }] })).start().pass(60)
    expect(alone.run.ended?.why).toBe('error')
  })

  const bill = (url: string, caption = '') =>
    flow({
      q: ['question', { saveAs: 'boleto_url', kind: 'any' }, { a: 'f' }],
      f: ['file', { url, caption }, { success: 's', error: 'e' }],
      s: ['message', { text: 'Enviado' }],
      e: ['message', { text: 'Falhou' }],
    })
  const brought = (talk: Talk, mimetype: string) =>
    talk.happen({
      ...{ kind: 'result', waitId: talk.run.wait!.id },
      result: { kind: 'file', ok: true, file: { path: 'company1/b.pdf', name: 'Boleto.pdf', mimetype, size: 9 } },
    })

  test('[FL95] the address of a file is an answer, or is filled as an address demands; secrets stay names', () => {
    const asked = (url: string, said: string) => new Talk(bill(url)).start().hear(said).last
    const pdf = 'https://banco.example/boleto.pdf?assinatura=a%2Fb&x=1'
    expect(asked('{{boleto_url}}', pdf)).toMatchObject([{ kind: 'file', waitId: 2, url: [pdf] }])
    expect(asked('{{boleto_url}}/2.pdf?de={{name}}', 'https://a.example/x')).toMatchObject([
      { url: ['https://a.example/x', '/2.pdf?de=', 'Maria%20Souza'] },
    ])
    expect(asked('https://a.example/{{boleto_url}}?k={{secret:banco}}', '../é{{secret:banco}}')).toMatchObject([
      { url: ['https://a.example/', '..%2F%C3%A9%7B%7Bsecret%3Abanco%7D%7D', '?k=', { secret: 'banco' }] },
    ])
  })

  test('[FL95] a file is sent as what it is, with its words, and the flow goes on', () => {
    const sent = (mimetype: string) => {
      const talk = brought(new Talk(bill('{{boleto_url}}', 'Boleto de {{firstName}}')).start().hear('x'), mimetype)
      return talk.last.map((effect) =>
        effect.kind === 'send' ? [effect.file?.kind ?? null, effect.body] : effect.kind,
      )
    }
    const end = 'leave'
    expect(sent('application/pdf')).toEqual([['document', 'Boleto de Maria'], [null, 'Enviado'], end])
    expect(sent('image/png')).toEqual([['image', 'Boleto de Maria'], [null, 'Enviado'], end])
    expect(sent('video/mp4')).toEqual([['video', 'Boleto de Maria'], [null, 'Enviado'], end])
    // A phone shows no words beside a sound.
    expect(sent('audio/ogg')).toEqual([['audio', ''], [null, 'Boleto de Maria'], [null, 'Enviado'], end])
    const talk = brought(new Talk(bill('{{boleto_url}}')).start().hear('x'), 'application/pdf')
    expect(talk.last[0]).toMatchObject({
      file: { file: 'company1/b.pdf', name: 'Boleto.pdf', fetched: { mimetype: 'application/pdf', size: 9 } },
    })
    // A second result, and one after the time is over, find nobody who waits.
    const again = { kind: 'file', ok: true, file: { path: 'p', name: 'n', mimetype: 'image/png', size: 1 } } as const
    expect(talk.happen({ kind: 'result', waitId: 2, result: again }).last).toEqual([])
  })

  test('[FL95] a file that cannot be had, or not in time, takes the way of the error, or leaves the ticket to people', () => {
    const failed = { kind: 'file', ok: false, why: 'file_refused', status: 404 } as const
    const asks = () => new Talk(bill('{{boleto_url}}')).start().hear('x')
    expect(asks().happen({ kind: 'result', waitId: 2, result: failed }).said).toEqual(['Falhou'])
    expect(asks().pass(60).said).toEqual(['Falhou'])
    const alone = new Talk(flow({ f: ['file', { url: 'https://a.example/b.pdf' }] })).start()
    alone.happen({ kind: 'result', waitId: alone.run.wait!.id, result: failed })
    expect([alone.run.ended?.why, alone.last]).toMatchObject(['error', [{ kind: 'leave', to: 'pending' }]])
  })

  test('[FL95] an address of which only the beginning is kept is not called, nor one whose words no message holds', () => {
    const call = (next: Parameters<typeof flow>[0][string]) =>
      flow({
        h: ['http', { url: 'https://a.example', saves: [{ path: 'url', saveAs: 'u' }] }, { success: 'f' }],
        f: next,
      })
    const ended = (next: Parameters<typeof flow>[0][string], url: string) => {
      const talk = result(new Talk(call(next)).start(), { body: { url } })
      return [talk.run.ended?.why ?? null, ...talk.done]
    }
    const long = `https://a.example/?${'x'.repeat(19_000)}`
    expect(ended(['file', { url: '{{u}}' }], long)).toEqual(['textTooLong', 'note', 'leave'])
    expect(ended(['file', { url: 'https://b.example/?u={{u}}' }], long)).toEqual(['textTooLong', 'note', 'leave'])
    const caption = '{{u}}'.repeat(8)
    const some = `https://a.example/?${'x'.repeat(10_000)}`
    expect(ended(['file', { url: 'https://b.example/', caption }], some)).toEqual(['textTooLong', 'note', 'leave'])
    expect(ended(['file', { url: '{{u}}' }], 'https://a.example/b.pdf')).toEqual([null, 'file'])
  })

  const assistant = (more: object = {}) =>
    flow({
      a: [
        'ai',
        { promptId: 2, instructions: 'Fale com {{name}}', saveAs: 'ia', ...more },
        { success: 's', error: 'e', timeout: 't' },
      ],
      ...Object.fromEntries(['s', 'e', 't'].map((id) => [id, ['message', { text: `${id} {{ia}}` }]] as const)),
    })
  const answered = (talk: Talk, values: object) =>
    talk.happen({
      kind: 'result',
      waitId: talk.run.wait!.id,
      result: { kind: 'ai', ok: true, text: 'Oi!', ...values },
    })

  test('[FL26] an assistant answers what the contact wrote, once', () => {
    const talk = new Talk(assistant()).start('bom dia')
    expect(talk.last).toMatchObject([
      { kind: 'ai', promptId: 2, instructions: 'Fale com Maria Souza', text: 'bom dia', turn: 1 },
    ])
    expect(answered(talk, {}).said).toEqual(['Oi!', 's Oi!'])
    expect(answered(new Talk(assistant({ say: false })).start(), {}).said).toEqual(['s Oi!'])
  })

  test('[FL26] a talk goes on until the model is done, its turns are used up or the contact is silent', () => {
    const talk = new Talk(assistant({ talk: true, turns: 3, timeoutSeconds: 60 })).start('oi')
    expect(answered(talk, {}).said).toEqual(['Oi!'])
    expect(talk.hear('quero').last).toEqual([])
    expect(talk.hear('pão').last).toEqual([])
    expect(talk.pass(4).last).toMatchObject([{ kind: 'ai', text: 'quero\npão', turn: 2 }])
    talk.hear('mais um')
    expect(answered(talk, {}).last).toMatchObject([{ kind: 'send' }, { kind: 'ai', text: 'mais um', turn: 3 }])
    expect(answered(talk, {}).said).toEqual(['Oi!', 's Oi!'])
    const silent = answered(new Talk(assistant({ talk: true, timeoutSeconds: 60 })).start('oi'), {})
    expect(silent.pass(60).said).toEqual(['t Oi!'])
    expect(answered(new Talk(assistant({ talk: true })).start('oi'), { done: true }).said).toEqual(['Oi!', 's Oi!'])
  })

  test('[FL26] an assistant that hands over or fails gives the ticket away', () => {
    const away = answered(new Talk(assistant()).start('oi'), { transferTo: 7 })
    expect(away.done).toEqual(['send', 'toQueue'])
    // What the model knows of it is kept, and the contact hears of it also where the model has no words.
    const silent = answered(new Talk(assistant()).start('oi'), { transferTo: 7, text: '', reason: 'quer trocar' })
    const handOver = 'Vou chamar uma pessoa para continuar. Aguarde um momento, por favor.'
    expect(silent.last).toMatchObject([
      { kind: 'send', body: handOver },
      { kind: 'note', text: 'O assistente passou a conversa a uma pessoa: quer trocar' },
      { kind: 'toQueue', queueId: 7 },
    ])
    expect(answered(new Talk(assistant()).start('oi'), { ok: false }).said).toEqual(['e '])
    const alone = answered(new Talk(flow({ a: ['ai', {}] })).start('oi'), { ok: false })
    expect(alone.last).toMatchObject([
      { kind: 'send', body: handOver },
      { kind: 'note', text: 'O assistente não respondeu: o serviço falhou.' },
      { kind: 'leave', to: 'pending' },
    ])
    const known = new Talk(flow({ a: ['ai', { promptId: 2 }] }), { ...facts(), promptQueues: { 2: 8 } }).start('oi')
    expect(answered(known, { ok: false, why: 'credentials' }).last).toMatchObject([
      { kind: 'send', body: handOver },
      { kind: 'note', text: 'O assistente não respondeu: o serviço recusou a chave.' },
      { kind: 'toQueue', queueId: 8 },
    ])
    // No answer in time is one of the failures.
    expect(new Talk(flow({ a: ['ai', {}] })).start('oi').pass(120).done).toEqual(['send', 'note', 'leave'])
  })

  const bot = (more: object = {}, exits: Record<string, string> = { success: 's', error: 'e', timeout: 't' }) =>
    flow({
      b: ['typebot', { integrationId: 3, ...more }, exits],
      ...Object.fromEntries(['s', 'e', 't'].map((id) => [id, ['message', { text: id }]] as const)),
    })
  const session = { id: 'ses1' }
  const replied = (talk: Talk, values: object = {}) =>
    talk.happen({
      kind: 'result',
      waitId: talk.run.wait!.id,
      result: { kind: 'typebot', ok: true, said: [{ body: 'Oi!', typingMs: 900 }], session, ...values } as never,
    })

  test('[FL98] a typebot talks until it asks nothing more, and each message is an answer of its own', () => {
    const talk = new Talk(bot()).happen({ kind: 'started', text: 'oi', id: 'm0' })
    expect(talk.last).toMatchObject([
      { kind: 'typebot', integrationId: 3, text: 'oi', heard: ['m0'], session: null, variables: {} },
    ])
    expect(replied(talk).last).toMatchObject([{ kind: 'send', body: 'Oi!', typingMs: 900 }])
    expect(talk.run.wait).toMatchObject({ kind: 'reply', until: null, session })
    const writes = (text: string, id: string) => talk.happen({ kind: 'message', text, id })
    expect(writes('1', 'm1').last).toMatchObject([{ kind: 'typebot', text: '1', heard: ['m1'], session }])
    // Written while it answers: they wait for their turn, and neither is lost nor joined.
    expect([writes('2', 'm2').last, writes('3', 'm3').last]).toEqual([[], []])
    expect(replied(talk).last).toMatchObject([{ kind: 'send' }, { kind: 'typebot', text: '2', heard: ['m2'], session }])
    writes('4', 'm4')
    expect(replied(talk, { said: [] }).last).toMatchObject([{ kind: 'typebot', text: '3', heard: ['m3'] }])
    expect(replied(talk, { said: [] }).last).toMatchObject([{ kind: 'typebot', text: '4', heard: ['m4'] }])
    expect(replied(talk, { session: null }).said).toEqual(['Oi!', 's'])
    expect(talk.run.ended?.why).toBe('done')
  })

  test('[FL98] what else is written while a typebot answers is bounded, and the rest keeps its message', () => {
    const talk = new Talk(bot()).happen({ kind: 'started', text: 'oi', id: 'm0' })
    for (let n = 1; n <= 14; n++) talk.happen({ kind: 'message', text: `${n}`, id: `m${n}` })
    const told: string[] = []
    while (talk.run.wait?.kind === 'job') {
      for (const effect of replied(talk, { said: [] }).last)
        if (effect.kind === 'typebot') told.push(`${effect.text} ${effect.heard.join()}`)
    }
    expect(told).toEqual(Array.from({ length: 10 }, (_, n) => `${n + 1} m${n + 1}`))
  })

  test('[FL98] a typebot behind a question begins by itself, with the variables of the flow as they are spelt', () => {
    const graph = flow({
      q: ['question', { message: 'Pedido?', saveAs: 'numeroPedido' }, { a: 'long' }],
      long: ['set', { saveAs: 'página', value: 'x'.repeat(9_000) }, { a: 'more' }],
      more: ['set', { saveAs: 'páginas', value: '{{página}}{{página}}{{página}}' }, { a: 'b' }],
      b: ['typebot', { integrationId: 3 }],
    })
    const talk = new Talk(graph).start('oi').hear('17')
    const [effect] = talk.last
    expect(effect).toMatchObject({ kind: 'typebot', text: null, session: null })
    // Of the last one only a beginning is kept.
    expect(effect?.kind === 'typebot' && Object.keys(effect.variables).sort()).toEqual(['numeroPedido', 'página'])
    expect(effect?.kind === 'typebot' && effect.variables['numeroPedido']).toBe('17')
  })

  test('[FL98] a typebot sends files, counts as the flow does, and may hand over', () => {
    const of = (mimetype: string) => ({ path: `company1/${mimetype}`, name: 'x', mimetype, size: 1 })
    const said = [
      { body: 'Veja', file: of('image/png'), typingMs: 0 },
      { body: '', file: of('audio/mpeg'), typingMs: 0 },
    ]
    expect(replied(new Talk(bot()).start('oi'), { said }).last).toMatchObject([
      { kind: 'send', body: 'Veja', file: { kind: 'image' }, typingMs: 0 },
      { kind: 'send', body: '', file: { kind: 'audio' } },
    ])
    const many = Array.from({ length: MOST_SENDS + 1 }, () => ({ body: 'x', typingMs: 0 }))
    expect(replied(new Talk(bot()).start('oi'), { said: many }).run.ended?.why).toBe('tooManySends')
    const over = (values: object) => replied(new Talk(bot()).start('oi'), { said: [], ...values }).last
    expect(over({ transferTo: 7 })).toMatchObject([{ kind: 'toQueue', queueId: 7 }])
    expect(over({ transferTo: 7, userId: 4 })).toMatchObject([{ kind: 'toQueue' }, { kind: 'toAgent', userId: 4 }])
    expect(over({ transferTo: null })).toMatchObject([{ kind: 'leave', to: 'pending' }])
  })

  test('[FL98] a typebot that fails, or is too slow, takes the way for that; without one, people read why', () => {
    expect(replied(new Talk(bot()).start('oi'), { ok: false, why: 'broken' }).said).toEqual(['e'])
    expect(new Talk(bot()).start('oi').pass(TYPEBOT_WAIT_MS / 1_000).said).toEqual(['e'])
    const alone = replied(new Talk(bot({}, {})).start('oi'), { ok: false, why: 'timeout' })
    expect(alone.last).toMatchObject([
      { kind: 'send', body: 'Vou chamar uma pessoa para continuar. Aguarde um momento, por favor.' },
      { kind: 'note', text: 'O Typebot não continuou a conversa: demorou demais.' },
      { kind: 'leave', to: 'pending' },
    ])
    const silent = replied(new Talk(bot({ timeoutSeconds: 60 })).start('oi'))
    expect(silent.pass(60).said).toEqual(['t'])
    expect(new Talk(bot()).start('oi').hear('parar').run.ended?.why).toBe('stopped')
  })

  test('[FL29, FL99] a run with a typebot stays small, and forgets its session behind the block', () => {
    const graph = flow({
      q: ['question', { saveAs: 'x', kind: 'any' }, { a: 'again' }],
      again: ['set', { saveAs: 'y', value: '{{x}}{{x}}{{x}}' }, { a: 'yet' }],
      yet: ['set', { saveAs: 'z', value: '{{y}}{{y}}' }, { a: 'b' }],
      b: ['typebot', { integrationId: 3 }, { success: 'm' }],
      m: ['question', { kind: 'any' }],
    })
    const wide = { id: 's', input: '語'.repeat(1_300) }
    const talk = new Talk(graph).start('oi').hear('語'.repeat(70_000))
    const size = () => Buffer.byteLength(JSON.stringify(talk.run))
    replied(talk, { session: wide })
    expect(size()).toBeLessThan(MOST_RUN_BYTES)
    for (let n = 0; n < 12; n++) talk.happen({ kind: 'message', text: '語'.repeat(70_000), id: `m${n}` })
    expect(size()).toBeLessThan(MOST_RUN_BYTES)
    while (talk.run.wait?.kind === 'job') replied(talk, { said: [], session: wide })
    expect(JSON.stringify(talk.run)).toContain('"session"')
    replied(talk.hear('fim'), { session: null })
    expect([talk.run.node, JSON.stringify(talk.run).includes('"session"')]).toEqual(['m', false])
  })

  test('[FL27] a called flow runs and comes back; without a way behind it, all is over where it ends', () => {
    const inner = flow({ m: ['message', { text: 'dentro' }] })
    const outer = flow({ c: ['flow', { flowId: 9 }, { a: 'm' }], m: ['message', { text: 'fora' }] })
    const talk = new Talk(outer, facts(), { 9: inner }).start()
    expect(talk.said).toEqual(['dentro', 'fora'])
    expect(talk.trail.map(({ version, node, why }) => `${version} ${node} ${why}`)).toEqual([
      'v 1 started',
      'v c exit',
      'v9 1 called',
      'v9 m exit',
      'v m returned',
    ])
    expect(new Talk(flow({ c: ['flow', { flowId: 9 }] }), facts(), { 9: inner }).start().said).toEqual(['dentro'])
  })

  test('[FL27] a flow inside a flow keeps its versions; the sixth call in one another ends with a note', () => {
    const asks = flow({
      q: ['question', { message: '?' }, { a: 'c' }],
      c: ['flow', { flowId: 9 }, { a: 'e' }],
      e: ['end'],
    })
    const talk = new Talk(flow({ c: ['flow', { flowId: 9 }, { a: 'e' }], e: ['end'] }), facts(), { 9: asks }).start()
    expect(versionsOf(talk.run)).toEqual(['v9', 'v'])
    for (let i = 0; i < 4; i++) talk.hear('x')
    expect(talk.run.ended).toBeNull()
    expect(talk.hear('x').last).toMatchObject([{ kind: 'note', guard: 'tooDeep' }, { kind: 'leave' }])
  })

  test('[FL27] a flow may lead back to the menu that led to it as often as people like', () => {
    const menu = flow({ q: ['question', { message: '?' }, { a: 'c' }], c: ['flow', { flowId: 9 }] })
    const back = flow({ c: ['flow', { flowId: 8 }] })
    const talk = new Talk(menu, facts(), { 8: menu, 9: back }).start()
    for (let i = 0; i < 100; i++) talk.hear('x')
    expect(talk.run.ended).toBeNull()
    expect(talk.run.stack).toEqual([])
    const missing = new Talk(flow({ c: ['flow', { flowId: 77 }] })).start()
    expect(missing.last).toMatchObject([{ kind: 'note', guard: 'broken' }, { kind: 'leave' }])
  })
})

describe('limits', () => {
  test('[FL28] a circle without waiting ends, and so does a run that goes on for ever', () => {
    const circle = new Talk(flow({ t: ['tag', { tagId: 1 }, { a: 't' }] })).start()
    expect(circle.run.ended?.why).toBe('tooManyVisits')
    expect(circle.done.at(-2)).toBe('note')
    const long = new Talk(flow({ q: ['question', {}, { a: 'q' }] })).start()
    for (let i = 0; i < MOST_STEPS; i++) long.hear('x')
    expect(long.run.ended?.why).toBe('tooManySteps')
  })

  test('[FL28] a contact who does not write gets twenty messages at most; writing begins a new count', () => {
    const loop = new Talk(
      flow({ m: ['message', { text: 'Oi' }, { a: 'i' }], i: ['interval', { seconds: 1 }, { a: 'm' }] }),
    ).start()
    for (let i = 0; i < 10; i++) loop.pass(1)
    loop.hear('?')
    for (let i = 0; i < 40; i++) loop.pass(1)
    expect(loop.run.ended?.why).toBe('tooManySends')
    expect(loop.effects.filter(({ kind }) => kind === 'send')).toHaveLength(11 + MOST_SENDS)
    expect(loop.effects.slice(-2)).toMatchObject([
      { kind: 'note', guard: 'tooManySends' },
      { kind: 'leave', to: 'pending' },
    ])
  })

  test('[FL29] a run stays small, whatever is written to it', () => {
    const graph = flow({
      q: ['question', { saveAs: 'x', gatherSeconds: 4, kind: 'any' }, { a: 'h' }],
      h: [
        'http',
        { url: 'https://a.example', saves: Array.from({ length: 30 }, (_, i) => ({ path: '', saveAs: `v${i}` })) },
        { success: 'q' },
      ],
    })
    const texts = ['\u0001'.repeat(70_000), '😀'.repeat(40_000), '語'.repeat(70_000), '"'.repeat(70_000), '\0\ud800']
    for (const text of texts) {
      const talk = new Talk(graph).start()
      const small = () => {
        const json = JSON.stringify(talk.run)
        expect(Buffer.byteLength(json)).toBeLessThan(MOST_RUN_BYTES)
        expect(json).not.toContain('\\u0000')
        expect(json).not.toContain('\\ud800')
      }
      for (let round = 0; round < 3; round++) {
        for (let i = 0; i < 9; i++) talk.hear(text)
        small()
        talk.pass(4)
        const result = { kind: 'http' as const, ok: true, status: 200, body: text }
        talk.happen({ kind: 'result', waitId: talk.run.wait!.id, result })
        small()
      }
      expect(Object.keys(talk.run.vars).length).toBeGreaterThan(1)
    }
  })

  test('[FL30] the ids of messages follow from the run and the number, rise, and are UUIDs', () => {
    const ids = Array.from({ length: 500 }, (_, n) => flowMessageId(runId, n))
    expect(new Set(ids).size).toBe(500)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids[3]).toBe(flowMessageId(runId, 3))
    expect(ids[3]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect(flowMessageId('019bb2f0-0000-7000-8000-000000000002', 3)).not.toBe(ids[3])
  })

  test('[FL31] a run moves to a newer version where its node is still what it was', () => {
    const { run } = new Talk(bakery).start()
    const without = { nodes: bakery.nodes.filter(({ id }) => id !== 'menu') }
    expect(moveRun(run, bakery, bakery, 'w')).toEqual({ ...run, version: 'w' })
    expect(moveRun(run, bakery, without, 'w')).toBeNull()
    expect(moveRun(run, bakery, flow({ menu: ['message'] }), 'w')).toBeNull()
  })
})

describe('any graph', () => {
  const texts = [
    '1',
    '2',
    'oi',
    '',
    '#',
    'parar',
    '529.982.247-25',
    '25/12/2026',
    'x@example.com',
    '\ud800{{name}}',
    '10',
  ]

  /** Something that may happen now, or that came too late. */
  function randomEvent(talk: Talk, roll: () => number): FlowEvent {
    const kind = roll()
    const waitId = roll() < 0.9 ? (talk.run.wait?.id ?? 0) : Math.floor(roll() * 20)
    if (kind < 0.4) {
      const text = texts[Math.floor(roll() * (roll() < 0.1 ? texts.length : texts.length - 7))]!
      return { kind: 'message', text, file: roll() < 0.2 ? picture : null }
    }
    if (kind < 0.65) {
      talk.now = new Date(talk.now.getTime() + Math.floor(roll() * 200_000))
      return { kind: 'timer', waitId }
    }
    if (kind < 0.9) {
      const body = { a: { b: ['x'.repeat(Math.floor(roll() * 3_000))] } }
      return {
        kind: 'result',
        waitId,
        result:
          roll() < 0.5
            ? { kind: 'http', ok: roll() < 0.8, status: roll() < 0.8 ? 200 : 404, body }
            : roll() < 0.3
              ? roll() < 0.8
                ? {
                    ...{ kind: 'typebot', ok: true, said: [{ body: 'Oi', typingMs: 0 }] },
                    session: roll() < 0.6 ? { id: 's' } : null,
                  }
                : { kind: 'typebot', ok: false, why: 'broken' }
              : roll() < 0.5
                ? { kind: 'ai', ok: roll() < 0.8, text: 'Oi', done: roll() < 0.3 }
                : roll() < 0.8
                  ? { kind: 'file', ok: true, file: { path: 'x', name: 'x.pdf', mimetype: 'application/pdf', size: 1 } }
                  : { kind: 'file', ok: false, why: 'file_page' },
      }
    }
    if (kind < 0.97) return { kind: 'left', n: Math.floor(roll() * 20), at: talk.now.getTime() + 5_000 }
    return { kind: (['takenOver', 'closed', 'sendFailed'] as const)[Math.floor(roll() * 3)]!, n: 1 }
  }

  test('[FL2, FL3, FL4, FL30] of 1,500 random graphs every run is the same twice, waits or has ended, touches nothing and numbers its effects once', () => {
    const ends = new Set<string>()
    let events = 0
    for (let seed = 0; seed < 1_500; seed++) {
      const roll = dice(seed)
      const graph = randomGraph(roll)
      const talk = new Talk(graph, facts(), { 1: graph, 2: randomGraph(roll), 3: randomGraph(roll) }, seed)
      freeze(talk.graphs)
      freeze(talk.known)
      for (let i = 0; i < 30; i++) {
        const event = i === 0 ? ({ kind: 'started', text: 'oi' } as const) : randomEvent(talk, roll)
        freeze(talk.run)
        const was = JSON.stringify(talk.run)
        const given = talk.run
        const twin = step(talk.graphs, JSON.parse(was), event, { now: talk.now, facts: talk.known })
        talk.happen(event)
        events++
        expect(JSON.stringify(given)).toBe(was)
        expect(JSON.parse(JSON.stringify(twin))).toEqual(
          JSON.parse(JSON.stringify({ run: talk.run, effects: talk.last, trail: twin.trail, done: twin.done })),
        )
        const { run } = talk
        expect(Boolean(run.wait) !== Boolean(run.ended)).toBe(true)
        if (given.ended) expect([run, talk.last]).toEqual([given, []])
        const stale =
          (event.kind === 'timer' || event.kind === 'result') && (!given.wait || event.waitId !== given.wait.id)
        if (stale) expect([run, talk.last]).toEqual([given, []])
        if (run.ended) ends.add(run.ended.why)
      }
      const numbers = talk.effects.map(({ n }) => n)
      expect(new Set(numbers).size).toBe(numbers.length)
      expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers)
      expect(Buffer.byteLength(JSON.stringify(talk.run))).toBeLessThan(MOST_RUN_BYTES)
    }
    expect(events).toBe(45_000)
    // Chance has led everywhere.
    const met = ['done', 'queue', 'agent', 'menu', 'close', 'stopped', 'takenOver', 'closed', 'silence', 'invalid']
    expect([...ends]).toEqual(expect.arrayContaining([...met, 'error', 'tooManyVisits', 'tooManySends', 'sendFailed']))
  })

  test('[FL2] a graph that is gone or empty ends with a note, and an event before the beginning does nothing', () => {
    const run = newRun({ id: runId, version: 'gone', seed: 1 })
    const context = { now: noon, facts: facts() }
    const none = { versions: {}, live: {} }
    expect(step(none, run, { kind: 'started' }, context).effects).toMatchObject([
      { guard: 'broken' },
      { kind: 'leave' },
    ])
    expect(step(none, run, { kind: 'message', text: 'oi' }, context).run).toBe(run)
    const talk = new Talk(bakery).start()
    const lost = step(none, talk.run, { kind: 'message', text: '1' }, context)
    expect(lost.run.ended?.why).toBe('broken')
    expect(new Talk({ nodes: [] }).start().run.ended?.why).toBe('broken')
  })
})

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const one of Object.values(value)) freeze(one)
}
