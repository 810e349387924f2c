import { expect, test } from 'bun:test'
import { flow } from './flows.fixture.ts'
import { logOf, MOST_LOGGED, MOST_LOGGED_LENGTH } from './flows.log.ts'
import { type FlowEvent, newRun } from './flows.run.ts'
import { step } from './flows.step.ts'

const now = new Date('2026-11-20T12:00:00Z')
const facts = {
  ...{ company: { name: 'Padaria' }, user: null, contact: null, ticket: null, queue: null, tags: [] },
  ...{ language: 'pt' as const, timeZone: 'America/Sao_Paulo' },
  hours: { company: [], connection: [], queues: {} },
}
const run = newRun({ id: '0193b4a1-0c2d-7c11-9a6e-7f1f2f0b5a01', version: '1', seed: 1 })
const happens = (graph: ReturnType<typeof flow>, before: typeof run, event: FlowEvent) => {
  const after = step({ versions: { 1: graph }, live: {} }, before, event, { now, facts })
  return { run: after.run, log: logOf(before, event, after) }
}

test('[FL90] what is told of a run is bounded and legible, whatever a service answers, and masks secrets', () => {
  const call = {
    ...{
      method: 'POST' as const,
      url: 'https://a.example/{{secret:key}}',
      body: `{"k":"{{secret:key}}","x":"${'x'.repeat(9_000)}"}`,
    },
    ...{ headers: [{ name: 'authorization', value: '{{secret:key}}' }], saves: [], saveStatusAs: '' },
  }
  const graph = flow({ h: ['http', call, { success: 'e', error: 'e' }], e: ['end'] })
  const asked = happens(graph, run, { kind: 'started' })
  const [out] = asked.log!.calls
  expect(out).toMatchObject({ node: 'h', way: 'out', line: 'POST https://a.example/••••••••', isCut: true })
  expect(out!.body.length).toBeLessThanOrEqual(MOST_LOGGED_LENGTH)
  expect(JSON.stringify(asked.log)).not.toContain('secret')
  const waitId = asked.run.wait!.id
  const body = `\u0000\ud800${'é'.repeat(70_000)}`
  const told = happens(graph, asked.run, {
    kind: 'result',
    waitId,
    result: { kind: 'http', ok: true, status: 200, body },
  })
  const [back] = told.log!.calls
  expect(back).toMatchObject({ node: 'h', way: 'in', ok: true, line: 'HTTP 200', isCut: true })
  expect([back!.body.includes('\u0000'), back!.body.isWellFormed()]).toEqual([false, true])
  expect(told.log!.blocks).toEqual([{ version: '1', node: 'e', from: 'h', port: 'success', why: 'exit' }])
  expect(told.log!.ended).toBe('done')
})

test('[FL90] of one event so many blocks are told, and how many more there were; what changed nothing is not told', () => {
  const rows: Parameters<typeof flow>[0] = {}
  for (let i = 0; i < 80; i++) rows[`n${i}`] = ['note', { text: 'x' }, { a: i < 79 ? `n${i + 1}` : 'q' }]
  rows['q'] = ['question', { message: '?', kind: 'text' }]
  const { log, run: waiting } = happens(flow(rows), run, { kind: 'started' })
  expect([log!.blocks.length, log!.more, log!.node]).toEqual([MOST_LOGGED, 82 - MOST_LOGGED, 'q'])
  expect(happens(flow(rows), waiting, { kind: 'timer', waitId: 99 }).log).toBeUndefined()
})

test('[FL90] what each block did is told beside it: what was asked, answered, kept, chosen, sent and changed, and where a jump led', () => {
  const file = { file: 'k-tabela.pdf', name: 'Tabela.pdf', caption: 'Para {{nome_dela}}' }
  const main = flow({
    q: ['question', { message: 'Como se chama?', kind: 'text', saveAs: 'nome_dela' }, { a: 'm' }],
    m: ['menu', { message: 'Quer?', options: [{ number: 1, label: 'Sim' }] }, { a1: 's', invalid: 'e' }],
    s: ['set', { saveAs: 'plano', value: 'ouro de {{nome_dela}}' }, { a: 't' }],
    t: ['tag', { tagId: 7, action: 'add' }, { a: 'f' }],
    f: ['field', { field: 'extra', extraName: 'Plano', value: '{{plano}}' }, { a: 'j' }],
    j: ['flow', { flowId: 2 }, { a: 'k' }],
    k: ['ticket', { queueId: 3, message: '' }],
  })
  const other = flow({ d: ['document', file, { a: 'n' }], n: ['note', { text: 'x'.repeat(900) }] })
  const graphs = { versions: { 1: main, 2: other }, live: { 2: '2' } }
  let now_ = run
  const told = (event: FlowEvent) => {
    const after = step(graphs, now_, event, { now, facts })
    const log = logOf(now_, event, after)!
    now_ = after.run
    return {
      heard: log.heard,
      done: log.done!.map(({ at, kind, name, text }) => [at, kind, name, text].join('|')),
      log,
    }
  }
  expect(told({ kind: 'started', text: 'oi' })).toMatchObject({ heard: 'oi', done: ['1|said||Como se chama?'] })
  expect(told({ kind: 'message', text: 'Ana' })).toMatchObject({
    heard: 'Ana',
    done: ['-1|kept|nome_dela|Ana', '0|said||Quer?\n\n[1] Sim'],
  })
  const { done, log } = told({ kind: 'message', text: '1' })
  expect(done).toEqual([
    '0|kept|plano|ouro de Ana',
    '1|tag|7|',
    '2|field|Plano|ouro de Ana',
    '5|file||Tabela.pdf · Para Ana',
    `6|note||${'x'.repeat(300)}…`,
    '7|queue|3|',
  ])
  expect(log.blocks.map(({ node, from, port, why }) => [from, port, node, why].join(' '))).toEqual([
    ...['m a1 s exit', 's a t exit', 't a f exit', 'f a j exit'],
    ...['j  1 called', '1 a d exit', 'd a n exit', 'j a k returned'],
  ])
})

