import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  Copy,
  Download,
  EllipsisVertical,
  FileUp,
  History,
  KeyRound,
  LayoutTemplate,
  Pencil,
  PencilRuler,
  Plus,
  SearchX,
  Trash2,
  Workflow,
} from 'lucide-react'
import { useRef, useState } from 'react'
import { exportFile, fromFamily } from '../../schema/flows/flows.family.ts'
import type { FlowNode } from '../../schema/flows/flows.graph.ts'
import { graphOf } from '../../schema/flows/flows.rows.ts'
import { useReplica } from '../replica/replica.tsx'
import { saveBlob } from '../kit/media.ts'
import { toast } from '../ui/toaster.tsx'
import { TemplateDialog } from './flows.template-dialog.tsx'
import { DataList } from '../kit/data-list.tsx'
import { toastError } from '../session/failure.tsx'
import { useConnectionState } from '../session/connection-state.ts'
import { MoreActions } from '../kit/more-actions.tsx'
import { succeeds } from '../kit/row-actions.tsx'
import { msOf } from '../replica/rows.ts'
import { useCan } from '../session/session.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { dateText } from '../i18n/dates.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Switch } from '../ui/switch.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { RunsDialog } from './flow-runs.dialog.tsx'
import { FlowNameDialog } from './flows.name-dialog.tsx'
import { flows, type FlowListRow, useFlows } from './flows.queries.ts'
import { draftOf } from './flows.rows.ts'
import { SecretsDialog } from './flows.secrets-dialog.tsx'

type Overlay =
  | { kind: 'name'; flow: FlowListRow | null; nodes?: readonly FlowNode[]; suggested?: string }
  | { kind: 'template' }
  | { kind: 'secrets' }
  | { kind: 'duplicate'; flow: FlowListRow }
  | { kind: 'runs'; flow: FlowListRow }
  | { kind: 'remove'; flow: FlowListRow }
  | null

