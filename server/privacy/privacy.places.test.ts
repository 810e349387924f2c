import { expect, test } from 'bun:test'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { places } from './privacy.places.ts'

const tables = await (async () => {
  const found = new Map<string, PgTable>()
  for (const path of new Bun.Glob('schema/**/*.table.ts').scanSync('.')) {
    const module = (await import(`../../${path}`)) as Record<string, unknown>
    for (const value of Object.values(module)) if (is(value, PgTable)) found.set(getTableName(value), value)
  }
  return found
})()

test('of every table it is said what erasing a person does with it', () => {
  expect([...tables.keys()].filter((name) => !(name in places)).sort()).toEqual([])
  expect(Object.keys(places).filter((name) => !tables.has(name))).toEqual([])
})

test('in a row that stays, each column of text or JSON is emptied, or is said to name nobody', () => {
  const unsaid = Object.entries(places).flatMap(([name, place]) => {
    if (place.does !== 'empties') return []
    const said = new Set([...Object.keys(place.to), ...place.stays, ...Object.keys(place.besides ?? {})])
    return Object.values(getTableColumns(tables.get(name)!))
      .filter((column) => /^(?:text|jsonb|text\[\]|bytea)/.test(column.getSQLType()) && !said.has(column.name))
      .map((column) => `${name}.${column.name}`)
  })
  expect(unsaid).toEqual([])
})

test('a column that is emptied is one of its table', () => {
  for (const [name, place] of Object.entries(places)) {
    if (place.does !== 'empties' && place.does !== 'erases') continue
    const columns = Object.values(getTableColumns(tables.get(name)!)).map((column) => column.name)
    const named =
      place.does === 'empties' ? [...Object.keys(place.to), ...place.stays, ...Object.keys(place.besides ?? {})] : []
    expect([...named, ...(place.files ?? [])].filter((column) => !columns.includes(column))).toEqual([])
  }
})

test('what follows another table hangs on it by a key that takes it along', () => {
  for (const [name, place] of Object.entries(places)) {
    if (place.does !== 'follows') continue
    const keys = getTableConfig(tables.get(name)!).foreignKeys
    expect(
      keys.some((key) => getTableName(key.reference().foreignTable) === place.with && key.onDelete === 'cascade'),
      name,
    ).toBe(true)
  }
})

/** Tables whose rows name a contact, a ticket or a message, and that stay as they are: each says why it may. */
test('what stays and hangs on a contact, a ticket or a message holds no text of theirs', () => {
  const found = Object.entries(places).flatMap(([name, place]) => {
    if (place.does !== 'keeps') return []
    const columns = Object.values(getTableColumns(tables.get(name)!))
    if (!columns.some((column) => ['contactId', 'ticketId', 'messageId'].includes(column.name))) return []
    return columns
      .filter((column) => /^(?:text|jsonb)/.test(column.getSQLType()))
      .map((column) => `${name}.${column.name}`)
  })
  // Ids, words of ours, and the proof itself.
  expect(found.sort()).toEqual(known)
})

const known = [
  ...['bulk_sends.messageId', 'erasures.counts', 'erasures.hashes', 'erasures.id', 'erasures.names', 'erasures.proof'],
  ...[
    'erasures.reason',
    'erasures.state',
    'erasures.steps',
    'privacy_holds.reason',
    'sla_clocks.id',
    'sla_clocks.metric',
  ],
].sort()
