import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'balcao-scratch-test-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** A process that makes a folder, says so, and does as it is told then. */
const maker = (then: string) =>
  Bun.spawn(
    [
      ...[process.execPath, '--no-install', '-e'],
      `const { scratchFolder } = await import(${JSON.stringify(join(import.meta.dir, 'scratch.ts'))})
       console.log(scratchFolder('voice')); ${then}`,
    ],
    { env: { ...process.env, TMPDIR: place }, stdout: 'pipe', stderr: 'inherit' },
  )
async function madeBy(process: ReturnType<typeof maker>): Promise<string> {
  for await (const chunk of process.stdout) return new TextDecoder().decode(chunk).trim()
  throw new Error('nothing was made')
}

test('what a killed process left behind goes with the next one; what a living one uses stays', async () => {
  const living = maker('setInterval(() => undefined, 1_000)')
  const used = await madeBy(living)
  const killed = maker("process.kill(process.pid, 'SIGKILL')")
  const left = await madeBy(killed)
  await killed.exited
  expect(readdirSync(place).toSorted()).toEqual([used, left].map((path) => path.slice(place.length + 1)).toSorted())

  const next = maker('')
  const fresh = await madeBy(next)
  await next.exited
  expect(readdirSync(place).toSorted()).toEqual([used, fresh].map((path) => path.slice(place.length + 1)).toSorted())
  living.kill()
  await living.exited
})
