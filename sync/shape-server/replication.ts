import type { Duplex } from 'node:stream'
import type postgres from 'postgres'
import { type Log, openReplicationConnection, quoteLiteral } from './database.ts'
import { kinds, parseLsn, readBegin, readCommitEnd, readLsn } from './pgoutput.ts'

/** A transaction that has committed, or part of one: a large one is handed on as it comes. */
export type Transaction = {
  xid: number
  /** Position of the commit record. Grows from transaction to transaction. */
  lsn: number
  isFirst: boolean
  /** What stands between begin and commit, undecoded, and how many bytes it is. */
  messages: Buffer[]
  bytes: number
  /** Position after the commit record; only the last part has it. */
  end?: number
}

export type ReplicationEvents = {
  /** Before each attempt: the publication must stand when the stream starts. */
  prepare: () => Promise<void>
  /** The stream runs. Every transaction that commits from here on will be told. */
  connected: (lsn: number) => void
  transaction: (transaction: Transaction) => void
  /** Nothing before this position is still to come. */
  position: (lsn: number) => void
  /** Whatever follows, transactions may have been missed. */
  lost: () => void
}

export type Replication = {
  /** What has been handled, and may be forgotten by Postgres. */
  acknowledge: (lsn: number) => void
  nudge: () => void
  /** Whether to be told more. Who is slower than Postgres pauses, or all of it would be kept here. */
  flow: (goesOn: boolean) => void
  stop: () => Promise<void>
}

/** Postgres 16 and later may leave the sender asleep after a commit; any message from us wakes it. */
const heartbeatMs = 100
/** How often the heartbeat asks for an answer, by which a dead connection is recognised. */
const answerMs = 1_000
const silenceMs = 15_000
/** A transaction is handed on in parts of about this size: reading one keeps nobody waiting. */
const partBytes = 64 * 1024
const firstBackoffMs = 100
const longestBackoffMs = 5_000

/** How far we are, as Postgres wants to read it. */
function statusOf(acknowledged: number, wantAnswer: boolean): Buffer {
  const status = Buffer.alloc(34)
  status[0] = 0x72
  for (const at of [1, 9, 17]) status.writeBigUInt64BE(BigInt(acknowledged), at)
  status.writeBigInt64BE(BigInt(Date.now() - Date.UTC(2000, 0, 1)) * 1000n, 25)
  status[33] = wantAnswer ? 1 : 0
  return status
}

/** Wakes Postgres, asks it for answers, and ends a connection on which nothing is heard any more. */
function keepAlive(duplex: Duplex, sendStatus: (wantAnswer: boolean) => void) {
  let lastReceivedAt = Date.now()
  let lastAsked = 0
  const heartbeat = setInterval(() => {
    const now = Date.now()
    // While it is paused, it is we who do not listen.
    if (duplex.isPaused()) lastReceivedAt = now
    if (now - lastReceivedAt > silenceMs) {
      duplex.destroy(new Error(`nothing heard from Postgres for ${silenceMs} ms`))
      return
    }
    const ask = now - lastAsked >= answerMs
    if (ask) lastAsked = now
    sendStatus(ask)
  }, heartbeatMs)
  return {
    received(): void {
      lastReceivedAt = Date.now()
    },
    stop: () => clearInterval(heartbeat),
  }
}

/** Takes what arrives and hands it on: transactions in parts, and between them positions. `answer` is what Postgres asks for. */
function partsFor(events: ReplicationEvents, answer: () => void): (chunk: Buffer) => void {
  let transaction: Transaction | undefined
  const hand = (part: Transaction, end?: number) => events.transaction(end === undefined ? part : { ...part, end })
  return (chunk) => {
    if (chunk[0] === 0x6b) {
      // Inside a transaction the position may already lie behind its commit.
      if (!transaction) events.position(readLsn(chunk, 1))
      if (chunk[17] === 1) answer()
      return
    }
    if (chunk[0] !== 0x77) return
    const message = chunk.subarray(25)
    const kind = message[0]
    if (kind === kinds.begin) transaction = { ...readBegin(message), isFirst: true, messages: [], bytes: 0 }
    else if (kind === kinds.commit) {
      if (transaction) hand(transaction, readCommitEnd(message))
      transaction = undefined
    } else if (transaction) {
      transaction.messages.push(message)
      transaction.bytes += message.length
      if (transaction.bytes < partBytes) return
      hand(transaction)
      transaction = { ...transaction, isFirst: false, messages: [], bytes: 0 }
    }
  }
}

