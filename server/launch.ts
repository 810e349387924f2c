/**
 * What `bun run start`, `demo` and `dev` do, from a clean clone to a printed address:
 *   start    install, build, run the server
 *   demo     the same with a simulated WhatsApp, sample data and a simulated phone
 *   dev      the server restarting on changes, and Vite in front of it
 *   prepare  install and build only, for images
 * Runs before any package is installed, so at the top it imports only what Bun brings along.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildClient, installPackages, PrepareError, root } from './prepare.ts'

type Env = Record<string, string | undefined>

const modes = { start, demo, dev, prepare, serve }
const say = (text: string) => console.log(text)

/** What must be stopped, last started first. */
const stops: (() => Promise<unknown> | unknown)[] = []
let stopping: number | undefined

async function start(): Promise<void> {
  await prepare()
  await serve()
}

async function prepare(): Promise<void> {
  const { parseConfig } = await import('./config.ts')
  parseConfig(process.env)
  await installPackages(say)
  await buildClient(say)
}

/** Runs the server and prints its address. */
async function serve(env: Env = process.env) {
  const { loadConfig } = await import('./config.ts')
  const config = loadConfig(env)
  const { startApp } = await import('./main.ts')
  const app = await startApp(config)
  stops.push(() => app.stop())
  say(`\n  Balcão is ready: ${config.publicUrl ?? app.url}\n`)
  return { app, config }
}

async function demo(): Promise<void> {
  await prepare()
  const dataDir = resolve(process.env.DATA_DIR ?? join(root, 'data', 'demo'))
  const phone = await startSimulatedWhatsApp(dataDir)
  const { app } = await serve({
    ...process.env,
    DATA_DIR: dataDir,
    WHATSAPP_WS_URL: phone.wsUrl,
    WHATSAPP_CERT_KEY: phone.certKey,
  })
  const { seedDemo } = await import('./demo/seed.ts')
  const { logins } = await seedDemo({ db: app.deps.db, phone: phone.phoneUrl })
  say(`  The simulated phone:  ${phone.phoneUrl}

  Log in with
${logins.map(({ email, password, name }) => `    ${email.padEnd(28)} ${password.padEnd(16)} ${name}`).join('\n')}

  Connect: Conexões → QR code, then "scan" it on the phone's page. Ctrl-C stops everything.
`)
}

