/** What the rules of flows cost by themselves, without a database: a step, and arranging a large flow. */
import { dice, facts, flow, noon, randomGraph } from '../schema/flows/flows.fixture.ts'
import { layoutFlow } from '../schema/flows/flows.layout.ts'
import { type FlowEvent, type FlowGraphs, newRun } from '../schema/flows/flows.run.ts'
import { step } from '../schema/flows/flows.step.ts'
import { type Bench, type Measure, often, spread } from './measure.ts'

const context = { now: noon, facts: facts() }

/** A menu that answers every message with three messages, a choice by chance and a comparison, and is shown again. */
const graphs: FlowGraphs = {
  versions: {
    v: flow({
      menu: [
        'menu',
        {
          message: '{{greeting}}, {{firstName}}!',
          options: [
            { number: 1, label: 'Pães' },
            { number: 2, label: 'Encomendas' },
          ],
        },
        { a1: 'hi', a2: 'hi' },
      ],
      hi: ['message', { text: 'Olá {{name}}, você escreveu {{lastText}}' }, { a: 'chance' }],
      chance: ['randomizer', { percent: 50 }, { a: 'one', b: 'one' }],
      one: ['condition', { key: 'name', condition: 6, value: 'maria' }, { true: 'two', false: 'two' }],
      two: ['message', { text: 'Um momento' }, { a: 'menu' }],
    }),
  },
  live: {},
}
const runId = '019bb2f0-0000-7000-8000-000000000001'

const bench: Bench = {
  name: 'Flows',
  async run(say) {
    const measures: Measure[] = []
    const events = 10_000
    const rates: number[] = []
    for (let round = -2; round < often(20); round++) {
      let run = step(graphs, newRun({ id: runId, version: 'v', seed: round }), { kind: 'started' }, context).run
      const begin = performance.now()
      for (let i = 0; i < events; i++) {
        const event: FlowEvent = { kind: 'message', text: i % 2 ? '1' : 'encomendas' }
        // A run ends after some hundred rounds of its menu: the next contact writes.
        if (run.ended)
          run = step(graphs, newRun({ id: runId, version: 'v', seed: i }), { kind: 'started' }, context).run
        run = step(graphs, run, event, context).run
      }
      if (round >= 0) rates.push((events / (performance.now() - begin)) * 1_000)
    }
    const sorted = rates.toSorted((a, b) => a - b)
    const median = Math.round(sorted[Math.floor(sorted.length / 2)]!)
    say(`${median.toLocaleString('en')} events a second`)
    measures.push({
      name: 'Steps of a flow that answers with three messages, the engine alone',
      target: '≥ 20,000/s',
      values: { median },
      unit: '/s',
      runs: rates.length,
      ok: median >= 20_000,
    })

    const roll = dice(1)
    let large = randomGraph(roll, 300)
    while (large.nodes.length < 290) large = randomGraph(roll, 300)
    const took: number[] = []
    for (let i = -5; i < often(40); i++) {
      const begin = performance.now()
      layoutFlow(large, () => ({ width: 260, height: 140 }))
      if (i >= 0) took.push(performance.now() - begin)
    }
    const values = spread(took)
    say(`arranging ${large.nodes.length} nodes: ${JSON.stringify(values)}`)
    measures.push({
      name: 'A flow of 300 nodes arranged',
      target: 'p50 ≤ 30 ms',
      values,
      unit: 'ms',
      runs: took.length,
      ok: values.p50 <= 30,
    })
    return measures
  },
}
export default bench