/**
 * Follows the database through a temporary slot, for ever: a broken connection is made anew.
 * The slot dies with its connection, so nothing is left behind that could keep log files.
 */
export function followReplication(
  options: { databaseUrl: string; publication: string; slot: string; log: Log },
  events: ReplicationEvents,
): { replication: Replication; firstAttempt: Promise<unknown> } {
  const { databaseUrl, publication, log } = options
  let stream: Duplex | undefined
  let connection: postgres.Sql | undefined
  let acknowledged = 0
  let stopping = false
  let wake = () => {}
  let attempt = 0

  const sendStatus = (wantAnswer: boolean) => {
    if (!stream || stream.destroyed || !stream.writable) return
    stream.write(statusOf(acknowledged, wantAnswer))
  }

  /** Resolves when the connection has ended, rejects when it could not be made. */
  const runOnce = async (connected: () => void): Promise<void> => {
    await events.prepare()
    const slot = `${options.slot}_${++attempt}`
    connection = openReplicationConnection(databaseUrl)
    try {
      const [created] = await connection.unsafe<{ consistent_point: string }[]>(
        `CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`,
      )
      if (!created) throw new Error('Postgres made no replication slot')
      if (stopping) return
      acknowledged = parseLsn(created.consistent_point)
      // postgres.js types this as a Writable; on a replication connection it is both ways.
      const duplex = (await connection
        .unsafe(
          `START_REPLICATION SLOT ${slot} LOGICAL ${created.consistent_point} (proto_version '1', publication_names ${quoteLiteral(publication)})`,
        )
        .writable()) as unknown as Duplex
      stream = duplex

      const alive = keepAlive(duplex, sendStatus)
      const take = partsFor(events, () => sendStatus(false))
      duplex.on('data', (chunk: Buffer) => {
        alive.received()
        take(chunk)
      })

      connected()
      events.connected(acknowledged)
      try {
        await new Promise<void>((resolve, reject) => {
          duplex.once('error', reject)
          duplex.once('close', resolve)
          duplex.once('end', resolve)
        })
      } finally {
        alive.stop()
        stream = undefined
        events.lost()
      }
    } finally {
      await connection.end({ timeout: 0 }).catch(() => {})
      connection = undefined
    }
  }

  let settleFirst: (failure: unknown) => void = () => {}
  const firstAttempt = new Promise<unknown>((resolve) => {
    settleFirst = resolve
  })

  const run = async () => {
    let backoffMs = firstBackoffMs
    while (!stopping) {
      try {
        await runOnce(() => {
          backoffMs = firstBackoffMs
          settleFirst(undefined)
        })
        if (!stopping) log.warn({}, 'The replication connection was closed; connecting again')
      } catch (error) {
        settleFirst(error)
        if (!stopping) log.warn({ err: error }, 'The replication connection failed; connecting again')
      }
      if (stopping) break
      const waitMs = backoffMs
      backoffMs = Math.min(backoffMs * 2, longestBackoffMs)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const running = run()

  return {
    firstAttempt,
    replication: {
      acknowledge: (lsn) => {
        if (lsn > acknowledged) acknowledged = lsn
      },
      nudge: () => sendStatus(false),
      flow: (goesOn) => {
        if (goesOn) stream?.resume()
        else stream?.pause()
      },
      stop: async () => {
        stopping = true
        wake()
        stream?.destroy()
        await connection?.end({ timeout: 0 }).catch(() => {})
        await running
      },
    },
  }
}
