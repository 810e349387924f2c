import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { openerNow } from '../ui/return-focus.tsx'
import { firstControl } from '../base/first-control.ts'
import { isFocusLost } from '../base/focus-lost.ts'

/** What comes later than this into a screen is not waited for, ms. */
const comesWithinMs = 5000

/** How what a screen was left by is found again: rows are drawn anew, and stand elsewhere. */
interface Mark {
  tag: string
  name: string
  href: string | null
  /** Of those that are called so. */
  index: number
}

const content = () => document.getElementById('content')
const nameOf = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()
const alike = ({ tag, name, href }: Omit<Mark, 'index'>) =>
  [...(content()?.querySelectorAll<HTMLElement>(tag) ?? [])].filter(
    (element) => nameOf(element) === name && element.getAttribute('href') === href,
  )

function markOf(element: Element | null): Mark | null {
  if (!element || !content()?.contains(element) || !element.matches('a, button')) return null
  const mark = { tag: element.tagName, name: nameOf(element), href: element.getAttribute('href') }
  return { ...mark, index: alike(mark).indexOf(element as HTMLElement) }
}

const found = (mark: Mark) => {
  const all = alike(mark)
  return all[mark.index] ?? all[0]
}

/** Where reading begins: the title; where that is not seen, the first thing that takes the keyboard. */
function beginning(): HTMLElement | null {
  const area = content()
  const title = area?.querySelector('h1')
  if (!title) return area
  if (title.offsetWidth > 1) {
    title.tabIndex = -1
    return title
  }
  return firstControl(area!) ?? area
}

/** Of the screens of one area the keyboard is moved by the area itself. */
const areaOf = (path: string) => /^\/(tickets|chats)\b/.exec(path)?.[1] ?? path
const isOneArea = (from: { pathname: string }, to: { pathname: string }) =>
  areaOf(from.pathname) === areaOf(to.pathname)

/**
 * Whoever goes to another screen without a menu that stays finds the keyboard in it, at its title; whoever comes back,
 * where they left. Otherwise it would begin at the top of the page.
 */
export function useScreenFocus(): void {
  const router = useRouter()
  useEffect(() => {
    const leftBy = new Map<string, Mark>()
    let stop: () => void = () => undefined
    const leave = router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged || isOneArea(fromLocation, toLocation)) return
      // The way back is no place to come back to.
      const mark = leftBy.has(toLocation.pathname) ? null : markOf(openerNow())
      if (mark) leftBy.set(fromLocation.pathname, mark)
    })
    const arrive = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      stop()
      if (!fromLocation || !pathChanged || isOneArea(fromLocation, toLocation)) return
      const mark = leftBy.get(toLocation.pathname)
      leftBy.delete(toLocation.pathname)
      stop = settle(mark)
    })
    return () => {
      leave()
      arrive()
      stop()
    }
  }, [router])
}

/** Takes the keyboard into the screen, further as more of it comes, until somebody uses it. @returns how to call it off */
function settle(mark: Mark | undefined): () => void {
  let placed: Element | null = null
  const stop = () => {
    observer.disconnect()
    clearTimeout(late)
    for (const type of ['keydown', 'pointerdown']) window.removeEventListener(type, stop, true)
  }
  const place = () => {
    if (!isFocusLost() && document.activeElement !== placed) return stop()
    const target = mark && found(mark)
    const next = target ?? beginning()
    if (next && next !== document.activeElement) {
      next.focus({ preventScroll: next !== target })
      placed = document.activeElement
    }
    if (mark ? target : next && next !== content()) stop()
  }
  const observer = new MutationObserver(place)
  const late = setTimeout(stop, comesWithinMs)
  for (const type of ['keydown', 'pointerdown']) window.addEventListener(type, stop, true)
  observer.observe(content() ?? document.body, { childList: true, subtree: true })
  place()
  return stop
}
