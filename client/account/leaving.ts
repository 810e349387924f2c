import { logout } from '../session/session.tsx'
import { createStore } from '../base/store.ts'
import { syncStatus } from '../replica/sync-status.ts'

/** Whether somebody who wants to leave is being asked about what has not been sent. */
export const leaving = createStore(false)

/** Logs out; asks first when something done in this browser has not reached the server. */
export function leave(): void {
  const { pending, failed } = syncStatus.get()
  if (pending + failed > 0) leaving.set(true)
  else void logout()
}
