import { type Messages, setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'bun:test'
import { withNames } from './with-names.ts'
import { zeroIsPlural } from './zero.ts'

const onePlural = /\{\w+, plural, one \{[^{}]*\} other \{[^{}]*\}\}/g

test('a text with names in it is filled in as Lingui fills it in', async () => {
  const catalog = await Bun.file(new URL('./locales/pt.po', import.meta.url)).text()
  const texts = [...catalog.matchAll(/^msgid (".*")$/gm)].map(([, quoted]) => JSON.parse(quoted!) as string)
  // The build leaves in the catalogue what ICU quotes, and what has more in a plural than its number.
  const ours = texts.filter((text) => text && !/'|\{\w+,/.test(text.replaceAll(onePlural, '')))
  const withPlural = ours.filter((text) => text.includes(', plural,'))
  expect(withPlural.length).toBeGreaterThan(100)
  const withoutPlural = ours.filter((text) => !text.includes(', plural,'))
  expect(withoutPlural.filter((text) => text.includes('{')).length).toBeGreaterThan(100)
  // Outside of a build Lingui compiles a text by itself.
  const filled = (text: Messages[string]) => {
    const i18n = setupI18n()
    i18n.loadAndActivate({ locale: 'pt', messages: { text } })
    const values = [...String(text).matchAll(/\w+/g)].map(([name], index) => [name, index % 2 ? `Ana ${index}` : index])
    return i18n._('text', Object.fromEntries(values) as Record<string, unknown>)
  }
  for (const text of withoutPlural) expect(filled(withNames(text))).toBe(filled(text))
  const counted = (text: Messages[string], n: number) => {
    const i18n = setupI18n()
    i18n.loadAndActivate({ locale: 'pt', messages: { text } })
    return i18n._('text', new Proxy({}, { get: () => n }))
  }
  for (const text of withPlural) {
    for (const n of [1, 2, 1_234]) expect(counted(withNames(text), n)).toBe(counted(text, n))
    expect(counted(withNames(text), 0)).toBe(counted(zeroIsPlural({ text: compileMessage(text) })['text']!, 0))
  }
})
