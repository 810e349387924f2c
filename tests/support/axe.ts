import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'

interface InPage {
  axe: { run: (context: { include: Element[] }, options: RunOptions) => Promise<AxeResults> }
}

const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/**
 * Nothing moves any more: what would still move for a moment is brought to its end, and from the first look on no colour
 * fades into another. Another theme is there in a frame then; its fading took one to two seconds of each look.
 */
async function still(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (document.adoptedStyleSheets.length > 0) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, ::before, ::after { transition: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })
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
 */
export async function axeFindings(page: Page, rules: Rules = {}): Promise<string[]> {
  const { findings, ways } = await look(page, rules)
  if (findings.length > 0) {
    const again = new Set((await look(page, rules)).findings)
    return findings.filter((finding) => again.has(finding))
  }
  for (const way of ways) rules.drawn?.add(way)
  return []
}

interface Rules {
  /** The rules to try; all of them when left out. */
  only?: readonly string[]
  /** Rules that are not tried. */
  except?: readonly string[]
  /** A selector: only what it finds is looked at. Rules about a whole page are then left out. */
  within?: string
  /**
   * Ways in which text was drawn where nothing was found, each the classes, styles and states of an element and of all
   * around it. Only text that is drawn in another way is looked at, and its way is added.
   */
  drawn?: Set<string>
}

async function look(
  page: Page,
  { only, except = [], within = 'html', drawn }: Rules,
): Promise<{ findings: string[]; ways: string[] }> {
  await still(page)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(
    async ({ only, except, within, drawn }) => {
      let include = [...document.querySelectorAll(within)]
      const ways = new Set<string>()
      if (drawn) {
        const states =
          'class style disabled data-state data-disabled data-highlighted data-side aria-selected aria-current'
        const attributes = `${states} aria-checked aria-invalid aria-pressed aria-expanded aria-disabled`.split(' ')
        const known = new Map<Element, string>()
        const wayOf = (element: Element): string => {
          const before = known.get(element)
          if (before !== undefined) return before
          const own = attributes.map((name) => element.getAttribute(name) ?? '').join('|')
          const way = `${element.parentElement ? wayOf(element.parentElement) : ''}>${element.localName}|${own}`
          known.set(element, way)
          return way
        }
        const before = new Set(drawn)
        include = include
          .flatMap((element) => [element, ...element.querySelectorAll('*')])
          .filter(
            (element) =>
              element.matches('input, textarea') ||
              [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim()),
          )
          .filter((element) => {
            const way = wayOf(element)
            if (before.has(way) || ways.has(way)) return false
            ways.add(way)
            return true
          })
      }
      if (include.length === 0) return { findings: [], ways: [] }
      const { violations } = await (globalThis as unknown as InPage).axe.run(
        { include },
        {
          resultTypes: ['violations'],
          rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
          ...(only && { runOnly: [...only] }),
        },
      )
      const findings = violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${id}: ${target.join(' ')} — ${failureSummary?.split('\n').at(1)?.trim()}`,
        ),
      )
      return { findings, ways: [...ways] }
    },
    { only, except, within, drawn: drawn && [...drawn] },
  )
}
