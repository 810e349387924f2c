/**
 * Whether the keyboard is nowhere: what had the focus went, or is no longer seen. Chromium takes the focus from what is
 * hidden only with its next frame.
 */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || !activeElement.checkVisibility()
}
