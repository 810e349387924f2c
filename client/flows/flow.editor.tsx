import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { checkFlow, type FlowProblem, type KnownToFlow } from '../../schema/flows/flows.check.ts'
import {
  edgesOf,
  type FlowNode,
  newNode,
  newNodeId,
  portsOf,
  START_ID,
  variablesOf,
} from '../../schema/flows/flows.graph.ts'
import { isFlowNode, type NodeType } from '../../schema/flows/flows.inputs.ts'
import { COLUMN_GAP, layoutFlow } from '../../schema/flows/flows.layout.ts'
import { frozen, graphOf } from '../../schema/flows/flows.rows.ts'
import { useQueues, useTags, useUsers } from '../replica/directory.ts'
import { useIsCharged } from '../replica/offers.ts'
import { toastError } from '../session/failure.tsx'
import { useRows } from '../replica/live-rows.ts'
import { useReplica } from '../replica/replica.tsx'
import { bestTemplate } from '../../schema/templates/templates.state.ts'
import { useAllTemplates } from '../templates/templates.rows.ts'
import { useTypebots } from '../integrations/integrations.queries.ts'
import { usePrompts } from '../prompts/prompts.queries.ts'
import { type FlowRow, type KnownToDraft, useKnownToDraft } from './flows.queries.ts'
import { toast } from '../ui/toaster.tsx'
import { CanvasState, type Choosing } from './flow.canvas-state.ts'
import type { CardActions, CardCount } from './flow.card.tsx'
import { cardText, type Names } from './flow.card-text.ts'
import { CARD_WIDTH, HEAD_HEIGHT, layoutOf } from './flow.size.ts'
import { DraftStore } from './flow.store.ts'
import { draftRows } from './flows.rows.ts'

/** New nodes come this far right of the last one, copies this far right of the rightmost (pixels). */
const NEW_GAP = 40
const COPY_GAP = 240
const CHECK_AFTER_MS = 200
/** Free places are looked for so many steps down, this far apart (pixels). */
const STEPS_DOWN = 200
const STEP_DOWN = 40

export interface Problems {
  list: readonly FlowProblem[]
  worst: ReadonlyMap<string, 'error' | 'warning'>
  errors: number
}

/** Where the test went. */
export interface TestPath {
  gone: ReadonlySet<string>
  /** `source port target`. */
  ways: ReadonlySet<string>
  at: string | null
}

/** What whoever draws the nodes can do about what is seen of them. */
export interface Sight {
  /** Moves the drawing so that a node stands in the middle; `onlyHidden`: if it is not in sight. */
  centre(id: string, onlyHidden?: boolean): void
  /** Gives a node the keyboard. */
  focus(id: string): void
  /** The middle of what is in sight; null where things have no place. */
  middle(): { x: number; y: number } | null
  /** Shows all of it. */
  all(): void
}

export interface Editor {
  flow: FlowRow
  /** The company's other flows, for calls. */
  flows: readonly FlowRow[]
  draft: DraftStore
  canvas: CanvasState
  names: Names
  problems: Problems
  counts: Readonly<Record<string, CardCount>> | null
  setCounts(counts: Readonly<Record<string, CardCount>> | null): void
  path: TestPath | null
  setPath(path: TestPath | null): void
  /** That the flow is being tried: from which node, null for none yet; `count` rises with each wish to begin. */
  trying: { from: string | null; count: number } | null
  /** Opens the test, and begins it at that node, if one is given. */
  tryFrom(id: string | null): void
  stopTrying(): void
  textOf(node: FlowNode): string
  /** What the draft may name beside rows that are synced; undefined while it is not known. */
  known: KnownToDraft | undefined
  /** Variables that the flow fills. */
  variables: readonly string[]
  actions: CardActions
  add(type: NodeType): void
  /** Puts a block where a way out leads from now on, before what it led to until now. One step back. */
  addAfter(type: NodeType, way: Pick<Choosing, 'source' | 'port' | 'place'>): void
  connect(source: string, port: string, target: string | null): void
  removeLine(id: string): void
  removeSelected(): void
  arrange(): void
  copyText(): string | null
  paste(text: string): boolean
  /** Shows a node in the middle and opens its fields if wished. */
  show(id: string, open?: boolean): void
  /** Moves the drawing to a node that is out of sight. */
  look(id: string): void
  /** Gives a node the keyboard, wherever it is drawn. */
  focus(id: string): void
  setSight(sight: Sight): void
}

