import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, Plus, TriangleAlert } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import type { FlowOperation } from '../../schema/flows/flows.edits.inputs.ts'
import { nodeOf } from '../../schema/flows/flows.rows.ts'
import type { OutboxEntry } from '../../sync/client/replica.types.ts'
import { toastError } from '../session/failure.tsx'
import { useReplica } from '../replica/replica.tsx'
import { useOutbox } from '../replica/replica-hooks.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Command } from '../ui/command.tsx'
import { Dialog, DialogContent } from '../ui/dialog.tsx'
import { Popover, PopoverAnchor, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Sheet, SheetContent } from '../ui/sheet.tsx'
import type { FlowNode } from '../../schema/flows/flows.graph.ts'
import type { NodeType } from '../../schema/flows/flows.inputs.ts'
import { searchText } from './flow.card-text.ts'
import { useEditor } from './flow.editor.tsx'
import { NodeFields } from './flow.inspector.tsx'
import { problemText } from './flow.problem-words.ts'
import { dial, nodeWords, toneClasses } from './flow.words.ts'

/** Which block it is, where several are told of: its kind, and a few words of it. */
export function NodePlace({ node, className }: { node: FlowNode; className: string }) {
  const { i18n } = useLingui()
  const { textOf } = useEditor()
  const text = textOf(node)
  return (
    <span className={className}>
      {i18n._(nodeWords[node.type].name)}
      {text && ` · ${text}`}
    </span>
  )
}

const leadsHere = (type: NodeType) => type !== 'start' && type !== 'comment'

/** The button that opens all that can be put on the canvas. */
export function SpeedDial() {
  const { t } = useLingui()
  const { add } = useEditor()
  const [open, setOpen] = useState(false)
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          size="lg"
          aria-label={t`Adicionar bloco`}
          className="absolute bottom-4 left-4 z-10 size-12 rounded-full p-0 shadow-overlay"
        >
          <Plus className={cn('size-6! transition-transform', open && 'rotate-45')} />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        side="top"
        align="start"
        aria-label={t`Adicionar bloco`}
        className="max-h-(--radix-popover-content-available-height) w-92 overflow-y-auto p-2"
      >
        <BlockGrid
          onPick={(type) => {
            setOpen(false)
            add(type)
          }}
        />
      </PopoverContent>
    </Popover>
  )
}

/** Opens where a line was dropped, or at a way out: what comes next. */
export function NextBlock() {
  const { t } = useLingui()
  const { canvas, addAfter } = useEditor()
  const { choosing } = useSyncExternalStore(canvas.subscribe, canvas.view)
  if (!choosing) return null
  return (
    <Popover open onOpenChange={() => canvas.choose(null)}>
      <PopoverAnchor asChild>
        <span className="pointer-events-none fixed size-0" style={{ left: choosing.at.x, top: choosing.at.y }} />
      </PopoverAnchor>
      <PopoverContent
        side="right"
        align="start"
        aria-label={t`Próximo bloco`}
        className="max-h-(--radix-popover-content-available-height) w-92 overflow-y-auto p-2"
      >
        <BlockGrid
          isNext
          onPick={(type) => {
            canvas.choose(null)
            addAfter(type, choosing)
          }}
        />
      </PopoverContent>
    </Popover>
  )
}

/**
 * All that can be put on the canvas.
 * @param isNext only what a line can lead to
 */
