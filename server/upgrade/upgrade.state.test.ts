import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readUpgrades, replaced, versionIn, versionToRun, writeUpgrades } from './upgrade.state.ts'

const place = mkdtempSync(join(tmpdir(), 'balcao-versions-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

function versionOf(name: string, version: string) {
  const folder = join(place, name)
  for (const part of ['server', 'schema', 'sync']) mkdirSync(join(folder, part), { recursive: true })
  writeFileSync(join(folder, 'server', 'launch.ts'), `// ${version}`)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }))
  return versionIn(folder)
}

test('the folder that a service starts leads to what took over from it, and to itself once it holds another version', () => {
  const [one, two, three] = [versionOf('one', '1.0.0'), versionOf('two', '2.0.0'), versionOf('three', '3.0.0')]
  const upgrades = { ...replaced({ before: [] }, one, two) }
  expect(versionToRun(upgrades, one)).toEqual(two)
  expect(versionToRun(upgrades, two)).toEqual(two)
  // Somebody starts it who means it.
  expect(versionToRun(upgrades, three)).toEqual(three)
  const after = replaced(upgrades, two, three)
  expect([one, two].map((own) => versionToRun(after, own))).toEqual([three, three])
  // The first folder was brought up to date.
  const renewed = versionOf('one', '4.0.0')
  expect(versionToRun(after, renewed)).toEqual(renewed)
  // Back to one that was replaced: it is the one that runs, and no longer among those before.
  expect(replaced(after, three, two)).toEqual({ runs: two, before: [three, one] })
  rmSync(join(place, 'three'), { recursive: true })
  expect(versionToRun(after, two)).toEqual(two)
})

test('what is known of upgrades is written whole, and what cannot be read tells of none', () => {
  const one = versionOf('five', '5.0.0')
  const data = join(place, 'data')
  mkdirSync(data)
  expect(readUpgrades(data)).toEqual({ before: [] })
  writeUpgrades(data, { runs: one, before: [] })
  expect(readUpgrades(data)).toEqual({ runs: one, before: [] })
  writeFileSync(join(data, 'upgrade.json'), '{"runs":')
  expect(readUpgrades(data)).toEqual({ before: [] })
})
