import { Trans, useLingui } from '@lingui/react/macro'
import { isFinal } from '../../schema/errors.ts'
import { commandNames } from '../kit/command-names.ts'
import { errorCodeText } from '../session/error-text.ts'
import { useReplica } from '../replica/replica.tsx'
import { useOutbox } from '../replica/replica-hooks.ts'
import { toastError } from '../session/failure.tsx'
import { Button } from '../ui/button.tsx'

/** What the server refused about this ticket, other than messages, which tell it in their own bubbles. */
export function RefusedCommands({ ticketId }: { ticketId: number }) {
  const { i18n } = useLingui()
  const replica = useReplica()
  const refused = useOutbox(ticketId).filter((entry) => entry.state === 'failed' && entry.name !== 'messages.send')
  if (refused.length === 0) return null
  return (
    <div role="alert" className="border-t bg-destructive-soft text-sm text-destructive-soft-foreground">
      <ul>
        {refused.map((entry) => (
          <li key={entry.id} className="flex items-center gap-2 px-4 py-1.5">
            <span className="min-w-0 flex-1">
              <span className="font-medium">{i18n._(commandNames[entry.name])}: </span>
              {entry.error ? errorCodeText(entry.error.code, entry.error.params) : null}
            </span>
            {!(entry.error && isFinal(entry.error.code)) && (
              <Button variant="ghost" size="sm" onClick={() => void replica.outbox.retry(entry.id).catch(toastError)}>
                <Trans>Tentar de novo</Trans>
              </Button>
            )}
            <Button variant="ghost" size="sm" onClick={() => void replica.outbox.discard(entry.id).catch(toastError)}>
              <Trans>Descartar</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
