import { existsSync } from 'node:fs'

/**
 * A Chromium with a window, as people have it, for measuring and for pictures; or the one without, which Debian calls
 * its headless shell: the same engine, and a story in it takes about half the time.
 */
type Kind = 'window' | 'headless'

const names = {
  window: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  headless: ['chromium-headless-shell'],
}
const packageOf = { window: 'chromium', headless: 'chromium-headless-shell' }

/** The path of the one that `CHROMIUM_PATH` names, else of one of this machine. */
export const chromiumHere = (kind: Kind): string | undefined =>
  [process.env.CHROMIUM_PATH, ...names[kind].map((name) => Bun.which(name))].find((path) => path && existsSync(path)) ??
  undefined

/**
 * The path of a Chromium: the one that `CHROMIUM_PATH` names, one of this machine, or one installed from the packages
 * of this system, which only root can do. Where there is none without a window, one with a window.
 * @throws with a sentence for whoever started us, when there is none
 */
export async function findChromium(say: (sentence: string) => unknown, kind: Kind = 'window'): Promise<string> {
  const found = chromiumHere(kind)
  if (found) return found
  if (process.getuid?.() === 0 && Bun.which('apt-get')) {
    say(`No ${packageOf[kind]} here; installing the one of this system …`)
    await install(['update', '-qq'], 5)
    await install(['install', '-y', '-qq', '--no-install-recommends', packageOf[kind]], 15)
    const installed = chromiumHere(kind)
    if (installed) return installed
  }
  if (kind === 'headless') return findChromium(say)
  throw new Error(
    'Chromium is needed, and none was found. Install it (Debian: apt-get install chromium, as root), or set CHROMIUM_PATH.',
  )
}

async function install(flags: string[], minutes: number): Promise<void> {
  const child = Bun.spawn(['apt-get', ...flags], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: minutes * 60_000,
    killSignal: 'SIGKILL',
  })
  await child.exited
}
