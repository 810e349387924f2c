import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { DomainError } from '../../schema/errors.ts'
import type { ScannerAddress } from '../config.ts'
import type { Logger } from '../log.ts'

/** Looks at a file before anybody gets it. @throws DomainError `ERR_FILE_INFECTED`, `ERR_UNAVAILABLE` */
export type Scan = (path: string, companyId: number) => Promise<void>

/** A large file takes a while; one who says nothing for so long is not there. */
const SILENT_MS = 120_000
/** What it says at the end is a line. */
const MOST_ANSWER = 4_096
const PIECE = 64 * 1024

/** Looks that are under way at once; clamd has ten threads unless it is told otherwise, and others use it, too. */
const AT_ONCE = 4

/**
 * Has a scanner look at files. One that cannot be asked, or that will not look at a file of that size, lets none in: what was
 * not looked at is not taken for clean.
 */
export function createScan(address: ScannerAddress, log: Pick<Logger, 'warn'>, silentMs = SILENT_MS): Scan {
  let free = AT_ONCE
  const waiting: (() => void)[] = []
  return async (path, companyId) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let answer: string
    try {
      answer = await ask(address, path, silentMs)
    } catch (error) {
      log.warn({ err: error }, 'the virus scanner did not answer')
      throw new DomainError('ERR_UNAVAILABLE')
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
    if (answer === 'stream: OK') return
    const found = /^stream: (.{1,200}) FOUND$/.exec(answer)?.[1]
    if (found === undefined) {
      log.warn({ answer }, 'the virus scanner did not look at a file')
      throw new DomainError('ERR_UNAVAILABLE')
    }
    log.warn({ found, companyId }, 'the virus scanner refused a file')
    throw new DomainError('ERR_FILE_INFECTED')
  }
}

/** One file, in pieces with their lengths before them, and a piece of none at the end (clamd's `INSTREAM`). */
async function ask(address: ScannerAddress, path: string, silentMs: number): Promise<string> {
  const socket = connect(address)
  socket.setTimeout(silentMs, () => socket.destroy(new Error('silent')))
  const answered = answerOf(socket)
  // It may refuse before all of it is there: then what it says counts, and not that nobody listens.
  await Promise.race([send(socket, path), answered]).catch(() => undefined)
  try {
    return await answered
  } finally {
    socket.destroy()
  }
}

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    socket.on('data', (piece: Buffer) => {
      said += piece.toString('utf8')
      const end = said.indexOf('\0')
      if (end >= 0) resolve(said.slice(0, end).trim())
      else if (said.length > MOST_ANSWER) socket.destroy(new Error('it says too much'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed without an answer')))
  })
}

async function send(socket: Socket, path: string): Promise<void> {
  const put = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
  await put(Buffer.from('zINSTREAM\0'))
  for await (const piece of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(piece.length)
    await put(length)
    await put(piece)
  }
  await put(Buffer.alloc(4))
}
