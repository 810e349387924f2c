/** What WhatsApp says of new chats: until when none may be begun, and how much of its cap is used. */
import { newChatCapStates } from '../../schema/whatsapps/whatsapps.table.ts'
import type { NewChatFacts } from '../../schema/whatsapps/whatsapps.new-chats.ts'
import type { NewChatMessageCapInfo, ReachoutTimelockState } from './baileys.ts'
import { type Device, type Socket, within } from './session.device.ts'

/** Of a lock without an end, as WhatsApp's own client has it. */
const UNKNOWN_END_MS = 60_000
/** How long the news of a refused message waits for the reason. */
const ASK_MS = 2_000
/** The last moment that dates are written in four digits of a year. */
const LATEST = Date.UTC(9999, 11, 31)
const MOST_COUNTED = 2_147_483_647

type Lock = Pick<NewChatFacts, 'newChatsLockedUntil' | 'newChatsLockKind'>
type Cap = Pick<NewChatFacts, 'newChatsQuota' | 'newChatsUsed' | 'newChatsCapState' | 'newChatsCycleEndsAt'>

/** The lock that WhatsApp tells of; one that is lifted or over is none. */
export function lockOf({ isActive, timeEnforcementEnds, enforcementType }: ReachoutTimelockState, now: Date): Lock {
  if (!isActive) return { newChatsLockedUntil: null, newChatsLockKind: null }
  const said = timeEnforcementEnds?.getTime() ?? Number.NaN
  const end = Number.isFinite(said) ? Math.min(said, LATEST) : now.getTime() + UNKNOWN_END_MS
  if (end <= now.getTime()) return { newChatsLockedUntil: null, newChatsLockKind: null }
  const kind = enforcementType && enforcementType !== 'DEFAULT' ? String(enforcementType).slice(0, 80) : null
  return { newChatsLockedUntil: new Date(end), newChatsLockKind: kind }
}

/** How much of the cap of new chats is used. What is no count, state or moment is left out. */
export function capOf(said: NewChatMessageCapInfo | null): Cap {
  const count = (value: unknown) => {
    const n = Number(value ?? Number.NaN)
    return Number.isInteger(n) && n >= 0 && n <= MOST_COUNTED ? n : null
  }
  const seconds = Number(said?.cycle_end_timestamp ?? Number.NaN)
  return {
    newChatsQuota: count(said?.total_quota),
    newChatsUsed: count(said?.used_quota),
    newChatsCapState: newChatCapStates.find((state) => state === String(said?.capping_status)) ?? null,
    newChatsCycleEndsAt: seconds > 0 && seconds * 1_000 <= LATEST ? new Date(seconds * 1_000) : null,
  }
}

/** Hears, and asks, what WhatsApp says of new chats over a link. */
export class NewChats {
  /** A link that ends leaves its question without an answer: the next one asks for itself. */
  private asking: { sock: Socket; answer: Promise<void> } | null = null

  constructor(
    private readonly device: Pick<Device, 'log' | 'sock'>,
    private readonly tell: (facts: Partial<NewChatFacts>) => Promise<void>,
  ) {}

  listen({ ev }: Socket, isCurrent: () => boolean): void {
    ev.on('connection.update', ({ reachoutTimeLock }) => {
      if (reachoutTimeLock && isCurrent()) void this.tell(lockOf(reachoutTimeLock, new Date()))
    })
    ev.on('message-capping.update', (said) => {
      if (isCurrent()) void this.tell(capOf(said))
    })
  }

  /** What changed while the link was down. An answer that does not come changes nothing. */
  linkOpened(sock: Socket): void {
    void sock
      .fetchNewChatMessageCap()
      .then((said) => (this.device.sock === sock ? this.tell(capOf(said)) : undefined))
      .catch((error: unknown) => this.device.log.debug({ err: error }, 'the cap of new chats is not known'))
    void this.ask(sock)
  }

  /** A message was refused as a new chat: resolves when it is known until when, or after a moment. Never rejects. */
  async refused(): Promise<void> {
    const { sock } = this.device
    if (sock) await within(ASK_MS, this.ask(sock)).catch(() => undefined)
  }

  /** Baileys tells the answer as it tells of the notification. */
  private ask(sock: Socket): Promise<void> {
    if (this.asking?.sock === sock) return this.asking.answer
    const answer = sock
      .fetchAccountReachoutTimelock()
      .then((said) => (this.device.sock === sock ? this.tell(lockOf(said, new Date())) : undefined))
      .catch((error: unknown) => this.device.log.debug({ err: error }, 'the lock of new chats is not known'))
      .finally(() => {
        if (this.asking?.sock === sock) this.asking = null
      })
    this.asking = { sock, answer }
    return answer
  }
}
