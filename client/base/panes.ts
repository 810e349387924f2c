import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'

/** Of a screen with a list and what was opened from it, the part that is seen where there is room for one. */
export type Pane = 'list' | 'open'

/** Opening another one shows it; the tabs then switch freely. */
export function usePane(uuid: string | null): [pane: Pane, show: (next: Pane) => void] {
  const opening: Pane = uuid ? 'open' : 'list'
  const [chosen, setChosen] = useState({ uuid, pane: opening })
  // Also the one that was looked away from before another, or none, was opened.
  if (chosen.uuid !== uuid) setChosen({ uuid, pane: opening })
  const show = useCallback((pane: Pane) => setChosen({ uuid, pane }), [uuid])
  return [chosen.uuid === uuid ? chosen.pane : opening, show]
}

/**
 * Leads from what was opened back to the list, where one is seen at a time: by the way back where the list is the screen
 * before, so that it is not gone through twice.
 * @param uuid what is open; null at the list
 */
export function useToList(list: '/tickets' | '/chats', uuid: string | null): () => void {
  const router = useRouter()
  /** Where the list stands in the history. */
  const listAt = useRef<number | null>(null)
  const indexNow = useCallback(() => router.history.location.state.__TSR_index, [router])
  useEffect(() => {
    if (uuid === null) listAt.current = indexNow()
  }, [uuid, indexNow])
  /** The way back takes a moment; a second tap would go back twice. */
  const left = useRef<number | null>(null)
  useEffect(() => void (left.current = null), [uuid])
  return useCallback(() => {
    const index = indexNow()
    if (left.current === index) return
    left.current = index
    if (listAt.current === index - 1) router.history.back({ ignoreBlocker: true })
    else void router.navigate({ to: list, replace: true })
  }, [router, list, indexNow])
}
