import { useLingui } from '@lingui/react/macro'
import { Handle, type Node, type NodeProps, Position, useStore } from '@xyflow/react'
import { CircleAlert, Copy, Pencil, Play, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { createContext, memo, use } from 'react'
import type { FlowNode } from '../../schema/flows/flows.graph.ts'
import { cn } from '../ui/cn.ts'
import { type CardLayout, HEAD_HEIGHT, LINE_HEIGHT, PORT_HEIGHT } from './flow.size.ts'
import { nodeWords, portText, toneClasses } from './flow.words.ts'

export interface CardCount {
  reached: number
  left: number
  waiting: number
}

export interface CardData extends Record<string, unknown> {
  node: FlowNode
  text: string
  layout: CardLayout
  problem: 'error' | 'warning' | null
  count: CardCount | null
  /** The test went through it, or stands in it. */
  lit: 'gone' | 'here' | null
}
export type CardNode = Node<CardData, 'card'>

/** What a card can be asked to do. Always the same object, so that no card is drawn for it. */
export interface CardActions {
  open(id: string): void
  duplicate(ids: readonly string[]): void
  remove(ids: readonly string[]): void
  /** Begins a test there. */
  tryFrom(id: string): void
  /** Asks what comes next on a way out; the choice opens at that place of the screen. */
  next(id: string, port: string, at: { x: number; y: number }): void
}
export const CardActionsContext = createContext<CardActions | null>(null)

/** Below this zoom nobody reads a card's words. */
export const READABLE_ZOOM = 0.5
const isSmall = (state: { transform: [number, number, number] }) => state.transform[2] < READABLE_ZOOM

/** The points that lines are drawn from and to. */
function Points({ data: { node, layout } }: { data: CardData }) {
  return (
    <>
      {node.type !== 'start' && node.type !== 'comment' && (
        <Handle
          type="target"
          position={Position.Left}
          id="in"
          style={{ top: HEAD_HEIGHT / 2 }}
          className="flow-point"
        />
      )}
      {layout.ports.map((port) => (
        <Handle
          key={port.id}
          type="source"
          position={Position.Right}
          id={port.id}
          style={{ top: port.y }}
          className={cn('flow-point', node.exits[port.id] && 'flow-point-used')}
        />
      ))}
    </>
  )
}

export const Card = memo(function Card({ data, selected }: NodeProps<CardNode>) {
  const { i18n, t } = useLingui()
  const actions = use(CardActionsContext)
  const small = useStore(isSmall)
  const { node, text, layout, problem, count, lit } = data
  const { icon: Icon, name, tone } = nodeWords[node.type]
  const title = i18n._(name)
  const isPaper = node.type === 'comment'
  const frame = cn(
    'group relative flex flex-col rounded-xl border bg-card text-card-foreground shadow-xs',
    isPaper && 'border-warning/40 bg-warning-soft text-warning-soft-foreground',
    problem === 'error' && 'border-destructive',
    problem === 'warning' && 'border-warning',
    selected && 'border-ring ring-2 ring-ring',
    lit === 'gone' && 'border-success ring-1 ring-success',
    lit === 'here' && 'border-success ring-3 ring-success',
  )
  const style = { width: layout.width, height: layout.height }
  if (small)
    return (
      <div className={frame} style={style}>
        <div className="flex flex-1 items-center gap-3 overflow-hidden px-3">
          <span className={cn('flex size-9 shrink-0 items-center justify-center rounded-lg', toneClasses[tone])}>
            <Icon className="size-6" />
          </span>
          <span className="truncate text-2xl font-semibold">{title}</span>
        </div>
        <Points data={data} />
      </div>
    )
  return (
    <div className={frame} style={style}>
      <div className="flex shrink-0 items-center gap-2 px-2.5" style={{ height: HEAD_HEIGHT }}>
        <span className={cn('flex size-6 shrink-0 items-center justify-center rounded-md', toneClasses[tone])}>
          <Icon className="size-3.5" />
        </span>
        <span className="min-w-0 flex-1 truncate text-[0.8125rem] font-semibold">{title}</span>
        {problem === 'error' && <CircleAlert className="size-4 shrink-0 text-destructive-soft-foreground" />}
        {problem === 'warning' && <TriangleAlert className="size-4 shrink-0 text-warning-soft-foreground" />}
      </div>
      {layout.lines > 0 && (
        <p
          className={cn(
            'mx-2.5 mb-3 overflow-hidden text-xs wrap-anywhere whitespace-pre-line',
            !isPaper && 'text-muted-foreground',
          )}
          style={{
            height: layout.lines * LINE_HEIGHT,
            lineHeight: `${LINE_HEIGHT}px`,
            display: '-webkit-box',
            WebkitBoxOrient: 'vertical',
            WebkitLineClamp: layout.lines,
          }}
        >
          {text}
        </p>
      )}
      {layout.ports.map(
        (port) =>
          port.hasRow && (
            <p
              key={port.id}
              className="flex shrink-0 items-center justify-end border-t border-border/60 px-3 text-xs"
              style={{ height: PORT_HEIGHT }}
            >
              <span className="truncate">{portText(port, i18n)}</span>
            </p>
          ),
      )}
      {count && (
        <p className="absolute -top-5 left-1 flex gap-2 text-[0.6875rem] font-medium whitespace-nowrap text-muted-foreground tabular-nums">
          <span title={t`Passaram por aqui`}>▸ {count.reached}</span>
          {count.waiting > 0 && <span title={t`Estão aqui agora`}>● {count.waiting}</span>}
          {count.left > 0 && (
            <span title={t`Saíram daqui em silêncio`} className="text-destructive-soft-foreground">
              ✕ {count.left}
            </span>
          )}
        </p>
      )}
      <div
        className={cn(
          'nodrag absolute -top-9 right-0 hidden gap-0.5 rounded-lg border bg-popover p-0.5 shadow-overlay group-hover:flex',
          selected && 'flex',
        )}
      >
        <CardButton label={t`Editar ${title}`} onClick={() => actions?.open(node.id)}>
          <Pencil />
        </CardButton>
        {!isPaper && (
          <CardButton label={t`Testar a partir de ${title}`} onClick={() => actions?.tryFrom(node.id)}>
            <Play />
          </CardButton>
        )}
        {node.type !== 'start' && (
          <>
            <CardButton label={t`Duplicar ${title}`} onClick={() => actions?.duplicate([node.id])}>
              <Copy />
            </CardButton>
            <CardButton label={t`Excluir ${title}`} onClick={() => actions?.remove([node.id])}>
              <Trash2 />
            </CardButton>
          </>
        )}
      </div>
      {layout.ports.map(
        (port) =>
          !node.exits[port.id] && (
            <button
              key={port.id}
              type="button"
              tabIndex={-1}
              aria-label={t`Próximo bloco depois de ${portText(port, i18n)}`}
              title={t`Próximo bloco`}
              onClick={(event) => {
                event.stopPropagation()
                const { right, top } = event.currentTarget.getBoundingClientRect()
                actions?.next(node.id, port.id, { x: right, y: top })
              }}
              className="nodrag nopan absolute flex size-5 -translate-y-1/2 items-center justify-center rounded-full border bg-card text-muted-foreground opacity-70 shadow-xs hover:border-primary hover:text-primary hover:opacity-100 touch:size-7 [&_svg]:size-3"
              style={{ left: layout.width + 18, top: port.y }}
            >
              <Plus aria-hidden="true" />
            </button>
          ),
      )}
      <Points data={data} />
    </div>
  )
})

/** The keyboard has keys for these; hundreds of stops would be in its way. */
function CardButton({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation()
        onClick()
      }}
      className="flex size-7 items-center justify-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground [&_svg]:size-3.5"
    >
      {children}
    </button>
  )
}

/** The points of a node's card, for the canvas to draw lines by before it has drawn the card. */
export function pointsOf(node: FlowNode, layout: CardLayout): NonNullable<CardNode['handles']> {
  const size = 10
  const ways = layout.ports.map(({ id, y }) => ({
    id,
    type: 'source' as const,
    position: Position.Right,
    x: layout.width - size / 2,
    y: y - size / 2,
    width: size,
    height: size,
  }))
  if (node.type === 'start' || node.type === 'comment') return ways
  return [
    {
      id: 'in',
      type: 'target' as const,
      position: Position.Left,
      x: -size / 2,
      y: HEAD_HEIGHT / 2 - size / 2,
      width: size,
      height: size,
    },
    ...ways,
  ]
}
