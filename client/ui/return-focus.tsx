import { useEffect, useState } from 'react'

/** What has the focus; for an item of a menu, which goes, the button that opened the menu. */
function openerNow(): Element | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role="menu"]')
  return (menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')) ?? activeElement
}

/** What covers the page now, the latest last. */
const covering: Cover[] = []

interface Cover {
  opener: Element | null
  /** What covered the page when this came; it may have made room for this one. */
  behind: Cover | undefined
}

/**
 * Inside something that covers the page: when it goes, the focus returns to what opened it. Radix does this only for
 * its own triggers; opened by state, it leaves the keyboard at the top of the page.
 */
export function ReturnFocus() {
  // Read while rendering: once mounted, a field with `autoFocus` has it already.
  const [cover] = useState<Cover>(() => ({ opener: openerNow(), behind: covering.at(-1) }))
  useEffect(() => {
    covering.push(cover)
    return () => {
      covering.splice(covering.indexOf(cover), 1)
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (!isLost) return
        // Something that loaded in this one's place had the focus, and is gone: what opened that is meant.
        let from: Cover | undefined = cover
        while (from && !from.opener?.isConnected) from = from.behind
        if (from?.opener instanceof HTMLElement) from.opener.focus()
      })
    }
  }, [cover])
  return null
}
