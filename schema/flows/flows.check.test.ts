import { expect, test } from 'bun:test'
import { calledAtOnce, checkFlow, hasErrors, type KnownToFlow } from './flows.check.ts'
import { dice, flow, randomGraph, Talk } from './flows.fixture.ts'
import { type FlowGraph, newGraph, newNode } from './flows.graph.ts'
import { mergeablesOf, merged } from './flows.merge.ts'

/** Codes by node, without the warnings that a test does not mean. */
const codes = (graph: FlowGraph, known?: KnownToFlow, without = ['unconnected', 'unreachable']) =>
  checkFlow(graph, known)
    .filter(({ code }) => !without.includes(code))
    .map(({ nodeId, code, part, name }) =>
      [nodeId ?? '', code, ...[part ?? name].filter((one) => one != null)].join(' '),
    )
const of = (...row: Parameters<typeof flow>[0][string]) => codes(flow({ n: row }))

test('[FL40] a flow needs one start, and its nodes have ids of their own', () => {
  expect(codes({ nodes: [newNode('message', 'm', 0, 0)] })).toContain(' startMissing')
  expect(codes({ nodes: [...newGraph().nodes, newNode('start', '2', 0, 0)] })).toEqual(['2 startTwice'])
  expect(codes({ nodes: [...newGraph().nodes, newNode('end', '1', 0, 0)] })).toContain('1 idTwice')
})

test('[FL41] texts, files, options and elements are filled in', () => {
  expect(of('message', { text: ' ' })).toEqual(['n textEmpty'])
  expect(of('note')).toEqual(['n textEmpty'])
  expect(of('question')).toEqual(['n textEmpty'])
  expect(of('question', { kind: 'any' })).toEqual([])
  expect(of('img')).toEqual(['n fileMissing'])
  expect(codes(flow({ n: ['img', { file: 'a.png' }] }), { files: new Set() })).toEqual(['n fileGone'])
  expect(of('menu', { message: 'Oi', options: [] })).toEqual(['n optionsMissing'])
  const options = [
    { number: 1, label: 'a' },
    { number: 1, label: '' },
  ]
  expect(of('menu', { options })).toEqual(['n textEmpty', 'n optionEmpty 1', 'n optionTwice 1'])
  expect(of('singleBlock')).toEqual(['n blockEmpty'])
  expect(
    of('singleBlock', {
      elements: [
        { id: 'a', kind: 'message', text: '' },
        { id: 'b', kind: 'interval', seconds: 121 },
        { id: 'c', kind: 'audio', file: '', name: '', record: true },
        { id: 'd', kind: 'message', text: 'ok' },
      ],
    }),
  ).toEqual(['n textEmpty 0', 'n intervalOutOfRange 1', 'n fileMissing 2'])
})

test('[FL41] an interval is of 1 to 120 seconds, the randomizer goes from 0 to 100 in steps of 10', () => {
  for (const seconds of [1, 120]) expect(of('interval', { seconds })).toEqual([])
  for (const seconds of [0, 121]) expect(of('interval', { seconds })).toEqual(['n intervalOutOfRange'])
  for (const percent of [0, 50, 100]) expect(of('randomizer', { percent })).toEqual([])
  for (const percent of [5, 101]) expect(of('randomizer', { percent })).toEqual(['n percentOutOfRange'])
})

test('[FL41] conditions say what they compare', () => {
  const rule = { of: 'variable', key: '', operator: 'equals', value: '' } as const
  expect(of('condition')).toEqual(['n variableMissing'])
  expect(of('condition', { mode: 'rules' })).toEqual(['n rulesMissing'])
  expect(of('condition', { mode: 'rules', rules: [{ ...rule, of: 'text' }, rule] })).toEqual(['n variableMissing 1'])
  expect(of('condition', { mode: 'cases' })).toEqual(['n rulesMissing'])
  expect(of('condition', { mode: 'cases', cases: [{ label: '', match: 'all', rules: [] }] })).toEqual([
    'n rulesMissing 0',
  ])
})

