import { useLingui } from '@lingui/react/macro'
import {
  Background,
  BackgroundVariant,
  BaseEdge,
  type Connection,
  Controls,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  type FinalConnectionState,
  getBezierPath,
  getViewportForBounds,
  MarkerType,
  MiniMap,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react'
import { Plus, X } from 'lucide-react'
import { memo, use, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import '@xyflow/react/dist/base.css'
import { edgesOf, type FlowNode } from '../../schema/flows/flows.graph.ts'
import { type Line, lineKey, linesOf } from '../../schema/flows/flows.lines.ts'
import { useTheme } from '../base/theme.ts'
import { cn } from '../ui/cn.ts'
import { Card, CardActionsContext, READABLE_ZOOM, type CardData, type CardNode, pointsOf } from './flow.card.tsx'
import { EditorContext, useEditor } from './flow.editor.tsx'
import { NextBlock } from './flow.panels.tsx'
import { HEAD_HEIGHT, layoutOf } from './flow.size.ts'
import { nodeWords } from './flow.words.ts'
import './flow.css'

const nodeTypes = { card: Card }
const edgeTypes = { way: memo(Way) }
/** So far one goes away from it: three hundred blocks that somebody put in one row are all in sight. */
const MIN_ZOOM = 0.01
/** The corners of a line are this round, and it runs as planned while its ends are no further off (pixels). */
const CORNER = 10
const NEAR = 10
/** The buttons of a line stay this long after the pointer left it: one comes to them (ms). */
const STAY_MS = 400
const fitOptions = { padding: 0.15, maxZoom: 1 }
const snapGrid: [number, number] = [16, 16]
const multiKeys = ['Shift', 'Meta', 'Control']
const marker = { type: MarkerType.ArrowClosed, width: 16, height: 16 }

type WayEdge = Edge<{ lit: boolean; line: Line | undefined; isUnder: boolean }, 'way'>

/** What a card was made of, and the card. */
interface Shown extends Pick<CardData, 'node' | 'text' | 'problem' | 'count' | 'lit'> {
  place: { x: number; y: number } | undefined
  isSelected: boolean
  isStop: boolean
  locale: string
  card: CardNode
}

/**
 * The cards, each the same object as long as it shows the same.
 * @param stop the one that the keyboard comes to; the first, where it is none of them
 */
function useCards(stop: string | null): CardNode[] {
  const { problems, counts, path, textOf, canvas, draft } = useEditor()
  const { graph } = useSyncExternalStore(draft.subscribe, draft.view)
  const { selected, dragged } = useSyncExternalStore(canvas.subscribe, canvas.view)
  const { i18n } = useLingui()
  const { locale } = i18n
  const last = useRef<{
    basis: readonly unknown[]
    dragged: typeof dragged
    shown: Map<string, Shown>
    places: Map<string, number>
    cards: CardNode[]
  }>(undefined)
  return useMemo(() => {
    const basis = [graph, selected, problems, counts, path, textOf, locale, stop]
    const before = last.current
    if (before?.basis.every((value, index) => value === basis[index])) {
      // A frame of a drag: only what is dragged is looked at, among hundreds.
      const cards = [...before.cards]
      for (const id of new Set([...before.dragged.keys(), ...dragged.keys()])) {
        const at = before.places.get(id)
        if (at !== undefined) cards[at] = show(before.shown, graph.nodes[at]!, before.shown.get(id)!.isStop)
      }
      last.current = { ...before, dragged, cards }
      return cards
    }
    const at = stop !== null && graph.nodes.some(({ id }) => id === stop) ? stop : graph.nodes[0]?.id
    const shown = new Map(before?.shown)
    const cards = graph.nodes.map((node) => show(shown, node, node.id === at))
    const places = new Map(graph.nodes.map(({ id }, index) => [id, index]))
    for (const id of shown.keys()) if (!places.has(id)) shown.delete(id)
    last.current = { basis, dragged, shown, places, cards }
    return cards
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [graph, selected, dragged, problems, counts, path, textOf, locale, stop])

  /** The card of a node, made anew only where it shows something else. */
  function show(shown: Map<string, Shown>, node: FlowNode, isStop: boolean): CardNode {
    const made = {
      node,
      text: textOf(node),
      place: dragged.get(node.id),
      count: counts?.[node.id] ?? null,
      problem: problems.worst.get(node.id) ?? null,
      lit: path?.at === node.id ? 'here' : path?.gone.has(node.id) ? 'gone' : null,
      isSelected: selected.has(node.id),
      isStop,
      locale,
    } satisfies Omit<Shown, 'card'>
    const before = shown.get(node.id)
    if (before && !differs(before, made)) return before.card
    const card = cardOf(made)
    shown.set(node.id, { ...made, card })
    return card
  }

  function cardOf({ node, text, place, problem, count, lit, isSelected, isStop }: Omit<Shown, 'card'>): CardNode {
    const layout = layoutOf(node, text)
    return {
      id: node.id,
      type: 'card',
      position: place ?? { x: node.x, y: node.y },
      width: layout.width,
      height: layout.height,
      measured: { width: layout.width, height: layout.height },
      handles: pointsOf(node, layout),
      data: { node, text, problem, count, lit, layout },
      selected: isSelected,
      dragging: place !== undefined,
      deletable: false,
      ...(!isStop && { focusable: false }),
      ariaLabel: `${i18n._(nodeWords[node.type].name)}: ${text}`,
    }
  }
}

function differs(one: Omit<Shown, 'card'>, other: Omit<Shown, 'card'>): boolean {
  return (
    one.node !== other.node ||
    one.text !== other.text ||
    one.place !== other.place ||
    one.problem !== other.problem ||
    one.lit !== other.lit ||
    one.isSelected !== other.isSelected ||
    one.isStop !== other.isStop ||
    one.locale !== other.locale ||
    one.count?.reached !== other.count?.reached ||
    one.count?.left !== other.count?.left ||
    one.count?.waiting !== other.count?.waiting
  )
}

/** How the lines run while nothing is dragged. Thought out anew only when a card stands elsewhere, or has grown. */
function useRoutes(): ReadonlyMap<string, Line> {
  const { draft, textOf } = useEditor()
  const { graph } = useSyncExternalStore(draft.subscribe, draft.view)
  const last = useRef<{ key: string; lines: Map<string, Line> }>(undefined)
  return useMemo(() => {
    const layouts = new Map(graph.nodes.map((node) => [node.id, { node, layout: layoutOf(node, textOf(node)) }]))
    const key = [
      ...[...layouts].map(([id, { node, layout }]) => `${id} ${node.x} ${node.y} ${layout.height}`),
      ...edgesOf(graph).map(({ source, port, target }) => `${source} ${port} ${target}`),
    ].join()
    if (last.current?.key === key) return last.current.lines
    const before = last.current?.lines
    const lines = linesOf(
      graph,
      (id) => {
        const { node, layout } = layouts.get(id)!
        return { x: node.x, y: node.y, width: layout.width, height: layout.height }
      },
      (id, port) => layouts.get(id)!.layout.ports.find((other) => other.id === port)?.y ?? 0,
      HEAD_HEIGHT / 2,
    )
    // A line that runs as before is the same object: nothing is drawn for it.
    for (const [id, line] of lines) {
      const known = before?.get(id)
      if (known && JSON.stringify(known) === JSON.stringify(line)) lines.set(id, known)
    }
    last.current = { key, lines }
    return lines
  }, [graph, textOf])
}

/** The lines; those of the same ways are the same objects. */
function useLines(): WayEdge[] {
  const { canvas, draft, path } = useEditor()
  const { graph } = useSyncExternalStore(draft.subscribe, draft.view)
  const { line: chosen, under } = useSyncExternalStore(canvas.subscribe, canvas.view)
  const routes = useRoutes()
  const known = useRef(new Map<string, WayEdge>())
  return useMemo(() => {
    const next = new Map<string, WayEdge>()
    const lines = edgesOf(graph).map(({ source, port, target }) => {
      const id = lineKey(source, port)
      const lit = path?.ways.has(`${id} ${target}`) === true
      const data = { lit, line: routes.get(id), isUnder: under === id }
      const before = known.current.get(id)
      const isSame =
        before?.target === target &&
        before.selected === (chosen === id) &&
        before.data?.lit === lit &&
        before.data.line === data.line &&
        before.data.isUnder === data.isUnder
      const edge = isSame ? before : wayOf({ source, port, target }, chosen === id, data)
      next.set(id, edge)
      return edge
    })
    known.current = next
    return lines
  }, [graph, chosen, under, path, routes])
}

const wayOf = (
  { source, port, target }: { source: string; port: string; target: string },
  selected: boolean,
  data: WayEdge['data'] & {},
): WayEdge => ({
  id: lineKey(source, port),
  type: 'way',
  source,
  sourceHandle: port,
  target,
  targetHandle: 'in',
  selected,
  data,
  className: data.lit ? 'flow-way-lit' : '',
  markerEnd: marker,
  zIndex: selected || data.lit || data.isUnder ? 1 : 0,
})

/** The line as it was thought out, or a curve while one of its ends is on its way elsewhere; and its middle. */
function drawn({ data, ...ends }: EdgeProps<WayEdge>): [path: string, x: number, y: number] {
  const { sourceX, sourceY, targetX, targetY } = ends
  const isNear = (a: { x: number; y: number }, x: number, y: number) =>
    Math.abs(a.x - x) < NEAR && Math.abs(a.y - y) < NEAR
  const { line } = data ?? {}
  if (!line || line.turns.length === 0 || !isNear(line.from, sourceX, sourceY) || !isNear(line.to, targetX, targetY)) {
    const [path, x, y] = getBezierPath(ends)
    return [path, x, y]
  }
  const points = [{ x: sourceX, y: sourceY }, ...line.turns, { x: targetX, y: targetY }]
  // Its ends are where the cards say; only what lies between was thought out.
  points[1] = { ...points[1]!, y: sourceY }
  points[4] = { ...points[4]!, y: targetY }
  let path = `M${sourceX},${sourceY}`
  for (let i = 1; i < points.length - 1; i++) {
    const [before, at, after] = [points[i - 1]!, points[i]!, points[i + 1]!]
    const inwards = Math.min(CORNER, Math.hypot(at.x - before.x, at.y - before.y) / 2)
    const outwards = Math.min(CORNER, Math.hypot(after.x - at.x, after.y - at.y) / 2)
    const from = towards(at, before, inwards)
    const to = towards(at, after, outwards)
    path += `L${from.x},${from.y}Q${at.x},${at.y} ${to.x},${to.y}`
  }
  const [, , left, right] = points
  return [`${path}L${targetX},${targetY}`, (left!.x + right!.x) / 2, left!.y]
}

function towards(from: { x: number; y: number }, to: { x: number; y: number }, far: number) {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  if (length === 0) return from
  return { x: from.x + ((to.x - from.x) / length) * far, y: from.y + ((to.y - from.y) / length) * far }
}

function Way(props: EdgeProps<WayEdge>) {
  const { t } = useLingui()
  const { removeLine, canvas } = use(EditorContext)!
  const [path, x, y] = drawn(props)
  const isShown = props.selected === true || props.data?.isUnder === true
  const buttonClasses =
    'focus-ring flex size-6 items-center justify-center rounded-full border bg-card text-muted-foreground shadow-overlay touch:size-9 [&_svg]:size-3.5'
  return (
    <>
      <BaseEdge path={path} markerEnd={props.markerEnd} interactionWidth={20} />
      {isShown && (
        <EdgeLabelRenderer>
          <div
            className="nodrag nopan pointer-events-auto absolute z-10 flex gap-1"
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
            onPointerEnter={() => stay(() => canvas.over(props.id))}
            onPointerLeave={() => leave(() => canvas.over(null))}
          >
            <button
              type="button"
              aria-label={t`Pôr um bloco nesta ligação`}
              title={t`Pôr um bloco aqui`}
              onClick={(event) => {
                const { right, top } = event.currentTarget.getBoundingClientRect()
                canvas.choose({
                  source: props.source,
                  port: props.sourceHandleId ?? 'a',
                  place: null,
                  at: { x: right, y: top },
                })
              }}
              className={cn(buttonClasses, 'hover:border-primary hover:text-primary')}
            >
              <Plus aria-hidden="true" />
            </button>
            <button
              type="button"
              aria-label={t`Excluir ligação`}
              title={t`Excluir ligação`}
              onClick={() => {
                canvas.over(null)
                removeLine(props.id)
              }}
              className={cn(buttonClasses, 'hover:text-destructive-soft-foreground')}
            >
              <X aria-hidden="true" />
            </button>
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  )
}

let leaving: ReturnType<typeof setTimeout> | undefined
/** The pointer is on a line, or on its buttons. */
function stay(announce: () => void): void {
  clearTimeout(leaving)
  announce()
}
/** It left: perhaps on its way from the line to the buttons. */
function leave(announce: () => void): void {
  clearTimeout(leaving)
  leaving = setTimeout(announce, STAY_MS)
}

/** The flow as cards and lines. */
export function FlowCanvas({ snap, map }: { snap: boolean; map: boolean }) {
  const { t } = useLingui()
  const theme = useTheme()
  const editor = useEditor()
  const { canvas, draft, connect, actions } = editor
  const lines = useLines()
  const flow = useReactFlow()
  const area = useRef<HTMLDivElement>(null)
  // Which card the keyboard comes to: one stop, however many there are.
  const [stop, setStop] = useState<string | null>(null)
  const cards = useCards(stop)

  const onConnect = useCallback(
    ({ source, sourceHandle, target }: Connection) => connect(source, sourceHandle ?? 'a', target),
    [connect],
  )
  const isValid = useCallback(
    ({ source, target }: Connection | WayEdge) => {
      const { nodes } = draft.view()
      const to = nodes.get(target)
      return source !== target && to !== undefined && to.type !== 'start' && to.type !== 'comment'
    },
    [draft],
  )
  /** A line that ends on the empty canvas asks what comes there. */
  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, { fromHandle, toNode }: FinalConnectionState) => {
      if (!fromHandle || fromHandle.type !== 'source' || toNode) return
      const point = 'changedTouches' in event ? event.changedTouches[0] : event
      if (!point) return
      const at = { x: point.clientX, y: point.clientY }
      // On a card, at its own point, or outside of the drawing nothing was meant.
      if (!document.elementFromPoint(at.x, at.y)?.closest('.react-flow__pane')) return
      canvas.choose({
        source: fromHandle.nodeId,
        port: fromHandle.id ?? 'a',
        place: flow.screenToFlowPosition(at),
        at,
      })
    },
    [canvas, flow],
  )
  const focus = useCallback((id: string) => {
    setStop(id)
    // Once more after the next frame: xyflow takes the keyboard from a card that Escape was pressed on.
    const give = () =>
      area.current
        ?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
        ?.focus({ preventScroll: true })
    requestAnimationFrame(() => {
      give()
      requestAnimationFrame(give)
    })
  }, [])
  // One object as long as the words are the same: another one makes xyflow tell all cards and lines at every frame.
  const labels = useMemo(
    () => ({
      'node.a11yDescription.default': t`Enter seleciona o bloco; as setas o movem; Enter de novo o edita.`,
      'node.a11yDescription.keyboardDisabled': t`Enter seleciona o bloco.`,
      'node.a11yDescription.ariaLiveMessage': ({ x, y }: { x: number; y: number }) =>
        t`Bloco movido para ${Math.round(x)}, ${Math.round(y)}`,
      'edge.a11yDescription.default': t`Ligação`,
      'controls.ariaLabel': t`Zoom`,
      'controls.zoomIn.ariaLabel': t`Aproximar`,
      'controls.zoomOut.ariaLabel': t`Afastar`,
      'controls.fitView.ariaLabel': t`Ver tudo`,
      'controls.interactive.ariaLabel': t`Travar`,
      'minimap.ariaLabel': t`Mapa do fluxo`,
      'handle.ariaLabel': t`Ponto de ligação`,
    }),
    [t],
  )

  return (
    <CardActionsContext value={actions}>
      <ReactFlow<CardNode, WayEdge>
        ref={area}
        nodes={cards}
        edges={lines}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={canvas.changed}
        onConnect={onConnect}
        onConnectEnd={onConnectEnd}
        isValidConnection={isValid}
        onEdgeClick={(_event, edge) => canvas.selectLine(edge.id)}
        onEdgeMouseEnter={(_event, edge) => stay(() => canvas.over(edge.id))}
        onEdgeMouseLeave={() => leave(() => canvas.over(null))}
        onNodeClick={(_event, node) => focus(node.id)}
        onNodeDoubleClick={(_event, node) => canvas.open(node.id)}
        onPaneClick={() => canvas.selectLine(null)}
        colorMode={theme}
        fitViewOptions={fitOptions}
        minZoom={MIN_ZOOM}
        maxZoom={2}
        snapToGrid={snap}
        snapGrid={snapGrid}
        deleteKeyCode={null}
        multiSelectionKeyCode={multiKeys}
        zoomOnDoubleClick={false}
        edgesFocusable={false}
        onlyRenderVisibleElements
        elevateNodesOnSelect={false}
        connectionRadius={36}
        proOptions={attribution}
        aria-label={t`Desenho do fluxo`}
        ariaLabelConfig={labels}
        onInit={() => {
          editor.setSight({ centre, focus, middle, all: () => void flow.fitView({ ...fitOptions, duration: 250 }) })
          // Whoever was led to a block sees that first.
          const [chosen] = canvas.view().selected
          if (chosen !== undefined) centre(chosen)
          else showBeginning()
        }}
      >
        <Background variant={BackgroundVariant.Dots} gap={16} size={1} />
        <Controls showInteractive={false} position="bottom-right" />
        {map && <MiniMap pannable zoomable position="bottom-right" className="flow-map" nodeStrokeWidth={0} />}
      </ReactFlow>
      <NextBlock />
    </CardActionsContext>
  )

  /** All of it, or, where that could not be read, its beginning. */
  function showBeginning() {
    const { graph } = draft.view()
    const first = graph.nodes.find(({ type }) => type === 'start') ?? graph.nodes[0]
    const { clientWidth = 0, clientHeight = 0 } = area.current ?? {}
    if (!first || clientWidth === 0) return
    // The sizes are known without drawing: what xyflow measures comes later.
    const places = graph.nodes.map((node) => ({ ...layoutOf(node, editor.textOf(node)), x: node.x, y: node.y }))
    const x = Math.min(...places.map((place) => place.x))
    const y = Math.min(...places.map((place) => place.y))
    const width = Math.max(...places.map((place) => place.x + place.width)) - x
    const height = Math.max(...places.map((place) => place.y + place.height)) - y
    const { padding, maxZoom } = fitOptions
    const whole = getViewportForBounds({ x, y, width, height }, clientWidth, clientHeight, MIN_ZOOM, maxZoom, padding)
    const zoom = 0.8
    void flow.setViewport(
      whole.zoom >= READABLE_ZOOM ? whole : { x: 40 - first.x * zoom, y: clientHeight / 2 - first.y * zoom, zoom },
    )
  }

  function middle() {
    const { left = 0, top = 0, width = 0, height = 0 } = area.current?.getBoundingClientRect() ?? {}
    return flow.screenToFlowPosition({ x: left + width / 2, y: top + height / 2 }, { snapToGrid: false })
  }

  function isInSight({ x, y, width, height }: { x: number; y: number; width: number; height: number }): boolean {
    const view = flow.getViewport()
    const left = x * view.zoom + view.x
    const top = y * view.zoom + view.y
    const right = left + width * view.zoom
    const bottom = top + height * view.zoom
    const { clientWidth = 0, clientHeight = 0 } = area.current ?? {}
    return left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight
  }

  function centre(id: string, onlyHidden = false) {
    const node = draft.view().nodes.get(id)
    if (!node) return
    const { width, height } = layoutOf(node, editor.textOf(node))
    if (onlyHidden && isInSight({ x: node.x, y: node.y, width, height })) return
    void flow.setCenter(node.x + width / 2, node.y + height / 2, { zoom: Math.max(0.8, flow.getZoom()), duration: 250 })
  }
}

const attribution = { hideAttribution: true }
