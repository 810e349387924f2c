import { Trans, useLingui } from '@lingui/react/macro'
import { AtSign } from 'lucide-react'
import { useState } from 'react'
import { DataList, type ListSource, useReadOnly } from '../kit/data-list.tsx'
import { succeeds } from '../kit/row-actions.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { type CompanyDomain, operator, useCompanyDomains } from './operator.queries.ts'

type Row = CompanyDomain & { id: string }

/** The e-mail domains by which companies sign in: the operator's word counts as a DNS record does. */
export function CompanyDomains() {
  const { t } = useLingui()
  const { data, ...rest } = useCompanyDomains()
  const source: ListSource<Row> = {
    ...rest,
    data: data?.records.map((row) => ({ ...row, id: `${row.company.id} ${row.domain}` })),
  }
  const offline = useReadOnly(source)
  const [asked, setAsked] = useState<Row | null>(null)
  const state = ({ proven }: Row) =>
    proven ? (
      <Badge tone="success">
        <Trans>Comprovado</Trans>
      </Badge>
    ) : (
      <Badge tone="warning">
        <Trans>A comprovar</Trans>
      </Badge>
    )
  const actions = (row: Row) => {
    const { domain, proven, company } = row
    return (
      <Button
        size="sm"
        variant="outline"
        disabled={offline}
        aria-label={proven ? t`Retirar ${domain} de ${company.name}` : t`Confirmar ${domain} de ${company.name}`}
        onClick={() => setAsked(row)}
      >
        {proven ? <Trans>Retirar</Trans> : <Trans>Confirmar</Trans>}
      </Button>
    )
  }
  const say = ({ company, domain, proven }: Row) =>
    succeeds(
      () => operator.sayDomain({ companyId: company.id, domain, proven: !proven }),
      proven ? t`${domain}: retirado` : t`${domain}: comprovado`,
      source.reload,
    )
  return (
    <>
      <DataList
        label={t`Domínios de e-mail das empresas`}
        source={source}
        empty={
          <EmptyState icon={AtSign} title={<Trans>Nenhuma empresa entra por um provedor seu</Trans>}>
            <Trans>Aqui aparecem os domínios de e-mail que as empresas dizem ser delas.</Trans>
          </EmptyState>
        }
        columns={[
          { id: 'domain', header: <Trans>Domínio</Trans>, cell: ({ domain }) => domain, className: 'wrap-anywhere' },
          { id: 'company', header: <Trans>Empresa</Trans>, cell: ({ company }) => company.name },
          { id: 'state', header: <Trans>Situação</Trans>, cell: state },
          {
            id: 'actions',
            header: <span className="sr-only">{t`Ações`}</span>,
            cell: (row) => <div className="flex justify-end">{actions(row)}</div>,
          },
        ]}
        card={(row) => (
          <div className="flex flex-col gap-2">
            <div className="flex items-start justify-between gap-2">
              <span className="flex min-w-0 flex-col">
                <span className="font-medium wrap-anywhere">{row.domain}</span>
                <span className="text-xs text-muted-foreground">{row.company.name}</span>
              </span>
              {state(row)}
            </div>
            <div className="flex justify-end">{actions(row)}</div>
          </div>
        )}
      />
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(null)}
          destructive={asked.proven}
          title={
            asked.proven ? (
              <Trans>
                Retirar {asked.domain} de {asked.company.name}?
              </Trans>
            ) : (
              <Trans>
                {asked.domain} é de {asked.company.name}?
              </Trans>
            )
          }
          confirmLabel={asked.proven ? <Trans>Retirar</Trans> : <Trans>Confirmar</Trans>}
          onConfirm={() => say(asked)}
        >
          <p>
            {asked.proven ? (
              <Trans>Ninguém mais entra pelo provedor da empresa com um e-mail deste domínio.</Trans>
            ) : (
              <Trans>
                Quem tem um e-mail deste domínio passa a ser levado ao provedor da empresa. Confirme só se você sabe que
                o domínio é dela.
              </Trans>
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
