import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { variables } from '../server/config.ts'
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

// ── what others are given to start it with ───────────────────────────────────────────────────

type Yaml = Record<string, any>
/** Settings of the product; what a platform or the image itself reads beside them. */
const settings = new Set<string>([...Object.keys(variables), 'NODE_ENV', 'ELECTRIC_PORT', 'SERVICE_FQDN_BALCAO_3000'])
const unknown = (names: readonly string[]) => names.filter((name) => !settings.has(name))
const documents = (yaml: string): Yaml[] =>
  yaml
    .split(/^---$/m)
    .filter((part) => part.trim() !== '')
    .map((part) => Bun.YAML.parse(part) as Yaml)

/** The few words of Helm's language that the chart uses. @throws Error at any other */
function rendered(template: string, values: Yaml, locals: Yaml = {}): string {
  const at = (path: string): unknown =>
    path.startsWith('$')
      ? locals[path]
      : path
          .split('.')
          .slice(1)
          .reduce<any>((found, part) => found?.[part], { Values: values, Release: { Name: 'loja' } })
  const value = (expression: string): string => {
    const [first = '', ...pipes] = expression.split('|').map((part) => part.trim())
    const [, format, args] = /^printf "([^"]*)" (.*)$/.exec(first) ?? []
    const words = args?.split(' ').map(at) ?? []
    let made: unknown = format === undefined ? at(first) : format.replaceAll('%s', () => String(words.shift()))
    if (made === undefined) throw new Error(`${expression} is nothing`)
    for (const pipe of pipes)
      if (pipe === 'quote' || pipe === 'toJson') made = JSON.stringify(made)
      else throw new Error(`${pipe} is not known`)
    return String(made)
  }
  const blocks = /[ \t]*\{\{- (if|range) ([^}]*)\}\}\n([^]*?)[ \t]*\{\{- end \}\}\n?/g
  return template
    .replace(blocks, (_all, word: string, about: string, inner: string) => {
      if (word === 'if') return at(about.trim()) ? rendered(inner, values, locals) : ''
      const [, key, item, list] = /^(\$\w+), (\$\w+) := (\S+)\s*$/.exec(about)!
      return Object.entries(at(list!) as Yaml)
        .map(([name, one]) => rendered(inner, values, { ...locals, [key!]: name, [item!]: one }))
        .join('')
    })
    .replace(/\{\{ ([^}]*) \}\}/g, (_all, expression: string) => value(expression))
}

test('the chart makes servers that keep their own data folder, are asked where the server answers, and are given settings that exist', async () => {
  const chart = Bun.YAML.parse(text('deploy/helm/Chart.yaml')) as Yaml
  const values = Bun.YAML.parse(text('deploy/helm/values.yaml')) as Yaml
  expect(chart.appVersion).toBe(packageJson.version)
  expect(values.image.tag).toBe(packageJson.version)
  const [servers, service, ingress] = documents(rendered(text('deploy/helm/templates/balcao.yaml'), values))
  const [container] = servers!.spec.template.spec.containers
  expect([servers!.kind, container.image]).toEqual(['StatefulSet', `balcao:${packageJson.version}`])
  expect(unknown(container.env.map(({ name }: Yaml) => name))).toEqual([])
  expect(container.volumeMounts.map(({ mountPath }: Yaml) => mountPath)).toEqual(['/data', '/tmp'])
  expect(service!.spec.selector).toEqual(servers!.spec.template.metadata.labels)
  expect(ingress!.spec.rules[0].host).toBe(values.host)
  const t = await testApp()
  try {
    for (const { httpGet } of [container.livenessProbe, container.readinessProbe])
      expect([httpGet.path, (await t.call('GET', httpGet.path)).status]).toEqual([httpGet.path, 200])
  } finally {
    await t.close()
  }
  expect(documents(rendered(text('deploy/helm/templates/shapes.yaml'), values))).toEqual([])
  const [shapes] = documents(rendered(text('deploy/helm/templates/shapes.yaml'), { ...values, shapes: true }))
  const [, ...command] = shapes!.spec.template.spec.containers[0].command as string[]
  expect(command.slice(0, 2)).toEqual(['--no-install', 'server/launch.ts'])
  // Not `shapes`, which installs packages first: nothing can be written there.
  expect(command[2]).toBe('shapesRun')
  expect(text('server/launch.ts')).toContain(`async function ${command[2]}(`)
})

test('what Coolify, CapRover, Easypanel and compose are given names settings that exist, the data folder and the port', () => {
  const dockerfile = text('Dockerfile')
  const [, port] = /EXPOSE (\d+)/.exec(dockerfile)!
  const coolify = Bun.YAML.parse(text('deploy/coolify.yaml')) as Yaml
  expect(unknown(Object.keys(coolify.services.balcao.environment))).toEqual([])
  expect(coolify.services.balcao.volumes).toEqual(['balcao-data:/data'])

  const caprover = Bun.YAML.parse(text('deploy/caprover.yaml').replaceAll('$$', '__')) as Yaml
  const [app] = Object.values(caprover.services) as Yaml[]
  expect(unknown(Object.keys(app!.environment))).toEqual([])
  expect(app!.caproverExtra).toEqual({ containerHttpPort: port, websocketSupport: true })
  const asked = caprover.caproverOneClickApp.variables.map(({ id }: Yaml) => id)
  const used = new Set(
    text('deploy/caprover.yaml')
      .replaceAll('$$', '__')
      .match(/__cap_(?!appname|root_domain|gen)\w+/g),
  )
  expect([...used].sort()).toEqual(asked.toSorted())

  const easypanel = JSON.parse(text('deploy/easypanel.json')) as Yaml
  const [{ data }] = easypanel.services
  expect(data.domains[0].port).toBe(Number(port))
  expect(
    unknown(
      (data.env as string)
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0]!),
    ),
  ).toEqual([])

  const compose = Bun.YAML.parse(text('compose.yaml')) as Yaml
  expect(unknown(Object.keys(compose.services.app.environment))).toEqual([])
})

test('the installer is a script that sh reads, asks for what it needs, and installs the Bun that is tried', () => {
  const run = (...args: string[]) => Bun.spawnSync(['sh', join(root, 'deploy/install.sh'), ...args])
  expect(Bun.spawnSync(['sh', '-n', join(root, 'deploy/install.sh')]).exitCode).toBe(0)
  expect(run().stderr.toString()).toContain('say the name')
  expect(run('a b;c', 'x@example.com').stderr.toString()).toContain('no name of a machine')
  expect(run('balcao.example.com', 'x').stderr.toString()).toContain('no e-mail address')
  expect(
    /^FROM oven\/bun:(\S+)$/m.exec(text('Dockerfile'))?.[1] ?? /FROM oven\/bun:(\S+) AS/.exec(text('Dockerfile'))![1],
  ).toBe(Bun.version)
})
