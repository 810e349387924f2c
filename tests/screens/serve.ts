import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The client as it is built, with the replica of these tests in the place of its own. */
export async function serveScreens(): Promise<{ url: string; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-screens-'))
  await build({
    configFile: here('../../client/vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
    plugins: [
      {
        name: 'fake-replica',
        enforce: 'pre',
        resolveId: (id, importer) =>
          /\/(?:app\/)?replica\.tsx$/.test(id) && importer && !importer.includes('/tests/')
            ? here('./fake-replica.tsx')
            : undefined,
      },
    ],
  })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const file = Bun.file(join(folder, new URL(request.url).pathname))
      return new Response((await file.exists()) ? file : Bun.file(join(folder, 'index.html')))
    },
  })
  return {
    url: server.url.origin,
    async close() {
      await server.stop(true)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
