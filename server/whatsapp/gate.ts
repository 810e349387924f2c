/**
 * What leaves on a link waits until everything that was read from it before is durable: a receipt makes WhatsApp
 * forget its copy. So the next message can be read while the last one is still on its way to the disk, and many share
 * one write.
 */
export interface Wire {
  send(data: Uint8Array, done?: (error?: Error) => void): void
}

export interface Gate {
  /** Stands before the wire from now on. A frame that waits counts as sent: bytes left promise nothing anyway. */
  guard(wire: Wire): void
  /** What leaves from now on waits for this; its failure shuts the gate. These come true in the order of the calls. */
  hold(durable: Promise<void>): void
  /** Nothing leaves any more, nor what waits. */
  shut(): void
}

/** Holds back what leaves on a link until what was read before it is on the disk. */
export function createGate(): Gate {
  let begun = 0
  let done = 0
  let isShut = false
  let waiting: { after: number; data: Uint8Array }[] = []
  let send: Wire['send'] = () => undefined

  function shut(): void {
    isShut = true
    waiting = []
  }

  return {
    guard(wire) {
      send = wire.send.bind(wire)
      wire.send = (data, sent) => {
        if (!isShut && begun === done) return send(data, sent)
        if (!isShut) waiting.push({ after: begun, data })
        sent?.()
      }
    },
    hold(durable) {
      const mine = ++begun
      durable.then(() => {
        done = mine
        let ready = 0
        while (ready < waiting.length && waiting[ready]!.after <= done) ready++
        for (const { data } of waiting.splice(0, ready)) send(data)
      }, shut)
    },
    shut,
  }
}
