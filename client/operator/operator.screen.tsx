import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { DAY_MS, HOUR_MS } from '../../schema/durations.ts'
import { useNow } from '../base/now.ts'
import { dateText } from '../i18n/dates.ts'
import { OperatorGate } from '../session/operator-gate.tsx'
import { LoadingRows, OfflineCopy } from '../kit/data-list.tsx'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { fileSize } from '../kit/file-size.ts'
import { useMoney } from '../invoices/invoices.words.ts'
import { cn } from '../ui/cn.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { ConnectionsList, FailedJobs, PlanWarnings } from './operator.lists.tsx'
import { useSystem } from './operator.queries.ts'
import type { System } from './operator.queries.ts'
import { CompanyDomains } from './operator.domains.tsx'
import { OddPayments } from './operator.money.tsx'
import { UsageByCompany } from './operator.companies.tsx'
import { Usage } from './operator.usage.tsx'

/** How the whole installation is, for who runs it: what it does, what needs somebody. */
export default function OperatorScreen() {
  return (
    <OperatorGate>
      <Operation />
    </OperatorGate>
  )
}

function Operation() {
  const { t } = useLingui()
  const system = useSystem()
  const offline = useConnectionState() === 'offline'
  const { data, error, loading, reload } = system
  const [tab, setTab] = useState('usage')
  return (
    <Page title={t`Operação`} description={<Trans>Todas as empresas: como estão, nunca o que dizem.</Trans>}>
      <div className="flex flex-col gap-5">
        {data && (error || offline) && <OfflineCopy />}
        {data ? (
          <Figures system={data} />
        ) : error && !loading ? (
          <PageCard>
            <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
          </PageCard>
        ) : (
          <LoadingRows label={t`Operação`} />
        )}
        <Tabs value={tab} onValueChange={setTab} className="flex flex-col gap-4">
          <TabsList aria-label={t`Partes da operação`}>
            <TabsTrigger value="usage">
              <Trans>Uso</Trans>
            </TabsTrigger>
            <TabsTrigger value="companies">
              <Trans>Empresas</Trans>
            </TabsTrigger>
            <TabsTrigger value="connections">
              <Trans>Conexões</Trans>
            </TabsTrigger>
            <TabsTrigger value="jobs">
              <Trans>Trabalhos que falharam</Trans>
            </TabsTrigger>
            <TabsTrigger value="money">
              <Trans>Pagamentos a resolver</Trans>
            </TabsTrigger>
            <TabsTrigger value="plans">
              <Trans>Planos no limite</Trans>
            </TabsTrigger>
            <TabsTrigger value="domains">
              <Trans>Domínios</Trans>
            </TabsTrigger>
          </TabsList>
          <TabsContent value="usage">
            <Usage />
          </TabsContent>
          <TabsContent value="companies">
            <UsageByCompany />
          </TabsContent>
          <TabsContent value="connections">
            <ConnectionsList />
          </TabsContent>
          <TabsContent value="jobs">
            <FailedJobs onChanged={reload} />
          </TabsContent>
          <TabsContent value="money">
            <OddPayments onChanged={reload} />
          </TabsContent>
          <TabsContent value="plans">
            <PlanWarnings />
          </TabsContent>
          <TabsContent value="domains">
            <CompanyDomains />
          </TabsContent>
        </Tabs>
      </div>
    </Page>
  )
}

/** Jobs that could run wait no longer than this while all is well. */
const slowSeconds = 60

/** A backup is made each day, and one restored aside each week: so long nobody need look, ms. */
const madeWithinMs = 26 * HOUR_MS
const provenWithinMs = 9 * DAY_MS

