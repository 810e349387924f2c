/** What a rule would have done in 100,000 tickets, beside others at work; and what rules cost a company that has none. */
import { type Bench, type Measure, often, spread } from './measure.ts'
import { addCompany, password, rounded, startStage } from './stage.ts'

const tickets = 100_000
const messages = 300_000
/** Others are answered within. */
const mostWaited = 100

const action = [{ type: 'resolve' }]
const tried: readonly { what: string; rule: object }[] = [
  {
    what: 'words of messages',
    rule: { trigger: 'messageIn', conditions: [{ kind: 'words', words: ['customer', 'Message 77'], not: false }] },
  },
  {
    what: 'words that few hold, and the hours',
    rule: {
      trigger: 'messageIn',
      conditions: [
        { kind: 'words', words: ['message 7777'], not: false },
        { kind: 'hours', open: true },
      ],
    },
  },
  {
    what: 'a silence of an hour',
    rule: { trigger: 'idle', minutes: 60, conditions: [{ kind: 'status', is: ['open'] }] },
  },
  { what: 'an agent’s first answer', rule: { trigger: 'messageOut', conditions: [] } },
]

const bench: Bench = {
  name: 'Rules',
  async run(say) {
    const stage = await startStage({ LIMIT_CALLS: 'off' })
    try {
      const company = await addCompany(stage, { tickets, messages, days: 29 })
      await stage.sql.unsafe('VACUUM ANALYZE')
      const api = await stage.stack.login(company.admin.email, password)
      const measures: Measure[] = []
      for (const { what, rule } of tried) measures.push(...(await dryRun(api, what, rule, say)))
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench

type Api = Awaited<ReturnType<Awaited<ReturnType<typeof startStage>>['stack']['login']>>

async function dryRun(api: Api, what: string, rule: object, say: (text: string) => void): Promise<Measure[]> {
  const runs = often(3)
  const [took, waited]: [number[], number[]] = [[], []]
  let matched = 0
  for (let run = 0; run < runs; run++) {
    let ended = false
    const others = (async () => {
      while (!ended) {
        const from = performance.now()
        await api('GET', '/tickets?status=open&showAll=true')
        waited.push(performance.now() - from)
        await Bun.sleep(10)
      }
    })()
    const from = performance.now()
    const answer = (await api('POST', '/rules/dry-run', { rule: { ...rule, actions: action } })) as {
      matched: number
      looked: number
      isWhole: boolean
    }
    took.push(performance.now() - from)
    ended = true
    await others
    matched = answer.matched
    if (!answer.isWhole || answer.looked !== tickets) throw new Error(`it looked at ${answer.looked}`)
  }
  const longest = rounded(Math.max(...waited))
  const all = spread(took)
  say(
    `${what}: ${JSON.stringify(all)}, ${matched} tickets; others ${JSON.stringify(spread(waited))}, longest ${longest}`,
  )
  return [
    {
      ...{ name: `Dry run of a rule over ${tickets.toLocaleString('en')} tickets: ${what}`, target: '≤ 5 s' },
      values: { p50: rounded(all.p50 / 1000, 2), longest: rounded(Math.max(...took) / 1000, 2), tickets: matched },
      ...{ unit: 's', runs, ok: Math.max(...took) <= 5_000 },
    },
    {
      ...{ name: 'meanwhile: the first page of tickets of a colleague', target: `longest ≤ ${mostWaited} ms` },
      values: { ...spread(waited), longest },
      ...{ unit: 'ms', runs: waited.length, ok: longest <= mostWaited },
    },
  ]
}
