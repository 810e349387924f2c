import { type FlowNode, type Port, portsOf } from '../../schema/flows/flows.graph.ts'

/**
 * How large a card is, computed from its words: the canvas need not draw a card to know where its lines begin, so it
 * draws only what is in sight. The card keeps to these measures in turn (pixels).
 */
export const CARD_WIDTH = 220
export const HEAD_HEIGHT = 40
export const LINE_HEIGHT = 18
export const PORT_HEIGHT = 26
const BODY_PADDING = 12
const LETTERS_IN_LINE = 30
const MOST_LINES = 4
const BOTTOM = 6

export interface CardLayout {
  width: number
  height: number
  /** Lines of text that have room. */
  lines: number
  /** Rows of ways out, each at its middle. */
  ports: readonly (Port & { y: number; hasRow: boolean })[]
}

const known = new WeakMap<FlowNode, { text: string; layout: CardLayout }>()

function linesOf(text: string): number {
  if (text === '') return 0
  let lines = 0
  for (const line of text.split('\n')) lines += Math.max(1, Math.ceil(line.length / LETTERS_IN_LINE))
  return Math.min(MOST_LINES, lines)
}

/** @param text what the card says */
export function layoutOf(node: FlowNode, text: string): CardLayout {
  const before = known.get(node)
  if (before?.text === text) return before.layout
  const lines = node.type === 'comment' ? Math.max(3, linesOf(text)) : linesOf(text)
  const body = lines > 0 ? lines * LINE_HEIGHT + BODY_PADDING : 0
  const all = portsOf(node)
  // The only way out needs no name of its own: it leaves from the head.
  const isBare = all.length === 1 && all[0]!.kind === 'next'
  const ports = all.map((port, i) => ({
    ...port,
    hasRow: !isBare,
    y: isBare ? HEAD_HEIGHT / 2 : HEAD_HEIGHT + body + i * PORT_HEIGHT + PORT_HEIGHT / 2,
  }))
  const rows = isBare ? 0 : ports.length * PORT_HEIGHT
  const layout = {
    width: CARD_WIDTH,
    height: HEAD_HEIGHT + body + rows + (body + rows > 0 ? BOTTOM : 0),
    lines,
    ports,
  }
  known.set(node, { text, layout })
  return layout
}