export default function FlowsScreen() {
  const { t, i18n } = useLingui()
  const mayTrace = useCan('automations:trace')
  const navigate = useNavigate()
  const offline = useConnectionState() === 'offline'
  const { search, setSearch, settled } = useSearchText()
  const source = useFlows(settled)
  const [overlay, setOverlay] = useState<Overlay>(null)
  const input = useRef<HTMLInputElement>(null)
  const replica = useReplica()
  const save = async (flow: FlowListRow) => {
    const rows = await draftOf(replica, flow.id)
    const file = exportFile(flow.name, graphOf(rows), new Date().toISOString())
    saveBlob(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }), `${flow.name}.json`)
  }
  const close = () => setOverlay(null)
  const open = (id: number) => void navigate({ to: '/flowbuilder/$id', params: { id: String(id) } })

  const add = (
    <Button disabled={offline} onClick={() => setOverlay({ kind: 'name', flow: null })}>
      <Plus />
      <Trans>Adicionar fluxo</Trans>
    </Button>
  )
  const read = async (file: File) => {
    const said = fromFamily(parsed(await file.text()))
    if (!said.ok) return toast.error(t`O arquivo não tem um fluxo que se possa ler.`)
    const notes = said.notes.length
    if (notes > 0) toast.info(t`Nem tudo do arquivo tem sentido aqui: veja os problemas no desenho.`)
    setOverlay({
      kind: 'name',
      flow: null,
      nodes: said.graph.nodes,
      suggested: said.name ?? file.name.replace(/\.json$/i, ''),
    })
  }
  const more = (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        className="hidden"
        aria-hidden="true"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void read(file)
        }}
      />
      <MoreActions
        actions={[
          { icon: KeyRound, label: t`Segredos`, run: () => setOverlay({ kind: 'secrets' }) },
          { icon: FileUp, label: t`Importar`, disabled: offline, run: () => input.current?.click() },
          {
            ...{ icon: LayoutTemplate, label: t`Usar um modelo`, disabled: offline },
            run: () => setOverlay({ kind: 'template' }),
          },
        ]}
      />
    </>
  )
  const name = (flow: FlowListRow) => (
    <Link
      to="/flowbuilder/$id"
      params={{ id: String(flow.id) }}
      className="focus-ring rounded-sm font-medium wrap-anywhere hover:underline"
    >
      {flow.name}
    </Link>
  )
  const status = (flow: FlowListRow) => (
    <span className="flex flex-wrap items-center gap-2">
      <Switch
        checked={flow.active}
        disabled={offline}
        aria-label={t`${flow.name}: ativo`}
        onCheckedChange={(active) => void flows.setActive(flow.id, active).catch(toastError)}
      />
      <span className={flow.active ? undefined : 'text-muted-foreground'}>
        {flow.active ? <Trans>Ativo</Trans> : <Trans>Desativado</Trans>}
      </span>
      {flow.versionId === null && (
        <Badge tone="warning">
          <Trans>nunca publicado</Trans>
        </Badge>
      )}
    </span>
  )
  const actions = (flow: FlowListRow) => (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" className="text-muted-foreground" aria-label={t`Ações de ${flow.name}`}>
          <EllipsisVertical />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem disabled={offline} onSelect={() => setOverlay({ kind: 'name', flow })}>
          <Pencil />
          <Trans>Editar nome</Trans>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => open(flow.id)}>
          <PencilRuler />
          <Trans>Editar fluxo</Trans>
        </DropdownMenuItem>
        <DropdownMenuItem disabled={offline} onSelect={() => setOverlay({ kind: 'duplicate', flow })}>
          <Copy />
          <Trans>Duplicar</Trans>
        </DropdownMenuItem>
        {mayTrace && (
          <DropdownMenuItem disabled={offline} onSelect={() => setOverlay({ kind: 'runs', flow })}>
            <History />
            <Trans>Últimas execuções</Trans>
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => void save(flow).catch(toastError)}>
          <Download />
          <Trans>Exportar</Trans>
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem destructive disabled={offline} onSelect={() => setOverlay({ kind: 'remove', flow })}>
          <Trash2 />
          <Trans>Excluir</Trans>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
  return (
    <Page
      title={t`Fluxos de conversa`}
      actions={
        <>
          {more}
          {add}
        </>
      }
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar fluxo`} />}
    >
      <DataList
        label={t`Fluxos de conversa`}
        source={source}
        onOpen={({ id }) => open(id)}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhum fluxo encontrado</Trans>}>
              <Trans>Nenhum fluxo tem “{search}” no nome.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={Workflow} title={<Trans>Nenhum fluxo</Trans>} action={add}>
              <Trans>
                Um fluxo conversa com o contato enquanto nenhum atendente responde: pergunta, oferece, encaminha.
              </Trans>
            </EmptyState>
          )
        }
        columns={[
          { id: 'name', header: <Trans>Nome</Trans>, cell: name, className: 'wrap-anywhere' },
          { id: 'status', header: <Trans>Status</Trans>, cell: status, className: 'w-72' },
          {
            id: 'nodes',
            header: <Trans>Blocos</Trans>,
            cell: (flow) => flow.nodes,
            className: 'w-24 tabular-nums text-muted-foreground',
          },
          {
            id: 'updatedAt',
            header: <Trans>Última mudança</Trans>,
            cell: (flow) => dateText(i18n.locale, msOf(flow.updatedAt), 'moment'),
            className: 'w-44 tabular-nums text-muted-foreground',
          },
          {
            id: 'actions',
            header: <span className="sr-only">{t`Ações`}</span>,
            cell: (flow) => <div className="flex justify-end">{actions(flow)}</div>,
            className: 'w-16',
          },
        ]}
        card={(flow) => (
          <div className="flex items-start gap-2">
            <div className="flex min-w-0 flex-1 flex-col gap-2">
              {name(flow)}
              <span className="text-sm">{status(flow)}</span>
              <span className="text-xs text-muted-foreground">
                <Plural value={flow.nodes} one="# bloco" other="# blocos" />
                {' · '}
                {dateText(i18n.locale, msOf(flow.updatedAt), 'moment')}
              </span>
            </div>
            <div className="-mt-1 -mr-2">{actions(flow)}</div>
          </div>
        )}
      />
      {overlay?.kind === 'name' && (
        <FlowNameDialog
          flow={overlay.flow}
          nodes={overlay.nodes}
          suggested={overlay.suggested}
          onClose={close}
          {...(!overlay.flow && { onMade: open })}
        />
      )}
      {overlay?.kind === 'runs' && <RunsDialog flow={overlay.flow} onClose={close} />}
      {overlay?.kind === 'secrets' && <SecretsDialog onClose={close} />}
      {overlay?.kind === 'template' && (
        <TemplateDialog
          onClose={close}
          onChosen={(nodes, suggested) => setOverlay({ kind: 'name', flow: null, nodes, suggested })}
        />
      )}
      {overlay?.kind === 'duplicate' && (
        <ConfirmDialog
          open
          onOpenChange={close}
          title={<Trans>Deseja duplicar o fluxo {overlay.flow.name}?</Trans>}
          confirmLabel={<Trans>Duplicar</Trans>}
          onConfirm={() =>
            succeeds(
              () => flows.duplicate(overlay.flow.id),
              t`Fluxo duplicado com sucesso`,
              () => undefined,
            )
          }
        />
      )}
      {overlay?.kind === 'remove' && (
        <ConfirmDialog
          open
          onOpenChange={close}
          destructive
          title={<Trans>Excluir {overlay.flow.name}?</Trans>}
          confirmLabel={<Trans>Excluir</Trans>}
          onConfirm={() =>
            succeeds(
              () => flows.remove(overlay.flow.id),
              t`Fluxo excluído com sucesso`,
              () => undefined,
            )
          }
        >
          <p>
            <Trans>Tem certeza de que deseja excluir este fluxo? As conversas que estão nele saem dele.</Trans>
          </p>
          <UsesList noun="flow" id={overlay.flow.id} />
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** What a file holds, or nothing that anybody can read. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
