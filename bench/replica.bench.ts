import type { Page } from '@playwright/test'
import { ticketsPerPage } from '../schema/tickets/tickets.list.ts'
import { ticketSearch } from '../client/tickets/tickets.search.ts'
import { newId } from '../schema/ids.ts'
import type { Principal } from '../schema/permissions.ts'
import type { FoundMessage, Replica } from '../sync/client/replica.types.ts'
import { examples } from '../tests/example-data.ts'
import { buildSyncPage } from '../tests/support/sync-page.ts'
import { startSyncServer, type SyncServer } from '../tests/support/sync-server.ts'
import { type Bench, type Measure, percentile, spread } from './measure.ts'
import { openBrowser } from './stage.ts'

declare global {
  interface Window {
    replica: Replica
  }
}

const inboxSql = `SELECT t."id", t."lastMessage", t."unreadMessages", t."updatedAt", c."name" FROM tickets t JOIN contacts c ON c."id" = t."contactId"
  WHERE t."status" = 'open' ORDER BY t."updatedAt" DESC, t."id" DESC LIMIT 200`
const conversationSql = `SELECT * FROM messages WHERE "ticketId" = $1 ORDER BY "createdAt" DESC, "id" DESC LIMIT 50`

/** The replica alone, in Chromium, on a page without the product: what its screens can count on. */
const bench: Bench = {
  name: 'replica',
  async run(say) {
    const server = await startSyncServer({ files: await buildSyncPage() })
    const browser = await openBrowser()
    const measures: Measure[] = []
    try {
      say('2,000 tickets, 20,000 messages')
      const small = await company(server, 2_000, 20_000)
      const firsts: number[] = []
      const completes: number[] = []
      for (let run = 0; run < 3; run++) {
        const context = await browser.newContext()
        const page = await context.newPage()
        const { inbox, complete } = await visit(page, server, small.who)
        firsts.push(inbox)
        completes.push(complete)
        await context.close()
      }
      measures.push(measure('first visit → inbox answered, 2,000 tickets to sync', 'p50 ≤ 3 s', firsts, 0.5, 3000))
      measures.push(measure('first visit → all of 20,000 messages synced', 'p50 ≤ 5 s', completes, 0.5, 5000))

      say('50,000 messages')
      const big = await company(server, 2_000, 49_000)
      const context = await browser.newContext()
      let page = await context.newPage()
      await visit(page, server, big.who)
      const conversations = await page.evaluate(
        async ({ sql, ids }) => {
          const times: number[] = []
          for (const id of ids) {
            const start = performance.now()
            await window.replica.query(sql, [id])
            times.push(performance.now() - start)
          }
          return times
        },
        { sql: conversationSql, ids: big.ticketIds.slice(0, 200) },
      )
      measures.push(
        measure('conversation queried, 50,000 messages in the replica', 'p95 ≤ 5 ms', conversations, 0.95, 5),
      )
      measures.push(measure('commit → rows in the page', 'p50 ≤ 20 ms', await arrivals(page, server, big), 0.5, 20))
      measures.push(measure('own message → rows in the page', 'p50 ≤ 10 ms', await ownMessages(page, big), 0.5, 10))

      measures.push(
        measure(
          'search over 50,000 messages, as the search tab does it',
          'p95 ≤ 50 ms',
          await searches(page),
          0.95,
          50,
        ),
      )

      await page.waitForTimeout(5_000)
      await page.close()
      server.faults.down = true
      const reopens: number[] = []
      for (let run = 0; run < 3; run++) {
        page = await context.newPage()
        await page.goto(address(server, big.who))
        reopens.push(await inboxAnswered(page))
        await page.close()
      }
      measures.push(
        measure('reload without the server → inbox answered, 50,000 messages', 'p50 ≤ 1.2 s', reopens, 0.5, 1200),
      )
    } finally {
      await browser.close()
      await server.stop()
    }
    return measures
  },
}
export default bench

function measure(name: string, target: string, samples: readonly number[], share: number, limit: number): Measure {
  return {
    name: `replica alone: ${name}`,
    target,
    values: spread(samples),
    unit: 'ms',
    runs: samples.length,
    ok: percentile(samples, share) <= limit,
  }
}

const address = (server: SyncServer, who: Principal) => `${server.url}/?who=${encodeURIComponent(JSON.stringify(who))}`

async function company(server: SyncServer, tickets: number, messages: number) {
  const eg = examples(server.db)
  const { id } = await eg.company()
  const queue = await eg.queue(id)
  const whatsapp = await eg.whatsapp(id)
  const { who } = await eg.user(id, { queueIds: [queue.id], profile: 'admin' })
  const { sql } = server
  await sql`INSERT INTO contacts ("companyId", name, number) SELECT ${id}, 'Contact ' || n, ${`55${id}`} || lpad(n::text, 9, '0') FROM generate_series(1, ${tickets}::int) n`
  await sql`INSERT INTO tickets ("companyId", "contactId", "whatsappId", "queueId", "userId", status, "lastMessage", "updatedAt")
    SELECT ${id}, c.id, ${whatsapp.id}, ${queue.id}, ${who.userId}, CASE WHEN c.id % 4 = 0 THEN 'closed' ELSE 'open' END, 'The last message of ' || c.name, now() - c.id * interval '1 second'
    FROM contacts c WHERE c."companyId" = ${id}`
  await sql`INSERT INTO messages (id, "companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt")
    SELECT gen_random_uuid()::text, ${id}, t.id, t."contactId", ${whatsapp.id}, gen_random_uuid()::text, n % 2 = 0, 'Message ' || n || repeat(' and some words', 6), now() - n * interval '1 second'
    FROM generate_series(1, ${messages}::int) n JOIN (SELECT id, "contactId", row_number() OVER () - 1 AS k FROM tickets WHERE "companyId" = ${id}) t ON t.k = n % ${tickets}::int`
  server.nudge()
  const rows = await sql<
    { id: number; contactId: number }[]
  >`SELECT id, "contactId" FROM tickets WHERE "companyId" = ${id} AND status = 'open' ORDER BY id`
  return { id, who, whatsappId: whatsapp.id, tickets: rows, ticketIds: rows.map((row) => row.id) }
}

