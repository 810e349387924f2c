import { describe, expect, test } from 'bun:test'
import { answerIn, answerOf } from './campaigns.answers.ts'

describe('[M13] an answer to a question is a yes, a no, or somebody who speaks', () => {
  test.each(['sim', 'SIM!', 'Sí', '*Pode*', 'pode mandar', 'Quero', 'eu quero', 'ok', 'Yes.', 'claro', '👍', '👍🏽'])(
    '«%s» is a yes, and says nothing besides',
    (text) => {
      expect(answerIn(text)).toEqual({ says: 'yes', isAll: true })
    },
  )
  test.each(['não', 'NAO', 'n', 'Não, obrigado', 'agora não', 'não quero', 'No, gracias', 'no thanks', '👎'])(
    '«%s» is a no, and says nothing besides',
    (text) => {
      expect(answerIn(text)).toEqual({ says: 'no', isAll: true })
    },
  )
  test.each(['Não, e quem é você?', 'no me interesa, ya compré', 'não sei quem é'])(
    '«%s» begins with a no: they speak, and get nothing',
    (text) => {
      expect(answerIn(text)).toEqual({ says: 'no', isAll: false })
    },
  )
  test.each(['Quanto custa?', 'sim, e entregam sábado?', 'novembro', '', '?'])(
    '«%s» is neither: a person is speaking',
    (text) => {
      expect(answerIn(text)).toEqual({ says: 'other', isAll: false })
    },
  )
  test('a letter is no sign and no answer', () => {
    for (const text of ['x'.repeat(5_000), '👍'.repeat(5_000), `sim${'.'.repeat(500)} quanto custa?`])
      expect(answerIn(text).says).toBe('other')
  })
  test('of several that come together a yes counts, else a no', () => {
    expect(answerOf(['não', 'sim'])).toBe('yes')
    expect(answerOf(['Quem é?', 'não'])).toBe('no')
    expect(answerOf(['Quem é?', ''])).toBe('other')
  })
})