function BlockGrid({ isNext = false, onPick }: { isNext?: boolean; onPick: (type: NodeType) => void }) {
  const { i18n } = useLingui()
  const groups = dial
    .map(({ title, types }) => ({ title, types: isNext ? types.filter(leadsHere) : types }))
    .filter(({ types }) => types.length > 0)
  return (
    <>
      {groups.map(({ title, types }) => (
        <div key={title.id} className="pb-1.5">
          <p className="px-2 py-1 text-xs font-medium text-muted-foreground">{i18n._(title)}</p>
          <div className="grid grid-cols-2 gap-0.5">
            {types.map((type) => {
              const { name, icon: Icon, tone } = nodeWords[type]
              return (
                <button
                  key={type}
                  type="button"
                  onClick={() => onPick(type)}
                  className="focus-ring flex min-h-9 items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-accent touch:min-h-11"
                >
                  <span
                    className={cn('flex size-6 shrink-0 items-center justify-center rounded-md', toneClasses[tone])}
                  >
                    <Icon aria-hidden="true" className="size-3.5" />
                  </span>
                  <span className="min-w-0 truncate">{i18n._(name)}</span>
                </button>
              )
            })}
          </div>
        </div>
      ))}
    </>
  )
}

/** The fields of the open node: beside the canvas where there is room, above it on a phone. */
export function Inspector({ narrow }: { narrow: boolean }) {
  const { i18n } = useLingui()
  const { draft, canvas } = useEditor()
  const { nodes } = useSyncExternalStore(draft.subscribe, draft.view)
  const { open } = useSyncExternalStore(canvas.subscribe, canvas.view)
  const node = open === null ? undefined : nodes.get(open)
  if (!node) return null
  const { name, icon: Icon, tone } = nodeWords[node.type]
  const title = i18n._(name)
  const close = () => canvas.open(null)
  if (narrow)
    return (
      <Sheet open onOpenChange={close}>
        <SheetContent title={title} className="w-full max-w-full">
          <div className="min-h-0 flex-1 overflow-y-auto p-4">
            <NodeFields node={node} />
          </div>
        </SheetContent>
      </Sheet>
    )
  return (
    <aside data-fields aria-label={title} className="flex w-88 shrink-0 flex-col border-l bg-card">
      <div className="flex h-12 shrink-0 items-center gap-2.5 border-b px-4">
        <span className={cn('flex size-6 items-center justify-center rounded-md', toneClasses[tone])}>
          <Icon aria-hidden="true" className="size-3.5" />
        </span>
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">{title}</h2>
        <PanelClose onClose={close} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <NodeFields node={node} />
      </div>
    </aside>
  )
}

export function PanelClose({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Button variant="ghost" size="icon-sm" aria-label={t`Fechar`} onClick={onClose} className="text-muted-foreground">
      <Plus className="rotate-45" />
    </Button>
  )
}

/** Finds a block by what is written in it. */
export function FindDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { draft, textOf, show } = useEditor()
  const { graph } = draft.view()
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={<Trans>Buscar no fluxo</Trans>} size="sm">
        <div className="px-3 pb-3">
          <Command
            label={t`Buscar bloco`}
            placeholder={t`Título, texto, variável…`}
            items={graph.nodes.map((node) => ({
              id: node.id,
              label: `${i18n._(nodeWords[node.type].name)}${textOf(node) ? ` · ${textOf(node).slice(0, 80)}` : ''}`,
              keywords: searchText(node),
            }))}
            empty={<Trans>Nenhum bloco diz isso.</Trans>}
            onSelect={(id) => {
              onClose()
              show(id)
            }}
          />
        </div>
      </DialogContent>
    </Dialog>
  )
}

