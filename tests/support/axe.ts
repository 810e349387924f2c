import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'

interface InPage {
  axe: { run: (options: RunOptions) => Promise<AxeResults> }
}

const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/**
 * What axe finds wrong in a page: of each finding the rule, where, and what to do, as a sentence; none is an empty list.
 * It runs in the page itself, once there until the page is loaded anew; frames of others are not looked into.
 * @param only the rules to try; all of them when left out
 * @param except rules that are not tried
 */
export async function axeFindings(
  page: Page,
  { only, except = [] }: { only?: readonly string[]; except?: readonly string[] } = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(
    async ({ only, except }) => {
      const { violations } = await (globalThis as unknown as InPage).axe.run({
        resultTypes: ['violations'],
        rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
        ...(only && { runOnly: [...only] }),
      })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${id}: ${target.join(' ')} — ${failureSummary?.split('\n').at(1)?.trim()}`,
        ),
      )
    },
    { only, except },
  )
}
