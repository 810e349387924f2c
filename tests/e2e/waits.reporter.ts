import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter'

/** What the stories of a run waited for, together: how often and for how many milliseconds, by kind. */
export type Waits = Record<string, { count: number; ms: number }>

const isWait = ({ category }: TestStep): boolean => category === 'pw:api' || category === 'expect'

/** “Click”, “Navigate”, “Expect toBeVisible”: without what was clicked; what a story expects in its own words is “Expect”. */
function kindOf({ category, title }: TestStep): string {
  const expected = /^Expect "([\w ]+)"/.exec(title)?.[1]
  if (category === 'expect') return expected ? `Expect ${expected}` : 'Expect'
  return /^[^"'(/]+/.exec(title)?.[0].trim() ?? title
}

/** Writes the waits of a run to the file that `STORY_WAITS` names; each once, without those within another. */
export default class WaitsReporter implements Reporter {
  readonly #waits: Waits = {}

  printsToStdio(): boolean {
    return false
  }

  onStepEnd(_test: TestCase, _result: TestResult, step: TestStep): void {
    for (let around = step.parent; around; around = around.parent) if (isWait(around)) return
    if (!isWait(step)) return
    const wait = (this.#waits[kindOf(step)] ??= { count: 0, ms: 0 })
    wait.count++
    wait.ms += step.duration
  }

  onEnd(): void {
    if (process.env.STORY_WAITS) writeFileSync(process.env.STORY_WAITS, JSON.stringify(this.#waits))
  }
}
