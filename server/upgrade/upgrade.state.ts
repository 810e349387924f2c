/**
 * Which version runs on an installation, as a file beside its data. The service that starts it may still be that of a
 * version before. Imports nothing but what Bun brings along: it is read before any package is installed.
 */
import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A version as it lies in a folder. */
export interface Version {
  folder: string
  version: string
  /** Of what its server is made of: the same folder with other files is another version. */
  stamp: string
  /** The Bun that it was brought with. */
  bun: string
}

export interface Upgrades {
  /** What took over from what the service starts. */
  runs?: Version
  /** What was replaced by it, latest first. */
  before: Version[]
  last?: {
    from: Version
    to: Version
    at: string
    state: 'begun' | 'done' | 'back'
    /** Why it went back. */
    why?: string
  }
}

const MOST_BEFORE = 5
const pathIn = (dataDir: string) => join(dataDir, 'upgrade.json')

/** @param folder of a version, with its packages installed and its client built */
export function versionIn(folder: string, bun = process.execPath): Version {
  const hash = new Bun.CryptoHasher('sha256')
  const sources = ['server', 'schema', 'sync'].flatMap((part) =>
    [...new Bun.Glob('**/*').scanSync({ cwd: join(folder, part) })].map((path) => join(part, path)),
  )
  for (const path of ['package.json', 'bun.lock', ...sources.sort()])
    if (existsSync(join(folder, path))) hash.update(`${path}\0`).update(readFileSync(join(folder, path)))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { folder: realpathSync(folder), version, stamp: hash.digest('hex').slice(0, 16), bun }
}

/** What is not there, or cannot be read, tells of no upgrade. */
export function readUpgrades(dataDir: string): Upgrades {
  try {
    const read = JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as Upgrades
    return Array.isArray(read.before) ? read : { before: [] }
  } catch {
    return { before: [] }
  }
}

/** Whole or not at all: a crash leaves the one before. */
export function writeUpgrades(dataDir: string, upgrades: Upgrades): void {
  const fresh = `${pathIn(dataDir)}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(upgrades, null, 2)}\n`, { mode: 0o600 })
  renameSync(fresh, pathIn(dataDir))
}

const isSame = (a: Version, b: Version) => a.folder === b.folder && a.stamp === b.stamp

/**
 * The version to run where `own` was started: what replaced it, unless somebody has put another into its folder since, or
 * what replaced it is gone.
 */
export function versionToRun({ runs, before }: Upgrades, own: Version): Version {
  if (!runs || !before.some((one) => isSame(one, own))) return own
  return existsSync(join(runs.folder, 'server', 'launch.ts')) ? runs : own
}

/** After `to` has taken over. */
export function replaced({ before }: Upgrades, from: Version, to: Version): Pick<Upgrades, 'runs' | 'before'> {
  const others = [from, ...before].filter((one) => !isSame(one, to))
  const all = others.filter((one, at) => others.findIndex((other) => isSame(one, other)) === at)
  return { runs: to, before: all.slice(0, MOST_BEFORE) }
}
