import { afterPaint } from '../base/after-paint.ts'
import { createStore } from '../base/store.ts'
import { session } from '../session/session-store.ts'
import type { OutboxEntry, Replica } from '../../sync/client/replica.types.ts'
import { toastError } from '../session/failure.tsx'
import type { SendInput } from './messages.thread.ts'

export interface JustSent {
  input: SendInput
  createdAt: number
}

/**
 * What was sent in this tab and is perhaps neither in the outbox nor in the replica yet: drawn in the very frame in
 * which Enter was pressed, before anything is written anywhere.
 */
export const justSent = createStore<readonly JustSent[]>([])

/** Files sent from this tab, by message id, so that their bubbles need no download. */
const sentFiles = new Map<string, Blob>()
const keptFiles = 40

export const sentFile = (messageId: string): Blob | undefined => sentFiles.get(messageId)

session.onEnd(() => {
  justSent.set([])
  sentFiles.clear()
})

/** How long the outbox may take to show an entry that it has accepted, ms. */
const outboxLagMs = 3000

/** Sends; answers whether the outbox has it now. What is refused on the spot disappears and is told in a toast. */
export async function sendMessage(replica: Replica, input: SendInput, file?: Blob): Promise<boolean> {
  if (file) {
    sentFiles.set(input.id, file)
    if (sentFiles.size > keptFiles) sentFiles.delete(sentFiles.keys().next().value!)
  }
  justSent.set((list) => [...list, { input, createdAt: Date.now() }])
  const forget = () => justSent.set((list) => list.filter((sent) => sent.input.id !== input.id))
  // The disk, the worker and the server would all work while the bubble is being painted, and hold it up.
  await new Promise<void>(afterPaint)
  try {
    const entry = await replica.mutate('messages.send', input, file ? { file } : undefined)
    whenListed(replica, entry, forget)
    return true
  } catch (error) {
    forget()
    sentFiles.delete(input.id)
    toastError(error)
    return false
  }
}

/** Runs `then` once the outbox lists the entry: from there on it, or the row, draws the bubble. */
function whenListed(replica: Replica, entry: OutboxEntry, then: () => void): void {
  const listed = () => replica.outbox.get().some((known) => known.id === entry.id)
  if (listed()) return then()
  const done = () => {
    stop()
    clearTimeout(timer)
    then()
  }
  const stop = replica.outbox.subscribe(() => listed() && done())
  // An entry that was sent and confirmed faster than it could be listed is a row by now.
  const timer = setTimeout(done, outboxLagMs)
}
