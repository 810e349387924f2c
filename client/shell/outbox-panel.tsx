import { isFinal } from '../../schema/errors.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { OutboxEntry } from '../../sync/client/replica.types.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { PopoverClose } from '../ui/popover.tsx'
import { commandNames } from '../kit/command-names.ts'
import { errorCodeText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { useRows } from '../replica/live-rows.ts'
import { useReplica } from '../replica/replica.tsx'
import { useOutbox } from '../replica/replica-hooks.ts'
import { type TicketName, ticketNames } from './outbox-panel.rows.ts'

/** Everything done here that the server has not taken yet: what was refused first, each with its reason, then what waits. */
export function OutboxPanel() {
  const entries = useOutbox().filter((entry) => entry.state !== 'sent')
  const ids = [...new Set(entries.flatMap((entry) => entry.ticketId ?? []))].sort((a, b) => a - b)
  const { rows = [] } = useRows(ids.length > 0 ? ticketNames(ids) : null, { keepPrevious: true })
  const tickets = new Map(rows.map((row) => [row.id, row]))
  const refused = entries.filter((entry) => entry.state === 'failed')
  const waiting = entries.filter((entry) => entry.state !== 'failed')
  if (entries.length === 0) {
    return (
      <p className="text-muted-foreground">
        <Trans>Tudo foi enviado.</Trans>
      </p>
    )
  }
  return (
    <div className="-mx-3 -my-3 max-h-[min(24rem,70dvh)] overflow-y-auto">
      {refused.length > 0 && (
        <section className="py-2">
          <h2 className="px-3 pb-1 text-xs font-medium text-destructive-soft-foreground">
            <Trans>Recusadas pelo servidor</Trans>
          </h2>
          <ul>
            {refused.map((entry) => (
              <Entry key={entry.id} entry={entry} ticket={tickets.get(entry.ticketId ?? 0)} />
            ))}
          </ul>
        </section>
      )}
      {waiting.length > 0 && (
        <section className="border-t py-2 first:border-t-0">
          <h2 className="px-3 pb-1 text-xs font-medium text-muted-foreground">
            <Trans>À espera de envio, nesta ordem</Trans>
          </h2>
          <ul>
            {waiting.map((entry) => (
              <Entry key={entry.id} entry={entry} ticket={tickets.get(entry.ticketId ?? 0)} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** The text that a command would write, if it writes one. */
function textOf(input: unknown): string | null {
  const { body, note, message } = (input ?? {}) as { body?: unknown; note?: unknown; message?: unknown }
  const text = body ?? note ?? message
  return typeof text === 'string' && text.trim() ? text : null
}

function Entry({ entry, ticket }: { entry: OutboxEntry; ticket: TicketName | undefined }) {
  const { t, i18n } = useLingui()
  const { outbox } = useReplica()
  const [discarding, setDiscarding] = useState(false)
  const name = i18n._(commandNames[entry.name])
  const detail = textOf(entry.input) ?? entry.file?.name
  const failed = entry.state === 'failed'
  return (
    <li className="flex items-start gap-1 px-3 py-1.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          {name}
          {ticket && (
            <>
              <span className="text-muted-foreground"> · </span>
              <PopoverClose asChild>
                <Link
                  to="/tickets/$uuid"
                  params={{ uuid: ticket.uuid }}
                  className="focus-ring rounded-sm font-normal text-primary-soft-foreground hover:underline"
                >
                  {ticket.name ?? `#${ticket.id}`}
                </Link>
              </PopoverClose>
            </>
          )}
        </p>
        {detail && <p className="truncate text-muted-foreground">{detail}</p>}
        {failed && entry.error && (
          <p className="text-destructive-soft-foreground">
            {entry.error.code === 'NETWORK' ? (
              <Trans>A rede falhou.</Trans>
            ) : (
              errorCodeText(entry.error.code, entry.error.params)
            )}
          </p>
        )}
      </div>
      {failed && !(entry.error && isFinal(entry.error.code)) && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t`Tentar de novo: ${name}`}
          onClick={() => void outbox.retry(entry.id).catch(toastError)}
        >
          <RotateCw />
        </Button>
      )}
      {entry.state !== 'sending' && (
        <Button
          variant="destructive-ghost"
          size="icon-sm"
          aria-label={t`Descartar: ${name}`}
          onClick={() => setDiscarding(true)}
        >
          <Trash2 />
        </Button>
      )}
      <ConfirmDialog
        open={discarding}
        onOpenChange={setDiscarding}
        title={<Trans>Descartar esta ação?</Trans>}
        confirmLabel={<Trans>Descartar</Trans>}
        destructive
        onConfirm={() =>
          outbox.discard(entry.id).catch((error: unknown) => {
            toastError(error)
            return false
          })
        }
      >
        <Trans>O que ela mudou nesta tela volta a ser como era.</Trans>
      </ConfirmDialog>
    </li>
  )
}
