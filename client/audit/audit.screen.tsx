import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Eye, ScrollText, SearchX, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { type AuditAction, auditActions, auditEntities, type AuditEntity } from '../../schema/audit/audit.nouns.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { useUsers } from '../replica/directory.ts'
import { toastError } from '../session/failure.tsx'
import { dateText } from '../i18n/dates.ts'
import { saveBlob } from '../kit/media.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toaster.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { AuditEntryDialog } from './audit.entry-dialog.tsx'
import { audit, type AuditEntry, type AuditFilter, useAudit } from './audit.queries.ts'
import { useAuditFields } from './audit.fields.ts'
import { useAuditWords } from './audit.words.ts'

/** A word and its field. */
const pairClasses = 'flex min-w-0 flex-1 flex-col gap-1 sm:flex-row sm:items-center sm:gap-2'

const ALL = 'all'

export default function AuditScreen() {
  const { t, i18n } = useLingui()
  const words = useAuditWords()
  const [entity, setEntity] = useState<AuditEntity | typeof ALL>(ALL)
  const [action, setAction] = useState<AuditAction | typeof ALL>(ALL)
  const [user, setUser] = useState<string>(ALL)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [shown, setShown] = useState<AuditEntry>()
  const [busy, setBusy] = useState<'export' | 'verify'>()
  const users = useUsers().list
  const filter: AuditFilter = {
    ...(entity !== ALL && { entity }),
    ...(action !== ALL && { action }),
    ...(user !== ALL && { userId: Number(user) }),
    ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  }
  const source = useAudit(filter)
  const offline = useReadOnly(source)
  const filtered = Object.keys(filter).length > 0

  const work = async (which: 'export' | 'verify', run: () => Promise<void>) => {
    setBusy(which)
    try {
      await run()
      source.reload()
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(undefined)
    }
  }
  const save = () =>
    work('export', async () => saveBlob(await audit.export(filter, i18n.locale), `${t`auditoria`}.csv`))
  const verify = () =>
    work('verify', async () => {
      const { intact, count, brokenAt } = await audit.verify()
      if (intact)
        toast.success(
          plural(count, {
            one: 'Registro íntegro: # entrada conferida',
            other: 'Registro íntegro: # entradas conferidas',
          }),
        )
      else toast.error(t`O registro foi alterado a partir da entrada ${String(brokenAt)}`)
    })

  const { nameOf } = useAuditFields()
  const who = (entry: AuditEntry) =>
    entry.actorName ?? (entry.actorKind === 'visitor' ? t`Visitante` : entry.actorKind === 'system' ? t`Sistema` : '—')
  const what = (entry: AuditEntry) => {
    const name = nameOf(entry)
    return [words.entities[entry.entity], ...(name ? [name] : [])].join(' · ')
  }
  const at = (entry: AuditEntry) => dateText(i18n.locale, new Date(entry.at), 'date', 'clock')
  const look = (entry: AuditEntry) => (
    <Tooltip content={t`Ver a entrada`}>
      <Button
        variant="ghost"
        size="icon"
        className="text-muted-foreground hover:text-foreground"
        aria-label={t`Ver a entrada ${entry.seq}`}
        onClick={() => setShown(entry)}
      >
        <Eye />
      </Button>
    </Tooltip>
  )
  const person = (entry: AuditEntry) => (
    <span className="flex min-w-0 flex-wrap items-center gap-1.5">
      <span className="truncate">{who(entry)}</span>
      {entry.actorKind === 'key' && (
        <Badge tone="outline">
          <Trans>Chave de API</Trans>
        </Badge>
      )}
      {entry.actorKind === 'provider' && (
        <Badge tone="outline">
          <Trans>Conta da empresa</Trans>
        </Badge>
      )}
      {entry.operator && (
        <Badge tone="warning">
          <Trans>Operador: {entry.operator.name}</Trans>
        </Badge>
      )}
    </span>
  )
  const list = <V extends string>(all: readonly V[], of: Record<V, string>, none: string) => [
    { value: ALL as V | typeof ALL, label: none },
    ...all.map((value) => ({ value, label: of[value] })).sort((a, b) => a.label.localeCompare(b.label)),
  ]

  return (
    <Page
      title={t`Auditoria`}
      description={<Trans>Quem mudou o quê, e de onde. Nada daqui se altera nem se apaga.</Trans>}
      actions={
        <>
          <Button variant="outline" disabled={offline} busy={busy === 'verify'} onClick={() => void verify()}>
            <ShieldCheck />
            <Trans>Conferir</Trans>
          </Button>
          <Button variant="outline" disabled={offline} busy={busy === 'export'} onClick={() => void save()}>
            <Download />
            <Trans>Exportar</Trans>
          </Button>
        </>
      }
      toolbar={
        <>
          <Select
            className="w-[calc(50%-0.25rem)] sm:w-44"
            aria-label={t`O quê`}
            value={entity}
            onChange={setEntity}
            options={list(auditEntities, words.entities, t`Tudo`)}
          />
          <Select
            className="w-[calc(50%-0.25rem)] sm:w-44"
            aria-label={t`Ação`}
            value={action}
            onChange={setAction}
            options={list(auditActions, words.actions, t`Todas as ações`)}
          />
          <Select
            className="w-full sm:w-44"
            aria-label={t`Quem`}
            value={user}
            onChange={setUser}
            options={[
              { value: ALL, label: t`Todas as pessoas` },
              ...users.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
          {/* One line of their own on a phone, where each stands below its word: both are read whole. */}
          <div className="flex w-full gap-2 text-sm text-muted-foreground sm:w-auto sm:items-center">
            <div className={pairClasses}>
              <span aria-hidden="true">{t`De`}</span>
              <DateInput className="sm:w-36" aria-label={t`De`} value={from} onChange={setFrom} />
            </div>
            <div className={pairClasses}>
              <span aria-hidden="true" className="sm:lowercase">{t`Até`}</span>
              <DateInput className="sm:w-36" aria-label={t`Até`} value={to} onChange={setTo} />
            </div>
          </div>
        </>
      }
    >
      <DataList
        label={t`Auditoria`}
        source={source}
        empty={
          filtered ? (
            <EmptyState icon={SearchX} title={<Trans>Nada encontrado</Trans>}>
              <Trans>Nenhuma entrada é assim.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={ScrollText} title={<Trans>Nada aconteceu ainda</Trans>}>
              <Trans>Cada mudança de um administrador aparece aqui.</Trans>
            </EmptyState>
          )
        }
        columns={[
          {
            id: 'at',
            header: <Trans>Quando</Trans>,
            cell: at,
            className: 'w-44 whitespace-nowrap tabular-nums text-muted-foreground',
          },
          { id: 'who', header: <Trans>Quem</Trans>, cell: person, className: 'w-56' },
          {
            id: 'action',
            header: <Trans>Ação</Trans>,
            cell: (entry) => words.actions[entry.action],
            className: 'w-40',
          },
          {
            id: 'what',
            header: <Trans>O quê</Trans>,
            cell: (entry) => <span className="break-words">{what(entry)}</span>,
          },
          {
            id: 'ip',
            header: <Trans>Endereço</Trans>,
            cell: (entry) => entry.ip ?? '—',
            className: 'w-36 tabular-nums text-muted-foreground',
          },
          { id: 'look', header: <span className="sr-only">{t`Ações`}</span>, cell: look, className: 'w-16' },
        ]}
        card={(entry) => (
          <div className="flex items-start gap-2">
            <div className="flex min-w-0 flex-1 flex-col gap-0.5 text-sm">
              {person(entry)}
              <p className="break-words">
                {words.actions[entry.action]} · {what(entry)}
              </p>
              <p className="text-xs text-muted-foreground tabular-nums">
                {at(entry)}
                {entry.ip && ` · ${entry.ip}`}
              </p>
            </div>
            {look(entry)}
          </div>
        )}
      />
      {shown && (
        <AuditEntryDialog
          entry={shown}
          title={`${words.actions[shown.action]} · ${what(shown)}`}
          onClose={() => setShown(undefined)}
        />
      )}
    </Page>
  )
}
