import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import { decideActions } from '../../schema/actions/actions.decide.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Ticket } from '../../schema/tickets/tickets.table.ts'
import { useActionWords, actionIcons } from '../actions/actions.words.tsx'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { usePlaceholders } from '../placeholders/placeholders.values.ts'
import { useDirectory } from '../replica/directory.ts'
import { errorText } from '../session/error-text.ts'
import { usePrincipal } from '../session/session.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { Command } from '../ui/command.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter, DialogForm } from '../ui/dialog.tsx'
import type { MacroRow } from './macros.rows.ts'
import { useRunMacro } from './macros.use-run.ts'

/** Chooses a macro, shows what it will do with this ticket, and runs it. */
export default function RunDialog({
  ticket,
  macros,
  first,
  onClose,
}: {
  ticket: TicketRow
  macros: readonly MacroRow[]
  /** Which is chosen already. */
  first: number | null
  onClose: () => void
}) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState(first)
  const macro = macros.find(({ id }) => id === chosen)
  const { sentence } = useActionWords()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      {macro ? (
        <Preview ticket={ticket} macro={macro} onClose={onClose} />
      ) : (
        <DialogContent title={t`Executar uma macro`} size="md">
          <DialogBody className="pb-3">
            <Command
              label={t`Macros`}
              placeholder={t`Buscar macro`}
              items={macros.map((one) => ({
                id: String(one.id),
                label: one.name,
                keywords: one.shortcut,
                content: (
                  <span className="flex min-w-0 flex-col">
                    <span className="truncate">{one.name}</span>
                    <span className="truncate text-xs text-muted-foreground">
                      {one.actions.map((action) => sentence(action)).join(' · ')}
                    </span>
                  </span>
                ),
                ...(one.shortcut && { hint: <span className="text-xs">/{one.shortcut}</span> }),
              }))}
              onSelect={(id) => setChosen(Number(id))}
            />
          </DialogBody>
        </DialogContent>
      )}
    </Dialog>
  )
}

function Preview({ ticket, macro, onClose }: { ticket: TicketRow; macro: MacroRow; onClose: () => void }) {
  const { t } = useLingui()
  const { sentence } = useActionWords()
  const { preview } = usePlaceholders(ticket)
  const { after, refusal } = useOutcome(ticket, macro)
  const run = useRunMacro()
  const step = Number(refusal?.params['step'] ?? 0)
  const says = macro.actions.some(({ type }) => type === 'message')
  const submit = () => {
    if (refusal) return
    onClose()
    void run(ticket, macro, after)
  }
  return (
    <DialogContent
      title={macro.name}
      description={
        says
          ? t`O que vai acontecer, nesta ordem. Tudo ou nada; o que for enviado não volta.`
          : t`O que vai acontecer, nesta ordem. Tudo ou nada.`
      }
      size="md"
    >
      <DialogForm onSubmit={submit}>
        <DialogBody>
          <ol className="flex flex-col gap-2" aria-label={t`Ações`}>
            {macro.actions.map((action, index) => {
              const Icon = actionIcons[action.type]
              const isRefused = step === index + 1
              return (
                <li key={index} className="flex items-start gap-2.5 text-sm">
                  <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
                  <span className="min-w-0 flex-1">
                    <span dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                      {sentence(action, preview)}
                    </span>
                    {isRefused && refusal && (
                      <span role="alert" className="mt-0.5 flex items-start gap-1.5 text-destructive">
                        <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
                        {errorText(refusal)}
                      </span>
                    )}
                  </span>
                </li>
              )
            })}
          </ol>
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="outline" data-autofocus={refusal ? true : undefined}>
              <Trans>Cancelar</Trans>
            </Button>
          </DialogClose>
          {/* Enter runs it: what it does stands above. */}
          <Button type="submit" disabled={refusal !== null} data-autofocus={refusal ? undefined : true}>
            <Trans>Executar</Trans>
          </Button>
        </DialogFooter>
      </DialogForm>
    </DialogContent>
  )
}

/** What would become of the ticket, by the rules that decide when it is done; or why it would be refused. */
function useOutcome(
  ticket: TicketRow,
  macro: MacroRow,
): { after: Pick<Ticket, 'status' | 'userId'>; refusal: DomainError | null } {
  const who = usePrincipal()
  const { queues, users, tags } = useDirectory()
  const fields = useFields()
  return useMemo(() => {
    try {
      for (const [at, action] of macro.actions.entries()) {
        const step = { step: at + 1 }
        if (action.type === 'queue' && queues.isKnown && !queues.byId.has(action.queueId))
          throw new DomainError('ERR_NO_QUEUE_FOUND', step)
        if (action.type === 'assign' && action.to !== 'me' && users.isKnown && !users.byId.has(action.to))
          throw new DomainError('ERR_NO_USER_FOUND', step)
        if (action.type === 'tag' && tags.isKnown && !action.add.every((id) => tags.byId.has(id)))
          throw new DomainError('ERR_NO_TAG_FOUND', step)
      }
      const facts = {
        // What the list does not know of a ticket no rule asks.
        ticket: { ...ticket, companyId: who.companyId } as unknown as Ticket,
        ...{ unread: [], contact: undefined, words: null },
        // Of theirs only the names are read.
        ...({ fields: fieldsOn(fields, 'ticket'), queues: queues.byId, users: users.byId } as never as {
          fields: never[]
          queues: ReadonlyMap<number, never>
          users: ReadonlyMap<number, never>
        }),
      }
      const { ticket: after } = decideActions(macro.actions, facts, { who, now: new Date(0), commandId: '' }, false)
      return { after, refusal: null }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return { after: ticket, refusal: error }
    }
  }, [ticket, macro, who, queues, users, tags, fields])
}
