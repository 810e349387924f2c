import { Trans, useLingui } from '@lingui/react/macro'
import { Check, ChevronRight, Copy, Eye, Images, Mail, Pencil, Phone, Plus, X } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { onDemand } from '../base/late.tsx'
import { isMasked } from '../../schema/contacts/contacts.masking.ts'
import { newId } from '../../schema/ids.ts'
import { can } from '../../schema/permissions.ts'
import { api } from '../session/api.ts'
import { usePlanFeature } from '../session/plan.ts'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import type { Contact } from '../contacts/contacts.rows.ts'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { phoneText } from '../kit/phone-text.ts'
import { NotesPanel } from '../notes/notes.panel.tsx'
import { OptOutLine } from '../opt-outs/opt-outs.notice.tsx'
import { Button } from '../ui/button.tsx'
import { Command } from '../ui/command.tsx'
import { cn } from '../ui/cn.ts'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { ContactAvatar } from '../kit/contact-avatar.tsx'
import { ContactSchedules } from './inbox.contact-schedules.tsx'
import { useDirectory, useTags } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { toastError } from '../session/failure.tsx'
import { perform } from '../session/perform.ts'
import { contactDetails } from '../contacts/contacts.rows.ts'
import { writingState } from '../tickets/tickets.actions.ts'
import { opensOnClick, ticketsOfContact, type TicketRow } from '../tickets/tickets.rows.ts'
import { TagChip } from '../tickets/tickets.item.tsx'
import { Timeline } from '../messages/messages.timeline.tsx'
import { useOnline } from '../replica/use-online.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'
import { copyText } from '../base/copy-text.ts'
import { useNow } from '../base/now.ts'
import { listTime, useContactName, useLastLine } from '../tickets/tickets.words.ts'

const FieldsPanel = onDemand(() => import('../custom-fields/custom-fields.panel.tsx'))
const ContactTimeline = onDemand(() => import('../messages/messages.contact-timeline.tsx'))
const SharedMedia = onDemand(() => import('../messages/messages.shared.tsx'))
const ContactDialog = onDemand(async () => ({
  default: (await import('../contacts/contacts.dialog.tsx')).ContactDialog,
}))

export interface PanelFocus {
  section: 'tags' | 'notes' | null
  /** Counts the requests, so that asking twice scrolls twice. */
  asked: number
}

