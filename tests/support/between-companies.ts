import { afterAll, beforeAll } from 'bun:test'
import { type TestApp, testApp } from './app.ts'
import type { World } from './attempts.ts'
import { twoCompanies } from './two-companies.ts'

/**
 * For the tests of a whole file: the product with two companies that have everything, one of which, the stranger, knows
 * the other's ids.
 */
export function betweenCompanies(given: (t: TestApp, world: World) => void): void {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp()
    given(t, await twoCompanies(t))
  })
  afterAll(() => t.close())
}

/** Who asks at a path for the stranger: a person, or where programs ask, a program. */
export const tokenAt = ({ stranger }: World, path: string, person: string): string =>
  path.startsWith('/api/messages')
    ? stranger.whatsapp.token
    : path.startsWith('/api/v1')
      ? stranger.programs.key
      : person
