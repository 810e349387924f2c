/**
 * Keeps an installation: what servers stand on (`upgrade.ground.ts`), the server, and while it is upgraded two of them.
 * Each is a process of its own, so that the end of one is not the end of another. Imports nothing but what Bun brings
 * along, for it runs before any package is installed.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lockDataDir } from '../data-dir.ts'
import { supervise, type Supervised } from '../supervisor.ts'
import { openDoor } from './upgrade.door.ts'
import {
  readUpgrades,
  replaced,
  type Upgrades,
  type Version,
  versionIn,
  versionToRun,
  writeUpgrades,
} from './upgrade.state.ts'
import {
  type FromGround,
  type FromHouse,
  type FromServer,
  GROUND_AT,
  type Ground,
  type GroundAt,
  LODGING,
  type Lodging,
  type Slot,
  slots,
} from './upgrade.words.ts'

export interface HouseOptions {
  /** Of the version that was started. */
  root: string
  /** Absolute. */
  dataDir: string
  env: Record<string, string | undefined>
  /** What follows a version's Bun in a command. */
  flags: readonly string[]
  say(sentence: string): void
}

/** The new server must be well within this, from its start on. */
const START_MS = 60_000
/** So long it must stay well, from when it is alone to listen. */
const WATCH_MS = 30_000
/** The same, for tests. */
const WATCH = 'BALCAO_WATCH_MS'
/** Browsers are asked to move within this. */
const MOVE_MS = 5_000
/** After it, what is still at work may end. */
const LEAVE_MS = 45_000
const LOOK_MS = 1_000
/** So many looks in a row it may be unwell: a moment is not an illness. */
const MOST_UNWELL = 5
const STOPPED = 'The server was stopped meanwhile.'

interface Lodger extends Supervised {
  version: Version
  slot: Slot
  isEnded: boolean
  built: Promise<unknown>
  listens: Promise<unknown>
  /** Whether it is well; false where it does not answer. */
  health(): Promise<boolean>
  send(message: FromHouse): void
  /** It is not started again when it ends. */
  letGo(): void
  /** It has the house for itself. */
  settle(): void
}

