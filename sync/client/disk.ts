/** What replicas and outboxes leave in this origin's storage. Apart from `storage.ts`, which brings in Postgres. */

/**
 * Deletes replicas whose names begin with `prefix`, except one. A replica that is open elsewhere stays until its
 * owner closes it.
 */
export async function deleteReplicas(prefix: string, except?: string): Promise<void> {
  const databases = (await indexedDB.databases?.().catch(() => [])) ?? []
  const stale = databases.flatMap(({ name }) =>
    name?.startsWith(`/pglite/${prefix}-`) && name !== `/pglite/${except}` ? [name] : [],
  )
  await Promise.all(stale.map((name) => deleteDatabase(name)))
  const root = await navigator.storage?.getDirectory?.().catch(() => undefined)
  for (const name of await opfsNames())
    if (name.startsWith(`${prefix}-`) && name !== except)
      await root?.removeEntry(name, { recursive: true }).catch(() => undefined)
}

/** What lies at the root of this origin's private file system. */
export async function opfsNames(): Promise<string[]> {
  const root = await navigator.storage?.getDirectory?.().catch(() => undefined)
  const names: string[] = []
  // The iterators of directories are newer than the type library.
  if (root) for await (const name of (root as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name)
  return names
}

/**
 * Resolves with true when it is gone, with false after 3 s when somebody holds it open: it is then deleted as soon as
 * they let go.
 */
export function deleteDatabase(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve(true)
    request.onerror = () => resolve(false)
    setTimeout(() => resolve(false), 3_000)
  })
}
