import { Trans, useLingui } from '@lingui/react/macro'
import { Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { newId } from '../../schema/ids.ts'
import { isText } from '../../schema/inputs.ts'
import { noteText } from '../../schema/notes/notes.inputs.ts'
import { hasFinePointer } from '../base/by-finger.ts'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { FormattedText } from '../kit/formatted-text.tsx'
import { useUsers } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { perform } from '../session/perform.ts'
import { wantRow } from '../tickets/tickets.row-focus.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { dateText } from '../i18n/dates.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import type { NoteMention } from '../../schema/notes/notes.table.ts'
import { useMentions } from '../mentions/mentions.suggestions.tsx'
import { mostMentions } from '../../schema/notes/notes.inputs.ts'
import { notesOfContact } from './notes.rows.ts'

/** What colleagues tell each other about a contact; the contact never sees it. */
export function NotesPanel({
  ticket,
  readOnly,
  focus,
}: {
  ticket: TicketRow
  readOnly: boolean /** Changes when the field shall take the focus. */
  focus: number
}) {
  const { t, i18n } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const users = useUsers()
  const { rows: notes, error } = useRows(notesOfContact(ticket.contactId))
  const [text, setText] = useState('')
  const [tooShort, setTooShort] = useState(false)
  const [caret, setCaret] = useState(0)
  /** Who was chosen; whose name has left the text is not called. */
  const [called, setCalled] = useState<readonly NoteMention[]>([])
  const [deletingId, setDeletingId] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (focus > 0) field.current?.focus()
  }, [focus])

  const suggestions = useMentions(text, caret, (mention, from) => {
    const before = `${text.slice(0, from)}@${mention.name} `
    setText(before + text.slice(caret))
    setCalled((all) => [...all, mention])
    setCaret(before.length)
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length))
  })

  const add = async () => {
    const note = text.trim()
    if (!isText(noteText, note)) {
      setTooShort(true)
      field.current?.focus()
      return
    }
    const mentions = called
      .filter(
        (one, at) =>
          note.includes(`@${one.name}`) &&
          called.findIndex(({ kind, id }) => kind === one.kind && id === one.id) === at,
      )
      .slice(0, mostMentions)
      .map(({ kind, id }) => ({ kind, id }))
    const input = { id: newId(), ticketId: ticket.id, note, ...(mentions.length > 0 && { mentions }) }
    if (!(await perform(replica, 'notes.create', input))) return
    setText('')
    setCalled([])
    // The button goes with the text; a finger would only bring up the keyboard again.
    if (hasFinePointer()) field.current?.focus()
    toast.success(t`Observação adicionada com sucesso!`)
  }
  return (
    <div className="flex flex-col gap-3">
      {!readOnly && (
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            void add()
          }}
        >
          <Field
            label={<span className="sr-only">{t`Nova observação`}</span>}
            error={tooShort && t`Escreva ao menos 2 caracteres`}
          >
            <Textarea
              ref={field}
              maxRows={6}
              value={text}
              maxLength={noteText.maxLength}
              placeholder={t`Escreva para a equipe`}
              onChange={(event) => {
                setText(event.target.value)
                setCaret(event.target.selectionStart)
                setTooShort(false)
              }}
              {...suggestions.field}
              onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
              onKeyDown={(event) => {
                if (suggestions.onKey(event)) return
                if (event.key === 'Escape' && !event.currentTarget.closest('[role="dialog"]')) {
                  // The keys of the list and of the conversation are heard again.
                  event.currentTarget.blur()
                  wantRow({ to: 'at', id: ticket.id })
                }
                if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
                event.preventDefault()
                void add()
              }}
            />
          </Field>
          {suggestions.list}
          {text !== '' && (
            <Button type="submit" size="sm" className="self-end">
              <Trans>Adicionar</Trans>
            </Button>
          )}
        </form>
      )}
      {error && (
        <p role="alert" className="text-xs text-destructive-soft-foreground">
          <Trans>As observações não puderam ser lidas.</Trans>
        </p>
      )}
      {notes?.length === 0 && (
        <p className="text-xs text-muted-foreground">
          <Trans>Nenhuma observação sobre este contato.</Trans>
        </p>
      )}
      <ul className="flex flex-col gap-2">
        {notes?.map((note) => {
          const { ticketId } = note
          return (
            <li
              key={note.id}
              className="group/note rounded-lg bg-warning-soft/70 px-3 py-2 text-sm dark:bg-warning-soft/40"
            >
              <div dir="auto">
                <FormattedText text={note.note} />
              </div>
              {note.mentions.length > 0 && (
                <p className="mt-1 flex flex-wrap gap-1">
                  {note.mentions.map((one) => (
                    <span
                      key={`${one.kind} ${one.id}`}
                      className="rounded-full bg-primary-soft px-1.5 py-0.5 text-xs font-medium text-primary-soft-foreground"
                    >
                      @{one.name}
                    </span>
                  ))}
                </p>
              )}
              <p className="mt-1 flex min-h-6 items-center gap-1.5 text-xs text-muted-foreground">
                <span className="min-w-0 flex-1 truncate">
                  {(note.userId === null ? undefined : users.byId.get(note.userId)?.name) ?? t`Usuário excluído`}
                  <span aria-hidden="true"> · </span>
                  <time dateTime={new Date(note.createdAt).toISOString()} className="tabular-nums">
                    {dateText(i18n.locale, note.createdAt, 'moment')}
                  </time>
                  {ticketId !== ticket.id && <> · #{ticketId}</>}
                </span>
                {!readOnly && (note.userId === who.userId || who.profile === 'admin') && (
                  <Button
                    variant="ghost"
                    size="icon-sm"
                    aria-label={t`Excluir a observação`}
                    onClick={() => setDeletingId(note.id)}
                    className="size-6 opacity-0 group-focus-within/note:opacity-100 group-hover/note:opacity-100 touch:size-8 touch:opacity-100"
                  >
                    <Trash2 className="size-3.5" />
                  </Button>
                )}
              </p>
            </li>
          )
        })}
      </ul>
      <ConfirmDialog
        open={deletingId !== null}
        onOpenChange={(open) => !open && setDeletingId(null)}
        title={t`Deseja realmente excluir este registro?`}
        confirmLabel={t`Excluir`}
        destructive
        onConfirm={async () => {
          if (deletingId !== null && (await perform(replica, 'notes.delete', { id: deletingId })))
            toast.success(t`Observação excluída com sucesso!`)
        }}
      />
    </div>
  )
}
