import type { Logger } from '../log.ts'

/** So long work waits for somebody to read what it says. */
const UNHEARD_MS = 60_000

interface Lines<T> {
  work: AsyncGenerator<T>
  log: Logger
  /** Called before each line is told. */
  told?(value: T): void
  /** Called once, when the work is done, given up or no longer listened to. */
  ended(): Promise<void>
}

/**
 * Answers a line of JSON for each step of long work. Nothing is done ahead of what is read: whoever goes away stops the
 * work after the step at hand.
 */
export function answerLines<T>({ work, log, told, ended }: Lines<T>): Response {
  let unheard: Timer | undefined
  const finish = async () => {
    clearTimeout(unheard)
    await work.return(undefined)
    await ended()
  }
  const encoder = new TextEncoder()
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(unheard)
      try {
        const { done, value } = await work.next()
        if (done) {
          await finish()
          return controller.close()
        }
        told?.(value)
        controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`))
        // Whoever does not read does not keep a place that others need.
        unheard = setTimeout(() => {
          void finish()
          controller.error(new Error('nobody reads the answer'))
        }, UNHEARD_MS)
      } catch (error) {
        log.error({ err: error }, 'long work broke off')
        await finish()
        controller.enqueue(encoder.encode(`${JSON.stringify({ error: 'INTERNAL_SERVER_ERROR' })}\n`))
        controller.close()
      }
    },
    // Whoever goes away cancels: what is committed stays, the rest is not begun.
    cancel: finish,
  })
  return new Response(lines, {
    headers: {
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      // A proxy that collects the answer would hide the progress.
      'x-accel-buffering': 'no',
    },
  })
}
