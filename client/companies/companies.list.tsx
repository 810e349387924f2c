import { Plural, Trans, useLingui } from '@lingui/react/macro'
import {
  Building2,
  CalendarPlus,
  CircleCheck,
  Clock,
  MailPlus,
  Plus,
  Receipt,
  SearchX,
  VenetianMask,
} from 'lucide-react'
import { useState } from 'react'
import { dueDayOf, dueTone, nextDueDate } from '../../schema/companies/companies.due.ts'
import { daysLeftOf } from '../../schema/invoices/invoices.notice.ts'
import { dayIn, OPERATOR_COMPANY_ID, standingOf } from '../../schema/companies/companies.subscription.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import type { ListSource } from '../kit/data-list.tsx'
import { dueDay } from '../base/due-date.ts'
import { toastError } from '../session/failure.tsx'
import { useNow } from '../base/now.ts'
import { InvitationDialog, type Invited } from '../kit/invitation.tsx'
import { RowActions, succeeds, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { dateText } from '../i18n/dates.ts'
import { CompanyHoursForm } from './companies.hours.tsx'
import { useMoney } from '../invoices/invoices.words.ts'
import { CompanyInvoices } from '../invoices/invoices.operator.tsx'
import { type Invoice, openInvoice } from '../invoices/invoices.queries.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Select } from '../ui/select.tsx'
import { CompanyDialog } from './companies.dialog.tsx'
import { EnterAsDialog } from './companies.enter-dialog.tsx'
import { MoneyOverview, Owed } from './companies.money.tsx'
import { companies, useCompanies } from './companies.queries.ts'
import type { Company, CompanyFilter, CompanyOrder } from './companies.queries.ts'
import { RemoveCompanyDialog } from './companies.remove-dialog.tsx'
import { companyStateTones, useCompanyStateName } from './companies.words.ts'

const tones = {
  soon: 'bg-warning-soft/60',
  due: 'bg-orange-100 dark:bg-orange-950/60',
  over: 'bg-destructive-soft/60',
}

/** All companies of the platform, coloured by the days until they are due. */
export function CompanyList() {
  const { t, i18n } = useLingui()
  const { search, setSearch, settled } = useSearchText()
  const [filter, setFilter] = useState<CompanyFilter | 'all'>('all')
  const [order, setOrder] = useState<CompanyOrder>('name')
  const source: ListSource<Company> = useCompanies(settled, filter === 'all' ? undefined : filter, order)
  const offline = useReadOnly(source)
  const now = useNow()
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Company>(source.data)
  const [withHours, setWithHours] = useState<Company | null>(null)
  const [billed, setBilled] = useState<Company | null>(null)
  const [entered, setEntered] = useState<Company | null>(null)
  const [invited, setInvited] = useState<Invited | null>(null)
  const [renewing, setRenewing] = useState<number | null>(null)
  const [given, setGiven] = useState<{ company: Company; invoice: Invoice } | null>(null)
  const money = useMoney()
  const stateName = useCompanyStateName()

  /** By the clock of the company, for which a day ends there. */
  const leftOf = ({ dueDate, timeZone }: Company) =>
    dueDate === null ? null : daysLeftOf({ dueDate, timeZone }, new Date(now))
  const toneOf = (company: Company) => {
    const left = leftOf(company)
    const tone = left === null ? null : dueTone(left)
    return tone ? tones[tone] : undefined
  }
  const startOf = ({ dueDate, timeZone }: Company) => dueDate ?? dayIn(timeZone, new Date())
  const later = (company: Company) => nextDueDate(startOf(company), company.recurrence, company.dueDay)
  const extend = (company: Company) => {
    const { id, name } = company
    const dueDate = later(company)
    const input = { dueDate, dueDay: dueDayOf(startOf(company), company.dueDay) }
    const until = dateText(i18n.locale, dueDay(dueDate), 'fullDate')
    return succeeds(() => companies.update(id, input), t`${name}: vence em ${until}`, source.reload)
  }
  const inviteAgain = async ({ id }: Company) => {
    try {
      setInvited(await companies.inviteAgain(id))
    } catch (error) {
      toastError(error)
      source.reload()
    }
  }
  /** Time that is given whole is not paid as well: where it is billed, that is asked first. */
  const renew = async (company: Company) => {
    setRenewing(company.id)
    try {
      const billed = await openInvoice(company.id, later(company))
      if (billed) setGiven({ company, invoice: billed })
      else await extend(company)
    } catch (error) {
      toastError(error)
    } finally {
      setRenewing(null)
    }
  }

  const due = (company: Company) => {
    const left = leftOf(company)
    const owed = <Owed of={company} now={new Date(now)} />
    if (left === null || company.dueDate === null)
      return (
        <span className="flex flex-col text-muted-foreground">
          {t`Não vence`}
          {owed}
        </span>
      )
    const ago = -left
    return (
      <span className="flex flex-col">
        <span className="tabular-nums">{dateText(i18n.locale, dueDay(company.dueDate), 'fullDate')}</span>
        <span className="text-xs whitespace-nowrap text-muted-foreground">
          {ago > 0 ? (
            <Plural value={ago} one="venceu há # dia" other="venceu há # dias" />
          ) : left === 0 ? (
            t`vence hoje`
          ) : (
            <Plural value={left} one="falta # dia" other="faltam # dias" />
          )}
        </span>
        {owed}
      </span>
    )
  }
  const state = (company: Company) => {
    const { removal } = company
    if (removal) {
      const percent = removal.total === 0 ? 0 : Math.floor((removal.done / removal.total) * 100)
      return <Badge tone="destructive">{t`Excluindo: ${percent}%`}</Badge>
    }
    const standing = standingOf(company, new Date(now))
    return <Badge tone={companyStateTones[standing]}>{stateName(standing)}</Badge>
  }
  const usage = ({ plan, users, connections, queues }: Company) =>
    [
      [t`Usuários`, users, plan?.users],
      [t`Conexões`, connections, plan?.connections],
      [t`Filas`, queues, plan?.queues],
    ]
      .map(([label, has, may]) => `${label} ${has}${may === undefined ? '' : `/${may}`}`)
      .join(' · ')
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar empresa</Trans>
    </Button>
  )
  const actions = (company: Company) => {
    const { name } = company
    const off = offline || company.removal !== null
    return (
      <RowActions
        name={name}
        disabled={off}
        onEdit={() => edit(company)}
        onRemove={company.id === OPERATOR_COMPANY_ID ? undefined : () => remove(company)}
        more={[
          ...(company.id === OPERATOR_COMPANY_ID
            ? []
            : [
                {
                  ...{ icon: Receipt, label: t`Faturas`, name: t`Faturas de ${name}`, disabled: off },
                  run: () => setBilled(company),
                },
                {
                  ...{ icon: VenetianMask, label: t`Entrar como…`, name: t`Entrar como alguém de ${name}` },
                  ...{ disabled: off, run: () => setEntered(company) },
                },
                {
                  ...{ icon: CalendarPlus, label: t`+ Vencimento`, name: t`+ Vencimento de ${name}` },
                  ...{ disabled: off || renewing === company.id, run: () => void renew(company) },
                },
              ]),
          company.invited && {
            ...{ icon: MailPlus, label: t`Convidar de novo`, name: t`Convidar de novo o administrador de ${name}` },
            ...{ disabled: off, run: () => void inviteAgain(company) },
          },
          {
            ...{ icon: Clock, label: t`Horários`, name: t`Horários de ${name}`, disabled: off },
            run: () => setWithHours(company),
          },
        ]}
      />
    )
  }

  return (
    <div className="flex flex-col gap-3">
      <MoneyOverview />
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput value={search} onChange={setSearch} label={t`Buscar empresa por nome ou e-mail`} />
        <Select
          aria-label={t`Quais empresas`}
          className="max-sm:min-w-0 max-sm:flex-1 sm:w-48"
          value={filter}
          onChange={setFilter}
          options={[
            { value: 'all', label: t`Todas as empresas` },
            { value: 'late', label: t`Em atraso` },
            { value: 'owing', label: t`Com fatura aberta` },
          ]}
        />
        <Select
          aria-label={t`Ordem das empresas`}
          className="max-sm:min-w-0 max-sm:flex-1 sm:w-48"
          value={order}
          onChange={setOrder}
          options={[
            { value: 'name', label: t`Por nome` },
            { value: 'owed', label: t`Quem deve mais` },
          ]}
        />
        <div className="sm:ml-auto">{add}</div>
      </div>
      <DataList
        label={t`Empresas`}
        source={source}
        rowClassName={toneOf}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhuma empresa encontrada</Trans>}>
              <Trans>Nenhuma empresa tem “{search}” no nome ou no e-mail.</Trans>
            </EmptyState>
          ) : filter !== 'all' ? (
            <EmptyState icon={CircleCheck} title={<Trans>Nenhuma empresa deve nada aqui</Trans>} />
          ) : (
            <EmptyState icon={Building2} title={<Trans>Nenhuma empresa</Trans>} action={add} />
          )
        }
        columns={[
          {
            id: 'id',
            header: <Trans>ID</Trans>,
            cell: ({ id }) => id,
            className: 'w-16 text-muted-foreground tabular-nums',
          },
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (company) => (
              <span className="flex flex-col">
                <span className="font-medium">{company.name}</span>
                <span className="text-xs text-muted-foreground">{company.email}</span>
              </span>
            ),
            className: 'wrap-anywhere',
          },
          {
            id: 'plan',
            header: <Trans>Plano</Trans>,
            cell: (company) => (
              <span className="flex flex-col">
                <span>{company.plan?.name ?? '—'}</span>
                <span className="text-xs text-muted-foreground tabular-nums">{usage(company)}</span>
              </span>
            ),
            className: 'max-lg:hidden',
          },
          { id: 'due', header: <Trans>Vencimento</Trans>, cell: due },
          { id: 'state', header: <Trans>Situação</Trans>, cell: state },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions },
        ]}
        card={(company) => (
          <div className="flex flex-col gap-2">
            <div className="flex items-start gap-2">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{company.name}</p>
                <p className="truncate text-sm text-muted-foreground">{company.email}</p>
              </div>
              {state(company)}
            </div>
            <p className="text-xs text-muted-foreground tabular-nums">
              {company.plan?.name ?? '—'} · {usage(company)}
            </p>
            <div className="-mr-2 flex flex-wrap items-end justify-between gap-x-1 text-sm">
              {due(company)}
              {actions(company)}
            </div>
          </div>
        )}
      />
      {edited !== undefined && (
        <CompanyDialog
          company={edited}
          onClose={close}
          onSaved={(somebody) => {
            source.reload()
            if (somebody) setInvited(somebody)
          }}
        />
      )}
      {invited && <InvitationDialog of={invited} onClose={() => setInvited(null)} />}
      {removed && <RemoveCompanyDialog company={removed} onClose={close} onRemoved={source.reload} />}
      {entered && <EnterAsDialog company={entered} onClose={() => setEntered(null)} />}
      {billed && <CompanyInvoices company={billed} onClose={() => setBilled(null)} onChanged={source.reload} />}
      {given && (
        <ConfirmDialog
          open
          onOpenChange={() => setGiven(null)}
          title={<Trans>Dar mais prazo a {given.company.name}?</Trans>}
          confirmLabel={<Trans>Dar o prazo e cancelar a fatura</Trans>}
          cancelLabel={<Trans>Voltar</Trans>}
          onConfirm={() => extend(given.company)}
        >
          <p>
            <Trans>
              A fatura {given.invoice.id}, de {money(given.invoice.value)}, está aberta e é cancelada: o prazo dado não
              é cobrado. Se ela já foi paga, volte e marque-a como paga em Faturas; o prazo vem junto.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
      {withHours && (
        <Dialog open onOpenChange={() => setWithHours(null)}>
          <DialogContent title={withHours.name} size="lg">
            <DialogBody>
              <CompanyHoursForm
                withWeek
                companyId={withHours.id}
                stored={withHours}
                timeZone={withHours.timeZone}
                onSaved={() => {
                  source.reload()
                  setWithHours(null)
                }}
              />
            </DialogBody>
          </DialogContent>
        </Dialog>
      )}
    </div>
  )
}