export const EditorContext = createContext<Editor | null>(null)
export const useEditor = (): Editor => use(EditorContext)!

const freshId = () => newNodeId(crypto.getRandomValues(new Uint8Array(30)))

/** What is copied, as text that any program can hold. */
interface Copied {
  balcao: 'flow'
  nodes: FlowNode[]
}

/** A flow that is being drawn, for everything beneath. */
export function EditorProvider({
  flow,
  flows,
  children,
}: {
  flow: FlowRow
  flows: readonly FlowRow[]
  children: ReactNode
}) {
  const { i18n } = useLingui()
  const replica = useReplica()
  const { byId: queues } = useQueues()
  const { byId: tags } = useTags()
  const { byId: users } = useUsers()
  const { data: prompts } = usePrompts()
  const { data: typebots } = useTypebots()
  const { data: named } = useKnownToDraft(flow.id)
  const [counts, setCounts] = useState<Editor['counts']>(null)
  const [path, setPath] = useState<TestPath | null>(null)
  const [trying, setTrying] = useState<Editor['trying']>(null)
  const sight = useRef<Sight>(noSight)

  const [{ draft, canvas }] = useState(() => {
    const store = new DraftStore({
      send: async (operations) => (await replica.mutate('flows.edit', { flowId: flow.id, operations })).id,
      failed: toastError,
      skipped: (count) => {
        toast.info(
          plural(count, {
            one: '# bloco ficou como está: outra pessoa o mudou.',
            other: '# blocos ficaram como estão: outra pessoa os mudou.',
          }),
        )
      },
      now: Date.now,
    })
    return { draft: store, canvas: new CanvasState(store) }
  })
  const { rows } = useRows(useMemo(() => draftRows(flow.id), [flow.id]))
  useEffect(() => {
    if (rows) draft.setRows(rows)
  }, [draft, rows])
  useEffect(() => {
    // A page that is left may never come back.
    const leave = () => void draft.flush()
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', leave)
      void draft.flush()
    }
  }, [draft])

  const names = useMemo<Names>(
    () => ({
      queue: (id) => queues.get(id)?.name,
      tag: (id) => tags.get(id)?.name,
      user: (id) => users.get(id)?.name,
      flow: (id) => flows.find((other) => other.id === id)?.name,
      integration: (id) => typebots?.find((other) => other.id === id)?.name,
      ...(prompts && { prompt: (id) => prompts.find((other) => other.id === id)?.name }),
    }),
    [queues, tags, users, flows, typebots, prompts],
  )
  const { locale } = i18n
  const textOf = useMemo(() => {
    const known = new WeakMap<FlowNode, string>()
    return (node: FlowNode): string => {
      let text = known.get(node)
      if (text === undefined) known.set(node, (text = cardText(node, names, i18n)))
      return text
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [names, i18n, locale])

  const { graph } = useSyncExternalStore(draft.subscribe, draft.view)
  const callable = useMemo(
    () =>
      new Set([...flows.filter((other) => other.active && other.versionId !== null).map((other) => other.id), flow.id]),
    [flows, flow.id],
  )
  const { fresh } = useSyncExternalStore(canvas.subscribe, canvas.view)
  const charged = useIsCharged()
  const templates = useAllTemplates()
  const problems = useProblems(
    graph,
    fresh,
    useMemo(
      (): KnownToFlow => ({
        self: flow.id,
        queues: new Set(queues.keys()),
        users: new Set(users.keys()),
        tags: new Set(tags.keys()),
        flows: callable,
        charged,
        ...(templates && {
          templateOf: (name, language) => bestTemplate(templates, name, language),
          withoutTemplates: named?.withoutTemplates ?? [],
        }),
        ...(prompts && { prompts: new Set(prompts.map(({ id }) => id)) }),
        ...(typebots && { typebots: new Set(typebots.map(({ id }) => id)) }),
        ...(named && {
          secrets: new Set(named.secrets),
          variables: new Set(named.variables),
          files: { has: (name) => !named.filesGone.includes(name) },
        }),
      }),
      [flow.id, queues, users, tags, callable, charged, templates, prompts, typebots, named],
    ),
  )
  const variables = useMemo(() => variablesOf(graph), [graph])

  const commands = useMemo(() => {
    const nodesNow = () => draft.view().nodes
    const sizeOf = (node: FlowNode) => layoutOf(node, textOf(node))
    const rightmost = () =>
      [...nodesNow().values()].reduce<FlowNode | null>((far, node) => (!far || node.x > far.x ? node : far), null)

    const show = (id: string, open = false) => {
      canvas.select([id])
      sight.current.centre(id)
      if (open) canvas.open(id)
    }
    const remove = (ids: readonly string[]) => {
      // The start is what a flow begins with.
      const gone = ids.filter((id) => id !== START_ID)
      draft.edit(gone.map((id) => ({ gone: id })))
      canvas.select([])
      const { open } = canvas.view()
      if (open !== null && gone.includes(open)) canvas.open(null)
    }
    const connect = (source: string, port: string, target: string | null) => {
      const node = nodesNow().get(source)
      if (!node) return
      const { [port]: _before, ...others } = node.exits
      draft.edit([{ ...node, exits: target === null ? others : { ...others, [port]: target } } as FlowNode])
    }
    const removeLine = (id: string) => {
      const [source = '', port = ''] = id.split(' ')
      connect(source, port, null)
      canvas.selectLine(null)
    }
    /** Nodes like these, with ids of their own; ways among them stay, others are cut. */
    const copies = (nodes: readonly FlowNode[], dx: number, dy: number): FlowNode[] => {
      const ids = new Map(nodes.map(({ id }) => [id, freshId()]))
      return nodes.map((node) => ({
        ...structuredClone(node),
        id: ids.get(node.id)!,
        x: Math.round(node.x + dx),
        y: Math.round(node.y + dy),
        exits: Object.fromEntries(
          Object.entries(node.exits).flatMap(([port, to]) => (ids.has(to) ? [[port, ids.get(to)!]] : [])),
        ),
      })) as FlowNode[]
    }
    /** How far down those must go to lie on no other card. */
    const freeBelow = (nodes: readonly FlowNode[]): number => {
      const ids = new Set(nodes.map(({ id }) => id))
      const others = [...nodesNow().values()].filter(({ id }) => !ids.has(id))
      const isFree = (down: number) =>
        nodes.every((node) => {
          const { width, height } = sizeOf(node)
          return others.every((other) => {
            const size = sizeOf(other)
            return (
              node.x >= other.x + size.width ||
              other.x >= node.x + width ||
              node.y + down >= other.y + size.height ||
              other.y >= node.y + down + height
            )
          })
        })
      for (let step = 0; step < STEPS_DOWN; step++) if (isFree(step * STEP_DOWN)) return step * STEP_DOWN
      return 0
    }
    const lower = (nodes: readonly FlowNode[]): FlowNode[] => {
      const down = freeBelow(nodes)
      return nodes.map((node) => ({ ...node, y: node.y + down }) as FlowNode)
    }
    const put = (nodes: readonly FlowNode[]) => {
      draft.edit(nodes)
      canvas.select(nodes.map(({ id }) => id))
    }
    const selectedNodes = () => {
      const nodes = nodesNow()
      return [...canvas.view().selected].flatMap((id) => {
        const node = nodes.get(id)
        return node && node.type !== 'start' ? [node] : []
      })
    }
    const tryFrom = (id: string | null) => setTrying((before) => ({ from: id, count: (before?.count ?? 0) + 1 }))
    return {
      show,
      look: (id: string) => sight.current.centre(id, true),
      focus: (id: string) => sight.current.focus(id),
      tryFrom,
      stopTrying: () => setTrying(null),
      add: (type: NodeType) => {
        if (type === 'start') {
          if (!nodesNow().has(START_ID)) put([newNode('start', START_ID, 0, 0)])
          return show(START_ID)
        }
        const chosen = [...canvas.view().selected].map((id) => nodesNow().get(id)).find((node) => node !== undefined)
        const last = chosen ?? rightmost()
        const x = last ? last.x + CARD_WIDTH + NEW_GAP : 0
        let y = last?.y ?? 0
        const isTaken = () =>
          [...nodesNow().values()].some((node) => Math.abs(node.x - x) < CARD_WIDTH && Math.abs(node.y - y) < 60)
        while (isTaken()) y += 80
        const node = newNode(type, freshId(), Math.round(x), Math.round(y))
        canvas.made(node.id)
        put([node])
        // Its card is drawn with the next frame.
        requestAnimationFrame(() => show(node.id, true))
      },
      addAfter: (type: NodeType, { source, port, place }: Pick<Choosing, 'source' | 'port' | 'place'>) => {
        const from = nodesNow().get(source)
        if (!from) return
        const { x, y } = place
          ? { x: place.x, y: place.y - HEAD_HEIGHT / 2 }
          : { x: from.x + CARD_WIDTH + COLUMN_GAP, y: from.y }
        const made = newNode(type, freshId(), Math.round(x), Math.round(y))
        const [node] = lower([made])
        const [on] = portsOf(made)
        const then = from.exits[port]
        const goesOn = on !== undefined && then !== undefined && nodesNow().has(then)
        canvas.made(made.id)
        draft.edit([
          { ...node!, exits: goesOn ? { [on.id]: then } : {} } as FlowNode,
          { ...from, exits: { ...from.exits, [port]: made.id } } as FlowNode,
        ])
        canvas.select([made.id])
        requestAnimationFrame(() => {
          sight.current.centre(made.id, true)
          canvas.open(made.id)
        })
      },
      connect,
      removeLine,
      removeSelected: () => {
        const { line, selected } = canvas.view()
        if (line !== null) removeLine(line)
        else remove([...selected])
      },
      arrange: () => {
        const now = draft.view().graph
        const places = layoutFlow(now, sizeOf)
        draft.edit(
          now.nodes.map((node) => {
            const place = places.get(node.id)
            return place ? ({ ...node, x: Math.round(place.x), y: Math.round(place.y) } as FlowNode) : node
          }),
        )
        requestAnimationFrame(() => sight.current.all())
      },
      copyText: () => {
        const nodes = selectedNodes()
        return nodes.length > 0 ? JSON.stringify({ balcao: 'flow', nodes } satisfies Copied) : null
      },
      paste: (text: string): boolean => {
        const nodes = nodesIn(text)
        if (!nodes || nodes.length === 0) return false
        const left = Math.min(...nodes.map(({ x }) => x))
        const top = Math.min(...nodes.map(({ y }) => y))
        const right = Math.max(...nodes.map((node) => node.x + sizeOf(node).width))
        const bottom = Math.max(...nodes.map((node) => node.y + sizeOf(node).height))
        const middle = sight.current.middle()
        const far = rightmost()
        const made = lower(
          middle
            ? copies(nodes, middle.x - (left + right) / 2, middle.y - (top + bottom) / 2)
            : copies(nodes, (far ? far.x + CARD_WIDTH + NEW_GAP : 0) - left, 0),
        )
        put(made)
        // Where the middle was taken they may lie below what is in sight.
        requestAnimationFrame(() => sight.current.centre(made[0]!.id, true))
        return true
      },
      actions: {
        open: (id) => canvas.open(id),
        duplicate: (ids) => {
          const nodes = ids.flatMap((id) => {
            const node = nodesNow().get(id)
            return node && node.type !== 'start' ? [node] : []
          })
          const far = rightmost()
          if (nodes.length === 0 || !far) return
          const left = Math.min(...nodes.map(({ x }) => x))
          const made = copies(nodes, far.x + COPY_GAP - left, 0)
          put(made)
          requestAnimationFrame(() => sight.current.centre(made[0]!.id))
        },
        remove,
        tryFrom,
        next: (source, port, at) => canvas.choose({ source, port, place: null, at }),
      } satisfies CardActions,
    }
  }, [draft, canvas, textOf])

  const setSight = useCallback((given: Sight) => {
    sight.current = given
  }, [])

  const editor = useMemo<Editor>(
    () => ({
      flow,
      flows,
      draft,
      canvas,
      names,
      problems,
      counts,
      setCounts,
      path,
      setPath,
      trying,
      textOf,
      known: named,
      variables,
      setSight,
      ...commands,
    }),
    [flow, flows, draft, canvas, names, problems, counts, path, trying, textOf, named, variables, setSight, commands],
  )
  return <EditorContext value={editor}>{children}</EditorContext>
}

const noSight: Sight = { centre: () => undefined, focus: () => undefined, middle: () => null, all: () => undefined }

/** Nodes in a text that was copied from a flow, or null. */
function nodesIn(text: string): FlowNode[] | null {
  if (!text.startsWith('{"balcao":"flow"')) return null
  try {
    const { nodes } = JSON.parse(text) as Copied
    return Array.isArray(nodes) ? nodes.filter((node) => isFlowNode(node) && node.type !== 'start') : null
  } catch {
    return null
  }
}

const noProblems: readonly FlowProblem[] = []

/** What is wrong with the flow, a moment after its last change; nothing of a block that is still being made. */
function useProblems(graph: Parameters<typeof frozen>[0], fresh: ReadonlySet<string>, known: KnownToFlow): Problems {
  const [all, setAll] = useState<readonly FlowProblem[]>(noProblems)
  useEffect(() => {
    // A way to a node that was removed is no way: it comes back with the node.
    const timer = setTimeout(() => setAll(checkFlow(graphOf(frozen(graph)), known)), CHECK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [graph, known])
  return useMemo(() => {
    const list = all.filter(({ nodeId }) => nodeId === null || !fresh.has(nodeId))
    const worst = new Map<string, 'error' | 'warning'>()
    for (const { nodeId, severity } of list)
      if (nodeId !== null && worst.get(nodeId) !== 'error') worst.set(nodeId, severity)
    return { list, worst, errors: list.filter(({ severity }) => severity === 'error').length }
  }, [all, fresh])
}

/** The nodes in the order in which a contact comes to them, each with how deep it lies; those that nobody comes to last. */
export function outlineOf(nodes: readonly FlowNode[]): { node: FlowNode; depth: number; isReached: boolean }[] {
  const graph = { nodes }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const ways = Map.groupBy(edgesOf(graph), ({ source }) => source)
  const seen = new Set<string>()
  const found: { node: FlowNode; depth: number; isReached: boolean }[] = []
  const walk = (first: FlowNode, isReached: boolean) => {
    const stack = [{ node: first, depth: 0 }]
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node, depth } = next
      if (seen.has(node.id)) continue
      seen.add(node.id)
      found.push({ node, depth, isReached })
      const order = portsOf(node).map(({ id }) => id)
      const targets = (ways.get(node.id) ?? []).toSorted((a, b) => order.indexOf(a.port) - order.indexOf(b.port))
      // Only where ways part does it go deeper: a long conversation stays readable.
      const deeper = targets.length > 1 ? depth + 1 : depth
      for (const { target } of targets.toReversed()) {
        const to = byId.get(target)
        if (to && !seen.has(target)) stack.push({ node: to, depth: deeper })
      }
    }
  }
  const start = nodes.find(({ type }) => type === 'start')
  if (start) walk(start, true)
  for (const node of nodes) if (!seen.has(node.id)) walk(node, false)
  return found
}
