import { edgesOf, type FlowGraph, type FlowNode, portsOf } from './flows.graph.ts'

/**
 * Arranges a flow by itself: from left to right, each node behind those that lead to it, in rows like a text where it is
 * long. All columns are one grid, whose gaps stay free from top to bottom: `flows.lines.ts` leads lines through them.
 */

export interface Size {
  width: number
  height: number
}
export interface Place {
  x: number
  y: number
}

/** Pixels between columns, and between cards of one column. */
export const COLUMN_GAP = 80
export const ROW_GAP = 32
/** Between the rows into which a long flow is folded: the lines from one to the next run there. */
export const FOLD_GAP = 96
/** So many columns are read at a glance; more are folded, to about the shape of a screen. */
const LONGEST_ROW = 8
const SHORTEST_ROW = 5
const SCREEN = 1.6
const SWEEPS = 6

interface Way {
  to: number
  /** The port's place on the card, from 0 at the top: keeps the ways of a menu in their order. */
  port: number
}

/**
 * Where each node goes. Cards do not overlap; the start stays where it is. Nodes that hang together are arranged
 * together, those that the start does not reach below, sheets of paper in a row above.
 *
 * @param sizeOf width and height of a node's card, in pixels of the canvas
 */
export function layoutFlow(graph: FlowGraph, sizeOf: (node: FlowNode) => Size): Map<string, Place> {
  const cards = graph.nodes.filter(({ type }) => type !== 'comment')
  const sizes = cards.map((node) => whole(sizeOf(node)))
  const places = new Map<string, Place>()
  const indexes = new Map(cards.map(({ id }, index) => [id, index]))
  const ways: Way[][] = cards.map(() => [])
  const portAt = cards.map((node) => new Map(portsOf(node).map(({ id }, index) => [id, index])))
  for (const { source, port, target } of edgesOf(graph)) {
    const [from, to] = [indexes.get(source), indexes.get(target)]
    if (from !== undefined && to !== undefined) ways[from]!.push({ to, port: portAt[from]!.get(port) ?? 0 })
  }

  const startAt = Math.max(
    0,
    cards.findIndex(({ type }) => type === 'start'),
  )
  let top = 0
  const pitch = COLUMN_GAP + Math.max(0, ...sizes.map(({ width }) => width))
  for (const members of parts(cards.length, startAt, ways)) {
    const found = arrange(members, ways, sizes, pitch)
    const highest = Math.min(...found.map(({ y }) => y))
    for (const [i, { x, y }] of found.entries()) places.set(cards[members[i]!]!.id, { x, y: y - highest + top })
    top = Math.max(...found.map(({ y }, i) => y - highest + top + sizes[members[i]!]!.height)) + 2 * ROW_GAP
  }

  let left = 0
  for (const node of graph.nodes) {
    if (node.type !== 'comment') continue
    const { width, height } = whole(sizeOf(node))
    places.set(node.id, { x: left, y: -height - ROW_GAP })
    left += width + ROW_GAP
  }

  const start = cards[startAt]
  const stands = start && places.get(start.id)
  if (!start || !stands) return places
  const [dx, dy] = [Math.round(start.x) - stands.x, Math.round(start.y) - stands.y]
  return new Map([...places].map(([id, { x, y }]) => [id, { x: x + dx, y: y + dy }]))
}

const whole = ({ width, height }: Size): Size => ({ width: Math.ceil(width), height: Math.ceil(height) })

/** What hangs together, the part of the start first; each in the order in which one comes to its nodes. */
function parts(count: number, startAt: number, ways: readonly Way[][]): number[][] {
  const all = Array.from({ length: count }, (_, index) => index)
  const head = [...all]
  const headOf = (index: number): number => {
    let at = index
    while (head[at] !== at) at = head[at] = head[head[at]!]!
    return at
  }
  const leads = new Set<number>()
  for (const from of all)
    for (const { to } of ways[from]!) {
      leads.add(to)
      head[headOf(from)] = headOf(to)
    }
  // Where nothing leads is a beginning; what only goes round has none.
  const roots = [startAt, ...all.filter((index) => !leads.has(index)), ...all].filter((index) => index < count)
  const seen = new Set<number>()
  const found = new Map<number, number[]>()
  for (const root of roots) {
    const members = found.get(headOf(root)) ?? []
    found.set(headOf(root), members)
    const open = [root]
    while (open.length > 0) {
      const at = open.pop()!
      if (seen.has(at)) continue
      seen.add(at)
      members.push(at)
      for (const { to } of ways[at]!.toReversed()) open.push(to)
    }
  }
  return [...found.values()]
}

/**
 * Places of the members, whose order is that in which they are first come to.
 *
 * @param pitch from one column to the next
 */
