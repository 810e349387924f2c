import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { dateText } from '../i18n/dates.ts'
import { dayOf } from '../app/thread.ts'
import { phoneText } from '../messages/messages.parts.ts'
import { plainText } from '../messages/messages.text-format.ts'
import type { TicketRow } from './tickets.rows.ts'

/** Until half a day ago the time, this week the day, otherwise the date. */
export function listTime(at: number, now: number, locale: string): string {
  const days = Math.round((dayOf(now) - dayOf(at)) / 86_400_000)
  // Also over midnight: "Friday" says little about three minutes ago.
  if (days <= 0 || now - at < 12 * 3_600_000) return dateText(locale, at, 'time')
  if (days < 7) return dateText(locale, at, 'weekday').replace('.', '')
  return dateText(locale, at, 'date')
}

/** What was said last in a ticket, without markup, or that it was taken back. */
export function useLastLine() {
  const { t } = useLingui()
  return useCallback(
    ({ lastMessage, lastMessageDeleted }: Pick<TicketRow, 'lastMessage' | 'lastMessageDeleted'>) =>
      lastMessageDeleted ? `🚫 ${t`Mensagem apagada`}` : plainText(lastMessage),
    [t],
  )
}

/** How a ticket's contact is called: by name, else by number, else by the ticket's number. */
export function useContactName() {
  const { t } = useLingui()
  return useCallback(
    (ticket: Pick<TicketRow, 'id' | 'contactName' | 'contactNumber'>) => {
      const { id } = ticket
      return ticket.contactName || phoneText(ticket.contactNumber) || t`Atendimento ${id}`
    },
    [t],
  )
}

/** Today, yesterday, or the day written out. */
export function useDayName() {
  const { t, i18n } = useLingui()
  return useCallback(
    (day: number, now: number) => {
      const days = Math.round((dayOf(now) - day) / 86_400_000)
      if (days === 0) return t`Hoje`
      if (days === 1) return t`Ontem`
      const text = dateText(i18n.locale, day, 'day')
      return new Date(day).getFullYear() === new Date(now).getFullYear()
        ? text
        : `${text}, ${new Date(day).getFullYear()}`
    },
    [t, i18n.locale],
  )
}
