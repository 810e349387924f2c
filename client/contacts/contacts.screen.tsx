import { Trans, useLingui } from '@lingui/react/macro'
import {
  ContactRound,
  CopyCheck,
  Download,
  EllipsisVertical,
  FileSpreadsheet,
  MessageSquarePlus,
  Plus,
  SearchX,
  ShieldCheck,
  Upload,
} from 'lucide-react'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { onDemand } from '../base/late.tsx'
import { DataList, useReadOnly, type Column } from '../kit/data-list.tsx'
import { toastError } from '../session/failure.tsx'
import { saveBlob } from '../kit/media.ts'
import { RemoveDialog, RowActions } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useCan } from '../session/session.tsx'
import { useContactLabel } from '../kit/contact-label.ts'
import { phoneText } from '../kit/phone-text.ts'
import { ContactAvatar } from '../kit/contact-avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { ContactDialog } from './contacts.dialog.tsx'
import { BulkBar } from './contacts.bulk.tsx'
import { ContactFilter } from './contacts.filter.tsx'
import { allContacts, contacts, useContacts } from './contacts.queries.ts'
import type { Contact } from './contacts.rows.ts'

// Used now and then: the list does not wait for them.
const ImportDialog = onDemand(() => import('./contacts.import-dialog.tsx'))
const DuplicatesDialog = onDemand(() => import('./contacts.duplicates-dialog.tsx'))
const PrivacyDialog = onDemand(() => import('../privacy/privacy.dialog.tsx'))
const NewTicketDialog = onDemand(async () => ({
  default: (await import('../tickets/tickets.new-dialog.tsx')).NewTicketDialog,
}))

type Overlay =
  | { kind: 'create' | 'import' | 'duplicates' }
  | { kind: 'edit' | 'remove' | 'ticket' | 'privacy'; contact: Contact }

