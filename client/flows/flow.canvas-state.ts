import type { NodeChange } from '@xyflow/react'
import type { FlowNode } from '../../schema/flows/flows.graph.ts'
import type { DraftStore } from './flow.store.ts'

/** What of the canvas is nobody else's: what is selected, and where nodes are while they are dragged. */
export interface CanvasView {
  selected: ReadonlySet<string>
  /** `source port` of a line. */
  line: string | null
  dragged: ReadonlyMap<string, { x: number; y: number }>
  /** Whose fields are open beside the canvas. */
  open: string | null
  /** The line under the pointer. */
  under: string | null
  /** For what the next block is being chosen. */
  choosing: Choosing | null
  /** Blocks that were made here and not left since: what they lack is not held against them yet. */
  fresh: ReadonlySet<string>
}

/** A way out that is to lead to a block which is not there yet. */
export interface Choosing {
  source: string
  port: string
  /** Where the block goes, on the drawing; null: beside the one it is come from. */
  place: { x: number; y: number } | null
  /** Where the choice opens, on the screen. */
  at: { x: number; y: number }
}

const none: ReadonlySet<string> = new Set()
const still: CanvasView['dragged'] = new Map()

export class CanvasState {
  #view: CanvasView = {
    selected: none,
    line: null,
    dragged: still,
    open: null,
    under: null,
    choosing: null,
    fresh: none,
  }
  readonly #listeners = new Set<() => void>()
  constructor(private readonly draft: DraftStore) {}

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  view = (): CanvasView => this.#view

  #set(next: Partial<CanvasView>): void {
    const before = this.#view
    this.#view = { ...before, ...next }
    const { fresh, open, selected } = this.#view
    const left = [...fresh].filter(
      (id) => id !== open && (before.open === id || (before.selected.has(id) && !selected.has(id))),
    )
    if (left.length > 0) this.#view.fresh = fresh.difference(new Set(left))
    for (const listener of this.#listeners) listener()
  }

  select = (ids: Iterable<string>): void => this.#set({ selected: new Set(ids), line: null })
  selectLine = (line: string | null): void => this.#set({ line, selected: none })
  /** Where the pointer is: over that line, or over none. */
  over = (line: string | null): void => {
    if (line !== this.#view.under) this.#set({ under: line })
  }
  choose = (choosing: Choosing | null): void => this.#set({ choosing })
  made = (id: string): void => this.#set({ fresh: new Set([...this.#view.fresh, id]) })
  /** All that was made counts as left: whoever publishes is told everything. */
  leaveAll = (): void => {
    if (this.#view.fresh.size > 0) this.#set({ fresh: none })
  }
  open = (id: string | null): void => {
    if (id === this.#view.open) return
    this.draft.endGesture()
    this.#set({ open: id })
  }

  /** What the canvas says of its nodes. A drag is kept when it ends; a step of an arrow key is one at once. */
  changed = (changes: readonly NodeChange[]): void => {
    const { nodes } = this.draft.view()
    let { selected, dragged, open } = this.#view
    const dropped: FlowNode[] = []
    let byKey = true
    for (const change of changes) {
      if (change.type === 'select') {
        if (selected === this.#view.selected) selected = new Set(selected)
        if (change.selected) (selected as Set<string>).add(change.id)
        else (selected as Set<string>).delete(change.id)
      } else if (change.type === 'position' && change.position) {
        const { x, y } = change.position
        if (change.dragging) {
          if (dragged === this.#view.dragged) dragged = new Map(dragged)
          ;(dragged as Map<string, { x: number; y: number }>).set(change.id, { x, y })
          continue
        }
        const node = nodes.get(change.id)
        if (dragged.has(change.id)) byKey = false
        if (node) dropped.push({ ...node, x: Math.round(x), y: Math.round(y) } as FlowNode)
      } else if (change.type === 'position' && change.dragging === false && dragged.has(change.id)) {
        const node = nodes.get(change.id)
        const last = dragged.get(change.id)!
        byKey = false
        if (node) dropped.push({ ...node, x: Math.round(last.x), y: Math.round(last.y) } as FlowNode)
      }
    }
    if (dropped.length > 0) {
      this.draft.edit(dropped, byKey ? 'arrows' : null)
      dragged = still
    }
    if (selected !== this.#view.selected && open !== null && selected.size === 1) open = [...selected][0]!
    const { line } = selected === this.#view.selected ? this.#view : { line: null }
    this.#set({ selected, dragged, open, line })
  }
}
