import { catalog } from '../../schema/catalog.ts'
import type { Command } from '../../schema/command.ts'
import {
  type Entry,
  isSilent,
  laneOf,
  type OutboxEvent,
  reduce,
  replacedBy,
  restored,
  retryAfterMs,
  retryDelay,
  sendable,
  type Verdict,
  verdict,
} from './outbox.state.ts'
import type { OutboxStorage } from './outbox.dexie.ts'
import type { Fetch } from './wire.ts'

export interface SenderDeps {
  baseUrl: string
  storage: OutboxStorage
  fetch: Fetch
  /** The same for files, telling how much has left; `fetch` cannot. */
  upload?: Upload
  token(refresh: boolean): Promise<string | null>
  /** Told after every change of the entries. */
  changed(entries: readonly Entry[]): void
  /** The server has taken a command: its rows are on their way. */
  accepted(): void
  /** Commands were refused: what they showed is to be taken back. */
  withdrawn(ids: readonly string[]): void
}

/** Sends a form, and says how much of it has left, from 0 to 1. */
export type Upload = (
  url: string,
  init: { headers: Record<string, string>; body: FormData; signal: AbortSignal },
  progress: (part: number) => void,
) => Promise<Response>

/** At most so many requests are on their way at once, no two with commands of one ticket. */
const parallel = 4
/**
 * While more than this wait, one request at a time: what comes back of each keeps the worker and, on a small machine, the
 * page's core busy, and somebody goes on typing meanwhile.
 */
const crowd = 20
/** At most so many commands are in one request: it is answered within a second or two, and lost as a whole. */
const together = 50
const answerTimeoutMs = 30_000
const uploadTimeoutMs = 10 * 60_000

/**
 * What of an accepted command was refused all the same, as a command of its own that waits for its user; null where all
 * of it was done. The same for the same answer, however often it comes.
 */
function refusedPart(entry: Entry, result: Record<string, unknown>): Entry | null {
  const { refusedPart: of } = catalog[entry.name] as unknown as Command
  const part = of?.(entry.input as never, result)
  if (!part) return null
  const [, whole, times] = /^(.*?)(?:-p(\d+))?$/.exec(entry.id)!
  return { ...entry, ...part, id: `${whole}-p${Number(times ?? 0) + 1}`, state: 'failed', attempts: 0, notBefore: 0 }
}

/** Keeps the outbox and sends what is in it, in order. Exactly one runs for each user, in the leader's worker. */
export class Sender {
  #entries: readonly Entry[] = []
  /** Entries that a tab has announced and not yet stored; they are shown and not sent. */
  readonly #unstored = new Set<string>()
  /** Entries that were taken out and are, or soon will be, in the storage: they are not to come back from there. */
  readonly #unwanted = new Set<string>()
  /** Entries about which the local rows have not been asked. */
  readonly #unjudged = new Set<string>()
  /** Files that the disk did not take. */
  readonly #files = new Map<string, Blob>()
  /** Files on their way, to be called back. */
  readonly #uploads = new Map<string, AbortController>()
  #requests = 0
  /** The server takes several commands in one request. */
  #together = true
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #stop = new AbortController()

