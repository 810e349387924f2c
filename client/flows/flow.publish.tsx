import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { History, RotateCcw } from 'lucide-react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { type FlowNode, nodesById } from '../../schema/flows/flows.graph.ts'
import type { WaitingRuns } from '../../schema/flows/flows.edits.inputs.ts'
import { restored } from '../../schema/flows/flows.restore.ts'
import { contentOf, frozen, graphOf, sameContent } from '../../schema/flows/flows.rows.ts'
import { useUsers } from '../replica/directory.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { NeedsNetwork } from '../kit/form.tsx'
import { useConnectionState } from '../session/connection-state.ts'
import { useFetched } from '../session/fetched.ts'
import { useReplica } from '../replica/replica.tsx'
import { useReplicaStatus } from '../replica/replica-hooks.ts'
import { dateText } from '../i18n/dates.ts'
import { useUser } from '../session/session.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm, DialogProblem } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { Sheet, SheetContent } from '../ui/sheet.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { toast } from '../ui/toaster.tsx'
import { useEditor } from './flow.editor.tsx'
import { NodePlace } from './flow.panels.tsx'
import { problemText } from './flow.problem-words.ts'
import { nodeWords } from './flow.words.ts'
import { flows, useKnownToDraft, usePublished, useVersions, type VersionRow } from './flows.queries.ts'

/** One node that is not as contacts meet it. */
export interface FlowChange {
  node: FlowNode
  what: 'added' | 'changed' | 'removed'
  /** Who changed it last, where that is known. */
  userId: number | null
}

/** What the draft has that contacts do not meet yet; undefined while that is not known. */
export function useChanges(): readonly FlowChange[] | undefined {
  const { flow, draft } = useEditor()
  const { graph } = useSyncExternalStore(draft.subscribe, draft.view)
  const { data, error, reload } = usePublished(flow.id, flow.versionId)
  const { online } = useReplicaStatus()
  // Who opened the flow without a network has not been told what is live.
  const isMissing = error !== null && online
  useEffect(() => {
    if (isMissing) reload()
  }, [isMissing, reload])
  return useMemo(() => {
    const live =
      flow.versionId === null ? { nodes: [] } : data && data.id === flow.versionId ? graphOf(data.nodes) : undefined
    if (!live) return undefined
    const before = nodesById(live)
    const now = nodesById(graphOf(frozen(graph)))
    const by = (id: string) => draft.rowOf(id)?.userId ?? null
    const changes: FlowChange[] = []
    for (const node of now.values()) {
      const old = before.get(node.id)
      if (!old) changes.push({ node, what: 'added', userId: by(node.id) })
      else if (!sameContent(contentOf(old), contentOf(node)))
        changes.push({ node, what: 'changed', userId: by(node.id) })
    }
    for (const node of before.values()) if (!now.has(node.id)) changes.push({ node, what: 'removed', userId: null })
    return changes
  }, [graph, data, flow.versionId, draft])
}

/** Resolves when the server has all that was drawn. */
function useSent(): () => Promise<boolean> {
  const { flow, draft } = useEditor()
  const { outbox } = useReplica()
  return async () => {
    await draft.flush()
    const waiting = () =>
      outbox
        .get()
        .some(
          ({ name, input, state }) =>
            name === 'flows.edit' &&
            (input as { flowId: number }).flowId === flow.id &&
            (state === 'queued' || state === 'sending'),
        )
    for (let i = 0; i < 100 && waiting(); i++) await new Promise((resolve) => setTimeout(resolve, 100))
    return !waiting()
  }
}

