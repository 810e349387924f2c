import {
  type Entry,
  isSilent,
  type OutboxEvent,
  reduce,
  replacedBy,
  restored,
  retryAfterMs,
  retryDelay,
  sendable,
  verdict,
} from './outbox.state.ts'
import type { OutboxStorage } from './outbox.dexie.ts'
import type { Fetch } from './wire.ts'

export interface SenderDeps {
  baseUrl: string
  storage: OutboxStorage
  fetch: Fetch
  token(refresh: boolean): Promise<string | null>
  /** Told after every change of the entries. */
  changed(entries: readonly Entry[]): void
  /** The server has taken a command: its rows are on their way. */
  accepted(): void
  /** A command was refused or discarded: what it showed is to be taken back. */
  withdrawn(id: string): void
}

/** At most so many commands are on their way at once, each of another ticket. */
const parallel = 4
const answerTimeoutMs = 30_000
const uploadTimeoutMs = 10 * 60_000

/** Keeps the outbox and sends what is in it, in order. Exactly one runs for each user, in the leader's worker. */
export class Sender {
  #entries: readonly Entry[] = []
  /** Entries that a tab has announced and not yet stored; they are shown and not sent. */
  readonly #unstored = new Set<string>()
  /** Entries that were taken out and are, or soon will be, in the storage: they are not to come back from there. */
  readonly #unwanted = new Set<string>()
  /** Entries about which the local rows have not been asked. */
  readonly #unjudged = new Set<string>()
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

  /** A tab has stored an entry; one that is news to us was announced to the worker before us. */
  async stored(id: string): Promise<void> {
    if (this.#unstored.delete(id)) this.kick()
    else if (this.#unwanted.delete(id)) await this.deps.storage.remove(id)
    else if (!this.#entries.some((e) => e.id === id)) this.load((await this.deps.storage.load()).map(restored))
  }

  /** The local rows have nothing against it. */
  judged(id: string): void {
    if (this.#unjudged.delete(id)) this.kick()
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
    await this.#save(id)
    this.kick()
  }

  /** Takes an entry out: discarded, or refused before it was sent. */
  async remove(id: string): Promise<void> {
    if (this.#unstored.has(id)) this.#unwanted.add(id)
    this.giveUp(id)
    await this.deps.storage.remove(id)
    this.kick()
  }

  /** Takes out what no tab has come to store; if one does after all, it is back. */
  giveUp(id: string): void {
    this.#unstored.delete(id)
    this.#unjudged.delete(id)
    this.#set({ type: 'gone', id })
  }

  /** The rows of an accepted entry have come: they show it from now on, and it is forgotten when they are `kept`. */
  confirmed(id: string, kept: Promise<void>): void {
    this.#unwanted.add(id)
    this.#set({ type: 'gone', id })
    void kept
      .then(() => this.deps.storage.remove(id))
      .then(() => this.#unwanted.delete(id))
      .catch(() => undefined)
    this.kick()
  }

  /** Looks for work now; `eager` also for what waits after a failed attempt, because the network is back. */
  kick(eager = false): void {
    if (this.#stop.signal.aborted) return
    clearTimeout(this.#timer)
    const now = performance.now()
    const entries = this.#entries
      .filter((e) => !this.#unstored.has(e.id) && !this.#unjudged.has(e.id))
      .map((e) => (eager ? { ...e, notBefore: 0 } : e))
    const { send, lookAgainAt } = sendable(entries, now, parallel)
    for (const entry of send) void this.#send(entry)
    if (lookAgainAt !== null) this.#timer = setTimeout(() => this.kick(), Math.max(10, lookAgainAt - now))
  }

  close(): void {
    this.#stop.abort()
    clearTimeout(this.#timer)
  }

  async #send(entry: Entry): Promise<void> {
    this.#set({ type: 'sending', id: entry.id })
    const answer = await this.#post(entry)
    if (this.#stop.signal.aborted) return
    // The attempt and its outcome are written in one: a crash before leads to the same command again, which is harmless.
    if (answer.kind === 'accepted') {
      const { txid, tables } = answer
      this.#set({ type: 'accepted', id: entry.id, txid, tables, now: Date.now() })
      await this.#save(entry.id)
      this.deps.accepted()
    } else if (answer.kind === 'refused') {
      if (isSilent(entry)) await this.remove(entry.id).catch(() => undefined)
      else {
        this.#set({ type: 'refused', id: entry.id, error: answer.error })
        await this.#save(entry.id)
      }
      this.deps.withdrawn(entry.id)
    } else {
      const attempts = this.#entries.find((e) => e.id === entry.id)?.attempts ?? 1
      const wait = Math.max('waitMs' in answer ? (answer.waitMs ?? 0) : 0, retryDelay(attempts, Math.random()))
      this.#set({ type: 'unanswered', id: entry.id, notBefore: performance.now() + wait })
    }
    this.kick()
  }

  async #post(entry: Entry): Promise<ReturnType<typeof verdict>> {
    try {
      const command = JSON.stringify({ id: entry.id, name: entry.name, input: entry.input })
      let body: BodyInit = command
      if (entry.file) {
        const file = await this.deps.storage.file(entry.id)
        if (!file) return { kind: 'refused', error: { code: 'ERR_FILE_REQUIRED', params: {} } }
        const form = new FormData()
        form.set('command', command)
        form.set('file', file, entry.file.name)
        body = form
      }
      for (const refresh of [false, true]) {
        const token = await this.deps.token(refresh)
        if (token === null) return { kind: 'unanswered' }
        const response = await this.deps.fetch(`${this.deps.baseUrl}/commands`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, ...(entry.file ? {} : { 'content-type': 'application/json' }) },
          body,
          signal: AbortSignal.any([
            this.#stop.signal,
            AbortSignal.timeout(entry.file ? uploadTimeoutMs : answerTimeoutMs),
          ]),
        })
        const wait = retryAfterMs(response.headers.get('retry-after'), Date.now())
        const answer = verdict(response.status, await response.json().catch(() => null), wait)
        if (answer.kind !== 'unauthorised') return answer
      }
      return { kind: 'unanswered' }
    } catch {
      return { kind: 'unanswered' }
    }
  }

  #set(event: OutboxEvent): void {
    const next = reduce(this.#entries, event)
    if (next === this.#entries) return
    this.#entries = next
    this.deps.changed(next)
  }

  /** What a full disk does not take is sent again after a reload, under its key, and those behind it go on now. */
  async #save(id: string): Promise<void> {
    const entry = this.#entries.find((e) => e.id === id)
    if (entry) await this.deps.storage.put(entry).catch(() => undefined)
  }
}
