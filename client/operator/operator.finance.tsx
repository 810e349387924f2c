import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { CircleCheck, Receipt } from 'lucide-react'
import { useState } from 'react'
import { standingOf } from '../../schema/companies/companies.subscription.ts'
import { DataList } from '../kit/data-list.tsx'
import { useNow } from '../base/now.ts'
import { MoneyOverview, Owed } from '../companies/companies.money.tsx'
import { type Company, type CompanyFilter, useCompanies } from '../companies/companies.queries.ts'
import { companyStateTones, useCompanyStateName } from '../companies/companies.words.ts'
import { CompanyInvoices } from '../invoices/invoices.operator.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { OddPayments } from './operator.money.tsx'

/** What the companies owe the platform. The operator's own pays nothing to itself. */
export function PlatformFinance() {
  const { t } = useLingui()
  const [filter, setFilter] = useState<CompanyFilter>('late')
  const source = useCompanies('', filter, 'owed')
  return (
    <Page
      title={t`Financeiro`}
      description={<Trans>O que as empresas pagam à plataforma.</Trans>}
      actions={
        <Button asChild variant="outline">
          <Link to="/settings" search={{ tab: 'companies' }}>
            <Trans>Todas as empresas</Trans>
          </Link>
        </Button>
      }
    >
      <div className="flex flex-col gap-6">
        <MoneyOverview />
        <section aria-labelledby="who-owes" className="flex flex-col gap-3">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2 id="who-owes" className="text-sm font-semibold">
              <Trans>Quem deve</Trans>
            </h2>
            <Select
              aria-label={t`Quais empresas`}
              className="w-full sm:w-56"
              value={filter}
              onChange={setFilter}
              options={[
                { value: 'late', label: t`Em atraso` },
                { value: 'owing', label: t`Com fatura aberta` },
              ]}
            />
          </div>
          <Debtors source={source} />
        </section>
        <section aria-labelledby="odd-payments" className="flex flex-col gap-3">
          <h2 id="odd-payments" className="text-sm font-semibold">
            <Trans>Pagamentos a resolver</Trans>
          </h2>
          <OddPayments onChanged={source.reload} />
        </section>
      </div>
    </Page>
  )
}

function Debtors({ source }: { source: ReturnType<typeof useCompanies> }) {
  const { t } = useLingui()
  const now = new Date(useNow())
  const stateName = useCompanyStateName()
  const [billed, setBilled] = useState<Company | null>(null)
  const who = (company: Company) => (
    <span className="flex min-w-0 flex-col">
      <span className="truncate font-medium">{company.name}</span>
      <span className="truncate text-xs text-muted-foreground">{company.email}</span>
    </span>
  )
  const state = (company: Company) => {
    const standing = standingOf(company, now)
    return <Badge tone={companyStateTones[standing]}>{stateName(standing)}</Badge>
  }
  const owed = (company: Company) =>
    company.owedSince === null ? (
      <span className="text-xs text-muted-foreground">
        <Trans>nada faturado</Trans>
      </span>
    ) : (
      <Owed of={company} now={now} />
    )
  const actions = (company: Company) => (
    <Button size="sm" variant="outline" aria-label={t`Faturas de ${company.name}`} onClick={() => setBilled(company)}>
      <Receipt />
      <Trans>Faturas</Trans>
    </Button>
  )
  return (
    <>
      <DataList
        label={t`Quem deve`}
        source={source}
        empty={<EmptyState icon={CircleCheck} title={<Trans>Nenhuma empresa deve nada aqui</Trans>} />}
        columns={[
          { id: 'company', header: <Trans>Empresa</Trans>, cell: who, className: 'wrap-anywhere' },
          {
            id: 'plan',
            header: <Trans>Plano</Trans>,
            cell: ({ plan }) => plan?.name ?? '—',
            className: 'max-lg:hidden',
          },
          { id: 'owed', header: <Trans>Dívida</Trans>, cell: owed },
          { id: 'state', header: <Trans>Situação</Trans>, cell: state },
          {
            id: 'actions',
            header: <span className="sr-only">{t`Ações`}</span>,
            cell: (company) => <div className="flex justify-end">{actions(company)}</div>,
          },
        ]}
        card={(company) => (
          <div className="flex flex-col gap-2">
            <div className="flex items-start justify-between gap-2">
              {who(company)}
              {state(company)}
            </div>
            <div className="flex flex-wrap items-center justify-between gap-2">
              {owed(company)}
              {actions(company)}
            </div>
          </div>
        )}
      />
      {billed && <CompanyInvoices company={billed} onClose={() => setBilled(null)} onChanged={source.reload} />}
    </>
  )
}
