import { Trans, useLingui } from '@lingui/react/macro'
import { CopyCheck, Merge, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { useFetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { dateText } from '../i18n/dates.ts'
import { useContactLabel } from '../kit/contact-label.ts'
import { phoneText } from '../kit/phone-text.ts'
import { ContactAvatar } from '../kit/contact-avatar.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toaster.tsx'
import { contacts } from './contacts.queries.ts'
import type { DuplicateContact, Duplicates } from './contacts.queries.ts'
import { useDuplicateWords } from './contacts.words.ts'

const undoForMs = 10_000

/** Contacts that seem to be one person, side by side; and what was merged, with a way back. */
export default function DuplicatesDialog({ onClose, onMerged }: { onClose: () => void; onMerged: () => void }) {
  const { t, i18n } = useLingui()
  const found = useFetched<Duplicates>('/contacts/duplicates')
  const [busy, setBusy] = useState(false)
  useCompanyEvent('contact', found.reload)

  const changed = () => {
    found.reload()
    onMerged()
  }
  const undo = async (id: number) => {
    setBusy(true)
    try {
      await contacts.undoMerge(id)
      toast.success(t`Contatos separados de novo`)
      changed()
    } catch (error) {
      toastError(error)
    }
    setBusy(false)
  }
  const merge = async (kept: DuplicateContact, gone: readonly DuplicateContact[]) => {
    setBusy(true)
    try {
      for (const { id, name } of gone) {
        const { mergeId } = await contacts.merge(kept.id, id)
        toast.success(t`${name} agora é ${kept.name}`, {
          duration: undoForMs,
          action: { label: t`Desfazer`, onClick: () => void undo(mergeId) },
        })
      }
    } catch (error) {
      toastError(error)
    }
    changed()
    setBusy(false)
  }

  const { data, error } = found
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={t`Contatos duplicados`}
        description={t`Ao juntar, atendimentos, mensagens e observações passam para o contato mantido.`}
        size="lg"
        // The toast with the way back is outside of the dialog.
        onInteractOutside={(event) =>
          (event.target as HTMLElement).closest('[data-sonner-toaster]') && event.preventDefault()
        }
      >
        <DialogBody className="flex flex-col gap-5">
          {!data && !error && (
            <div role="status" aria-label={t`Carregando`} className="flex flex-col gap-3">
              <Skeleton className="h-40" />
              <Skeleton className="h-40" />
            </div>
          )}
          {!data && error && <ErrorState onRetry={found.reload}>{errorText(error)}</ErrorState>}
          {data?.groups.length === 0 && (
            <EmptyState icon={CopyCheck} title={<Trans>Nenhum contato duplicado</Trans>}>
              <Trans>
                Procuramos números escritos de dois modos, e‑mails repetidos e identidades ocultas do WhatsApp.
              </Trans>
            </EmptyState>
          )}
          {data?.groups.map((group) => (
            <Group
              key={group.contacts.map(({ id }) => id).join()}
              {...group}
              busy={busy}
              onMerge={(kept, gone) => void merge(kept, gone)}
            />
          ))}
          {data && data.merges.length > 0 && (
            <section aria-label={t`Junções recentes`}>
              <h3 className="mb-1 text-sm font-semibold">
                <Trans>Junções recentes</Trans>
              </h3>
              <ul>
                {data.merges.map(({ id, keptName, goneName, goneNumber, userName, createdAt }) => (
                  <li key={id} className="flex items-center gap-3 border-b py-2 last:border-b-0">
                    <div className="min-w-0 flex-1 text-sm">
                      <p className="break-words">
                        <Trans>
                          {goneName} {phoneText(goneNumber)} → <span className="font-medium">{keptName}</span>
                        </Trans>
                      </p>
                      <p className="text-xs text-muted-foreground tabular-nums">
                        {dateText(i18n.locale, new Date(createdAt), 'date', 'time')} ·{' '}
                        {userName ?? t`o WhatsApp informou`}
                      </p>
                    </div>
                    <Button
                      variant="outline"
                      size="sm"
                      disabled={busy}
                      aria-label={t`Desfazer a junção de ${goneName} com ${keptName}`}
                      onClick={() => void undo(id)}
                    >
                      <Undo2 />
                      <Trans>Desfazer</Trans>
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

/** The one that has served the most is proposed to stay. */
const proposed = (list: readonly DuplicateContact[]) =>
  list.toSorted(
    (a, b) => b.tickets - a.tickets || Number(b.number !== null) - Number(a.number !== null) || a.id - b.id,
  )[0]!

function Group({
  reason,
  contacts: list,
  busy,
  onMerge,
}: Duplicates['groups'][number] & {
  busy: boolean
  onMerge: (kept: DuplicateContact, gone: readonly DuplicateContact[]) => void
}) {
  const { t } = useLingui()
  const reasons = useDuplicateWords()
  // Not by a contact: one may stand in two groups, whose radio buttons are not one choice.
  const group = useId()
  const [keptId, setKeptId] = useState(() => proposed(list).id)
  const kept = list.find(({ id }) => id === keptId) ?? list[0]!
  return (
    <section aria-label={list.map(({ name }) => name).join(', ')} className="rounded-xl border">
      <p className="border-b px-4 py-2 text-xs text-muted-foreground">{reasons[reason]}</p>
      <div role="radiogroup" aria-label={t`Qual contato fica`} className="grid gap-3 p-3 sm:grid-cols-2">
        {list.map((contact) => (
          <Side
            key={contact.id}
            contact={contact}
            others={list}
            group={group}
            chosen={contact.id === kept.id}
            onChoose={() => setKeptId(contact.id)}
          />
        ))}
      </div>
      <div className="flex justify-end px-3 pb-3">
        <Button
          size="sm"
          disabled={busy}
          onClick={() =>
            onMerge(
              kept,
              list.filter(({ id }) => id !== kept.id),
            )
          }
        >
          <Merge />
          <Trans>Juntar em {kept.name}</Trans>
        </Button>
      </div>
    </section>
  )
}

/** One of the contacts; what differs from the others stands out. */
function Side({
  contact,
  others,
  group,
  chosen,
  onChoose,
}: {
  contact: DuplicateContact
  others: readonly DuplicateContact[]
  group: string
  chosen: boolean
  onChoose: () => void
}) {
  const { t, i18n } = useLingui()
  const name = useContactLabel()(contact)
  const differs = (field: 'name' | 'number' | 'email') => others.some((other) => other[field] !== contact[field])
  const line = (label: string, value: React.ReactNode, marked: boolean) => (
    <div className="flex gap-2 text-xs">
      <dt className="w-28 shrink-0 text-muted-foreground">{label}</dt>
      <dd className={cn('min-w-0 flex-1 truncate tabular-nums', marked && 'font-medium')}>{value}</dd>
    </div>
  )
  return (
    <label
      className={cn(
        'flex cursor-pointer flex-col gap-3 rounded-lg border p-3 has-focus-visible:outline-2 has-focus-visible:outline-ring',
        chosen ? 'border-primary bg-primary-soft' : 'hover:bg-accent',
      )}
    >
      <span className="flex items-center gap-2.5">
        <ContactAvatar name={contact.name} picture={contact.profilePicUrl} size="sm" />
        <span className="min-w-0 flex-1 truncate text-sm font-medium">{name}</span>
        <input
          type="radio"
          name={group}
          checked={chosen}
          onChange={onChoose}
          className="size-4 accent-primary"
          aria-label={t`Manter ${name}`}
        />
      </span>
      <dl className="flex flex-col gap-1">
        {line(t`Número`, phoneText(contact.number) || t`Número oculto`, differs('number'))}
        {line(t`E-mail`, contact.email || '—', differs('email'))}
        {line(t`Atendimentos`, contact.tickets, false)}
        {line(
          t`Última mensagem`,
          contact.lastMessageAt ? dateText(i18n.locale, new Date(contact.lastMessageAt), 'date', 'time') : '—',
          false,
        )}
        {line(t`Criado em`, dateText(i18n.locale, new Date(contact.createdAt), 'date'), false)}
        {contact.extraInfo.slice(0, 3).map(({ id, name, value }) => (
          <div key={id} className="flex gap-2 text-xs">
            <dt className="w-28 shrink-0 truncate text-muted-foreground">{name}</dt>
            <dd className="min-w-0 flex-1 truncate">{value}</dd>
          </div>
        ))}
      </dl>
    </label>
  )
}
