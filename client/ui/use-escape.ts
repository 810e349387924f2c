import { useRef } from 'react'
import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from 'react'
import { covers } from './covers.ts'

/** Keys that the dialog behind heard and left to the one in front. */
const leftToFront = new WeakSet<Event>()

/** Whether something that came after it lies over `own`; what is opened last stands last in the page. */
function isCovered(own: Element): boolean {
  return [...document.querySelectorAll(covers)].some(
    (other) => own.compareDocumentPosition(other) === Node.DOCUMENT_POSITION_FOLLOWING,
  )
}

/**
 * Escape closes what is in front. Radix tells which that is only after it was drawn: until then the one behind still
 * hears the key, and the one in front does not.
 * @param onEscape what the owner of the dialog says to the key first
 * @returns props of the dialog's content, and a ref for the button that closes it
 */
export function useEscape(onEscape?: (event: KeyboardEvent) => void): {
  close: RefObject<HTMLButtonElement | null>
  keys: {
    onEscapeKeyDown: (event: KeyboardEvent) => void
    onKeyDown: (event: ReactKeyboardEvent<HTMLElement>) => void
  }
} {
  const close = useRef<HTMLButtonElement>(null)
  const onEscapeKeyDown = (event: KeyboardEvent) => {
    const own = close.current?.closest('[role="dialog"], [role="alertdialog"]')
    if (own && isCovered(own)) {
      leftToFront.add(event)
      event.preventDefault()
    } else onEscape?.(event)
  }
  const onKeyDown = ({ key, target, currentTarget, nativeEvent }: ReactKeyboardEvent<HTMLElement>) => {
    // For React, what is opened from inside the dialog is inside of it.
    if (key !== 'Escape' || !(target instanceof Node) || !currentTarget.contains(target)) return
    if (leftToFront.has(nativeEvent)) close.current?.click()
  }
  return { close, keys: { onEscapeKeyDown, onKeyDown } }
}
