/** Whether there is a mouse or its like. Where there is none, a field that takes the focus brings up a keyboard. */
export const hasFinePointer = (): boolean => matchMedia('(pointer: fine)').matches

let isFinger = false

// Nobody touches where there is no page.
if ('document' in globalThis) {
  const options = { capture: true, passive: true }
  window.addEventListener('pointerdown', ({ pointerType }) => (isFinger = pointerType === 'touch'), options)
  window.addEventListener('keydown', () => (isFinger = false), options)
}

/**
 * Gives an element the focus without scrolling. After a finger it has no ring: that is the keyboard's, and the browser shows
 * it wherever a script takes the focus.
 */
export const focusQuietly = (element: HTMLElement | null | undefined): void =>
  element?.focus({ preventScroll: true, ...(isFinger && { focusVisible: false }) })
