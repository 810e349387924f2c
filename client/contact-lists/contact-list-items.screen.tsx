import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link, useParams } from '@tanstack/react-router'
import { CircleCheck, CircleHelp, CircleX, FileUp, List, Plus, SearchX, ShieldCheck, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  contactListItemInput,
  unnumberedContactListItemInput,
} from '../../schema/contact-lists/contact-lists.inputs.ts'
import type { ContactListItemInput } from '../../schema/contact-lists/contact-lists.inputs.ts'
import { isMasked } from '../../schema/contacts/contacts.masking.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { toastError } from '../session/failure.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useAnyOffers } from '../replica/offers.ts'
import { useCan } from '../session/session.tsx'
import ImportDialog from '../contacts/contacts.import-dialog.tsx'
import { phoneText } from '../kit/phone-text.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { contactLists, useContactList, useContactListItems } from './contact-lists.queries.ts'
import type { ContactListItem } from './contact-lists.queries.ts'

export default function ContactListItemsScreen() {
  return (
    <PlanGate feature="useCampaigns">
      <Items />
    </PlanGate>
  )
}

function Items() {
  const { t, i18n } = useLingui()
  const id = Number(useParams({ strict: false }).id)
  const mayImport = useCan('contacts:import')
  const mayRemove = useCan('contacts-page:deleteContact')
  const mayCheck = useAnyOffers('checkNumber')
  const { search, setSearch, settled } = useSearchText()
  const { data: list, reload } = useContactList(id)
  const source = useContactListItems(id, settled)
  const offline = useReadOnly(source)
  const [importing, setImporting] = useState(false)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<ContactListItem>(source.data)
  const isChecking = list?.checkState === 'running'

  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar contato</Trans>
    </Button>
  )
  const check = async () => {
    try {
      await (isChecking ? contactLists.stopCheck(id) : contactLists.check(id))
      reload()
    } catch (error) {
      toastError(error)
    }
  }
  const actions = (item: ContactListItem) => (
    <RowActions
      name={item.name}
      disabled={offline}
      onEdit={() => edit(item)}
      {...(mayRemove && { onRemove: () => remove(item) })}
    />
  )

  return (
    <Page
      title={list?.name ?? t`Lista de contatos`}
      description={
        list &&
        (isChecking ? (
          <Trans>
            Verificando números: {list.checkDone} de {list.checkTotal}, um por segundo
          </Trans>
        ) : (
          <>
            <Plural value={list.contactsCount} one="# contato" other="# contatos" />
            {': '}
            <Trans>
              {i18n.number(list.validCount)} com WhatsApp, {i18n.number(list.invalidCount)} sem
            </Trans>
          </>
        ))
      }
      actions={
        <>
          <Button variant="outline" asChild>
            <Link to="/contact-lists">
              <List />
              <Trans>Listas</Trans>
            </Link>
          </Button>
          {(mayCheck || isChecking) && (
            <Button variant="outline" disabled={offline || !list} onClick={() => void check()}>
              <ShieldCheck />
              {isChecking ? <Trans>Parar verificação</Trans> : <Trans>Verificar números</Trans>}
            </Button>
          )}
          {mayImport && (
            <Button variant="outline" disabled={offline || !list} onClick={() => setImporting(true)}>
              <FileUp />
              <Trans>Importar</Trans>
            </Button>
          )}
          {add}
        </>
      }
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar contato da lista`} />}
    >
      <DataList
        label={t`Contatos da lista`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhum contato encontrado</Trans>}>
              <Trans>Ninguém desta lista tem “{search}” no nome, no número ou no e-mail.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={UsersRound} title={<Trans>Lista vazia</Trans>} action={add}>
              <Trans>Adicione contatos ou importe uma planilha.</Trans>
            </EmptyState>
          )
        }
        columns={[
          { id: 'valid', header: <Trans>WhatsApp</Trans>, cell: (item) => <Valid item={item} />, className: 'w-28' },
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (item) => <span className="text-sm font-medium">{item.name}</span>,
            className: 'wrap-anywhere',
          },
          {
            id: 'number',
            header: <Trans>Número</Trans>,
            cell: (item) => phoneText(item.number),
            className: 'tabular-nums text-muted-foreground',
          },
          {
            id: 'email',
            header: <Trans>E-mail</Trans>,
            cell: (item) => item.email,
            className: 'wrap-anywhere text-muted-foreground',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(item) => (
          <div className="flex items-center gap-3">
            <Valid item={item} />
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <span className="truncate text-sm font-medium">{item.name}</span>
              <span className="truncate text-xs text-muted-foreground tabular-nums">{phoneText(item.number)}</span>
            </div>
            <div className="-mr-2">{actions(item)}</div>
          </div>
        )}
      />
      {edited !== undefined && <ItemDialog listId={id} item={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => contactLists.removeItem(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>O contato sai só desta lista.</Trans>
        </RemoveDialog>
      )}
      {importing && (
        <ImportDialog
          title={t`Importar para a lista`}
          fields={['name', 'number', 'email']}
          run={contactLists.upload(id)}
          onClose={() => setImporting(false)}
          onImported={() => {
            source.reload()
            reload()
          }}
        />
      )}
    </Page>
  )
}

function Valid({ item }: { item: ContactListItem }) {
  const { t } = useLingui()
  if (item.isWhatsappValid === null)
    return <CircleHelp className="size-4.5 text-muted-foreground" role="img" aria-label={t`Ainda não verificado`} />
  return item.isWhatsappValid ? (
    <CircleCheck className="size-4.5 text-success" role="img" aria-label={t`Tem WhatsApp`} />
  ) : (
    <CircleX className="size-4.5 text-destructive" role="img" aria-label={t`Não tem WhatsApp`} />
  )
}

function ItemDialog({
  listId,
  item,
  onClose,
  onSaved,
}: {
  listId: number
  item: ContactListItem | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  // Of a number that a role hides nothing is there to change.
  const hasNumber = !item || !isMasked(item.number)
  const form = useForm<ContactListItemInput>({
    defaultValues: {
      ...{ name: item?.name ?? '', email: item?.email ?? '' },
      ...(hasNumber && { number: item?.number ?? '' }),
    },
    resolver: schemaResolver(hasNumber ? contactListItemInput : unnumberedContactListItemInput, {
      number: t`Use só números`,
      email: t`E-mail inválido`,
    }),
  })
  const {
    register,
    formState: { errors },
  } = form
  return (
    <FormDialog
      onClose={onClose}
      title={item ? t`Editar contato da lista` : t`Adicionar contato à lista`}
      form={form}
      fieldOf={{ ERR_DUPLICATED_CONTACT: 'number', ERR_NUMBER_UNCLEAR: 'number' }}
      onSubmit={async (values) => {
        await (item ? contactLists.updateItem(item.id, values) : contactLists.createItem(listId, values))
        toast.success(t`Contato salvo`)
        onSaved()
      }}
    >
      <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
        <Input autoFocus autoComplete="off" {...register('name')} />
      </Field>
      {hasNumber && (
        <Field label={<Trans>Número</Trans>} required error={errors.number?.message}>
          <Input type="tel" inputMode="tel" autoComplete="off" placeholder="(11) 99999-0000" {...register('number')} />
        </Field>
      )}
      <Field label={<Trans>E-mail</Trans>} error={errors.email?.message}>
        <Input type="email" autoComplete="off" {...register('email')} />
      </Field>
    </FormDialog>
  )
}
