import { revOf } from '../../schema/flows/flows.commands.ts'
import { MOST_OPERATIONS, type FlowOperation } from '../../schema/flows/flows.edits.inputs.ts'
import type { FlowGraph, FlowNode } from '../../schema/flows/flows.graph.ts'
import { contentOf, nodeOf, sameContent } from '../../schema/flows/flows.rows.ts'
import type { DraftRow } from './flows.rows.ts'

/** The draft is kept this long after the last change, ms. */
const AUTOSAVE_MS = 800
/** Changes of the same kind that follow each other within this are one step back, ms. */
const TOGETHER_MS = 1_000
/** What was sent covers the rows until they say the same, at the longest this long, ms. */
const COVER_MS = 2_000
const MOST_STEPS_BACK = 100

/** One change of one node; null: the node is not there. */
interface Change {
  id: string
  before: FlowNode | null
  after: FlowNode | null
}
interface Gesture {
  changes: Change[]
  /** Changes under the same key join, where they follow each other closely. */
  key: string | null
  at: number
}

/** What was done here and not sent yet. */
interface Local {
  node: FlowNode | null
  /** The `rev` that was seen; null: the one that what is on its way will have. */
  base: number | null
  /** What it says has changed, where it stands, or both. */
  content: boolean
  place: boolean
}
/** What was sent, until the rows show it. */
interface Cover {
  node: FlowNode | null
  rev: number
  content: boolean
  place: boolean
  until: number
}

export interface DraftView {
  graph: FlowGraph
  nodes: ReadonlyMap<string, FlowNode>
  /** Whether the rows have come. */
  ready: boolean
  saving: 'saved' | 'pending' | 'sending'
  canUndo: boolean
  canRedo: boolean
}

export interface DraftDeps {
  /** Hands operations to the outbox; answers the command's id. */
  send(operations: FlowOperation[]): Promise<string>
  /** Something was not kept. */
  failed(error: unknown): void
  /** A step back or forth left nodes alone that a colleague has changed since. */
  skipped(count: number): void
  now(): number
}

/** Whether two nodes are the same in all that is kept of them. */
const same = (a: FlowNode | null, b: FlowNode | null): boolean =>
  a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y && sameContent(contentOf(a), contentOf(b)))
const samePlace = (a: FlowNode, b: FlowNode): boolean => a.x === b.x && a.y === b.y
const sameButPlace = (a: FlowNode | null, b: FlowNode | null): boolean =>
  a === b || (a !== null && b !== null && sameContent(contentOf(a), contentOf(b)))

/**
 * The draft of one flow while somebody draws it: the rows of the replica, and on top of them what was done here and is
 * not in them yet. Outside of React, so that what moves on the canvas draws nothing but itself.
 *
 * Each node is the same object as long as it says the same.
 */
export class DraftStore {
  #rows = new Map<string, DraftRow>()
  #rowNodes = new Map<string, FlowNode>()
  #covers = new Map<string, Cover>()
  #flying: Map<string, Local> | null = null
  #local = new Map<string, Local>()
  #ready = false
  #undo: Gesture[] = []
  #redo: Gesture[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #coverTimer: ReturnType<typeof setTimeout> | undefined
  #flight: Promise<void> = Promise.resolve()
  #view: DraftView
  readonly #listeners = new Set<() => void>()

