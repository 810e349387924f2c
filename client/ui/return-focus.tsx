import { useEffect, useState } from 'react'

/** What has the focus; for an item of a menu, which goes, the button that opened the menu. */
function openerNow(): Element | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role="menu"]')
  return (menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')) ?? activeElement
}

/**
 * Inside something that covers the page: when it goes, the focus returns to what opened it. Radix does this only for
 * its own triggers; opened by state, it leaves the keyboard at the top of the page.
 */
export function ReturnFocus() {
  // Read while rendering: once mounted, a field with `autoFocus` has it already.
  const [opener] = useState(openerNow)
  useEffect(
    () => () => {
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
      })
    },
    [opener],
  )
  return null
}
