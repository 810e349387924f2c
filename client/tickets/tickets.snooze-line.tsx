import { Trans, useLingui } from '@lingui/react/macro'
import { AlarmClock } from 'lucide-react'
import { isSnoozed, waitsForAnswer } from '../../schema/tickets/tickets.snooze.ts'
import { useNow } from '../base/now.ts'
import type { TicketRow } from './tickets.rows.ts'
import { untilText } from './tickets.until.ts'

/** Until when a ticket lies aside, and why; of one that is back, why it was. Nothing for any other. */
export default function SnoozeLine({ ticket }: { ticket: TicketRow }) {
  const { i18n } = useLingui()
  const now = useNow()
  const { snoozedUntil, snoozeNote } = ticket
  if (!isSnoozed(ticket) && snoozeNote === null) return null
  const until = snoozedUntil === null || waitsForAnswer(snoozedUntil) ? null : untilText(snoozedUntil, now, i18n.locale)
  return (
    <span className="mt-0.5 flex min-w-0 items-center gap-1 text-[0.75rem] text-primary-soft-foreground">
      <AlarmClock aria-hidden="true" className="size-3 shrink-0" />
      <span className="truncate" dir="auto">
        {snoozedUntil !== null &&
          (until === null ? <Trans>Até o contato responder</Trans> : <Trans>Até {until}</Trans>)}
        {snoozedUntil !== null && snoozeNote !== null && ': '}
        {snoozeNote}
      </span>
    </span>
  )
}
