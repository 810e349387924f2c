/**
 * What `bun run start`, `demo` and `dev` do, from a clean clone to a printed address:
 *   start    install, build, run the server
 *   demo     the same with a simulated WhatsApp, sample data and a simulated phone
 *   dev      the server restarting on changes, and Vite in front of it
 *   prepare  install and build only, for images
 *   serve    run the server only, in images
 *   shapes   the shape server alone, which several servers ask (ELECTRIC_URL)
 *   backup [folder], backup:verify <folder>, restore <folder>: all there is, while the server runs; proven; and back
 *   backup bucket, backup:verify bucket [name], restore bucket [name], backup:list: the same, encrypted in a bucket
 *   media:move  files to where the configuration has them, from a folder into a bucket or back
 *   upgrade  this version takes over from the one that runs, which lies in another folder
 *   doctor   names each fault of the installation and its remedy
 * The server is a process of its own (`run`), started when all packages are installed: one that began before would see
 * others than those, or none. This one watches it, and starts it again when it ends by itself or stands still.
 * Runs before any package is installed, so at the top it imports only what Bun brings along.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { parseConfig } from './config.ts'
import type { DemoBots } from './demo/bots.ts'
import type { DemoCloud } from './demo/official.ts'
import { showLife, showReady } from './heartbeat.ts'
import { buildClient, installPackages, installPackagesAndGoOn, PrepareError, root } from './prepare.ts'
import { supervise } from './supervisor.ts'
import { keepHouse } from './upgrade/upgrade.house.ts'
import {
  type FromHouse,
  GROUND_AT,
  GROUND_VERSION,
  type GroundAt,
  LODGING,
  type Lodging,
} from './upgrade/upgrade.words.ts'

type Config = ReturnType<typeof parseConfig>

const modes = {
  ...{ start, demo, dev, prepare, configured, serve, run },
  ...{ backup, 'backup:verify': verify, restore, 'backup:list': listBackups, 'media:move': moveFiles, doctor },
  ...{ shapes, shapesRun, ground, upgrade },
}
/** They end by themselves. */
const errands = new Set([
  'prepare',
  'configured',
  'backup',
  'backup:verify',
  'backup:list',
  'restore',
  'media:move',
  'doctor',
  'upgrade',
])
const say = (text: string) => console.log(text)

/** This very Bun, seeing the installed packages and nothing else, and ending with us. */
const bun = [process.execPath, '--no-orphans', '--no-install']

/** What must be stopped, last started first. */
const stops: (() => Promise<unknown> | unknown)[] = []
let stopping: number | undefined

async function start(): Promise<void> {
  await prepare()
  await serve()
}

