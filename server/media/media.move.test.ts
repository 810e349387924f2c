import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeS3 } from '../../tests/fakes/s3/s3.ts'
import { NotNow } from '../jobs/worker.ts'
import { createMediaStore, type MediaStore, mediaPorts } from './media-store.ts'
import { moveMedia } from './media.move.ts'
import { patientMedia } from './media.patient.ts'

setDefaultTimeout(60_000)

const s3 = new FakeS3()
afterAll(() => s3.stop())

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'balcao-move-'))
  s3.objects.clear()
  Object.assign(s3, { failing: undefined, isFull: false, slowMs: 0, pageSize: 1_000 })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

type In = 'folder' | 'bucket'
const place = (mediaIn: In) => ({ root, bucket: s3.bucket, mediaIn })
const storeIn = (mediaIn: In) => createMediaStore({ ...place(mediaIn), secret: 's' })
const text = async (media: MediaStore, path: string) => (await new Response(await media.read(path)).text()).slice(0, 20)
const put = async (media: MediaStore, what: string) =>
  (await media.put(7, Buffer.from(what.padEnd(5_000, '.')), { name: 'a.txt', mimetype: 'text/plain', maxBytes: 9_999 }))
    .path
const inFolder = () => readdirSync(join(root, 'company7'))
const move = (mediaIn: In, more: Partial<Parameters<typeof moveMedia>[0]> = {}) => {
  const { to, from } = mediaPorts(place(mediaIn))
  return moveMedia({ to, from: from!, progress: () => undefined, pausesMs: [1, 1], ...more })
}

test('files go from the folder into the bucket and back while people bring, read and delete others', async () => {
  const before = await storeIn('folder')
  const files = new Map<string, string>()
  for (let i = 0; i < 60; i++) files.set(await put(before, `file ${i}`), `file ${i}`)
  for (const mediaIn of ['bucket', 'folder'] as const) {
    // The server runs with the new setting; what still lies elsewhere it finds there.
    const media = await storeIn(mediaIn)
    let going = true
    const people = (async () => {
      for (let i = 0; going; i++) {
        const words = `new ${mediaIn} ${i}`
        files.set(await put(media, words), words)
        const paths = [...files.keys()]
        for (const path of paths.slice(0, 10)) expect(await text(media, path)).toBe(files.get(path)!.padEnd(20, '.'))
        const gone = paths[Math.floor(paths.length / 2)]!
        files.delete(gone)
        await media.delete(gone)
      }
    })()
    const { differing } = await move(mediaIn)
    going = false
    await people
    expect(differing).toEqual([])
    await move(mediaIn)
    const names = [...files.keys()].map((path) => path.split('/')[1]!).toSorted()
    expect(mediaIn === 'bucket' ? inFolder() : [...s3.objects.keys()]).toEqual([])
    expect(
      mediaIn === 'folder' ? inFolder().toSorted() : [...s3.objects.keys()].map((key) => key.split('/')[1]!).toSorted(),
    ).toEqual(names)
    for (const [path, words] of files) expect(await text(media, path)).toBe(words.padEnd(20, '.'))
    expect((await Array.fromAsync(media.list())).length).toBe(files.size)
  }
  expect(readdirSync(join(root, 'uploads'))).toEqual([])
})

test('a move that is interrupted goes on where it was, and says how far it is', async () => {
  const media = await storeIn('folder')
  for (let i = 0; i < 30; i++) await put(media, `file ${i}`)
  const cancel = new AbortController()
  const said: string[] = []
  const progress = (sentence: string) => {
    said.push(sentence)
    if (sentence.startsWith('10 of 30')) cancel.abort(new Error('enough'))
  }
  await expect(move('bucket', { progress, signal: cancel.signal })).rejects.toThrow('enough')
  const left = inFolder().length
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(21)
  expect(s3.objects.size).toBe(30 - left)
  expect((await move('bucket', { progress: (sentence) => said.push(sentence) })).files).toBe(left)
  expect(said.at(-1)).toBe(`${left} of ${left} files, 0 MB`)
  expect(s3.objects.size).toBe(30)
})

