import { type NewChatFacts, newChatHold, newChatUse } from '../../schema/whatsapps/whatsapps.new-chats.ts'
import type { NewChatsState } from './whatsapps.queries.ts'

/** Why WhatsApp locks an account, as far as people can do something about it. */
export type LockCause = 'quality' | 'commerce' | 'device' | null

export interface NewChatsLamp {
  /** Null where chats may be begun, and only the cap is near. */
  held: { by: 'lock' | 'cap'; until: Date } | null
  cause: LockCause
  use: { used: number; quota: number; until: Date | null } | null
}

/** What the lamp of a connection says at `now`, ms since 1970; null: there is nothing to say. */
export function newChatsLamp(state: NewChatsState, now: number): NewChatsLamp | null {
  const date = (at: string | null | undefined) => (at ? new Date(at) : null)
  const facts: NewChatFacts = {
    newChatsLockedUntil: date(state.newChatsLockedUntil),
    newChatsLockKind: state.newChatsLockKind ?? null,
    newChatsQuota: state.newChatsQuota ?? null,
    newChatsUsed: state.newChatsUsed ?? null,
    newChatsCapState: state.newChatsCapState ?? null,
    newChatsCycleEndsAt: date(state.newChatsCycleEndsAt),
  }
  const at = new Date(now)
  const held = newChatHold(facts, at)
  const use = newChatUse(facts, at)
  const isNear = use !== null && !['NONE', null].includes(facts.newChatsCapState)
  if (!held && !isNear) return null
  return { held, cause: held?.by === 'lock' ? causeOf(facts.newChatsLockKind) : null, use: isNear ? use : null }
}

function causeOf(kind: string | null): LockCause {
  if (kind === 'BIZ_QUALITY') return 'quality'
  if (kind === 'WEB_COMPANION_ONLY') return 'device'
  return kind?.startsWith('BIZ_COMMERCE') ? 'commerce' : null
}
