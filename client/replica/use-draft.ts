import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { DraftOf } from '../../sync/client/replica.types.ts'
import { afterPaint } from '../base/after-paint.ts'
import { emptyDraft, handedOver, received, notTaken, recovered, typed, type DraftState } from './draft-state.ts'
import { useReplica } from './replica.tsx'
import { session } from '../session/session-store.ts'

/** Kept on this machine after so short a pause, in case the tab ends. */
const localPauseMs = 400
/** Handed to the other devices after a longer one, or when the field is left. */
const sharedPauseMs = 2000
/** The bubble of what was sent comes before everything else; that its draft is gone is told then. */
const sentPauseMs = 120

/** Drafts as last seen in this tab, so that going back to a conversation shows its draft in the first frame. */
const seen = new Map<string, DraftState>()
session.onEnd(() => seen.clear())

/** The person's other devices, where they have the draft, too. */
export interface OtherDevices {
  /** What was handed over last, by whichever of them; '' where nothing is begun, undefined while that is not known. */
  body: string | undefined
  /** Hands a text over. Give the same function while it says the same. */
  share: (text: string) => Promise<unknown>
}

/**
 * The text being written in one place: kept over reloads until it is sent or the person logs out, on this machine and,
 * where there are `devices`, on those. For one place in the life of the component.
 *
 * @returns the text, how to change it, and what to call when the field is left
 */
export function useDraft(
  of: DraftOf,
  devices?: OtherDevices,
): [text: string, setText: (next: string | ((now: string) => string)) => void, handOver: () => void] {
  const { drafts } = useReplica()
  const key = JSON.stringify(of)
  const place = useMemo(() => JSON.parse(key) as DraftOf, [key])
  const { body: elsewhere, share } = devices ?? {}
  const state = useRef<DraftState | null>(null)
  if (!state.current) {
    const last = seen.get(key) ?? emptyDraft
    state.current = elsewhere === undefined ? last : received(last, elsewhere)
  }
  const [text, show] = useState(state.current.text)
  const timers = useRef<{ local?: ReturnType<typeof setTimeout>; shared?: ReturnType<typeof setTimeout> }>({})

  const note = useCallback(
    (next: DraftState) => {
      state.current = next
      seen.set(key, next)
    },
    [key],
  )
  const become = useCallback(
    (next: DraftState) => {
      note(next)
      show(next.text)
    },
    [note],
  )
  const handOver = useCallback(() => {
    clearTimeout(timers.current.local)
    clearTimeout(timers.current.shared)
    const now = state.current ?? emptyDraft
    const next = handedOver(now)
    if (next !== now) note(next)
    const lost = () => {
      const known = seen.get(key)
      if (known) note(notTaken(known, next.text, now.handed))
    }
    if (!share) {
      if (next === now) return
      const kept = () => {
        const known = seen.get(key)
        if (known) note(received(known, next.text))
      }
      drafts.set(place, next.text).then(kept, lost)
      return
    }
    const forget = async () => {
      if (seen.get(key)?.text === next.text) await drafts.set(place, '')
    }
    // Nothing new: what lies on this machine can go when the conversation that is opened instead is on the screen.
    if (next === now) afterPaint(() => void forget().catch(() => undefined))
    else share(next.text).then(() => forget().catch(() => undefined), lost)
  }, [drafts, place, key, note, share])

  const setText = useCallback(
    (next: string | ((now: string) => string)) => {
      const now = state.current ?? emptyDraft
      const value = typeof next === 'function' ? next(now.text) : next
      become(typed(now, value))
      clearTimeout(timers.current.local)
      clearTimeout(timers.current.shared)
      // A sent text must not come back as a draft; a typed one may lag behind.
      if (!share) {
        if (value === '') handOver()
        else timers.current.local = setTimeout(handOver, localPauseMs)
      } else if (value === '') timers.current.shared = setTimeout(handOver, sentPauseMs)
      else {
        const keep = () => void drafts.set(place, value).catch(() => undefined)
        timers.current.local = setTimeout(keep, localPauseMs)
        timers.current.shared = setTimeout(handOver, sharedPauseMs)
      }
    },
    [become, handOver, drafts, place, share],
  )

  useEffect(() => {
    if (elsewhere !== undefined && state.current) become(received(state.current, elsewhere))
  }, [elsewhere, become])

  useEffect(() => {
    let left = false
    const open = (stored: string) => {
      if (left || !state.current) return
      // Where this machine alone keeps it, what is kept counts: it may have gone since, sent in another tab or with the
      // chat. Else it is what an ended tab could not hand over any more.
      if (!share) return become(received(state.current, stored))
      const found = recovered(state.current, stored)
      if (found === state.current) return
      become(found)
      timers.current.shared = setTimeout(handOver, sharedPauseMs)
    }
    // The conversation is painted first: a transaction of the disk takes milliseconds to begin.
    const callOff = afterPaint(() => void drafts.get(place).then(open, () => undefined))
    const onHidden = () => {
      if (document.hidden) handOver()
    }
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      left = true
      callOff()
      document.removeEventListener('visibilitychange', onHidden)
      handOver()
    }
  }, [drafts, place, become, handOver, share])

  return [text, setText, handOver]
}
