import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, Copy, Pencil, Play, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type FlowNode, portsOf } from '../../schema/flows/flows.graph.ts'
import { RowActions } from '../kit/row-actions.tsx'
import { Badge } from '../ui/badge.tsx'
import { cn } from '../ui/cn.ts'
import { Combobox } from '../ui/combobox.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { outlineOf, useEditor } from './flow.editor.tsx'
import { nodeWords, portText, toneClasses } from './flow.words.ts'

/** So much a branch is set in, pixels; deeper ones are set in no further. */
const INDENT = 20
const DEEPEST = 4

/**
 * The flow as a list, in the order in which a contact comes to its blocks: for the phone, for the keyboard and for
 * screen readers. Whatever the drawing does can be done here.
 */
export function FlowOutline() {
  const { t, i18n } = useLingui()
  const { draft, canvas, textOf, setSight } = useEditor()
  const { selected } = useSyncExternalStore(canvas.subscribe, canvas.view)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const rowOf = (id: string) => list.current?.querySelector(`[data-block="${CSS.escape(id)}"]`)
    setSight({
      centre: (id) => rowOf(id)?.scrollIntoView({ block: 'nearest' }),
      focus: (id) => rowOf(id)?.querySelector<HTMLElement>('[data-edit]')?.focus(),
      middle: () => null,
      all: () => undefined,
    })
  }, [setSight])
  const { graph, nodes } = useSyncExternalStore(draft.subscribe, draft.view)
  const rows = useMemo(() => outlineOf(graph.nodes), [graph])
  const numbers = useMemo(() => new Map(rows.map(({ node }, index) => [node.id, index + 1])), [rows])
  const nameOf = (node: FlowNode) =>
    `${numbers.get(node.id)}. ${i18n._(nodeWords[node.type].name)}${textOf(node) ? ` · ${textOf(node).slice(0, 60)}` : ''}`
  const targets = useMemo(
    () =>
      rows
        .filter(({ node }) => node.type !== 'start' && node.type !== 'comment')
        .map(({ node }) => ({ id: node.id, label: nameOf(node) })),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [rows, textOf, i18n.locale],
  )
  const firstLost = rows.findIndex(({ isReached }) => !isReached)
  return (
    <div className="h-full overflow-y-auto bg-thread">
      <ol
        ref={list}
        aria-label={t`Blocos do fluxo`}
        className="mx-auto flex max-w-3xl flex-col gap-2 p-3 pb-24 sm:p-5 sm:pb-24"
      >
        {rows.map(({ node, depth }, index) => (
          <li
            key={node.id}
            data-block={node.id}
            className="scroll-my-4"
            style={{ marginLeft: Math.min(depth, DEEPEST) * INDENT }}
          >
            {index === firstLost && (
              <p className="pt-3 pb-2 text-xs font-medium text-muted-foreground">
                <Trans>Nenhum caminho chega a estes</Trans>
              </p>
            )}
            <OutlineRow
              node={node}
              number={index + 1}
              isSelected={selected.has(node.id)}
              targets={targets.filter(({ id }) => id !== node.id)}
              here={nodes}
            />
          </li>
        ))}
      </ol>
    </div>
  )
}

function OutlineRow({
  node,
  number,
  isSelected,
  targets,
  here,
}: {
  node: FlowNode
  number: number
  isSelected: boolean
  targets: { id: string; label: string }[]
  here: ReadonlyMap<string, FlowNode>
}) {
  const { t, i18n } = useLingui()
  const { problems, path, textOf, connect, actions, canvas } = useEditor()
  const { icon: Icon, name, tone } = nodeWords[node.type]
  const title = `${number}. ${i18n._(name)}`
  const problem = problems.worst.get(node.id)
  const text = textOf(node)
  const isHere = path?.at === node.id
  return (
    <section
      aria-label={title}
      className={cn(
        'rounded-xl border bg-card p-3 shadow-xs',
        problem === 'error' && 'border-destructive',
        isSelected && 'border-ring ring-1 ring-ring',
        (isHere || path?.gone.has(node.id)) && 'border-success',
        isHere && 'ring-2 ring-success',
      )}
    >
      <div className="flex items-center gap-2">
        <span className={cn('flex size-7 shrink-0 items-center justify-center rounded-md', toneClasses[tone])}>
          <Icon aria-hidden="true" className="size-4" />
        </span>
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">{title}</h2>
        {problem === 'error' && (
          <CircleAlert aria-label={t`Tem um erro`} className="size-4 text-destructive-soft-foreground" />
        )}
        {problem === 'warning' && (
          <TriangleAlert aria-label={t`Tem um aviso`} className="size-4 text-warning-soft-foreground" />
        )}
        <RowActions
          name={title}
          disabled={false}
          more={[
            node.type !== 'comment' && {
              icon: Play,
              label: t`Testar`,
              name: t`Testar a partir de ${title}`,
              run: () => actions.tryFrom(node.id),
            },
            node.type !== 'start' && {
              icon: Copy,
              label: t`Duplicar`,
              name: t`Duplicar ${title}`,
              run: () => actions.duplicate([node.id]),
            },
          ]}
          {...(node.type !== 'start' && { onRemove: () => actions.remove([node.id]) })}
        >
          <IconButton data-edit label={t`Editar ${title}`} onClick={() => canvas.open(node.id)}>
            <Pencil />
          </IconButton>
        </RowActions>
      </div>
      {(isHere || path?.gone.has(node.id)) && (
        <p className="mt-1 pl-9">
          <Badge tone="success">{isHere ? <Trans>o teste está aqui</Trans> : <Trans>testado</Trans>}</Badge>
        </p>
      )}
      {text && (
        <p className="mt-1 line-clamp-3 pl-9 text-sm wrap-anywhere whitespace-pre-line text-muted-foreground">{text}</p>
      )}
      <ul className="mt-2 flex flex-col gap-1.5 sm:pl-9">
        {portsOf(node).map((port) => {
          const to = node.exits[port.id]
          return (
            <li
              key={port.id}
              className="grid items-center gap-x-2 gap-y-1 text-xs sm:grid-cols-[minmax(0,10rem)_minmax(0,1fr)]"
            >
              <span
                className={cn(
                  'truncate',
                  path?.ways.has(`${node.id} ${port.id} ${to}`) && 'font-semibold text-success-soft-foreground',
                )}
              >
                {portText(port, i18n)}
              </span>
              {/* Its name goes before what is chosen, which is said, too. */}
              <span hidden id={`way-${node.id}-${port.id}`}>{t`${title}: ${portText(port, i18n)} vai para`}</span>
              <Combobox
                aria-labelledby={`way-${node.id}-${port.id}`}
                placeholder={t`não leva a nada`}
                value={to !== undefined && here.has(to) ? to : null}
                onChange={(target) => connect(node.id, port.id, target)}
                options={targets}
                clearable
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
