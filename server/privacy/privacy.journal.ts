import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/**
 * Beside the backups, and in the data directory: which erasures there were, as keyed hashes. A backup that is older than one
 * of them still holds what was erased; when it is restored, the erasure is repeated by this.
 */
export const journalName = 'erasures.jsonl'
/** In the data directory: the folders in which backups lie. */
const placesName = 'backups.list'

export interface Remembered {
  id: string
  companyId: number
  contactId: number
  /** Of what the contact was known by, see `Sealer.mark`. */
  hashes: readonly string[]
  /** ISO instant. */
  at: string
}

export const rememberedOf = (row: {
  id: string
  companyId: number
  contactId: number
  hashes: readonly string[]
  createdAt: Date
}): Remembered => ({
  ...{ id: row.id, companyId: row.companyId, contactId: row.contactId, hashes: row.hashes },
  at: row.createdAt.toISOString(),
})

/** What stands in the journal of a folder, in its order. A line that was cut off by a crash is none. */
export async function readJournal(folder: string): Promise<Remembered[]> {
  const text = await readFile(join(folder, journalName), 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    try {
      const one = JSON.parse(line) as Remembered
      return typeof one.id === 'string' && Array.isArray(one.hashes) ? [one] : []
    } catch {
      return []
    }
  })
}

/** Adds what is not there yet, on the disk when it resolves. */
async function addTo(folder: string, lines: readonly Remembered[]): Promise<void> {
  const known = new Set((await readJournal(folder)).map(({ id }) => id))
  const fresh = lines.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return
  const file = await open(join(folder, journalName), 'a', 0o600)
  try {
    // Behind half a line that a crash has left.
    await file.write(`\n${fresh.map((one) => JSON.stringify(one)).join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The same journal in a data directory that is being made of a backup, or in a backup that came out of a bucket. */
export const copyJournal = (lines: readonly Remembered[], folder: string): Promise<void> => addTo(folder, lines)

/** The folders in which backups of this data directory were written, as far as they are there now. */
async function backupFolders(dataDir: string): Promise<string[]> {
  const text = await readFile(join(dataDir, placesName), 'utf8').catch(() => '')
  return [...new Set(text.split('\n').filter((line) => line !== ''))].filter((folder) => existsSync(folder))
}

/**
 * Writes an erasure down in the data directory and beside each backup that can be reached; those that cannot, get it with
 * the next backup.
 */
export async function rememberErasure(dataDir: string, one: Remembered): Promise<void> {
  await addTo(dataDir, [one])
  for (const folder of await backupFolders(dataDir)) await addTo(folder, [one]).catch(() => undefined)
}

/** A backup was written: from here on erasures are noted beside it, and those until now are. */
export async function rememberBackup(dataDir: string, backup: string, lines: readonly Remembered[]): Promise<void> {
  const folder = dirname(resolve(backup))
  if (!(await backupFolders(dataDir)).includes(folder)) {
    const file = await open(join(dataDir, placesName), 'a', 0o600)
    try {
      await file.write(`${folder}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  }
  await addTo(folder, [...(await readJournal(dataDir)), ...lines])
}
