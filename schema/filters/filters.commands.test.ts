import { describe, expect, test } from 'bun:test'
import type { CommandContext, FactReader } from '../command.ts'
import { DomainError } from '../errors.ts'
import type { Principal } from '../permissions.ts'
import { filterCommands } from './filters.commands.ts'
import type { SavedFilter } from './filters.table.ts'

const agent: Principal = {
  ...{ userId: 1, companyId: 1, name: 'Ana', profile: 'user', super: false },
  ...{ queueIds: [10], allTicket: false, whatsappId: null },
}
const supervisor: Principal = { ...agent, userId: 2, profile: 'supervisor' }
const now = new Date('2026-12-01T12:00:00Z')
const view = (id: string, values: Partial<SavedFilter> = {}): SavedFilter => ({
  ...{ id, companyId: 1, userId: 1, name: id, color: null, filter: {}, sharing: 'own', queueIds: [], position: 0 },
  ...{ createdAt: now, ...values },
})
const rows = [view('own'), view('team', { sharing: 'company', userId: 3 }), view('theirs', { userId: 2 })]
const reader = {
  get: async (_table: string, id: string) => rows.find((row) => row.id === id),
  need: async (table: string, id: string | number) => {
    const found = table === 'queues' ? [10, 20].includes(Number(id)) && { id } : rows.find((row) => row.id === id)
    if (!found) throw new DomainError('ERR_NOT_FOUND')
    return found
  },
  ahead: async () => undefined,
} as unknown as FactReader

/** What is written, or why nothing is. */
async function does(name: keyof typeof filterCommands, input: object, who: Principal) {
  const { facts, decide } = filterCommands[name]
  const context: CommandContext = { who, now, commandId: 'c' }
  try {
    return decide(input as never, (await facts(input as never, reader, who)) as never, context).rows as object[]
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}
const save = (id: string, who: Principal, more: object = {}) =>
  does('filters.save', { id, name: 'Novo', filter: { unreadOnly: true }, ...more }, who)

describe('a view of the ticket list', () => {
  test('is its author\u2019s, and stands behind those that were put in an order', async () => {
    expect(await save('new', agent)).toMatchObject([
      { op: 'insert', values: { userId: 1, sharing: 'own', queueIds: [], color: null } },
    ])
    const [{ values }] = (await save('new', agent)) as [{ values: SavedFilter }]
    expect(values.position).toBeGreaterThan(100)
    expect(values.position).toBeLessThan(2 ** 31)
  })

  test('is shared, and changed where it is, by who may share; of another\u2019s own nobody hears', async () => {
    expect(await save('new', agent, { sharing: 'company' })).toBe('ERR_NO_PERMISSION')
    expect(await save('own', agent, { sharing: 'queues', queueIds: [10] })).toBe('ERR_NO_PERMISSION')
    expect(await save('new', supervisor, { sharing: 'queues', queueIds: [10] })).toMatchObject([
      { values: { sharing: 'queues', queueIds: [10] } },
    ])
    expect(await save('new', supervisor, { sharing: 'queues', queueIds: [99] })).toBe('ERR_NOT_FOUND')
    expect(await save('team', supervisor)).toMatchObject([{ op: 'update', values: { sharing: 'company' } }])
    for (const command of ['filters.delete', 'filters.save'] as const) {
      const input = command === 'filters.delete' ? {} : { name: 'x', filter: {} }
      expect(await does(command, { id: 'team', ...input }, agent)).toBe('ERR_NO_PERMISSION')
      expect(await does(command, { id: 'theirs', ...input }, agent)).toBe('ERR_NOT_FOUND')
    }
  })

  test('that is shared no longer is its last keeper\u2019s, and of no queue', async () => {
    expect(await save('team', supervisor, { sharing: 'own', queueIds: [10] })).toMatchObject([
      { values: { sharing: 'own', queueIds: [], userId: 2 } },
    ])
  })

  test('keeps its colour where nothing is said of it, and loses it on demand', async () => {
    const colored = view('colored', { color: '#ff0000' })
    rows.push(colored)
    expect(await save('colored', agent)).toMatchObject([{ values: { color: '#ff0000' } }])
    expect(await save('colored', agent, { color: null })).toMatchObject([{ values: { color: null } }])
    rows.pop()
  })

  test('takes its place among others; those that stand there already are left', async () => {
    expect(await does('filters.order', { ids: ['theirs'] }, agent)).toBe('ERR_NOT_FOUND')
    expect(await does('filters.order', { ids: ['team'] }, agent)).toBe('ERR_NO_PERMISSION')
    expect(await does('filters.order', { ids: ['theirs', 'team'] }, supervisor)).toMatchObject([
      { ids: ['theirs'], values: { position: 1 } },
      { ids: ['team'], values: { position: 2 } },
    ])
    rows[0]!.position = 1
    expect(await does('filters.order', { ids: ['own'] }, agent)).toEqual([])
  })
})
