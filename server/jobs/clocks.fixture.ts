import { connectDatabase } from '../db/database.ts'
import { createLogger } from '../log.ts'
import { startClocks } from './clocks.ts'

/** A server that notes each second that it is there; until it is killed. */
const [, , databaseUrl = '', holder = '', leaseMs = ''] = process.argv
const { sql } = connectDatabase(databaseUrl, { max: 2 })
startClocks(
  [
    {
      name: 'note',
      when: '* * * * * *',
      work: () => sql`INSERT INTO notes (holder) VALUES (${holder})`,
    },
    {
      name: 'own',
      when: '* * * * * *',
      everywhere: true,
      work: () => sql`INSERT INTO own_notes (holder) VALUES (${holder})`,
    },
  ],
  { log: createLogger({ level: 'silent' }), lease: { sql, holder, ms: Number(leaseMs) } },
)