async function prepare(): Promise<void> {
  await installPackages(say)
  const check = Bun.spawn([...bun, join('server', 'launch.ts'), 'configured'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if ((await check.exited) !== 0) return stopAll(1)
  await buildClient(say)
}

/** Says what is wrong with the environment, before anything that takes long. */
async function configured(): Promise<void> {
  const { parseConfig } = await import('./config.ts')
  parseConfig(process.env)
}

/**
 * Runs the server in a process of its own until it is stopped.
 * @param env besides our own
 */
async function serve(env: Record<string, string> = {}): Promise<void> {
  const house = await keepHouse({
    root,
    dataDir: dataDirOf({ ...process.env, ...env }),
    env: { ...process.env, ...env },
    flags: bun.slice(1),
    say: (sentence) => console.error(sentence),
  })
  stops.push(() => house.stop())
  void house.ended.then((code) => {
    if (stopping === undefined) void stopAll(code)
  })
}

/** As the configuration reads it, before there are packages. */
const dataDirOf = (env: Record<string, string | undefined>): string => resolve(root, env.DATA_DIR || './data')

/** What servers stand on, in a process that outlives them. Named after the mode is the page of its signs of life. */
async function ground(): Promise<void> {
  const heartbeat = process.argv[3]
  if (heartbeat) showLife(heartbeat)
  const { loadConfig } = await import('./config.ts')
  const config = loadConfig(process.env)
  const { createLogger } = await import('./log.ts')
  const { startGround } = await import('./upgrade/upgrade.ground.ts')
  const started = await startGround(config, {
    log: createLogger({ level: config.logLevel }),
    at: JSON.parse(process.env[GROUND_AT] ?? '{}') as GroundAt,
  })
  stops.push(started.stop)
  showReady()
  process.send?.({ say: 'ground', ground: started.ground, at: started.at })
}

/** Has this version take over from the one that runs. */
async function upgrade(): Promise<void> {
  await prepare()
  const dataDir = dataDirOf(process.env)
  const { knock } = await import('./upgrade/upgrade.door.ts')
  const { versionIn } = await import('./upgrade/upgrade.state.ts')
  const { workerOf } = await import('./data-dir.ts')
  const keeper = await knock(dataDir)
  if (!keeper) {
    const isRunning = workerOf(dataDir) !== undefined
    throw new PrepareError(
      isRunning
        ? `What runs on ${dataDir} is a version that cannot hand over. End it, make a backup, and start this one: bun run start`
        : `No server runs on ${dataDir}. Name the right folder in DATA_DIR, or start this version: bun run start`,
    )
  }
  const to = versionIn(root)
  if (keeper.runs.folder === to.folder)
    throw new PrepareError(
      `Version ${keeper.runs.version} runs in this very folder, and still reads its files. Bring the new version into a folder of its own, and call this there.`,
    )
  await backup()
  say(`Version ${to.version} takes over from ${keeper.runs.version}.`)
  const { ok, says } = await keeper.upgrade(to, say)
  if (!ok) throw new PrepareError(says)
  say(`${says}
Let the service start it from ${to.folder}. Until then it is started from the folder before, and finds this one.`)
}

/** The shape server in a process of its own, watched as the server is. */
async function shapes(): Promise<void> {
  await installPackages(say)
  const shapeServer = supervise({
    command: [...bun, join('server', 'launch.ts'), 'shapesRun'],
    cwd: root,
    env: { HOST: '127.0.0.1', ELECTRIC_PORT: '3001', ...process.env },
    say: (sentence) => console.error(sentence.replace('The server', 'The shape server')),
  })
  stops.push(() => shapeServer.stop())
  void shapeServer.ended.then((code) => stopAll(code))
}

async function shapesRun(): Promise<void> {
  const heartbeat = process.argv[3]
  if (heartbeat) showLife(heartbeat)
  const { listening } = await import('../sync/shape-server/main.ts')
  stops.push(listening.stop)
  showReady()
  say(`\n  The shape server listens at ${listening.url}\n`)
}

/** The server itself. Named after the mode is the path of the page in which it shows signs of life, where one watches. */
async function run(): Promise<void> {
  const heartbeat = process.argv[3]
  if (heartbeat) showLife(heartbeat)
  const lodging = JSON.parse(process.env[LODGING] ?? 'null') as Lodging | null
  // Before anything is awaited: what is said meanwhile is heard.
  const { mayListen, health, leave } = hearHouse()
  if (lodging && lodging.ground.version < GROUND_VERSION)
    throw new PrepareError(
      'This version needs another database or shape server than runs. End the server, and start it.',
    )
  const { loadConfig } = await import('./config.ts')
  const config = loadConfig(process.env)
  const { startApp } = await import('./main.ts')
  const app = await startApp(config, undefined, {
    ...(lodging && { lodging, built: () => process.send?.({ say: 'built' }) }),
    ...(lodging?.beside && { mayListen }),
    healthy: health,
  })
  stops.push(() => app.stop())
  showReady()
  process.send?.({ say: 'listens' })
  void leave.then(async ({ ms, client }) => {
    await app.leave(ms, client)
    await stopAll(0)
  })
  say(`\n  Balcão is ready: ${config.publicUrl ?? app.url}\n`)
  const phone = process.env.DEMO_PHONE_URL
  if (!phone) return
  const { linkDemo, seedDemo } = await import('./demo/seed.ts')
  const services = JSON.parse(process.env.DEMO_BOTS ?? 'null') as DemoBots | null
  const bots = services ? { services, sealer: app.deps.sealer } : undefined
  const { logins } = await seedDemo({ db: app.deps.db, media: app.deps.media, phone, bots })
  // Without it the demo is whole: the phone can be linked by hand.
  await linkDemo(app.deps, phone).catch((error: unknown) => say(`  ${String(error)}. Link it by hand under Conexões.`))
  const cloud = JSON.parse(process.env.DEMO_CLOUD ?? 'null') as DemoCloud | null
  if (cloud && logins[0]) {
    const { linkOfficial } = await import('./demo/official.ts')
    // The server itself, whatever stands before it.
    await linkOfficial(app.url, cloud, logins[0]).catch((error: unknown) =>
      say(`  The official number is not connected: ${String(error)}`),
    )
  }
  say(`  The simulated phone:  ${phone}${cloud ? `\n  Customers of the official number:  ${cloud.pageUrl}` : ''}

  Log in with
${logins.map(({ email, password, name }) => `    ${email.padEnd(28)} ${password.padEnd(16)} ${name}`).join('\n')}

  Log in, then write as one of the people on either page: the message appears in the app. Ctrl-C stops everything.
`)
}

/** What who keeps the house says to this server. */
function hearHouse() {
  const mayListen = Promise.withResolvers<void>()
  const leave = Promise.withResolvers<{ ms: number; client: string }>()
  let isWell: (() => Promise<boolean>) | undefined
  if (process.send)
    process.on('message', (message) => {
      const said = message as FromHouse
      if (said.ask === 'listen') mayListen.resolve()
      if (said.ask === 'leave') leave.resolve(said)
      if (said.ask === 'health')
        void (isWell?.() ?? Promise.resolve(false))
          .catch(() => false)
          .then((ok) => process.send?.({ say: 'health', n: said.n, ok }))
    })
  return {
    mayListen: mayListen.promise,
    leave: leave.promise,
    health: (ask: () => Promise<boolean>) => {
      isWell = ask
    },
  }
}

async function demo(): Promise<void> {
  await prepare()
  const dataDir = resolve(process.env.DATA_DIR ?? join(root, 'data', 'demo'))
  const phone = await startSimulatedWhatsApp(dataDir)
  const bots = await startFake<DemoBots>(join('bots', 'main.ts'), { FAKE_PORT: '0' })
  const cloud = await startFake<DemoCloud>(join('cloud-api', 'main.ts'), {
    PAGE_PORT: String(freePortFrom(Number(process.env.PORT || 3000) + 2)),
    CLOUD_STATE: join(dataDir, 'demo-cloud-api.json'),
  })
  await serve({
    DATA_DIR: dataDir,
    WHATSAPP_WS_URL: phone.wsUrl,
    WHATSAPP_CERT_KEY: phone.certKey,
    DEMO_PHONE_URL: phone.phoneUrl,
    DEMO_BOTS: JSON.stringify(bots),
    DEMO_CLOUD: JSON.stringify(cloud),
    CLOUD_API_URL: cloud.apiUrl,
    // Where those services are.
    OUTBOUND_ALLOW: process.env.OUTBOUND_ALLOW || '127.0.0.1',
  })
}

/** The simulated WhatsApp, on the same port each time where that is free. */
async function startSimulatedWhatsApp(dataDir: string): Promise<{ wsUrl: string; certKey: string; phoneUrl: string }> {
  const { lockDataDir } = await import('./data-dir.ts')
  const state = join(dataDir, 'demo-whatsapp')
  stops.push(lockDataDir(state))
  const port = Number(process.env.PORT || 3000)
  return startFake(join('whatsapp', 'main.ts'), {
    FAKE_PORT: process.env.FAKE_PORT ?? String(freePortFrom(port + 1)),
    FAKE_STATE: state,
    APP_URL: `http://localhost:${port}`,
  })
}

/**
 * A fake service in a process of its own, which ends with ours however that happens.
 * @param file below `tests/fakes`
 * @returns what it says in its first line
 */
async function startFake<Greeting>(file: string, env: Record<string, string>): Promise<Greeting> {
  const child = Bun.spawn([...bun, join(root, 'tests', 'fakes', file)], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C is for us; the fake ends after the server, which still says goodbye to it.
    detached: true,
  })
  stops.push(async () => {
    child.kill()
    await child.exited
  })
  void child.exited.then((code) => {
    if (stopping === undefined) fail(`A simulated service (${file}) ended with code ${code}.`)
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
  return JSON.parse((await greeting).split('\n')[0] ?? '') as Greeting
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

// ── backup and doctor ────────────────────────────────────────────────────────────────────────

/** What an errand needs: the configuration as it is, a line that shows how far it is, and Ctrl-C, which leaves nothing half. */
async function errand() {
  await installPackagesAndGoOn(say)
  const { parseConfig } = await import('./config.ts')
  const { createLogger } = await import('./log.ts')
  const cancel = new AbortController()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  stops.push(() => {
    cancel.abort(new PrepareError('Cancelled.'))
    return over
  })
  const isWatched = process.stdout.isTTY === true
  let shownAt = 0
  const progress = (sentence: string) => {
    if (!isWatched || Date.now() - shownAt < 100) return
    shownAt = Date.now()
    process.stdout.write(`\r\x1b[K${sentence.slice(0, 78)}`)
  }
  const finish = (sentence: string) => {
    end()
    say(`${isWatched ? '\r\x1b[K' : ''}${sentence}`)
  }
  const tools = { log: createLogger({ level: 'warn' }), progress, signal: cancel.signal }
  return {
    tools,
    /** @throws ConfigError, which the doctor tells in its own words */
    config: () => parseConfig(process.env),
    async work<T>(doing: () => Promise<T>): Promise<T> {
      try {
        return await doing()
      } catch (error) {
        end()
        throw error
      }
    },
    finish,
  }
}

function folderNamed(mode: string): string {
  const folder = process.argv[3]
  if (!folder) throw new PrepareError(`Say which folder: bun run ${mode} <folder>`)
  return resolve(cwd, folder)
}

/** Whether a command is about the bucket of BACKUP_S3_BUCKET: `bun run backup bucket`. */
const isAway = () => process.argv[3] === 'bucket'

/** Where backups go by themselves. */
async function away(config: () => Config) {
  const place = config().backup
  if (!place) throw new PrepareError('No bucket is named for backups: set BACKUP_S3_BUCKET and BACKUP_KEY.')
  return { place, ...(await import('./backup/backup.away.ts')), ...(await import('./backup/backup.nightly.ts')) }
}

async function backupAway(): Promise<void> {
  const { config, tools, work, finish } = await errand()
  const { place, writeAway, alone } = await work(() => away(config))
  const { openDatabase } = await import('./backup/backup.place.ts')
  const { version } = (await import('../package.json')).default
  let said = ''
  await work(async () => {
    const database = await openDatabase(config(), tools.log, tools.signal)
    try {
      const isDone = await alone(database.url, async () => {
        const { name, manifest } = await writeAway({ ...config(), backup: place }, database.url, {
          ...tools,
          ...{ version, now: new Date() },
        })
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
        said = `${name}\n${rows.toLocaleString('en')} rows, ${manifest.files.count.toLocaleString('en')} files (${megabytes(manifest.files.bytes)}), and the keys, encrypted with BACKUP_KEY.\nA backup counts once it was restored: bun run backup:verify bucket`
      })
      if (!isDone)
        throw new PrepareError('A server or another command is at the backups in the bucket. Try again later.')
    } finally {
      await database.close()
    }
  })
  finish(said)
}

async function listBackups(): Promise<void> {
  const { config, work, finish } = await errand()
  const { place, listAway } = await work(() => away(config))
  const names = await work(() => listAway(place))
  finish(names.length > 0 ? names.join('\n') : 'There is no backup in the bucket.')
}

async function verifyAway(): Promise<void> {
  const { config, tools, work, finish } = await errand()
  const { place, prove } = await work(() => away(config))
  const { name, rows, files } = await work(() => prove(place, tools, process.argv[4]))
  finish(
    `The backup ${name} is whole: restored aside, ${(rows ?? 0).toLocaleString('en')} rows are those that were backed up, and its ${(files ?? 0).toLocaleString('en')} files are there.`,
  )
}

/** Brings a backup out of the bucket as a folder, beside the data directory, for as long as `work` needs it. */
async function fetched(
  { config, tools }: Pick<Awaited<ReturnType<typeof errand>>, 'config' | 'tools'>,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const { place, listAway, fetchAway } = await away(config)
  const name = process.argv[4] ?? (await listAway(place)).at(-1)
  if (name === undefined) throw new PrepareError('There is no backup in the bucket.')
  const { mkdirSync, mkdtempSync, rmSync } = await import('node:fs')
  const { dirname } = await import('node:path')
  const beside = dirname(config().dataDir)
  mkdirSync(beside, { recursive: true })
  const folder = mkdtempSync(join(beside, '.balcao-from-bucket-'))
  try {
    await fetchAway(place, name, folder, { ...tools, withMedia: true })
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function backup(): Promise<void> {
  if (isAway()) return backupAway()
  const { config, tools, work, finish } = await errand()
  const { writeBackup } = await import('./backup/backup.write.ts')
  const name = `balcao-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
  const folder = process.argv[3] ? resolve(cwd, process.argv[3]) : join(root, 'backups', name)
  const { version } = (await import('../package.json')).default
  const { tables, files } = await work(() => writeBackup(config(), folder, { ...tools, version }))
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  finish(`${folder}
${rows.toLocaleString('en')} rows, ${files.count.toLocaleString('en')} files (${megabytes(files.bytes)}), and the keys: whoever has this folder has everything.
A backup counts once it was restored: bun run backup:verify ${folder}`)
}

async function verify(): Promise<void> {
  if (isAway()) return verifyAway()
  const folder = folderNamed('backup:verify')
  const { tools, work, finish } = await errand()
  const { verifyBackup } = await import('./backup/backup.verify.ts')
  const { at, tables, files } = await work(() => verifyBackup(folder, tools))
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  finish(
    `The backup of ${at} is whole: restored aside, ${rows.toLocaleString('en')} rows and ${files.count.toLocaleString('en')} files are those that were backed up.`,
  )
}

async function restore(): Promise<void> {
  const given = isAway() ? undefined : folderNamed('restore')
  const { config, tools, work, finish } = await errand()
  const { restoreBackup } = await import('./backup/backup.restore.ts')
  const { manifest, pausedCampaigns, dueSchedules, erased } = await work(async () => {
    if (given !== undefined) return restoreBackup(config(), given, tools)
    let restored: Awaited<ReturnType<typeof restoreBackup>> | undefined
    await fetched({ config, tools }, async (folder) => {
      restored = await restoreBackup(config(), folder, tools)
    })
    return restored!
  })
  const notes = [
    pausedCampaigns > 0 &&
      `Campaigns paused: ${pausedCampaigns}. They would write again to people whom they have reached since the backup.`,
    erased > 0 && `People whose data were erased after this backup, and again now: ${erased}.`,
    dueSchedules > 0 && `Scheduled messages that have become due since: ${dueSchedules}. They leave at the start.`,
    'End the old server first: two servers that speak for one WhatsApp number throw each other out.',
  ]
  finish(
    `Restored to ${config().dataDir}, as it was at ${manifest.at}.\n${notes.filter(Boolean).join('\n')}\nStart it: bun run start`,
  )
}

async function moveFiles(): Promise<void> {
  const { config, tools, work, finish } = await errand()
  const { moveAll } = await import('./backup/backup.media.ts')
  const { files, bytes, differing, into } = await work(() => moveAll(config(), tools))
  const differ = differing.map((path) => `\n  ${path}`).join('')
  process.exitCode = differing.length > 0 ? 1 : 0
  finish(
    `${files.toLocaleString('en')} files (${megabytes(bytes)}) lie in the ${into} now, each read back and compared.${differ && `\nOf these another file lies there already, or what was written could not be read back; they stay where they are:${differ}`}`,
  )
}

async function doctor(): Promise<void> {
  const { work, finish } = await errand()
  const { examine } = await import('./doctor/doctor.ts')
  const findings = await work(() => examine(process.env))
  const mark = { good: '✓', warning: '!', fault: '✗' }
  const lines = findings.map(
    ({ state, name, says, remedy }) => `${mark[state]} ${name}: ${says}${remedy ? `\n    → ${remedy}` : ''}`,
  )
  const faults = findings.filter(({ state }) => state === 'fault').length
  process.exitCode = faults > 0 ? 1 : 0
  finish(
    `${lines.join('\n')}\n\n${faults === 0 ? 'No fault was found.' : faults === 1 ? 'One fault.' : `${faults} faults.`}`,
  )
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

async function dev(): Promise<void> {
  await installPackages(say)
  const port = process.env.PORT ?? '3000'
  const vite = join('node_modules', 'vite', 'bin', 'vite.js')
  const commands = [
    ['--watch', '--no-clear-screen', join('server', 'launch.ts'), 'run'],
    ['--bun', vite, '--config', join('client', 'vite.config.ts')],
  ]
  for (const command of commands) {
    const child = Bun.spawn([...bun, ...command], {
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
  if (
    error instanceof PrepareError ||
    error.name === 'ConfigError' ||
    error.name === 'DataDirInUse' ||
    error.name === 'BackupError' ||
    error.name === 'NewerDatabase' ||
    error.name === 'NeedsStop' ||
    error.name === 'WrongKey'
  ) {
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
const cwd = process.cwd()
process.chdir(root)
process.on('SIGINT', () => void stopAll(0))
process.on('SIGTERM', () => void stopAll(0))
// Under nohup hang-ups are ignored, and must stay so.
const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''
if (!/^SigIgn:\s*\w*[13579bdf]$/m.test(status)) process.on('SIGHUP', () => void stopAll(0))
// The terminal, or whoever read our output, may be gone before we are.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)
// What we start ends with us, whoever stands above.
if (mode !== 'run' && mode !== 'configured') watchRunners()

try {
  if (!(mode in modes)) throw new PrepareError(`Say one of ${Object.keys(modes).join(', ')}, not "${mode}".`)
  await modes[mode as keyof typeof modes]()
  if (errands.has(mode)) process.exit(process.exitCode ?? 0)
} catch (error) {
  if (stopping === undefined) fail(explain(error))
}
