import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { useCompanyEvent } from '../session/use-event.ts'

/** WhatsApp repeats the contact's "typing" while it lasts; silence ends it. */
const typingForMs = 12_000

/** Says that the contact is writing. */
export function TypingLine({ ticketId }: { ticketId: number }) {
  const [typing, setTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useCompanyEvent('typing', (data) => {
    const event = data as { action?: string; ticketId?: number; user?: object } | null
    // Colleagues are told of beside the field, where it matters.
    if (event?.ticketId !== ticketId || event.user) return
    clearTimeout(timer.current)
    const composing = event.action === 'composing'
    setTyping(composing)
    if (composing) timer.current = setTimeout(() => setTyping(false), typingForMs)
  })
  return (
    <div aria-live="polite" className="px-5">
      {typing && (
        <p className="inline-flex items-center gap-2 rounded-xl bg-bubble-in px-3 py-1.5 text-xs text-muted-foreground shadow-xs animate-in fade-in-0">
          <span aria-hidden="true" className="flex gap-0.5">
            {[0, 150, 300].map((delay) => (
              <span
                key={delay}
                className="size-1.5 animate-bounce rounded-full bg-muted-foreground/70"
                style={{ animationDelay: `${delay}ms` }}
              />
            ))}
          </span>
          <Trans>digitando</Trans>
        </p>
      )}
    </div>
  )
}
