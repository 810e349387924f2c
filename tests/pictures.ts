/**
 * `bun run pictures`: installs what is missing, builds the client, and takes the pictures of the README, in a process
 * that sees what was installed.
 */
import { join } from 'node:path'
import { buildClient, installPackages, root } from '../server/prepare.ts'

const say = (sentence: string) => process.stdout.write(`${sentence}\n`)
await installPackages(say)
await buildClient(say)
const child = Bun.spawn(
  [
    process.execPath,
    '--no-orphans',
    '--no-install',
    '--bun',
    join(import.meta.dir, 'pictures.take.ts'),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
)
process.exit(await child.exited)