export default function ContactsScreen() {
  const { t, i18n } = useLingui()
  const labelOf = useContactLabel()
  const mayRemove = useCan('contacts-page:deleteContact')
  const { search, setSearch, settled } = useSearchText()
  const [narrowing, setNarrowing] = useState(allContacts)
  const source = useContacts(settled, narrowing)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const offline = useReadOnly(source)
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const close = () => setOverlay(null)

  const mayMerge = useCan('contacts:merge')
  const mayImport = useCan('contacts:import')
  const mayExport = useCan('contacts:export')
  const save = async (format: 'xlsx' | 'csv') => {
    try {
      saveBlob(await contacts.export(format, i18n.locale), `${t`contatos`}.${format}`)
    } catch (error) {
      toastError(error)
    }
  }
  const more = (mayImport || mayExport || mayMerge) && (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline" size="icon" disabled={offline} aria-label={t`Importar, exportar e duplicados`}>
          <EllipsisVertical />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {mayImport && (
          <DropdownMenuItem onSelect={() => setOverlay({ kind: 'import' })}>
            <Upload />
            <Trans>Importar planilha</Trans>
          </DropdownMenuItem>
        )}
        {mayExport && (
          <>
            <DropdownMenuItem onSelect={() => void save('xlsx')}>
              <FileSpreadsheet />
              <Trans>Exportar para Excel</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => void save('csv')}>
              <Download />
              <Trans>Exportar como CSV</Trans>
            </DropdownMenuItem>
          </>
        )}
        {mayMerge && (
          <>
            {(mayImport || mayExport) && <DropdownMenuSeparator />}
            <DropdownMenuItem onSelect={() => setOverlay({ kind: 'duplicates' })}>
              <CopyCheck />
              <Trans>Contatos duplicados</Trans>
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
  const add = (
    <Button disabled={offline} onClick={() => setOverlay({ kind: 'create' })}>
      <Plus />
      <Trans>Adicionar contato</Trans>
    </Button>
  )
  const rows = source.data ?? none
  // Who is no longer listed is not acted upon unseen.
  const picked = rows.flatMap(({ id }) => (chosen.has(id) ? id : []))
  const pick = useCallback(
    (ids: readonly number[], isIn: boolean) =>
      setChosen((now) => new Set(isIn ? [...now, ...ids] : [...now].filter((id) => !ids.includes(id)))),
    [],
  )
  const chosenOfAll = picked.length > 0 && (picked.length === rows.length || 'indeterminate')
  // The same ones while they would show the same: the list's rows are drawn anew when they change.
  const [columns, card] = useMemo(() => {
    const box = (contact: Contact) => <ChosenBox contact={contact} isChosen={chosen.has(contact.id)} onPick={pick} />
    const actions = (contact: Contact) => (
      <ContactActions contact={contact} disabled={offline} mayRemove={mayRemove} onOpen={setOverlay} />
    )
    const columns: readonly Column<Contact>[] = [
      {
        id: 'chosen',
        header: (
          <Checkbox
            checked={chosenOfAll}
            onCheckedChange={(isIn) =>
              pick(
                rows.map(({ id }) => id),
                isIn === true,
              )
            }
            aria-label={t`Escolher todos os que estão na lista`}
          />
        ),
        cell: box,
        className: 'w-10',
      },
      {
        id: 'name',
        header: <Trans>Nome</Trans>,
        cell: (contact) => (
          <span className="flex items-center gap-2.5">
            <Picture contact={contact} size="sm" />
            <span className="font-medium">{labelOf(contact)}</span>
          </span>
        ),
        className: 'wrap-anywhere',
      },
      {
        id: 'number',
        header: <Trans>WhatsApp</Trans>,
        cell: (contact) => <ContactNumber contact={contact} />,
        className: 'whitespace-nowrap tabular-nums',
      },
      { id: 'email', header: <Trans>E-mail</Trans>, cell: (contact) => contact.email, className: 'wrap-anywhere' },
      { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-36' },
    ]
    const card = (contact: Contact) => (
      <div className="flex items-center gap-3">
        {box(contact)}
        <Picture contact={contact} size="md" />
        <div className="flex min-w-0 flex-1 flex-col items-start">
          <p className="w-full truncate font-medium">{labelOf(contact)}</p>
          <p className="w-full truncate text-sm text-muted-foreground tabular-nums">
            <ContactNumber contact={contact} />
          </p>
        </div>
        <div className="-mr-2">{actions(contact)}</div>
      </div>
    )
    return [columns, card] as const
  }, [rows, chosen, chosenOfAll, offline, mayRemove, pick, labelOf, t])

  return (
    <Page
      title={t`Contatos`}
      actions={
        <>
          {more}
          {add}
        </>
      }
      toolbar={
        <>
          <SearchInput value={search} onChange={setSearch} label={t`Buscar por nome ou número`} />
          <ContactFilter value={narrowing} disabled={offline} onChange={setNarrowing} />
        </>
      }
    >
      <div className="flex flex-col">
        {picked.length > 0 && (
          <BulkBar ids={picked} disabled={offline} onDone={() => setChosen(new Set())} onChanged={source.reload} />
        )}
        <DataList
          label={t`Contatos`}
          source={source}
          empty={
            narrowing !== allContacts && !search ? (
              <EmptyState
                icon={SearchX}
                title={<Trans>Nenhum contato encontrado</Trans>}
                action={
                  <Button variant="outline" onClick={() => setNarrowing(allContacts)}>
                    <Trans>Limpar o filtro</Trans>
                  </Button>
                }
              />
            ) : search ? (
              <EmptyState icon={SearchX} title={<Trans>Nenhum contato encontrado</Trans>}>
                <Trans>Nenhum contato tem “{search}” no nome ou no número.</Trans>
              </EmptyState>
            ) : (
              <EmptyState icon={ContactRound} title={<Trans>Nenhum contato</Trans>} action={add}>
                <Trans>Quem escreve para a empresa aparece aqui. Também é possível adicionar à mão.</Trans>
              </EmptyState>
            )
          }
          columns={columns}
          card={card}
        />
      </div>
      <Suspense fallback={null}>
        {overlay?.kind === 'import' && <ImportDialog onClose={close} onImported={source.reload} />}
        {overlay?.kind === 'duplicates' && <DuplicatesDialog onClose={close} onMerged={source.reload} />}
        {overlay?.kind === 'privacy' && (
          <PrivacyDialog
            contact={{ id: overlay.contact.id, name: overlay.contact.name }}
            onClose={close}
            onErased={source.reload}
          />
        )}
        {overlay?.kind === 'ticket' && <NewTicketDialog with={overlay.contact} onClose={close} />}
      </Suspense>
      {overlay?.kind === 'create' && <ContactDialog contact={null} onClose={close} onSaved={source.reload} />}
      {overlay?.kind === 'edit' && <ContactDialog contact={overlay.contact} onClose={close} onSaved={source.reload} />}
      {overlay?.kind === 'remove' && (
        <RemoveDialog
          name={labelOf(overlay.contact)}
          remove={() => contacts.remove(overlay.contact.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Os atendimentos e as mensagens deste contato também são excluídos.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

const none: readonly Contact[] = []

function ChosenBox({
  contact,
  isChosen,
  onPick,
}: {
  contact: Contact
  isChosen: boolean
  onPick: (ids: readonly number[], isIn: boolean) => void
}) {
  const { t } = useLingui()
  const name = useContactLabel()(contact)
  return (
    <Checkbox
      checked={isChosen}
      onCheckedChange={(isIn) => onPick([contact.id], isIn === true)}
      aria-label={t`Escolher ${name}`}
    />
  )
}

const Picture = ({ contact, size }: { contact: Contact; size: 'sm' | 'md' }) => (
  <ContactAvatar name={contact.name} picture={contact.profilePicUrl} isGroup={contact.isGroup} size={size} />
)

function ContactNumber({ contact }: { contact: Contact }) {
  if (contact.isGroup)
    return (
      <Badge>
        <Trans>Grupo</Trans>
      </Badge>
    )
  return (
    phoneText(contact.number) || (
      <span className="text-muted-foreground">
        {contact.username ? `@${contact.username}` : <Trans>Número oculto</Trans>}
      </span>
    )
  )
}

function ContactActions({
  contact,
  disabled,
  mayRemove,
  onOpen,
}: {
  contact: Contact
  disabled: boolean
  mayRemove: boolean
  onOpen: (overlay: Overlay) => void
}) {
  const { t } = useLingui()
  const name = useContactLabel()(contact)
  const mayAnswer = useCan('privacy:write')
  return (
    <RowActions
      name={name}
      disabled={disabled}
      more={[
        mayAnswer && {
          icon: ShieldCheck,
          label: t`Privacidade`,
          name: t`Privacidade de ${name}`,
          disabled,
          run: () => onOpen({ kind: 'privacy', contact }),
        },
      ]}
      onEdit={() => onOpen({ kind: 'edit', contact })}
      onRemove={mayRemove ? () => onOpen({ kind: 'remove', contact }) : undefined}
    >
      <Tooltip content={t`Abrir atendimento`}>
        <Button
          variant="ghost"
          size="icon"
          className="text-muted-foreground hover:text-foreground"
          disabled={disabled}
          aria-label={t`Abrir atendimento com ${name}`}
          onClick={() => onOpen({ kind: 'ticket', contact })}
        >
          <MessageSquarePlus />
        </Button>
      </Tooltip>
    </RowActions>
  )
}
