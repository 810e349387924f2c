import type { Handlers } from '../jobs/worker.ts'
import { startJobWorker } from '../jobs/worker.ts'
import { connectDatabase } from '../db/database.ts'
import { createLogger } from '../log.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { assignmentEffects, lookAgain } from './assignment.effects.ts'

/** A server that gives tickets to agents, and does nothing else; until it is killed. */
const [, , databaseUrl = ''] = process.argv
const { sql, db } = connectDatabase(databaseUrl, { max: 4 })
const now = () => new Date()
const own = assignmentEffects({ db, facts: companyFacts(db, 0), now, committed: () => undefined })
// Whoever is told of it: not here.
const handlers = new Proxy(own, {
  get: (_, kind: keyof typeof own) => own[kind] ?? (async () => undefined),
}) as unknown as Handlers
const worker = startJobWorker({
  ...{ sql, handlers, log: createLogger({ level: 'silent' }), openConnections: () => [], pollMs: 20 },
})
setInterval(() => void lookAgain(db, now()).then(() => worker.wake()), 1_000)
process.stdout.write('ready\n')