  constructor(private readonly deps: DraftDeps) {
    this.#view = this.#look()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  view = (): DraftView => this.#view

  /** What the replica says now. */
  setRows(rows: readonly DraftRow[]): void {
    const before = this.#rows
    this.#rows = new Map(rows.map((row) => [row.node, row]))
    const nodes = new Map<string, FlowNode>()
    for (const row of rows) {
      const known = before.get(row.node)
      const unchanged = known && known.rev === row.rev && known.x === row.x && known.y === row.y
      const old = this.#rowNodes.get(row.node)
      nodes.set(row.node, unchanged && old ? old : nodeOf(row))
    }
    this.#rowNodes = nodes
    this.#ready = true
    this.#uncover()
    this.#changed()
  }

  /** Whether somebody here changed it, and the rows do not say so yet. */
  isOwn = (id: string): boolean => this.#local.has(id) || this.#flying?.has(id) === true || this.#covers.has(id)
  rowOf = (id: string): DraftRow | undefined => this.#rows.get(id)

  /**
   * Does something to nodes: each is put as it is given, an id alone is taken away. One step back, unless it joins the
   * one before by its key.
   */
  edit(nodes: readonly (FlowNode | { gone: string })[], key: string | null = null): void {
    const changes = nodes.flatMap((given): Change[] => {
      const id = 'gone' in given ? given.gone : given.id
      const before = this.#view.nodes.get(id) ?? null
      const after = 'gone' in given ? null : given
      return same(before, after) ? [] : [{ id, before, after }]
    })
    if (changes.length === 0) return
    this.#remember(changes, key)
    for (const { id, before, after } of changes) this.#put(id, before, after)
    this.#changed()
    this.#later()
  }

  /** What is typed from now on is a step back of its own. */
  endGesture(): void {
    const last = this.#undo.at(-1)
    if (last) last.key = null
  }

  undo(): void {
    this.#travel(this.#undo, this.#redo, ({ before, after }) => ({ from: after, to: before }))
  }
  redo(): void {
    this.#travel(this.#redo, this.#undo, ({ before, after }) => ({ from: before, to: after }))
  }

  /** Sends what is not sent. Resolves when it is kept on this machine. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#local.size > 0 || this.#flying) {
      await this.#flight
      if (this.#local.size === 0) return
      this.#flight = this.#fly()
      await this.#flight
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#coverTimer)
    void this.flush()
  }

  // ── changes ─────────────────────────────────────────────────────────────────────────────────

  #remember(changes: Change[], key: string | null): void {
    const now = this.deps.now()
    const last = this.#undo.at(-1)
    this.#redo = []
    if (key !== null && last?.key === key && now - last.at <= TOGETHER_MS) {
      for (const change of changes) {
        const known = last.changes.find(({ id }) => id === change.id)
        if (known) known.after = change.after
        else last.changes.push(change)
      }
      last.at = now
      return
    }
    this.#undo.push({ changes, key, at: now })
    if (this.#undo.length > MOST_STEPS_BACK) this.#undo.shift()
  }

  #put(id: string, before: FlowNode | null, after: FlowNode | null): void {
    const known = this.#local.get(id)
    const content = known?.content === true || !sameButPlace(before, after)
    const place = known?.place === true || (before !== null && after !== null && !samePlace(before, after))
    this.#local.set(id, { node: after, content, place, base: known ? known.base : this.#seen(id) })
  }

  /** The `rev` that an edit of this node is based on. */
  #seen(id: string): number | null {
    if (this.#flying?.get(id)) return null
    return this.#covers.get(id)?.rev ?? this.#rows.get(id)?.rev ?? 0
  }

  #travel(
    from: Gesture[],
    to: Gesture[],
    way: (change: Change) => { from: FlowNode | null; to: FlowNode | null },
  ): void {
    const gesture = from.pop()
    if (!gesture) return
    let skipped = 0
    const done: Change[] = []
    for (const change of gesture.changes.toReversed()) {
      const now = this.#view.nodes.get(change.id) ?? null
      const step = way(change)
      const moved = sameButPlace(step.from, step.to)
      // Where it stands is taken back in any case; what it says only where it is what was left here.
      if (moved ? now === null : !sameButPlace(now, step.from)) {
        skipped++
        continue
      }
      const target = step.to && now && moved ? ({ ...now, x: step.to.x, y: step.to.y } as FlowNode) : step.to
      this.#put(change.id, now, target)
      done.push(change)
    }
    if (done.length > 0) to.push({ changes: done.toReversed(), key: null, at: 0 })
    if (skipped > 0) this.deps.skipped(skipped)
    this.#changed()
    this.#later()
  }

  // ── sending ─────────────────────────────────────────────────────────────────────────────────

