import { expect, test } from 'bun:test'
import { followed } from './followed.ts'

test('what is open above a list follows its row, and keeps what it knew when the row leaves the list', () => {
  const opened = { id: 1, status: 'EM_ANDAMENTO' }
  expect(
    followed(
      [
        { id: 2, status: 'x' },
        { id: 1, status: 'FINALIZADA' },
      ],
      opened,
    ).status,
  ).toBe('FINALIZADA')
  for (const rows of [[], null, undefined]) expect(followed(rows, opened)).toBe(opened)
})