/** How the backups are that the server makes by itself. */
function useBackups() {
  const { t, i18n } = useLingui()
  const now = useNow()
  const whenOf = (at: string) => dateText(i18n.locale, Date.parse(at), 'dayMonth', 'time')
  return ({ made, restored, failures }: NonNullable<System['backups']>) => {
    const failure = failures[0]
    const provenAt = restored && whenOf(restored.at)
    const isLate = (of: { at: string } | null, withinMs: number) => !of || now - Date.parse(of.at) > withinMs
    return {
      label: t`Último backup`,
      value: made ? whenOf(made.at) : t`nenhum`,
      note: failure ? (
        <span title={failure.error}>
          {failure.work === 'made' ? t`o último falhou` : t`a restauração de teste falhou`}
        </span>
      ) : provenAt ? (
        t`restaurado à parte em ${provenAt}`
      ) : (
        t`ainda não restaurado à parte`
      ),
      bad:
        failure !== undefined || isLate(made, madeWithinMs) || (restored !== null && isLate(restored, provenWithinMs)),
    }
  }
}

function Figures({ system }: { system: System }) {
  const { t, i18n } = useLingui()
  const money = useMoney()
  const backups = useBackups()
  const { connections, jobs, migrations } = system
  const minutes = Math.ceil(jobs.oldestSeconds / 60)
  const figures = [
    {
      label: t`Conexões`,
      value: i18n.number(connections.all),
      note:
        connections.broken === 0 ? (
          t`todas como deviam`
        ) : (
          <Plural value={connections.broken} one="# precisa de alguém" other="# precisam de alguém" />
        ),
      bad: connections.broken > 0,
    },
    {
      label: t`Trabalhos na fila`,
      value: i18n.number(jobs.waiting),
      note:
        jobs.oldestSeconds > slowSeconds ? (
          <Plural value={minutes} one="o mais antigo espera há # minuto" other="o mais antigo espera há # minutos" />
        ) : (
          t`em dia`
        ),
      bad: jobs.oldestSeconds > slowSeconds,
    },
    {
      label: t`Trabalhos que falharam`,
      value: i18n.number(jobs.failed),
      note: jobs.failed === 0 ? t`nenhum` : t`tente de novo ou esqueça`,
      bad: jobs.failed > 0,
    },
    {
      label: t`Pagamentos a resolver`,
      value: i18n.number(system.oddMoney),
      note:
        system.oddMoney === 0 ? (
          t`nenhum`
        ) : (
          <Plural value={system.oddMoney} one="# precisa de alguém" other="# precisam de alguém" />
        ),
      bad: system.oddMoney > 0,
    },
    {
      label: t`Em atraso`,
      value: money(system.money.late.value),
      note: !system.money.canBePaid ? (
        t`falta dizer como se paga`
      ) : (
        <Plural value={system.money.late.companies} one="de # empresa" other="de # empresas" />
      ),
      bad: system.money.late.invoices > 0 || !system.money.canBePaid,
    },
    {
      label: t`Versão`,
      value: system.version,
      note:
        migrations.pending === 0 ? (
          t`banco atualizado`
        ) : (
          <Plural value={migrations.pending} one="# migração pendente" other="# migrações pendentes" />
        ),
      bad: migrations.pending > 0,
    },
    {
      label: t`Banco de dados`,
      value: fileSize(system.databaseBytes, i18n.locale),
      note: `PostgreSQL ${system.postgres.split(' ')[0]}`,
      bad: false,
    },
    ...(system.backups ? [backups(system.backups)] : []),
  ]
  return (
    <dl className={cn('grid grid-cols-2 gap-3 sm:grid-cols-4', system.backups ? '2xl:grid-cols-8' : '2xl:grid-cols-7')}>
      {figures.map(({ label, value, note, bad }) => (
        <div
          key={label}
          className="flex flex-col gap-1 last:odd:col-span-2 2xl:last:odd:col-span-1 rounded-xl border bg-card px-4 py-3.5 shadow-xs"
        >
          <dt className="text-xs font-medium text-muted-foreground">{label}</dt>
          <dd className="text-2xl font-semibold tracking-tight tabular-nums">{value}</dd>
          <dd className={cn('text-xs', bad ? 'font-medium text-destructive-soft-foreground' : 'text-muted-foreground')}>
            {note}
          </dd>
        </div>
      ))}
    </dl>
  )
}
