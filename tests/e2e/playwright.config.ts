import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const chromium = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path))

/** The product in Chromium. Run by `bun run test`; alone: `bun --bun node_modules/@playwright/test/cli.js test --config tests/e2e/playwright.config.ts`. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.build/browser-tests',
  // Each worker has a product and a browser of its own; two of them wait side by side on two cores.
  workers: 2,
  // What passes only the second time is a failure.
  retries: 0,
  fullyParallel: false,
  timeout: 120_000,
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
    ...(chromium ? {} : { channel: 'chromium' }),
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        // WebAssembly is compiled once and quickly: a story ends before the slow compiler's code has paid for itself.
        '--js-flags=--liftoff-only',
        // A microphone that beeps, and nobody who has to allow it.
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
    },
  },
})
