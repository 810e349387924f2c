import { deleteDatabase, deleteReplicas, opfsNames } from './disk.ts'
import { lastRowsName } from './last-rows.ts'
import { isUnsent } from './outbox.state.ts'

/** What sessions leave on this browser's disk, by whose it is. Small: the login screen fetches it, too. */

/** Names of everything that is kept for a user begin with this. */
export const userPrefix = (who: { companyId: number; userId: number }): string =>
  `balcao-${who.companyId}-${who.userId}`

/** Of one who passes by. The end stands in it, by which what a closed tab has left is known. */
export const passingPrefix = ({ until, name }: { until: number; name: string }): string =>
  `balcao-passing-${until}-${name}`
const isOver = (prefix: string): boolean => Number(/^balcao-passing-(\d+)-/.exec(prefix)?.[1] ?? Infinity) < Date.now()

const prefixOf = (name: string): string | undefined => /^balcao-\d+-\d+(?=-)/.exec(name)?.[0]

async function keptNames(): Promise<string[]> {
  const databases = (await globalThis.indexedDB?.databases?.().catch(() => [])) ?? []
  return databases.map(({ name }) => name?.replace('/pglite/', '') ?? '').concat(await opfsNames())
}

/** Deletes what an earlier user of this browser left because their session ended without them. */
export async function deleteOtherUsers(who: { companyId: number; userId: number }): Promise<void> {
  const own = userPrefix(who)
  const names = await keptNames()
  for (const name of names) if (isOver(name)) await deleteDatabase(name)
  const others = new Set(names.flatMap((name) => prefixOf(name) ?? []).filter((prefix) => prefix !== own))
  if (others.size === 0) return
  for (const prefix of others) {
    await deleteReplicas(prefix)
    await deleteDatabase(lastRowsName(prefix))
    await deleteDatabase(outboxName(prefix))
  }
  await deleteShared()
}

/**
 * Deletes what all users have left, where nobody is logged in: a page that was closed, or loaded anew, while a session
 * ended has not finished that.
 *
 * @param keepUnsent an outbox in which something waits for its user stays
 * @param isNobody asked again before each deletion, as somebody may log in meanwhile, here or in another tab
 */
export async function deleteEverybody({
  keepUnsent,
  isNobody,
}: {
  keepUnsent: boolean
  isNobody: () => boolean
}): Promise<void> {
  const names = await keptNames()
  for (const name of names) if (isOver(name)) await deleteDatabase(name)
  for (const prefix of new Set(names.flatMap((name) => prefixOf(name) ?? []))) {
    if (!isNobody()) return
    await deleteReplicas(prefix)
    if (!isNobody()) return
    await deleteDatabase(lastRowsName(prefix))
    const outbox = outboxName(prefix)
    if (!names.includes(outbox) || (keepUnsent && (await holdsUnsent(outbox))) || !isNobody()) continue
    await deleteDatabase(outbox)
  }
  if (isNobody()) await deleteShared()
}

export const outboxName = (prefix: string): string => `${prefix}-outbox`

/** True where it cannot be read. */
async function holdsUnsent(outbox: string): Promise<boolean> {
  const { dexieStorage } = await import('./outbox.dexie.ts')
  const storage = dexieStorage(outbox)
  const stored = await Promise.race([storage.load(), new Promise<undefined>((done) => setTimeout(done, 2_000))]).catch(
    () => undefined,
  )
  storage.close()
  return !stored || stored.some(isUnsent)
}

/** What cannot be told apart by user: it goes with whoever goes. */
export async function deleteShared(): Promise<void> {
  for (const key of Object.keys(localStorage)) if (key.startsWith('electric_')) localStorage.removeItem(key)
  for (const key of (await globalThis.caches?.keys().catch(() => [])) ?? [])
    if (key.includes('media')) await caches.delete(key)
}
