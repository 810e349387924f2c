import { expect, test } from 'bun:test'
import { dice, facts, flow, randomGraph, Talk } from './flows.fixture.ts'
import { MOST_NODE_LENGTH, MOST_PARTS, nodeTypes, type FlowRule } from './flows.inputs.ts'
import type { FlowEvent } from './flows.run.ts'

/** Milliseconds of the processor that this process used for it: what else the machine does is not counted. */
function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user } = process.cpuUsage(before)
  return user / 1_000
}

/** No event may take longer. */
const MOST_MS = 100
/** The same work several times: the first compiles what it runs, and any may collect the garbage of others. */
const leastMs = (works: (() => void)[]) => Math.min(...works.map(processorMs))

const rule = (value: string): FlowRule => ({ of: 'variable', key: 'a', operator: 'notContains', value })
const ofRules = (value: string) => ({
  mode: 'cases' as const,
  cases: Array.from({ length: MOST_PARTS }, (_, index) => ({
    label: `${index}`,
    match: 'any' as const,
    rules: Array.from({ length: MOST_PARTS }, () => rule(value)),
  })),
})

test('[FL32] 190 conditions full of rules, each with a page of placeholders, end with a note and within 100 ms', () => {
  const ids = Array.from({ length: 190 }, (_, index) => `c${index}`)
  const graph = flow({
    ask: ['question', { message: 'O quê?', kind: 'any', saveAs: 'a' }, { a: 'c0' }],
    ...Object.fromEntries(
      ids.map((id, index) => [
        id,
        ['condition', ofRules('{{a}}'.repeat(60)), { default: ids[index + 1] ?? 'ask' }] as const,
      ]),
    ),
  } as Parameters<typeof flow>[0])
  const long = 'á'.repeat(1_000)
  const talks = Array.from({ length: 5 }, () => new Talk(graph).start())
  expect(leastMs(talks.map((talk) => () => void talk.hear(long)))).toBeLessThan(MOST_MS)
  expect(talks[0]!.run.ended?.why).toBe('tooMuchText')
  expect(talks[0]!.last.flatMap((effect) => (effect.kind === 'note' ? [effect.guard] : []))).toEqual(['tooMuchText'])
  expect(talks[0]!.done.at(-1)).toBe('leave')
})

test('[FL32] notes, fields, menus, calls and assistants are filled from the same budget', () => {
  const page = '{{a}}'.repeat(1_900)
  const long = 'x'.repeat(1_000)
  const nodes = {
    note: ['note', { text: page }],
    menu: ['menu', { message: page, options: [{ number: 1, label: 'um' }] }],
    http: ['http', { method: 'POST', url: 'https://example.com', body: page }],
    file: ['file', { url: 'https://example.com', caption: page }],
    ai: ['ai', { promptId: 1, instructions: page }],
    message: ['message', { text: page }],
    end: ['end', { then: 'close', message: page }],
  } as const
  for (const [name, node] of Object.entries(nodes)) {
    const graph = flow({
      ask: ['question', { message: 'O quê?', kind: 'any', saveAs: 'a' }, { a: 'it' }],
      it: node,
    } as unknown as Parameters<typeof flow>[0])
    const talk = new Talk(graph).start()
    expect(processorMs(() => void talk.hear(long))).toBeLessThan(MOST_MS)
    expect([name, talk.run.ended?.why]).toEqual([name, 'tooMuchText'])
  }
})

test('[FL34] a text that would be cut is not sent: the flow stops, and people read why', () => {
  const stopped = (talk: Talk) => [talk.run.ended?.why, talk.said, talk.done]
  const asks = (node: unknown) =>
    new Talk(
      flow({ ask: ['question', { message: 'O quê?', saveAs: 'a' }, { a: 'it' }], it: node } as Parameters<
        typeof flow
      >[0]),
    ).start()
  // 80 KB, within the budget.
  const long = asks(['message', { text: '{{lasttext}}'.repeat(27) }]).hear('x'.repeat(2_990))
  expect(stopped(long)).toEqual(['textTooLong', [], ['note', 'leave']])
  const fits = asks(['message', { text: '{{lasttext}}'.repeat(20) }]).hear('x'.repeat(2_990))
  expect([fits.run.ended?.why, fits.said[0]?.length]).toEqual(['done', 59_800])
})

test('[FL34] a variable of which only the beginning fits is no part of what a contact reads', () => {
  const call = (next: unknown) =>
    flow({
      call: [
        'http',
        { url: 'https://a.example', saves: [{ path: 'a', saveAs: 'whole', required: false }] },
        { success: 'it' },
      ],
      it: next,
      then: ['message', { text: 'Pronto' }],
    } as Parameters<typeof flow>[0])
  const answered = (next: unknown, a: string) => {
    const talk = new Talk(call(next)).start()
    const result = { kind: 'http', ok: true, status: 200, body: { a } } as const
    return talk.happen({ kind: 'result', waitId: talk.run.wait!.id, result })
  }
  const says = ['message', { text: 'Veja: {{whole}}' }]
  const big = 'x'.repeat(30_000)
  expect(answered(says, 'x'.repeat(10_000)).said).toEqual([`Veja: ${'x'.repeat(10_000)}`])
  const cut = answered(says, big)
  expect([cut.run.ended?.why, cut.said]).toEqual(['textTooLong', []])
  // What only compares it goes on, and so does what gives it another value.
  const compares = [
    'condition',
    { mode: 'rules', match: 'all', rules: [{ ...rule('y'), key: 'whole' }] },
    { true: 'then' },
  ]
  expect(answered(compares, big).said).toEqual(['Pronto'])
  const again = answered(['set', { saveAs: 'whole', value: 'curto' }, { a: 'says' }], big)
  expect([again.run.cut, again.run.ended?.why]).toEqual([undefined, 'done'])
})