/** Who the contact is, what the team noted, and the services before this one. */
export function ContactPanel({
  ticket,
  remote,
  focus,
  onLeave,
}: {
  ticket: TicketRow /** Not in the replica: shown, not changed. */
  remote: boolean
  focus: PanelFocus
  /** The conversation under the panel is wanted. */
  onLeave: () => void
}) {
  const { t } = useLingui()
  const [shared, setShared] = useState(false)
  const back = useRef<HTMLButtonElement>(null)
  const nameOf = useContactName()
  const schedules = usePlanFeature('useSchedules')
  const campaigns = usePlanFeature('useCampaigns')
  const { rows } = useRows(contactDetails(ticket.contactId))
  const contact = rows?.[0]
  const replica = useReplica()
  const fields = useFields()
  const [contactFields, ticketFields] = [fieldsOn(fields, 'contact'), fieldsOn(fields, 'ticket')]
  const name = nameOf(ticket)
  const tagsRef = useRef<HTMLElement>(null)
  const notesRef = useRef<HTMLElement>(null)
  useEffect(() => {
    if (focus.section !== null) setShared(false)
  }, [focus])
  useEffect(() => {
    const target = focus.section === 'tags' ? tagsRef.current : focus.section === 'notes' ? notesRef.current : null
    target?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
    if (focus.section === 'tags') target?.querySelector<HTMLElement>('[data-add-tag]')?.focus()
  }, [focus])
  if (shared)
    return (
      <Suspense fallback={null}>
        <SharedMedia
          contactId={ticket.contactId}
          onLeave={onLeave}
          onBack={() => {
            setShared(false)
            requestAnimationFrame(() => back.current?.focus())
          }}
        />
      </Suspense>
    )
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div className="flex flex-col items-center gap-1 px-4 pt-6 pb-5 text-center">
        <ContactAvatar name={name} picture={ticket.contactPicture} isGroup={ticket.isGroup} size="lg" />
        <h2 className="mt-2 max-w-full text-base font-semibold break-words">{name}</h2>
        {ticket.isGroup ? (
          <p className="text-xs text-muted-foreground">
            <Trans>Grupo</Trans>
          </p>
        ) : (
          <>
            {contact?.username && (
              <p className="max-w-full truncate text-sm text-muted-foreground">@{contact.username}</p>
            )}
            {ticket.contactNumber ? (
              <NumberLine key={ticket.contactId} id={ticket.contactId} number={ticket.contactNumber} />
            ) : (
              <HiddenNumber ticket={ticket} remote={remote} />
            )}
          </>
        )}
        {contact?.email && <CopyLine icon={<Mail />} text={contact.email} value={contact.email} />}
        <EditContact id={ticket.contactId} />
        {campaigns && <OptOutLine ticketId={ticket.id} contactId={ticket.contactId} isGroup={ticket.isGroup} />}
      </div>
      {contact && contact.extraInfo.length > 0 && (
        <Section title={t`Informações extras`}>
          <dl className="flex flex-col gap-2 text-sm">
            {contact.extraInfo.map((info) => (
              <div key={info.id}>
                <dt className="text-xs text-muted-foreground">{info.name}</dt>
                <dd className="break-words">{info.value}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      {!ticket.isGroup && contact && contactFields.length > 0 && (
        <Section title={t`Campos do contato`}>
          <Suspense fallback={null}>
            <FieldsPanel
              fields={contactFields}
              values={contact.fields}
              readOnly={false}
              save={async (fields) =>
                (await perform(replica, 'contacts.setFields', { contactId: ticket.contactId, fields })) !== null
              }
            />
          </Suspense>
        </Section>
      )}
      {ticketFields.length > 0 && (
        <Section title={t`Campos do atendimento`}>
          <Suspense fallback={null}>
            <FieldsPanel
              fields={ticketFields}
              values={ticket.fields}
              readOnly={remote}
              save={async (fields) =>
                (await perform(replica, 'tickets.setFields', { ticketId: ticket.id, fields })) !== null
              }
            />
          </Suspense>
        </Section>
      )}
      <button
        ref={back}
        type="button"
        onClick={() => setShared(true)}
        className="focus-ring flex w-full items-center gap-2.5 border-t px-4 py-3 text-left text-sm outline-offset-[-2px] hover:bg-accent"
      >
        <Images aria-hidden="true" className="size-4 text-muted-foreground" />
        <span className="min-w-0 flex-1">
          <Trans>Mídia, arquivos e links</Trans>
        </span>
        <ChevronRight aria-hidden="true" className="size-4 text-muted-foreground" />
      </button>
      <Section title={t`Etiquetas`} ref={tagsRef}>
        <TagsEditor ticket={ticket} readOnly={remote} />
      </Section>
      <Section title={t`Observações`} ref={notesRef}>
        <NotesPanel ticket={ticket} readOnly={remote} focus={focus.section === 'notes' ? focus.asked : 0} />
      </Section>
      {schedules && (
        <Section title={t`Mensagens agendadas`}>
          <ContactSchedules ticket={ticket} />
        </Section>
      )}
      <Section title={t`Linha do tempo`}>
        <EitherTimeline ticket={ticket} />
      </Section>
      <Section title={t`Histórico de atendimentos`}>
        <History ticket={ticket} />
      </Section>
    </div>
  )
}

/** Opens the contact's form on what the server has: the replica lacks some of its fields, and others may be older. */
function EditContact({ id }: { id: number }) {
  const online = useOnline()
  const [fetching, setFetching] = useState(false)
  const [contact, setContact] = useState<Contact | null>(null)
  const open = async () => {
    setFetching(true)
    try {
      setContact(await api.get<Contact>(`/contacts/${id}`))
    } catch (error) {
      toastError(error)
    } finally {
      setFetching(false)
    }
  }
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="mt-1 text-muted-foreground"
        disabled={!online}
        busy={fetching}
        onClick={() => void open()}
      >
        <Pencil className="size-3.5" />
        <Trans>Editar contato</Trans>
      </Button>
      <Suspense fallback={null}>
        {contact && <ContactDialog contact={contact} onClose={() => setContact(null)} onSaved={() => undefined} />}
      </Suspense>
    </>
  )
}

function Section({ title, ref, children }: { title: string; ref?: React.Ref<HTMLElement>; children: ReactNode }) {
  return (
    <section ref={ref} aria-label={title} className="border-t px-4 py-4">
      <h3 className="mb-2.5 text-xs font-medium text-muted-foreground">{title}</h3>
      {children}
    </section>
  )
}

/** In place of a number that WhatsApp has not told: a way to ask the contact for it. */
function HiddenNumber({ ticket, remote }: { ticket: TicketRow; remote: boolean }) {
  const { t } = useLingui()
  const replica = useReplica()
  const me = usePrincipal()
  const [isAsked, setAsked] = useState(0)
  const mayWrite = !remote && writingState(ticket, me) === 'open'
  const ask = async () => {
    const body = t`Pode nos passar o seu número de telefone?`
    const done = await perform(replica, 'messages.send', { id: newId(), ticketId: ticket.id, body, asksNumber: true })
    if (done) setAsked(ticket.contactId)
  }
  return (
    <>
      <p className="inline-flex items-center gap-1.5 px-1.5 py-0.5 text-sm text-muted-foreground [&_svg]:size-3.5">
        <Phone aria-hidden="true" />
        <Trans>Número oculto</Trans>
      </p>
      {mayWrite && (
        <Button variant="outline" size="sm" disabled={isAsked === ticket.contactId} onClick={() => void ask()}>
          {isAsked === ticket.contactId ? <Trans>Número pedido</Trans> : <Trans>Pedir o número</Trans>}
        </Button>
      )}
    </>
  )
}

/** The contact's number; one that a role hides is shown to whoever may ask for it, until they leave. */
function NumberLine({ id, number }: { id: number; number: string }) {
  const { t } = useLingui()
  const me = usePrincipal()
  const online = useOnline()
  const [asked, setAsked] = useState<'no' | 'asking' | { number: string }>('no')
  const known = typeof asked === 'object' ? asked.number : number
  if (!isMasked(known)) return <CopyLine icon={<Phone />} text={phoneText(known)} value={`+${known}`} />
  const reveal = async () => {
    setAsked('asking')
    try {
      setAsked(await api.post<{ number: string }>(`/contacts/${id}/reveal`))
    } catch (error) {
      setAsked('no')
      toastError(error)
    }
  }
  return (
    <p className="inline-flex max-w-full items-center gap-1.5 px-1.5 text-sm text-muted-foreground tabular-nums [&_svg]:size-3.5">
      <Phone aria-hidden="true" />
      <span className="truncate">{known}</span>
      {can(me, 'contacts:reveal') && (
        <Tooltip content={t`Mostrar o número; fica na auditoria`}>
          <Button
            variant="ghost"
            size="icon"
            className="size-7"
            disabled={!online}
            busy={asked === 'asking'}
            aria-label={t`Mostrar o número`}
            onClick={() => void reveal()}
          >
            <Eye />
          </Button>
        </Tooltip>
      )}
    </p>
  )
}

function CopyLine({ icon, text, value }: { icon: ReactNode; text: string; value: string }) {
  const { t } = useLingui()
  const [copied, setCopied] = useState(false)
  return (
    <button
      type="button"
      aria-label={copied ? t`Copiado` : t`Copiar ${text}`}
      onClick={() => {
        void copyText(value).then((done) => {
          if (!done) return
          setCopied(true)
          setTimeout(() => setCopied(false), 1500)
        })
      }}
      className="focus-ring group/copy inline-flex max-w-full items-center gap-1.5 rounded-md px-1.5 py-0.5 text-sm text-muted-foreground tabular-nums hover:bg-accent hover:text-foreground [&_svg]:size-3.5"
    >
      {icon}
      <span className="truncate">{text}</span>
      {copied ? (
        <Check className="text-success" />
      ) : (
        <Copy className="opacity-0 group-hover/copy:opacity-100 group-focus-visible/copy:opacity-100" />
      )}
    </button>
  )
}

/** The ticket's tags, with search among all of the company's. */
function TagsEditor({ ticket, readOnly }: { ticket: TicketRow; readOnly: boolean }) {
  const { t } = useLingui()
  const replica = useReplica()
  const tags = useTags()
  const line = useRef<HTMLDivElement>(null)
  const chosen = ticket.tagIds.flatMap((id) => tags.byId.get(id) ?? [])
  if (readOnly)
    return (
      <p className="flex flex-wrap gap-1.5 text-xs text-muted-foreground">
        {chosen.length > 0 ? (
          chosen.map((tag) => <TagChip key={tag.id} tag={tag} className="h-6 text-xs" />)
        ) : (
          <Trans>Nenhuma etiqueta.</Trans>
        )}
      </p>
    )
  const set = (tagIds: number[]) => void perform(replica, 'tickets.setTags', { ticketId: ticket.id, tagIds })
  return (
    <div ref={line} className="flex flex-wrap items-center gap-1.5">
      {chosen.map((tag) => (
        <span key={tag.id} className="group/tag relative inline-flex">
          <TagChip tag={tag} className="h-6 pr-6 text-xs touch:h-8 touch:pr-8" />
          <button
            type="button"
            aria-label={t`Retirar a etiqueta ${tag.name}`}
            onClick={({ currentTarget }) => {
              const buttons = [...(line.current?.querySelectorAll('button') ?? [])]
              buttons[buttons.indexOf(currentTarget) + 1]?.focus()
              set(ticket.tagIds.filter((id) => id !== tag.id))
            }}
            className="focus-ring absolute inset-y-0 right-0 flex w-6 items-center justify-center rounded-sm text-muted-foreground hover:text-foreground touch:w-8"
          >
            <X className="size-3" />
          </button>
        </span>
      ))}
      <Popover>
        <PopoverTrigger asChild>
          <Button data-add-tag variant="outline" size="sm" className="h-6 border-dashed px-2 shadow-none touch:h-9">
            <Plus className="size-3.5" />
            <Trans>Etiqueta</Trans>
          </Button>
        </PopoverTrigger>
        <PopoverContent align="start" className="w-60 p-1">
          <Command
            label={t`Buscar etiqueta`}
            placeholder={t`Buscar etiqueta`}
            items={tags.list.map((tag) => ({
              id: String(tag.id),
              label: tag.name,
              content: (
                <span className="flex items-center gap-2">
                  <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: tag.color }} />
                  <span className="truncate">{tag.name}</span>
                </span>
              ),
            }))}
            selected={ticket.tagIds.map(String)}
            empty={tags.list.length === 0 ? <Trans>A empresa ainda não tem etiquetas.</Trans> : undefined}
            onSelect={(id) => {
              const picked = Number(id)
              set(
                ticket.tagIds.includes(picked)
                  ? ticket.tagIds.filter((known) => known !== picked)
                  : [...ticket.tagIds, picked],
              )
            }}
          />
        </PopoverContent>
      </Popover>
    </div>
  )
}

/** What happened in this ticket, or in all of the contact's. */
function EitherTimeline({ ticket }: { ticket: TicketRow }) {
  const [all, setAll] = useState(false)
  return (
    <>
      {all ? (
        <Suspense fallback={null}>
          <ContactTimeline contactId={ticket.contactId} />
        </Suspense>
      ) : (
        <Timeline ticketId={ticket.id} />
      )}
      {!ticket.isGroup && (
        <Button variant="link" size="sm" className="mt-1 block px-0" aria-pressed={all} onClick={() => setAll(!all)}>
          {all ? <Trans>Só deste atendimento</Trans> : <Trans>De todos os atendimentos do contato</Trans>}
        </Button>
      )}
    </>
  )
}

function History({ ticket }: { ticket: TicketRow }) {
  const { i18n } = useLingui()
  const { queues, users } = useDirectory()
  const actions = useTicketActions()
  const lastLine = useLastLine()
  const now = useNow()
  const { rows } = useRows(ticketsOfContact(ticket.contactId))
  const others = rows?.filter((other) => other.id !== ticket.id) ?? []
  if (rows && others.length === 0)
    return (
      <p className="text-xs text-muted-foreground">
        <Trans>Este é o primeiro atendimento guardado aqui.</Trans>
      </p>
    )
  return (
    <ul className="-mx-2 flex flex-col">
      {others.map((other) => {
        const queue = other.queueId === null ? undefined : queues.byId.get(other.queueId)
        const agent = other.userId === null ? undefined : users.byId.get(other.userId)
        const openable = opensOnClick(other)
        return (
          <li key={other.id}>
            <button
              type="button"
              disabled={!openable}
              onClick={() => actions.open(other)}
              className={cn(
                'focus-ring flex w-full flex-col gap-0.5 rounded-md px-2 py-1.5 text-left',
                openable && 'hover:bg-accent',
              )}
            >
              <span className="flex items-center gap-1.5 text-xs text-muted-foreground">
                <span
                  aria-hidden="true"
                  className="size-1.5 rounded-full"
                  style={{ background: queue?.color ?? 'var(--border)' }}
                />
                <span className="tabular-nums">#{other.id}</span>
                <span className="min-w-0 flex-1 truncate">{agent?.name}</span>
                <time dateTime={new Date(other.updatedAt).toISOString()} className="tabular-nums">
                  {listTime(other.updatedAt, now, i18n.locale)}
                </time>
              </span>
              <span className="truncate text-[0.8125rem]">{lastLine(other)}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
