import { connectDatabase } from '../db/database.ts'
import { tellDue } from './sla.due.ts'

/** A server that tells of promises whose time has come, and does nothing else; until it is killed. */
const [, , databaseUrl = ''] = process.argv
const { db } = connectDatabase(databaseUrl, { max: 2 })
process.stdout.write('ready\n')
for (;;) {
  await tellDue({ db, now: () => new Date(), committed: () => undefined })
  await Bun.sleep(20)
}
