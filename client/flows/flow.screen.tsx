import { onDemand } from '../base/late.tsx'
import { DAY_MS } from '../../schema/durations.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { ReactFlowProvider } from '@xyflow/react'
import {
  ArrowLeft,
  ChartNoAxesColumn,
  EllipsisVertical,
  FlaskConical,
  Grid3x3,
  History,
  LayoutGrid,
  List,
  Map as MapIcon,
  PencilRuler,
  Redo2,
  Rocket,
  Save,
  Search,
  Undo2,
  Workflow,
} from 'lucide-react'
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useFetched } from '../session/fetched.ts'
import { useReplicaStatus } from '../replica/replica-hooks.ts'
import { ScreenPending } from '../kit/screen-pending.tsx'
import { narrowQuery, useMedia } from '../ui/use-media.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonVariants } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useDocumentTitle } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { isComposing } from '../base/is-composing.ts'
import type { CardCount } from './flow.card.tsx'
import { EditorProvider, useEditor } from './flow.editor.tsx'
import { FlowOutline } from './flow.outline.tsx'
import { Conflicts, FindDialog, Inspector, ProblemsButton, SpeedDial } from './flow.panels.tsx'
import { HistorySheet, PublishDialog, useChanges } from './flow.publish.tsx'
import type { HeldTrial } from './flow.trial-source.ts'
import { type FlowRow, useFlowRows } from './flows.queries.ts'

const TrialPanel = onDemand(() => import('./flow.trial-panel.tsx'))
const FlowCanvas = onDemand(async () => ({ default: (await import('./flow.canvas.tsx')).FlowCanvas }))

export default function FlowScreen() {
  const { id } = useParams({ from: '/private/flowbuilder/$id' })
  const { node } = useSearch({ from: '/private/flowbuilder/$id' })
  const { flow, flows } = useFlowRows(Number(id))
  if (flow === undefined) return <ScreenPending />
  if (flow === null)
    return (
      <EmptyState
        icon={Workflow}
        title={<Trans>Fluxo não encontrado</Trans>}
        action={
          <Link to="/flowbuilders" className={buttonVariants({ variant: 'outline' })}>
            <Trans>Ver todos os fluxos</Trans>
          </Link>
        }
      >
        <Trans>Ele foi excluído, ou o endereço está errado.</Trans>
      </EmptyState>
    )
  return (
    <ReactFlowProvider key={flow.id}>
      <EditorProvider flow={flow} flows={flows}>
        <Desk key={node} flow={flow} first={node} />
      </EditorProvider>
    </ReactFlowProvider>
  )
}

type Overlay = 'find' | 'publish' | 'history' | null

