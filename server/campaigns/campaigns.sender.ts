import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { createNumberCheck, type CheckDeps } from './campaigns.check.ts'
import { type ClaimDeps, claimNext } from './campaigns.claim.ts'
import { deliverAll, type DeliveryDeps, InHand, type Person, personOf, recoverLine } from './campaigns.deliver.ts'

/**
 * Sends campaigns. Each connection has a line of its own: what is next is taken (`.claim`), asked about (`.check`) or
 * handed over (`.deliver`). Nothing waits in the jobs of a chat: what agents write is never behind it.
 */
export interface SenderDeps extends ClaimDeps, DeliveryDeps, CheckDeps {
  /** Connections that this process holds open. */
  openConnections(): number[]
  /** Resolves when no agent's message is on its way, or after a moment. */
  clear(): Promise<unknown>
  /** Asks WhatsApp at once what messages to these people will need. Nothing depends on it but time. */
  ahead(whatsappId: number, people: readonly Person[]): Promise<unknown>
}

export type Step =
  | { kind: 'sent' | 'checked' | 'finished' }
  /** Nothing to do before `at`; null: until somebody changes something. */
  | { kind: 'wait'; at: Date | null; lookMs?: number }

/** Sends what campaigns have planned, each connection by its own clock. */
export function createSender(deps: SenderDeps) {
  const { db, log } = deps
  const check = createNumberCheck(deps)
  const inHand = new InHand()
  const running = new Map<number, Promise<void>>()
  const wakers = new Map<number, () => void>()
  /** Lines of which something changed while they were looked at. */
  const poked = new Set<number>()
  /** Without a pause: the delivery that a line is making. */
  const handing = new Map<number, Promise<void>>()

  /** One step of a line, waited for. */
  async function step(whatsappId: number): Promise<Step> {
    await deps.clear()
    const claimed = await claimNext(deps, whatsappId, (leaving) => inHand.keepOnly(leaving))
    switch (claimed.kind) {
      case 'wait':
        return claimed
      case 'again':
        return { kind: 'finished' }
      case 'check':
        await check(whatsappId, claimed.shipping, claimed.gapMs)
        return { kind: 'checked' }
      case 'send': {
        const { sends, paced } = claimed
        inHand.took(sends)
        const people = sends.map(({ shipping }) => personOf(shipping))
        const ready = sends.length > 1 ? deps.ahead(whatsappId, people) : undefined
        // A link writes one message after the other: with one of ours in it, an agent's waits for one, and not for eight.
        await Promise.all([handing.get(whatsappId), ready?.catch(() => undefined)])
        const delivery = deliverAll(deps, inHand, whatsappId, claimed)
        if (paced) await delivery
        else {
          const handed = delivery
            .catch((err: unknown) => log.error({ err }, 'a delivery failed'))
            .finally(() => {
              if (handing.get(whatsappId) === handed) handing.delete(whatsappId)
              poke(whatsappId)
            })
          handing.set(whatsappId, handed)
        }
        return { kind: 'sent' }
      }
    }
  }

  async function run(whatsappId: number): Promise<void> {
    await recoverLine(deps, inHand, whatsappId)
    while (!inHand.stopping && deps.openConnections().includes(whatsappId)) {
      poked.delete(whatsappId)
      if (inHand.leftBehind.delete(whatsappId)) await recoverLine(deps, inHand, whatsappId)
      const done = await step(whatsappId)
      if (done.kind !== 'wait') continue
      if (poked.has(whatsappId)) continue
      if (!done.at) return
      await nap(whatsappId, Math.max(1, done.at.getTime() - deps.now().getTime()), done.lookMs)
    }
  }

  const nap = (whatsappId: number, ms: number, lookMs = 1_000) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        wakers.delete(whatsappId)
        resolve()
      }
      // Now and then it looks whether the world has changed.
      const timer = setTimeout(end, Math.min(ms, lookMs))
      wakers.set(whatsappId, end)
    })

  const poke = (whatsappId: number | null): void => {
    if (whatsappId === null) return
    poked.add(whatsappId)
    wakers.get(whatsappId)?.()
  }

  return {
    step,
    recover: (whatsappId: number) => recoverLine(deps, inHand, whatsappId),
    poke,
    /** Looks which connections have something to send. Called every second, and when something changed. */
    async tick(): Promise<void> {
      const open = deps.openConnections()
      if (inHand.stopping || open.length === 0) return
      const due = await db
        .selectDistinct({ id: campaigns.whatsappId })
        .from(campaigns)
        .where(
          and(
            inArray(campaigns.whatsappId, open),
            eq(campaigns.status, 'EM_ANDAMENTO'),
            isNotNull(campaigns.plannedAt),
          ),
        )
      for (const { id } of due) {
        if (id === null || running.has(id)) continue
        const work = run(id)
          .catch((err: unknown) => log.error({ err, whatsappId: id }, 'a line of campaigns broke off; it goes on'))
          .finally(() => running.delete(id))
        running.set(id, work)
      }
    },
    async stop(): Promise<void> {
      inHand.stopping = true
      for (const wake of wakers.values()) wake()
      await Promise.allSettled(running.values())
      await Promise.allSettled(handing.values())
    },
  }
}

export type Sender = ReturnType<typeof createSender>