export function PublishDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { flow, problems, show, draft, canvas } = useEditor()
  // Who publishes is told everything.
  useEffect(() => canvas.leaveAll(), [canvas])
  const offline = useConnectionState() === 'offline'
  const changes = useChanges()
  const { byId: users } = useUsers()
  const { data: counts } = useFetched<{ waiting: number }>(`/flowbuilder/${flow.id}/counts`)
  const { reload: askWhatIsKnown } = useKnownToDraft(flow.id)
  // A secret made a moment ago, in another tab, counts.
  useEffect(askWhatIsKnown, [askWhatIsKnown])
  const [note, setNote] = useState('')
  const [choice, setChoice] = useState<WaitingRuns>('stay')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const sent = useSent()
  const words = { added: t`novo`, changed: t`mudou`, removed: t`excluído` }

  const publish = async () => {
    setBusy(true)
    setProblem(null)
    try {
      if (!(await sent())) return setProblem(t`Ainda há mudanças a caminho do servidor. Tente de novo em instantes.`)
      const { version } = await flows.publish(flow.id, note, choice)
      toast.success(t`Versão ${version?.number ?? ''} publicada`)
      onClose()
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const errors = problems.list.filter(({ severity }) => severity === 'error')
  const waiting = counts?.waiting ?? 0
  return (
    <Dialog open onOpenChange={() => !busy && onClose()}>
      <DialogContent
        title={<Trans>Publicar “{flow.name}”</Trans>}
        description={<Trans>Depois de publicar, é isto que os contatos encontram.</Trans>}
      >
        <DialogForm onSubmit={() => void publish()}>
          <DialogBody className="flex flex-col gap-4">
            {errors.length > 0 && (
              <div className="rounded-lg bg-destructive-soft p-3 text-sm text-destructive-soft-foreground">
                <p className="font-medium">
                  <Trans>Corrija antes de publicar:</Trans>
                </p>
                <ul className="mt-1 max-h-44 list-disc overflow-y-auto pl-4">
                  {errors.map((one, index) => {
                    const node = one.nodeId === null ? undefined : draft.view().nodes.get(one.nodeId)
                    return (
                      <li key={index} className="py-0.5">
                        {node ? (
                          <button
                            type="button"
                            className="focus-ring w-full rounded-sm text-left align-top"
                            onClick={() => {
                              onClose()
                              show(node.id, true)
                            }}
                          >
                            <span className="underline">{problemText(one, i18n, node)}</span>
                            <NodePlace node={node} className="block truncate text-xs" />
                          </button>
                        ) : (
                          problemText(one, i18n)
                        )}
                      </li>
                    )
                  })}
                </ul>
              </div>
            )}
            <div>
              <p className="text-sm font-medium">
                <Trans>O que mudou</Trans>
              </p>
              {changes === undefined ? (
                <LoadingBlock className="mt-2 h-16 w-full" />
              ) : changes.length === 0 ? (
                <p className="mt-1 text-sm text-muted-foreground">
                  <Trans>Nada mudou desde a última publicação.</Trans>
                </p>
              ) : (
                <ul className="mt-1 max-h-56 divide-y overflow-y-auto rounded-lg border">
                  {changes.map(({ node, what, userId }) => (
                    <ChangeRow
                      key={node.id}
                      node={node}
                      what={words[what]}
                      who={userId === null ? null : (users.get(userId)?.name ?? null)}
                    />
                  ))}
                </ul>
              )}
            </div>
            {waiting > 0 && (
              <Field
                label={
                  <Plural
                    value={waiting}
                    one="# contato está no meio do fluxo"
                    other="# contatos estão no meio do fluxo"
                  />
                }
                hint={
                  choice === 'move' && (
                    <Trans>Quem espera em um bloco que não existe mais termina na versão em que começou.</Trans>
                  )
                }
              >
                <Select
                  value={choice}
                  onChange={setChoice}
                  options={[
                    { value: 'stay', label: t`Terminam na versão em que começaram` },
                    { value: 'move', label: t`Continuam na nova versão` },
                    { value: 'end', label: t`Saem do fluxo e esperam um atendente` },
                  ]}
                />
              </Field>
            )}
            <Field label={<Trans>Anotação desta versão (opcional)</Trans>}>
              <Input value={note} onChange={(event) => setNote(event.target.value)} autoComplete="off" />
            </Field>
          </DialogBody>
          {problem && <DialogProblem>{problem}</DialogProblem>}
          {offline && <NeedsNetwork className="mx-5 mb-3" />}
          <DialogButtons busy={busy} disabled={offline || errors.length > 0}>
            <Trans>Publicar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}

function ChangeRow({ node, what, who }: { node: FlowNode; what: string; who: string | null }) {
  const { i18n } = useLingui()
  const { textOf } = useEditor()
  const { icon: Icon, name } = nodeWords[node.type]
  return (
    <li className="flex items-center gap-2.5 px-3 py-2 text-sm">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 flex-1 truncate">
        {i18n._(name)}
        {textOf(node) && <span className="text-muted-foreground"> · {textOf(node)}</span>}
      </span>
      {who && <span className="shrink-0 text-xs text-muted-foreground">{who}</span>}
      <Badge tone="neutral">{what}</Badge>
    </li>
  )
}

/** What was published, and the way back to it. */
export function HistorySheet({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { flow } = useEditor()
  const { data, error, loading, reload, hasMore, loadMore } = useVersions(flow.id)
  let body: ReactNode
  if (error && !data && !loading) body = <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
  else if (!data) body = <LoadingBlock className="m-4 h-24" />
  else if (data.length === 0)
    body = (
      <p className="p-6 text-center text-sm text-muted-foreground">
        <Trans>Ainda não foi publicado nada.</Trans>
      </p>
    )
  else
    body = (
      <>
        <ul className="divide-y">
          {data.map((version) => (
            <VersionItem key={version.id} version={version} isLive={version.id === flow.versionId} onDone={reload} />
          ))}
        </ul>
        {hasMore && (
          <Button variant="ghost" size="sm" className="m-2" busy={loading} onClick={loadMore}>
            <Trans>Mostrar mais</Trans>
          </Button>
        )}
      </>
    )
  return (
    <Sheet open onOpenChange={onClose}>
      <SheetContent title={t`Versões publicadas`}>
        <div className="min-h-0 flex-1 overflow-y-auto">{body}</div>
      </SheetContent>
    </Sheet>
  )
}

/** Makes the draft what a version was: one step, which "Desfazer" takes back. Answers whether it was done. */
function useGoBack(version: VersionRow): () => Promise<boolean> {
  const { t } = useLingui()
  const { flow, draft } = useEditor()
  const me = useUser()
  return async () => {
    try {
      const nodesOf = async (id: number | null) => (id === null ? [] : (await flows.version(flow.id, id)).nodes)
      const [live, wanted] = await Promise.all([nodesOf(flow.versionId), nodesOf(version.id)])
      const { graph } = draft.view()
      // What was drawn here a moment ago is one's own.
      const rows = graph.nodes.map((node) => ({
        ...contentOf(node),
        userId: draft.isOwn(node.id) ? me.id : (draft.rowOf(node.id)?.userId ?? null),
      }))
      const { nodes, kept } = restored(rows, live, wanted, me.id)
      const stays = new Set(nodes.map(({ id }) => id))
      draft.edit([...nodes, ...graph.nodes.flatMap(({ id }) => (stays.has(id) ? [] : [{ gone: id }]))])
      toast.success(t`O rascunho voltou à versão ${version.number}`, {
        ...(kept.length > 0 && {
          description: plural(kept.length, {
            one: '# bloco de colegas ficou como estava.',
            other: '# blocos de colegas ficaram como estavam.',
          }),
        }),
        action: { label: t`Desfazer`, onClick: () => draft.undo() },
      })
      return true
    } catch (error) {
      toastError(error)
      return false
    }
  }
}

function VersionItem({ version, isLive, onDone }: { version: VersionRow; isLive: boolean; onDone: () => void }) {
  const { t, i18n } = useLingui()
  const { flow } = useEditor()
  const offline = useConnectionState() === 'offline'
  const back = useGoBack(version)
  const [asked, setAsked] = useState<'draft' | 'publish' | null>(null)
  const publishAgain = async () => {
    try {
      await flows.restore(flow.id, version.id, true)
      toast.success(t`Versão ${version.number} publicada de novo`)
      onDone()
    } catch (error) {
      toastError(error)
      return false
    }
  }
  return (
    <li className="flex flex-col gap-2 p-4">
      <div className="flex items-center gap-2">
        <span className="text-sm font-semibold">
          <Trans>Versão {version.number}</Trans>
        </span>
        {isLive && (
          <Badge tone="success">
            <Trans>no ar</Trans>
          </Badge>
        )}
      </div>
      <p className="text-xs text-muted-foreground">
        {dateText(i18n.locale, new Date(version.createdAt), 'moment')}
        {version.userName && ` · ${version.userName}`}
        {' · '}
        <Plural value={version.nodeCount} one="# bloco" other="# blocos" />
      </p>
      {version.note && <p className="text-sm wrap-anywhere">{version.note}</p>}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="sm" disabled={offline} onClick={() => setAsked('draft')}>
          <RotateCcw />
          <Trans>Voltar o rascunho a esta</Trans>
        </Button>
        {!isLive && (
          <Button variant="outline" size="sm" disabled={offline} onClick={() => setAsked('publish')}>
            <History />
            <Trans>Publicar de novo</Trans>
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asked === 'draft'}
        onOpenChange={() => setAsked(null)}
        title={<Trans>Voltar o rascunho à versão {version.number}?</Trans>}
        confirmLabel={<Trans>Voltar</Trans>}
        onConfirm={back}
      >
        <Trans>
          O que você mudou e não publicou sai do rascunho. O que colegas mudaram e não publicaram fica. Contatos não
          veem nada disso antes de publicar, e “Desfazer” traz tudo de volta.
        </Trans>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'publish'}
        onOpenChange={() => setAsked(null)}
        title={<Trans>Publicar a versão {version.number} de novo?</Trans>}
        confirmLabel={<Trans>Publicar</Trans>}
        onConfirm={publishAgain}
      >
        <Trans>Os contatos passam a ver esta versão. O rascunho fica como está.</Trans>
      </ConfirmDialog>
    </li>
  )
}
