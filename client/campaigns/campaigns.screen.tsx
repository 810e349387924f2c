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
import type { CampaignMove } from '../../schema/campaigns/campaigns.state.ts'
import { mayMove } from '../../schema/campaigns/campaigns.transition.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { followed } from '../kit/followed.ts'
import { toastError } from '../session/failure.tsx'
import { MoreActions } from '../kit/more-actions.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { CancelDialog } from './campaigns.cancel-dialog.tsx'
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
  const [cancelling, setCancelling] = useState<Campaign | null>(null)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Campaign>(source.data)
  const when = (at: string | null) => (at ? dateText(i18n.locale, new Date(at), 'date', 'time') : '—')

  const move = async (campaign: Campaign, wish: CampaignMove) => {
    try {
      await campaigns.move(campaign.id, wish)
      toast.success(
        wish === 'cancel'
          ? t`Campanha cancelada`
          : wish === 'pause'
            ? t`Campanha pausada`
            : wish === 'restart'
              ? t`Campanha reiniciada`
              : t`Campanha retomada`,
      )
      source.reload()
    } catch (error) {
      toastError(error)
    }
  }
  const actions = (campaign: Campaign) => {
    const { status, name, id } = campaign
    const atWork = status === 'EM_ANDAMENTO' || status === 'PAUSADA'
    return (
      <RowActions
        name={name}
        disabled={offline}
        onEdit={() => edit(campaign)}
        {...(!atWork && { onRemove: () => remove(campaign) })}
        more={[
          (status === 'INATIVA' || status === 'PROGRAMADA') && {
            ...{ icon: Play, label: t`Iniciar`, name: t`Iniciar ${name}`, disabled: offline },
            run: () => setStarting(campaign),
          },
          status === 'EM_ANDAMENTO' && {
            ...{ icon: Pause, label: t`Pausar`, name: t`Pausar ${name}`, disabled: offline },
            run: () => void move(campaign, 'pause'),
          },
          status === 'CANCELADA' && {
            ...{ icon: RotateCcw, label: t`Reiniciar`, name: t`Reiniciar ${name}`, disabled: offline },
            run: () => void move(campaign, 'restart'),
          },
          status === 'PAUSADA' && {
            ...{ icon: Play, label: t`Retomar`, name: t`Retomar ${name}`, disabled: offline },
            run: () => void move(campaign, 'resume'),
          },
          mayMove(status, 'cancel') && {
            ...{ icon: OctagonX, label: t`Cancelar campanha`, name: t`Cancelar campanha ${name}`, disabled: offline },
            run: () => (status === 'PROGRAMADA' ? setCancelling(campaign) : void move(campaign, 'cancel')),
          },
          {
            ...{ icon: ChartColumn, label: t`Relatório`, name: t`Relatório de ${name}` },
            link: (props) => <Link {...props} to="/campaign/$id/report" params={{ id: String(id) }} />,
          },
        ]}
      />
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
          <MoreActions
            actions={[
              {
                ...{ icon: ListChecks, label: t`Listas de contatos` },
                link: (props) => <Link {...props} to="/contact-lists" />,
              },
              { icon: Target, label: t`Segmentos`, link: (props) => <Link {...props} to="/segments" /> },
              { icon: Ban, label: t`Descadastros`, link: (props) => <Link {...props} to="/opt-outs" /> },
              { icon: Settings, label: t`Configurações`, link: (props) => <Link {...props} to="/campaigns-config" /> },
            ]}
          />
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
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-52' },
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
      {starting && (
        <StartDialog
          campaign={followed(source.data, starting)}
          onClose={() => setStarting(null)}
          onStarted={source.reload}
        />
      )}
      {cancelling && (
        <CancelDialog
          campaign={followed(source.data, cancelling)}
          onClose={() => setCancelling(null)}
          onCancelled={source.reload}
        />
      )}
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
