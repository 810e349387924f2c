import { useLingui } from '@lingui/react/macro'
import { ChevronDown, SmilePlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import type { BubbleActions } from './messages.bubble.tsx'
import type { ThreadMessage } from './messages.thread.ts'

/**
 * The buttons beside the message that is pointed at or has the focus. There are two of them for the whole conversation:
 * two for each message are half of its elements, and one message at a time is pointed at.
 */
export function MessageActions({
  scroller,
  messages,
  reactable,
  actions,
}: {
  scroller: RefObject<HTMLElement | null>
  messages: readonly ThreadMessage[] | undefined
  reactable: boolean
  actions: BubbleActions
}) {
  const { t } = useLingui()
  const [bubble, setBubble] = useState<HTMLElement | null>(null)

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const pointAt = (target: EventTarget | null) => {
      const message = target instanceof Element && element.contains(target) ? target.closest('[data-message]') : null
      setBubble(message?.querySelector<HTMLElement>('[data-bubble]') ?? null)
    }
    // A finger points at nothing before it taps, and a tap gives the focus.
    const onPointer = ({ type, target, pointerType }: PointerEvent) => {
      if (pointerType !== 'touch') pointAt(type === 'pointermove' ? target : document.activeElement)
    }
    const onFocus = ({ target }: FocusEvent) => pointAt(target)
    // Messages that are scrolled under a pointer at rest are not pointed at.
    element.addEventListener('pointermove', onPointer)
    element.addEventListener('pointerleave', onPointer)
    element.addEventListener('focusin', onFocus)
    return () => {
      element.removeEventListener('pointermove', onPointer)
      element.removeEventListener('pointerleave', onPointer)
      element.removeEventListener('focusin', onFocus)
    }
  }, [scroller])

  const id = bubble?.closest<HTMLElement>('[data-message]')?.dataset['message']
  const message = id === undefined ? undefined : messages?.find(({ row }) => row.id === id)
  if (!bubble || !message) return null
  const { row, delivery } = message
  const open = (button: Element, kind: 'menu' | 'react') => {
    const box = button.getBoundingClientRect()
    actions.openMenu(row, { x: row.fromMe ? box.right : box.left, y: box.bottom }, kind)
  }
  return createPortal(
    <span
      className={cn(
        'absolute inset-y-0 flex items-center gap-0.5 animate-in fade-in-0 duration-75',
        row.fromMe ? 'right-full mr-1 flex-row-reverse' : 'left-full ml-1',
      )}
    >
      {reactable && !row.isDeleted && !delivery && (
        <Button
          variant="ghost"
          size="icon-sm"
          tabIndex={-1}
          aria-label={t`Reagir`}
          className="size-6.5 text-muted-foreground max-sm:hidden"
          onClick={(event) => open(event.currentTarget, 'react')}
        >
          <SmilePlus />
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        tabIndex={-1}
        aria-label={t`Ações da mensagem`}
        aria-haspopup="menu"
        className="size-6.5 text-muted-foreground touch:size-8"
        onClick={(event) => open(event.currentTarget, 'menu')}
      >
        <ChevronDown />
      </Button>
    </span>,
    bubble,
  )
}
