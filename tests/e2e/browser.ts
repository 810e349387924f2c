import { existsSync } from 'node:fs'

const first = (...paths: (string | undefined)[]) => paths.find((path) => path && existsSync(path))

const args = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  // WebAssembly is compiled once and quickly: a story ends before the slow compiler's code has paid for itself.
  '--js-flags=--liftoff-only',
  // A microphone that beeps, and nobody who has to allow it.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]

const withWindow = first(
  process.env.CHROMIUM_WINDOW_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
)
/** Chromium's headless shell, where there is one. Without any the stories look for Playwright's own. */
export const chromium = first(process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell') ?? withWindow
export const launchOptions = { ...(chromium ? { executablePath: chromium } : {}), args }

/**
 * For a file whose stories are shown notifications, which the headless shell does not have:
 * `test.use({ launchOptions: inAWindow })`.
 */
export const inAWindow = { ...(withWindow ? { executablePath: withWindow } : {}), args }
