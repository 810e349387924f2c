import { useCallback, useEffect, useRef, useState } from 'react'
import { useReplica } from '../app/replica.tsx'
import { useUser } from '../app/session.tsx'
import { session } from '../app/session-store.ts'
import { useDrafts } from '../tickets/drafts.ts'
import { emptyDraft, handedOver, heard, recovered, typed, type DraftState } from './draft-state.ts'

/** Kept on this machine after so short a pause, in case the tab ends. */
const localPauseMs = 400
/** Handed to the other devices after a longer one, or when the field is left. */
const syncPauseMs = 2000

/** Drafts as last seen in this tab, so that going back to a conversation shows its draft in the first frame. */
const seen = new Map<string, DraftState>()
session.onEnd(() => seen.clear())

/**
 * The text being written in a ticket: kept over reloads and on the person's other devices.
 *
 * @returns the text, how to change it, and what to call when the field is left
 */
export function useDraft(
  ticketId: number,
): [text: string, setText: (next: string | ((now: string) => string)) => void, handOver: () => void] {
  const replica = useReplica()
  const { id: userId } = useUser()
  const key = `${userId}:${ticketId}`
  const drafts = useDrafts()
  const elsewhere = drafts && (drafts.get(ticketId) ?? '')
  const state = useRef<DraftState | null>(null)
  state.current ??=
    elsewhere === undefined ? (seen.get(key) ?? emptyDraft) : heard(seen.get(key) ?? emptyDraft, elsewhere)
  const [text, show] = useState(state.current.text)
  const timers = useRef<{ local?: ReturnType<typeof setTimeout>; sync?: ReturnType<typeof setTimeout> }>({})

  const become = useCallback(
    (next: DraftState) => {
      state.current = next
      seen.set(key, next)
      show(next.text)
    },
    [key],
  )
  const handOver = useCallback(() => {
    clearTimeout(timers.current.local)
    clearTimeout(timers.current.sync)
    const now = state.current ?? emptyDraft
    const next = handedOver(now)
    const forget = () => {
      if (seen.get(key)?.text === next.text) return replica.drafts.set({ ticketId }, '')
      return undefined
    }
    if (next === now) return void Promise.resolve(forget()).catch(() => undefined)
    state.current = next
    seen.set(key, next)
    // A ticket that was taken away meanwhile keeps no draft; nothing is lost that could still be sent.
    replica
      .mutate('drafts.set', { ticketId, body: next.text })
      .then(forget)
      .catch(() => undefined)
  }, [replica, ticketId, key])

  const setText = useCallback(
    (next: string | ((now: string) => string)) => {
      const now = state.current ?? emptyDraft
      const value = typeof next === 'function' ? next(now.text) : next
      become(typed(now, value))
      clearTimeout(timers.current.local)
      clearTimeout(timers.current.sync)
      // A sent text must not come back as a draft, and its bubble comes before everything else; a typed one may lag behind.
      if (value === '') timers.current.sync = setTimeout(handOver, 120)
      else {
        timers.current.local = setTimeout(
          () => void replica.drafts.set({ ticketId }, value).catch(() => undefined),
          localPauseMs,
        )
        timers.current.sync = setTimeout(handOver, syncPauseMs)
      }
    },
    [become, handOver, replica, ticketId],
  )

  useEffect(() => {
    if (elsewhere !== undefined && state.current) become(heard(state.current, elsewhere))
  }, [elsewhere, become])

  useEffect(() => {
    let left = false
    void replica.drafts.get({ ticketId }).then(
      (stored) => {
        if (left || !state.current) return
        const found = recovered(state.current, stored)
        if (found === state.current) return
        become(found)
        timers.current.sync = setTimeout(handOver, syncPauseMs)
      },
      () => undefined,
    )
    const onHidden = () => {
      if (document.hidden) handOver()
    }
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      left = true
      document.removeEventListener('visibilitychange', onHidden)
      handOver()
    }
  }, [replica, ticketId, become, handOver])

  return [text, setText, handOver]
}
