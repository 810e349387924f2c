import { expect, test } from 'bun:test'
import { plainTexts } from '../../tests/support/lingui.ts'

await plainTexts()
const { errorCodeText } = await import('./error-text.ts')

test('a refusal tells the number that came with it', () => {
  const text = (code: string) => errorCodeText(code, { limit: 30 })
  expect(text('ERR_QUEUE_OPTIONS_LIMIT')).toBe('Não cabem mais opções aqui: o limite é 30')
  expect(text('ERR_CONTACT_LIST_FULL')).toBe('Uma lista tem no máximo 30 contatos')
  expect(errorCodeText('ERR_PLAN_LIMIT', { limit: 5, what: 'users' })).toBe('O plano inclui 5 usuários')
  expect(text('ERR_PLAN_LIMIT')).toBe('O limite do plano foi atingido: 30')
  // Where it is only known by its code, as at the login.
  expect(errorCodeText('ERR_PLAN_LIMIT')).toBe('O limite do plano foi atingido')
  expect(text('ERR_NEVER_HEARD_OF')).toBe('ERR_NEVER_HEARD_OF')
})
