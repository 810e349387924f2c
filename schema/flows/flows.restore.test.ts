import { expect, test } from 'bun:test'
import { flow } from './flows.fixture.ts'
import { restored } from './flows.restore.ts'
import { contentOf } from './flows.rows.ts'

const [ana, rui] = [1, 2]
const nodesOf = (rows: Parameters<typeof flow>[0]) => flow(rows).nodes.map(contentOf)
const by = (rows: ReturnType<typeof nodesOf>, authors: Record<string, number>) =>
  rows.map((row) => ({ ...row, userId: authors[row.node] ?? null }))

const first = nodesOf({ m: ['message', { text: 'Bom dia' }, { a: 'e' }], e: ['end'] })
const second = nodesOf({ m: ['message', { text: 'Boa tarde' }, { a: 'e' }], e: ['end'] })

test('[FL80] a draft that goes back keeps what colleagues changed and nobody published, and nothing of one’s own', () => {
  const draft = by(
    nodesOf({
      m: ['message', { text: 'Boa noite' }, { a: 'e' }],
      e: ['end'],
      r: ['message', { text: 'do Rui' }],
      a: ['message', { text: 'da Ana' }],
    }),
    { m: ana, r: rui, a: ana },
  )
  const { nodes, kept } = restored(draft, second, first, ana)
  expect(kept).toEqual(['r'])
  expect(nodes.map(({ id }) => id).toSorted()).toEqual(['1', 'e', 'm', 'r'])
  expect(nodes.find(({ id }) => id === 'm')!.data).toMatchObject({ text: 'Bom dia' })
})

test('[FL80] what a colleague changed and published goes back with the rest', () => {
  const { nodes, kept } = restored(by(second, { m: rui }), second, first, ana)
  expect(kept).toEqual([])
  expect(nodes.find(({ id }) => id === 'm')!.data).toMatchObject({ text: 'Bom dia' })
})

test('[FL80] a flow without a published version keeps all that colleagues drew', () => {
  const { kept } = restored(by(second, { m: rui }), [], first, ana)
  expect(kept).toEqual(['m'])
})
