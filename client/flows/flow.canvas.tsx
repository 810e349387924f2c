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
import {
  Card,
  CardActionsContext,
  READABLE_ZOOM,
  type CardCount,
  type CardData,
  type CardNode,
  pointsOf,
} from './flow.card.tsx'
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

/** The cards, each the same object as long as it shows the same. */
function useCards(): CardNode[] {
  const { problems, counts, path, textOf, canvas, draft } = useEditor()
  const { graph } = useSyncExternalStore(draft.subscribe, draft.view)
  const { selected, dragged } = useSyncExternalStore(canvas.subscribe, canvas.view)
  const { i18n } = useLingui()
  const known = useRef(new Map<string, { node: FlowNode; key: string; card: CardNode }>())
  return useMemo(() => {
    const next = new Map<string, { node: FlowNode; key: string; card: CardNode }>()
    const cards = graph.nodes.map((node) => {
      const text = textOf(node)
      const place = dragged.get(node.id)
      const count: CardCount | null = counts?.[node.id] ?? null
      const problem = problems.worst.get(node.id) ?? null
      const lit = path?.at === node.id ? 'here' : path?.gone.has(node.id) ? 'gone' : null
      const isSelected = selected.has(node.id)
      const key = `${text}\n${i18n.locale} ${isSelected} ${place?.x} ${place?.y} ${problem} ${lit} ${count?.reached} ${count?.left} ${count?.waiting}`
      const before = known.current.get(node.id)
      const same = before?.node === node && before.key === key
      const entry = same ? before : { node, key, card: cardOf({ node, text, problem, count, lit }, isSelected, place) }
      next.set(node.id, entry)
      return entry.card
    })
    known.current = next
    return cards
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [graph, selected, dragged, problems, counts, path, textOf, i18n.locale])

  function cardOf(
    data: Omit<CardData, 'layout'> & Pick<CardData, 'node' | 'text'>,
    isSelected: boolean,
    place: { x: number; y: number } | undefined,
  ): CardNode {
    const { node, text } = data
    const layout = layoutOf(node, text)
    return {
      id: node.id,
      type: 'card',
      position: place ?? { x: node.x, y: node.y },
      width: layout.width,
      height: layout.height,
      measured: { width: layout.width, height: layout.height },
      handles: pointsOf(node, layout),
      data: { ...data, layout } as CardData,
      selected: isSelected,
      dragging: place !== undefined,
      deletable: false,
      ariaLabel: `${i18n._(nodeWords[node.type].name)}: ${text}`,
    }
  }
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
  const cards = useCards()
  const lines = useLines()
  const flow = useReactFlow()
  const area = useRef<HTMLDivElement>(null)
  // Which card the keyboard comes to: one stop, however many there are.
  const [stop, setStop] = useState<string | null>(null)

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
  const withStop = useMemo(() => {
    const at = stop !== null && cards.some(({ id }) => id === stop) ? stop : cards[0]?.id
    return cards.map((card) => (card.id === at ? card : unreachable(card)))
  }, [cards, stop])

  return (
    <CardActionsContext value={actions}>
      <ReactFlow<CardNode, WayEdge>
        ref={area}
        nodes={withStop}
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
        ariaLabelConfig={{
          'node.a11yDescription.default': t`Enter seleciona o bloco; as setas o movem; Enter de novo o edita.`,
          'node.a11yDescription.keyboardDisabled': t`Enter seleciona o bloco.`,
          'node.a11yDescription.ariaLiveMessage': ({ x, y }) => t`Bloco movido para ${Math.round(x)}, ${Math.round(y)}`,
          'edge.a11yDescription.default': t`Ligação`,
          'controls.ariaLabel': t`Zoom`,
          'controls.zoomIn.ariaLabel': t`Aproximar`,
          'controls.zoomOut.ariaLabel': t`Afastar`,
          'controls.fitView.ariaLabel': t`Ver tudo`,
          'controls.interactive.ariaLabel': t`Travar`,
          'minimap.ariaLabel': t`Mapa do fluxo`,
          'handle.ariaLabel': t`Ponto de ligação`,
        }}
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

const unreachables = new WeakMap<CardNode, CardNode>()
/** The same card, which the keyboard passes over; the same object for the same card. */
function unreachable(card: CardNode): CardNode {
  let known = unreachables.get(card)
  if (!known) unreachables.set(card, (known = { ...card, focusable: false }))
  return known
}
