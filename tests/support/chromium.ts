import { existsSync } from 'node:fs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The path of a Chromium: the one that `CHROMIUM_PATH` names, one of this machine, or one installed from the packages
 * of this system, which only root can do.
 * @throws with a sentence for whoever started us, when there is none
 */
export async function findChromium(say: (sentence: string) => unknown): Promise<string> {
  const look = () =>
    [process.env.CHROMIUM_PATH, ...names.map((name) => Bun.which(name))].find((path) => path && existsSync(path))
  const found = look()
  if (found) return found
  if (process.getuid?.() === 0 && Bun.which('apt-get')) {
    say('No Chromium here; installing the one of this system …')
    await install(['update', '-qq'], 5)
    await install(['install', '-y', '-qq', '--no-install-recommends', 'chromium'], 15)
    const installed = look()
    if (installed) return installed
  }
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