  constructor(private readonly deps: SenderDeps) {}

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Takes in what the storage holds. */
  load(stored: readonly Entry[]): void {
    for (const { id } of stored) this.#unstored.delete(id)
    for (const entry of stored)
      if (!this.#unwanted.has(entry.id)) this.#entries = reduce(this.#entries, { type: 'added', entry })
    this.deps.changed(this.#entries)
    this.kick()
  }

  /**
   * A command that a tab is storing at this moment.
   * @param judged false when it waits for `judged` too
   * @returns whether it takes the place of another that waited
   */
  announce(entry: Entry, judged: boolean): boolean {
    if (this.#entries.some((e) => e.id === entry.id)) return false
    // One that its tab is still storing would come back from the storage, so it stays and is sent before this one.
    const replaced = replacedBy(entry, this.#entries).filter(({ id }) => !this.#unstored.has(id))
    for (const { id } of replaced) void this.remove(id)
    this.#unstored.add(entry.id)
    if (!judged) this.#unjudged.add(entry.id)
    this.#set({ type: 'added', entry })
    return replaced.length > 0
  }

  /** What waits for the server and for nothing else. A command that is still being stored could be lost. */
  get waiting(): Entry[] {
    return this.#ready().filter((e) => e.state === 'queued' || e.state === 'sending')
  }

  /** Kept on the disk, and not refused by the local rows. */
  #ready(): Entry[] {
    return this.#entries.filter((e) => !this.#unstored.has(e.id) && !this.#unjudged.has(e.id))
  }

  /**
   * A tab has stored an entry; one that is news to us was announced to the worker before us.
   * @param memory it could not: all there is of the entry is here
   */
  async stored(id: string, memory?: { file: Blob | null }): Promise<void> {
    if (memory?.file) this.#files.set(id, memory.file)
    if (this.#unstored.delete(id)) {
      this.deps.changed(this.#entries)
      this.kick()
    } else if (this.#unwanted.delete(id)) await this.deps.storage.remove([id])
    else if (!this.#entries.some((e) => e.id === id)) this.load((await this.deps.storage.load()).map(restored))
  }

  /** The local rows have nothing against it. */
  judged(id: string): void {
    if (!this.#unjudged.delete(id)) return
    this.deps.changed(this.#entries)
    this.kick()
  }

  /** The announced entries of a tab that is gone and that did not come to store them. */
  unstored(): string[] {
    return [...this.#unstored]
  }

  place(id: string, ticketId: number): void {
    this.#set({ type: 'placed', id, ticketId })
  }

  /** The user tries a refused command again. */
  async retry(id: string): Promise<void> {
    this.#set({ type: 'retried', id })
    await this.#save([id])
    this.kick()
  }

  /** Takes an entry out: discarded, or refused before it was sent. */
  async remove(id: string): Promise<void> {
    if (this.#unstored.has(id)) this.#unwanted.add(id)
    this.#uploads.get(id)?.abort()
    this.giveUp(id)
    await this.deps.storage.remove([id])
    this.kick()
  }

  /** Takes out what no tab has come to store; if one does after all, it is back. */
  giveUp(id: string): void {
    this.#unstored.delete(id)
    this.#unjudged.delete(id)
    this.#set({ type: 'gone', id })
  }

  /** The rows of accepted entries have come: they show them from now on, and they are forgotten when they are `kept`. */
  confirmed(ids: readonly string[], kept: Promise<void>): void {
    for (const id of ids) this.#unwanted.add(id)
    this.#set(...ids.map((id) => ({ type: 'gone' as const, id })))
    void kept
      .then(() => this.deps.storage.remove(ids))
      .then(() => {
        for (const id of ids) this.#unwanted.delete(id)
      })
      .catch(() => undefined)
    this.kick()
  }

  /** Looks for work now; `eager` also for what waits after a failed attempt, because the network is back. */
  kick(eager = false): void {
    if (this.#stop.signal.aborted) return
    clearTimeout(this.#timer)
    const now = performance.now()
    const entries = this.#ready().map((e) => (eager ? { ...e, notBefore: 0 } : e))
    const waiting = entries.filter(({ state }) => state === 'queued' || state === 'sending').length
    const free = (this.#together && waiting > crowd ? 1 : parallel) - this.#requests
    const { send, lookAgainAt } = sendable(entries, now, free, this.#together ? together : 1)
    for (const request of send) void this.#send(request)
    if (lookAgainAt !== null) this.#timer = setTimeout(() => this.kick(), Math.max(10, lookAgainAt - now))
  }

  close(): void {
    this.#stop.abort()
    clearTimeout(this.#timer)
  }

  /** One command, or several that go together. */
  async #send(entries: readonly Entry[]): Promise<void> {
    this.#requests++
    this.#set(...entries.map(({ id }) => ({ type: 'sending' as const, id })))
    const answers = await (entries.length === 1 ? this.#post(entries[0]!) : this.#postTogether(entries))
    this.#requests--
    if (this.#stop.signal.aborted) return
    // The attempt and its outcome are written in one: a crash before leads to the same command again, which is harmless.
    const events: OutboxEvent[] = []
    const kept: string[] = []
    const gone: string[] = []
    const withdrawn: string[] = []
    const now = Date.now()
    const random = Math.random()
    for (const [i, entry] of entries.entries()) {
      const { id } = entry
      const answer = answers[i]!
      if (answer.kind === 'accepted') {
        events.push({ type: 'accepted', id, txid: answer.txid, tables: answer.tables, now })
        kept.push(id)
        const part = answer.result && refusedPart(entry, answer.result)
        if (part) {
          events.push({ type: 'added', entry: part })
          kept.push(part.id)
        }
      } else if (answer.kind === 'refused') {
        withdrawn.push(id)
        if (isSilent(entry)) gone.push(id)
        else {
          events.push({ type: 'refused', id, error: answer.error })
          kept.push(id)
        }
      } else {
        const attempts = this.#entries.find((e) => e.id === id)?.attempts ?? 1
        const wait = Math.max('waitMs' in answer ? (answer.waitMs ?? 0) : 0, retryDelay(attempts, random))
        events.push({ type: 'unanswered', id, notBefore: performance.now() + wait })
      }
    }
    this.#set(...events)
    await this.#save(kept)
    for (const id of gone) await this.remove(id).catch(() => undefined)
    if (answers.some(({ kind }) => kind === 'accepted')) this.deps.accepted()
    if (withdrawn.length > 0) this.deps.withdrawn(withdrawn)
    this.kick()
  }

  async #post(entry: Entry): Promise<Verdict[]> {
    const command = JSON.stringify({ id: entry.id, name: entry.name, input: entry.input })
    let body: BodyInit = command
    if (entry.file) {
      const file = this.#files.get(entry.id) ?? (await this.deps.storage.file(entry.id).catch(() => undefined))
      if (file === undefined) return [{ kind: 'unanswered' }]
      if (!file) return [{ kind: 'refused', error: { code: 'ERR_FILE_REQUIRED', params: {} } }]
      const form = new FormData()
      form.set('command', command)
      form.set('file', file, entry.file.name)
      body = form
    }
    const asked = await this.#ask('/commands', body, entry.file ? uploadTimeoutMs : answerTimeoutMs, entry.id)
    return [asked.verdict]
  }

  async #postTogether(entries: readonly Entry[]): Promise<Verdict[]> {
    const commands = entries.map((entry) => ({
      id: entry.id,
      name: entry.name,
      input: entry.input,
      lane: laneOf(entry),
    }))
    const {
      verdict: whole,
      status,
      body,
    } = await this.#ask('/commands/batch', JSON.stringify({ commands }), answerTimeoutMs)
    const results = status === 200 ? (body as { results?: unknown } | null)?.results : undefined
    if (Array.isArray(results) && results.length === entries.length)
      return (results as ({ status?: unknown } | null)[]).map((one) => verdict(Number(one?.status), one))
    // Nothing that is said of the request is said of a command in it. A server that does not take it gets them singly.
    if (status >= 400 && status < 500 && whole.kind === 'refused') this.#together = false
    return entries.map(() => (whole.kind === 'unanswered' ? whole : { kind: 'unanswered' as const }))
  }

  /** @returns status 0 where nobody answered */
  async #ask(
    path: string,
    body: BodyInit,
    answerWithinMs: number,
    entryId = '',
  ): Promise<{ verdict: Verdict; status: number; body: unknown }> {
    const nothing = { verdict: { kind: 'unanswered' as const }, status: 0, body: null }
    const called = new AbortController()
    if (body instanceof FormData) this.#uploads.set(entryId, called)
    try {
      for (const refresh of [false, true]) {
        const token = await this.deps.token(refresh)
        if (token === null) return nothing
        const url = `${this.deps.baseUrl}${path}`
        const headers = {
          authorization: `Bearer ${token}`,
          ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        }
        const signal = AbortSignal.any([this.#stop.signal, called.signal, AbortSignal.timeout(answerWithinMs)])
        const response = await (body instanceof FormData && this.deps.upload
          ? this.deps.upload(url, { headers, body, signal }, (part) =>
              this.#set({ type: 'uploaded', id: entryId, part }),
            )
          : this.deps.fetch(url, { method: 'POST', headers, body, signal }))
        const wait = retryAfterMs(response.headers.get('retry-after'), Date.now())
        const said: unknown = await response.json().catch(() => null)
        const answer = verdict(response.status, said, wait)
        if (answer.kind !== 'unauthorised') return { verdict: answer, status: response.status, body: said }
      }
      return nothing
    } catch {
      return nothing
    } finally {
      if (this.#uploads.get(entryId) === called) this.#uploads.delete(entryId)
    }
  }

  /** What happens together is told once. */
  #set(...events: readonly OutboxEvent[]): void {
    const next = events.reduce(reduce, this.#entries)
    if (next === this.#entries) return
    this.#entries = next
    for (const event of events) if (event.type === 'gone') this.#files.delete(event.id)
    this.deps.changed(next)
  }

  /** What a full disk does not take is sent again after a reload, under its key, and those behind it go on now. */
  async #save(ids: readonly string[]): Promise<void> {
    const entries = this.#entries.filter((entry) => ids.includes(entry.id))
    if (entries.length > 0) await this.deps.storage.put(entries).catch(() => undefined)
  }
}
