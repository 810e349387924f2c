import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { shapesVersion } from '../shapes.ts'
import { schemaSql } from './tables.ts'
import { templateFile } from './template.ts'

/**
 * Puts the data directory of a new replica among the public files, so that a first visit unpacks a database instead
 * of making one: that takes a third of the time. Made once for each schema.
 */
export function replicaTemplate(): Plugin {
  return {
    name: 'replica-template',
    // For `last-rows.ts`, which would otherwise fetch every table before the first screen to work it out.
    config: () => ({ define: { __SHAPES_VERSION__: JSON.stringify(shapesVersion) } }),
    async configResolved({ publicDir }) {
      if (!publicDir || existsSync(join(publicDir, templateFile))) return
      mkdirSync(publicDir, { recursive: true })
      for (const old of readdirSync(publicDir)) if (/^replica-.+\.data$/.test(old)) rmSync(join(publicDir, old))
      const draft = join(publicDir, `.${templateFile}.${process.pid}`)
      writeFileSync(draft, await makeTemplate())
      renameSync(draft, join(publicDir, templateFile))
    },
  }
}

/** A gzipped tar of an empty replica's data directory. */
export async function makeTemplate(): Promise<Uint8Array> {
  // Loaded only when there is something to make: the config is read by every tool that touches the client.
  const [{ PGlite }, { initDbStartParams }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('./storage.ts'),
  ])
  const db = new PGlite({ initDbStartParams })
  await db.exec(schemaSql)
  const unused = ['template0', 'template1']
  // The browser opens one database. The others are half of the files that it would read and write.
  await db.query('UPDATE pg_database SET datistemplate = false, datallowconn = true WHERE datname = ANY($1)', [unused])
  for (const name of unused) await db.exec(`DROP DATABASE ${name}`)
  for (const statement of ['VACUUM FREEZE', 'CHECKPOINT']) await db.exec(statement)
  const file = await db.dumpDataDir('gzip')
  await db.close()
  return new Uint8Array(await file.arrayBuffer())
}
