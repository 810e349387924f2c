import type { Whatsapp } from './whatsapps.table.ts'

/**
 * Whether a connection may begin chats. WhatsApp locks some accounts for a time, and counts the new chats of others up to
 * a cap; whom the account has a chat with is answered all the same.
 */

/** What WhatsApp says of new chats. */
export type NewChatFacts = Pick<
  Whatsapp,
  | 'newChatsLockedUntil'
  | 'newChatsLockKind'
  | 'newChatsQuota'
  | 'newChatsUsed'
  | 'newChatsCapState'
  | 'newChatsCycleEndsAt'
>

/** Of a device that WhatsApp has said nothing of. */
export const noNewChatFacts: NewChatFacts = {
  ...{ newChatsLockedUntil: null, newChatsLockKind: null, newChatsQuota: null, newChatsUsed: null },
  ...{ newChatsCapState: null, newChatsCycleEndsAt: null },
}

/** No chats are begun before `until`: WhatsApp locked the account, or its cap is used up. */
export interface NewChatHold {
  by: 'lock' | 'cap'
  until: Date
}

/**
 * What keeps a connection from beginning chats at `now`; null: nothing. Where both do, the one that lasts longer. A cap
 * whose period has no end holds nothing: nobody could say when it goes on.
 */
export function newChatHold(facts: NewChatFacts, now: Date): NewChatHold | null {
  const { newChatsLockedUntil, newChatsCapState, newChatsCycleEndsAt } = facts
  const ends = [
    { by: 'lock' as const, until: newChatsLockedUntil },
    { by: 'cap' as const, until: newChatsCapState === 'CAPPED' ? newChatsCycleEndsAt : null },
  ]
  return ends.reduce<NewChatHold | null>(
    (longest, { by, until }) => (until && until > (longest?.until ?? now) ? { by, until } : longest),
    null,
  )
}

/** How much of the cap is used; null where WhatsApp counts nothing, or the period it counted is over. */
export function newChatUse(facts: NewChatFacts, now: Date): { used: number; quota: number; until: Date | null } | null {
  const { newChatsQuota: quota, newChatsUsed: used, newChatsCycleEndsAt: until } = facts
  if (quota === null || quota <= 0 || used === null || (until && until <= now)) return null
  return { used, quota, until }
}

/**
 * What keeps this contact from being written to at `now`; null: nothing.
 * @param hasChat they have written to this connection, or it is a group
 */
export const heldFor = (facts: NewChatFacts, hasChat: boolean, now: Date): NewChatHold | null =>
  hasChat ? null : newChatHold(facts, now)
