/**
 * Puts a text on the clipboard. On plain http by address the browser offers no clipboard to scripts; there the
 * older command does it.
 *
 * @returns whether it worked
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.style.position = 'fixed'
    area.style.opacity = '0'
    // Inside an open dialog: the focus trap would take the focus back from anywhere else.
    const host = document.activeElement?.closest('[role="dialog"]') ?? document.body
    const before = document.activeElement
    host.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    if (before instanceof HTMLElement) before.focus()
    return done
  }
}
