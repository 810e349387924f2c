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
  getBezierPath,
  getViewportForBounds,
  MarkerType,
  MiniMap,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react'
import { X } from 'lucide-react'
import { memo, use, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import '@xyflow/react/dist/base.css'
import { edgesOf, type FlowNode } from '../../schema/flows/flows.graph.ts'
import { useTheme } from '../app/theme.ts'
import { Card, CardActionsContext, READABLE_ZOOM, type CardData, type CardNode, pointsOf } from './flow.card.tsx'
import { EditorContext, useEditor } from './flow.editor.tsx'
import { layoutOf } from './flow.size.ts'
import { nodeWords } from './flow.words.ts'
import './flow.css'

const nodeTypes = { card: Card }
const edgeTypes = { way: memo(Way) }
const MIN_ZOOM = 0.1
const fitOptions = { padding: 0.15, maxZoom: 1 }
const snapGrid: [number, number] = [16, 16]
const multiKeys = ['Shift', 'Meta', 'Control']
const marker = { type: MarkerType.ArrowClosed, width: 16, height: 16 }

type WayEdge = Edge<{ lit: boolean }, 'way'>

const lineId = (source: string, port: string) => `${source} ${port}`

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

/** The lines; those of the same ways are the same objects. */
function useLines(): WayEdge[] {
  const { canvas, draft, path } = useEditor()
  const { graph } = useSyncExternalStore(draft.subscribe, draft.view)
  const { line } = useSyncExternalStore(canvas.subscribe, canvas.view)
  const known = useRef(new Map<string, WayEdge>())
  return useMemo(() => {
    const next = new Map<string, WayEdge>()
    const lines = edgesOf(graph).map(({ source, port, target }) => {
      const id = lineId(source, port)
      const lit = path?.ways.has(`${id} ${target}`) === true
      const before = known.current.get(id)
      const edge =
        before?.target === target && before.selected === (line === id) && before.data?.lit === lit
          ? before
          : wayOf({ source, port, target }, line === id, lit)
      next.set(id, edge)
      return edge
    })
    known.current = next
    return lines
  }, [graph, line, path])
}

const wayOf = (
  { source, port, target }: { source: string; port: string; target: string },
  selected: boolean,
  lit: boolean,
): WayEdge => ({
  id: lineId(source, port),
  type: 'way',
  source,
  sourceHandle: port,
  target,
  targetHandle: 'in',
  selected,
  data: { lit },
  className: lit ? 'flow-way-lit' : '',
  markerEnd: marker,
  zIndex: selected || lit ? 1 : 0,
})

function Way(props: EdgeProps<WayEdge>) {
  const { t } = useLingui()
  const { removeLine } = use(EditorContext)!
  const [path, x, y] = getBezierPath(props)
  return (
    <>
      <BaseEdge path={path} markerEnd={props.markerEnd} interactionWidth={20} />
      {props.selected && (
        <EdgeLabelRenderer>
          <button
            type="button"
            aria-label={t`Excluir ligação`}
            title={t`Excluir ligação`}
            onClick={() => removeLine(props.id)}
            className="nodrag nopan pointer-events-auto absolute flex size-6 items-center justify-center rounded-full border bg-card text-muted-foreground shadow-overlay hover:text-destructive-soft-foreground"
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            <X className="size-3.5" />
          </button>
        </EdgeLabelRenderer>
      )}
    </>
  )
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
        isValidConnection={isValid}
        onEdgeClick={(_event, edge) => canvas.selectLine(edge.id)}
        onNodeClick={(_event, node) => setStop(node.id)}
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
          editor.setCentre(centre)
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
