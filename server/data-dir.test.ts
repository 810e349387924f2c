import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataDirInUse, dataDirSecret, lockDataDir } from './data-dir.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-lock-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

/** A process of its own that takes the lock and keeps it. */
async function holder() {
  const child = Bun.spawn(
    [
      process.execPath,
      '-e',
      `const { lockDataDir } = await import(${JSON.stringify(join(import.meta.dir, 'data-dir.ts'))})
       lockDataDir(${JSON.stringify(dataDir)})
       process.stdout.write('held')
       setInterval(() => {}, 1000)`,
    ],
    { stdout: 'pipe' },
  )
  await child.stdout.getReader().read()
  return child
}

test('a second start on the same folder is refused with a sentence naming the first', async () => {
  const first = await holder()
  try {
    expect(() => lockDataDir(dataDir)).toThrow(DataDirInUse)
    expect(() => lockDataDir(dataDir)).toThrow(`process ${first.pid}`)
  } finally {
    first.kill('SIGKILL')
    await first.exited
  }
})

test('a killed process does not keep the folder', async () => {
  const first = await holder()
  first.kill('SIGKILL')
  await first.exited
  lockDataDir(dataDir)()
})

test('a number that another program got since does not keep the folder either', () => {
  writeFileSync(join(dataDir, 'lock'), `${process.ppid}\n1\n`)
  lockDataDir(dataDir)()
})

test('after release nothing is left, and the next may start', () => {
  lockDataDir(dataDir)()
  expect(existsSync(join(dataDir, 'lock'))).toBe(false)
  lockDataDir(dataDir)()
})

test('one process cannot take the folder twice', () => {
  const release = lockDataDir(dataDir)
  expect(() => lockDataDir(dataDir)).toThrow(DataDirInUse)
  release()
})

test('a secret is made once and readable by its owner only', () => {
  expect(dataDirSecret(dataDir, 'a.secret', () => 'first')).toBe('first')
  expect(dataDirSecret(dataDir, 'a.secret', () => 'second')).toBe('first')
  expect(statSync(join(dataDir, 'a.secret')).mode & 0o777).toBe(0o600)
})
