import { useEffect, useState } from 'react'

/** What has the focus; for an item of a menu, which goes, the button that opened the menu. */
export function openerNow(): Element | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role="menu"]')
  return (menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')) ?? activeElement
}

/** The button that had the focus last, if nothing else has had it since. */
let lastButton: WeakRef<HTMLButtonElement> | undefined
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    lastButton = target instanceof HTMLButtonElement ? new WeakRef(target) : undefined
  })

/** A button that fetches before it opens anything is disabled meanwhile and loses the focus; nothing else gets it. */
function openerOfCover(): Element | null {
  const opener = openerNow()
  return opener === document.body ? (lastButton?.deref() ?? opener) : opener
}

interface Cover {
  opener: Element | null
  /** What went at this very moment, to make room for this one. */
  before: Cover | undefined
}

/** What covered the page and goes now. */
let going: Cover | undefined

/** What opened it; of one that took the place of another, what opened that. */
function openerOf({ opener, before }: Cover): Element | null {
  return opener?.isConnected && opener !== document.body ? opener : before ? openerOf(before) : null
}

/**
 * Inside something that covers the page: when it goes, the focus returns to what opened it. Radix does this only for
 * its own triggers; opened by state, it leaves the keyboard at the top of the page.
 */
export function ReturnFocus() {
  // Read while rendering: once mounted, a field with `autoFocus` has it already.
  const [cover] = useState<Cover>(() => ({ opener: openerOfCover(), before: going }))
  useEffect(
    () => () => {
      going = cover
      setTimeout(() => {
        if (going === cover) going = undefined
        const isLost = document.activeElement === null || document.activeElement === document.body
        const opener = openerOf(cover)
        if (isLost && opener instanceof HTMLElement) opener.focus()
      })
    },
    [cover],
  )
  return null
}
