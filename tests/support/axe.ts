import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'

interface InPage {
  axe: { run: (options: RunOptions) => Promise<AxeResults> }
}

const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** Nothing moves any more: what would still move for a moment is brought to its end. */
async function still(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const moving = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity)
    for (const animation of moving) animation.finish()
    return moving.length === 0
  })
}

/**
 * What axe finds wrong in a page: of each finding the rule, where, and what to do, as a sentence; none is an empty list.
 * It runs in the page itself, once there until the page is loaded anew; frames of others are not looked into. It looks when
 * nothing moves any more: a dialog that is still fading in would have pale colours. A toast may come while it looks; only
 * what a second look finds too is wrong.
 * @param only the rules to try; all of them when left out
 * @param except rules that are not tried
 */
export async function axeFindings(page: Page, rules: Rules = {}): Promise<string[]> {
  const found = await look(page, rules)
  if (found.length === 0) return found
  const again = new Set(await look(page, rules))
  return found.filter((finding) => again.has(finding))
}

interface Rules {
  only?: readonly string[]
  except?: readonly string[]
}

async function look(page: Page, { only, except = [] }: Rules): Promise<string[]> {
  await still(page)
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
