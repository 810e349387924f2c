import { expect, test } from 'bun:test'
import { dice, flow, randomGraph } from './flows.fixture.ts'
import { edgesOf, type FlowGraph, type FlowNode, portsOf } from './flows.graph.ts'
import { layoutFlow } from './flows.layout.ts'
import { crosses, curve, lineKey, linesOf } from './flows.lines.ts'

const sizeOf = (node: FlowNode) => ({ width: 240, height: 60 + (node.id.length % 5) * 37.5 })
const sizes = (graph: FlowGraph) => new Map(graph.nodes.map((node) => [node.id, sizeOf(node)]))

/** Pairs of cards that touch. */
function overlaps(graph: FlowGraph, places = layoutFlow(graph, sizeOf)): string[] {
  const known = sizes(graph)
  const found: string[] = []
  const ids = [...places.keys()]
  for (const [i, a] of ids.entries())
    for (const b of ids.slice(i + 1)) {
      const [p, q, s, t] = [places.get(a)!, places.get(b)!, known.get(a)!, known.get(b)!]
      if (p.x < q.x + t.width && q.x < p.x + s.width && p.y < q.y + t.height && q.y < p.y + s.height)
        found.push(`${a} ${b}`)
    }
  return found
}

test('[FL60] every node gets a place, and no two cards overlap, whatever the flow looks like', () => {
  for (let seed = 0; seed < 400; seed++) {
    const graph = randomGraph(dice(seed), seed % 10 === 0 ? 80 : 20)
    const places = layoutFlow(graph, sizeOf)
    expect([...places.keys()].toSorted()).toEqual(graph.nodes.map(({ id }) => id).toSorted())
    expect([seed, ...overlaps(graph, places)]).toEqual([seed])
    expect(layoutFlow(graph, sizeOf)).toEqual(places)
    expect(places.get('1')).toEqual({ x: graph.nodes[0]!.x, y: graph.nodes[0]!.y })
  }
})

test('[FL61] a way leads to the right, except where it leads back in a circle', () => {
  const graph = flow({
    m: [
      'menu',
      { options: [1, 2, 3].map((number) => ({ number, label: `${number}` })) },
      { a1: 'x', a2: 'y', a3: 'z' },
    ],
    x: ['message', {}, { a: 'z' }],
    y: ['message', {}, { a: 'm' }],
    z: ['message', {}, { a: 'e' }],
    e: ['end'],
    lost: ['message', {}, { a: 'e' }],
    paper: ['comment'],
  })
  const places = layoutFlow(graph, sizeOf)
  const leftwards = edgesOf(graph).filter(({ source, target }) => places.get(source)!.x >= places.get(target)!.x)
  expect(leftwards).toEqual([{ source: 'y', port: 'a', target: 'm' }])
  expect(places.get('paper')!.y).toBeLessThan(Math.min(...['1', 'm', 'x', 'lost'].map((id) => places.get(id)!.y)))
})

test('[FL61] the ways of a menu stand below one another in its order, and no line of a tree crosses another', () => {
  const rows: Parameters<typeof flow>[0] = {}
  const grow = (id: string, depth: number) => {
    const options = depth > 3 ? [] : [1, 2, 3].slice(0, 1 + ((depth + id.length) % 3))
    const exits = Object.fromEntries(options.map((number) => [`a${number}`, `${id}${number}`]))
    rows[id] = ['menu', { options: options.map((number) => ({ number, label: 'x' })) }, exits]
    for (const number of options) grow(`${id}${number}`, depth + 1)
  }
  grow('m', 0)
  const graph = flow(rows)
  const places = layoutFlow(graph, sizeOf)
  const edges = edgesOf(graph)
  const crossing = edges.filter((one) =>
    edges.some((other) => {
      const [a, b, c, d] = [one.source, one.target, other.source, other.target].map((id) => places.get(id)!)
      return a!.x === c!.x && b!.x === d!.x && a!.y < c!.y && b!.y > d!.y
    }),
  )
  expect(graph.nodes.length).toBeGreaterThan(15)
  expect(crossing).toEqual([])
})

test('[FL60] three hundred nodes are arranged at once', () => {
  const roll = dice(1)
  let graph = randomGraph(roll, 300)
  while (graph.nodes.length < 280) graph = randomGraph(roll, 300)
  layoutFlow(graph, sizeOf)
  const begin = process.cpuUsage()
  for (let i = 0; i < 10; i++) layoutFlow(graph, sizeOf)
  const { user, system } = process.cpuUsage(begin)
  expect(hidden(graph)).toEqual([])
  // Of processor time; the bench has the figure, this only tells a square from a line.
  expect((user + system) / 10_000).toBeLessThan(120)
})

/** Lines that run behind a card, once a flow was arranged. */
function hidden(graph: FlowGraph): string[] {
  const places = layoutFlow(graph, sizeOf)
  const known = sizes(graph)
  const cards = new Map([...places].map(([id, place]) => [id, { ...place, ...known.get(id)! }]))
  const portAt = (id: string, port: string) => {
    const node = graph.nodes.find((other) => other.id === id)!
    const ports = portsOf(node)
    const { height } = cards.get(id)!
    return (height * (1 + ports.findIndex((other) => other.id === port))) / (1 + ports.length)
  }
  const lines = linesOf(graph, (id) => cards.get(id)!, portAt, 20)
  const papers = new Set(graph.nodes.flatMap(({ id, type }) => (type === 'comment' ? [id] : [])))
  const toPaper = new Set(
    edgesOf(graph).flatMap((way) => (papers.has(way.target) ? [lineKey(way.source, way.port)] : [])),
  )
  return [...lines].flatMap(([key, { from, to, turns }]) => {
    // Nobody can draw a line to a sheet of paper.
    if (toPaper.has(key)) return []
    const points = turns.length > 0 ? [from, ...turns, to] : curve(from, to)
    return [...cards].flatMap(([id, card]) =>
      points.some((point, i) => i > 0 && crosses(points[i - 1]!, point, card)) ? [`${key} behind ${id}`] : [],
    )
  })
}

test('[FL61] no line runs behind a card of a flow that was arranged, whatever it looks like', () => {
  for (let seed = 0; seed < 300; seed++)
    expect([seed, ...hidden(randomGraph(dice(seed), seed % 10 === 0 ? 120 : 25))]).toEqual([seed])
})

test('[FL61] a long flow is folded into rows: three hundred blocks one after the other have about the shape of a screen', () => {
  const graph = flow(
    Object.fromEntries(
      Array.from({ length: 299 }, (_, i) => [`b${i}`, ['message', {}, i < 298 ? { a: `b${i + 1}` } : {}]] as const),
    ) as Parameters<typeof flow>[0],
  )
  const places = [...layoutFlow(graph, sizeOf).values()]
  const width = Math.max(...places.map(({ x }) => x)) - Math.min(...places.map(({ x }) => x))
  const height = Math.max(...places.map(({ y }) => y)) - Math.min(...places.map(({ y }) => y))
  expect(width / height).toBeGreaterThan(1)
  expect(width / height).toBeLessThan(2.5)
  expect(width).toBeLessThan(9_000)
  expect(hidden(graph)).toEqual([])
})
