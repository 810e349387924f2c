/** What the server holds while nothing happens. Postgres, a process of its own, is told apart. */
import type { Bench, Measure } from './measure.ts'
import { until } from '../tests/support/stack.ts'
import { addCompany, descendantsMb, link, password, residentMb, rounded, startStage, healthOf } from './stage.ts'

const connections = 30
const settleMs = 15_000

const bench: Bench = {
  name: 'Memory',
  async run(say) {
    const stage = await startStage()
    const pid = () => stage.stack.pid() ?? 0
    try {
      const company = await addCompany(stage, { tickets: 500, messages: 5_000 })
      say('idle')
      await stage.restart()
      await Bun.sleep(settleMs)
      const idle = rounded(residentMb(pid()))
      const postgres = rounded(descendantsMb(pid()))

      say(`${connections} connections`)
      const api = await stage.stack.login(company.admin.email, password)
      await link(stage, api, company.whatsapp.id)
      for (let i = 1; i < connections; i++)
        await link(stage, api, ((await api('POST', '/whatsapp', { name: `Line ${i}` })) as { id: number }).id)
      // Linking leaves what idling does not need: the connections are taken up again by a new process.
      await stage.restart()
      await until(
        'the connections',
        async () => (await healthOf(stage)).connections.openHere,
        (open) => open === connections,
        // The killed server's leases have to run out first.
        180_000,
      )
      await Bun.sleep(settleMs)
      const each = rounded((residentMb(pid()) - idle) / connections, 2)
      const measures: Measure[] = [
        {
          name: 'Server memory, idle (resident); beside it the embedded Postgres (proportional)',
          target: '≤ 250 MB',
          values: { server: idle, postgres },
          unit: 'MB',
          runs: 1,
          ok: idle <= 250,
        },
        {
          name: `Server memory for each idle WhatsApp connection, of ${connections}`,
          target: '≤ 3 MB',
          values: { each },
          unit: 'MB',
          runs: connections,
          ok: each <= 3,
        },
      ]
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench
