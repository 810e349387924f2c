/**
 * `text` with `added` in the place of what is selected in its field, or at its end; the caret then stands behind it.
 * For fields that React controls: show the answer as their value at once.
 */
export function withInserted(
  field: HTMLTextAreaElement | HTMLInputElement | null,
  text: string,
  added: string,
): string {
  const at = field?.selectionStart ?? text.length
  const end = field?.selectionEnd ?? at
  // Once the field holds the new text.
  requestAnimationFrame(() => field?.setSelectionRange(at + added.length, at + added.length))
  return text.slice(0, at) + added + text.slice(end)
}
