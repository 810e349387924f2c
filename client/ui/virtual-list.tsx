import { useEffect, useRef, useState } from 'react'
import type { ReactElement, Ref } from 'react'
import { VList } from 'virtua'
import type { VListHandle } from 'virtua'
import { cn } from './cn.ts'
import { usePieces } from './pieces.ts'

export type VirtualListHandle = VListHandle

/**
 * A scrolling list that renders only what is in sight. It fills its parent, which must have a height.
 * `onEndReached` is called once per item count when the bottom is within `threshold` px (also when the list is too short to scroll).
 */
export function VirtualList<T>({
  items,
  itemKey,
  children,
  onEndReached,
  onScroll,
  threshold = 100,
  shift = false,
  focusable = false,
  itemHeight,
  inPieces = false,
  className,
  ref,
  label,
}: {
  items: readonly T[]
  itemKey: (item: T) => string | number
  children: (item: T, index: number) => ReactElement
  onEndReached?: () => void
  onScroll?: () => void
  /** Distance from the bottom, px. */
  threshold?: number
  /** Set while items are being put in front, so that what is in sight stays in place. */
  shift?: boolean
  /** Set where no item can take the focus: the keyboard then scrolls the list itself. */
  focusable?: boolean
  /** What most items measure, px: as many as fill the window are drawn before the list's height is known. */
  itemHeight?: number
  /** Set where the page is still being built: the first window of items comes a few in each frame. Needs `itemHeight`. */
  inPieces?: boolean
  className?: string
  ref?: Ref<VirtualListHandle>
  /** Accessible name. */
  label: string
}) {
  const own = useRef<VListHandle | null>(null)
  const askedAt = useRef(-1)
  // Left to itself, the list draws nothing until it is measured, and then all of it in one go.
  const [unmeasured, setUnmeasured] = useState(() =>
    itemHeight ? Array.from({ length: Math.ceil(window.innerHeight / itemHeight) }, (_, index) => index) : null,
  )

  const first = usePieces(Math.min(items.length, unmeasured?.length ?? 0), inPieces && itemHeight !== undefined)

  const check = () => {
    const handle = own.current
    if (first !== null || !handle || !onEndReached || askedAt.current === items.length) return
    if (handle.scrollSize - handle.viewportSize - handle.scrollOffset > threshold) return
    askedAt.current = items.length
    onEndReached()
  }

  // A first page shorter than the window never scrolls, so nothing else would ask for the second.
  useEffect(check)

  return (
    <VList
      data={first === null ? items : items.slice(0, first)}
      ref={(handle) => {
        own.current = handle
        if (typeof ref === 'function') return ref(handle)
        if (ref) ref.current = handle
        return undefined
      }}
      role="list"
      aria-label={label}
      shift={shift}
      {...(unmeasured && { keepMounted: unmeasured, onResize: () => first === null && setUnmeasured(null) })}
      {...(focusable && { tabIndex: 0 })}
      onScroll={() => {
        check()
        onScroll?.()
      }}
      className={cn('overscroll-contain', focusable && 'focus-ring', className)}
    >
      {(item, index) => (
        <div key={itemKey(item)} role="listitem">
          {children(item, index)}
        </div>
      )}
    </VList>
  )
}
