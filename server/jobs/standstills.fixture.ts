/**
 * A server for the test of what is learnt from standstills: it answers what its arguments name, and stands still over it,
 * unless it learnt at its start what that leads to. Each step is noted in a file.
 */
import { appendFileSync } from 'node:fs'
import { connectDatabase } from '../db/database.ts'
import { showLife, showReady } from '../heartbeat.ts'
import { createLogger } from '../log.ts'
import { hasStoodStill, learnStandstills, working } from './standstills.ts'
import { type Handlers, startJobWorker } from './worker.ts'

const [, , notes = '', url = '', companyId = '', causes = '[]', heartbeat = ''] = process.argv
const log = createLogger({ level: 'silent' })
const note = (what: string) => appendFileSync(notes, `${what}\n`)

function standStill(): never {
  for (;;);
}

showLife(heartbeat)
process.on('SIGTERM', () => process.exit(0))
const { db, sql } = connectDatabase(url, { max: 2 })
await learnStandstills(db, log)
note('start')
showReady()
for (const cause of JSON.parse(causes) as string[]) {
  if (hasStoodStill(cause)) note(`left to people: ${cause}`)
  else
    working({ companyId: Number(companyId), about: cause }, () => {
      if (cause.startsWith('endless')) standStill()
      note(`answered: ${cause}`)
    })
}
startJobWorker({
  ...{ sql, log, openConnections: () => [1], pollMs: 20 },
  handlers: {
    'whatsapp.send': ({ messageId }: { messageId: string }) => {
      note(`job: ${messageId}`)
      if (messageId === 'endless') standStill()
      return Promise.resolve()
    },
  } as unknown as Handlers,
})
