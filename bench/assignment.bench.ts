/** Fifty tickets that come at once, ten agents with room for five each, and three servers that give them: who gets what, and how soon. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { join } from 'node:path'
import { ticketEvents, tickets } from '../schema/tickets/tickets.table.ts'
import { examples } from '../tests/example-data.ts'
import { testDatabase } from '../tests/support/postgres.ts'
import { type Bench, often, spread } from './measure.ts'

const agents = 10
const capacity = 5
const servers = 3
/** Somebody is looked for again and again so long, in milliseconds. */
const patienceMs = 60_000

const bench: Bench = {
  name: 'Assignment',
  async run(say) {
    const database = await testDatabase()
    const { db, url } = database
    const eg = examples(db)
    const fixture = join(import.meta.dir, '../server/assignment/assignment.fixture.ts')
    const running = Array.from({ length: servers }, () =>
      Bun.spawn([process.execPath, '--no-orphans', fixture, url], { stdio: ['ignore', 'pipe', 'inherit'] }),
    )
    try {
      for (const server of running) await server.stdout.getReader().read()
      const took: number[] = []
      let uneven = 0
      let twice = 0
      const runs = often(20)
      for (let run = -1; run < runs; run++) {
        const company = await eg.company({ plan: { users: agents } })
        const queue = await eg.queue(company.id, { assignment: run % 2 === 0 ? 'roundRobin' : 'leastBusy' })
        for (let n = 0; n < agents; n++)
          await eg.user(company.id, { queueIds: [queue.id], capacity, online: true, lastSeenAt: new Date() })
        const whatsapp = await eg.whatsapp(company.id)
        const contacts = []
        for (let n = 0; n < agents * capacity; n++) contacts.push(await eg.contact(company.id))
        const begin = performance.now()
        const made = await Promise.all(
          contacts.map(({ id: contactId }) =>
            db.transaction((tx) =>
              examples(tx).ticket(company.id, {
                ...{ contactId, status: 'pending', userId: null, queueId: queue.id, whatsappId: whatsapp.id },
              }),
            ),
          ),
        )
        const given = () =>
          db
            .select({ n: sql<number>`count(*)::int` })
            .from(tickets)
            .where(and(eq(tickets.companyId, company.id), eq(tickets.status, 'open')))
            .groupBy(tickets.userId)
        let rows = await given()
        while (rows.reduce((sum, { n }) => sum + n, 0) < contacts.length && performance.now() - begin < patienceMs) {
          await Bun.sleep(2)
          rows = await given()
        }
        const ms = performance.now() - begin
        const lines = await db
          .select({ id: ticketEvents.ticketId })
          .from(ticketEvents)
          .where(
            and(
              eq(ticketEvents.kind, 'assigned'),
              inArray(
                ticketEvents.ticketId,
                made.map(({ id }) => id),
              ),
            ),
          )
        if (rows.length !== agents || rows.some(({ n }) => n !== capacity)) uneven++
        twice += lines.length - new Set(lines.map(({ id }) => id)).size
        if (run >= 0) took.push(ms)
      }
      const values = { ...spread(took), uneven, twice }
      say(`50 at once: ${JSON.stringify(values)}`)
      return [
        {
          name: '50 tickets at once to 10 agents with room for 5 each, three servers: from the first one’s coming until the last one is given',
          target: 'each 5, none twice',
          values,
          unit: 'ms',
          runs,
          ok: uneven === 0 && twice === 0,
        },
      ]
    } finally {
      for (const server of running) server.kill('SIGKILL')
      await database.close()
    }
  },
}

export default bench
