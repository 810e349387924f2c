/**
 * Makes a clone runnable: packages installed, client built. Used before any package is there, so this
 * file, like `launch.ts`, imports nothing but what Bun brings along.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dir, '..')

/** Where the built client lies. */
export const clientFolder = join(root, 'client', 'dist')

/** Thrown when a step fails; its message begins with what the step had to say. */
export class PrepareError extends Error {}

/** Installs the packages of `bun.lock`, unless exactly those are installed. @returns whether it had to */
export async function installPackages(say: (sentence: string) => unknown): Promise<boolean> {
  const wanted = hashOf(['bun.lock', 'package.json'])
  const stamp = join(root, 'node_modules', '.installed')
  if (contentOf(stamp) === wanted) return false
  say('Installing packages …')
  await step(['install', '--frozen-lockfile'], 'The packages could not be installed.')
  writeFileSync(stamp, wanted)
  return true
}

/**
 * The same; and where they had to be installed, this script goes on in a fresh process, for this one has already looked
 * for packages where there were none. Ends this process with the code of that one.
 */
export async function installPackagesAndGoOn(say: (sentence: string) => unknown): Promise<void> {
  if (!(await installPackages(say))) return
  const [script = '', ...rest] = process.argv.slice(1)
  const child = Bun.spawn([process.execPath, '--no-orphans', '--no-install', script, ...rest], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  process.exit(await child.exited)
}

/** Builds the client into `client/dist`, unless it was built from the very same sources. */
export async function buildClient(say: (sentence: string) => unknown): Promise<void> {
  const sources = ['client', 'sync', 'schema'].flatMap((folder) =>
    [...new Bun.Glob('**/*').scanSync({ cwd: join(root, folder), dot: true })]
      // What a build writes is none of its sources, or the next start would build again.
      .filter((path) => !/^dist\/|^public\/replica-|\.test\./.test(path))
      .map((path) => join(folder, path)),
  )
  const wanted = hashOf(['bun.lock', ...sources])
  const stamp = join(root, '.build', 'client')
  if (existsSync(join(clientFolder, 'index.html')) && contentOf(stamp) === wanted) return
  say('Building the client …')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  await step(
    ['--no-install', '--bun', vite, 'build', '--config', join('client', 'vite.config.ts'), '--logLevel', 'warn'],
    'The client could not be built.',
  )
  mkdirSync(join(root, '.build'), { recursive: true })
  writeFileSync(stamp, wanted)
}

/** Runs this very Bun, for there may be no other on the machine; silent unless it fails. */
async function step(command: string[], failure: string): Promise<void> {
  const child = Bun.spawn([process.execPath, ...command], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new PrepareError(`${out}${err}\n${failure}`)
}

function hashOf(paths: string[]): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const path of paths.sort()) hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
