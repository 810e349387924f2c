import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { effectiveSettingKeys, settingKeys } from '../schema/settings/settings.keys.ts'
import { whatsappInput } from '../schema/whatsapps/whatsapps.inputs.ts'

const root = join(import.meta.dir, '..')

/** What the product's code says, without tests, the list of settings itself, and the words of the settings screen. */
const code = [...new Bun.Glob('{schema,server,client}/**/*.{ts,tsx}').scanSync({ cwd: root })]
  .filter((path) => !/\.test\.|\/demo\/|settings\.(keys|words)\.ts$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*|`[^`]*`/g, ''))
  .join('\n')

const isRead = (key: string) =>
  new RegExp(`(settings|values)\\.${key}\\b|'${key}'|\\{ ${key} \\} = company\\.settings`).test(code)

test('every setting that a screen shows is one that something acts on, and no other is', () => {
  expect(settingKeys.filter(isRead)).toEqual(effectiveSettingKeys)
})

test('every setting of a connection is one that something acts on', () => {
  const acting = [...new Bun.Glob('{schema,server}/**/*.ts').scanSync({ cwd: root })]
    .filter((path) => !/\.(test|table|inputs)\.ts$|\/demo\//.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  expect(Object.keys(whatsappInput.properties).filter((key) => !new RegExp(`\\.${key}\\b`).test(acting))).toEqual([])
})
