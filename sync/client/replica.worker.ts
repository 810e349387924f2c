import type { PGlite } from '@electric-sql/pglite'
import { DomainError } from '../../schema/errors.ts'
import { deleteReplicas } from './disk.ts'
import { Engine } from './engine.ts'
import { dexieStorage } from './outbox.dexie.ts'
import type { Entry } from './outbox.state.ts'
import { upload } from './upload.ts'
import { flushReplica, openReplica, replicaKept, replicaName } from './storage.ts'
import { fetchTemplate } from './template.ts'
import { type FromTab, type OfOpening, type ToTab, type ToTabs, unfetched, type WorkerStart } from './wire.ts'

/**
 * The one worker of a user in this browser. It belongs to the leading tab, which talks to it directly; the other
 * tabs reach it over a channel each. There is no shared worker: Android has none.
 */
interface Tab {
  post(message: ToTab): void
  visible: boolean
  queries: Map<number, () => void>
  /** Waits to be told. */
  answers: Extract<ToTab, { t: 'rows' }>['answers']
}

const scope = globalThis as unknown as {
  postMessage(message: ToTab | OfOpening): void
  onmessage: ((event: MessageEvent<WorkerStart | FromTab>) => void) | null
  close(): void
}

const tabs = new Map<string, Tab>()
const tokens = new Map<number, (said: { token: string | null; lost: boolean }) => void>()
let nextToken = 1
let engine: Engine
let channelName: string
let control: BroadcastChannel
let leader: string
let database: PGlite | undefined
/** The first sync is worth a write of its own: without it a reload without a network would find nothing. */
let firstSyncKept = false
let durable = true
/** The outbox as the tabs know it. */
let postedOutbox: readonly Entry[] = []
/** Whether Postgres' program may still be on its way. */
let fetching = false

scope.onmessage = ({ data }) => {
  if (data.t !== 'start') void from(leader, data)
  else
    start(data).then(
      () => {
        fetching = false
        scope.postMessage({ t: 'opened' })
      },
      (error: unknown) => scope.postMessage({ t: 'unopened', message: reasonOf(error) }),
    )
}

function reasonOf(error: unknown): string {
  // What a `fetch` without an answer throws.
  if (fetching && error instanceof TypeError) return unfetched
  return error instanceof Error ? error.message : String(error)
}

// PGlite waits for ever for a program that cannot be fetched; all that is heard of it is this. It also fetches one
// that is seldom needed, so an opening that goes on is let be.
addEventListener('unhandledrejection', () => {
  if (fetching) setTimeout(() => fetching && scope.postMessage({ t: 'unopened', message: unfetched }), 3_000)
})

async function start(message: WorkerStart): Promise<void> {
  leader = message.leader
  channelName = message.name
  engine = new Engine({
    who: message.who,
    baseUrl: message.baseUrl,
    storage: dexieStorage(`${message.name}-outbox`),
    fetch: (input, init) => fetch(input, init),
    upload,
    WebSocket,
    token: (refresh) =>
      new Promise((resolve, reject) => {
        const r = nextToken++
        tokens.set(r, ({ token, lost }) => (lost ? reject(new TypeError('token not renewed')) : resolve(token)))
        scope.postMessage({ t: 'token', r, refresh })
      }),
    openDatabase: async () => (database = await openDatabase(message)),
    kept: async () => (database ? replicaKept(database) : undefined),
    durable: () => durable,
    hasNetwork: () => navigator.onLine,
    statusChanged: (status) => {
      toAll({ t: 'status', status })
      if (!status.online) keep()
      if (firstSyncKept || status.state !== 'live') return
      firstSyncKept = true
      void engine.checkpoint().then(keep)
    },
    outboxChanged: postOutbox,
    answered: () => {
      for (const tab of tabs.values())
        if (tab.answers.length > 0) tab.post({ t: 'rows', answers: tab.answers.splice(0) })
    },
  })
  tabs.set(leader, { post: (m) => scope.postMessage(m), visible: true, queries: new Map(), answers: [] })
  control = new BroadcastChannel(channelName)
  control.onmessage = ({ data }: MessageEvent<ToTabs>) => {
    if (data.t === 'here') admit(data.tab)
  }
  addEventListener('online', () => engine.wake())
  addEventListener('offline', () => engine.statusMoved())
  scope.postMessage({ t: 'ready' })
  control.postMessage({ t: 'up' } satisfies ToTabs)
  await engine.start()
}

