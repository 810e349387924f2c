import { useEffect, useRef, useState } from 'react'
import { useFetched } from '../session/fetched.ts'
import type { ApiError } from '../session/api.ts'

/** What `GET /wall` answers. */
export interface Wall {
  /** When it was so, ISO. */
  at: string
  waiting: number
  /** Since when the one that waits longest does, ISO. */
  since: string | null
  open: number
  called: number
  /** Null where the company promises nothing. */
  risk: { atRisk: number; breached: number } | null
  queues: readonly {
    queueId: number | null
    name: string | null
    color: string | null
    waiting: number
    since: string | null
    open: number
  }[]
  agents: readonly {
    id: number
    name: string
    state: 'present' | 'away' | 'offline'
    awayUntil: string | null
    open: number
    capacity: number | null
  }[]
  connections: readonly { id: number; name: string; status: string }[]
}

/** Asked for again this often, in milliseconds. The server's answer is at most 900 ms old: together under two seconds. */
const EVERY_MS = 800
/** What is older than this is said to be old. */
const OLD_MS = 5_000
const TICK_MS = 250

export interface Shown {
  wall: Wall | undefined
  error: ApiError | null
  reload: () => void
  /** By the server's clock, milliseconds since 1970. */
  now: number
  isOld: boolean
}

/**
 * What happens at this moment, and the server's time: a television's clock may be wrong.
 * @param queueIds only these; empty: all
 */
export function useWall(queueIds: readonly number[]): Shown {
  const query = queueIds.length > 0 ? { queueIds: JSON.stringify(queueIds) } : {}
  const { data, error, reload } = useFetched<Wall>('/wall', query, { everyMs: EVERY_MS })
  const at = data?.at
  const came = useRef(0)
  const [clock, setClock] = useState(() => ({ here: Date.now(), since: 0 }))
  useEffect(() => {
    came.current = Date.now()
  }, [at])
  useEffect(() => {
    const timer = setInterval(() => {
      const here = Date.now()
      setClock({ here, since: here - came.current })
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const since = Math.max(0, clock.since)
  return {
    ...{ wall: data, error, reload },
    now: at === undefined ? clock.here : Date.parse(at) + since,
    isOld: at !== undefined && since > OLD_MS,
  }
}
