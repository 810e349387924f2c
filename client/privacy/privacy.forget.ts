import type { Replica } from '../../sync/client/replica.types.ts'
import { local } from '../base/local.ts'
import { forgetMedia } from '../kit/media.ts'
import { api } from '../session/api.ts'

interface Erased {
  seq: number
  contactIds: number[]
  ticketIds: number[]
}

type Place = Pick<Replica, 'drafts' | 'outbox' | 'restart'>
/** Who was erased behind that one. */
type Ask = (after: number) => Promise<Erased>
const askServer: Ask = (after) => api.get<Erased>('/privacy/erased', { query: { after } })

/** And a user's id: up to which erasure this browser has forgotten. */
const keyOf = (userId: number) => `balcao.erased.${userId}`

let going: Promise<void> | undefined
let again = false

/**
 * Asks whom the company has erased since this browser last did, and forgets them: what was begun to them and waits to be
 * sent, their files, and all rows, which are fetched anew. Rows that are deleted would stand in the files of the database
 * until they are written over.
 */
export function forgetErased(replica: Place, userId: number, ask: Ask = askServer): Promise<void> {
  if (going) {
    again = true
    return going
  }
  return (going = look(replica, userId, ask).finally(() => {
    going = undefined
    if (again) {
      again = false
      void forgetErased(replica, userId, ask).catch(() => undefined)
    }
  }))
}

async function look(replica: Place, userId: number, ask: Ask): Promise<void> {
  const seen = local.get(keyOf(userId))
  let isNew = false
  for (let after = seen === null ? 0 : Number(seen); ; ) {
    const { seq, contactIds, ticketIds } = await ask(after)
    const theirs = new Set(ticketIds)
    for (const ticketId of ticketIds) await replica.drafts.set({ ticketId }, '')
    for (const { id, ticketId } of replica.outbox.get())
      if (ticketId !== null && theirs.has(ticketId)) await replica.outbox.discard(id)
    isNew ||= contactIds.length > 0
    if (contactIds.length === 0) {
      // A browser that has looked for the first time has rows of after the last of them.
      if (isNew && seen !== null) {
        await forgetMedia(userId)
        await replica.restart({ rebuild: true })
      }
      local.set(keyOf(userId), String(seq))
      return
    }
    after = seq
  }
}