test('[FL42] queues, people, tags, prompts, typebots and flows are chosen, and are there', () => {
  expect(of('ticket')).toEqual(['n queueMissing'])
  expect(of('agent')).toEqual(['n userMissing'])
  expect(of('tag')).toEqual(['n tagMissing'])
  expect(of('ai')).toEqual(['n promptMissing'])
  expect(of('ai', { promptId: 2 })).toEqual([])
  expect(of('typebot')).toEqual(['n typebotMissing'])
  expect(of('typebot', { integrationId: 2 })).toEqual([])
  const bot = flow({ n: ['typebot', { integrationId: 2 }] })
  const own = (typebots: number[]) => checkFlow(bot, { typebots: new Set(typebots) }).map(({ code }) => code)
  expect([own([1]), own([2])].map((codes) => codes.includes('typebotMissing'))).toEqual([true, false])
  expect(of('flow')).toEqual(['n flowMissing'])
  expect(of('hours', { of: 'queue' })).toEqual(['n queueMissing'])
  expect(of('hours', { of: 'own', timeZone: 'nowhere' })).toEqual(['n zoneUnknown nowhere'])
  expect(of('field', { field: 'extra' })).toEqual(['n textEmpty', 'n fieldMissing'])
  const graph = flow({ t: ['ticket', { queueId: 7 }], f: ['flow', { flowId: 3 }] })
  expect(codes(graph, { queues: new Set([7]), flows: new Set([3]) })).toEqual([])
  expect(codes(graph, { queues: new Set(), flows: new Set() })).toEqual(['t queueMissing', 'f flowMissing'])
  expect(codes(flow({ f: ['flow', { flowId: 3 }] }), { self: 3, flows: new Set() })).toEqual([])
  expect(codes(flow({ f: ['flow', { flowId: 3 }, { a: 'e' }], e: ['end'] }), { self: 3 })).toEqual(['f flowItself'])
})

test('[FL43] no contact chooses the host that is called, and secrets are there', () => {
  expect(of('http', { url: 'https://api.example.com/c?n={{number}}' })).toEqual([])
  expect(of('http', { url: 'http://api.example.com' })).toEqual(['n urlOpen'])
  for (const url of ['', 'ftp://a.example', 'https://', 'a.example', 'javascript:alert(1)'])
    expect([url, ...of('http', { url })]).toEqual([url, 'n urlWrong'])
  for (const url of ['https://{{x}}/', 'https://api.{{x}}.example.com/', 'https://a.example{{x}}', '{{x}}'])
    expect([url, ...of('http', { url })]).toEqual([url, 'n urlHost'])
  const headers = [
    { name: 'Accept', value: 'text/html' },
    { name: 'Authorization', value: 'Bearer 1' },
    { name: 'X-Api-Key', value: '{{secret:chave}}' },
  ]
  expect(of('http', { url: 'https://a.example', headers })).toEqual(['n secretOpen 1'])
  const secret = flow({ n: ['http', { url: 'https://a.example/?k={{secret:chave}}' }] })
  expect(codes(secret, { secrets: new Set() })).toEqual(['n secretUnknown chave'])
  expect(codes(secret, { secrets: new Set(['chave']) })).toEqual([])
})

test('[FL97] the address of a file is there, and one of the web where it does not begin with a placeholder', () => {
  for (const url of ['', ' ']) expect(of('file', { url })).toEqual(['n addressEmpty'])
  for (const url of [
    'ftp://a.example/b',
    'a.example/b.pdf',
    'https://',
    'javascript:alert(1)',
    'ftp://{{x}}/',
    'x{{x}}',
  ])
    expect([url, ...of('file', { url })]).toEqual([url, 'n addressWrong'])
  for (const url of [
    '{{x}}',
    '{{x}}/2.pdf',
    'http://a.example/b.pdf',
    'https://a.example/{{x}}.pdf?k={{secret:chave}}',
  ])
    expect([url, ...of('file', { url })]).toEqual([url])
})

test('[FL47, FL43] the address and the words of a file name variables and secrets that are there', () => {
  const graph = flow({
    h: ['http', { url: 'https://a.example/', saves: [{ path: 'url', saveAs: 'boleto_url' }] }, { success: 'f' }],
    f: ['file', { url: '{{boleto_url}}?k={{secret:chave}}', caption: '{{boleto_de}}' }],
  })
  const known = { variables: new Set<string>(), secrets: new Set(['chave']) }
  expect(codes(graph, known)).toEqual(['f variableUnknown boleto_de'])
  expect(codes(graph, { secrets: new Set() })).toEqual(['f secretUnknown chave'])
})

test('[FL44] a type that nobody knows keeps a flow from being published', () => {
  const graph = flow({ n: ['unknown', { type: 'robot', data: {} }] })
  expect(codes(graph)).toEqual(['n typeUnknown robot'])
  expect(hasErrors(checkFlow(graph))).toBe(true)
})

