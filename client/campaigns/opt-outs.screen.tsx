import { dateText } from '../i18n/dates.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { Ban, FileUp, Plus, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { newOptOut, revokedOptOut } from '../../schema/opt-outs/opt-outs.inputs.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useCan } from '../session/session.tsx'
import { CampaignsLink } from './campaigns.link.tsx'
import ImportDialog from '../contacts/contacts.import-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { phoneText } from '../kit/phone-text.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { campaigns, useOptOuts } from './campaigns.queries.ts'
import type { OptOut } from './campaigns.queries.ts'

export default function OptOutsScreen() {
  return (
    <PlanGate feature="useCampaigns">
      <OptOuts />
    </PlanGate>
  )
}

function OptOuts() {
  const { t, i18n } = useLingui()
  const { search, setSearch, settled } = useSearchText()
  const source = useOptOuts(settled)
  const offline = useReadOnly(source)
  const [adding, setAdding] = useState(false)
  const [revoked, setRevoked] = useState<OptOut | null>(null)
  const sources = {
    word: t`Por mensagem`,
    hand: t`À mão`,
    import: t`Planilha`,
    api: t`API`,
    whatsapp: t`Pelo WhatsApp`,
  }
  const mayImport = useCan('contacts:import')
  const [importing, setImporting] = useState(false)
  const add = (
    <Button disabled={offline} onClick={() => setAdding(true)}>
      <Plus />
      <Trans>Registrar descadastro</Trans>
    </Button>
  )
  const nameOf = ({ number, name }: OptOut) => phoneText(number) || name || t`Contato sem nome`
  const state = (row: OptOut) =>
    row.revokedAt ? (
      <Badge tone="outline">
        <Trans>Voltou a receber</Trans>
      </Badge>
    ) : (
      <Badge tone="warning">
        <Trans>Não recebe</Trans>
      </Badge>
    )
  const actions = (row: OptOut) =>
    !row.revokedAt && (
      <Button
        variant="ghost"
        size="icon"
        disabled={offline}
        aria-label={t`Voltar a enviar para ${nameOf(row)}`}
        onClick={() => setRevoked(row)}
      >
        <RotateCcw />
      </Button>
    )
  return (
    <Page
      title={t`Descadastros`}
      description={<Trans>Quem pediu para não receber mensagens em massa. As campanhas os deixam de fora.</Trans>}
      actions={
        <>
          <CampaignsLink />
          {mayImport && (
            <Button variant="outline" disabled={offline} onClick={() => setImporting(true)}>
              <FileUp />
              <Trans>Importar</Trans>
            </Button>
          )}
          {add}
        </>
      }
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar descadastro`} />}
    >
      <DataList
        label={t`Descadastros`}
        source={source}
        empty={
          <EmptyState icon={Ban} title={<Trans>Nenhum descadastro</Trans>}>
            <Trans>Quem responder SAIR a uma campanha aparece aqui.</Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'number',
            header: <Trans>Número</Trans>,
            cell: (row) => <span className="text-sm font-medium tabular-nums">{nameOf(row)}</span>,
          },
          { id: 'state', header: <Trans>Situação</Trans>, cell: state },
          {
            id: 'source',
            header: <Trans>Origem</Trans>,
            cell: (row) => sources[row.source],
            className: 'text-muted-foreground',
          },
          {
            id: 'text',
            header: <Trans>Mensagem</Trans>,
            cell: (row) => row.reason ?? row.text,
            className: 'max-w-64 truncate text-muted-foreground',
          },
          {
            id: 'createdAt',
            header: <Trans>Data</Trans>,
            cell: (row) => dateText(i18n.locale, new Date(row.createdAt), 'date', 'time'),
            className: 'tabular-nums text-muted-foreground',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-16' },
        ]}
        card={(row) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
              <span className="text-sm font-medium tabular-nums">{nameOf(row)}</span>
              {state(row)}
            </div>
            {actions(row)}
          </div>
        )}
      />
      {importing && (
        <ImportDialog
          title={t`Importar descadastros`}
          fields={['number']}
          run={campaigns.importOptOuts}
          onClose={() => setImporting(false)}
          onImported={source.reload}
        />
      )}
      {adding && <AddDialog onClose={() => setAdding(false)} onSaved={source.reload} />}
      {revoked && <RevokeDialog row={revoked} onClose={() => setRevoked(null)} onSaved={source.reload} />}
    </Page>
  )
}

function AddDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  const { t } = useLingui()
  const form = useForm<{ number: string; text: string }>({
    defaultValues: { number: '', text: '' },
    resolver: schemaResolver(newOptOut, { number: t`Use só números` }),
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t`Registrar descadastro`}
      size="sm"
      form={form}
      fieldOf={{ ERR_OPTED_OUT: 'number', ERR_NUMBER_UNCLEAR: 'number' }}
      onSubmit={async ({ number, text }) => {
        await campaigns.addOptOut(number, text)
        toast.success(t`Descadastro registrado`)
        onSaved()
      }}
    >
      <Field label={<Trans>Número</Trans>} required error={form.formState.errors.number?.message}>
        <Input autoFocus type="tel" inputMode="tel" autoComplete="off" {...form.register('number')} />
      </Field>
      <Field label={<Trans>Observação</Trans>} error={form.formState.errors.text?.message}>
        <Input autoComplete="off" {...form.register('text')} />
      </Field>
    </FormDialog>
  )
}

function RevokeDialog({ row, onClose, onSaved }: { row: OptOut; onClose: () => void; onSaved: () => void }) {
  const { t } = useLingui()
  const form = useForm<{ reason: string }>({ defaultValues: { reason: '' }, resolver: schemaResolver(revokedOptOut) })
  return (
    <FormDialog
      onClose={onClose}
      title={t`Voltar a enviar para ${row.number}`}
      size="sm"
      form={form}
      onSubmit={async ({ reason }) => {
        await campaigns.revokeOptOut(row.id, reason)
        toast.success(t`O contato volta a receber campanhas`)
        onSaved()
      }}
    >
      <Field label={<Trans>Motivo</Trans>} required error={form.formState.errors.reason?.message}>
        <Input autoFocus autoComplete="off" {...form.register('reason')} />
      </Field>
    </FormDialog>
  )
}
