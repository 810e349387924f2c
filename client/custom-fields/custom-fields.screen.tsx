import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ArchiveRestore, ArrowDown, ArrowLeft, ArrowUp, Plus, TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import { type FieldEntity, fieldEntities } from '../../schema/custom-fields/custom-fields.table.ts'
import { fieldBounds } from '../../schema/custom-fields/custom-fields.values.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { RowActions, succeeds, useRowOverlay } from '../kit/row-actions.tsx'
import { useCan } from '../session/session.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { CustomFieldDialog } from './custom-fields.dialog.tsx'
import { customFields, type DefinedField, useDefinedFields } from './custom-fields.queries.ts'
import { useFieldWords } from './custom-fields.words.ts'

/** Which fields the company's contacts and tickets have. */
export default function CustomFieldsScreen() {
  const { t } = useLingui()
  const words = useFieldWords()
  const source = useDefinedFields()
  const offline = useReadOnly(source)
  const maySeeSettings = useCan('drawer-admin-items:view')
  const [entity, setEntity] = useState<FieldEntity>('ticket')
  const { edited, removed, create, edit, remove, close } = useRowOverlay<DefinedField>(source.data)

  const isUsed = (field: DefinedField) => field.archivedAt === null
  const shown = source.data?.filter((field) => field.entity === entity && isUsed(field))
  const aside = source.data?.filter((field) => field.entity === entity && !isUsed(field)) ?? []
  const isFull = (shown?.length ?? 0) >= fieldBounds.most

  const add = (
    <Button disabled={offline || isFull} title={isFull ? t`Não cabem mais campos aqui` : undefined} onClick={create}>
      <Plus />
      <Trans>Adicionar campo</Trans>
    </Button>
  )
  const move = (field: DefinedField, by: -1 | 1) => {
    const ids = (shown ?? []).map(({ id }) => id)
    const at = ids.indexOf(field.id)
    const next = ids.toSpliced(at, 1).toSpliced(at + by, 0, field.id)
    return succeeds(() => customFields.order(entity, next), t`Ordem salva`, source.reload)
  }
  const bringBack = ({ id, name }: DefinedField) =>
    succeeds(() => customFields.update(id, { archived: false }), t`${name}: de volta`, source.reload)

  const title = (field: DefinedField) => (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      <span className="font-medium wrap-anywhere">{field.name}</span>
      {field.required && isUsed(field) && (
        <Badge tone="outline">
          <Trans>obrigatório ao resolver</Trans>
        </Badge>
      )}
    </span>
  )
  const code = ({ key }: DefinedField) => <code className="text-xs wrap-anywhere text-muted-foreground">{key}</code>
  const kind = ({ type, options }: DefinedField) => {
    const offered = options.filter(({ archived }) => !archived)
    return (
      <>
        {words.types[type]}
        {type === 'choice' && (
          <span className="text-muted-foreground">
            {' · '}
            <Plural value={offered.length} one="# opção" other="# opções" />
          </span>
        )}
      </>
    )
  }
  const uses = ({ uses: count, entity: of }: DefinedField) =>
    count === undefined ? (
      '—'
    ) : of === 'ticket' ? (
      <Plural value={count} one="# atendimento" other="# atendimentos" />
    ) : (
      <Plural value={count} one="# contato" other="# contatos" />
    )
  const actions = (field: DefinedField) => {
    const { name } = field
    const at = (shown ?? []).indexOf(field)
    return (
      <RowActions
        name={name}
        disabled={offline}
        onEdit={() => edit(field)}
        onRemove={() => remove(field)}
        more={[
          {
            ...{ icon: ArrowUp, label: t`Subir`, name: t`Subir ${name}`, disabled: offline || at <= 0 },
            run: () => void move(field, -1),
          },
          {
            ...{ icon: ArrowDown, label: t`Descer`, name: t`Descer ${name}` },
            disabled: offline || at === (shown ?? []).length - 1,
            run: () => void move(field, 1),
          },
        ]}
      />
    )
  }
  const actionsAside = (field: DefinedField) => (
    <RowActions
      name={field.name}
      disabled={offline}
      onRemove={field.uses === 0 ? () => remove(field) : undefined}
      more={[
        {
          ...{ icon: ArchiveRestore, label: t`Trazer de volta`, name: t`Trazer ${field.name} de volta` },
          disabled: offline || isFull,
          run: () => void bringBack(field),
        },
      ]}
    />
  )
  const list = (
    label: string,
    rows: readonly DefinedField[] | undefined,
    buttons: (field: DefinedField) => React.ReactNode,
  ) => (
    <DataList
      label={label}
      source={{ ...source, data: rows }}
      empty={
        <EmptyState icon={TextCursorInput} title={<Trans>Nenhum campo</Trans>} action={add}>
          {entity === 'ticket' ? (
            <Trans>
              Guarde em cada atendimento o que a sua empresa precisa saber: número do pedido, motivo, valor…
            </Trans>
          ) : (
            <Trans>Guarde de cada contato o que a sua empresa precisa saber: CPF, aniversário, tipo de cliente…</Trans>
          )}
        </EmptyState>
      }
      columns={[
        { id: 'name', header: <Trans>Nome</Trans>, cell: title },
        { id: 'key', header: <Trans>Chave</Trans>, cell: code, className: 'max-lg:hidden' },
        { id: 'type', header: <Trans>Tipo</Trans>, cell: kind },
        {
          id: 'uses',
          header: <Trans>Preenchido em</Trans>,
          cell: uses,
          className: 'tabular-nums text-muted-foreground max-md:hidden',
        },
        { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: buttons, className: 'w-44' },
      ]}
      card={(field) => (
        <div className="flex items-start gap-3">
          <div className="flex min-w-0 flex-1 flex-col gap-0.5 text-sm">
            {title(field)}
            <span>{kind(field)}</span>
            <span className="text-xs text-muted-foreground tabular-nums">
              {code(field)} · {uses(field)}
            </span>
          </div>
          <div className="-mt-2 -mr-2">{buttons(field)}</div>
        </div>
      )}
    />
  )
  return (
    <Page
      title={t`Campos próprios`}
      description={<Trans>O que a sua empresa anota de contatos e atendimentos, além do que já existe.</Trans>}
      actions={
        <>
          {maySeeSettings && (
            <Button asChild variant="outline">
              <Link to="/settings">
                <ArrowLeft />
                <Trans>Configurações</Trans>
              </Link>
            </Button>
          )}
          {add}
        </>
      }
    >
      <Tabs
        value={entity}
        onValueChange={(next) => setEntity(next === 'contact' ? 'contact' : 'ticket')}
        className="flex flex-col gap-5"
      >
        <TabsList aria-label={t`De que são os campos`}>
          {fieldEntities.toReversed().map((one) => (
            <TabsTrigger key={one} value={one}>
              {words.entities[one]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={entity} className="flex flex-col gap-6">
          {list(t`Campos de ${words.entities[entity]}`, shown, actions)}
          {aside.length > 0 && (
            <section aria-labelledby="fields-aside" className="flex flex-col gap-3">
              <div>
                <h2 id="fields-aside" className="text-sm font-semibold">
                  <Trans>Guardados</Trans>
                </h2>
                <p className="text-sm text-muted-foreground">
                  <Trans>Não aparecem em lugar nenhum; o que foi preenchido continua lá.</Trans>
                </p>
              </div>
              {list(t`Campos guardados`, aside, actionsAside)}
            </section>
          )}
        </TabsContent>
      </Tabs>
      {edited !== undefined && (
        <CustomFieldDialog
          field={edited}
          entity={entity}
          taken={source.data ?? []}
          onClose={close}
          onSaved={(saved) => {
            setEntity(saved.entity)
            source.reload()
          }}
        />
      )}
      {removed && <RemoveFieldDialog field={removed} onClose={close} onRemoved={source.reload} />}
    </Page>
  )
}

/** A field that somebody has filled in is put aside; another goes. */
function RemoveFieldDialog({
  field,
  onClose,
  onRemoved,
}: {
  field: DefinedField
  onClose: () => void
  onRemoved: () => void
}) {
  const { t } = useLingui()
  const { id, name, uses = 0 } = field
  const isKept = uses > 0
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      destructive={!isKept}
      title={isKept ? <Trans>Guardar {name}?</Trans> : <Trans>Excluir {name}?</Trans>}
      confirmLabel={isKept ? <Trans>Guardar</Trans> : <Trans>Excluir</Trans>}
      onConfirm={() =>
        succeeds(
          () => customFields.remove(id),
          isKept ? t`${name}: guardado` : t`${name}: excluído`,
          onRemoved,
          t`Não foi possível realizar a operação`,
        )
      }
    >
      {isKept ? (
        <Trans>Ele sai das telas, e o que foi preenchido fica. Você pode trazê-lo de volta depois.</Trans>
      ) : (
        <Trans>Ninguém preencheu este campo.</Trans>
      )}
    </ConfirmDialog>
  )
}
