import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, FlaskConical, Plus, Timer } from 'lucide-react'
import { useState } from 'react'
import { DAY_MS } from '../../schema/durations.ts'
import { slaMetrics } from '../../schema/sla-policies/sla.metrics.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { useToday } from '../session/company-day.ts'
import { useTestText } from '../custom-fields/custom-fields.tests.tsx'
import { useDirectory } from '../replica/directory.ts'
import { toastError } from '../session/failure.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { SlaPolicyDialog } from './sla-policies.dialog.tsx'
import { keptOf } from './sla-policies.kept.ts'
import { inUnit } from './sla-policies.minutes.ts'
import { type SlaPolicyRow, slaPolicies, useKeptReport, useSlaPolicies } from './sla-policies.queries.ts'
import { SlaTestDialog } from './sla-policies.test-dialog.tsx'
import { useSlaWords } from './sla-policies.words.ts'

/** What the company promises to contacts, in the order in which it is asked. */
export default function SlaPoliciesScreen() {
  const { t } = useLingui()
  const source = useSlaPolicies()
  const offline = useReadOnly(source)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<SlaPolicyRow>(source.data)
  const [tested, setTested] = useState<SlaPolicyRow>()
  const promisesOf = usePromises()
  const scopeOf = useScope()
  const keptText = useKeptWords()
  const count = source.data?.length ?? 0
  const move = async (row: SlaPolicyRow, position: number) => {
    try {
      await slaPolicies.update(row.id, { position })
      source.reload()
    } catch (error) {
      toastError(error)
    }
  }
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Nova política</Trans>
    </Button>
  )
  const actions = (row: SlaPolicyRow) => {
    const { name, position } = row
    return (
      <RowActions
        name={name}
        disabled={offline}
        onEdit={() => edit(row)}
        onRemove={() => remove(row)}
        more={[
          {
            icon: FlaskConical,
            label: t`Testar`,
            name: t`Testar ${name}`,
            disabled: offline,
            run: () => setTested(row),
          },
          position > 1 && {
            ...{ icon: ArrowUp, label: t`Subir`, name: t`Subir ${name}`, disabled: offline },
            run: () => void move(row, position - 1),
          },
          position < count && {
            ...{ icon: ArrowDown, label: t`Descer`, name: t`Descer ${name}`, disabled: offline },
            run: () => void move(row, position + 1),
          },
        ]}
      />
    )
  }
  const state = ({ active }: SlaPolicyRow) =>
    active ? (
      <Badge tone="success">
        <Trans>Ativa</Trans>
      </Badge>
    ) : (
      <Badge>
        <Trans>Desligada</Trans>
      </Badge>
    )
  return (
    <Page
      title={t`Prazos de atendimento`}
      description={<Trans>Em quanto tempo cada contato é respondido. Vale a primeira política que servir.</Trans>}
      actions={add}
    >
      <DataList
        label={t`Prazos de atendimento`}
        source={source}
        empty={
          <EmptyState icon={Timer} title={<Trans>Nenhum prazo prometido</Trans>} action={add}>
            <Trans>Com uma política, cada atendimento mostra quanto falta, e ninguém é esquecido.</Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: ({ position, name }) => (
              <span className="text-sm font-medium">
                <span className="mr-2 text-muted-foreground tabular-nums">{position}.</span>
                {name}
              </span>
            ),
            className: 'min-w-44 wrap-anywhere',
          },
          {
            id: 'for',
            header: <Trans>Para</Trans>,
            cell: scopeOf,
            className: 'max-w-72 truncate text-muted-foreground',
          },
          { id: 'promises', header: <Trans>Promete</Trans>, cell: promisesOf, className: 'text-muted-foreground' },
          {
            id: 'kept',
            header: <Trans>Últimos 30 dias</Trans>,
            cell: keptText,
            className: 'w-44 text-muted-foreground tabular-nums max-lg:hidden',
          },
          { id: 'state', header: <Trans>Situação</Trans>, cell: state, className: 'w-28' },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-52' },
        ]}
        card={(row) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <span className="flex items-center gap-2">
                <span className="truncate text-sm font-medium">
                  {row.position}. {row.name}
                </span>
                {state(row)}
              </span>
              <span className="text-xs text-muted-foreground">{scopeOf(row)}</span>
              <span className="text-xs text-muted-foreground">{promisesOf(row)}</span>
              <span className="text-xs text-muted-foreground tabular-nums">{keptText(row)}</span>
            </div>
            <div className="-mr-2 flex">{actions(row)}</div>
          </div>
        )}
      />
      {edited !== undefined && <SlaPolicyDialog policy={edited} onClose={close} onSaved={source.reload} />}
      {tested && <SlaTestDialog policy={tested} onClose={() => setTested(undefined)} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => slaPolicies.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Os prazos que correm por ela terminam, sem contar como cumpridos nem vencidos.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

/** "Primeira resposta: 15 minutos · Resolução: 8 horas". */
function usePromises() {
  const { metrics } = useSlaWords()
  const span = (minutes: number) => {
    const { count, unit } = inUnit(minutes)
    return {
      minutes: plural(count, { one: '# minuto', other: '# minutos' }),
      hours: plural(count, { one: '# hora', other: '# horas' }),
      days: plural(count, { one: '# dia', other: '# dias' }),
    }[unit]
  }
  return (row: SlaPolicyRow): string =>
    slaMetrics
      .flatMap((metric) => {
        const minutes = row[metric]
        return minutes === null ? [] : [`${metrics[metric]}: ${span(minutes)}`]
      })
      .join(' · ')
}

const KEPT_DAYS = 30

/** How many of its promises were kept lately; '' where none has ended. */
function useKeptWords() {
  const { t, i18n } = useLingui()
  const to = useToday()
  const from = new Date(Date.parse(to) - (KEPT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  const records = useKeptReport({ from, to }).data
  return ({ id }: SlaPolicyRow): string => {
    const { met, all, share: part } = keptOf(records?.filter(({ policyId }) => policyId === id) ?? [])
    if (all === 0) return ''
    const share = i18n.number(part, { style: 'percent', maximumFractionDigits: 1 })
    return t`${share} no prazo (${met} de ${all})`
  }
}

/** Queues, tags and the contact's field, by name. */
function useScope() {
  const { t } = useLingui()
  const { queues, tags } = useDirectory()
  const testText = useTestText()
  return ({ queueIds, tagIds, contactField }: SlaPolicyRow): string =>
    [
      ...queueIds.map((id) => queues.byId.get(id)?.name ?? `#${id}`),
      ...tagIds.map((id) => tags.byId.get(id)?.name ?? `#${id}`),
      ...(contactField
        ? ['op' in contactField ? testText(contactField) : `${contactField.name}: ${contactField.value}`]
        : []),
    ].join(', ') || t`Todos os atendimentos`
}