/** @param first the block that is shown first */
function Desk({ flow, first }: { flow: FlowRow; first: string | undefined }) {
  const { t } = useLingui()
  const editor = useEditor()
  const narrow = useMedia(narrowQuery)
  const [asList, setAsList] = useState(narrow)
  const [snap, setSnap] = useState(false)
  const [map, setMap] = useState(false)
  const [overlay, setOverlay] = useState<Overlay>(null)
  const heldRef: HeldTrial = useRef(null)
  const { ready } = useSyncExternalStore(editor.draft.subscribe, editor.draft.view)
  const isThere = useSyncExternalStore(
    editor.draft.subscribe,
    () => first !== undefined && editor.draft.view().nodes.has(first),
  )
  const { show } = editor
  const wasLed = useRef(false)
  useEffect(() => {
    // Once: what comes later, like a colleague's new name, moves nobody.
    if (!isThere || first === undefined || wasLed.current) return
    wasLed.current = true
    show(first)
  }, [isThere, show, first])
  useDocumentTitle(flow.name)
  useKeys(!asList, () => setOverlay('find'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h1 className="sr-only">{t`Desenhe seu fluxo`}</h1>
      <Toolbar
        flow={flow}
        narrow={narrow}
        view={{ asList, snap, map }}
        onView={(next) => {
          if (next.asList !== undefined) setAsList(next.asList)
          if (next.snap !== undefined) setSnap(next.snap)
          if (next.map !== undefined) setMap(next.map)
        }}
        onOverlay={setOverlay}
      />
      <Conflicts />
      <div className="flex min-h-0 flex-1">
        <div className="relative min-w-0 flex-1">
          {!ready ? (
            <ScreenPending />
          ) : asList ? (
            <FlowOutline />
          ) : (
            <Suspense fallback={<ScreenPending />}>
              <FlowCanvas snap={snap} map={map} />
            </Suspense>
          )}
          {ready && <SpeedDial />}
        </div>
        <Inspector narrow={narrow} />
        {ready && editor.trying && (
          <Suspense fallback={null}>
            <TrialPanel narrow={narrow} heldRef={heldRef} />
          </Suspense>
        )}
      </div>
      {overlay === 'find' && <FindDialog onClose={() => setOverlay(null)} />}
      {overlay === 'publish' && <PublishDialog onClose={() => setOverlay(null)} />}
      {overlay === 'history' && <HistorySheet onClose={() => setOverlay(null)} />}
    </div>
  )
}

interface View {
  asList: boolean
  snap: boolean
  map: boolean
}

function Toolbar({
  flow,
  narrow,
  view,
  onView,
  onOverlay,
}: {
  flow: FlowRow
  narrow: boolean
  view: View
  onView: (next: Partial<View>) => void
  onOverlay: (overlay: Overlay) => void
}) {
  const { t } = useLingui()
  const { draft, arrange, trying, tryFrom, stopTrying } = useEditor()
  const { canUndo, canRedo } = useSyncExternalStore(draft.subscribe, draft.view)
  const [showCounts, setShowCounts] = useState(false)
  const save = async () => {
    await draft.flush()
    toast.success(t`Fluxo salvo com sucesso`, {
      description: t`Os contatos só veem as mudanças depois de publicar.`,
    })
  }
  const undo = (
    <>
      <IconButton label={t`Desfazer`} disabled={!canUndo} onClick={() => draft.undo()}>
        <Undo2 />
      </IconButton>
      {!narrow && (
        <IconButton label={t`Refazer`} disabled={!canRedo} onClick={() => draft.redo()}>
          <Redo2 />
        </IconButton>
      )}
    </>
  )
  const more = (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t`Mais`} className="text-muted-foreground">
          <EllipsisVertical />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {narrow && (
          <>
            <DropdownMenuItem disabled={!canRedo} onSelect={() => draft.redo()}>
              <Redo2 />
              <Trans>Refazer</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => onOverlay('find')}>
              <Search />
              <Trans>Buscar bloco</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => onView({ asList: !view.asList })}>
              {view.asList ? <PencilRuler /> : <List />}
              {view.asList ? <Trans>Ver como desenho</Trans> : <Trans>Ver como lista</Trans>}
            </DropdownMenuItem>
          </>
        )}
        <DropdownMenuItem onSelect={arrange}>
          <LayoutGrid />
          <Trans>Organizar sozinho</Trans>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => onOverlay('history')}>
          <History />
          <Trans>Versões publicadas</Trans>
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuCheckboxItem checked={showCounts} onCheckedChange={setShowCounts}>
          <ChartNoAxesColumn />
          <Trans>Mostrar números</Trans>
        </DropdownMenuCheckboxItem>
        {!view.asList && (
          <>
            <DropdownMenuCheckboxItem checked={view.snap} onCheckedChange={(snap) => onView({ snap })}>
              <Grid3x3 />
              <Trans>Alinhar à grade</Trans>
            </DropdownMenuCheckboxItem>
            <DropdownMenuCheckboxItem checked={view.map} onCheckedChange={(map) => onView({ map })}>
              <MapIcon />
              <Trans>Mostrar mapa</Trans>
            </DropdownMenuCheckboxItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
  return (
    <header className="flex h-13 shrink-0 items-center gap-1 border-b bg-card px-2 sm:px-3">
      <Link
        to="/flowbuilders"
        aria-label={t`Voltar aos fluxos`}
        className={cn(buttonVariants({ variant: 'ghost', size: 'icon' }), 'text-muted-foreground')}
      >
        <ArrowLeft />
      </Link>
      <div className="mr-auto min-w-0 flex-1 px-1 leading-tight">
        <p className="truncate text-sm font-semibold max-sm:line-clamp-2 max-sm:text-[0.8125rem] max-sm:leading-4 max-sm:wrap-anywhere max-sm:whitespace-normal">
          {flow.name}
        </p>
        <SavingState flow={flow} />
      </div>
      {showCounts && <Counts flowId={flow.id} />}
      <ProblemsButton />
      {!narrow && (
        <>
          {undo}
          <IconButton label={t`Buscar bloco`} onClick={() => onOverlay('find')}>
            <Search />
          </IconButton>
          <IconButton
            label={view.asList ? t`Ver como desenho` : t`Ver como lista`}
            onClick={() => onView({ asList: !view.asList })}
          >
            {view.asList ? <PencilRuler /> : <List />}
          </IconButton>
        </>
      )}
      {narrow && undo}
      {more}
      {!narrow && (
        <Button variant="outline" onClick={() => void save()}>
          <Save />
          <Trans>Salvar</Trans>
        </Button>
      )}
      <Button
        variant="outline"
        size={narrow ? 'icon' : 'md'}
        aria-label={t`Testar`}
        aria-pressed={trying !== null}
        onClick={() => (trying ? stopTrying() : tryFrom(null))}
      >
        <FlaskConical />
        <span className="max-sm:sr-only">
          <Trans>Testar</Trans>
        </span>
      </Button>
      <Button size={narrow ? 'icon' : 'md'} onClick={() => onOverlay('publish')} aria-label={t`Publicar`}>
        <Rocket />
        <span className="max-sm:sr-only">
          <Trans>Publicar</Trans>
        </span>
      </Button>
    </header>
  )
}

/** Where what was drawn is: here, on the server, with the contacts. */
function SavingState({ flow }: { flow: FlowRow }) {
  const { draft } = useEditor()
  const { saving } = useSyncExternalStore(draft.subscribe, draft.view)
  const offline = !useReplicaStatus().online
  const changes = useChanges()
  let live: ReactNode
  if (flow.versionId === null) live = <Trans>rascunho, nunca publicado</Trans>
  else if (!flow.active) live = <Trans>desativado</Trans>
  else if (changes === undefined) live = <Trans>publicado</Trans>
  else if (changes.length === 0) live = <Trans>publicado, sem mudanças</Trans>
  else live = <Plural value={changes.length} one="# mudança por publicar" other="# mudanças por publicar" />
  return (
    <p className="truncate text-xs text-muted-foreground" role="status">
      {saving === 'saved' ? (
        offline ? (
          <Trans>Salvo neste computador</Trans>
        ) : (
          <Trans>Salvo</Trans>
        )
      ) : (
        <Trans>Salvando…</Trans>
      )}
      {' · '}
      {live}
    </p>
  )
}

const periods = [7, 30, 90] as const
const dayText = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

/** How contacts went through, on the cards. */
function Counts({ flowId }: { flowId: number }) {
  const { setCounts } = useEditor()
  const [days, setDays] = useState<(typeof periods)[number]>(30)
  const [today] = useState(() => dayText(0))
  const { data, error } = useFetched<{ nodes: Record<string, CardCount>; waiting: number }>(
    `/flowbuilder/${flowId}/counts`,
    { from: dayText(days), to: today },
  )
  useEffect(() => {
    if (data) setCounts(data.nodes)
    return () => setCounts(null)
  }, [data, setCounts])
  if (error)
    return (
      <Badge tone="warning">
        <Trans>Sem números agora</Trans>
      </Badge>
    )
  return (
    <Button
      variant="ghost"
      size="sm"
      onClick={() => setDays(periods[(periods.indexOf(days) + 1) % periods.length]!)}
      className="text-muted-foreground"
    >
      <Plural value={days} one="# dia" other="# dias" />
    </Button>
  )
}

/** What does something by itself when a key is pressed on it. */
const controls = 'button, a, summary, [role="button"], [role="link"], [tabindex="0"]'

/** Keys of the canvas. What is typed into a field, or while a dialog is open, is not for it. */
function useKeys(onCanvas: boolean, find: () => void) {
  const { draft, canvas, removeSelected, actions, copyText, paste, focus } = useEditor()
  useEffect(() => {
    const isElsewhere = (target: EventTarget | null) =>
      (target instanceof Element &&
        target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], aside') !== null) ||
      document.querySelector('[role="dialog"][data-state="open"]') !== null
    /** Closes the fields, and leaves the keyboard with the block that they are of. */
    const leave = () => {
      const { open, selected } = canvas.view()
      const at = open ?? [...selected][0]
      canvas.open(null)
      canvas.select([])
      if (at !== undefined) focus(at)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (isComposing(event) || event.defaultPrevented) return
      const { target } = event
      const inFields = target instanceof Element && target.closest('[data-fields]') !== null
      if (event.key === 'Escape' && inFields) return leave()
      if (isElsewhere(event.target)) return
      const { key, shiftKey } = event
      const withCommand = event.ctrlKey || event.metaKey
      const inDrawing = event.target instanceof Element && event.target.closest('.react-flow') !== null
      const did = () => event.preventDefault()
      const { selected, line } = canvas.view()
      if (withCommand && key.toLowerCase() === 'z') {
        did()
        if (shiftKey) draft.redo()
        else draft.undo()
      } else if (withCommand && key.toLowerCase() === 'y') {
        did()
        draft.redo()
      } else if (withCommand && key.toLowerCase() === 's') {
        did()
        void draft.flush()
      } else if (withCommand && key.toLowerCase() === 'f') {
        did()
        find()
      } else if (!onCanvas) return
      else if ((key === 'Delete' || key === 'Backspace') && (selected.size > 0 || line !== null)) {
        // A button elsewhere that holds the focus is not the canvas; the page itself is, and what holds the page.
        if (!inDrawing && event.target instanceof Element && event.target.closest(controls)) return
        did()
        removeSelected()
      } else if (withCommand && key.toLowerCase() === 'd' && selected.size > 0) {
        did()
        actions.duplicate([...selected])
      } else if (withCommand && key.toLowerCase() === 'a') {
        did()
        canvas.select(draft.view().nodes.keys())
      } else if (key === 'Enter' && inDrawing && selected.size === 1) canvas.open([...selected][0]!)
      else if (key === 'Escape') leave()
    }
    const onCopy = (event: ClipboardEvent) => {
      if (!onCanvas || isElsewhere(event.target) || !document.getSelection()?.isCollapsed) return
      const text = copyText()
      if (text === null) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut') removeSelected()
    }
    const onPaste = (event: ClipboardEvent) => {
      if (isElsewhere(event.target)) return
      if (paste(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    document.addEventListener('copy', onCopy)
    document.addEventListener('cut', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('cut', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [onCanvas, find, draft, canvas, removeSelected, actions, copyText, paste, focus])
}
