import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import type { Db } from '../db/database.ts'
import { beginWork, endWork } from '../heartbeat.ts'
import type { Logger } from '../log.ts'
import { STOOD_STILL, type StoodStill } from '../supervisor.ts'

/**
 * What made the server stand still until it was ended. It is not done again: a message that would be answered goes to
 * people, and a job that was under way both times is set aside. What is under way stands in the page of the heartbeat
 * alone, which costs nothing; only after a standstill is it written down, as a job that nobody does: the operator reads it
 * among those that failed, and there is nothing to try again, for the message went to people.
 */
export const STOOD_STILL_KIND = 'automation.stoodStill'
const causes = new Set<string>()

/** What is answered: the company, and the name of the one thing that led there. */
interface Work {
  companyId: number
  about: string
}

/** Does plain work that other people's settings decide; whoever watches knows of it. */
export function working<T>({ companyId, about }: Work, work: () => T): T {
  beginWork(`${companyId} ${nameOf(about)}`)
  try {
    return work()
  } finally {
    endWork()
  }
}

/** Whether the server stood still over this before. */
export const hasStoodStill = (cause: string): boolean => causes.size > 0 && causes.has(nameOf(cause))

const MOST_NAME = 300

/** A cause as the page of the heartbeat can hold it: strangers choose the ids of their messages, how long they are, too. */
function nameOf(cause: string): string {
  const isPlain = cause.length <= MOST_NAME && /^[\x21-\x7e]*$/.test(cause)
  return isPlain ? cause : `#${new Bun.CryptoHasher('sha256').update(cause).digest('hex')}`
}

/** Jobs that were under way at so many standstills are not tried again. */
const MOST_STANDSTILLS = 2
/** Those that were under way once begin one after the other, so that a second time says which it was. */
const APART_MS = 1_000
const REASON = 'the server stood still while this was under way'

/** At the start, before anything is answered: learns what those before this server were at when they stood still. */
export async function learnStandstills(
  db: Db,
  log: Logger,
  reported = process.env[STOOD_STILL] ?? '[]',
): Promise<void> {
  causes.clear()
  const kept = await db
    .select({ about: sql<string>`${jobs.payload} ->> 'about'` })
    .from(jobs)
    .where(and(eq(jobs.kind, STOOD_STILL_KIND), isNotNull(jobs.failedAt)))
  for (const { about } of kept) causes.add(about)
  for (const { work, worker, doing } of JSON.parse(reported) as StoodStill[]) {
    log.error({ work, doing }, 'the server before this one stood still and was ended')
    const [company, about] = work.split(' ', 2)
    // What it answered is known; its jobs have nothing to do with it.
    if (about) await keep(db, Number(company), about)
    else if (worker) await countJobs(db, worker)
  }
}

async function keep(db: Db, companyId: number, about: string): Promise<void> {
  // Who was told of it stood still, too, before it was ready.
  if (causes.has(about)) return
  causes.add(about)
  // A company that is gone meanwhile has nothing to be answered.
  const [there] = await db.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId))
  if (!there) return
  await db.insert(jobs).values({
    ...{ companyId, kind: STOOD_STILL_KIND, payload: { about }, attempts: 1 },
    ...{ lastError: REASON, failedAt: sql`now()` },
  })
}

async function countJobs(db: Db, worker: string): Promise<void> {
  const held = await db
    .update(jobs)
    .set({ standstills: sql`${jobs.standstills} + 1`, lockedUntil: null })
    .where(and(eq(jobs.lockedBy, worker), isNotNull(jobs.lockedUntil), sql`${jobs.failedAt} IS NULL`))
    .returning({ id: jobs.id, standstills: jobs.standstills })
  const over = held.filter(({ standstills }) => standstills >= MOST_STANDSTILLS).map(({ id }) => id)
  if (over.length > 0)
    await db.update(jobs).set({ failedAt: sql`now()`, lastError: REASON }).where(inArray(jobs.id, over))
  const again = held.filter(({ standstills }) => standstills < MOST_STANDSTILLS).sort((a, b) => a.id - b.id)
  for (const [n, { id }] of again.entries())
    await db
      .update(jobs)
      .set({ lastError: REASON, runAt: sql`now() + ${n * APART_MS} * interval '1 millisecond'` })
      .where(eq(jobs.id, id))
}
