import { describe, expect, test } from 'bun:test'
import { facts, flow, noon } from '../../schema/flows/flows.fixture.ts'
import { type FlowGraph, nodesById } from '../../schema/flows/flows.graph.ts'
import { DRAFT, hoursTried, Trial, type TrialSetup, withHours, triedFile, triedTypes } from './flow.trial.ts'

const maria: TrialSetup = {
  ...{ name: 'Maria Souza', number: '5511999990000', email: 'maria@example.com', tags: [] },
  ...{ isNew: false, hours: 'clock' },
}

const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const never = week.map((weekdayEn) => ({ weekday: '', weekdayEn, startTime: '00:00', endTime: '00:00' }))

function tried(draft: FlowGraph | (() => FlowGraph), setup: Partial<TrialSetup> = {}, others: FlowGraph[] = []) {
  const graph = () => (typeof draft === 'function' ? draft() : draft)
  const trial: Trial = new Trial(
    {
      graphs: () => ({
        versions: {
          [DRAFT]: withHours(graph(), trial.view().setup.hours),
          ...Object.fromEntries(others.map((other, i) => [`other${i}`, other])),
        },
        live: Object.fromEntries(others.map((_, i) => [i + 1, `other${i}`])),
      }),
      facts: ({ contact, tags, hours }) =>
        facts({
          contact,
          tags: tags.map((id) => ({ id, name: `tag ${id}` })),
          hours: { company: hours === 'closed' ? never : [], connection: [], queues: {} },
        }),
      now: () => noon.getTime(),
      newId: () => '019bb2f0-0000-7000-8000-000000000001',
      seed: () => 1,
    },
    { ...maria, ...setup },
  )
  const texts = () => trial.view().lines.flatMap((line) => ('body' in line ? [line.body] : []))
  return { trial, texts, said: () => trial.view().lines.flatMap((line) => (line.kind === 'said' ? [line.body] : [])) }
}

test('a flow is tried by the hours of the connection and on the holidays of the company; made open or closed, whatever they say', () => {
  const hours = { company: [], holidays: [{ date: '2026-01-15', name: 'Feriado' }], connection: never, queues: {} }
  const draft = flow({
    h: ['hours', { of: 'company' }, { open: 'o', closed: 'c' }],
    o: ['question', { message: 'Aberto' }],
    c: ['question', { message: 'Fechado' }],
  })
  const found = (
    setup: TrialSetup['hours'],
    own: typeof hours | (Omit<typeof hours, 'connection'> & { connection: [] }),
  ) => {
    const trial = new Trial(
      {
        graphs: () => ({ versions: { [DRAFT]: withHours(draft, setup) }, live: {} }),
        facts: ({ hours: as }) => facts({ hours: hoursTried(as, own) }),
        now: () => Date.parse('2026-01-15T12:00:00-03:00'),
        newId: () => '019bb2f0-0000-7000-8000-000000000001',
        seed: () => 1,
      },
      { ...maria, hours: setup },
    )
    trial.begin()
    return trial.view().run?.node
  }
  expect(found('clock', { ...hours, holidays: [] })).toBe('c')
  expect(found('clock', { ...hours, connection: [] })).toBe('c')
  expect(found('clock', { ...hours, connection: [], holidays: [] })).toBe('o')
  expect(found('open', hours)).toBe('o')
  expect(found('closed', { ...hours, connection: [], holidays: [] })).toBe('c')
})

