import { createHmac, randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BackupPlace } from '../config.ts'
import { createS3, type S3 } from '../media/media.s3.ts'
import { mediaPlace, mediaPort } from '../media/media-store.ts'
import { patiently } from '../media/media.patiently.ts'
import { copyJournal, type Remembered } from '../privacy/privacy.journal.ts'
import { createSealer, type Sealer } from '../seal.ts'
import { dumpDatabase } from './backup.database.ts'
import {
  BackupError,
  copyHashed,
  forEach,
  FORMAT,
  type Manifest,
  manifestName,
  type Progress,
  sumsName,
} from './backup.format.ts'
import { connect, type PlaceConfig } from './backup.place.ts'
import { erasedIn, keysOf } from './backup.write.ts'

// In the bucket: `at/<name>/` with a file for each table, the keys and a list of the media; `files/` with all media, each
// once, however many backups name it; `whole/<name>`, the manifest, which is written last; and `erased/<time>.<id>`, whose
// data were erased, beside all of them. Everything is cut into parts, and each part is sealed to its name, its place in the
// file, and whether it is the last.

const ROOT = 'balcao-backup/'
const WHOLE = `${ROOT}whole/`
const AT = `${ROOT}at/`
const FILES = `${ROOT}files/`
const ERASED = `${ROOT}erased/`
/** A part before it is sealed, bytes: so much of a file is in memory, twice. */
const PART_BYTES = 8 << 20
/** What a seal adds to a part. */
const SEAL_BYTES = 29
const AT_ONCE = 4
const PAUSES_MS: readonly number[] = [1_000, 3_000, 10_000, 30_000]
/** Media that are opened and read to their end when a backup is proven; that all others are there is seen by their names. */
const SAMPLE = 50
const listName = 'media.list'

/** A file of the backup itself, as the manifest names it. */
interface Piece {
  path: string
  size: number
}
export interface AwayManifest extends Manifest {
  pieces: Piece[]
}

interface Tools {
  progress: Progress
  signal?: AbortSignal | undefined
  /** Between tries at a bucket that is away, ms; tests do not wait. */
  pausesMs?: readonly number[]
}

interface Store {
  s3: S3
  sealer: Sealer
  /** The name of a file of the media in the bucket, which tells nobody what it is. */
  idOf(path: string): string
}

function openStore({ bucket, key }: BackupPlace, pausesMs?: readonly number[]): Store {
  const secret = Buffer.from(key)
  return {
    s3: patientS3(createS3(bucket), pausesMs),
    sealer: createSealer(secret),
    idOf: (path) => createHmac('sha256', secret).update(`file ${path}`).digest('hex').slice(0, 40),
  }
}

/** In the order of time. */
const nameAt = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
const timeOf = (name: string): number => Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)Z$/, 'T$1:$2:$3Z'))

/** @returns names of the backups that are whole, the oldest first */
export async function listAway(place: BackupPlace): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of openStore(place).s3.list(WHOLE)) names.push(name.slice(WHOLE.length))
  return names.filter((name) => timeOf(name) > 0).toSorted()
}

/**
 * Makes a backup of everything in the bucket, encrypted before it leaves: nothing of it lies on this disk. Only media that
 * no earlier backup brought are sent. Then forgets what is older than it is to be kept.
 * @param sql of the database itself
 * @throws BackupError, and DomainError where the bucket cannot be written
 */
