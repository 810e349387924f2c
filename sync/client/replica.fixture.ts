import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { Principal } from '../../schema/permissions.ts'
import { openReplica } from './storage.ts'
import { makeTemplate } from './template.vite.ts'
import { templateFile } from './template.ts'

/** A replica in memory, empty, opened as a browser does. */
export async function memoryReplica(): Promise<PGlite> {
  const folder = join(import.meta.dir, '../../.build')
  const path = join(folder, templateFile)
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, await makeTemplate())
  }
  return openReplica('test', 'memory', async () => new File([readFileSync(path)], 'replica.tar.gz'))
}

export const agent: Principal = {
  userId: 7,
  companyId: 1,
  name: 'Ana',
  profile: 'user',
  super: false,
  queueIds: [1],
  allTicket: true,
  whatsappId: null,
}

/** Polls until the condition holds. @throws Error with what was last seen, after the deadline */
export async function eventually<T>(
  look: () => T | Promise<T>,
  good: (seen: T) => boolean = Boolean,
  withinMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (good(seen)) return seen
    if (Date.now() > deadline) throw new Error(`It did not come true in time; last seen: ${JSON.stringify(seen)}`)
    await Bun.sleep(10)
  }
}