test('[FL32] two flows that call each other for ever end within the event', () => {
  const calls = (flowId: number) => flow({ call: ['flow', { flowId }] })
  const talk = new Talk(calls(2), facts(), { 1: calls(2), 2: calls(1) })
  expect(processorMs(() => void talk.start())).toBeLessThan(MOST_MS)
  expect(talk.run.ended?.why).toBe('tooManyVisits')
})

test('[FL32] 200 flows at their limits, by chance: no event takes 100 ms', () => {
  const roll = dice(26)
  const one = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)]!
  const fill = ['{{a}}', '{{date}} ', '{{DATE}}{{Date}}', '{{Cidade}}', '{{lasttext}}', 'á', '{{', '{{x}}{{y}} ']
  const most = (length: number) => {
    const piece = one(fill)
    return piece.repeat(Math.floor(length / piece.length))
  }
  /** Every text as long as its node may hold it. */
  const grown = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) {
      const parts = value.map((each) => grown(each, key))
      return parts.length > 0 && key !== 'schedules'
        ? Array.from({ length: MOST_PARTS }, (_, n) => parts[n % parts.length])
        : parts
    }
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, grown(each, name)]))
    if (typeof value !== 'string') return value
    if (['text', 'message', 'invalidMessage', 'timeoutMessage', 'body', 'instructions'].includes(key))
      return most(10_000)
    if (key === 'value' || key === 'label') return most(300)
    return value
  }
  const contact = {
    ...{ name: 'ã'.repeat(100), number: '5511999990000', email: 'a@example.com' },
    extraInfo: Array.from({ length: 50 }, (_, n) => ({
      name: n === 49 ? 'Cidade' : `campo ${n}`,
      value: 'é'.repeat(1_000),
    })),
  }
  const tags = Array.from({ length: 200 }, (_, id) => ({ id, name: 'ç'.repeat(100) }))
  const vars = { a: 'õ'.repeat(3_000), x: 'x'.repeat(3_000), y: '1'.repeat(3_000) }
  const says = ['é'.repeat(4_000), '1', '#', '']
  let worst = 0
  let at = ''
  for (let n = 0; n < 200; n++) {
    const types =
      n % 3 === 0 ? nodeTypes : (['condition', 'message', 'note', 'field', 'tag', 'flow', 'randomizer'] as const)
    const graph = randomGraph(roll, 40, types)
    for (const node of graph.nodes) {
      const data = grown(node.data)
      if (JSON.stringify(data).length <= MOST_NODE_LENGTH) node.data = data as typeof node.data
    }
    const talk = new Talk(graph, facts({ contact, tags }), { 1: graph, 2: randomGraph(roll, 10) }, n)
    talk.run.vars = vars
    const happen = (event: FlowEvent) => {
      const { run } = talk
      // Once more where it was slow: what collects the garbage of the others is not this event's.
      let took = Number.POSITIVE_INFINITY
      for (let tries = 0; tries < 3 && took >= MOST_MS / 2; tries++) {
        talk.run = run
        took = Math.min(
          took,
          processorMs(() => void talk.happen(event)),
        )
      }
      if (took > worst) [worst, at] = [took, `${n} ${event.kind} ${talk.run.ended?.why}`]
    }
    happen({ kind: 'started', text: says[0]! })
    for (let turn = 0; turn < 5 && !talk.run.ended; turn++) {
      const { wait } = talk.run
      if (wait?.kind === 'job') {
        const body = { a: Array.from({ length: 2_000 }, () => 'b'.repeat(30)) }
        const type = graph.nodes.find(({ id }) => id === talk.run.node)?.type
        happen({
          ...{ kind: 'result', waitId: wait.id },
          result:
            type === 'typebot'
              ? {
                  ...{ kind: 'typebot', ok: true, session: { id: 's' } },
                  said: Array.from({ length: 20 }, () => ({ body: 'ê'.repeat(4_000), typingMs: 0 })),
                }
              : type === 'ai'
                ? { kind: 'ai', ok: true, text: 'ê'.repeat(20_000) }
                : type === 'file'
                  ? { kind: 'file', ok: true, file: { path: 'x', name: 'x', mimetype: 'audio/ogg', size: 1 } }
                  : { kind: 'http', ok: true, status: 200, body },
        })
      } else if (wait?.kind === 'timer') {
        talk.now = new Date(wait.until!)
        happen({ kind: 'timer', waitId: wait.id })
      } else happen({ kind: 'message', text: one(says) })
    }
  }
  expect({ at, worst: worst < MOST_MS }).toEqual({ at, worst: true })
}, 60_000)
