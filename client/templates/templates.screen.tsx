import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, LayoutTemplate, Plus, RefreshCw, SearchX } from 'lucide-react'
import { useState } from 'react'
import { isEditable } from '../../schema/templates/templates.edit.ts'
import { isDrifted, stopOf } from '../../schema/templates/templates.state.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { MoreActions } from '../kit/more-actions.tsx'
import { RemoveDialog, RowActions, succeeds, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useConnections } from '../replica/directory.ts'
import { toastError } from '../session/failure.tsx'
import { useCan } from '../session/session.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { TemplateDialog } from './templates.dialog.tsx'
import { TemplatePreview } from './templates.preview.tsx'
import { templates } from './templates.queries.ts'
import { type TemplateRow, useTemplates } from './templates.rows.ts'
import { useTemplateWords } from './templates.words.ts'

/** The message templates of an official connection. */
export default function TemplatesScreen() {
  const { t } = useLingui()
  const words = useTemplateWords()
  const id = Number(useParams({ strict: false }).id)
  const connection = useConnections().byId.get(id)
  const mayWrite = useCan('templates:write')
  const { search, setSearch, settled } = useSearchText()
  const all = useTemplates(id)
  const asked = settled.toLowerCase()
  const data = all?.filter(({ name, parts }) => name.includes(asked) || parts.body.toLowerCase().includes(asked))
  const source = { data, error: null, loading: all === undefined, reload: () => undefined }
  const offline = useReadOnly({})
  const { edited, removed, create, edit, remove, close } = useRowOverlay<TemplateRow>(all)
  const [shown, setShown] = useState<TemplateRow | null>(null)
  const [drifted, setDrifted] = useState<TemplateRow | null>(null)
  const [refreshing, setRefreshing] = useState(false)

  const refresh = async () => {
    setRefreshing(true)
    try {
      await templates.refresh(id)
      toast.success(t`Modelos atualizados`)
    } catch (error) {
      toastError(error)
    }
    setRefreshing(false)
  }
  const add = mayWrite && (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Novo modelo</Trans>
    </Button>
  )
  const name = (row: TemplateRow) => (
    <button
      type="button"
      onClick={() => setShown(row)}
      className="focus-ring rounded-sm text-left font-medium wrap-anywhere underline decoration-muted-foreground/40 underline-offset-4 hover:decoration-current"
    >
      {row.name}
    </button>
  )
  const status = (row: TemplateRow) => {
    const { name: text, tone } = words.status(row.status)
    return (
      <span className="flex flex-wrap items-center gap-1.5">
        <Badge tone={tone}>{text}</Badge>
        {isDrifted(row) && (
          <Badge tone="warning">
            <Trans>Categoria mudou</Trans>
          </Badge>
        )}
      </span>
    )
  }
  const text = (row: TemplateRow) => (
    <span className="line-clamp-2 wrap-anywhere whitespace-pre-wrap text-muted-foreground">
      {row.parts.body || '—'}
    </span>
  )
  const actions = (row: TemplateRow) =>
    mayWrite && (
      <RowActions
        name={row.name}
        disabled={offline}
        {...(isEditable(row) && { onEdit: () => edit(row) })}
        onRemove={() => remove(row)}
      >
        {isDrifted(row) && (
          <Button size="sm" variant="outline" disabled={offline} onClick={() => setDrifted(row)}>
            <Trans>Confirmar</Trans>
          </Button>
        )}
      </RowActions>
    )

  return (
    <Page
      title={connection ? t`Modelos de ${connection.name}` : t`Modelos de mensagem`}
      actions={
        <>
          <Button asChild variant="outline">
            <Link to="/connections">
              <ArrowLeft />
              <Trans>Conexões</Trans>
            </Link>
          </Button>
          <MoreActions
            actions={[
              mayWrite && {
                ...{ icon: RefreshCw, label: t`Buscar de novo no WhatsApp`, disabled: offline, busy: refreshing },
                run: () => void refresh(),
              },
            ]}
          />
          {add}
        </>
      }
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar modelo`} />}
    >
      <DataList
        label={t`Modelos de mensagem`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhum modelo encontrado</Trans>}>
              <Trans>Nenhum modelo tem “{search}” no nome ou no texto.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={LayoutTemplate} title={<Trans>Nenhum modelo</Trans>} action={add}>
              <Trans>
                Pela API oficial, só um modelo que o WhatsApp aprovou chega a quem não escreveu nas últimas 24 horas.
              </Trans>
            </EmptyState>
          )
        }
        columns={[
          { id: 'name', header: <Trans>Nome</Trans>, cell: name, className: 'w-56 wrap-anywhere' },
          { id: 'status', header: <Trans>Estado</Trans>, cell: status, className: 'w-44' },
          { id: 'category', header: <Trans>Categoria</Trans>, cell: (row) => words.category(row.category) },
          { id: 'language', header: <Trans>Idioma</Trans>, cell: (row) => words.language(row.language) },
          { id: 'quality', header: <Trans>Qualidade</Trans>, cell: (row) => words.quality(row.quality) },
          { id: 'body', header: <Trans>Texto</Trans>, cell: text },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-36' },
        ]}
        card={(row) => (
          <div className="flex items-start gap-2">
            <div className="flex min-w-0 flex-1 flex-col gap-1.5">
              <span>{name(row)}</span>
              {status(row)}
              <span className="text-xs text-muted-foreground">
                {words.category(row.category)} · {words.language(row.language)}
              </span>
              <span className="text-sm">{text(row)}</span>
            </div>
            <div className="-mt-1 -mr-2">{actions(row)}</div>
          </div>
        )}
      />
      {edited !== undefined && (
        <TemplateDialog
          whatsappId={id}
          {...(edited && { template: edited })}
          onClose={close}
          onSaved={() => undefined}
        />
      )}
      {shown && <ShownTemplate row={shown} onClose={() => setShown(null)} />}
      {drifted && (
        <ConfirmDialog
          open
          onOpenChange={() => setDrifted(null)}
          title={<Trans>Enviar {drifted.name} como Marketing?</Trans>}
          confirmLabel={<Trans>Enviar como Marketing</Trans>}
          onConfirm={() =>
            succeeds(
              () => templates.confirm(drifted.id),
              t`${drifted.name}: confirmado`,
              () => undefined,
              t`Não foi possível realizar a operação`,
            )
          }
        >
          <p>
            <Trans>
              O WhatsApp passou este modelo de {words.category(drifted.confirmedCategory)} para Marketing. Cada mensagem
              entregue custa cerca de nove vezes mais, e quem não quer marketing não a recebe.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => templates.remove(removed.id)}
          onRemoved={() => undefined}
          onClose={close}
        >
          <Trans>
            Ele some também no WhatsApp, e por 30 dias nenhum outro pode ter este nome. Campanhas por ele param.
          </Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

/** One of them: how it is read, and what stands in its way. */
function ShownTemplate({ row, onClose }: { row: TemplateRow; onClose: () => void }) {
  const words = useTemplateWords()
  const stop = stopOf(row)
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={row.name}
        description={`${words.status(row.status).name} · ${words.category(row.category)} · ${words.language(row.language)}`}
      >
        <DialogBody className="flex flex-col gap-3 pb-5">
          {stop && (
            <Notice>
              <p>{words.stop(stop)}</p>
              {row.reason && <p className="mt-1">{words.reason(row.reason)}</p>}
              {row.advice && (
                <p className="mt-1">
                  <Trans>O WhatsApp recomenda: {row.advice}</Trans>
                </p>
              )}
            </Notice>
          )}
          {row.nextCategory && row.nextCategory !== row.category && (
            <Notice>
              <Trans>O WhatsApp avisou que vai passar este modelo para {words.category(row.nextCategory)}.</Trans>
            </Notice>
          )}
          <div className="rounded-xl bg-muted p-3">
            <TemplatePreview parts={row.parts} values={row.parts.examples} />
          </div>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