/** Milliseconds since the navigation began until the inbox's query had rows. */
function inboxAnswered(page: Page): Promise<number> {
  return page.evaluate(
    (sql) =>
      new Promise<number>((resolve) => {
        window.replica.live(
          { sql, tables: ['tickets', 'contacts'] },
          (rows) => rows.length > 0 && resolve(performance.now()),
        )
      }),
    inboxSql,
  )
}

async function visit(page: Page, server: SyncServer, who: Principal): Promise<{ inbox: number; complete: number }> {
  await page.goto(address(server, who))
  const inbox = await inboxAnswered(page)
  const complete = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => window.replica.status.get().state === 'live' && resolve(performance.now())
        window.replica.status.subscribe(look)
        look()
      }),
  )
  return { inbox, complete }
}

/** A row is committed here; the page says when it has it. One machine, so one clock. */
async function arrivals(page: Page, server: SyncServer, big: Awaited<ReturnType<typeof company>>): Promise<number[]> {
  const ticket = big.tickets[0]!
  const eg = examples(server.db)
  const times: number[] = []
  await page.evaluate(
    ({ sql, id }) => {
      const arrived = new Map<string, number>()
      Object.assign(window, { arrived })
      window.replica.live<{ id: string }>(
        { sql, params: [id], tables: [{ table: 'messages', only: { column: 'ticketId', value: id } }] },
        (rows) => {
          const at = performance.timeOrigin + performance.now()
          for (const row of rows) if (!arrived.has(row.id)) arrived.set(row.id, at)
        },
      )
    },
    { sql: conversationSql, id: ticket.id },
  )
  for (let run = 0; run < 100; run++) {
    const { id } = await eg.message(big.id, {
      ticketId: ticket.id,
      contactId: ticket.contactId,
      body: `arrival ${run}`,
    })
    const committed = performance.timeOrigin + performance.now()
    server.nudge()
    await Bun.sleep(40)
    const at = await page.waitForFunction(
      (id) => (window as unknown as { arrived: Map<string, number> }).arrived.get(id),
      id,
    )
    times.push((await at.jsonValue())! - committed)
  }
  return times
}

/**
 * Both steps of the search list: the tickets whose messages say it, then the rows to show, which are found by names,
 * numbers and last messages, too. Words that all messages have, that few have, that none has.
 */
async function searches(page: Page): Promise<number[]> {
  const timed = <T>(work: string, argument: unknown) =>
    page.evaluate(
      async ({ work, argument }) => {
        const start = performance.now()
        const { replica } = window
        const value =
          work === 'search'
            ? await replica.search(argument as string)
            : await replica.query((argument as { sql: string }).sql, (argument as { params: unknown[] }).params)
        return { value, took: performance.now() - start }
      },
      { work, argument },
    ) as Promise<{ value: T; took: number }>
  // The tab does this when it opens.
  await timed('search', '')
  const times: number[] = []
  const texts = ['some words', 'Message 4711 ', 'mensagém', 'contact 77', '000000012', 'não há', 'wor', 'message 31']
  for (let run = 0; run < 80; run++) {
    const text = texts[run % texts.length]!
    const found = await timed<FoundMessage[]>('search', text)
    const { sql, params } = ticketSearch(
      { text, tagIds: [], userIds: [] },
      found.value.map(({ ticketId }) => ticketId),
      ticketsPerPage,
    ).query
    times.push(found.took + (await timed('query', { sql, params })).took)
  }
  return times
}

function ownMessages(page: Page, big: Awaited<ReturnType<typeof company>>): Promise<number[]> {
  return page.evaluate(
    async ({ sql, ticketId, ids }) => {
      const times: number[] = []
      for (const id of ids) {
        const shown = new Promise<void>((resolve) => {
          const stop = window.replica.live<{ id: string }>(
            { sql, params: [ticketId], tables: [{ table: 'messages', only: { column: 'ticketId', value: ticketId } }] },
            (rows) => {
              if (rows.some((row) => row.id === id)) {
                resolve()
                queueMicrotask(() => stop())
              }
            },
          )
        })
        const start = performance.now()
        void window.replica.mutate('messages.send', { id, ticketId, body: 'mine' })
        await shown
        times.push(performance.now() - start)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return times
    },
    { sql: conversationSql, ticketId: big.ticketIds[1]!, ids: Array.from({ length: 60 }, newId) },
  )
}
