import { languages } from '../../schema/languages.ts'
import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { OUR_NAME } from '../../schema/companies/product-name.ts'

/** Runs Lingui's own check, which extracts the texts anew and compares. */
async function check(...args: string[]): Promise<{ code: number; said: string }> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const run = Bun.spawn(['bun', '--bun', 'lingui', 'check', ...args, '--config', 'client/lingui.config.ts'], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
    // In a test environment Lingui looks for its own sources, which its package does not hold.
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
  })
  const [out, err, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ])
  return { code, said: (out + err).trim() }
}

describe('the languages', () => {
  test('Spanish and English have every text that Portuguese has', async () => {
    const { code, said } = await check('missing', '--mode', 'catalog')
    expect(
      code === 0 ? '' : `${said}\n(run: bun run i18n:extract, then fill the empty msgstr in client/i18n/locales)`,
    ).toBe('')
  }, 60_000)

  test('the catalogs hold the texts of the code, neither fewer nor more', async () => {
    const { code, said } = await check('sync')
    expect(code === 0 ? '' : `${said}\n(run: bun run i18n:extract)`).toBe('')
  }, 60_000)

  test('no text has braces of its own, which would be read as a placeholder', async () => {
    const text = await Bun.file(new URL('./locales/pt.po', import.meta.url)).text()
    expect(text.match(/^msgid .*\{\{.*$/gm) ?? []).toEqual([])
  })

  test('no text names the product by itself: the operator may call it otherwise', async () => {
    for (const locale of languages) {
      const text = await Bun.file(new URL(`./locales/${locale}.po`, import.meta.url)).text()
      expect([locale, text.split('\n').filter((line) => line.includes(OUR_NAME))]).toEqual([locale, []])
    }
  })

  test('no translation lacks a placeholder of its source, or invents one', async () => {
    const wrong: string[] = []
    for (const locale of ['es', 'en']) {
      const text = await Bun.file(new URL(`./locales/${locale}.po`, import.meta.url)).text()
      for (const [, id, translated] of text.matchAll(/^msgid ((?:".*"\n)+)msgstr ((?:".*"(?:\n|$))+)/gm)) {
        const placeholders = (entry: string) =>
          [...new Set(entry.match(/\{\w+|<\/?\d+\/?>/g) ?? [])].filter((p) => !/^\{[A-Z]/.test(p)).sort()
        if (!id || !translated || translated.trim() === '""') continue
        // Words inside a plural's branches look like placeholders; only its own name and tags count.
        const names = (entry: string) =>
          /, plural,/.test(entry) ? (entry.match(/\{\w+(?=, plural)/g) ?? []) : placeholders(entry)
        if (names(id).join() !== names(translated).join()) wrong.push(`${locale}: ${id.trim()} → ${translated.trim()}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
