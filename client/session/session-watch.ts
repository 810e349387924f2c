import { ApiError } from './api.ts'
import { toastError } from './failure.tsx'
import { onCompanyEvent, onConnect, stopEvents } from './events.ts'
import { endedByOf, session } from './session-store.ts'
import { refreshUser } from './session.tsx'

/** The user that `company-{id}-auth` and `company-{id}-user` are about. */
function userIdOf(data: unknown): number | null {
  const { user, userId } = (data ?? {}) as { user?: { id?: unknown }; userId?: unknown }
  const id = Number(user?.id ?? userId)
  return Number.isInteger(id) ? id : null
}

/** The operator hears of every company. */
const companyIdOf = (data: unknown): unknown => (data as { company?: { id?: unknown } } | null)?.company?.id

/** Keeps the user's own name, rights and company as the server has them: they may change while the browser is open. */
export function watchOwnUser(): () => void {
  // Without a network the stored ones hold; a refusal has ended the session or is shown by whatever is tried next.
  const refresh = () =>
    void refreshUser().catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 402) toastError(error)
    })
  refresh()
  const stops = [
    onCompanyEvent('user', (data) => void (userIdOf(data) === session.get()?.user.id && refresh())),
    onCompanyEvent('company', (data) => void (companyIdOf(data) === session.get()?.user.companyId && refresh())),
    onConnect((first) => void (first || refresh())),
  ]
  return () => stops.forEach((stop) => stop())
}

/** One login at a time: forgets the session and starts afresh. The login screen, which comes at once, says why. */
export function watchForcedLogout(): () => void {
  return onCompanyEvent('auth', (data) => {
    const current = session.get()
    if (!current || current.user.acting || userIdOf(data) !== current.user.id) return
    stopEvents()
    // A page that goes while the replica is being deleted leaves it on the disk.
    void session.end('elsewhere', endedByOf((data as { by?: unknown }).by)).then(() => location.reload())
  })
}
