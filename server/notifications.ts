import type postgres from 'postgres'

/** Postgres refuses a notification of 8,000 bytes or more; the id of the server stands before the lines. */
export const MAX_LINE_BYTES = 7_700
const MAX_NOTIFICATION_BYTES = 7_800

/** Lines of text to the other servers of one database. One that is lost is lost: nothing may depend on its arrival. */
export interface Notifications {
  /** Sends a line soon, with those that follow it at once. At most `MAX_LINE_BYTES`, and no line break. */
  send(line: string): void
  /** Sends what waits, and receives nothing more. */
  close(): Promise<void>
}

/**
 * @param channel the name under which the servers listen
 * @param receive is given the lines of the others, never our own
 * @param everyMs how long a line waits for others
 * @param failed is given why lines could not be sent; they are lost
 */
export async function createNotifications({
  sql,
  channel,
  everyMs,
  receive,
  failed,
}: {
  sql: Pick<postgres.Sql, 'listen' | 'notify'>
  channel: string
  everyMs: number
  receive: (line: string) => void
  failed: (err: unknown) => void
}): Promise<Notifications> {
  const me = crypto.randomUUID().slice(0, 8)
  const subscription = await sql.listen(channel, (text) => {
    const [from, ...lines] = text.split('\n')
    if (from === me) return
    for (const line of lines) receive(line)
  })
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = async () => {
    timer = undefined
    const batch = waiting
    waiting = []
    for (let at = 0; at < batch.length; ) {
      let text = `${me}\n${batch[at++]!}`
      let bytes = Buffer.byteLength(text)
      for (; at < batch.length; at++) {
        bytes += 1 + Buffer.byteLength(batch[at]!)
        if (bytes > MAX_NOTIFICATION_BYTES) break
        text += `\n${batch[at]!}`
      }
      await sql.notify(channel, text)
    }
  }
  return {
    send(line) {
      waiting.push(line)
      timer ??= setTimeout(() => void flush().catch(failed), everyMs)
    },
    async close() {
      clearTimeout(timer)
      await flush().catch(failed)
      await subscription.unlisten()
    },
  }
}
