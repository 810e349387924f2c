import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { createMediaStore } from './media-store.ts'
import type { ScannerAddress } from '../config.ts'
import { createScan } from './media.scan.ts'

/** A scanner that speaks as clamd does, and what it was sent. */
const folder = mkdtempSync(join(tmpdir(), 'balcao-scan-'))
const seen: Buffer[] = []
const servers: Server[] = []
/** Part of EICAR's test file, which is no virus and which each scanner takes for one. */
const EICAR = 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE'
const MOST = 1_000_000

function scanner(listen: string | number, says?: (file: Buffer) => string | null): Promise<ScannerAddress> {
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece])
      if (!bytes.toString('latin1', 0, 10).startsWith('zINSTREAM\0')) return
      const parts: Buffer[] = []
      for (let at = 10; at + 4 <= bytes.length; ) {
        const length = bytes.readUInt32BE(at)
        const file = Buffer.concat(parts)
        if (file.length > MOST) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
        if (length === 0) {
          seen.push(file)
          const answer = says ? says(file) : file.includes(EICAR) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0'
          if (answer !== null) socket.end(answer)
          return
        }
        if (at + 4 + length > bytes.length) return
        parts.push(bytes.subarray(at + 4, at + 4 + length))
        at += 4 + length
      }
    })
  })
  servers.push(server)
  return new Promise((resolve) => {
    server.listen(listen, () => {
      const address = server.address()
      resolve(typeof address === 'string' ? { path: address } : { host: '127.0.0.1', port: address!.port })
    })
  })
}

let address: ScannerAddress
beforeAll(async () => {
  address = await scanner(0)
})
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
})

const log = createLogger({ level: 'silent' })
let count = 0
async function storeWith(at: ScannerAddress, silentMs?: number) {
  const root = join(folder, String(++count))
  const store = await createMediaStore({ root, secret: 's', scan: createScan(at, log, silentMs) })
  const put = (bytes: string | Buffer, more: object = {}) =>
    store
      .put(1, Buffer.from(bytes as string), { name: 'a.txt', mimetype: 'text/plain', maxBytes: 10_000_000, ...more })
      .then(
        ({ path }) => path,
        (error: { code: string }) => error.code,
      )
  const kept = () =>
    readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
  return { put, kept }
}

test('a file is looked at whole before anybody gets it; one with a virus is taken by nobody', async () => {
  const { put, kept } = await storeWith(address)
  const large = Buffer.alloc(300_000, 'a')
  expect(await put(large)).toStartWith('company1/')
  expect(seen.at(-1)!.equals(large)).toBe(true)
  expect(await put(`${'x'.repeat(200_000)}${EICAR}`)).toBe('ERR_FILE_INFECTED')
  expect(kept()).toBe(1)
  // What the product makes of files that lie here already is not looked at again.
  const looks = seen.length
  expect(await put(`${EICAR} in an export`, { isOurs: true })).toStartWith('company1/')
  expect([seen.length, kept()]).toEqual([looks, 2])
})

test('a scanner is also reached by a socket of the machine; many files wait for their turn', async () => {
  const { put, kept } = await storeWith(await scanner(join(folder, 'clamd.ctl')))
  const ends = await Promise.all(Array.from({ length: 20 }, (_, i) => put(i % 2 ? `${i}${EICAR}` : `file ${i}`)))
  expect(ends.filter((end) => end === 'ERR_FILE_INFECTED').length).toBe(10)
  expect(kept()).toBe(10)
})

test('what was not looked at is not taken: a scanner that is away, breaks off, says nonsense or finds it too large', async () => {
  const away = await storeWith({ host: '127.0.0.1', port: 9 })
  expect(await away.put('a')).toBe('ERR_UNAVAILABLE')
  const silent = await storeWith(await scanner(0, () => null), 200)
  expect(await silent.put('a')).toBe('ERR_UNAVAILABLE')
  for (const answer of ['', 'what?\0', 'stream: OK', `${'x'.repeat(9_000)}`]) {
    const odd = await storeWith(await scanner(0, () => answer))
    expect([answer.length, await odd.put('a')]).toEqual([answer.length, 'ERR_UNAVAILABLE'])
  }
  const small = await storeWith(address)
  expect(await small.put(Buffer.alloc(3 * MOST, 'a'))).toBe('ERR_UNAVAILABLE')
  for (const { kept } of [away, silent, small]) expect(kept()).toBe(0)
})

test('where it listens is said by a variable', () => {
  const of = (CLAMD: string) => parseConfig({ CLAMD, DATA_DIR: folder }).scanner
  expect(of('')).toBeUndefined()
  expect(of('tcp://clamav:3310')).toEqual({ host: 'clamav', port: 3310 })
  expect(of('tcp://[::1]:3310')).toEqual({ host: '::1', port: 3310 })
  expect(of('unix:///run/clamav/clamd.ctl')).toEqual({ path: '/run/clamav/clamd.ctl' })
  for (const wrong of ['clamav:3310', 'http://clamav:3310', 'tcp://clamav', 'unix://', 'tcp://:3310'])
    expect(() => of(wrong)).toThrow('CLAMD must be')
})
