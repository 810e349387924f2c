import { defineConfig } from '@playwright/test'
import type { EngineOptions } from './engines.fixtures.ts'

/** The stories of `bun run engines`: each in each engine, one after the other. Playwright runs them, and drives nothing. */
export default defineConfig<EngineOptions>({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../.build/engines',
  workers: 1,
  retries: 0,
  fullyParallel: false,
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  projects: [
    { name: 'firefox', use: { engine: 'firefox' } },
    { name: 'webkit', use: { engine: 'webkit' } },
  ],
})
