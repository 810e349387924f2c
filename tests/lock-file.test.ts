import { expect, test } from 'bun:test'
import { lockProblems } from './lock-file.ts'

const sum = `sha512-${'A'.repeat(86)}==`
const lockOf = (packages: Record<string, unknown[]>) => `{ "packages": ${JSON.stringify(packages)}, }`

test('packages of exact versions, each with its sum, are as they must be', () => {
  const lock = lockOf({
    '@whiskeysockets/baileys': ['@whiskeysockets/baileys@7.0.0-rc14', '', {}, sum],
    '@whiskeysockets/baileys/ws': ['ws@8.23.0', '', {}, sum],
  })
  expect(lockProblems(lock, { dependencies: { '@whiskeysockets/baileys': '7.0.0-rc14' } })).toEqual([])
})

test('what comes from elsewhere, moves, has no sum or goes by another name is told', () => {
  const of = (id: unknown, address = '', given: unknown = sum) =>
    lockProblems(lockOf({ ws: [id, address, {}, given] }), {})
  expect(of('ws@8.23.0')).toEqual([])
  for (const id of [
    'ws@github:somebody/ws#abc',
    'ws@git+ssh://git@example.com/ws.git#abc',
    'ws@file:../ws',
    'ws@8',
    'ws@latest',
  ])
    expect(of(id)).toHaveLength(1)
  expect(of('ws@8.23.0', 'https://example.com/ws.tgz')).toHaveLength(1)
  expect(of('ws@8.23.0', '', null)).toHaveLength(1)
  expect(of('other@8.23.0')).toHaveLength(1)
  expect(lockProblems(lockOf({}), { dependencies: { ws: '^8.0.0' }, devDependencies: { x: 'latest' } })).toHaveLength(2)
})

test('what is called like the packages that speak with WhatsApp, and is another, is told', () => {
  const names = [
    'baileys',
    '@whiskeysocket/baileys',
    'bailey',
    'lotusbail-baileys',
    '@adiwajshing/baileys',
    'libsignal-node',
    '@wiskeysockets/ws',
  ]
  for (const name of names)
    expect([name, lockProblems(lockOf({ [name]: [`${name}@1.0.0`, '', {}, sum] }), {}).length]).toEqual([name, 1])
  expect(lockProblems(lockOf({}), { dependencies: { baileys: '6.7.0' } })).toHaveLength(1)
})
