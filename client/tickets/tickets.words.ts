import { DAY_MS } from '../../schema/durations.ts'
import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { dateText } from '../i18n/dates.ts'
import { dayOf } from '../base/thread.ts'
import { phoneText } from '../kit/phone-text.ts'
import { useUser } from '../session/session.tsx'
import { isSignedBy, splitSignature } from '../kit/signature.ts'
import { plainText } from '../kit/text-tree.ts'
import type { TicketRow } from './tickets.rows.ts'

/** Until half a day ago the time, this week the day, otherwise the date. */
export function listTime(at: number, now: number, locale: string): string {
  const days = Math.round((dayOf(now) - dayOf(at)) / DAY_MS)
  // Also over midnight: "Friday" says little about three minutes ago.
  if (days <= 0 || now - at < 12 * 3_600_000) return dateText(locale, at, 'time')
  if (days < 7) return dateText(locale, at, 'weekday')
  return dateText(locale, at, 'date')
}

/** What the server keeps of a message without words, and how long a recording is. */
const wordless = /^(📷|🎬|🎤|🩷|📄|📍|👤|👁️|📱)(?: (\d+:\d\d))?$/u

/** What was said last in a ticket, without markup and the reader's own signature, or that it was taken back. */
export function useLastLine() {
  const { t } = useLingui()
  const { name } = useUser()
  return useCallback(
    ({
      lastMessage,
      lastMessageDeleted,
      lastMessageFromMe,
    }: Pick<TicketRow, 'lastMessage' | 'lastMessageDeleted'> & { lastMessageFromMe?: boolean }) => {
      if (lastMessageDeleted) return `🚫 ${t`Mensagem apagada`}`
      const [, icon, length] = wordless.exec(lastMessage) ?? []
      if (icon !== undefined) {
        const words: Record<string, string> = {
          '📷': t`Foto`,
          '🎬': t`Vídeo`,
          '🎤': t`Áudio`,
          '🩷': t`Figurinha`,
          '📄': t`Arquivo`,
          '📍': t`Localização`,
          '👤': t`Contato`,
          '👁️': t`Visualização única`,
          '📱': t`Mensagem que só o telefone mostra`,
        }
        return [icon, words[icon], length].filter(Boolean).join(' ')
      }
      const isOwn = lastMessageFromMe === true && isSignedBy(lastMessage, name)
      return plainText(isOwn ? splitSignature(lastMessage).text : lastMessage)
    },
    [t, name],
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
      const days = Math.round((dayOf(now) - day) / DAY_MS)
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
