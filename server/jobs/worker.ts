import type { Effect, EffectKind } from '../../schema/effects.ts'
import { byItself } from '../actor.ts'
import type { JobRank } from '../../schema/jobs/jobs.table.ts'
import type { Sql } from '../db/database.ts'
import { countConnection, countJob, type JobOutcome } from '../figures.ts'
import { doing, workAs } from '../heartbeat.ts'
import type { Logger } from '../log.ts'
import { JOB_LOCK_MS, JOB_RENEW_MS } from './left.ts'

export interface JobContext {
  companyId: number
  /** 1 for the first try. */
  attempt: number
  /** True when a failure of this try is final. */
  last: boolean
}

/** One handler for each kind of effect. Each may be called again with the same effect after a crash. */
export type Handlers = {
  [K in EffectKind]: (effect: Extract<Effect, { kind: K }>, context: JobContext) => Promise<void>
}

/** Thrown by a handler whose time has not come, such as a closed connection: the job waits, and no try is counted. */
export class NotNow extends Error {
  constructor(
    reason: string,
    readonly retryInMs = 2_000,
  ) {
    super(reason)
    this.name = 'NotNow'
  }
}

/** Thrown by a handler when no further try can help. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}

const MAX_ATTEMPTS = 8
/** Renewed while the work goes on: a job whose lock ran out was left by a dead process. */
const LOCK_SECONDS = JOB_LOCK_MS / 1_000

/** How many jobs of each rank are worked on at once. */
const PLACES: Readonly<Record<JobRank, number>> = { 0: 8, 1: 16, 2: 8 }

interface ClaimedJob {
  id: number
  /** Whose place it takes: what stands in a lane before a job of a better rank takes that one's. */
  rank: JobRank
  companyId: number
  kind: EffectKind
  payload: Record<string, unknown>
  attempts: number
}

interface WorkerDeps {
  sql: Sql
  log: Logger
  handlers: Handlers
  /** Connections this process holds open. */
  openConnections(): number[]
  pollMs?: number
  /** Names this process (`workerName`). */
  name?: string
}

/**
 * Runs due jobs: those of one lane in order, others side by side, and those of a connection only where it is open.
 * Several servers may run workers on one database.
 */
export function startJobWorker(deps: WorkerDeps) {
  const { sql, log } = deps
  const me = deps.name ?? crypto.randomUUID()
  workAs(me)
  const running = new Map<number, Promise<void>>()
  const busy: Record<JobRank, number> = { 0: 0, 1: 0, 2: 0 }
  /** Jobs that are done and still have their row. */
  const done: number[] = []
  let stopping = false
  let claiming: Promise<void> | null = null
  let again = false
  let timer: ReturnType<typeof setTimeout> | null = null

  /**
   * Records the jobs that are done and takes those that are due, in one statement: a commit for each outcome alone would
   * be half of what a busy worker waits for. A crash in between does a job again, as one during its work does.
   */
  const turnOver = (done: readonly number[], rooms: readonly number[]) => sql<ClaimedJob[]>`
    SELECT "id"::int AS "id", "rank", "companyId", "kind", "payload", "attempts" FROM turn_over_jobs(
      ${done as number[]}::bigint[], ${me}, ${deps.openConnections()}::int[], ${LOCK_SECONDS} * interval '1 second', ${rooms as number[]}::int[])`

  async function fill(): Promise<void> {
    do {
      again = false
      const rooms = ([0, 1, 2] as const).map((rank) => (stopping ? 0 : PLACES[rank] - busy[rank]))
      if (rooms.every((room) => room === 0) && done.length === 0) return
      const recorded = done.splice(0)
      const claimed = await turnOver(recorded, rooms).catch((error: unknown) => {
        done.push(...recorded)
        throw error
      })
      for (const job of claimed) {
        busy[job.rank]++
        const work = attempt(deps, job)
          .then((isDone) => void (isDone && done.push(job.id)))
          .catch((err) => log.error({ err, job: job.id }, 'job outcome not recorded; its lock will run out'))
          .finally(() => {
            running.delete(job.id)
            busy[job.rank]--
            wake()
          })
        running.set(job.id, work)
      }
    } while (again)
  }

  /** Looks for due jobs now. Called after every commit that wrote some. */
  function wake(): void {
    if (claiming) {
      again = true
      return
    }
    claiming = byItself(fill)
      .catch((err) => log.warn({ err }, 'jobs could not be claimed; trying again'))
      .finally(() => {
        claiming = null
        // A wake that came after the last look and before this line.
        if (again) wake()
      })
  }

  const renewing = setInterval(() => {
    const ours = [...running.keys(), ...done]
    if (ours.length === 0) return
    sql`UPDATE "jobs" SET "lockedUntil" = now() + ${LOCK_SECONDS} * interval '1 second'
      WHERE "id" = ANY(${ours}::bigint[]) AND "lockedBy" = ${me} AND "lockedUntil" IS NOT NULL`.catch((err: unknown) =>
      log.warn({ err }, 'locks of jobs were not renewed'),
    )
  }, JOB_RENEW_MS)

  const poll = () => {
    wake()
    timer = setTimeout(poll, deps.pollMs ?? 500)
  }
  poll()

  return {
    wake,
    /** Takes no more jobs and waits for those at work. */
    async stop(): Promise<void> {
      stopping = true
      if (timer) clearTimeout(timer)
      await claiming
      await Promise.allSettled(running.values())
      // The last outcomes.
      while (claiming) await claiming
      clearInterval(renewing)
    },
  }
}