/** Writes to the disk now. */
function keep(): void {
  if (database) flushReplica(database)
}

function openDatabase({ name: prefix, baseUrl, persistent }: WorkerStart): Promise<PGlite> {
  fetching = true
  const name = replicaName(prefix)
  const template = () => fetchTemplate(baseUrl)
  if (!persistent || typeof indexedDB === 'undefined') {
    durable = false
    return openReplica(name, 'memory', template)
  }
  // Replicas of earlier schemas go.
  void deleteReplicas(prefix, name)
  return openReplica(
    name,
    'idb',
    template,
    (database, waits) => {
      fetching = !waits
      scope.postMessage({ t: 'files', database, waits })
    },
    (well) => {
      durable = well
      engine.statusMoved()
    },
  )
}

/** A tab has said that it is here. Its lock tells when it is gone, however it went. */
function admit(id: string): void {
  if (tabs.has(id) || id === leader) return
  const channel = new BroadcastChannel(`${channelName}:${id}`)
  const tab: Tab = { post: (m) => channel.postMessage(m), visible: true, queries: new Map(), answers: [] }
  tabs.set(id, tab)
  channel.onmessage = ({ data }: MessageEvent<FromTab>) => void from(id, data)
  tab.post({ t: 'ready' })
  void navigator.locks.request(`${channelName}:${id}`, () => {
    leave(id)
    channel.close()
    return engine.tabGone()
  })
}

function leave(id: string): void {
  for (const unsubscribe of tabs.get(id)?.queries.values() ?? []) unsubscribe()
  tabs.delete(id)
}

function toAll(message: ToTab): void {
  for (const tab of tabs.values()) tab.post(message)
}

/** Says what has changed: of hundreds that wait, few do at a time. */
function postOutbox(entries: readonly Entry[]): void {
  const before = new Map(postedOutbox.map((entry) => [entry.id, entry]))
  const changed = entries.filter((entry) => before.get(entry.id) !== entry)
  for (const { id } of entries) before.delete(id)
  postedOutbox = entries
  if (changed.length + before.size > 0) toAll({ t: 'outbox', whole: false, changed, gone: [...before.keys()] })
}

async function from(id: string, message: FromTab): Promise<void> {
  const tab = tabs.get(id)
  if (!tab) return
  const answer = async (r: number, work: Promise<unknown>): Promise<void> => {
    try {
      tab.post({ t: 'done', r, value: await work })
    } catch (error) {
      const known = error instanceof DomainError ? { code: error.code, params: error.params } : {}
      tab.post({ t: 'done', r, error: { message: error instanceof Error ? error.message : String(error), ...known } })
    }
  }
  switch (message.t) {
    case 'hello':
      tab.visible = message.visible
      tab.post({ t: 'status', status: engine.status() })
      tab.post({ t: 'outbox', whole: true, changed: engine.sender.entries, gone: [] })
      break
    case 'bye':
      if (id !== leader) leave(id)
      break
    case 'visible':
      tab.visible = message.visible
      if (!message.visible) keep()
      break
    case 'keep':
      keep()
      break
    case 'live':
      for (const { q, query } of message.queries) {
        tab.queries.get(q)?.()
        tab.queries.set(
          q,
          engine.subscribe(query, {
            visible: () => tab.visible,
            rows: (rows, whole) => void tab.answers.push({ q, rows, whole }),
            error: (error) => tab.post({ t: 'failed', q, message: error.message }),
          }),
        )
      }
      break
    case 'unlive':
      tab.queries.get(message.q)?.()
      tab.queries.delete(message.q)
      break
    case 'query':
      await answer(message.r, engine.query(message.sql, message.params))
      break
    case 'search':
      await answer(message.r, engine.search(message.text, message.ticketId))
      break
    case 'mutate':
      await answer(message.r, engine.mutate(message.entry, message.awaited))
      break
    case 'stored':
      await engine.stored(message.id, message.memory)
      break
    case 'retry':
      await answer(message.r, engine.retry(message.id))
      break
    case 'discard':
      await answer(message.r, engine.discard(message.id))
      break
    case 'wake':
      engine.wake()
      break
    case 'token':
      tokens.get(message.r)?.(message)
      tokens.delete(message.r)
      break
    case 'close':
      await answer(message.r, engine.close())
      scope.close()
  }
}
