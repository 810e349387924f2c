import { Trans, useLingui } from '@lingui/react/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Check, Minus, Pencil, ScrollText, X } from 'lucide-react'
import { useState } from 'react'
import { type RuleResult, ruleResults } from '../../schema/rules/rules.table.ts'
import { dateText } from '../i18n/dates.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { errorText } from '../session/error-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { RuleDialog } from './rules.dialog.tsx'
import { type RuleRow, type RunRow, useRule, useRuns } from './rules.queries.ts'
import { useRuleSentences } from './rules.sentences.ts'
import { useConditionWords, useResultWords } from './rules.words.ts'

const route = getRouteApi('/private/rules/$id')
const tones = { done: 'success', passed: 'neutral', blocked: 'warning', refused: 'destructive' } as const

/** One rule: what it says, and what it did and why. */
export default function RuleScreen() {
  const { t } = useLingui()
  const id = Number(route.useParams().id)
  const { data, error, loading, reload } = useRule(id)
  if (!data)
    return (
      <Page title={t`Regra`}>
        <PageCard>
          {error && !loading ? (
            <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
          ) : (
            <div role="status" aria-label={t`Carregando a regra`} className="flex flex-col gap-3 p-4">
              <Skeleton className="h-5 w-1/2" />
              <Skeleton className="h-4 w-4/5" />
            </div>
          )}
        </PageCard>
      </Page>
    )
  return <Shown rule={data} onChanged={reload} />
}

function Shown({ rule, onChanged }: { rule: RuleRow; onChanged: () => void }) {
  const { t } = useLingui()
  const { when, then } = useRuleSentences()
  const results = useResultWords()
  const [wanted, setWanted] = useState<RuleResult | 'all'>('all')
  const [editing, setEditing] = useState(false)
  const source = useRuns(rule.id, wanted === 'all' ? null : wanted)
  const offline = useReadOnly(source)
  return (
    <Page
      title={rule.name}
      description={`${when(rule)}, ${then(rule)}`}
      actions={
        <Button variant="outline" disabled={offline} onClick={() => setEditing(true)}>
          <Pencil />
          <Trans>Editar</Trans>
        </Button>
      }
    >
      <div className="flex flex-wrap items-center gap-3">
        {rule.active ? (
          <Badge tone="success">
            <Trans>Ligada</Trans>
          </Badge>
        ) : (
          <Badge>
            <Trans>Desligada</Trans>
          </Badge>
        )}
        <Tabs value={wanted} onValueChange={(value) => setWanted(value as RuleResult | 'all')} className="min-w-0">
          <TabsList aria-label={t`Quais execuções`}>
            <TabsTrigger value="all">
              <Trans>Todas</Trans>
            </TabsTrigger>
            {ruleResults.map((result) => (
              <TabsTrigger key={result} value={result}>
                {results[result]}
              </TabsTrigger>
            ))}
          </TabsList>
        </Tabs>
      </div>
      <Runs source={source} />
      {editing && <RuleDialog row={rule} onClose={() => setEditing(false)} onSaved={onChanged} />}
    </Page>
  )
}

function Runs({ source }: { source: ReturnType<typeof useRuns> }) {
  const { t, i18n } = useLingui()
  const results = useResultWords()
  const when = ({ createdAt }: RunRow) => (
    <time dateTime={createdAt} className="text-muted-foreground tabular-nums">
      {dateText(i18n.locale, new Date(createdAt), 'moment')}
    </time>
  )
  const result = (run: RunRow) => <Badge tone={tones[run.result]}>{results[run.result]}</Badge>
  return (
    <DataList
      label={t`Execuções`}
      source={source}
      empty={
        <EmptyState icon={ScrollText} title={<Trans>Nenhuma execução</Trans>}>
          <Trans>Quando a regra for perguntada, aqui aparece o que ela fez e por quê.</Trans>
        </EmptyState>
      }
      columns={[
        { id: 'when', header: <Trans>Quando</Trans>, cell: when, className: 'w-40' },
        {
          id: 'ticket',
          header: <Trans>Atendimento</Trans>,
          cell: (run) => <Ticket run={run} />,
          className: 'min-w-40',
        },
        { id: 'result', header: <Trans>Resultado</Trans>, cell: result, className: 'w-28' },
        { id: 'why', header: <Trans>Por quê</Trans>, cell: (run) => <Why run={run} />, className: 'min-w-56' },
      ]}
      card={(run) => (
        <div className="flex flex-col gap-1 text-sm">
          <span className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate">
              <Ticket run={run} />
            </span>
            {result(run)}
          </span>
          <Why run={run} />
          <span className="text-xs">{when(run)}</span>
        </div>
      )}
    />
  )
}

function Ticket({ run: { ticket } }: { run: RunRow }) {
  const { t } = useLingui()
  if (!ticket)
    return (
      <span className="text-muted-foreground">
        <Trans>De outra pessoa</Trans>
      </span>
    )
  const { id, uuid, name } = ticket
  return (
    <Link
      to="/tickets/$uuid"
      params={{ uuid }}
      className="focus-ring rounded-sm text-primary-soft-foreground underline-offset-4 hover:underline"
    >
      {t`nº ${id}`} {name}
    </Link>
  )
}

/** Each condition with what it found, and what became of it. */
function Why({ run: { met, outcome, version } }: { run: RunRow }) {
  const { t } = useLingui()
  const { kinds } = useConditionWords()
  const { found, outcome: said } = useRuleSentences()
  const words = said(outcome)
  return (
    <div className="flex flex-col gap-1 text-xs">
      {met.length > 0 && (
        <ul className="flex flex-wrap gap-x-3 gap-y-0.5" aria-label={t`Condições`}>
          {met.map((one, index) => {
            const Mark = one.held ? Check : X
            const what = found(one)
            return (
              <li key={index} className={cn('inline-flex items-center gap-1', !one.held && 'text-muted-foreground')}>
                <Mark aria-hidden="true" className={cn('size-3', one.held && 'text-success-soft-foreground')} />
                <span className="sr-only">{one.held ? t`Valia:` : t`Não valia:`}</span>
                {kinds[one.kind]}
                {what !== '' && <span className="text-muted-foreground">({what})</span>}
              </li>
            )
          })}
        </ul>
      )}
      {met.length === 0 && (
        <span className="inline-flex items-center gap-1 text-muted-foreground">
          <Minus aria-hidden="true" className="size-3" />
          <Trans>Sem condições</Trans>
        </span>
      )}
      {words !== '' && <span className="font-medium">{words}</span>}
      <span className="text-muted-foreground tabular-nums">
        <Trans>Versão {version}</Trans>
      </span>
    </div>
  )
}
