import { expect } from '@playwright/test'
import { until } from '../support/stack.ts'
import type { Screen } from './screen.ts'

/** The page can be opened without a network: the service worker has the app, the disk has the rows. */
export async function installed(screen: Screen): Promise<void> {
  const isReady = () =>
    screen.run(async () => {
      if (!navigator.serviceWorker.controller) return false
      const found = (await indexedDB.databases()).find(({ name }) => name?.includes('/pglite/'))
      if (!found?.name) return false
      const settled = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error ?? new Error('IndexedDB'))
        })
      const database = await settled(indexedDB.open(found.name))
      try {
        return (await settled(database.transaction('FILE_DATA').objectStore('FILE_DATA').count())) > 0
      } finally {
        database.close()
      }
    })
  await until('the app is installed, and its rows are on the disk', isReady, Boolean, 60_000)
}

/** Everything that this origin has kept in the browser, by name; what an engine does not have keeps nothing. */
const kept = (screen: Screen) =>
  screen.run(async () => {
    const files: string[] = []
    const root = await navigator.storage?.getDirectory?.()
    if (root) for await (const name of (root as unknown as { keys(): AsyncIterable<string> }).keys()) files.push(name)
    const cached: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) cached.push(new URL(url).pathname)
    return {
      databases: (await indexedDB.databases()).map(({ name }) => name),
      files,
      cached,
      local: Object.entries(localStorage).map((pair) => pair.join('=')),
      session: Object.keys(sessionStorage),
    }
  })

export const databases = async (screen: Screen): Promise<string> => (await kept(screen)).databases.join()

/** After a logout: the app's own files and the choices of the device stay, and nothing that the server gave somebody. */
export async function nothingKept(screen: Screen, secret: string): Promise<void> {
  const own =
    /^\/(assets\/|icons\/|index\.html$|manifest\.webmanifest$|theme\.js$|voice-worklet\.js$|replica-\w+\.data$)/
  const choices = /^balcao\.(theme|locale|volume|drawer|branding|install-hint|last-email|session-ended)=/
  const rest = await until(
    'everything is deleted',
    () => kept(screen),
    ({ databases, files, session, cached, local }) =>
      [...databases, ...files, ...session].length === 0 &&
      cached.every((path) => own.test(path)) &&
      local.every((entry) => choices.test(entry)),
  )
  expect(JSON.stringify(rest)).not.toContain(secret)
}
