import { languages } from '../schema/languages.ts'
import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { fileURLToPath } from 'node:url'

export default defineConfig({
  sourceLocale: 'pt',
  locales: [...languages],
  fallbackLocales: { default: 'pt' },
  rootDir: fileURLToPath(new URL('.', import.meta.url)),
  catalogs: [
    {
      path: '<rootDir>/i18n/locales/{locale}',
      include: ['<rootDir>'],
      exclude: ['**/node_modules/**', '**/dist/**', '**/*.test.ts'],
    },
  ],
  // Without line numbers a moved line is not a changed catalog.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
})