test('[FL90] of a call what follows the question mark is told to nobody: a token of an earlier answer is a key, too', () => {
  const line = (url: string) => {
    const call = { ...{ method: 'GET' as const, url, headers: [], body: '', saves: [], saveStatusAs: '' } }
    return happens(flow({ h: ['http', call] }), { ...run, vars: { token: 'abc' } }, { kind: 'started' }).log!.calls[0]!
      .line
  }
  expect(line('https://a.example/notas?cpf=1&t={{token}}')).toBe('GET https://a.example/notas?••••••••')
  expect(line('https://ana:abc@a.example/notas')).toBe('GET https://••••••••@a.example/notas')
})

test('[FL98] of a talk with a typebot what went out and came back is told, and why nothing came', () => {
  const graph = flow({ t: ['typebot', { integrationId: 1 }, { success: 'e', error: 'e' }], e: ['end'] })
  const asked = happens(graph, run, { kind: 'started', text: 'oi' })
  expect(asked.log!.calls).toMatchObject([{ node: 't', kind: 'typebot', way: 'out', ok: null, body: 'oi' }])
  const back = (result: Extract<FlowEvent, { kind: 'result' }>['result']) =>
    happens(graph, asked.run, { kind: 'result', waitId: asked.run.wait!.id, result }).log!.calls[0]
  expect(back({ kind: 'typebot', ok: false, why: 'broken', status: 500 })).toMatchObject({
    ...{ node: 't', kind: 'typebot', way: 'in', ok: false, line: 'broken 500', body: '' },
  })
  const file = { path: 'company1/x.png', name: 'x.png', mimetype: 'image/png', size: 1 }
  const said = [
    { body: 'Oi!', typingMs: 0 },
    { body: '', file, typingMs: 0 },
  ]
  expect(back({ kind: 'typebot', ok: true, said, session: null })).toMatchObject({ ok: true, body: 'Oi!\n\nx.png' })
})

test('[FL96] of the address of a file its key is told to nobody, and a file that was not had has its reason', () => {
  const line = (url: string) => {
    const graph = flow({ f: ['file', { url, caption: 'Boleto' }, { success: 'e', error: 'e' }], e: ['end'] })
    return happens(graph, run, { kind: 'started' }).log!.calls[0]!.line
  }
  expect(line('https://a.example/b.pdf')).toBe('https://a.example/b.pdf')
  expect(line('https://a.example/b.pdf?assinatura=abc#x')).toBe('https://a.example/b.pdf?••••••••')
  expect(line('https://a.example/b.pdf#abc')).toBe('https://a.example/b.pdf?••••••••')
  expect(line('https://ana:abc@a.example/{{secret:key}}/b')).toBe('https://••••••••@a.example/••••••••/b')
  const graph = flow({ f: ['file', { url: 'https://a.example/' }, { success: 'e', error: 'e' }], e: ['end'] })
  const asked = happens(graph, run, { kind: 'started' })
  const back = (result: Extract<FlowEvent, { kind: 'result' }>['result']) =>
    happens(graph, asked.run, { kind: 'result', waitId: asked.run.wait!.id, result }).log!.calls[0]
  expect(back({ kind: 'file', ok: false, why: 'file_refused', status: 404 })).toMatchObject({
    ...{ node: 'f', kind: 'file', way: 'in', ok: false, line: 'file_refused 404', body: '' },
  })
  const file = { path: 'company1/x.pdf', name: 'Boleto.pdf', mimetype: 'application/pdf', size: 1 }
  expect(back({ kind: 'file', ok: true, file })).toMatchObject({ ok: true, line: 'Boleto.pdf' })
})