  #later(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), AUTOSAVE_MS)
  }

  async #fly(): Promise<void> {
    const flying = this.#local
    this.#local = new Map()
    this.#flying = flying
    this.#changed()
    const operations = [...flying].flatMap(([id, local]) => operationsOf(id, local, this.#rows.has(id)))
    const kept = new Map<string, Cover>()
    try {
      for (let i = 0; i < operations.length; i += MOST_OPERATIONS) {
        const part = operations.slice(i, i + MOST_OPERATIONS)
        const commandId = await this.deps.send(part)
        for (const { node: id, op } of part) {
          const { node, base, content, place } = flying.get(id)!
          // Of one that is changed and moved, the change comes first.
          const rev = op === 'move' ? (kept.get(id)?.rev ?? base ?? 0) : revOf(commandId, id)
          kept.set(id, { node, rev: node ? rev : 0, content, place, until: this.deps.now() + COVER_MS })
        }
      }
    } catch (error) {
      // What could not be kept is still here, and goes with the next change.
      for (const [id, local] of flying) if (!kept.has(id) && !this.#local.has(id)) this.#local.set(id, local)
      this.deps.failed(error)
    }
    this.#flying = null
    for (const [id, cover] of kept) this.#covers.set(id, cover)
    for (const [id, local] of this.#local) if (local.base === null) local.base = this.#seen(id)
    clearTimeout(this.#coverTimer)
    this.#coverTimer = setTimeout(() => {
      this.#uncover()
      this.#changed()
    }, COVER_MS + 50)
    this.#uncover()
    this.#changed()
  }

  /** Lets go of what the rows show by themselves, and of what they will not show. */
  #uncover(): void {
    for (const [id, cover] of this.#covers) {
      const row = this.#rows.get(id)
      const shown = cover.node
        ? row !== undefined &&
          (!cover.content || row.rev === cover.rev) &&
          (!cover.place || samePlace(cover.node, nodeOf(row)))
        : row === undefined
      if (shown || this.deps.now() > cover.until) this.#covers.delete(id)
    }
  }

  // ── what is seen ────────────────────────────────────────────────────────────────────────────

  #look(): DraftView {
    const nodes = new Map(this.#rowNodes)
    const lay = ([id, { node, content, place }]: [string, Pick<Local, 'node' | 'content' | 'place'>]) => {
      const below = nodes.get(id)
      if (!node) nodes.delete(id)
      else if (!below) {
        if (content) nodes.set(id, node)
      }
      // What of it is not ours may be a colleague's meanwhile.
      else nodes.set(id, at(content ? node : below, place ? node : below))
    }
    for (const each of this.#covers) lay(each)
    for (const each of this.#flying ?? []) lay(each)
    for (const each of this.#local) lay(each)
    const list = [...nodes.values()]
    const before = this.#view as DraftView | undefined
    const unchanged =
      before && before.graph.nodes.length === list.length && list.every((n, i) => n === before.graph.nodes[i])
    return {
      graph: unchanged ? before.graph : { nodes: list },
      nodes: unchanged ? before.nodes : nodes,
      ready: this.#ready,
      saving: this.#flying ? 'sending' : this.#local.size > 0 ? 'pending' : 'saved',
      canUndo: this.#undo.length > 0,
      canRedo: this.#redo.length > 0,
    }
  }

  #changed(): void {
    const next = this.#look()
    const { graph, ready, saving, canUndo, canRedo } = this.#view
    if (
      next.graph === graph &&
      next.ready === ready &&
      next.saving === saving &&
      next.canUndo === canUndo &&
      next.canRedo === canRedo
    )
      return
    this.#view = next
    for (const listener of this.#listeners) listener()
  }
}

/** A node at another's place; the same object for the same pair. */
const moved = new WeakMap<FlowNode, FlowNode>()
function at(node: FlowNode, place: FlowNode): FlowNode {
  if (samePlace(node, place)) return node
  const known = moved.get(node)
  if (known && samePlace(known, place)) return known
  const made = { ...node, x: place.x, y: place.y } as FlowNode
  moved.set(node, made)
  return made
}

/** What is sent of a change; nothing for a node that came and went meanwhile. */
function operationsOf(id: string, { node, base, content, place }: Local, isThere: boolean): FlowOperation[] {
  const rev = base ?? 0
  if (!node) return isThere || rev > 0 ? [{ op: 'remove', node: id, rev }] : []
  const { type, x, y, data, exits } = node
  const put: FlowOperation[] = content ? [{ op: 'put', node: id, rev, type, x, y, data, exits }] : []
  return place && rev > 0 ? [...put, { op: 'move', node: id, x, y }] : put
}
