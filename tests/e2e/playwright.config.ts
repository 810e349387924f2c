import { defineConfig } from '@playwright/test'
import { chromium, launchOptions } from './browser.ts'

/** The product in Chromium. Run by `bun run test`; alone: `bun --bun node_modules/@playwright/test/cli.js test --config tests/e2e/playwright.config.ts`. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.build/browser-tests',
  // Each worker has a product and a browser of its own; two of them wait side by side on two cores.
  workers: 2,
  // What passes only the second time is a failure.
  retries: 0,
  fullyParallel: false,
  // Twice what the longest takes beside a busy process.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1280, height: 800 },
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    // Installing the app copies 25 MB into the new browser of each story, several seconds of a processor. A story in which
    // the app is installed says so: `test.use(installable)`, or as an option of `signIn`.
    serviceWorkers: 'block',
    // What moves is drawn by the processor here, sixty times a second, and stories wait until it stands.
    contextOptions: { reducedMotion: 'reduce' },
    ...(chromium ? {} : { channel: 'chromium' }),
    launchOptions,
  },
})