function arrange(members: readonly number[], ways: readonly Way[][], sizes: readonly Size[], pitch: number): Place[] {
  const forward = withoutCircles(members, ways)
  const back = new Map<number, Way[]>(members.map((member) => [member, []]))
  for (const member of members)
    for (const { to, port } of forward.get(member)!) back.get(to)!.push({ to: member, port })

  const rank = ranks(members, forward, back)
  const columns: number[][] = Array.from({ length: 1 + Math.max(...rank.values()) }, () => [])
  for (const member of members) columns[rank.get(member)!]!.push(member)

  const middle = new Map<number, number>()
  const put = (column: number[], wishes: ReadonlyMap<number, number>) => {
    const order = new Map(column.map((member, index) => [member, index]))
    column.sort((a, b) => wishes.get(a)! - wishes.get(b)! || order.get(a)! - order.get(b)!)
    for (const [i, y] of stack(column, wishes, sizes).entries())
      middle.set(column[i]!, y + sizes[column[i]!]!.height / 2)
  }
  for (const column of columns) put(column, new Map(column.map((member, index) => [member, index])))
  for (let sweep = 0; sweep <= SWEEPS; sweep++) {
    // The last goes from left to right: a card stands where it is come from.
    const forwards = sweep % 2 === 0
    for (const column of forwards ? columns : columns.toReversed()) {
      put(
        column,
        new Map(
          column.map((member) => {
            const near = (forwards ? back : forward).get(member)!
            const sum = near.reduce((total, { to, port }) => total + middle.get(to)! + (forwards ? port / 100 : 0), 0)
            return [member, near.length > 0 ? sum / near.length : middle.get(member)!]
          }),
        ),
      )
    }
  }

  const topOf = (member: number) => Math.round(middle.get(member)! - sizes[member]!.height / 2)
  const bands = columns.map((column) => ({
    top: Math.min(...column.map(topOf)),
    bottom: Math.max(...column.map((member) => topOf(member) + sizes[member]!.height)),
  }))
  const { length, rows } = fold(bands, pitch)
  return members.map((member) => {
    const column = rank.get(member)!
    const row = rows[Math.floor(column / length)]!
    return { x: (column % length) * pitch, y: topOf(member) - row.from + row.at }
  })
}

interface Band {
  top: number
  bottom: number
}

/** How many columns make a row, and of each row what lies highest in it, and where that goes. */
function fold(bands: readonly Band[], pitch: number): { length: number; rows: { from: number; at: number }[] } {
  const cut = (length: number) => {
    const rows: { from: number; at: number }[] = []
    let at = 0
    for (let first = 0; first < bands.length; first += length) {
      let [from, to] = [Infinity, -Infinity]
      for (const { top, bottom } of bands.slice(first, first + length)) {
        from = Math.min(from, top)
        to = Math.max(to, bottom)
      }
      rows.push({ from, at })
      at += to - from + FOLD_GAP
    }
    return { length, rows, need: Math.max((length * pitch) / SCREEN, at - FOLD_GAP) }
  }
  let best = cut(bands.length)
  if (bands.length > LONGEST_ROW)
    for (let length = SHORTEST_ROW; length < bands.length; length++) {
      const other = cut(length)
      if (other.need < best.need) best = other
    }
  return best
}

/** Tops of the cards of a column, in its order, each as near to its wish as those beside it allow. */
function stack(column: readonly number[], wishes: ReadonlyMap<number, number>, sizes: readonly Size[]): number[] {
  const blocks: { sum: number; count: number }[] = []
  let offset = 0
  const offsets = column.map((member) => {
    const before = offset
    const { height } = sizes[member]!
    offset += height + ROW_GAP
    // A card that wants to stand higher than the one before it shares a block with it, at their mean.
    let block = { sum: wishes.get(member)! - height / 2 - before, count: 1 }
    for (let last = blocks.at(-1); last && last.sum / last.count >= block.sum / block.count; last = blocks.at(-1)) {
      blocks.pop()
      block = { sum: last.sum + block.sum, count: last.count + block.count }
    }
    blocks.push(block)
    return before
  })
  const tops = blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => Math.round(sum / count)))
  return offsets.map((before, i) => before + tops[i]!)
}

/** The ways that do not lead back to where one came from. */
function withoutCircles(members: readonly number[], ways: readonly Way[][]): Map<number, Way[]> {
  const kept = new Map<number, Way[]>(members.map((member) => [member, []]))
  const state = new Map<number, 'open' | 'done'>()
  for (const root of members) {
    if (state.has(root)) continue
    const calls = [{ at: root, next: 0 }]
    state.set(root, 'open')
    while (calls.length > 0) {
      const call = calls.at(-1)!
      const way = ways[call.at]![call.next++]
      if (!way) {
        state.set(call.at, 'done')
        calls.pop()
      } else if (state.get(way.to) !== 'open') {
        kept.get(call.at)!.push(way)
        if (!state.has(way.to)) {
          state.set(way.to, 'open')
          calls.push({ at: way.to, next: 0 })
        }
      }
    }
  }
  return kept
}

/** By member, the number of nodes on the longest way to it. */
function ranks(
  members: readonly number[],
  forward: ReadonlyMap<number, Way[]>,
  back: ReadonlyMap<number, Way[]>,
): Map<number, number> {
  const rank = new Map(members.map((member) => [member, 0]))
  const missing = new Map(members.map((member) => [member, back.get(member)!.length]))
  const ready = members.filter((member) => missing.get(member) === 0)
  for (const member of ready) {
    for (const { to } of forward.get(member)!) {
      rank.set(to, Math.max(rank.get(to)!, rank.get(member)! + 1))
      missing.set(to, missing.get(to)! - 1)
      if (missing.get(to) === 0) ready.push(to)
    }
  }
  return rank
}