test('[FL45] a way to nowhere is an error; a port without a way, a node without one to it, and a way from no port are warnings', () => {
  const all = (graph: FlowGraph) =>
    checkFlow(graph).map(({ nodeId, code, severity, port }) => [nodeId, code, severity, port].filter(Boolean).join(' '))
  expect(all(flow({ m: ['message', { text: 'a' }, { a: 'gone' }] }))).toEqual(['m targetMissing error a'])
  expect(all(flow({ m: ['message', { text: 'a' }], n: ['end', {}, { a: 'm' }], c: ['comment'] }))).toEqual([
    'm unconnected warning a',
    'n portGone warning a',
    'n unreachable warning',
  ])
  const optional = flow({
    q: ['question', { message: '?', timeoutSeconds: 9 }, { a: 'i' }],
    i: ['interval', {}, { a: 'e' }],
    e: ['end'],
  })
  expect(all(optional)).toEqual([])
})

test('[FL46] a circle in which nothing is waited for is an error; one that needs no contact, a warning', () => {
  const words = { text: 'a' }
  expect(codes(flow({ a: ['message', words, { a: 'b' }], b: ['message', words, { a: 'a' }] }))).toEqual([
    'a endlessLoop',
  ])
  expect(codes(flow({ a: ['message', words, { a: 'a' }] }))).toEqual(['a endlessLoop'])
  expect(codes(flow({ a: ['message', words, { a: 'i' }], i: ['interval', {}, { a: 'a' }] }))).toEqual([
    'a loopWithoutReply',
  ])
  expect(codes(flow({ a: ['message', words, { a: 'i' }], i: ['interval', {}, { reply: 'a' }] }))).toEqual([])
  const menu = { message: 'Oi', options: [{ number: 1, label: 'x' }], timeoutSeconds: 60 }
  expect(codes(flow({ m: ['menu', menu, { a1: 'm' }] }))).toEqual([])
  expect(codes(flow({ m: ['menu', menu, { timeout: 'm' }] }))).toEqual(['m loopWithoutReply'])
})

test('[FL46] a circle over two or three flows in which nothing is waited for is an error; a question on the way breaks it', () => {
  const calls = (flowId: number) => flow({ f: ['flow', { flowId }] })
  const asked = flow({ q: ['question', { message: '?' }, { a: 'f' }], f: ['flow', { flowId: 2 }] })
  const among = (...all: [number, FlowGraph][]) => ({
    self: 1,
    flows: new Set([1, 2, 3]),
    callsAtOnce: new Map(all.map(([id, graph]) => [id, calledAtOnce(graph)])),
  })
  expect(codes(calls(2), among([2, calls(1)]))).toEqual(['f endlessLoop'])
  expect(codes(calls(2), among([2, calls(3)], [3, calls(1)]))).toEqual(['f endlessLoop'])
  expect(codes(calls(2), among([2, asked]))).toEqual([])
  expect(codes(asked, among([2, calls(1)]))).toEqual([])
  // A circle of others is theirs.
  expect(codes(calls(2), among([2, calls(3)], [3, calls(2)]))).toEqual([])
})

test('[FL47] a placeholder that nobody fills is a warning', () => {
  const graph = flow({
    q: ['question', { message: 'Oi {{name}} {{lastText}} {{cidade}}', saveAs: 'Pedido' }, { a: 'm' }],
    m: ['message', { text: '{{pedido}} {{pedido_id}} {{predido}}' }],
  })
  expect(codes(graph)).toEqual([])
  expect(codes(graph, { variables: new Set(['Cidade']) })).toEqual(['m variableUnknown predido'])
})

test('[FL47] a name that a condition compares, and that nobody fills, is a warning; a field that a flow writes is known', () => {
  const rule = { of: 'variable', key: 'cdade', operator: 'equals', value: 'Recife' } as const
  const graph = flow({
    f: ['field', { field: 'extra', extraName: 'Bairro', value: '{{cidade}}' }, { a: 'c' }],
    c: ['condition', { mode: 'single', key: '{{cdade}}', value: '{{bairro}}' }],
    r: ['condition', { mode: 'rules', rules: [rule, { ...rule, of: 'contact', key: 'email' }] }],
    s: ['condition', { mode: 'cases', cases: [{ label: 'x', match: 'all', rules: [{ ...rule, of: 'contact' }] }] }],
  })
  expect(codes(graph)).toEqual([])
  const unknown = ['c variableUnknown cdade', 'r variableUnknown cdade', 's variableUnknown cdade']
  expect(codes(graph, { variables: new Set(['cidade']) })).toEqual(unknown)
})