/** @throws DataDirInUse */
export async function keepHouse(options: HouseOptions): Promise<Pick<Supervised, 'ended' | 'stop'>> {
  const unlock = lockDataDir(options.dataDir)
  try {
    const house = new House(options)
    const closeDoor = openDoor(options.dataDir, house)
    const ended = house.run().finally(async () => {
      await closeDoor()
      unlock()
    })
    return {
      ended,
      async stop() {
        house.stop()
        await ended
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

class House {
  private readonly upgrades: Upgrades
  private current: Version
  /** The one that is to stay, and others that come or go. */
  private server: Lodger | undefined
  private readonly lodgers = new Set<Lodger>()
  private groundProcess: Supervised | undefined
  private ground: Ground | undefined
  private at: GroundAt = { secret: Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('hex') }
  private isBusy = false
  private isStopping = false
  private readonly over = Promise.withResolvers<number>()

  constructor(private readonly options: HouseOptions) {
    const { dataDir, root } = options
    this.upgrades = readUpgrades(dataDir)
    const { last } = this.upgrades
    if (last?.state === 'begun') {
      Object.assign(last, { state: 'back', why: 'it was interrupted' })
      writeUpgrades(dataDir, this.upgrades)
    }
    this.current = versionToRun(this.upgrades, versionIn(root))
  }

  runs(): Version {
    return this.current
  }

  async run(): Promise<number> {
    if (this.current.folder !== versionIn(this.options.root).folder)
      this.options.say(`Version ${this.current.version} in ${this.current.folder} has taken over, and is started.`)
    const code = await this.startGround()
    if (code !== undefined) return code
    if (this.isStopping) return this.stopAll(0)
    this.server = this.lodge(this.current)
    return this.stopAll(await this.over.promise)
  }

  stop(): void {
    this.isStopping = true
    // While nothing but the ground has begun, nobody waits for the end but its own.
    if (!this.server) void this.groundProcess?.stop()
    this.over.resolve(0)
  }

  private async stopAll(code: number): Promise<number> {
    this.isStopping = true
    for (const one of this.lodgers) one.letGo()
    await Promise.all([...this.lodgers].map((one) => one.stop()))
    await this.groundProcess?.stop()
    return code
  }

  private env(more: Record<string, string>): Record<string, string | undefined> {
    return { ...this.options.env, DATA_DIR: this.options.dataDir, ...more }
  }

  /** @returns the code with which it ended, where it did not come about */
  private async startGround(): Promise<number | undefined> {
    const there = Promise.withResolvers<undefined>()
    const { version: _, ...where } = this.current
    this.groundProcess = supervise({
      command: [where.bun, ...this.options.flags, join('server', 'launch.ts'), 'ground'],
      cwd: where.folder,
      env: () => this.env({ [GROUND_AT]: JSON.stringify(this.at) }),
      say: (sentence) => this.options.say(sentence.replace('The server', 'The database')),
      onMessage: (message) => {
        const { say, ground, at } = message as FromGround
        if (say !== 'ground') return
        const isElsewhere = this.ground !== undefined && JSON.stringify(this.ground) !== JSON.stringify(ground)
        Object.assign(this, { ground, at })
        there.resolve(undefined)
        // They look where it was.
        if (isElsewhere) for (const one of this.lodgers) one.kill()
      },
    })
    void this.groundProcess.ended.then((code) => this.over.resolve(code))
    return Promise.race([there.promise, this.groundProcess.ended])
  }

  /** Starts a server. @param beside another is there, and has the port until this one is told to listen */
  private lodge(version: Version, beside?: { version: string }): Lodger {
    const slot = slots.find((one) => ![...this.lodgers].some((lodger) => lodger.slot === one))!
    let isBeside = beside !== undefined
    const built = Promise.withResolvers<true>()
    const listens = Promise.withResolvers<true>()
    const answers = new Map<number, (ok: boolean) => void>()
    let isLetGo = false
    let n = 0
    const clientsBefore = [this.current, ...this.upgrades.before]
      .filter(({ folder }) => folder !== version.folder)
      .map(({ folder }) => join(folder, 'client', 'dist'))
    const lodging = (): Lodging => ({
      ground: this.ground!,
      slot,
      clientsBefore,
      ...(isBeside && beside && { beside }),
    })
    const supervised = supervise({
      command: [version.bun, ...this.options.flags, join('server', 'launch.ts'), 'run'],
      cwd: version.folder,
      env: () => this.env({ [LODGING]: JSON.stringify(lodging()) }),
      say: this.options.say,
      onMessage: (message) => {
        const said = message as FromServer
        if (said.say === 'built') built.resolve(true)
        if (said.say === 'listens') listens.resolve(true)
        if (said.say === 'health') answers.get(said.n)?.(said.ok)
      },
      // Beside another one, and on trial, an end is an end.
      goesOn: () => !isLetGo && !isBeside,
    })
    const send = (message: FromHouse) => supervised.tell(message)
    const lodger: Lodger = {
      ...supervised,
      ...{ version, slot, built: built.promise, listens: listens.promise, send },
      isEnded: false,
      letGo: () => {
        isLetGo = true
      },
      settle: () => {
        isBeside = false
      },
      async health() {
        const mine = ++n
        const answer = new Promise<boolean>((resolve) => answers.set(mine, resolve))
        send({ ask: 'health', n: mine })
        const ok = await Promise.race([answer, Bun.sleep(5_000).then(() => false)])
        answers.delete(mine)
        return ok
      },
    }
    this.lodgers.add(lodger)
    void supervised.ended.then((code) => {
      lodger.isEnded = true
      this.lodgers.delete(lodger)
      // The only one; otherwise whoever upgrades sees to it.
      if (this.server === lodger && !this.isBusy) this.over.resolve(code)
    })
    return lodger
  }

  /** @returns how it ended, never before one of the two versions runs alone */
  async upgrade(to: Version, tell: (sentence: string) => void): Promise<{ ok: boolean; says: string }> {
    if (this.isBusy) return { ok: false, says: 'Another upgrade is under way.' }
    if (!this.server || this.isStopping) return { ok: false, says: 'The server is not running yet, or stops.' }
    if (!existsSync(join(to.folder, 'server', 'launch.ts'))) return { ok: false, says: `${to.folder} is no version.` }
    this.isBusy = true
    const from = this.current
    const note = (state: 'begun' | 'done' | 'back', why?: string) => {
      const at = this.upgrades.last?.state === 'begun' ? this.upgrades.last.at : new Date().toISOString()
      this.upgrades.last = { from, to, at, state, ...(why !== undefined && { why }) }
      writeUpgrades(this.options.dataDir, this.upgrades)
    }
    try {
      note('begun')
      this.options.say(`Upgrade: version ${to.version} in ${to.folder} starts beside ${from.version}.`)
      const why = await this.change(this.server, to, tell)
      if (why === undefined) {
        Object.assign(this.upgrades, replaced(this.upgrades, from, to))
        note('done')
        const says = `Version ${to.version} has taken over from ${from.version}.`
        this.options.say(says)
        return { ok: true, says }
      }
      note('back', why)
      const says = `Version ${to.version} did not take over: ${why} Version ${from.version} goes on.`
      this.options.say(says)
      return { ok: false, says }
    } finally {
      this.isBusy = false
      if (this.server.isEnded) this.over.resolve(1)
    }
  }

  /** @returns why it went back, or undefined when the new one stays */
  private async change(old: Lodger, to: Version, tell: (sentence: string) => void): Promise<string | undefined> {
    const end = performance.now() + START_MS
    const left = () => Math.max(0, end - performance.now())
    const next = this.lodge(to, { version: old.version.version })
    const isBuilt = await first(next.built, next.ended, left())
    const unfit = async () => {
      if (this.isStopping) return STOPPED
      if (isBuilt === 'ended') return 'it ended when it was started; its reason stands in the log.'
      if (isBuilt === 'late') return `it was not ready within ${START_MS / 1_000} s.`
      if (!(await next.health())) return 'it says that it is not well.'
      next.send({ ask: 'listen' })
      if ((await first(next.listens, next.ended, left())) !== 'came') return 'it does not listen.'
      return undefined
    }
    const why = await unfit()
    if (why !== undefined) {
      await this.dismiss(next)
      return why
    }
    tell(`Version ${to.version} runs beside it and is well. Browsers and phones move over.`)
    return this.handOver(old, next, tell)
  }

  private async handOver(old: Lodger, next: Lodger, tell: (sentence: string) => void): Promise<string | undefined> {
    const end = performance.now() + Number(this.options.env[WATCH] ?? WATCH_MS)
    old.letGo()
    this.server = next
    this.current = next.version
    old.send({ ask: 'leave', ms: MOVE_MS, client: join(next.version.folder, 'client', 'dist') })
    const axe = setTimeout(() => old.kill(), LEAVE_MS)
    const gone = old.ended.then(() => {
      clearTimeout(axe)
      tell(`Version ${old.version.version} has ended; ${next.version.version} is watched.`)
    })
    const why = await this.watch(next, () => old.isEnded && performance.now() > end)
    if (this.isStopping) return STOPPED
    if (why === undefined) {
      next.settle()
      return undefined
    }
    tell(`It is not well: ${why} Going back.`)
    // The one before may still be leaving: another of its version is there sooner.
    const again = this.lodge(old.version, { version: next.version.version })
    this.server = again
    this.current = old.version
    if ((await first(again.built, again.ended, START_MS)) === 'came') {
      again.send({ ask: 'listen' })
      await first(again.listens, again.ended, START_MS)
    }
    again.settle()
    await Promise.all([this.dismiss(next), gone])
    return why
  }

  /** @returns why it is not well, or undefined when it was until `isOver` */
  private async watch(next: Lodger, isOver: () => boolean): Promise<string | undefined> {
    for (let unwell = 0; ; ) {
      await Promise.race([next.ended, Bun.sleep(LOOK_MS)])
      if (this.isStopping) return undefined
      if (next.isEnded) return 'it ended.'
      unwell = (await next.health()) ? 0 : unwell + 1
      if (unwell >= MOST_UNWELL) return 'it says that it is not well.'
      if (isOver()) return undefined
    }
  }

  /** Browsers that it has come back; what it holds it gives back. */
  private async dismiss(next: Lodger): Promise<void> {
    next.letGo()
    next.send({ ask: 'leave', ms: MOVE_MS, client: '' })
    const axe = setTimeout(() => next.kill(), LEAVE_MS)
    await next.stop()
    clearTimeout(axe)
  }
}

/** What comes first: it, the end of the process, or the end of patience. */
async function first(it: Promise<unknown>, end: Promise<unknown>, ms: number): Promise<'came' | 'ended' | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(resolve, ms, 'late')
  try {
    return await Promise.race([it.then(() => 'came' as const), end.then(() => 'ended' as const), late])
  } finally {
    clearTimeout(timer)
  }
}