/** The fake service in a process of its own, which ends with ours however that happens. */
async function startSimulatedWhatsApp(dataDir: string): Promise<{ wsUrl: string; certKey: string; phoneUrl: string }> {
  const { lockDataDir } = await import('./data-dir.ts')
  const state = join(dataDir, 'demo-whatsapp')
  stops.push(lockDataDir(state))
  const port = Number(process.env.PORT || 3000)
  const child = Bun.spawn([process.execPath, '--no-orphans', join(root, 'tests', 'fakes', 'whatsapp', 'main.ts')], {
    cwd: root,
    env: {
      ...process.env,
      FAKE_PORT: process.env.FAKE_PORT ?? String(freePortFrom(port + 1)),
      FAKE_STATE: state,
      APP_URL: `http://localhost:${port}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C is for us; the fake ends after the server, which still says goodbye to it.
    detached: true,
  })
  stops.push(async () => {
    child.kill()
    await child.exited
  })
  void child.exited.then((code) => {
    if (stopping === undefined) fail(`The simulated WhatsApp ended with code ${code}.`)
  })
  const { promise: greeting, resolve: greet } = Promise.withResolvers<string>()
  const read = async () => {
    let text = ''
    // Read to the end, or a full pipe would block it one day.
    for await (const part of child.stdout) {
      if (!text.includes('\n')) text += Buffer.from(part).toString()
      if (text.includes('\n')) greet(text)
    }
  }
  void read()
  return JSON.parse((await greeting).split('\n')[0] ?? '')
}

/** That port where it is free, else 0 for any: the address of the phone's page is easier to remember than a random one. */
function freePortFrom(port: number): number {
  try {
    void Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => undefined } }).stop(true)
    return port
  } catch {
    return 0
  }
}

async function dev(): Promise<void> {
  await installPackages(say)
  const port = process.env.PORT ?? '3000'
  const vite = join('node_modules', 'vite', 'bin', 'vite.js')
  const commands = [
    ['--no-orphans', '--watch', '--no-clear-screen', join('server', 'launch.ts'), 'serve'],
    ['--no-orphans', '--bun', vite, '--config', join('client', 'vite.config.ts')],
  ]
  for (const command of commands) {
    const child = Bun.spawn([process.execPath, ...command], {
      cwd: root,
      env: { ...process.env, PORT: port, API_URL: `http://127.0.0.1:${port}` },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    })
    stops.push(async () => {
      child.kill()
      await child.exited
    })
    void child.exited.then((code) => {
      // Whoever started us may be gone, and the child has noticed first.
      if (code === 0) void stopAll(0)
      else if (stopping === undefined) fail(`${command.join(' ')} ended with code ${code}.`)
    })
  }
}

// ── the end ──────────────────────────────────────────────────────────────────────────────────

async function stopAll(code: number): Promise<void> {
  if (stopping !== undefined) {
    // Ctrl-C arrives twice through `bun run`; whoever presses it again later means it.
    if (Date.now() - stopping > 2_000) process.exit(130)
    return
  }
  stopping = Date.now()
  for (const stop of stops.reverse()) {
    try {
      await stop()
    } catch (error) {
      console.error(error)
      code = 1
    }
  }
  process.exit(code)
}

function fail(sentence: string): void {
  console.error(`\n${sentence}\n`)
  void stopAll(1)
}

/** What went wrong in a sentence, where it is the operator's to mend; otherwise with its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'The port is taken by another program. Choose another with PORT=….'
  if (code === 'EACCES' || code === 'EPERM') {
    return `${error.message}. Does the folder belong to the user that starts Balcão?`
  }
  if (error instanceof PrepareError || error.name === 'ConfigError' || error.name === 'DataDirInUse') {
    return error.message
  }
  return error.stack ?? error.message
}

/**
 * `npx` and `bun run` stand between the operator and us, and do not pass every signal on. When one of
 * them is gone, whoever started us wants us gone.
 */
function watchRunners(): void {
  const above = (pid: number): number | undefined => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    } catch {
      return undefined
    }
  }
  const isRunner = (pid: number): boolean => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return /^(\S*\/)?(bun|bunx)(\.exe)? |^npm |^(\S*\/)?(sh|dash|bash) -c '?(\S*\/)?bun'? |npx-cli|npm-cli/.test(
        command,
      )
    } catch {
      return false
    }
  }
  const chain = [process.pid]
  for (let parent = above(process.pid); parent && parent > 1 && isRunner(parent); parent = above(parent)) {
    chain.push(parent)
  }
  if (chain.length === 1) return
  const timer = setInterval(() => {
    if (chain.every((pid, index) => index + 1 === chain.length || above(pid) === chain[index + 1])) return
    clearInterval(timer)
    void stopAll(0)
  }, 500)
  timer.unref()
}

const mode = process.argv[2] ?? 'start'
process.chdir(root)
process.on('SIGINT', () => void stopAll(0))
process.on('SIGTERM', () => void stopAll(0))
// Under nohup hang-ups are ignored, and must stay so.
const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''
if (!/^SigIgn:\s*\w*[13579bdf]$/m.test(status)) process.on('SIGHUP', () => void stopAll(0))
// The terminal, or whoever read our output, may be gone before we are.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)
watchRunners()

try {
  if (!(mode in modes)) throw new PrepareError(`Say one of ${Object.keys(modes).join(', ')}, not "${mode}".`)
  await modes[mode as keyof typeof modes]()
  if (mode === 'prepare') process.exit(0)
} catch (error) {
  if (stopping === undefined) fail(explain(error))
}
