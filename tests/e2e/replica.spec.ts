import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import type { Replica } from '../../sync/client/replica.types.ts'
import type { Principal } from '../../schema/permissions.ts'
import { newId } from '../../schema/ids.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { examples } from '../example-data.ts'
import { buildSyncPage } from '../support/sync-page.ts'
import { startSyncServer, type SyncServer } from '../support/sync-server.ts'
import { keptFiles } from './world.ts'

/** The replica in a real browser, on a page that holds nothing else, against a real server without the product. */
declare global {
  interface Window {
    replica: Replica
    bodies: string[]
  }
}

let server: SyncServer
let eg: ReturnType<typeof examples>

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startSyncServer({ files: await buildSyncPage() })
  eg = examples(server.db)
})
test.afterAll(() => server.stop())
test.afterEach(() => {
  server.faults.down = false
})

async function world() {
  const { id } = await eg.company()
  const queue = await eg.queue(id)
  const whatsapp = await eg.whatsapp(id)
  const { who } = await eg.user(id, { queueIds: [queue.id] })
  const contact = await eg.contact(id)
  const ticket = await eg.ticket(id, {
    contactId: contact.id,
    whatsappId: whatsapp.id,
    queueId: queue.id,
    status: 'open',
    userId: who.userId,
  })
  const arrives = async (body: string) => {
    await eg.message(id, { ticketId: ticket.id, contactId: contact.id, whatsappId: whatsapp.id, wid: newId(), body })
    server.nudge()
  }
  return { who, ticketId: ticket.id, arrives }
}

