import { expect, test } from 'bun:test'
import { drawnTypes } from '../../schema/flows/flows.graph.ts'
import { plainTexts } from '../../tests/support/lingui.ts'

await plainTexts()
const { dial } = await import('./flow.words.ts')

test('every block that can be put on the canvas is offered once', () => {
  expect(dial.flatMap(({ types }) => types).toSorted()).toEqual(['start' as const, ...drawnTypes].toSorted())
})
