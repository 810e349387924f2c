import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from './world.ts'

/**
 * Most of what a first screen may fetch of scripts, bytes as they travel. `bench/bundle.bench.ts` measures the same in a
 * browser; this tells of a file for later that one import has made part of the first screen.
 */
const mostBytes = 200_000

for (const screen of ['login', 'inbox'])
  test(`a first screen waits for no script that is meant for later: ${screen}`, ({ world }) => {
    const assets = join(world.clientDir, 'assets')
    const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
    const page = readFileSync(join(world.clientDir, 'index.html'), 'utf8')
    const begun = [...page.matchAll(/assets\/([^"]+\.js)"/g)].map(([, name]) => name!)
    const shown = scripts.filter((name) => name.startsWith(`${screen}.screen-`) || name.startsWith('pt-'))
    expect(shown, 'the screen and the Portuguese catalogue').toHaveLength(2)
    const fetched = new Set<string>()
    const fetch = (name: string) => {
      if (fetched.has(name)) return
      fetched.add(name)
      for (const [, next] of readFileSync(join(assets, name), 'utf8').matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
        fetch(next!)
    }
    for (const name of [...begun, ...shown]) fetch(name)
    const sizes = [...fetched].map((name) => [name, gzipSync(readFileSync(join(assets, name))).length] as const)
    const sum = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
    expect(sum, sizes.map(([name, bytes]) => `${bytes} ${name}`).join('\n')).toBeLessThanOrEqual(mostBytes)
  })

test('the page names all that its first script imports, so that nothing of it is asked for only when that has come', ({
  world,
}) => {
  const page = readFileSync(join(world.clientDir, 'index.html'), 'utf8')
  const named = [...page.matchAll(/assets\/([^"]+\.js)"/g)].map(([, name]) => name!)
  const entry = readFileSync(join(world.clientDir, 'assets', named[0]!), 'utf8')
  const imported = [...entry.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, name]) => name!)
  expect(imported.length).toBeGreaterThan(0)
  expect(named).toEqual(expect.arrayContaining(imported))
})
