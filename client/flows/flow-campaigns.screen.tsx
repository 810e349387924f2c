import { Trans, useLingui } from '@lingui/react/macro'
import { MessageSquareQuote, Plus } from 'lucide-react'
import { Controller, useForm } from 'react-hook-form'
import { type FlowCampaignInput, flowCampaignInput } from '../../schema/flows/flows.edits.inputs.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { useConnections } from '../replica/directory.ts'
import { useCan } from '../session/session.tsx'
import { SwitchField } from '../kit/form-fields.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { RowActions, succeeds, useRowOverlay } from '../kit/row-actions.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { type FlowCampaign, flowCampaigns, useFlowCampaigns, useFlows } from './flows.queries.ts'

/** Phrases that begin a flow. */
export default function FlowCampaignsScreen() {
  const { t } = useLingui()
  const source = useFlowCampaigns()
  const offline = useReadOnly(source)
  const mayRemove = useCan('contacts-page:deleteContact')
  const { byId: connections } = useConnections()
  const { edited, removed, create, edit, remove, close } = useRowOverlay<FlowCampaign>(source.data)
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar frase</Trans>
    </Button>
  )
  const status = (row: FlowCampaign) =>
    row.status ? (
      <Badge tone="success">
        <Trans>Ativo</Trans>
      </Badge>
    ) : (
      <Badge tone="neutral">
        <Trans>Desativado</Trans>
      </Badge>
    )
  const connection = (row: FlowCampaign) =>
    row.whatsappId === null ? t`Qualquer conexão` : (connections.get(row.whatsappId)?.name ?? '…')
  const actions = (row: FlowCampaign) => (
    <RowActions
      name={row.name}
      disabled={offline}
      onEdit={() => edit(row)}
      {...(mayRemove && { onRemove: () => remove(row) })}
    />
  )
  return (
    <Page
      title={t`Frases`}
      description={<Trans>Quem escreve uma destas frases começa o fluxo dela.</Trans>}
      actions={add}
    >
      <DataList
        label={t`Frases`}
        source={source}
        empty={
          <EmptyState icon={MessageSquareQuote} title={<Trans>Nenhuma frase</Trans>} action={add}>
            <Trans>Por exemplo “quero o cardápio”: quem escreve exatamente isso começa o fluxo escolhido.</Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (row) => <span className="font-medium">{row.name}</span>,
            className: 'wrap-anywhere',
          },
          {
            id: 'phrase',
            header: <Trans>Frase</Trans>,
            cell: (row) => <span className="wrap-anywhere">{row.phrase}</span>,
            className: 'wrap-anywhere',
          },
          { id: 'flow', header: <Trans>Fluxo</Trans>, cell: (row) => row.flowName },
          {
            id: 'connection',
            header: <Trans>Conexão</Trans>,
            cell: connection,
            className: 'text-muted-foreground',
          },
          { id: 'status', header: <Trans>Status</Trans>, cell: status, className: 'w-32' },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(row) => (
          <div className="flex items-start gap-2">
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <span className="flex flex-wrap items-center gap-2">
                <span className="font-medium wrap-anywhere">{row.name}</span>
                {status(row)}
              </span>
              <span className="text-sm wrap-anywhere">“{row.phrase}”</span>
              <span className="text-xs text-muted-foreground">
                {row.flowName} · {connection(row)}
              </span>
            </div>
            <div className="-mt-1 -mr-2">{actions(row)}</div>
          </div>
        )}
      />
      {edited !== undefined && <FlowCampaignDialog row={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <ConfirmDialog
          open
          onOpenChange={close}
          destructive
          title={<Trans>Excluir {removed.name}?</Trans>}
          confirmLabel={<Trans>Excluir</Trans>}
          onConfirm={() => succeeds(() => flowCampaigns.remove(removed.id), t`Frase deletada`, source.reload)}
        >
          <Trans>Quem a escrever não começará mais o fluxo.</Trans>
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** The form's value for "any connection", which the list of choices cannot name by null. */
const any = 'any'

function FlowCampaignDialog({
  row,
  onClose,
  onSaved,
}: {
  row: FlowCampaign | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const { data: flows } = useFlows()
  const { list: connections } = useConnections()
  const form = useForm<FlowCampaignInput>({
    defaultValues: {
      name: row?.name ?? '',
      phrase: row?.phrase ?? '',
      whatsappId: row?.whatsappId ?? null,
      status: row?.status ?? true,
      ...(row && { flowId: row.flowId }),
    },
    resolver: schemaResolver<FlowCampaignInput>(flowCampaignInput, { flowId: t`Escolha um fluxo` }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  return (
    <FormDialog
      title={row ? t`Editar frase` : t`Adicionar frase`}
      form={form}
      onClose={onClose}
      fieldOf={{ ERR_FLOW_PHRASE_ALREADY_EXISTS: 'phrase', ERR_NO_FLOW_FOUND: 'flowId' }}
      onSubmit={async (values) => {
        await (row ? flowCampaigns.update(row.id, values) : flowCampaigns.create(values))
        toast.success(row ? t`Frase alterada com sucesso!` : t`Frase criada com sucesso!`)
        onSaved()
      }}
    >
      <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
        <Input autoFocus autoComplete="off" {...register('name')} />
      </Field>
      <Field
        label={<Trans>Frase</Trans>}
        required
        hint={<Trans>A mensagem inteira precisa ser igual; maiúsculas, acentos e pontuação não fazem diferença.</Trans>}
        error={errors.phrase?.message}
      >
        <Input autoComplete="off" {...register('phrase')} />
      </Field>
      <Field label={<Trans>Fluxo</Trans>} required error={errors.flowId && t`Escolha um fluxo`}>
        <Controller
          control={control}
          name="flowId"
          render={({ field }) => (
            <Combobox
              value={field.value === undefined ? null : String(field.value)}
              onChange={(id) => field.onChange(id === null ? undefined : Number(id))}
              options={(flows ?? []).map(({ id, name }) => ({ id: String(id), label: name }))}
            />
          )}
        />
      </Field>
      <Field label={<Trans>Conexão</Trans>} error={errors.whatsappId?.message}>
        <Controller
          control={control}
          name="whatsappId"
          render={({ field }) => (
            <Combobox
              value={field.value === null ? any : String(field.value)}
              onChange={(id) => field.onChange(id === null || id === any ? null : Number(id))}
              options={[
                { id: any, label: t`Qualquer conexão` },
                ...connections.map(({ id, name }) => ({ id: String(id), label: name })),
              ]}
            />
          )}
        />
      </Field>
      <Field inline label={<Trans>Ativo</Trans>}>
        <SwitchField control={control} name="status" />
      </Field>
    </FormDialog>
  )
}
