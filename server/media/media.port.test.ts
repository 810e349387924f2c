import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeS3 } from '../../tests/fakes/s3/s3.ts'
import { mediaBucket } from './media.bucket.ts'
import { createMediaStore, mediaPort } from './media-store.ts'
import { type MediaPort, parseMediaPath } from './media.port.ts'

const s3 = new FakeS3()
afterAll(() => s3.stop())

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'balcao-port-'))
  s3.objects.clear()
  s3.failing = undefined
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const PATH = (n: number, companyId = 7) => `company${companyId}/${n.toString(16).padStart(48, '0')}.bin`
const bytesOf = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).bytes())
const drafts = () => readdirSync(join(root, 'uploads'))

describe.each(['folder', 'bucket'] as const)('files in a %s', (kind) => {
  const store = () => createMediaStore({ root, bucket: kind === 'bucket' ? s3.bucket : undefined, secret: 's' })
  let port: MediaPort
  beforeEach(async () => {
    await store()
    port = mediaPort({ root, bucket: kind === 'bucket' ? s3.bucket : undefined })
  })

  /** Has bytes lie under a path, as `put` does with what it was brought. */
  async function write(path: string, bytes: Uint8Array | string): Promise<boolean> {
    const file = join(root, 'uploads', 'draft')
    writeFileSync(file, bytes)
    const isNew = await port.write(path, file)
    rmSync(file)
    return isNew
  }

  test('what was written is found with its size, read whole and in parts, and gone when it is deleted', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251))
    const begun = Date.now()
    expect(await write(PATH(1), bytes)).toBe(true)
    const found = await port.find(PATH(1))
    expect(found?.size).toBe(bytes.length)
    expect(Math.abs(found!.modifiedAt.getTime() - begun)).toBeLessThan(60_000)
    expect(await bytesOf(await port.read(PATH(1)))).toEqual(bytes)
    expect(await bytesOf(await port.read(PATH(1), { start: 0, end: 0 }))).toEqual(bytes.subarray(0, 1))
    expect(await bytesOf(await port.read(PATH(1), { start: 70_000, end: 199_999 }))).toEqual(bytes.subarray(70_000))
    await port.delete(PATH(1))
    await port.delete(PATH(1))
    expect(await port.find(PATH(1))).toBeUndefined()
    expect(await port.read(PATH(1)).catch((error: unknown) => error)).toMatchObject({
      code: 'ERR_NO_FILE_FOUND',
    })
  })

  test('what is there already stays, also when two bring it at once', async () => {
    const files = ['one', 'two', 'three'].map((text) => {
      const file = join(root, 'uploads', text)
      writeFileSync(file, text)
      return file
    })
    const made = await Promise.all(files.map((file) => port.write(PATH(1), file)))
    expect(made.filter(Boolean)).toHaveLength(1)
    const kept = (await bytesOf(await port.read(PATH(1)))).toString()
    expect(kept).toBe(['one', 'two', 'three'][made.indexOf(true)]!)
    expect(await write(PATH(1), 'late')).toBe(false)
    expect((await bytesOf(await port.read(PATH(1)))).toString()).toBe(kept)
  })

  test('a program reads a file by a name on disk, which is good until it has ended, however it ends', async () => {
    await write(PATH(1), 'a sound')
    let given = ''
    const text = await port.local(PATH(1), async (file) => {
      given = file
      return Bun.file(file).text()
    })
    expect(text).toBe('a sound')
    const failed = port.local(PATH(1), async () => {
      throw new Error('not to be read')
    })
    expect(await failed.catch((error: unknown) => error)).toMatchObject({
      message: 'not to be read',
    })
    expect(await port.local(PATH(2), async () => 'read').catch((error: unknown) => error)).toMatchObject({
      code: 'ERR_NO_FILE_FOUND',
    })
    // A copy goes; what lies in a folder of ours is no copy.
    expect(existsSync(given)).toBe(kind === 'folder')
    expect(drafts()).toEqual([])
  })

  test('all files are listed, and those of one company deleted without those of another', async () => {
    const ours = Array.from({ length: 10 }, (_, n) => PATH(n))
    const picture = PATH(11).replace('/', '/contacts/')
    const others = [PATH(1, 70), PATH(2, 8)]
    for (const path of [...ours, picture, ...others]) await write(path, path)
    expect((await Array.fromAsync(port.list())).toSorted()).toEqual([...ours, picture, ...others].toSorted())
    await port.deleteCompany(7)
    expect((await Array.fromAsync(port.list())).toSorted()).toEqual(others.toSorted())
    await port.deleteCompany(7)
  })

  test('has no other paths than its own', async () => {
    for (const path of [
      '../secret',
      'company7/../../x',
      '/etc/passwd',
      'company7/x.png',
      `company07/${'a'.repeat(48)}.png`,
      `company7/${'a'.repeat(48)}.png\0`,
    ]) {
      expect(parseMediaPath(path)).toBeUndefined()
      expect(await port.find(path)).toBeUndefined()
      await port.delete(path)
      for (const call of [port.read(path), write(path, 'x'), port.local(path, async () => undefined)])
        expect(await call.catch((error: unknown) => error)).toMatchObject({
          code: 'ERR_NO_FILE_FOUND',
        })
    }
  })

  test('the store keeps what it is brought once, and refuses another file under the same key', async () => {
    const media = await store()
    const options = {
      name: 'nota.txt',
      mimetype: 'text/plain',
      maxBytes: 1_000,
      strict: true,
      key: 'k',
    }
    const first = await media.put(7, Buffer.from('a note'), options)
    expect(await media.put(7, Buffer.from('a note'), options)).toEqual({ ...first, isNew: false })
    expect(await media.put(7, Buffer.from('b note'), options).catch((error: unknown) => error)).toMatchObject({
      code: 'ERR_IDEMPOTENCY_MISMATCH',
    })
    expect((await bytesOf(await media.read(first.path))).toString()).toBe('a note')
    expect(drafts()).toEqual([])
  })
})

describe('a bucket', () => {
  let port: MediaPort
  beforeAll(() => {
    port = mediaBucket(s3.bucket, tmpdir())
  })

  test('that cannot be reached is told as what is tried again, and takes nothing', async () => {
    const file = join(root, 'x')
    writeFileSync(file, 'x')
    const calls = {
      find: () => port.find(PATH(1)),
      read: () => port.read(PATH(1)),
      write: () => port.write(PATH(1), file),
      delete: () => port.delete(PATH(1)),
      list: () => Array.fromAsync(port.list()),
      local: () => port.local(PATH(1), async () => undefined),
    }
    s3.failing = 500
    for (const call of Object.values(calls))
      expect(await (call() as Promise<unknown>).catch((error: unknown) => error)).toMatchObject({
        code: 'ERR_UNAVAILABLE',
      })
    s3.failing = undefined
    expect(s3.objects.size).toBe(0)

    const nobody = mediaBucket({ ...s3.bucket, endpoint: 'http://127.0.0.1:9' }, tmpdir())
    expect(await nobody.find(PATH(1)).catch((error: unknown) => error)).toMatchObject({
      code: 'ERR_UNAVAILABLE',
    })
  })

  test('that refuses our key says so in the log, without the key', async () => {
    const wrong = mediaBucket({ ...s3.bucket, secretAccessKey: 'another one' }, tmpdir())
    const error = (await wrong.find(PATH(1)).catch((given: unknown) => given)) as Error
    expect(error).toMatchObject({ code: 'ERR_UNAVAILABLE' })
    expect(String(error.cause)).toContain('403')
    expect(String(error.cause)).not.toContain('another one')
  })
})
