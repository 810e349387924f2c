/** A backup of two million messages, of a small machine's own Postgres, while messages go on arriving. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBackup } from '../server/backup/backup.write.ts'
import { parseConfig } from '../server/config.ts'
import { connectDatabase } from '../server/db/database.ts'
import { startEmbeddedPostgres } from '../server/db/embedded-postgres.ts'
import { migrateDatabase } from '../server/db/migrate.ts'
import { createLogger } from '../server/log.ts'
import { examples } from '../tests/example-data.ts'
import { type Bench, type Measure, spread } from './measure.ts'

const share = Number(process.env['BENCH_RUNS'] ?? 1)
const messages = Math.round(2_000_000 * Math.min(1, share))
const MOST_SECONDS = 120
/** Messages that arrive meanwhile. */
const PER_SECOND = 20
/** Of which one waits so long at most for its row, in ms: nobody notices. */
const MOST_WAIT = 100

const bench: Bench = {
  name: 'Backup',
  async run(say) {
    const place = mkdtempSync(join(tmpdir(), 'balcao-bench-backup-'))
    const dataDir = join(place, 'data')
    const log = createLogger({ level: 'warn' })
    const postgres = await startEmbeddedPostgres({ dataDir, fast: true, log })
    try {
      await migrateDatabase(postgres.url)
      const { sql, db, close } = connectDatabase(postgres.url)
      const eg = examples(db, { passwordHash: 'x' })
      const company = await eg.company()
      const ticket = await eg.ticket(company.id)
      // Neither search nor scopes are measured here.
      await sql`DROP INDEX messages_search`
      await sql`ALTER TABLE messages DISABLE TRIGGER USER`
      await sql`
        INSERT INTO messages (id, "companyId", "ticketId", "contactId", "fromMe", body, "createdAt")
        SELECT gen_random_uuid(), ${company.id}, ${ticket.id}, ${ticket.contactId}, n % 2 = 0,
          'Bom dia! O pedido ' || n || ' chega ' || md5(n::text) || ' até as ' || n % 24 || ' horas.',
          now() - n * interval '1 second'
        FROM generate_series(1, ${messages}::int) n`
      say(`${messages.toLocaleString('en')} messages are there`)

      const config = parseConfig({
        DATA_DIR: dataDir,
        JWT_SECRET: 'a secret of thirty-two characters or more',
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      })
      const before = process.memoryUsage.rss()
      let most = before
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50)
      let isDone = false
      const written: number[] = []
      const traffic = (async () => {
        for (let n = 1; !isDone; n++) {
          const start = performance.now()
          await sql`
            INSERT INTO messages (id, "companyId", "ticketId", "contactId", "fromMe", body, "createdAt")
            VALUES (gen_random_uuid(), ${company.id}, ${ticket.id}, ${ticket.contactId}, false, ${`Oi ${n}`}, now())`
          written.push(performance.now() - start)
          await Bun.sleep(Math.max(0, 1_000 / PER_SECOND - (performance.now() - start)))
        }
      })()
      const begin = performance.now()
      await writeBackup(config, join(place, 'backup'), { version: '0', log, progress: () => undefined })
      const seconds = Math.round((performance.now() - begin) / 100) / 10
      clearInterval(watch)
      isDone = true
      await traffic
      await close()
      const { p95 } = spread(written)
      const grown = Math.round((most - before) / 1e6)
      say(`${seconds} s, ${grown} MB more memory`)
      const measures: Measure[] = [
        {
          name: `Backup of ${messages.toLocaleString('en')} messages, while ${PER_SECOND} a second arrive`,
          target: `≤ ${MOST_SECONDS} s`,
          values: { took: seconds },
          unit: 's',
          runs: 1,
          ok: seconds <= MOST_SECONDS,
        },
        {
          name: 'Backup: what a message that arrives meanwhile waits to be written',
          target: `p95 ≤ ${MOST_WAIT} ms`,
          values: { p95 },
          unit: 'ms',
          runs: written.length,
          ok: p95 <= MOST_WAIT,
        },
        {
          name: 'Backup: memory that it takes meanwhile',
          target: '≤ 200 MB',
          values: { most: grown },
          unit: 'MB',
          runs: 1,
          ok: grown <= 200,
        },
      ]
      return measures
    } finally {
      await postgres.stop()
      rmSync(place, { recursive: true, force: true })
    }
  },
}
export default bench