/** Everything that is wrong, with a way to each block. */
export function ProblemsButton() {
  const { i18n } = useLingui()
  const { problems, show, draft } = useEditor()
  const [open, setOpen] = useState(false)
  const { list, errors } = problems
  if (list.length === 0) return null
  const warnings = list.length - errors
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          className={errors > 0 ? 'text-destructive-soft-foreground' : 'text-warning-soft-foreground'}
        >
          {errors > 0 ? <CircleAlert /> : <TriangleAlert />}
          <span className="max-sm:sr-only">
            {errors > 0 ? (
              <Plural value={errors} one="# problema" other="# problemas" />
            ) : (
              <Plural value={warnings} one="# aviso" other="# avisos" />
            )}
          </span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="max-h-[60dvh] w-84 overflow-y-auto p-1.5">
        <ul>
          {list.map((problem, index) => {
            const node = problem.nodeId === null ? undefined : draft.view().nodes.get(problem.nodeId)
            return (
              <li key={index}>
                <button
                  type="button"
                  disabled={!node}
                  onClick={() => {
                    setOpen(false)
                    if (node) show(node.id, true)
                  }}
                  className="focus-ring flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-left text-sm hover:bg-accent"
                >
                  {problem.severity === 'error' ? (
                    <CircleAlert
                      aria-hidden="true"
                      className="mt-0.5 size-4 shrink-0 text-destructive-soft-foreground"
                    />
                  ) : (
                    <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-soft-foreground" />
                  )}
                  <span className="min-w-0">
                    {problemText(problem, i18n, node)}
                    {node && <NodePlace node={node} className="block truncate text-xs text-muted-foreground" />}
                  </span>
                </button>
              </li>
            )
          })}
        </ul>
      </PopoverContent>
    </Popover>
  )
}

/** Edits of this flow that were refused because a colleague had changed the same nodes. */
export function useConflicts(flowId: number): readonly OutboxEntry[] {
  return useOutbox().filter(
    ({ name, state, error, input }) =>
      name === 'flows.edit' &&
      state === 'failed' &&
      error?.code === 'ERR_FLOW_STALE' &&
      (input as { flowId: number }).flowId === flowId,
  )
}

/** Asks whose version of a node is to stay, where two people changed it at once. */
export function Conflicts() {
  const { i18n } = useLingui()
  const { flow, draft, show, textOf } = useEditor()
  const { outbox } = useReplica()
  const { nodes } = useSyncExternalStore(draft.subscribe, draft.view)
  const entries = useConflicts(flow.id)
  if (entries.length === 0) return null
  const operations = entries.flatMap((entry) =>
    (entry.input as { operations: FlowOperation[] }).operations.map((operation) => ({ entry, operation })),
  )
  const ids = [...new Set(operations.map(({ operation }) => operation.node))]
  const settle = (mine: boolean) => {
    if (mine)
      draft.edit(
        // Of several edits of a node the last one is what was meant.
        ids.map((id) => {
          const { operation } = operations.findLast(({ operation: { node } }) => node === id)!
          const now = nodes.get(id)
          if (operation.op === 'remove') return { gone: id }
          if (operation.op === 'put')
            return nodeOf({
              ...operation,
              data: operation.data as Record<string, unknown>,
              ...(now && { x: now.x, y: now.y }),
            })
          return now && operation.op === 'exits' ? { ...now, exits: operation.exits } : (now ?? { gone: id })
        }),
      )
    for (const { id } of entries) void outbox.discard(id).catch(toastError)
  }
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b bg-warning-soft px-4 py-2 text-sm text-warning-soft-foreground"
    >
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        <Plural
          value={ids.length}
          one="Outra pessoa mudou este bloco ao mesmo tempo que você:"
          other="Outra pessoa mudou estes # blocos ao mesmo tempo que você:"
        />{' '}
        {ids.slice(0, 5).map((id, index) => {
          const node = nodes.get(id)
          return (
            <span key={id}>
              {index > 0 && ', '}
              {node ? (
                <button type="button" className="focus-ring rounded-sm font-medium underline" onClick={() => show(id)}>
                  {textOf(node).slice(0, 30) || i18n._(nodeWords[node.type].name)}
                </button>
              ) : (
                <Trans>um bloco excluído</Trans>
              )}
            </span>
          )
        })}
      </p>
      <Button variant="outline" size="sm" onClick={() => settle(false)}>
        <Trans>Ficar com a dela</Trans>
      </Button>
      <Button variant="outline" size="sm" onClick={() => settle(true)}>
        <Trans>Ficar com a minha</Trans>
      </Button>
    </div>
  )
}
