/** What it costs that a ticket changes hands, for who moves it and for the colleagues who look on. */
import { hashPassword } from '../server/auth/passwords.ts'
import { shapesVersion } from '../sync/shapes.ts'
import { examples } from '../tests/example-data.ts'
import { type Bench, type Measure, often, spread } from './measure.ts'
import { addCompany, password, type Stage, startStage } from './stage.ts'

/** Messages of a usual ticket, and of a group that was never closed. */
const lengths = [20, 5_000]
/** Tickets of each length, so that each is moved a few times only, as in life. */
const ticketsOfEach = 10

const bench: Bench = {
  name: 'Moves',
  async run(say) {
    const stage = await startStage()
    try {
      const { sql, db, stack } = stage
      const measures: Measure[] = []
      for (const messages of lengths) {
        const company = await addCompany(stage, {
          tickets: ticketsOfEach,
          messages: messages * ticketsOfEach,
          days: 14,
        })
        const eg = examples(db)
        const passwordHash = await hashPassword(password)
        const [sales, support] = [company.queue, await eg.queue(company.id, { name: 'Suporte' })]
        const inSales = await eg.user(company.id, { passwordHash, name: 'Bia', queueIds: [sales.id] })
        const watcher = await eg.user(company.id, { passwordHash, name: 'Caio', queueIds: [support.id] })
        await sql`UPDATE tickets SET status = 'pending', "userId" = NULL WHERE "companyId" = ${company.id}`
        await sql.unsafe('VACUUM ANALYZE')
        const ids = (await sql`SELECT id FROM tickets WHERE "companyId" = ${company.id}`).map((row) => Number(row.id))
        const asBia = await stack.login(inSales.email, password)
        const asCaio = await stack.login(watcher.email, password)
        const told = await follow(stage, asCaio.token)

        const took: Record<string, number[]> = { accept: [], return: [], transfer: [] }
        const move = async (api: typeof asBia, name: 'accept' | 'return' | 'transfer', input: object) => {
          const begin = performance.now()
          await api('POST', '/commands', { id: crypto.randomUUID(), name: `tickets.${name}`, input })
          took[name]!.push(performance.now() - begin)
        }
        for (let run = -2; run < often(10); run++) {
          if (run === 0) for (const list of Object.values(took)) list.length = 0
          for (const ticketId of ids) {
            await move(asBia, 'accept', { ticketId })
            await move(asBia, 'return', { ticketId })
            await move(asBia, 'transfer', { ticketId, queueId: support.id })
            await Bun.sleep(20)
            await move(asCaio, 'transfer', { ticketId, queueId: sales.id })
            await Bun.sleep(20)
          }
        }
        await Bun.sleep(2_000)
        const moves = took.transfer!.length
        const bytes = told.bytes()
        told.close()
        const size = messages.toLocaleString('en')
        for (const [name, samples] of Object.entries(took)) {
          const values = spread(samples)
          say(`${name} of ${size} messages: ${JSON.stringify(values)}`)
          measures.push({
            name: `${name[0]!.toUpperCase()}${name.slice(1)} of a ticket with ${size} messages`,
            target: 'p95 ≤ 15 ms',
            values,
            unit: 'ms',
            runs: samples.length,
            ok: values.p95 <= 15,
          })
        }
        const each = Math.round(bytes / (moves + 4 * ids.length) / 102.4) / 10
        say(`${each} KB for each transfer to a colleague of the other queue`)
        measures.push({
          name: `Messages sent to a colleague of one of the two queues for a transfer, ticket with ${size} messages`,
          target: '≤ 200 KB',
          values: { each },
          unit: 'KB',
          runs: moves,
          ok: each <= 200,
        })
      }
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench

/** Follows the messages of one agent, as a browser does, and counts what it is sent from then on. */
async function follow(stage: Stage, token: string): Promise<{ bytes(): number; close(): void }> {
  let bytes = 0
  let open = true
  const base = `${stage.stack.url}/sync/shape/messages?v=${shapesVersion}`
  const headers = { authorization: `Bearer ${token}` }
  let place = 'offset=-1'
  const next = async (live: boolean) => {
    const answer = await fetch(`${base}&${place}${live ? '&live=true' : ''}`, { headers })
    const text = await answer.text()
    if (live) bytes += text.length
    const handle = answer.headers.get('electric-handle')
    const offset = answer.headers.get('electric-offset')
    if (answer.ok && handle && offset) place = `handle=${handle}&offset=${offset}`
    return text.includes('up-to-date')
  }
  while (!(await next(false)));
  void (async () => {
    while (open) await next(true).catch(() => Bun.sleep(100))
  })()
  return { bytes: () => bytes, close: () => void (open = false) }
}