test('a bucket that is away for a moment, or full, costs no file', async () => {
  const media = await storeIn('folder')
  for (let i = 0; i < 10; i++) await put(media, `file ${i}`)
  s3.failing = 503
  await expect(move('bucket')).rejects.toMatchObject({ code: 'ERR_UNAVAILABLE' })
  s3.failing = undefined
  s3.isFull = true
  await expect(move('bucket')).rejects.toMatchObject({ code: 'ERR_STORAGE_FULL' })
  expect(inFolder()).toHaveLength(10)
  s3.isFull = false
  let seen = 0
  const progress = () => {
    // Away once, in the middle.
    s3.failing = ++seen === 15 ? 503 : undefined
  }
  await move('bucket', { progress, pausesMs: [1, 1, 1] }).catch(() => undefined)
  s3.failing = undefined
  await move('bucket')
  expect([inFolder().length, s3.objects.size]).toEqual([0, 10])
})

test('a file stays where it is while another one lies where it is to go', async () => {
  const media = await storeIn('folder')
  const path = await put(media, 'ours')
  s3.objects.set(path, { bytes: new TextEncoder().encode('another'), modifiedAt: new Date() })
  expect(await move('bucket')).toMatchObject({ files: 0, differing: [path] })
  expect(inFolder()).toHaveLength(1)
  expect(Buffer.from(s3.objects.get(path)!.bytes).toString()).toBe('another')
})

test('a file that is brought again is the one that lies in the other place', async () => {
  const options = { name: 'a.txt', mimetype: 'text/plain', maxBytes: 9_999, key: 'k' }
  const first = await (await storeIn('folder')).put(7, Buffer.from('a note'), options)
  const again = await (await storeIn('bucket')).put(7, Buffer.from('a note'), options)
  expect(again).toEqual({ ...first, isNew: false })
  expect(s3.objects.size).toBe(0)
})

test('a service that ignores "only if nothing is there" replaces nothing when a message is fetched again', async () => {
  const media = await storeIn('bucket')
  const options = { name: 'a.txt', mimetype: 'text/plain', maxBytes: 9_999, key: 'k' }
  const first = await media.put(7, Buffer.from('a note'), options)
  s3.calls.length = 0
  expect(await media.put(7, Buffer.from('b note'), options)).toMatchObject({ path: first.path, isNew: false })
  expect(s3.calls.filter((call) => call.startsWith('PUT'))).toEqual([])
})

test('jobs wait while the bucket is slow to come back, refuses, or is full: no try of theirs is counted', async () => {
  mkdirSync(root, { recursive: true })
  const media = patientMedia(await storeIn('bucket'))
  const bring = (key: string) =>
    media.put(7, Buffer.from('a note'), { name: 'a.txt', mimetype: 'text/plain', maxBytes: 9_999, key })
  const { path } = await bring('first')
  const calls = {
    find: () => media.find(path),
    read: () => media.read(path),
    local: () => media.local(path, async (file) => writeFileSync(file, 'x')),
    delete: () => media.delete(path),
    put: () => bring('second'),
  }
  for (const failing of [503, 403, 500, 429]) {
    s3.failing = failing
    for (const call of Object.values(calls))
      expect(await (call() as Promise<unknown>).catch((error: unknown) => error)).toBeInstanceOf(NotNow)
  }
  s3.failing = undefined
  s3.isFull = true
  expect(await bring('third').catch((error: unknown) => error)).toMatchObject({ retryInMs: 60_000 })
  Object.assign(s3, { isFull: false, slowMs: 300 })
  expect((await bring('third')).isNew).toBe(true)
  // What no place mends is no reason to wait.
  expect(
    await media.local(path.replace(/.{5}\.txt/, '00000.txt'), async () => undefined).catch((e: unknown) => e),
  ).toMatchObject({
    code: 'ERR_NO_FILE_FOUND',
  })
  expect(readdirSync(join(root, 'uploads'))).toEqual([])
})
