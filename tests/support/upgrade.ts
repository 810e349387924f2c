import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStream } from '../../sync/client/streams.ts'
import { LiveSocket } from '../../sync/client/live-socket.ts'
import { type ShapeName, shapesVersion } from '../../sync/shapes.ts'

const root = join(import.meta.dir, '..', '..')

/**
 * The next version, in a folder of its own: this one with a higher number and one migration more.
 * @param migration what it does to the tables
 * @param oldest the version that it says it works beside; unset says nothing
 */
export function nextVersion({ migration, oldest }: { migration: string; oldest?: string }): {
  folder: string
  remove(): void
} {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'balcao-next-')))
  for (const name of ['server', 'schema', 'sync', 'tsconfig.json', 'bunfig.toml'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'client', 'tests']) symlinkSync(join(root, name), join(folder, name))
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...about, version: '99.0.0' }))
  const migrations = join(folder, 'schema', 'migrations')
  const path = join(migrations, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { idx: number; when: number; tag: string }[] }
  const last = journal.entries.at(-1)!
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_next' })
  writeFileSync(path, JSON.stringify(journal))
  writeFileSync(join(migrations, '9999_next.sql'), migration)
  if (oldest !== undefined) {
    const beside = join(migrations, 'beside.json')
    const named = existsSync(beside) ? (JSON.parse(readFileSync(beside, 'utf8')) as object) : {}
    writeFileSync(beside, JSON.stringify({ ...named, '9999_next.sql': oldest }))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The simulated WhatsApp of a launched server, and everything that its environment needs. */
export type Launched = Awaited<ReturnType<typeof launchVersion>>

/** This version as a service starts it: `serve`, with its data in a folder of its own. */
export async function launchVersion(
  env: Record<string, string>,
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-house-')),
) {
  mkdirSync(dataDir, { recursive: true })
  const child = Bun.spawn([process.execPath, '--no-orphans', join('server', 'launch.ts'), 'serve'], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'warn', ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const part of stream) text += decoder.decode(part, { stream: true })
  }
  const read2 = Promise.all([read(child.stdout), read(child.stderr)])
  for (const deadline = Date.now() + 120_000; !/is ready: /.test(text); await Bun.sleep(20))
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`not started: ${text}`)
  const url = /is ready: (\S+)/.exec(text)![1]!
  return {
    child,
    dataDir,
    url,
    said: () => text,
    /** Processes of servers, by the folder of their version. */
    servers(folder: string): number[] {
      return childrenOf(child.pid).filter((pid) => isMode(pid, 'run') && folderOf(pid) === realpathSync(folder))
    },
    ground: () => childrenOf(child.pid).find((pid) => isMode(pid, 'ground')),
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await child.exited
      await read2
    },
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function isMode(pid: number, mode: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`launch.ts\0${mode}\0`)
  } catch {
    return false
  }
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** A browser without its database: the streams and the socket of the client, and what comes by them. */
export class LightBrowser {
  /** When each row was first here, by shape and key, ms of this process. */
  readonly rows = new Map<string, number>()
  /** Streams that ended for good. */
  readonly ended: string[] = []
  /** Shapes that were read from their beginning. */
  wholes = 0
  bytes = 0
  /** Times it was told to begin again. */
  refetches = 0
  outdated = false
  private readonly abort = new AbortController()
  private readonly socket: LiveSocket
  private readonly live = new Set<ShapeName>()

  constructor(
    private readonly at: {
      url: string
      token: string
      shapes: readonly ShapeName[]
      key(row: Record<string, unknown>): string
    },
  ) {
    const token = async () => at.token
    const counted = async (input: string | URL | Request, init?: RequestInit) => {
      const answer = await fetch(input, init)
      const bytes = await answer.arrayBuffer()
      if (String(input).includes('/sync/shape')) this.bytes += bytes.byteLength
      if (answer.status === 409) this.refetches++
      return new Response([204, 304].includes(answer.status) ? null : bytes, answer)
    }
    this.socket = new LiveSocket({
      ...{
        url: `${at.url.replace('http', 'ws')}/sync`,
        version: shapesVersion,
        passes: `${at.url}/auth/passes`,
        token,
      },
      ...{ fetch: counted, WebSocket, outdated: () => (this.outdated = true) },
    })
    for (const shape of at.shapes)
      startStream(
        shape,
        undefined,
        {
          ...{
            url: `${at.url}/sync/shape`,
            scope: 'light',
            fetch: counted as typeof fetch,
            socket: this.socket,
            token,
          },
          apply: async (batch) => {
            if (batch.whole) this.wholes++
            for (const row of batch.upserts) this.came(shape, row)
          },
          received: () => undefined,
          upToDate: (one) => this.live.add(one),
          behind: (one) => this.live.delete(one),
          reachable: () => undefined,
          outdated: () => (this.outdated = true),
          ended: (_, error) => this.ended.push(`${shape}: ${error.message}`),
        },
        this.abort.signal,
      )
  }

  get isLive(): boolean {
    return this.live.size === this.at.shapes.length
  }

  close(): void {
    this.abort.abort()
    this.socket.close()
  }

  private came(shape: ShapeName, row: Record<string, unknown>): void {
    const key = `${shape} ${this.at.key(row)}`
    if (!this.rows.has(key)) this.rows.set(key, performance.now())
  }
}
