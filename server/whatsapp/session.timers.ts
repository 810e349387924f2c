import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import type { Device } from './session.device.ts'

/** How long what is said in a chat stays, as its people have set it. */
export interface Timer {
  seconds: number
  /** When it was set, seconds since 1970; 0 where the phone did not say. */
  setAt: number
}

/**
 * The timers of chats whose messages disappear. An answer without its chat's timer stays on the phone, which then warns that
 * we use an old WhatsApp. They lie in the store of the device, and are written with the message that tells of them.
 */
export class Timers {
  private loading: Promise<Map<string, Timer>> | null = null

  constructor(private readonly device: Device) {}

  /** Another process may speak for the device before the next link. */
  linkEnded(): void {
    this.loading = null
  }

  private known(): Promise<Map<string, Timer>> {
    if (this.loading) return this.loading
    const loading = this.device.ctx.store.timers(this.device.id)
    this.loading = loading
    // What failed once is asked for again.
    loading.catch(() => (this.loading = this.loading === loading ? null : this.loading))
    return loading
  }

  async of(chat: ChatAddress): Promise<Timer | null> {
    const known = await this.known()
    for (const name of namesOf(chat)) {
      const timer = known.get(name)
      if (timer) return timer
    }
    return null
  }

  /** @returns what is to be written; null when it was known */
  async received(chat: ChatAddress, timer: Timer): Promise<Record<string, Timer | null> | null> {
    const known = await this.known()
    const news: Record<string, Timer | null> = {}
    for (const name of namesOf(chat)) {
      const before = known.get(name)
      if ((before?.seconds ?? 0) === timer.seconds && (before?.setAt ?? 0) >= timer.setAt) continue
      if (!before && timer.seconds === 0) continue
      news[name] = timer.seconds > 0 ? timer : null
      if (timer.seconds > 0) known.set(name, timer)
      else known.delete(name)
    }
    return Object.keys(news).length > 0 ? news : null
  }
}

/** A person may be met by either name. */
function namesOf(chat: ChatAddress): string[] {
  if (chat.kind === 'group') return [`g${chat.groupId}`]
  return [...(chat.lid ? [`l${chat.lid}`] : []), ...(chat.number ? [`n${chat.number}`] : [])]
}
