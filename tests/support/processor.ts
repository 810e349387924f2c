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
