import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Download, ListChecks, Plus, SearchX, UsersRound } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { contactListInput } from '../../schema/contact-lists/contact-lists.inputs.ts'
import type { ContactListInput } from '../../schema/contact-lists/contact-lists.inputs.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { toastError } from '../session/failure.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { CampaignsLink } from '../campaigns/campaigns.link.tsx'
import { saveBlob } from '../kit/media.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { contactLists, useContactLists } from './contact-lists.queries.ts'
import type { ContactList } from './contact-lists.queries.ts'

export default function ContactListsScreen() {
  return (
    <PlanGate feature="useCampaigns">
      <ContactLists />
    </PlanGate>
  )
}

function ContactLists() {
  const { t } = useLingui()
  const { search, setSearch, settled } = useSearchText()
  const source = useContactLists(settled)
  const offline = useReadOnly(source)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<ContactList>(source.data)

  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar lista</Trans>
    </Button>
  )
  const sample = async () => {
    try {
      saveBlob(await contactLists.sample(), 'lista-exemplo.xlsx')
    } catch (error) {
      toastError(error)
    }
  }
  const name = (list: ContactList) => (
    <span className="flex min-w-0 items-center gap-2.5">
      <Link
        to="/contact-lists/$id/contacts"
        params={{ id: String(list.id) }}
        className="focus-ring truncate rounded-sm text-sm font-medium hover:underline"
      >
        {list.name}
      </Link>
      {list.checkState === 'running' && (
        <Badge tone="info">
          <Trans>
            Verificando {list.checkDone} de {list.checkTotal}
          </Trans>
        </Badge>
      )}
    </span>
  )
  const actions = (list: ContactList) => (
    <RowActions
      name={list.name}
      disabled={offline}
      onEdit={() => edit(list)}
      onRemove={() => remove(list)}
      more={[
        {
          ...{ icon: UsersRound, label: t`Ver contatos`, name: t`Ver contatos de ${list.name}` },
          link: (props) => <Link {...props} to="/contact-lists/$id/contacts" params={{ id: String(list.id) }} />,
        },
      ]}
    />
  )

  return (
    <Page
      title={t`Listas de contatos`}
      actions={
        <>
          <CampaignsLink />
          <Button variant="outline" disabled={offline} onClick={() => void sample()}>
            <Download />
            <Trans>Planilha de exemplo</Trans>
          </Button>
          {add}
        </>
      }
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar lista`} />}
    >
      <DataList
        label={t`Listas de contatos`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhuma lista encontrada</Trans>}>
              <Trans>Nenhuma lista tem “{search}” no nome.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={ListChecks} title={<Trans>Nenhuma lista de contatos</Trans>} action={add}>
              <Trans>As campanhas são enviadas a listas, preenchidas à mão ou por uma planilha.</Trans>
            </EmptyState>
          )
        }
        columns={[
          { id: 'name', header: <Trans>Nome</Trans>, cell: name, className: 'wrap-anywhere' },
          {
            id: 'contacts',
            header: <Trans>Contatos</Trans>,
            cell: (list) => list.contactsCount,
            className: 'w-36 tabular-nums text-muted-foreground',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-36' },
        ]}
        card={(list) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              {name(list)}
              <span className="text-xs text-muted-foreground tabular-nums">
                <Plural value={list.contactsCount} one="# contato" other="# contatos" />
              </span>
            </div>
            <div className="-mr-2 flex">{actions(list)}</div>
          </div>
        )}
      />
      {edited !== undefined && <ListDialog list={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          uses={<UsesList noun="contactList" id={removed.id} />}
          remove={() => contactLists.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Todos os contatos da lista são excluídos com ela.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

function ListDialog({
  list,
  onClose,
  onSaved,
}: {
  list: ContactList | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const form = useForm<ContactListInput>({
    defaultValues: { name: list?.name ?? '' },
    resolver: schemaResolver(contactListInput),
  })
  return (
    <FormDialog
      onClose={onClose}
      title={list ? t`Editar lista` : t`Adicionar lista`}
      size="sm"
      form={form}
      fieldOf={{ ERR_CONTACT_LIST_NAME_ALREADY_EXISTS: 'name' }}
      onSubmit={async (values) => {
        await (list ? contactLists.update(list.id, values) : contactLists.create(values))
        toast.success(t`Lista salva`)
        onSaved()
      }}
    >
      <Field label={<Trans>Nome</Trans>} required error={form.formState.errors.name?.message}>
        <Input autoFocus autoComplete="off" {...form.register('name')} />
      </Field>
    </FormDialog>
  )
}
