import { i18n } from '@lingui/core'
import { expect, mock, test } from 'bun:test'

// The build compiles these; here a text is its own words.
const words = (text: TemplateStringsArray, ...values: unknown[]) => String.raw({ raw: text }, ...values)
await mock.module('@lingui/core/macro', () => ({
  msg: (text: TemplateStringsArray | { message: string }) => {
    const message = 'message' in text ? text.message : text.join('{}')
    return { id: message, message }
  },
  t: words,
}))
await mock.module('@lingui/react/macro', () => ({ Trans: () => null, useLingui: () => ({ t: words, i18n }) }))
const { errorCodeText } = await import('./error-text.ts')

test('a refusal tells the number that came with it', () => {
  i18n.loadAndActivate({ locale: 'pt', messages: {} })
  const text = (code: string) => errorCodeText(code, { limit: 30 })
  expect(text('ERR_QUEUE_OPTIONS_LIMIT')).toBe('Não cabem mais opções aqui: o limite é 30')
  expect(text('ERR_CONTACT_LIST_FULL')).toBe('Uma lista tem no máximo 30 contatos')
  expect(text('ERR_PLAN_LIMIT')).toBe('O limite do plano foi atingido: 30')
  // Where it is only known by its code, as at the login.
  expect(errorCodeText('ERR_PLAN_LIMIT')).toBe('O limite do plano foi atingido')
  expect(text('ERR_NEVER_HEARD_OF')).toBe('ERR_NEVER_HEARD_OF')
})
