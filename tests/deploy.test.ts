import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from './support/app.ts'

/** What stands in `deploy` and `compose.yaml` for whoever runs Balcão, held against what exists. */
const root = join(import.meta.dir, '..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')

/** Every figure that the server tells, with a backup and without. */
async function toldFigures(): Promise<Set<string>> {
  const token = 'a-token-of-prometheus'
  const t = await testApp({ metricsToken: token })
  try {
    const { body } = await t.call('GET', '/metrics', { token })
    const told = new Set<string>()
    for (const [, name, type] of String(body).matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      told.add(name!)
      if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) told.add(`${name}_${part}`)
    }
    return told
  } finally {
    await t.close()
  }
}

const named = (expression: string) => [...expression.matchAll(/\bbalcao_\w+/g)].map(([name]) => name)

test('every figure that an alert or the dashboard asks for is one that the server tells', async () => {
  const rules = Bun.YAML.parse(text('deploy/prometheus-rules.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[]
  }
  const dashboard = JSON.parse(text('deploy/grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const alerts = rules.groups.flatMap((group) => group.rules)
  const asked = [
    ...alerts.flatMap(({ alert, expr }) => named(expr).map((name) => `${alert}: ${name}`)),
    ...dashboard.panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr }) => named(expr).map((name) => `${title}: ${name}`)),
    ),
  ]
  expect(asked.length).toBeGreaterThan(30)
  // Those of backups are told where backups are made by themselves (`server/http/metrics.ts`).
  const source = text('server/http/metrics.ts')
  const told = await toldFigures()
  const exists = (name: string) =>
    told.has(name) || (name.startsWith('balcao_backup_') && source.includes(`'${name.slice('balcao_'.length)}'`))
  expect(asked.filter((line) => !exists(line.split(': ')[1]!))).toEqual([])
  for (const { alert, annotations } of alerts)
    expect([alert, Object.keys(annotations)]).toEqual([alert, ['summary', 'remedy']])
})
