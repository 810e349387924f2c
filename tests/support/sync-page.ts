import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { replicaTemplate } from '../../sync/client/template.vite.ts'

let built: Promise<string> | undefined

/** The folder of a built page that holds a replica and nothing else. */
export function buildSyncPage(): Promise<string> {
  built ??= (async () => {
    const outDir = mkdtempSync(join(tmpdir(), 'sync-page-'))
    await build({
      root: join(import.meta.dir, 'sync-page'),
      configFile: false,
      plugins: [replicaTemplate()],
      publicDir: join(import.meta.dir, '../../.build/sync-page'),
      logLevel: 'error',
      optimizeDeps: { exclude: ['@electric-sql/pglite'] },
      worker: { format: 'es' },
      build: { outDir, emptyOutDir: true, target: 'es2023', minify: false },
    })
    return outDir
  })()
  return built
}