export async function writeAway(
  config: PlaceConfig & { backup: BackupPlace },
  url: string,
  { version, now, progress, signal, pausesMs }: Tools & { version: string; now: Date },
): Promise<{ name: string; manifest: AwayManifest }> {
  const store = openStore(config.backup, pausesMs)
  const keys = await keysOf(config)
  const name = nameAt(now)
  const pieces: Piece[] = []
  const keep = async (path: string, bytes: AsyncIterable<Uint8Array>) => {
    pieces.push({ path, size: await putParts(store, `${AT}${name}/${path}`, bytes, signal) })
  }
  const sql = connect(url)
  try {
    const dump = await dumpDatabase(sql, { sink: keep, progress, signal })
    for (const [key, text] of Object.entries(keys)) await keep(`keys/${key}`, once(Buffer.from(text)))
    const files = { count: 0, bytes: 0 }
    await keep(listName, bringMedia(config, store, files, { progress, signal }))
    const manifest: AwayManifest = { format: FORMAT, version, ...dump, files, pieces }
    const sealed = store.sealer.seal(Buffer.from(JSON.stringify(manifest)), `${WHOLE}${name}`)
    await store.s3.put(`${WHOLE}${name}`, sealed)
    await bringErased(store, await erasedIn(sql), signal)
    await forget(store, name, config.backup.keepDays, now)
    return { name, manifest }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Brings media that are not there yet, and says of each its size and path, a line each. */
async function* bringMedia(
  config: PlaceConfig,
  store: Store,
  files: Manifest['files'],
  { progress, signal }: Tools,
): AsyncGenerator<Uint8Array> {
  const there = await mediaAway(store)
  const media = mediaPort(mediaPlace(config))
  const lines: string[] = []
  let batch: string[] = []
  const bring = async () => {
    await forEach(batch, AT_ONCE, async (path) => {
      signal?.throwIfAborted()
      const id = store.idOf(path)
      const size =
        there.get(id) ??
        (await media
          .read(path)
          .then((bytes) => putParts(store, `${FILES}${id}`, bytes, signal))
          .catch(async (error: unknown) => {
            if (signal?.aborted || (await media.find(path))) throw error
            // Deleted since it was listed.
            return undefined
          }))
      if (size === undefined) return
      files.count++
      files.bytes += size
      lines.push(`${size} ${path}\n`)
      progress(`media: ${files.count.toLocaleString('en')} files`)
    })
    batch = []
    return Buffer.from(lines.splice(0).join(''))
  }
  for await (const path of media.list()) {
    batch.push(path)
    if (batch.length === 500) yield await bring()
  }
  yield await bring()
}

const erasedName = ({ at, id }: Remembered) => `${ERASED}${nameAt(new Date(at))}.${id}`

/** Notes beside the backups whose data were erased, so that a restore erases them again. */
export async function rememberAway(place: BackupPlace, one: Remembered, pausesMs?: readonly number[]): Promise<void> {
  await noteErased(openStore(place, pausesMs), one)
}

async function noteErased({ s3, sealer }: Store, one: Remembered): Promise<void> {
  const name = erasedName(one)
  await s3.put(name, sealer.seal(Buffer.from(JSON.stringify(one)), name))
}

/** What could not be noted when it happened. */
async function bringErased(store: Store, all: readonly Remembered[], signal: AbortSignal | undefined): Promise<void> {
  const there = new Set<string>()
  for await (const { name } of store.s3.list(ERASED)) there.add(name)
  const missing = all.filter((one) => !there.has(erasedName(one)))
  await forEach(missing, AT_ONCE, async (one) => {
    signal?.throwIfAborted()
    await noteErased(store, one)
  })
}

/** Whose data were erased, as it stands beside the backups. @throws BackupError where a note does not open */
async function erasedAway({ s3, sealer }: Store): Promise<Remembered[]> {
  const all: Remembered[] = []
  await forEach(s3.list(ERASED), AT_ONCE, async ({ name }) => {
    const bytes = await s3.get(name)
    if (bytes) all.push(JSON.parse(opened(sealer, await new Response(bytes).bytes(), name).toString()) as Remembered)
  })
  return all.toSorted((a, b) => a.at.localeCompare(b.at))
}

/** The sizes of all media in the bucket that are whole, by their ids. */
async function mediaAway({ s3 }: Store): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const ended = new Set<string>()
  for await (const { name, size } of s3.list(FILES)) {
    const [id = '', , end] = name.slice(FILES.length).split('.')
    sizes.set(id, (sizes.get(id) ?? 0) + size - SEAL_BYTES)
    if (end) ended.add(id)
  }
  for (const id of sizes.keys()) if (!ended.has(id)) sizes.delete(id)
  return sizes
}

/**
 * Brings a backup back as a folder, as `writeBackup` makes one.
 * @param withMedia otherwise rows and keys alone
 * @throws BackupError where there is none, where it is not whole, or the key is another one
 */
export async function fetchAway(
  place: BackupPlace,
  name: string,
  folder: string,
  { withMedia, progress, signal, pausesMs }: Tools & { withMedia: boolean },
): Promise<AwayManifest> {
  const store = openStore(place, pausesMs)
  const manifest = await readManifestAway(store, name)
  const sums: string[] = []
  const keep = async (path: string, bytes: AsyncIterable<Uint8Array>) => {
    const { sha256 } = await copyHashed(bytes, join(folder, path), signal)
    sums.push(`${sha256}  ${path}\n`)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const { path, size } of manifest.pieces) {
    if (path === listName) continue
    progress(`fetching ${path}`)
    await keep(path, partsOf(store, `${AT}${name}/${path}`, size))
  }
  const { pieces: _pieces, ...own } = manifest
  if (withMedia) {
    let fetched = 0
    await forEach(mediaOf(store, name, manifest), AT_ONCE, async ({ path, size }) => {
      await keep(`media/${path}`, partsOf(store, `${FILES}${store.idOf(path)}`, size))
      progress(`fetched ${(++fetched).toLocaleString('en')} of ${manifest.files.count.toLocaleString('en')} files`)
    })
  }
  // With it, whatever brings the backup back erases again.
  await copyJournal(await erasedAway(store), folder)
  await keep(manifestName, once(Buffer.from(`${JSON.stringify(own, null, 2)}\n`)))
  await mkdir(dirname(join(folder, sumsName)), { recursive: true })
  await writeFile(join(folder, sumsName), sums.join(''), { mode: 0o600 })
  return manifest
}

/**
 * Whether the media that the backup names are in the bucket: each by its name and size, and some, chosen by chance, opened
 * and read to their end.
 * @throws BackupError naming one that is not
 */
export async function checkMediaAway(place: BackupPlace, name: string, tools: Tools): Promise<void> {
  const { progress, signal, pausesMs } = tools
  const store = openStore(place, pausesMs)
  const manifest = await readManifestAway(store, name)
  const there = await mediaAway(store)
  const everyMany = Math.max(1, Math.ceil(manifest.files.count / SAMPLE))
  let seen = 0
  for await (const { path, size } of mediaOf(store, name, manifest)) {
    signal?.throwIfAborted()
    const id = store.idOf(path)
    if (there.get(id) !== size) throw new BackupError(`media/${path} of the backup ${name} is missing in the bucket.`)
    if (randomInt(everyMany) === 0) for await (const _ of partsOf(store, `${FILES}${id}`, size));
    progress(`media: ${(++seen).toLocaleString('en')} files are there`)
  }
  if (seen !== manifest.files.count)
    throw new BackupError(`The backup ${name} lists ${seen} files of media, and had ${manifest.files.count}.`)
}

async function readManifestAway({ s3, sealer }: Store, name: string): Promise<AwayManifest> {
  const bytes = await s3.get(`${WHOLE}${name}`)
  if (!bytes)
    throw new BackupError(`There is no backup ${name} in the bucket. \`bun run backup:list\` names those there are.`)
  return JSON.parse(opened(sealer, await new Response(bytes).bytes(), `${WHOLE}${name}`).toString()) as AwayManifest
}

async function* mediaOf(store: Store, name: string, { pieces }: AwayManifest): AsyncGenerator<Piece> {
  const list = pieces.find(({ path }) => path === listName)
  if (!list) throw new BackupError(`The backup ${name} has no list of its media.`)
  let rest = ''
  for await (const part of partsOf(store, `${AT}${name}/${listName}`, list.size)) {
    const lines = (rest + part.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const at = line.indexOf(' ')
      yield { size: Number(line.slice(0, at)), path: line.slice(at + 1) }
    }
  }
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────

const partName = (name: string, n: number, isLast: boolean) => `${name}.${n}${isLast ? '.end' : ''}`
const once = async function* (bytes: Uint8Array) {
  yield bytes
}

/** Seals bytes part by part and puts each into the bucket. @returns how many bytes there were */
async function putParts(
  { s3, sealer }: Store,
  name: string,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let held: Uint8Array[] = []
  let holding = 0
  let size = 0
  let n = 0
  const put = async (bytes: Uint8Array, isLast: boolean) => {
    signal?.throwIfAborted()
    const part = partName(name, n++, isLast)
    const sealed = sealer.seal(bytes, part)
    await s3.put(part, sealed)
  }
  for await (const piece of source) {
    held.push(piece)
    holding += piece.length
    size += piece.length
    // The last part is never known before the end, so one byte more is waited for.
    while (holding > PART_BYTES) {
      const all = Buffer.concat(held)
      held = [all.subarray(PART_BYTES)]
      holding -= PART_BYTES
      await put(all.subarray(0, PART_BYTES), false)
    }
  }
  await put(Buffer.concat(held), true)
  return size
}

/** @throws BackupError where one is missing, or is not what was put there */
async function* partsOf({ s3, sealer }: Store, name: string, size: number): AsyncGenerator<Buffer> {
  const count = Math.max(1, Math.ceil(size / PART_BYTES))
  for (let n = 0; n < count; n++) {
    const part = partName(name, n, n === count - 1)
    const stream = await s3.get(part)
    if (!stream) throw new BackupError(`${part} is missing in the bucket.`)
    yield opened(sealer, await new Response(stream).bytes(), part)
  }
}

function opened(sealer: Sealer, bytes: Uint8Array, name: string): Buffer {
  try {
    return sealer.open(bytes, name)
  } catch {
    throw new BackupError(`${name} in the bucket does not open: it is damaged, or BACKUP_KEY is another key.`)
  }
}

/** A bucket that is away for a moment ends no backup. */
function patientS3(s3: S3, pausesMs = PAUSES_MS): S3 {
  return {
    head: (name) => patiently(() => s3.head(name), pausesMs),
    get: (name, range) => patiently(() => s3.get(name, range), pausesMs),
    put: (name, body, options) => patiently(() => s3.put(name, body, options), pausesMs),
    delete: (name) => patiently(() => s3.delete(name), pausesMs),
    list: (prefix) => s3.list(prefix),
  }
}

/** Deletes backups that are too old, what was cut off, and media that no backup names any more. The newest always stays. */
async function forget(store: Store, newest: string, keepDays: number, now: Date): Promise<void> {
  const { s3 } = store
  const names: string[] = []
  for await (const { name } of s3.list(WHOLE)) names.push(name.slice(WHOLE.length))
  const oldest = now.getTime() - keepDays * 86_400_000
  const old = names.filter((name) => name !== newest && timeOf(name) < oldest)
  for (const name of old) await s3.delete(`${WHOLE}${name}`)
  const kept = new Set(names.filter((name) => !old.includes(name)))
  for await (const { name } of s3.list(AT)) {
    const of = name.slice(AT.length).split('/', 1)[0]!
    if (!kept.has(of)) await s3.delete(name)
  }
  if (old.length === 0) return
  // A backup that is younger does not hold them any more.
  const oldestKept = Math.min(...[...kept].map(timeOf))
  for await (const { name } of s3.list(ERASED))
    if (timeOf(name.slice(ERASED.length).split('.', 1)[0]!) < oldestKept) await s3.delete(name)
  const named = new Set<string>()
  for (const name of kept)
    for await (const { path } of mediaOf(store, name, await readManifestAway(store, name))) named.add(store.idOf(path))
  for await (const { name } of s3.list(FILES))
    if (!named.has(name.slice(FILES.length).split('.', 1)[0]!)) await s3.delete(name)
}
