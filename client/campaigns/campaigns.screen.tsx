import { dateText } from '../i18n/dates.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import {
  Ban,
  ChartColumn,
  ListChecks,
  Megaphone,
  OctagonX,
  Pause,
  Play,
  Plus,
  RotateCcw,
  SearchX,
  Settings,
  Target,
} from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CampaignMove } from '../../schema/campaigns/campaigns.state.ts'
import { DataList, useReadOnly } from '../app/data-list.tsx'
import { toastError } from '../app/error-text.ts'
import { PlanGate } from '../app/plan-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../app/row-actions.tsx'
import { SearchInput, useSearchText } from '../app/search-input.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { CampaignDialog } from './campaigns.dialog.tsx'
import { campaigns, useCampaigns } from './campaigns.queries.ts'
import type { Campaign } from './campaigns.queries.ts'
import { StartDialog } from './campaigns.start-dialog.tsx'
import { CampaignStatusBadge } from './campaigns.words.tsx'

export default function CampaignsScreen() {
  return (
    <PlanGate feature="useCampaigns">
      <Campaigns />
    </PlanGate>
  )
}

function Campaigns() {
  const { t, i18n } = useLingui()
  const { search, setSearch, settled } = useSearchText()
  const source = useCampaigns(settled)
  const offline = useReadOnly(source)
  const [starting, setStarting] = useState<Campaign | null>(null)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Campaign>()
  const when = (at: string | null) => (at ? dateText(i18n.locale, new Date(at), 'date', 'time') : '—')

  const move = async (campaign: Campaign, wish: CampaignMove) => {
    try {
      await campaigns.move(campaign.id, wish)
      toast.success(wish === 'cancel' ? t`Campanha cancelada` : t`Campanha retomada`)
      source.reload()
    } catch (error) {
      toastError(error)
    }
  }
  const button = (label: string, icon: ReactNode, onClick: () => void) => (
    <Tooltip content={label}>
      <Button
        variant="ghost"
        size="icon"
        className="text-muted-foreground hover:text-foreground"
        disabled={offline}
        aria-label={label}
        onClick={onClick}
      >
        {icon}
      </Button>
    </Tooltip>
  )
  const actions = (campaign: Campaign) => {
    const { status, name, id } = campaign
    const atWork = status === 'EM_ANDAMENTO' || status === 'PAUSADA'
    return (
      <RowActions
        name={name}
        disabled={offline}
        onEdit={() => edit(campaign)}
        {...(!atWork && { onRemove: () => remove(campaign) })}
      >
        {(status === 'INATIVA' || status === 'PROGRAMADA') &&
          button(t`Iniciar ${name}`, <Play />, () => setStarting(campaign))}
        {status === 'EM_ANDAMENTO' && button(t`Pausar ${name}`, <Pause />, () => void move(campaign, 'pause'))}
        {status === 'EM_ANDAMENTO' && button(t`Parar ${name}`, <OctagonX />, () => void move(campaign, 'cancel'))}
        {status === 'CANCELADA' && button(t`Reiniciar ${name}`, <RotateCcw />, () => void move(campaign, 'restart'))}
        {status === 'PAUSADA' && button(t`Retomar ${name}`, <Play />, () => void move(campaign, 'resume'))}
        <Tooltip content={t`Relatório`}>
          <Button variant="ghost" size="icon" className="text-muted-foreground hover:text-foreground" asChild>
            <Link to="/campaign/$id/report" params={{ id: String(id) }} aria-label={t`Relatório de ${name}`}>
              <ChartColumn />
            </Link>
          </Button>
        </Tooltip>
      </RowActions>
    )
  }
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Nova campanha</Trans>
    </Button>
  )

  return (
    <Page
      title={t`Campanhas`}
      actions={
        <>
          <Button variant="outline" asChild>
            <Link to="/contact-lists">
              <ListChecks />
              <span className="max-sm:sr-only">
                <Trans>Listas de contatos</Trans>
              </span>
            </Link>
          </Button>
          <Button variant="outline" asChild>
            <Link to="/segments">
              <Target />
              <span className="max-sm:sr-only">
                <Trans>Segmentos</Trans>
              </span>
            </Link>
          </Button>
          <Button variant="outline" asChild>
            <Link to="/opt-outs">
              <Ban />
              <span className="max-sm:sr-only">
                <Trans>Descadastros</Trans>
              </span>
            </Link>
          </Button>
          <Button variant="outline" asChild>
            <Link to="/campaigns-config">
              <Settings />
              <span className="max-sm:sr-only">
                <Trans>Configurações</Trans>
              </span>
            </Link>
          </Button>
          {add}
        </>
      }
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar campanha`} />}
    >
      <DataList
        label={t`Campanhas`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhuma campanha encontrada</Trans>}>
              <Trans>Nenhuma campanha tem “{search}” no nome.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={Megaphone} title={<Trans>Nenhuma campanha</Trans>} action={add}>
              <Trans>Uma campanha manda uma mensagem a uma lista de contatos, no ritmo que você escolher.</Trans>
            </EmptyState>
          )
        }
        columns={[
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: ({ name }) => <span className="text-sm font-medium">{name}</span>,
            className: 'wrap-anywhere',
          },
          {
            id: 'status',
            header: <Trans>Status</Trans>,
            cell: ({ status }) => <CampaignStatusBadge status={status} />,
          },
          {
            id: 'list',
            header: <Trans>Lista</Trans>,
            cell: ({ contactList }) => contactList?.name ?? '—',
            className: 'text-muted-foreground',
          },
          {
            id: 'connection',
            header: <Trans>Conexão</Trans>,
            cell: ({ whatsapp }) => whatsapp?.name ?? '—',
            className: 'text-muted-foreground',
          },
          {
            id: 'scheduledAt',
            header: <Trans>Agendamento</Trans>,
            cell: ({ scheduledAt }) => when(scheduledAt),
            className: 'tabular-nums text-muted-foreground',
          },
          {
            id: 'completedAt',
            header: <Trans>Conclusão</Trans>,
            cell: ({ completedAt }) => when(completedAt),
            className: 'tabular-nums text-muted-foreground',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-44' },
        ]}
        card={(campaign) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
              <span className="max-w-full truncate text-sm font-medium">{campaign.name}</span>
              <CampaignStatusBadge status={campaign.status} />
              <span className="text-xs text-muted-foreground">{campaign.contactList?.name ?? '—'}</span>
            </div>
            <div className="-mr-2 flex">{actions(campaign)}</div>
          </div>
        )}
      />
      {edited !== undefined && <CampaignDialog campaign={edited} onClose={close} onSaved={source.reload} />}
      {starting && <StartDialog campaign={starting} onClose={() => setStarting(null)} onStarted={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => campaigns.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>O relatório dela é excluído também.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}
