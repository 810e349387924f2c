import { placesIn } from '../tickets/tickets.pieces.ts'

/** As the style sheet calls it. */
const name = 'sought'
/** More places in one message nobody looks at. */
const mostPlaces = 100

/**
 * Marks in a message that is on the screen what was looked for, whatever its case and accents. Where it stands in the
 * part of a long text that is folded away, the text is opened.
 *
 * The browser paints the marks; no element is put into the text, which stays React's.
 *
 * @param onMarked told of the first place, each time the text is marked
 * @returns how to take the marks away
 */
export function highlight(message: Element, wanted: string, onMarked: (first: Range) => void): () => void {
  // Older browsers point the message out, and no more.
  if (!('highlights' in CSS)) return () => undefined
  let isOpened = false
  const mark = () => {
    const ranges = rangesOf(message, wanted)
    CSS.highlights.set(name, new Highlight(...ranges))
    if (ranges[0]) return onMarked(ranges[0])
    const fold = message.querySelector<HTMLElement>('[data-fold][aria-expanded="false"]')
    if (!fold || isOpened) return
    isOpened = true
    fold.click()
  }
  mark()
  // An edit, or the rest of a long text.
  const changes = new MutationObserver(mark)
  changes.observe(message, { childList: true, characterData: true, subtree: true })
  return () => {
    changes.disconnect()
    CSS.highlights.delete(name)
  }
}

/** The first place that is marked in a message. */
export function firstSought(message: Element): Range | undefined {
  const marks = 'highlights' in CSS ? CSS.highlights.get(name) : undefined
  return [...(marks ?? [])].find((range): range is Range => message.contains(range.startContainer))
}

function rangesOf(message: Element, wanted: string): Range[] {
  return [...message.querySelectorAll('[data-said]')].flatMap((said) => {
    const texts: Text[] = []
    const walker = document.createTreeWalker(said, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    return placesIn(texts.map(({ data }) => data).join(''), wanted, mostPlaces).map(({ from, to }) => {
      const range = document.createRange()
      range.setStart(...pointAt(texts, from))
      range.setEnd(...pointAt(texts, to))
      return range
    })
  })
}

/** The place `at` letters into texts that stand one behind the other. */
function pointAt(texts: readonly Text[], at: number): [Text, number] {
  let before = 0
  for (const text of texts) {
    if (at <= before + text.length) return [text, at - before]
    before += text.length
  }
  throw new RangeError(`no place ${at} in ${before} letters`)
}
