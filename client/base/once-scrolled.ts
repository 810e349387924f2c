/** Frames without movement after which a scroller stands that cannot say so. */
const stillFrames = 8

/** Calls `then` once the scrolling that has just begun has ended. WebKit before Safari 26.2 has no event for it. */
export function onceScrolled(scroller: HTMLElement, then: () => void, signal?: AbortSignal): void {
  if ('onscrollend' in scroller)
    return scroller.addEventListener('scrollend', then, { once: true, ...(signal ? { signal } : {}) })
  let last = Number.NaN
  let still = 0
  const look = () => {
    if (signal?.aborted) return
    still = (scroller as HTMLElement).scrollTop === last ? still + 1 : 0
    last = (scroller as HTMLElement).scrollTop
    if (still === stillFrames) then()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
