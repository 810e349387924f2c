/** A supervisor in a process of its own, for a test that halts it. */
import { join } from 'node:path'
import { supervise } from './supervisor.ts'

const folder = process.argv[2] ?? ''
const { stop } = supervise({
  command: [
    ...[process.execPath, '--no-orphans', '--no-install', join(import.meta.dir, 'supervisor.fixture.ts')],
    ...['well', join(folder, 'notes')],
  ],
  cwd: folder,
  env: process.env,
  say: (sentence) => process.stdout.write(`${sentence}\n`),
  stillSeconds: 2,
})
process.on('SIGTERM', () => void stop().then(() => process.exit(0)))
