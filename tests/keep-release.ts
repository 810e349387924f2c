/**
 * `bun run release:keep`, once for each release, on the commit that becomes it: keeps a database of this version with a
 * few rows in every table, and freezes the migrations. `docs/releases.md` tells when, and what follows.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { frozenName, migrationsFolder } from '../server/db/migrate.ts'
import { heldNow, type Kept } from '../sync/server/before.ts'
import { shapesVersion } from '../sync/shapes.ts'
import { testApp } from './support/app.ts'
import { dumpRelease, releasesFolder, sumsOf } from './support/release.ts'
import { twoCompanies } from './support/two-companies.ts'

const path = join(releasesFolder, `${packageJson.version}.sql`)
if (existsSync(path))
  throw new Error(`${packageJson.version} is kept already: a release is never kept anew. Raise the version first.`)
const t = await testApp()
await twoCompanies(t)
mkdirSync(releasesFolder, { recursive: true })
writeFileSync(path, await dumpRelease(t.database.sql))
writeFileSync(join(migrationsFolder, frozenName), `${JSON.stringify(sumsOf(), null, 2)}\n`)
// Pages of this version that are open when the next one takes over go on with what they have.
const held = join(import.meta.dir, '..', 'sync', 'server', 'shapes.before.json')
const before = JSON.parse(readFileSync(held, 'utf8')) as Kept
writeFileSync(held, `${JSON.stringify({ ...before, [shapesVersion]: heldNow() }, null, 2)}\n`)
await t.close()
process.exit(0)
