import { createContext, useContext, useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import type { Replica, SyncStatus } from '../../sync/client/replica.types.ts'
import { deleteEverybody, deleteOtherUsers } from '../../sync/client/leftovers.ts'
import { createReplica } from '../../sync/client/replica.ts'
import { unfetched } from '../../sync/client/wire.ts'
import { renewToken } from '../session/api.ts'
import { onEvent, worksAgain } from '../session/events.ts'
import { isActingTab, keys, local } from '../base/local.ts'
import { isFirstScreenShown, lateParts, quietMoment } from '../base/late.tsx'
import { principalOf, session, type SessionEnd } from '../session/session-store.ts'
import { useSession } from '../session/session.tsx'
import { calm, syncStatus } from './sync-status.ts'

const ReplicaContext = createContext<Replica | null>(null)

/**
 * The first screen is drawn, or somebody uses it: from now on the database may take the processor from the page. Where
 * the rows of the last time are shown, what else belongs to the screen comes before it, too, a third of a second. Side
 * by side both take longer, and the database opens no sooner.
 */
const drawn = Promise.withResolvers<void>()
const drawnWithinMs = 1_000
for (const sign of ['pointerdown', 'keydown'])
  addEventListener(sign, () => drawn.resolve(), { once: true, capture: true })

/** The replica of the logged-in user. Outside of React, because it outlives any mounted tree. */
let current: { replica: Replica; principal: string; unwatch: () => void } | null = null

function replicaOf(user: Parameters<typeof principalOf>[0]): Replica {
  const who = principalOf(user)
  const principal = JSON.stringify(who)
  if (current?.principal === principal) return current.replica
  if (current) {
    // Other rights, same person: commands are judged by the new ones, the data stays.
    current.unwatch()
    void current.replica.close()
  } else if (!user.acting) void deleteOtherUsers(who)
  const replica = createReplica({
    who,
    baseUrl: '',
    drawn: drawn.promise,
    ...(user.acting && {
      passing: {
        name: session.get()?.id ?? '',
        until: Date.parse(user.acting.until),
        readOnly: user.acting.readOnly,
      },
    }),
    token: async (refresh) => {
      const used = session.get()
      // Nobody's commands are ever sent as somebody else.
      if (used?.user.id !== who.userId) return null
      return refresh ? renewToken(used) : used.token
    },
  })
  const publish = ({ online, state, waiting, failed, durable, error }: SyncStatus) =>
    syncStatus.set({
      online,
      syncing: state !== 'live' && state !== 'failed',
      pending: waiting,
      failed,
      trouble:
        state === 'failed' ? (error === unfetched ? 'unfetched' : 'failed') : durable || isActingTab ? null : 'unkept',
    })
  current = { replica, principal, unwatch: replica.status.subscribe(publish) }
  return replica
}

// Its streams have been told to ask again in half a minute.
onEvent(worksAgain, () => current?.replica.wake())

session.onEnd(async (why) => {
  const ended = current
  current = null
  if (ended) {
    ended.unwatch()
    syncStatus.set(calm)
    // A session that was ended for the person does not throw away what they had not sent yet.
    await ended.replica.destroy({ keepUnsent: why !== 'logout' && !isActingTab })
  }
  // Of one whose replica was not opened since the page was loaded, and whatever another tab could not finish.
  if (!isActingTab) await deleteLeftovers(why)
})

const deleteLeftovers = (why: SessionEnd | undefined) =>
  deleteEverybody({
    keepUnsent: why !== undefined && why !== 'logout',
    isNobody: () => session.get() === null && local.get(keys.session) === null,
  })

/**
 * Begins with the stored session's replica before anything is rendered: what it kept of the last time is shown first.
 * Where nobody is logged in, what a page that ended too early has left is deleted before somebody can be.
 */
export function startReplica(): void {
  const user = session.get()?.user
  if (!user) session.holdLogin(deleteLeftovers(session.lastEnd()?.why))
  else if (user.company.isOver === false) replicaOf(user)
}

/** Gives the screens inside it the replica of the session; renders nothing without one. */
export function ReplicaProvider({ children }: { children: ReactNode }) {
  const user = useSession()?.user
  const replica = useMemo(() => (user ? replicaOf(user) : null), [user])
  // Effects of what is inside come before this one: what they ask for is drawn in the moment that is waited for.
  useEffect(() => {
    if (!replica) return
    void quietMoment(drawnWithinMs)
      .then(() => (isFirstScreenShown() ? lateParts() : undefined))
      .then(drawn.resolve)
  }, [replica])
  return replica && <ReplicaContext value={replica}>{children}</ReplicaContext>
}

/** The replica. Only inside `ReplicaProvider`. */
export function useReplica(): Replica {
  const replica = useContext(ReplicaContext)
  if (!replica) throw new Error('useReplica outside ReplicaProvider')
  return replica
}
