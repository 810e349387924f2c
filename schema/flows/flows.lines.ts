import { edgesOf, type FlowGraph } from './flows.graph.ts'
import type { Place, Size } from './flows.layout.ts'

/**
 * How the lines of a drawing run: as a curve where nothing stands in between, else around the cards, through the gaps
 * between them.
 */

export interface Card extends Place, Size {}

/** A line as the canvas draws it. */
export interface Line {
  /** Where it leaves a card, and where it comes to one. */
  from: Place
  to: Place
  /** Where it turns on its way; none: one curve. */
  turns: readonly Place[]
}

/** A line begins and ends so far beside a card: the points that it hangs on stand out (pixels). */
const STANDS_OUT = 6
/** Nearest to a card that a line passes, and how far apart lines beside one another are. */
const CLEAR = 12
const APART = 5
const ABREAST = 4
/** Cards that are looked at for all lines, before the rest are curves. */
const MOST_LOOKS = 12_000_000
const SAMPLES = 24

/** The key of a line: its node and its port. */
export const lineKey = (source: string, port: string): string => `${source} ${port}`

/**
 * The lines of a graph, by key.
 *
 * @param cardOf where a node's card stands, and how large it is
 * @param portAt how far below the top of its card a way out leaves it
 * @param inAt how far below the top of its card a line comes to a node
 */
export function linesOf(
  graph: FlowGraph,
  cardOf: (id: string) => Card,
  portAt: (id: string, port: string) => number,
  inAt: number,
): Map<string, Line> {
  const cards = graph.nodes.map(({ id }) => cardOf(id))
  const byId = new Map(graph.nodes.map(({ id }, index) => [id, cards[index]!]))
  const budget = { looks: MOST_LOOKS }
  return new Map(
    edgesOf(graph).map(({ source, port, target }, index) => {
      const [out, into] = [byId.get(source)!, byId.get(target)!]
      const from = { x: out.x + out.width + STANDS_OUT, y: out.y + portAt(source, port) }
      const to = { x: into.x - STANDS_OUT, y: into.y + inAt }
      return [lineKey(source, port), { from, to, turns: turnsOf(from, to, cards, index, budget) }]
    }),
  )
}

function turnsOf(from: Place, to: Place, cards: readonly Card[], index: number, budget: { looks: number }): Place[] {
  if (budget.looks <= 0 || isClear(curve(from, to), cards, budget)) return []
  const beside = (index % ABREAST) * APART
  const [left, right] = [from.x + CLEAR + beside, to.x - CLEAR - beside]
  const lanes = [from.y, to.y, ...lanesIn(cards, Math.min(left, right), Math.max(left, right), beside)]
  budget.looks -= cards.length
  const detour = (y: number) => Math.abs(from.y - y) + Math.abs(to.y - y)
  for (const y of lanes.toSorted((a, b) => detour(a) - detour(b))) {
    const turns = [
      { x: left, y: from.y },
      { x: left, y },
      { x: right, y },
      { x: right, y: to.y },
    ]
    if (isClear([from, ...turns, to], cards, budget)) return turns
  }
  return []
}

/** Heights at which nothing stands between two sides: above and below each heap of cards that leaves no gap. */
function lanesIn(cards: readonly Card[], left: number, right: number, beside: number): number[] {
  const between = cards.filter((card) => card.x < right && card.x + card.width > left).toSorted((a, b) => a.y - b.y)
  const lanes: number[] = []
  let bottom = -Infinity
  for (const { y, height } of between) {
    if (y - CLEAR > bottom + CLEAR) {
      if (bottom > -Infinity) lanes.push(bottom + CLEAR + beside)
      lanes.push(y - CLEAR - beside)
    }
    bottom = Math.max(bottom, y + height)
  }
  if (bottom > -Infinity) lanes.push(bottom + CLEAR + beside)
  return lanes
}

/** The curve that the canvas draws between two points, as short straight pieces. */
export function curve(from: Place, to: Place): Place[] {
  const across = to.x - from.x
  const pull = across >= 0 ? across / 2 : 0.25 * 25 * Math.sqrt(-across)
  const [a, b] = [from.x + pull, to.x - pull]
  return Array.from({ length: SAMPLES + 1 }, (_, i) => {
    const t = i / SAMPLES
    const s = 1 - t
    return {
      x: s * s * s * from.x + 3 * s * s * t * a + 3 * s * t * t * b + t * t * t * to.x,
      y: (s * s * s + 3 * s * s * t) * from.y + (3 * s * t * t + t * t * t) * to.y,
    }
  })
}

/** Whether no card lies on the way along those points. */
function isClear(points: readonly Place[], cards: readonly Card[], budget: { looks: number }): boolean {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y } of points) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  budget.looks -= cards.length
  for (const card of cards) {
    if (card.x >= right || card.x + card.width <= left || card.y >= bottom || card.y + card.height <= top) continue
    for (let i = 1; i < points.length; i++) if (crosses(points[i - 1]!, points[i]!, card)) return false
  }
  return true
}

/** Whether a straight piece runs through a card; to touch its border is not to. */
export function crosses(a: Place, b: Place, { x, y, width, height }: Card): boolean {
  let [enters, leaves] = [0, 1]
  for (const [start, across, low, high] of [
    [a.x, b.x - a.x, x, x + width],
    [a.y, b.y - a.y, y, y + height],
  ] as const) {
    if (across === 0) {
      if (start <= low || start >= high) return false
      continue
    }
    const [one, other] = [(low - start) / across, (high - start) / across]
    enters = Math.max(enters, Math.min(one, other))
    leaves = Math.min(leaves, Math.max(one, other))
  }
  return enters < leaves
}
