import { i18n } from '@lingui/core'
import { mock } from 'bun:test'

/**
 * Texts for tests of what the build compiles: a text is its own words, in Portuguese. To be called before the module
 * with the texts is imported; one stand-in for all files, because a process keeps the first one's names.
 */
export async function plainTexts(): Promise<void> {
  const words = (text: TemplateStringsArray, ...values: unknown[]) => String.raw({ raw: text }, ...values)
  await mock.module('@lingui/core/macro', () => ({
    msg: (text: TemplateStringsArray | { message: string }) => {
      const message = 'message' in text ? text.message : text.join('{}')
      return { id: message, message }
    },
    t: words,
    plural: (n: number, { one, other }: { one: string; other: string }) =>
      (n === 1 ? one : other).replace('#', String(n)),
  }))
  await mock.module('@lingui/react/macro', () => ({ Trans: () => null, useLingui: () => ({ t: words, i18n }) }))
  i18n.loadAndActivate({ locale: 'pt', messages: {} })
}
