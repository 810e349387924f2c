import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (secret: string | Uint8Array) => createHash('sha256').update(secret).digest()

/**
 * Whether somebody has given the right secret, state or signature. The time that it takes says nothing of the right one,
 * not even its length. An empty one is nobody's.
 */
export const isSameSecret = (given: string | Uint8Array, right: string | Uint8Array): boolean =>
  right.length > 0 && timingSafeEqual(digest(given), digest(right))