test('[FL46] any graph can be checked; one that has no error does not run in circles', () => {
  let clean = 0
  for (let seed = 0; seed < 2_000; seed++) {
    const roll = dice(seed)
    const graph = randomGraph(roll, seed % 2 ? 30 : 5)
    const known = { variables: new Set<string>(), queues: new Set<number>() }
    const problems = checkFlow(graph, known)
    for (const { nodeId } of problems) expect(nodeId === null || graph.nodes.some(({ id }) => id === nodeId)).toBe(true)
    if (problems.some(({ code }) => code === 'endlessLoop')) continue
    clean++
    const talk = new Talk(graph).start()
    expect(talk.run.ended?.why).not.toBe('tooManyVisits')
  }
  expect(clean).toBeGreaterThan(300)
})

test('[FL46] a thousand nodes are checked while one waits', () => {
  const rows: Parameters<typeof flow>[0] = {}
  for (let i = 0; i < 999; i++) rows[`m${i}`] = ['message', { text: 'a' }, { a: `m${(i + 1) % 999}` }]
  expect(codes(flow(rows))).toEqual(['m0 endlessLoop'])
})

test('[FL48] where each message is charged, two that follow one another could be one, and are joined as they were said', () => {
  const graph = flow({
    n: ['message', { text: 'Oi, {{nome}}!' }, { a: 'm' }],
    m: ['message', { text: 'Tudo bem?' }, { a: 'b' }],
    b: [
      'singleBlock',
      {
        elements: [
          { id: 'x', kind: 'message', text: 'um' },
          { id: 'y', kind: 'message', text: 'dois' },
          { id: 'z', kind: 'interval', seconds: 1 },
          { id: 'w', kind: 'message', text: 'três' },
        ],
      },
    ],
  })
  expect(codes(graph)).toEqual([])
  expect(codes(graph, { charged: true })).toEqual(['n couldBeOne', 'b couldBeOne 0'])
  expect(hasErrors(checkFlow(graph, { charged: true }))).toBe(false)
  const [one, gone] = merged(graph, { nodeId: 'n' })
  expect([one, gone]).toMatchObject([
    { id: 'n', data: { text: 'Oi, {{nome}}!\n\nTudo bem?' }, exits: { a: 'b' } },
    { gone: 'm' },
  ])
  const [block] = merged(graph, { nodeId: 'b', part: 0 })
  expect(block).toMatchObject({ data: { elements: [{ id: 'x', text: 'um\n\ndois' }, { id: 'z' }, { id: 'w' }] } })
  // What is no pair any more is left alone.
  for (const place of [{ nodeId: 'm' }, { nodeId: 'b', part: 1 }, { nodeId: 'b' }, { nodeId: 'nobody' }])
    expect(merged(graph, place)).toEqual([])
})

test('[FL48] messages are no pair where another way leads between them, where one message cannot hold both, or in a circle', () => {
  const charged = { charged: true }
  const long = flow({
    n: ['message', { text: 'a'.repeat(4_000) }, { a: 'm' }],
    m: ['message', { text: 'b'.repeat(95) }],
  })
  expect(codes(long, charged)).toEqual([])
  const twice = flow({
    n: [
      'menu',
      {
        message: 'Oi',
        options: [
          { number: 1, label: 'a' },
          { number: 2, label: 'b' },
        ],
      },
      { a1: 'x', a2: 'y' },
    ],
    x: ['message', { text: 'x' }, { a: 'y' }],
    y: ['message', { text: 'y' }],
  })
  expect(codes(twice, charged)).toEqual([])
  expect(codes(flow({ n: ['message', { text: 'n' }, { a: 'n' }] }), charged)).not.toContain('n couldBeOne')
})

test('[FL48] whatever is joined, a contact is told the same words in the same order', () => {
  const random = dice(48)
  for (let i = 0; i < 200; i++) {
    const texts = Array.from({ length: 2 + Math.floor(random() * 6) }, (_, at) => `t${at}`)
    let graph = flow(
      Object.fromEntries(
        texts.map((text, at) => [`n${at}`, ['message', { text }, at + 1 < texts.length ? { a: `n${at + 1}` } : {}]]),
      ) as Parameters<typeof flow>[0],
    )
    for (let places = mergeablesOf(graph); places.length > 0; places = mergeablesOf(graph)) {
      const edits = merged(graph, places[Math.floor(random() * places.length)]!)
      const gone = new Set(edits.flatMap((edit) => ('gone' in edit ? [edit.gone] : [])))
      const put = new Map(edits.flatMap((edit) => ('gone' in edit ? [] : [[edit.id, edit]])))
      graph = { nodes: graph.nodes.flatMap((node) => (gone.has(node.id) ? [] : [put.get(node.id) ?? node])) }
    }
    expect(graph.nodes.flatMap(({ type, data }) => (type === 'message' ? [data.text] : []))).toEqual([
      texts.join('\n\n'),
    ])
  }
})