describe('a flow is tried:', () => {
  test('the first message begins it, and the way that was gone is known', () => {
    const { trial, texts } = tried(
      flow({
        menu: ['menu', { message: 'Olá, {{firstName}}!', options: [{ number: 1, label: 'Bolo' }] }, { a1: 'bye' }],
        bye: ['end', { then: 'close', message: 'Até já' }],
      }),
    )
    trial.hear('oi')
    expect(texts()).toEqual(['oi', 'Olá, Maria!\n\n[1] Bolo'])
    expect(trial.view().path.at).toBe('menu')
    trial.hear('7')
    expect(texts().at(-1)).toContain('Não entendi')
    trial.hear('1')
    expect(texts().at(-1)).toBe('Até já')
    expect([...trial.view().path.ways]).toEqual(['1 a menu', 'menu a1 bye'])
    expect(trial.view().path.at).toBeNull()
    // Whoever writes now writes to people.
    trial.hear('oi?')
    expect(texts().at(-1)).toBe('Até já')
  })

  test('an interval passes when the clock is moved, each at its moment', () => {
    const { trial, said } = tried(
      flow({
        one: ['interval', { seconds: 30 }, { a: 'hour' }],
        hour: ['message', { text: '{{hora}}' }, { a: 'two' }],
        two: ['interval', { seconds: 40 }, { a: 'end' }],
        end: ['message', { text: '{{hora}}' }],
      }),
    )
    trial.begin()
    expect(said()).toEqual([])
    expect(trial.dueIn()).toBe(30_000)
    trial.pass(60_000)
    expect(said()).toEqual(['12:00:30'])
    trial.passToNext()
    expect(said()).toEqual(['12:00:30', '12:01:10'])
    expect(trial.view().run?.ended?.why).toBe('done')
    expect(trial.dueIn()).toBeNull()
  })

  test('silence leads where the flow says', () => {
    const { trial, said } = tried(
      flow({
        ask: ['question', { message: 'Nome?', timeoutSeconds: 600 }, { timeout: 'later' }],
        later: ['end', { then: 'close', message: 'Depois, então' }],
      }),
    )
    trial.begin()
    trial.pass(599_000)
    expect(said()).toEqual(['Nome?'])
    trial.pass(1_000)
    expect(said()).toEqual(['Nome?', 'Depois, então'])
  })

  test('a picture and a voice note are answers, too', () => {
    const { trial } = tried(
      flow({
        ask: ['question', { message: 'Uma foto?', kind: 'file', saveAs: 'foto' }, { a: 'voice' }],
        voice: ['question', { message: 'E um áudio?', kind: 'file', saveAs: 'voz' }],
      }),
    )
    trial.begin()
    trial.hear('não tenho')
    expect(trial.view().run?.node).toBe('ask')
    trial.hear('', 'image')
    expect(trial.view().run?.vars['foto']).toBe('foto.jpg')
    trial.hear('', 'audio')
    expect(trial.view().run?.vars['voz']).toBe('voz.ogg')
  })

  test('calls go nowhere: their answer is given by hand, or does not come', () => {
    const http = flow({
      call: [
        'http',
        { url: 'https://example.com/{{number}}', saves: [{ path: 'nome', saveAs: 'cliente' }] },
        { success: 'hi', error: 'sorry' },
      ],
      hi: ['message', { text: 'Oi, {{cliente}}' }],
      sorry: ['message', { text: 'Não deu' }],
    })
    const one = tried(http)
    one.trial.begin()
    expect(one.trial.view().call).toMatchObject({
      kind: 'http',
      request: { url: ['https://example.com/', '5511999990000'] },
    })
    one.trial.answer({ kind: 'http', ok: true, status: 200, body: { nome: 'Bia' } })
    expect(one.said()).toEqual(['Oi, Bia'])
    expect(one.trial.view().call).toBeNull()

    const other = tried(http)
    other.trial.begin()
    other.trial.passToNext()
    expect(other.said()).toEqual(['Não deu'])
  })

  test('a file is not fetched: its address is shown, and what would be sent from it', () => {
    const graph = flow({
      file: ['file', { url: '{{lastText}}', caption: 'Boleto de {{name}}' }, { success: 'hi', error: 'sorry' }],
      hi: ['message', { text: 'Enviado' }],
      sorry: ['message', { text: 'Não deu' }],
    })
    const { trial, said } = tried(graph)
    trial.hear('https://banco.example/Boleto%20maio.pdf?k=1')
    const { call } = trial.view()
    expect(call).toMatchObject({ kind: 'file', url: ['https://banco.example/Boleto%20maio.pdf?k=1'] })
    const found = triedFile(call?.kind === 'file' ? call.url : [])
    expect(found).toEqual({ name: 'Boleto maio.pdf', kind: 'document' })
    const file = { path: '', name: 'Boleto maio.pdf', mimetype: triedTypes.document, size: 0 }
    trial.answer({ kind: 'file', ok: true, file })
    expect(said().at(-1)).toBe('Enviado')
    const sent = trial.view().lines.find((line) => line.kind === 'said')
    expect(sent).toMatchObject({ body: expect.stringMatching(/^Boleto de /), file: { kind: 'document' } })
    expect(triedFile(['https://a.example/foto.PNG'])).toEqual({ name: 'foto.PNG', kind: 'image' })
    expect(triedFile([''])).toEqual({ problem: 'file_no_address' })
    expect(triedFile(['amanhã'])).toEqual({ problem: 'file_address' })
  })

  test('a talk with an assistant goes on turn by turn', () => {
    const { trial, said } = tried(
      flow({
        ai: ['ai', { promptId: 1, instructions: 'Seja breve', talk: true, gatherSeconds: 0 }, { success: 'bye' }],
        bye: ['message', { text: 'Fim' }],
      }),
    )
    trial.hear('tem bolo?')
    expect(trial.view().call).toMatchObject({ kind: 'ai', text: 'tem bolo?', turn: 1 })
    trial.answer({ kind: 'ai', ok: true, text: 'Tem, sim' })
    trial.hear('quanto custa?')
    trial.answer({ kind: 'ai', ok: true, text: 'R$ 38', done: true })
    expect(said()).toEqual(['Tem, sim', 'R$ 38', 'Fim'])
  })

  test('a typebot is called by nobody: what it would answer is said by hand, until it ends', () => {
    const { trial, said } = tried(
      flow({ b: ['typebot', { integrationId: 1 }, { success: 'bye' }], bye: ['message', { text: 'Fim' }] }),
    )
    trial.hear('oi')
    expect(trial.view().call).toMatchObject({ kind: 'typebot', text: 'oi' })
    expect(trial.view().lines.at(-1)).toMatchObject({ kind: 'called', effect: { kind: 'typebot' } })
    trial.answer({ kind: 'typebot', ok: true, said: [{ body: 'Qual?', typingMs: 0 }], session: {} })
    expect(trial.view().call).toBeNull()
    trial.hear('este')
    expect(trial.view().call).toMatchObject({ kind: 'typebot', text: 'este' })
    trial.answer({ kind: 'typebot', ok: true, said: [{ body: 'Certo', typingMs: 0 }], session: null })
    expect(said()).toEqual(['Qual?', 'Certo', 'Fim'])
  })

  test('what the flow writes of the contact counts in its next steps, and is forgotten when it begins again', () => {
    const { trial, said } = tried(
      flow({
        tag: ['tag', { tagId: 4, action: 'add' }, { a: 'name' }],
        name: ['field', { field: 'name', value: 'Bia' }, { a: 'wait' }],
        wait: ['question', { message: '?', kind: 'any' }, { a: 'hi' }],
        hi: ['message', { text: 'Oi, {{name}}' }],
      }),
    )
    trial.begin()
    expect(trial.view().known).toMatchObject({ contact: { name: 'Bia' }, tags: [4] })
    trial.hear('ok')
    expect(said().at(-1)).toBe('Oi, Bia')
    trial.restart()
    expect(trial.view().known).toMatchObject({ contact: { name: 'Maria Souza' }, tags: [] })
    expect(trial.view().lines).toEqual([])
  })

  test('it is open, or closed, as whoever tries it wishes', () => {
    const own = { weekday: '', weekdayEn: 'thursday' as const, startTime: '08:00', endTime: '09:00' }
    const graph = flow({
      hours: ['hours', { of: 'own', schedules: [own] }, { open: 'yes', closed: 'no' }],
      yes: ['message', { text: 'Aberto' }],
      no: ['message', { text: 'Fechado' }],
    })
    for (const [hours, text] of [
      ['clock', 'Fechado'],
      ['open', 'Aberto'],
      ['closed', 'Fechado'],
    ] as const) {
      const { trial, said } = tried(graph, { hours })
      trial.begin()
      expect(said()).toEqual([text])
    }
  })

  test('somebody new has no more than a name and a number', () => {
    const { trial, said } = tried(flow({ hi: ['message', { text: '{{name}} {{email}}.' }] }), {
      isNew: true,
      tags: [3],
    })
    trial.begin()
    expect(said()).toEqual(['Maria Souza .'])
    expect(trial.view().known.tags).toEqual([])
  })

  test('it begins anywhere, and what is drawn meanwhile counts at once', () => {
    let graph = flow({
      one: ['message', { text: 'um' }, { a: 'two' }],
      two: ['question', { message: 'dois?', kind: 'any' }, { a: 'three' }],
      three: ['message', { text: 'três' }],
    })
    const { trial, said } = tried(() => graph)
    trial.begin('two')
    graph = flow({
      two: ['question', { message: 'dois?', kind: 'any' }, { a: 'x' }],
      x: ['message', { text: 'outro' }],
    })
    trial.hear('sim')
    expect(said()).toEqual(['dois?', 'outro'])
    expect([...trial.view().path.gone]).toEqual(['two', 'x'])
  })

  test('a block that is gone ends the test with a note instead of an error', () => {
    let graph = flow({ ask: ['question', { message: '?', kind: 'any' }, { a: 'gone' }] })
    const { trial } = tried(() => graph)
    trial.begin()
    graph = flow({})
    trial.hear('oi')
    expect(trial.view().run?.ended?.why).toBe('broken')
    expect(trial.view().lines.some((line) => line.kind === 'did' && line.effect.kind === 'note')).toBe(true)
  })

  test('in a flow that is called the block that calls it is where it stands', () => {
    const graph = flow({ call: ['flow', { flowId: 1 }, { a: 'back' }], back: ['message', { text: 'de volta' }] })
    const { trial, said } = tried(graph, {}, [flow({ ask: ['question', { message: 'Lá?', kind: 'any' }] })])
    trial.begin()
    expect(said()).toEqual(['Lá?'])
    expect(trial.view().path.at).toBe('call')
    trial.hear('sim')
    expect(said()).toEqual(['Lá?', 'de volta'])
    expect([...trial.view().path.ways]).toContain('call a back')
    expect(nodesById(graph).has('call')).toBe(true)
  })
})
