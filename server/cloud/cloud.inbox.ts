import type { Logger } from 'pino'
import { isSameSecret } from '../same-secret.ts'
import { isSigned } from './cloud.secrets.ts'
import type { CloudStore, WaitingHook } from './cloud.store.ts'

interface Deps {
  store: CloudStore
  /** Gives what was told to the product: several of one address and one secret, in their order. */
  file(hooks: readonly WaitingHook[]): Promise<void>
  log: Logger
  /** Where nobody rings, what waits is looked for so often. */
  pollMs: number
}

/** What becomes of a call to the webhook. */
export type Taken = 'kept' | 'unknown' | 'forged'

export type CloudInbox = ReturnType<typeof createCloudInbox>

const AT_ONCE = 20
const PRUNE_MS = 6 * 3_600_000

/**
 * What the official API tells: kept as it came, answered, and worked off afterwards. A number whose app has not the secret that
 * signed the bytes is none of theirs.
 */
export function createCloudInbox(deps: Deps) {
  const { store, log } = deps
  let isStopped = false
  let working: Promise<void> | null = null
  let again = false

  async function work(): Promise<void> {
    do {
      again = false
      const waiting = await store.claim(AT_ONCE)
      const groups = [...Map.groupBy(waiting, ({ hook, appMark }) => `${hook}/${appMark}`).values()]
      for (const [i, group] of groups.entries()) {
        if (isStopped) return store.letGo(groups.slice(i).flatMap((left) => left.map(({ id }) => id)))
        await workOff(group)
      }
      again ||= waiting.length === AT_ONCE
    } while (again && !isStopped)
  }

  async function workOff(hooks: readonly WaitingHook[]): Promise<void> {
    try {
      await deps.file(hooks)
      await store.done(hooks.map(({ id }) => id))
    } catch (error) {
      // One of them may hold up the others.
      if (hooks.length > 1) {
        for (const hook of hooks) await workOff([hook])
        return
      }
      const [hook] = hooks as [WaitingHook]
      const why = (error instanceof Error ? error.message : String(error)).split('\nparams:', 1)[0]!
      const isParked = await store.failed(hook, why)
      log.warn({ err: error, hook: hook.id, isParked }, 'what the official API told could not be filed')
    }
  }

  const wake = (): void => {
    again = true
    if (isStopped) return
    working ??= work()
      .catch((err: unknown) => log.error({ err }, 'what the official API told waits'))
      .finally(() => {
        working = null
        // Somebody rang when it was about to end.
        if (again) wake()
      })
  }
  const poller = setInterval(wake, deps.pollMs)
  const pruner = setInterval(
    () => void store.prune().catch((err: unknown) => log.warn({ err }, 'what is old stays')),
    PRUNE_MS,
  )
  for (const timer of [poller, pruner]) timer.unref()

  return {
    wake,
    /** Whether the address may be written at the service: it asks so once. */
    async isOurs(hook: string, verifyToken: string): Promise<boolean> {
      const known = await store.verifyTokensOf(hook)
      return known.filter((one) => isSameSecret(verifyToken, one)).length > 0
    },
    /** Durable when it resolves; the same bytes twice are kept once. */
    async take(hook: string, raw: Uint8Array, signature: string): Promise<Taken> {
      const signers = await store.signersOf(hook)
      if (signers.length === 0) return 'unknown'
      const signer = signers.find(({ appSecret }) => isSigned(raw, signature, appSecret))
      if (!signer) return 'forged'
      if (await store.keep(hook, signer.appMark, raw)) wake()
      return 'kept'
    },
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(poller)
      clearInterval(pruner)
      await working
    },
  }
}
