import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runningPostgres } from '../server/db/embedded-postgres.ts'
import { createSealer, sealText } from '../server/seal.ts'

setDefaultTimeout(90_000)

const root = join(import.meta.dir, '..')
let dataDir: string
let started: Launched[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-launch-'))
  started = []
})
afterEach(async () => {
  for (const { child } of started) {
    child.kill('SIGKILL')
    await child.exited
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

type Launched = {
  child: Bun.Subprocess
  /** The address, once it is printed. */
  address: () => Promise<string>
  /** Exit code and everything said, once it has ended. */
  end: () => Promise<{ code: number; text: string }>
}

/** The server as `bun run start` runs it, without installing and building. */
function launch(env: Record<string, string> = {}): Launched {
  const child = Bun.spawn([process.execPath, join('server', 'launch.ts'), 'serve'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const part of stream) text += decoder.decode(part, { stream: true })
  }
  const done = Promise.all([read(child.stdout), read(child.stderr)])
  const run: Launched = {
    child,
    address: async () => {
      const deadline = Date.now() + 60_000
      for (;;) {
        const found = /is ready: (\S+)/.exec(text)?.[1]
        if (found) return found
        if (child.exitCode !== null || Date.now() > deadline) throw new Error(`not started: ${text}`)
        await Bun.sleep(20)
      }
    },
    end: async () => {
      const code = await child.exited
      await done
      return { code, text }
    },
  }
  started.push(run)
  return run
}

/** Process id of the embedded database, or nothing when none runs. */
function databasePid(): number | undefined {
  const path = join(dataDir, 'postgres', 'postmaster.pid')
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : undefined
}

/** Process id of the server itself, which the launched process watches. */
function serverPid(): number {
  const keeper = Number(readFileSync(join(dataDir, 'lock'), 'utf8').split('\n')[0])
  const children = readFileSync(`/proc/${keeper}/task/${keeper}/children`, 'utf8').trim().split(' ')
  const run = children.find((pid) => /launch\.ts\0run\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
  if (run === undefined) throw new Error('no server runs')
  return Number(run)
}

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  probe.stop(true)
  return probe.port
}

async function health(address: string): Promise<number> {
  const { status } = await fetch(new URL('/health', address))
  return status
}

test('it prints its address, is healthy there, and ends cleanly when asked, its database with it', async () => {
  const server = launch()
  const address = await server.address()
  expect(await health(address)).toBe(200)
  expect(databasePid()).toBeGreaterThan(0)
  await fetch(new URL('/auth/login', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'nobody@loja.test', password: 'segredo1' }),
  })

  server.child.kill('SIGTERM')
  const { code, text } = await server.end()
  expect(code).toBe(0)
  // A line of the log says each thing once, or programs that read it differ about what it says.
  expect(text).toContain('"part":"auth"')
  expect(text).not.toMatch(/"part".*"part"/)
  expect(databasePid()).toBeUndefined()
  expect(existsSync(join(dataDir, 'lock'))).toBe(false)
})

test('a second start on the same folder is refused with a sentence, and the first goes on', async () => {
  const first = launch()
  const address = await first.address()
  const second = await launch().end()
  expect(second.code).toBe(1)
  expect(second.text).toContain(`Balcão already runs on ${dataDir} (process ${first.child.pid})`)
  expect(second.text).not.toContain('    at ')
  expect(await health(address)).toBe(200)
})

test('with another key than that of its database it does not start, unless that one is lost for good', async () => {
  const first = launch()
  await first.address()
  const key = Buffer.from(readFileSync(join(dataDir, 'encryption.key'), 'utf8').trim(), 'base64')
  const sql = new Bun.SQL(runningPostgres(dataDir) ?? '', { max: 1 })
  await sql`INSERT INTO payment_accounts ("companyId", provider, config, secrets)
    VALUES (1, 'pix', '{}', ${sealText(createSealer(key), '{}', 'payment_accounts')})`
  await sql.end()
  first.child.kill('SIGTERM')
  await first.end()

  rmSync(join(dataDir, 'encryption.key'))
  const { code, text } = await launch().end()
  expect(code).toBe(1)
  expect(text).toContain('The encryption key is not the one of this database')
  expect(text).not.toContain('    at ')
  expect(await health(await launch({ ENCRYPTION_KEY_LOST: 'yes' }).address())).toBe(200)
})

test('after a kill the next start just works', async () => {
  const first = launch()
  await first.address()
  first.child.kill('SIGKILL')
  await first.end()

  expect(await health(await launch().address())).toBe(200)
})

test('a server that ends by itself is started again, and the launched process goes on', async () => {
  const run = launch({ PORT: String(freePort()) })
  const address = await run.address()
  const before = serverPid()
  process.kill(before, 'SIGKILL')
  const answers = () => health(address).catch(() => 0)
  for (const deadline = Date.now() + 60_000; (await answers()) !== 200; await Bun.sleep(50))
    if (Date.now() > deadline) throw new Error('it was not started again')
  expect(serverPid()).not.toBe(before)

  run.child.kill('SIGTERM')
  const { code, text } = await run.end()
  expect(code).toBe(0)
  expect(text).toContain('The server was ended by SIGKILL; it starts again')
  expect(databasePid()).toBeUndefined()
})

test('the server ends with the process that was launched, however that ends', async () => {
  const run = launch()
  await run.address()
  const server = serverPid()
  run.child.kill('SIGKILL')
  await run.end()
  for (const deadline = Date.now() + 10_000; existsSync(`/proc/${server}/cmdline`); await Bun.sleep(20))
    if (Date.now() > deadline) throw new Error('the server is still there')
})

test('every wrong variable is named at once, and nothing is started', async () => {
  const { code, text } = await launch({ PORT: 'many', DATABASE_URL: 'mysql://db' }).end()
  expect(code).toBe(1)
  expect(text).toContain('PORT must be a whole number from 0 to 65535, not "many".')
  expect(text).toContain('DATABASE_URL must be an address beginning with postgres:// or postgresql://.')
  expect(text).not.toContain('    at ')
  expect(databasePid()).toBeUndefined()
})

test('the doctor, too, tells a wrong variable with what to do, among its findings', () => {
  const { stdout, exitCode } = Bun.spawnSync([process.execPath, join('server', 'launch.ts'), 'doctor'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: 'many' },
  })
  expect(stdout.toString()).toContain('✗ Configuration: PORT must be')
  expect(stdout.toString()).toContain('→ Mend it in the environment or in .env.')
  expect(exitCode).toBe(1)
})

test('a port that is taken is named in a sentence', async () => {
  const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  try {
    const { code, text } = await launch({ PORT: String(other.port) }).end()
    expect(code).toBe(1)
    expect(text).toContain('The port is taken by another program.')
  } finally {
    await other.stop(true)
  }
})
