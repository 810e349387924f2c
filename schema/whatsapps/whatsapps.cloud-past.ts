/**
 * How much of a phone's history the official API has told. It comes in chunks, in any order; each says its phase (0: today,
 * 1: up to 90 days, 2: up to 180), its place there and how far all of it is. Pure.
 */

/** What a chunk says of itself. */
export interface PastChunk {
  phase: number
  /** Its place; null where it says none. */
  order: number | null
  /** Hundredths of the whole. */
  progress: number
}

/** What has come, by phase. Kept as JSON. */
export interface PastTold {
  [phase: string]: {
    /** Places of chunks, ascending, each once. */
    orders: number[]
    /** One of them said that all was told. */
    isEnd: boolean
    /** One of them had no place. */
    isLoose: boolean
  }
}

/** More are not remembered: then the service's word that all was told is taken. */
const MOST_ORDERS = 20_000

/** The same, with these chunks. */
export function withChunks(told: PastTold, chunks: readonly PastChunk[]): PastTold {
  const next: PastTold = { ...told }
  for (const { phase, order, progress } of chunks) {
    const known = next[phase] ?? { orders: [], isEnd: false, isLoose: false }
    const isFull = known.orders.length >= MOST_ORDERS
    const orders =
      order === null || isFull || known.orders.includes(order)
        ? known.orders
        : [...known.orders, order].sort((a, b) => a - b)
    next[phase] = {
      orders,
      isEnd: known.isEnd || progress >= 100,
      isLoose: known.isLoose || order === null || isFull,
    }
  }
  return next
}

/**
 * Whether all has come: one chunk has said so, and none is missing before it. The service's pages do not say whether places
 * are counted for each phase or through all of them, nor whether a phase without messages is told: a place that stands in
 * two phases shows that each has its own.
 */
export function isWhole(told: PastTold): boolean {
  const phases = Object.values(told)
  if (!phases.some(({ isEnd }) => isEnd)) return false
  if (phases.some(({ isLoose }) => isLoose)) return true
  const all = phases.flatMap(({ orders }) => orders)
  const isOwn = new Set(all).size < all.length
  if (!isOwn) return isUnbroken(all.sort((a, b) => a - b))
  // Where each phase ends by itself, each has an end.
  const ends = phases.filter(({ isEnd }) => isEnd).length
  return phases.every(({ orders, isEnd }) => isUnbroken(orders) && (ends === 1 || isEnd))
}

/** From the first, which is called 0 or 1. @param orders ascending, each once */
const isUnbroken = (orders: readonly number[]): boolean =>
  orders.length > 0 && orders[0]! <= 1 && orders.at(-1)! - orders[0]! === orders.length - 1
