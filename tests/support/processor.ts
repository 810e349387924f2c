import type { Page } from '@playwright/test'

/**
 * Answers, at each call, how long the page's main thread has worked since the call before, in ms of processor time: what a
 * page costs, however busy the machine is beside it. Holds until the page is loaded anew.
 */
export async function processorOf(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000
  }
  let before = await worked()
  return async () => {
    const now = await worked()
    const since = now - before
    before = now
    return since
  }
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Processor time, in microseconds. */
  tdur?: number
  args: { name?: string }
}

/**
 * The longest time, in ms of processor time, that an open page did one thing without a pause while `what` was done and
 * painted: so long nobody could have typed. A busy machine beside it makes it no longer. One at a time for each browser.
 */
export async function longestTask(page: Page, what: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['toplevel'] })
  let events: TraceEvent[]
  try {
    await what()
    await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))))
  } finally {
    events = (JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }).traceEvents
  }
  const ofPages = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const tasks = events.filter(
    ({ name, pid, tid, tdur }) =>
      name.endsWith('::RunTask') && tdur !== undefined && ofPages.some((page) => page.pid === pid && page.tid === tid),
  )
  if (tasks.length === 0) throw new Error('The trace of the browser holds no task of a page')
  return Math.max(...tasks.map(({ tdur }) => tdur!)) / 1_000
}
