import { chromiumHere } from '../support/chromium.ts'

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

const withWindow = chromiumHere('window')
/** Chromium's headless shell, where there is one. Without any the stories look for Playwright's own. */
export const chromium = chromiumHere('headless') ?? withWindow

/** Names of files have accents, also where the machine speaks no language. */
const env = { ...process.env, LANG: 'C.UTF-8' }

export const launchOptions = { ...(chromium ? { executablePath: chromium } : {}), args, env }

/**
 * For a file whose stories are shown notifications, which the headless shell does not have:
 * `test.use({ launchOptions: inAWindow })`.
 */
export const inAWindow = { ...(withWindow ? { executablePath: withWindow } : {}), args, env }