export type JobWorker = ReturnType<typeof startJobWorker>

/** @returns whether the job is done; otherwise its outcome is recorded already */
async function attempt(deps: WorkerDeps, job: ClaimedJob): Promise<boolean> {
  const context = { companyId: job.companyId, attempt: job.attempts, last: job.attempts >= MAX_ATTEMPTS }
  const began = performance.now()
  const count = (outcome: JobOutcome) => {
    const ms = performance.now() - began
    countJob(job.kind, outcome, ms)
    if (job.kind.startsWith('whatsapp.') && 'whatsappId' in job.payload && outcome !== 'later')
      countConnection(Number(job.payload.whatsappId), 'out', outcome === 'done' ? 'good' : 'failed', ms)
  }
  try {
    // Payload and kind were written together by addJobs.
    const handler = deps.handlers[job.kind] as ((effect: Effect, context: JobContext) => Promise<void>) | undefined
    if (!handler) throw new GiveUp(`no handler for ${job.kind}`)
    doing(`job ${job.kind}`)
    await handler({ kind: job.kind, ...job.payload } as Effect, context)
    count('done')
    return true
  } catch (error) {
    count(error instanceof NotNow ? 'later' : context.last || error instanceof GiveUp ? 'given up' : 'failed')
    await recordFailure(deps, job, context.last, error)
    return false
  }
}

/** What becomes of a job that is not done: it waits, is tried again, or is given up. */
async function recordFailure({ sql, log }: WorkerDeps, job: ClaimedJob, last: boolean, error: unknown): Promise<void> {
  // What a statement carried is people's, and stays out of what is kept for the operator.
  const message = (error instanceof Error ? error.message : String(error)).split('\nparams:', 1)[0]!
  if (error instanceof NotNow) {
    await sql`UPDATE "jobs" SET "lockedUntil" = NULL, "attempts" = "attempts" - 1, "lastError" = ${message},
      "runAt" = now() + ${error.retryInMs} * interval '1 millisecond' WHERE "id" = ${job.id}`
    return
  }
  log.warn({ job: job.id, kind: job.kind, attempt: job.attempts, err: error }, 'job failed')
  if (last || error instanceof GiveUp) {
    await sql`UPDATE "jobs" SET "lockedUntil" = NULL, "failedAt" = now(), "lastError" = ${message} WHERE "id" = ${job.id}`
    return
  }
  const delayMs = Math.min(1_000 * 2 ** job.attempts, 300_000)
  await sql`UPDATE "jobs" SET "lockedUntil" = NULL, "lastError" = ${message},
    "runAt" = now() + ${delayMs} * interval '1 millisecond' WHERE "id" = ${job.id}`
}
