import { existsSync } from 'node:fs'
import type { EngineName } from './engine.ts'

/** What runs an engine on this machine. */
export interface Programs {
  firefox: string
  webkit: { driver: string; browser: string }
  display: string
  sound: string
}

const firstOf = (paths: readonly (string | null | undefined)[]): string | undefined =>
  paths.find((path) => path && existsSync(path)) ?? undefined

/** Debian's place of MiniBrowser holds the name of the machine's kind. */
const miniBrowser = (): string | undefined =>
  ['lib*/webkit2gtk-4.*/MiniBrowser', 'lib*/*/webkit2gtk-4.*/MiniBrowser']
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync('/usr')])
    .map((path) => `/usr/${path}`)[0]

/** The programs that are here. */
export function programsHere(): Partial<Programs> {
  const firefox = firstOf([process.env.FIREFOX_PATH, Bun.which('firefox-esr'), Bun.which('firefox')])
  const driver = firstOf([Bun.which('WebKitWebDriver')])
  const browser = miniBrowser()
  const display = firstOf([Bun.which('Xvfb')])
  const sound = firstOf([Bun.which('pulseaudio')])
  return {
    ...(firefox ? { firefox } : {}),
    ...(driver && browser ? { webkit: { driver, browser } } : {}),
    ...(display ? { display } : {}),
    ...(sound ? { sound } : {}),
  }
}

const packagesOf = {
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'gstreamer1.0-libav'],
  display: ['xvfb'],
  sound: ['pulseaudio'],
}

/**
 * The programs of these engines, installed from the packages of this system where they are missing, which only root can.
 * @throws with a sentence for whoever started us, when one is missing
 */
export async function findPrograms(
  engines: readonly EngineName[],
  say: (sentence: string) => unknown,
): Promise<Partial<Programs>> {
  const needed = [...engines, 'sound' as const, ...(engines.includes('webkit') ? (['display'] as const) : [])]
  const missing = () => needed.filter((one) => !programsHere()[one]).flatMap((one) => packagesOf[one])
  if (missing().length > 0 && process.getuid?.() === 0 && Bun.which('apt-get')) {
    say(`Installing ${missing().join(', ')} …`)
    await apt(['update', '-qq'], 5)
    await apt(['install', '-y', '-qq', '--no-install-recommends', ...missing()], 15)
  }
  if (missing().length > 0) throw new Error(`Needed, and not found (Debian’s names): ${missing().join(', ')}`)
  return programsHere()
}

async function apt(flags: string[], minutes: number): Promise<void> {
  const child = Bun.spawn(['apt-get', ...flags], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: minutes * 60_000,
    killSignal: 'SIGKILL',
  })
  await child.exited
}