async function openTab(context: BrowserContext, who: Principal): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/?who=${encodeURIComponent(JSON.stringify(who))}`)
  return page
}

const watch = (page: Page, ticketId: number) =>
  page.evaluate((ticketId) => {
    window.replica.live<{ body: string }>(
      {
        sql: 'SELECT "body" FROM messages WHERE "ticketId" = $1 ORDER BY "createdAt", "id"',
        params: [ticketId],
        tables: [{ table: 'messages', only: { column: 'ticketId', value: ticketId } }],
      },
      (rows) => (window.bodies = rows.map((row) => row.body)),
    )
  }, ticketId)
const bodies = (page: Page) => page.evaluate(() => window.bodies ?? [])
const state = (page: Page) => page.evaluate(() => window.replica.status.get().state)
const send = (page: Page, ticketId: number, body: string) =>
  page.evaluate(
    ([id, ticketId, body]) => window.replica.mutate('messages.send', { id, ticketId, body }).then(() => undefined),
    [newId(), ticketId, body] as const,
  )
const outbox = (page: Page) => page.evaluate(() => window.replica.outbox.get().map((entry) => entry.state))
const within = { timeout: 30_000 }

/** A company with an open ticket, and a browser in which its agent's replica is up to date and watches it. */
async function opened(browser: Browser) {
  const { who, ticketId, arrives } = await world()
  const context = await browser.newContext()
  const again = async () => {
    const page = await openTab(context, who)
    await watch(page, ticketId)
    return page
  }
  const page = await again()
  await expect.poll(() => state(page), within).toBe('live')
  // Answered when the first sync's log has been brought to its end: what is written from now on is newer.
  await page.evaluate(() => window.replica.query('SELECT 1'))
  return { ticketId, arrives, context, page, again }
}

test('[L1] two tabs share one replica; when the leading one is closed, the other goes on within moments and nothing is lost', async ({
  browser,
}) => {
  const { ticketId, arrives, context, page: first, again } = await opened(browser)
  const second = await again()
  await arrives('one')
  await expect.poll(() => bodies(first), within).toEqual(['one'])
  await expect.poll(() => bodies(second), within).toEqual(['one'])
  expect([first.workers().length, second.workers().length]).toEqual([1, 0])

  // What one tab does is seen in the other, also while it waits.
  server.faults.down = true
  server.cut()
  await send(second, ticketId, 'from the second')
  await expect.poll(() => bodies(first), within).toEqual(['one', 'from the second'])
  await expect.poll(() => outbox(first), within).toHaveLength(1)

  await first.close()
  server.faults.down = false
  await expect.poll(() => second.workers().length, within).toBe(1)
  const said = async () => (await server.db.select().from(messages)).filter((m) => m.body === 'from the second')
  // An outbox that the new worker has not read yet is empty, too.
  await expect.poll(said, within).toHaveLength(1)
  await expect.poll(() => outbox(second), within).toEqual([])
  await arrives('two')
  await expect.poll(() => bodies(second), within).toEqual(['one', 'from the second', 'two'])
  expect(await said()).toHaveLength(1)
  await context.close()
})

test('tabs that have nothing to say to each other are silent, however many there are', async ({ browser }) => {
  const { who } = await world()
  const context = await browser.newContext()
  const [first, ...others] = [
    await openTab(context, who),
    await openTab(context, who),
    await openTab(context, who),
  ] as const
  for (const tab of [first, ...others]) await expect.poll(() => state(tab), within).toBe('live')
  const heard = () =>
    first.evaluate(async (name) => {
      let count = 0
      const channel = new BroadcastChannel(name)
      channel.onmessage = () => count++
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      channel.close()
      return count
    }, `balcao-${who.companyId}-${who.userId}`)
  // The last word about the opening may still be on its way in the first second.
  await expect.poll(heard, within).toBe(0)
  await context.close()
})

test('a reload without the server shows everything that was there, and what was written then is sent when it is back', async ({
  browser,
}) => {
  const { ticketId, arrives, context, page: first, again } = await opened(browser)
  let page = first
  const begun = Date.now()
  await arrives('before')
  await expect.poll(() => bodies(page), within).toEqual(['before'])
  await page.evaluate(() => window.replica.drafts.set({ ticketId: 1 }, 'half a sentence'))
  // Rows are on the disk a moment after they are on the screen.
  await expect.poll(() => keptFiles(page, begun), within).toBeGreaterThan(0)
  server.faults.down = true
  server.cut()
  await send(page, ticketId, 'written offline')
  await page.close()

  page = await again()
  await expect.poll(() => bodies(page), within).toEqual(['before', 'written offline'])
  expect(await page.evaluate(() => window.replica.drafts.get({ ticketId: 1 }))).toBe('half a sentence')
  server.faults.down = false
  await page.evaluate(() => window.replica.wake())
  await expect.poll(() => outbox(page), within).toEqual([])
  await expect.poll(() => bodies(page), within).toEqual(['before', 'written offline'])
  expect((await server.db.select().from(messages)).filter((m) => m.body === 'written offline')).toHaveLength(1)
  await context.close()
})

test('[F3] a broken replica is made anew, and the outbox is not touched', async ({ browser }) => {
  const { ticketId, arrives, context, page: first, again } = await opened(browser)
  let page = first
  const begun = Date.now()
  await arrives('kept on the server')
  await expect.poll(() => bodies(page), within).toEqual(['kept on the server'])
  await expect.poll(() => keptFiles(page, begun), within).toBeGreaterThan(0)
  server.faults.down = true
  server.cut()
  await send(page, ticketId, 'kept in the outbox')
  await page.close()

  const blank = await context.newPage()
  await blank.goto(`${server.url}/index.html?none`)
  const poisoned = await blank.evaluate(async () => {
    const name = (await indexedDB.databases()).find((db) => db.name?.startsWith('/pglite/'))!.name!
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
    })
    const store = db.transaction('FILE_DATA', 'readwrite').objectStore('FILE_DATA')
    const keys = await new Promise<IDBValidKey[]>((resolve) => {
      const request = store.getAllKeys()
      request.onsuccess = () => resolve(request.result)
    })
    const control = keys.filter((key) => String(key).endsWith('/global/pg_control'))
    for (const key of control) store.put({ timestamp: new Date(), mode: 33_152, contents: new Uint8Array(100) }, key)
    await new Promise((resolve) => (store.transaction.oncomplete = resolve))
    db.close()
    return control.length
  })
  expect(poisoned).toBe(1)
  await blank.close()

  server.faults.down = false
  const anew = Date.now()
  page = await again()
  await expect.poll(() => bodies(page), within).toEqual(['kept on the server', 'kept in the outbox'])
  await expect.poll(() => outbox(page), within).toEqual([])
  // On the disk, like the one before it.
  await expect.poll(() => keptFiles(page, anew), within).toBeGreaterThan(0)
  await context.close()
})

test('[F3] a replica whose files cannot be had is done without: memory is enough to work with', async ({ browser }) => {
  const { ticketId, arrives, context, page: first, again } = await opened(browser)
  let page = first
  await arrives('on the server')
  await page.close()

  // Whoever opens it now waits for a deletion that waits for this page.
  const holder = await context.newPage()
  await holder.goto(`${server.url}/index.html?none`)
  await holder.evaluate(async () => {
    const name = (await indexedDB.databases()).find((db) => db.name?.startsWith('/pglite/'))!.name!
    await new Promise<void>((resolve) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => {
        Object.assign(window, { held: request.result })
        indexedDB.deleteDatabase(name).onblocked = () => resolve()
      }
    })
  })
  page = await again()
  await expect.poll(() => bodies(page), { timeout: 60_000 }).toEqual(['on the server'])
  await send(page, ticketId, 'sent nevertheless')
  await expect.poll(() => bodies(page), within).toEqual(['on the server', 'sent nevertheless'])
  await expect.poll(() => outbox(page), within).toEqual([])
  await expect.poll(() => state(page), within).toBe('live')
  // And the person is told that a reload begins anew.
  expect(await page.evaluate(() => window.replica.status.get().durable)).toBe(false)
  await context.close()
})

test('[F3] a replica can be opened anew and fetched anew by hand, from any tab, and the outbox is not touched', async ({
  browser,
}) => {
  const { ticketId, arrives, context, page, again } = await opened(browser)
  await arrives('on the server')
  await expect.poll(() => bodies(page), within).toEqual(['on the server'])
  expect(await page.evaluate(() => window.replica.status.get().durable)).toBe(true)
  const second = await again()
  await expect.poll(() => bodies(second), within).toEqual(['on the server'])
  server.faults.down = true
  server.cut()
  await send(page, ticketId, 'kept in the outbox')
  await page.evaluate(() => window.replica.restart())
  await expect.poll(() => state(page), within).not.toBe('starting')
  await expect.poll(() => bodies(page), within).toEqual(['on the server', 'kept in the outbox'])
  server.faults.down = false
  // The second tab has no worker: it asks the one that has.
  await second.evaluate(() => window.replica.restart({ rebuild: true }))
  for (const tab of [page, second]) {
    await expect.poll(() => outbox(tab), within).toEqual([])
    await expect.poll(() => bodies(tab), within).toEqual(['on the server', 'kept in the outbox'])
    await expect.poll(() => state(tab), within).toBe('live')
  }
  expect((await server.db.select().from(messages)).filter((m) => m.ticketId === ticketId)).toHaveLength(2)
  await context.close()
})

test('[L2] after a logout no byte of the user is left, whichever tab said it', async ({ browser }) => {
  const { ticketId, arrives, context, page: first, again } = await opened(browser)
  const second = await again()
  await arrives('secret')
  await expect.poll(() => bodies(second), within).toEqual(['secret'])
  server.faults.down = true
  await send(second, ticketId, 'never sent')
  await second.evaluate(async () => {
    localStorage.setItem('electric_expired_shapes', '{}')
    await caches.open('balcao-media-1')
    await window.replica.drafts.set({ ticketId: 1 }, 'draft')
    await window.replica.destroy()
  })
  const left = () =>
    second.evaluate(async () => {
      const root = await navigator.storage.getDirectory()
      const files: string[] = []
      for await (const name of (root as unknown as { keys(): AsyncIterable<string> }).keys()) files.push(name)
      const databases = (await indexedDB.databases()).map((db) => db.name)
      return [...databases, ...files, ...Object.keys(localStorage), ...(await caches.keys())]
    })
  await expect.poll(left, within).toEqual([])
  await expect.poll(() => first.workers().length, within).toBe(0)
  await context.close()
})

test('[F3] a replica whose program does not come is said to have failed, in every tab, and opens once it comes', async ({
  browser,
}) => {
  const { who, ticketId, arrives } = await world()
  await arrives('on the server')
  const context = await browser.newContext()
  await context.route(/pglite.*\.wasm/, (route) => route.abort())
  const page = await openTab(context, who)
  await watch(page, ticketId)
  const second = await openTab(context, who)
  for (const tab of [page, second])
    await expect
      .poll(() => tab.evaluate(() => window.replica.status.get()), within)
      .toMatchObject({ state: 'failed', error: 'unfetched' })
  // What is written meanwhile waits.
  await send(page, ticketId, 'written meanwhile')
  await context.unroute(/pglite.*\.wasm/)
  await second.evaluate(() => window.replica.restart())
  for (const tab of [page, second]) await expect.poll(() => state(tab), within).toBe('live')
  await expect.poll(() => bodies(page), within).toEqual(['on the server', 'written meanwhile'])
  await context.close()
})
