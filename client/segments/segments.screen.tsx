import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Plus, SearchX, Target } from 'lucide-react'
import type { SegmentRule } from '../../schema/segments/segments.inputs.ts'
import { useTestText } from '../custom-fields/custom-fields.tests.tsx'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { CampaignsLink } from '../campaigns/campaigns.link.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { SegmentDialog } from './segments.dialog.tsx'
import { type Segment, segments, useRuleChoices, useSegmentCount, useSegments } from './segments.queries.ts'

export default function SegmentsScreen() {
  return (
    <PlanGate feature="useCampaigns">
      <Segments />
    </PlanGate>
  )
}

function Segments() {
  const { t } = useLingui()
  const { search, setSearch, settled } = useSearchText()
  const source = useSegments(settled)
  const offline = useReadOnly(source)
  const words = useRuleWords()
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Segment>(source.data)
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Novo segmento</Trans>
    </Button>
  )
  const rulesOf = ({ match, rules }: Segment) => rules.map(words).join(match === 'all' ? t` e ` : t` ou `)
  const actions = (segment: Segment) => (
    <RowActions name={segment.name} disabled={offline} onEdit={() => edit(segment)} onRemove={() => remove(segment)} />
  )
  return (
    <Page
      title={t`Segmentos`}
      description={<Trans>Pessoas com algo em comum. Quem está em um é visto na hora em que a campanha começa.</Trans>}
      actions={
        <>
          <CampaignsLink />
          {add}
        </>
      }
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar segmento`} />}
    >
      <DataList
        label={t`Segmentos`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhum segmento encontrado</Trans>}>
              <Trans>Nenhum segmento tem “{search}” no nome.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={Target} title={<Trans>Nenhum segmento</Trans>} action={add}>
              <Trans>Um segmento escolhe pessoas por etiqueta, fila, último contato e outras regras.</Trans>
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
            id: 'rules',
            header: <Trans>Regras</Trans>,
            cell: rulesOf,
            className: 'max-w-96 truncate text-muted-foreground',
          },
          {
            id: 'count',
            header: <Trans>Pessoas agora</Trans>,
            cell: ({ id }) => <Count id={id} />,
            className: 'w-36 tabular-nums text-muted-foreground',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(segment) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <span className="truncate text-sm font-medium">{segment.name}</span>
              <span className="text-xs text-muted-foreground">{rulesOf(segment)}</span>
              <span className="text-xs text-muted-foreground tabular-nums">
                <Count id={segment.id} />
              </span>
            </div>
            <div className="-mr-2 flex">{actions(segment)}</div>
          </div>
        )}
      />
      {edited !== undefined && <SegmentDialog segment={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          uses={<UsesList noun="segment" id={removed.id} />}
          remove={() => segments.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>As pessoas dele permanecem nos contatos.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

function Count({ id }: { id: number }) {
  const count = useSegmentCount(id)
  if (count === undefined) return '…'
  if (count === null) return <Trans>poucas pessoas</Trans>
  return <Plural value={count} one="# pessoa" other="# pessoas" />
}

/** A rule as a few words. */
function useRuleWords(): (rule: SegmentRule) => string {
  const { t } = useLingui()
  const { tags, queues, lists } = useRuleChoices()
  const testText = useTestText()
  const name = (all: readonly { id: number; name: string }[], id: number) =>
    all.find((one) => one.id === id)?.name ?? '—'
  return (rule) => {
    switch (rule.kind) {
      case 'tag':
        return t`etiqueta ${name(tags, rule.tagId)}`
      case 'queue':
        return t`fila ${name(queues, rule.queueId)}`
      case 'list':
        return t`lista ${name(lists, rule.contactListId)}`
      case 'field':
        return `${rule.name} = ${rule.value}`
      case 'ownField':
        return testText(rule.test)
      case 'lastContact':
        return rule.when === 'within'
          ? plural(rule.days, { one: 'contato há no máximo # dia', other: 'contato há no máximo # dias' })
          : plural(rule.days, { one: 'contato há mais de # dia', other: 'contato há mais de # dias' })
      case 'lastCampaign':
        return rule.when === 'within'
          ? plural(rule.days, { one: 'campanha no último dia', other: 'campanha nos últimos # dias' })
          : plural(rule.days, { one: 'sem campanha no último dia', other: 'sem campanha nos últimos # dias' })
    }
  }
}
