/**
 * Signs of life of the server, in a page of memory that it shares with the process that started it: how often its main
 * loop has turned, whether it is ready, and what it began last. Who watches needs nothing of a server that is stuck.
 * Imports nothing but what Bun brings along: `launch.ts` uses it before any package is installed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const PAGE_BYTES = 4_096
const BEATS_AT = 0
const READY_AT = 4
const TEXT_AT = 16
const MOST_TEXT_BYTES = 400
const WORK_AT = 512
const MOST_WORK_BYTES = 3_000
const WORKER_AT = 3_600
const MOST_WORKER_BYTES = 100
const BEAT_MS = 250

export interface SignsOfLife {
  /** Grows while the main loop turns. */
  beats: number
  ready: boolean
  /** What the main loop began last: a route, a job, a clock. */
  doing: string
  /** What it answers at this moment, for nothing else happens meanwhile; empty where it answers nothing. */
  work: string
  /** By which name it holds jobs. */
  worker: string
}

let page: Buffer | undefined
const encoder = new TextEncoder()

/**
 * Makes the page, for a server that is to be started.
 * @param path of a file, which may go once the server has opened it
 * @returns what the server says in it, whenever it is asked
 */
export function makeHeartbeat(path: string): () => SignsOfLife {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, Buffer.alloc(PAGE_BYTES), { mode: 0o600 })
  const watched = mapped(path)
  const textAt = (at: number) => {
    const end = watched.indexOf(0, at)
    return watched.toString('utf8', at, end < 0 ? watched.length : end)
  }
  return () => ({
    beats: watched.readUInt32LE(BEATS_AT),
    ready: watched[READY_AT] === 1,
    doing: textAt(TEXT_AT),
    work: textAt(WORK_AT),
    worker: textAt(WORKER_AT),
  })
}

function mapped(path: string): Buffer {
  const shared = Bun.mmap(path, { shared: true })
  return Buffer.from(shared.buffer, shared.byteOffset, shared.byteLength)
}

/** In the server: shows signs of life in that page from now on. */
export function showLife(path: string): void {
  page = mapped(path)
  doing('start')
  const beat = () => page?.writeUInt32LE((page.readUInt32LE(BEATS_AT) + 1) >>> 0, BEATS_AT)
  beat()
  setInterval(beat, BEAT_MS).unref()
}

/** In the server: it answers requests. */
export function showReady(): void {
  if (page) page[READY_AT] = 1
}

/** Notes what the main loop begins; costs less than a microsecond, and nothing where nobody watches. */
export const doing = (what: string): void => note(what, TEXT_AT, MOST_TEXT_BYTES)

/** Notes what is answered, until it is answered. It outlives the server: who watches hands it to the next one. */
export const beginWork = (what: string): void => note(what, WORK_AT, MOST_WORK_BYTES)
export function endWork(): void {
  if (page) page[WORK_AT] = 0
}

/** Notes by which name this server holds jobs. */
export const workAs = (name: string): void => note(name, WORKER_AT, MOST_WORKER_BYTES)

function note(what: string, at: number, most: number): void {
  if (!page) return
  const { written } = encoder.encodeInto(what, page.subarray(at, at + most))
  page[at + written] = 0
}
