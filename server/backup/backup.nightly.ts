import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dueBackupWork } from '../../schema/backups/backups.due.ts'
import type { BackupRun } from '../../schema/backups/backups.table.ts'
import type { BackupPlace } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { scratchFolder } from '../scratch.ts'
import { checkMediaAway, fetchAway, listAway, writeAway } from './backup.away.ts'
import { BackupError } from './backup.format.ts'
import { connect, type PlaceConfig } from './backup.place.ts'
import { noteRun, pastOf } from './backup.runs.writes.ts'
import { verifyRows } from './backup.verify.ts'

/** Of whoever works on the backups in the bucket: one at a time, of all servers and commands. */
const BACKUPS = 0x62_61_6c_62

export interface NightlyDeps {
  config: PlaceConfig & { backup: BackupPlace }
  db: Db
  /** Of the database itself. */
  url: string
  version: string
  now(): Date
  log: Logger
  pausesMs?: readonly number[]
}

/** Makes the daily backup, and restores one aside each week, when it is time. */
export function createNightly(deps: NightlyDeps) {
  const { config, db, url, now, log } = deps
  const cancel = new AbortController()
  let working: Promise<void> = Promise.resolve()

  const dueNow = async () => {
    const past = { made: await pastOf(db, 'made'), restored: await pastOf(db, 'restored') }
    return dueBackupWork(past, config.backup.hour, now())
  }
  const work = async () => {
    if (!(await dueNow()) || cancel.signal.aborted) return
    await alone(url, async () => {
      // Another server may have done it just now.
      const due = await dueNow()
      if (!due) return
      const began = now()
      const { pausesMs } = deps
      const tools = { log, progress: () => undefined, signal: cancel.signal, ...(pausesMs && { pausesMs }) }
      const run = await (due === 'made' ? make(deps, tools) : prove(config.backup, tools)).catch((error: unknown) => {
        if (cancel.signal.aborted) throw error
        log.error({ err: error, work: due }, 'a backup failed')
        return { name: '', error: sentenceOf(error), rows: null, files: null, bytes: null }
      })
      if (run.error === null) log.info({ ...run, work: due }, 'a backup was worked on')
      await noteRun(db, { work: due, ...run, startedAt: began, endedAt: now() })
    })
  }
  return {
    /** Does what is due, if anything is, and nobody else is at it. */
    look(): Promise<void> {
      working = work()
      return working
    },
    async stop(): Promise<void> {
      cancel.abort(new Error('the server ends'))
      await working.catch(() => undefined)
    },
  }
}

type Done = Pick<BackupRun, 'name' | 'error' | 'rows' | 'files' | 'bytes'>
interface Tools {
  log: Logger
  progress(sentence: string): void
  signal?: AbortSignal | undefined
  pausesMs?: readonly number[]
}

/** Makes a backup now. */
async function make({ config, url, version, now }: NightlyDeps, tools: Tools): Promise<Done> {
  const { name, manifest } = await writeAway(config, url, { version, now: now(), ...tools })
  return { name, error: null, rows: rowsOf(manifest), ...filesOf(manifest) }
}

/**
 * Restores the newest backup, or that one, into a Postgres of its own, compares every row, and looks for its media.
 * @throws BackupError naming what is wrong
 */
export async function prove(place: BackupPlace, { log, ...tools }: Tools, wanted?: string): Promise<Done> {
  const name = wanted ?? (await listAway(place)).at(-1)
  if (name === undefined) throw new BackupError('There is no backup in the bucket.')
  const aside = scratchFolder('prove')
  try {
    const folder = join(aside, 'backup')
    const manifest = await fetchAway(place, name, folder, { withMedia: false, ...tools })
    const { progress, signal } = tools
    await verifyRows(folder, manifest, { log, progress, ...(signal && { signal }) })
    await checkMediaAway(place, name, tools)
    return { name, error: null, rows: rowsOf(manifest), ...filesOf(manifest) }
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/**
 * Does the work unless somebody else is at the backups in the bucket.
 * @returns whether it was done
 */
export async function alone(url: string, work: () => Promise<void>): Promise<boolean> {
  const sql = connect(url)
  try {
    const held = await sql.reserve()
    try {
      const [lock] = await held<{ ours: boolean }[]>`SELECT pg_try_advisory_lock(${BACKUPS}) AS ours`
      if (!lock?.ours) return false
      await work()
      return true
    } finally {
      held.release()
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const rowsOf = ({ tables }: { tables: readonly { rows: number }[] }) => tables.reduce((sum, { rows }) => sum + rows, 0)
const filesOf = ({ files }: { files: { count: number; bytes: number } }) => ({ files: files.count, bytes: files.bytes })

/** For the operator's eyes: what of it is of the bucket stands in the cause. */
function sentenceOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  const said = cause instanceof Error ? cause : error
  return (said instanceof Error ? said.message : String(said)).slice(0, 500)
}
