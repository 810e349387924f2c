import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSettled } from '../base/use-settled.ts'
import { usePlacesIn } from '../tickets/tickets.found-messages.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { sought, wantedMessage } from './messages.open-at.ts'

/** Long enough not to search for every letter of a word that is typed in one go. */
const typingMs = 120

/** Looks through what was said in one conversation; leads from one place to the next, the newest first. */
export default function FindBar({ ticketId, onClose }: { ticketId: number; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const text = useSettled(typed.trim().toLowerCase(), typingMs)
  const { places: found, isAsking } = usePlacesIn(ticketId, text)
  const [at, setAt] = useState(0)
  const [shownFor, setShownFor] = useState(text)
  // What the server adds is older, as a rule: who has gone on meanwhile stays where they are.
  if (shownFor !== text) {
    setShownFor(text)
    setAt(0)
  }
  const place = Math.min(at, found.length - 1)
  const messageId = found[place]?.messageId
  useEffect(() => {
    if (messageId !== undefined) wantedMessage.set({ ticketId, messageId })
  }, [messageId, ticketId])
  useEffect(() => {
    if (messageId === undefined) return
    sought.set({ ticketId, messageId, text })
    return () => sought.set(null)
  }, [messageId, ticketId, text])
  useEffect(() => field.current?.focus(), [])
  const go = (by: 1 | -1) => found.length > 0 && setAt((place + by + found.length) % found.length)
  const many = found.length
  const one = place + 1
  return (
    <search
      data-escape
      aria-label={t`Buscar na conversa`}
      className="flex shrink-0 items-center gap-1 border-b bg-card px-3 py-1.5 animate-in fade-in-0 duration-75"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        else if (event.key === 'Enter' || event.key === 'ArrowUp') go(event.shiftKey ? -1 : 1)
        else if (event.key === 'ArrowDown') go(-1)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <Input
        ref={field}
        type="search"
        value={typed}
        aria-label={t`Buscar na conversa`}
        placeholder={t`Buscar na conversa`}
        onChange={(event) => setTyped(event.target.value)}
        className="min-w-0 flex-1"
      />
      <span role="status" className="min-w-16 text-center text-xs text-muted-foreground tabular-nums">
        {text.length >= 3 &&
          typed.trim() !== '' &&
          (many === 0 ? (
            isAsking ? (
              <Trans>Buscando…</Trans>
            ) : (
              <Trans>nada</Trans>
            )
          ) : (
            <Trans>
              {i18n.number(one)} de {i18n.number(many)}
            </Trans>
          ))}
      </span>
      <IconButton label={t`Mais antiga`} disabled={many < 2} onClick={() => go(1)}>
        <ChevronUp />
      </IconButton>
      <IconButton label={t`Mais nova`} disabled={many < 2} onClick={() => go(-1)}>
        <ChevronDown />
      </IconButton>
      <IconButton label={t`Fechar a busca`} onClick={onClose}>
        <X />
      </IconButton>
    </search>
  )
}
