import { type Messages, setupI18n } from '@lingui/core'
import { expect, test } from 'bun:test'
import { withNames } from './with-names.ts'

test('a text with names in it is filled in as Lingui fills it in', async () => {
  const catalog = await Bun.file(new URL('./locales/pt.po', import.meta.url)).text()
  const texts = [...catalog.matchAll(/^msgid (".*")$/gm)].map(([, quoted]) => JSON.parse(quoted!) as string)
  // The build leaves plurals and what ICU quotes in the catalogue.
  const withoutPlural = texts.filter((text) => text && !/\{\w+,|'/.test(text))
  expect(withoutPlural.filter((text) => text.includes('{')).length).toBeGreaterThan(100)
  // Outside of a build Lingui compiles a text by itself.
  const filled = (text: Messages[string]) => {
    const i18n = setupI18n()
    i18n.loadAndActivate({ locale: 'pt', messages: { text } })
    const values = [...String(text).matchAll(/\w+/g)].map(([name], index) => [name, index % 2 ? `Ana ${index}` : index])
    return i18n._('text', Object.fromEntries(values) as Record<string, unknown>)
  }
  for (const text of withoutPlural) expect(filled(withNames(text))).toBe(filled(text))
})
