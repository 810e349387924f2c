import type { WebhookDeps } from './webhooks.deliver.ts'
import { giveBack, holdOn, type Taken } from './webhooks.taken.writes.ts'

const RENEW_MS = 1_500
/** What has been held for longer may be another's by now, where this process stood still: it is asked before the call. */
const SURE_MS = 3_000

/**
 * The deliveries that this process took up. Others free what a process has that they do not see any more (`left.ts`):
 * while they do not see this one it says of each again and again that it is at it.
 */
export function heldDeliveries(deps: Pick<WebhookDeps, 'db' | 'now' | 'log' | 'name' | 'isSeen' | 'renewMs'>) {
  const { db, now, log, name: by } = deps
  /** And since when that is known (`performance.now`). */
  const held = new Map<number, { one: Taken; sureAt: number }>()

  const stay = async (those: readonly Taken[]): Promise<Set<number>> => {
    const sureAt = performance.now()
    const ours = await holdOn(db, those, by, now())
    for (const one of those) if (ours.has(one.id) && held.has(one.id)) held.set(one.id, { one, sureAt })
    return ours
  }
  const renewing = setInterval(() => {
    if (held.size === 0 || (deps.isSeen?.() ?? true)) return
    const those = [...held.values()].map(({ one }) => one)
    void stay(those).catch((err: unknown) => log.warn({ err }, 'it was not said which deliveries are at work'))
  }, deps.renewMs ?? RENEW_MS)

  return {
    took(those: readonly Taken[]): void {
      const sureAt = performance.now()
      for (const one of those) held.set(one.id, { one, sureAt })
    },
    /** Whether it may be called: another may have taken it up. */
    async isOurs(one: Taken): Promise<boolean> {
      const { sureAt = 0 } = held.get(one.id) ?? {}
      return performance.now() - sureAt <= SURE_MS || (await stay([one])).has(one.id)
    },
    done(one: Taken): void {
      held.delete(one.id)
    },
    /** What was not called is anybody's again. */
    async giveBack(those: readonly Taken[]): Promise<void> {
      for (const { id } of those) held.delete(id)
      await giveBack(db, those, by)
    },
    stop: () => clearInterval(renewing),
  }
}
