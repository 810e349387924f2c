import { startTransition, useEffect, useState } from 'react'

/** As many rows as are drawn together where they come in pieces. */
const piece = 3

/**
 * Lets a list grow by a few rows in each frame, while the page is still being built: together they would be one long
 * task, in which the page does not answer.
 *
 * @param enough so many are the whole list, or fill the window
 * @param inPieces asked once, when the list is mounted
 * @returns how many rows are drawn; null once all of them may be
 */
export function usePieces(enough: number, inPieces: boolean): number | null {
  const [count, setCount] = useState(inPieces ? piece : null)
  useEffect(() => {
    if (count === null) return
    const next = count + piece
    const frame = requestAnimationFrame(() => startTransition(() => setCount(next >= enough ? null : next)))
    return () => cancelAnimationFrame(frame)
  }, [count, enough])
  return count
}
