import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Whether an element has less than so much width, px: what a window leaves it depends on what stands beside it. */
export function useNarrow(element: RefObject<HTMLElement | null>, below: number): boolean {
  const [isNarrow, setNarrow] = useState(() => window.innerWidth < below)
  useLayoutEffect(() => {
    const it = element.current
    if (!it) return
    const measure = () => setNarrow(it.offsetWidth < below)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(it)
    return () => observer.disconnect()
  }, [element, below])
  return isNarrow
}
