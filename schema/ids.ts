/**
 * A UUIDv7: sorts by time of making, so lists by id follow the clock. Time and chance are the caller's.
 *
 * @param nowMs milliseconds since 1970
 * @param random 10 random bytes
 */
export function uuidv7From(nowMs: number, random: Uint8Array): string {
  const hex = (n: number, width: number) => n.toString(16).padStart(width, '0')
  const bytes = [...random.subarray(0, 10)]
  bytes[0] = (bytes[0]! & 0x0f) | 0x70
  bytes[2] = (bytes[2]! & 0x3f) | 0x80
  const tail = bytes.map((b) => hex(b, 2)).join('')
  const time = hex(nowMs, 12)
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail.slice(0, 4)}-${tail.slice(4, 8)}-${tail.slice(8)}`
}

let lastMs = 0
let lastCount = 0

/**
 * A new UUIDv7 from the machine's clock and randomness. For the edges, never inside a rule. Ids of one process rise:
 * what it makes within a millisecond is counted in the twelve bits after the time, so messages that arrive together
 * stay in order.
 */
export function newId(): string {
  const random = crypto.getRandomValues(new Uint8Array(10))
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    lastCount = random[1]!
  } else if (++lastCount > 0xfff) {
    lastMs++
    lastCount = 0
  }
  random[0] = lastCount >> 8
  random[1] = lastCount & 0xff
  return uuidv7From(lastMs, random)
}

/**
 * The WhatsApp id of a message of ours: follows from our id, so that every attempt to send it is the same message
 * and its echo is recognised. 22 hex characters in the form that WhatsApp Web uses.
 */
export function widOf(messageId: string): string {
  const hex = messageId.replaceAll('-', '').toUpperCase()
  // The time part varies little between messages of one minute; the random tail makes the id.
  return `3EB0${(hex.slice(14) + hex.slice(2, 12)).slice(0, 18).padEnd(18, '0')}`
}
