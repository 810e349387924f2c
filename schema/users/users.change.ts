import type { Static } from '@sinclair/typebox'
import type { Permission } from '../permissions.ts'
import type { changedUser } from './users.inputs.ts'
import type { User } from './users.table.ts'

export type UserGiven = Omit<Static<typeof changedUser>, 'allTicket'> & { allTicket?: boolean }

/** A user as they are, with the queues they work in. */
export type UserBefore = Pick<
  User,
  'name' | 'email' | 'profile' | 'roleId' | 'allTicket' | 'whatsappId' | 'capacity' | 'skillIds'
> & {
  queueIds: readonly number[]
}

export interface UserChange {
  /** What of the row becomes what; the moment aside. */
  patch: Partial<
    Pick<User, 'name' | 'email' | 'profile' | 'roleId' | 'allTicket' | 'whatsappId' | 'capacity' | 'skillIds'>
  >
  /** The queues they work in from now on; null: as before. */
  queueIds: readonly number[] | null
  /** They may do other things than before: profile or role. */
  isPlacedAnew: boolean
  isNoAdminAnyMore: boolean
  /** They are reached at another e-mail. */
  isRenamed: boolean
  /** What the change asks of who makes it, beside that they may write this user at all. */
  needs: Permission[]
}

/**
 * What a form makes of a user. The profile's form sends everything: what a person may not change counts only where it is
 * another than before. Older clients know no roles; what they send of the profile leaves a role, unless it is another profile.
 */
export function userChange(before: UserBefore, given: UserGiven): UserChange {
  const profile = given.roleId ? 'user' : (given.profile ?? before.profile)
  const roleId = profile === 'user' ? (given.roleId === undefined ? before.roleId : given.roleId) : null
  const isPlacedAnew = profile !== before.profile || roleId !== before.roleId
  const touches =
    isPlacedAnew ||
    (given.allTicket !== undefined && given.allTicket !== before.allTicket) ||
    (given.whatsappId !== undefined && given.whatsappId !== before.whatsappId) ||
    (given.capacity !== undefined && given.capacity !== before.capacity) ||
    (given.skillIds !== undefined && !sameIds(given.skillIds, before.skillIds))
  const moves = given.queueIds !== undefined && !sameIds(given.queueIds, before.queueIds)
  return {
    patch: {
      ...(given.name !== undefined && { name: given.name.trim() }),
      ...(given.email !== undefined && { email: given.email.toLowerCase() }),
      ...(isPlacedAnew && { profile, roleId }),
      ...(given.allTicket !== undefined && { allTicket: given.allTicket }),
      ...(given.whatsappId !== undefined && { whatsappId: given.whatsappId }),
      ...(given.capacity !== undefined && { capacity: given.capacity }),
      ...(given.skillIds !== undefined && { skillIds: [...given.skillIds].sort((a, b) => a - b) }),
    },
    queueIds: moves ? given.queueIds! : null,
    isPlacedAnew,
    isNoAdminAnyMore: before.profile === 'admin' && profile !== 'admin',
    isRenamed: given.email !== undefined && given.email.toLowerCase() !== before.email.toLowerCase(),
    needs: [
      ...(touches ? (['user-modal:editProfile'] as const) : []),
      ...(moves ? (['user-modal:editQueues'] as const) : []),
    ],
  }
}

const sameIds = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((id) => b.includes(id))
