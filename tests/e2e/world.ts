import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  test as base,
  type Browser,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
  type TestInfo,
} from '@playwright/test'
import { slowLine } from '../support/slow-line.ts'
import { adminEmail, adminPassword, type Api, type Stack, startStack } from '../support/stack.ts'
import { forgetToasts, listenForToasts, told } from '../support/told.ts'
import { Desks } from './desks.ts'
import { visit } from './visit.ts'

export const password = 'balcao123'

/** The day that is it, some days from now, where the companies of the tests are: `YYYY-MM-DD`. */
export const dayHere = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' })

/** A browser in which the app is installed by its service worker: see playwright.config.ts. */
export const installable = { serviceWorkers: 'allow' } as const

export { adminEmail, adminPassword, expect }

/** A contact of the simulated WhatsApp. */
export interface Contact {
  number: string
  name: string
}

export interface Person {
  id: number
  name: string
  email: string
}

/** A small company at work: two queues, three people, one linked phone. */
export interface World {
  stack: Stack
  /** The folder from which the client is served; a copy, so that a test may release a new version. */
  clientDir: string
  /** Calls in the operator's name. */
  api: Api
  /** The connection brings every new conversation into the first. */
  queues: { sales: number; support: number }
  whatsappId: number
  /** Helena administers; Ana is in both queues, Bruno in sales only. */
  people: { helena: Person; ana: Person; bruno: Person }
  contact(name: string): Promise<Contact>
  /** As the server has it. */
  ticketsOf(contact: Contact): Promise<Ticket[]>
  /** What a contact's phone has of ours, oldest first, without the signature. */
  arrived(contact: Contact): Promise<string[]>
  /** The bytes at a `mediaUrl` of the server. */
  fileOf(mediaUrl: string): Promise<Buffer>
}

export interface Ticket {
  id: number
  uuid: string
  status: 'open' | 'pending' | 'closed'
  userId: number | null
  queueId: number | null
  unreadMessages: number
}

/** A copy of the built client. */
export function copyClient(): string {
  const dir = mkdtempSync(join(tmpdir(), 'balcao-client-'))
  cpSync(process.env.CLIENT_DIR ?? join(import.meta.dir, '..', '..', 'client', 'dist'), dir, { recursive: true })
  return dir
}

/** The company at work, on a server and a simulated WhatsApp of its own. */
export async function startWorld(): Promise<World> {
  const clientDir = copyClient()
  const stack = await startStack({ clientDir, fast: true })
  let signedIn = await stack.login(adminEmail, adminPassword)
  const api: Api = async (...call) => {
    try {
      return await signedIn(...call)
    } catch (error) {
      // On a slow machine the tests take longer than a token lives; a test that signs in as the operator ends this session.
      if (!/ERR_TOKEN_EXPIRED|ERR_SESSION_EXPIRED/.test(String(error))) throw error
      signedIn = await stack.login(adminEmail, adminPassword)
      return signedIn(...call)
    }
  }
  const make = async (path: string, body: object) => ((await api('POST', path, body)) as { id: number }).id
  const sales = await make('/queue', { name: 'Vendas', color: '#16a34a' })
  const support = await make('/queue', { name: 'Suporte', color: '#0284c7' })
  const whatsappId = await make('/whatsapp', { name: 'Loja', queueIds: [sales] })
  const person = async (name: string, profile: 'admin' | 'user', queueIds: number[]): Promise<Person> => {
    const email = `${name.split(' ')[0]!.toLowerCase()}@loja.test`
    return { id: await make('/users', { name, email, password, profile, queueIds }), name, email }
  }
  const people = {
    helena: await person('Helena Prado', 'admin', [sales, support]),
    ana: await person('Ana Souza', 'user', [sales, support]),
    bruno: await person('Bruno Lima', 'user', [sales]),
  }
  await stack.pair(api, whatsappId)
  let last = 5511_9700_00000
  return {
    stack,
    clientDir,
    api,
    queues: { sales, support },
    whatsappId,
    people,
    async contact(name) {
      const number = String(++last)
      await stack.phone.contact(number, name)
      return { number, name }
    },
    async ticketsOf({ number }) {
      const { tickets } = (await api('GET', `/tickets?showAll=true&searchParam=${number}`)) as { tickets: Ticket[] }
      return tickets
    },
    async arrived({ number }) {
      const lines = await stack.phone.lines(number)
      return lines.filter(({ by }) => by === 'business').map(({ text }) => text.replace(/^\*.*\*:\n/, ''))
    },
    async fileOf(messageUrl) {
      const response = await fetch(new URL(messageUrl, stack.url), {
        headers: { authorization: `Bearer ${signedIn.token}` },
      })
      if (!response.ok) throw new Error(`${messageUrl}: ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}

interface TestFixtures {
  /**
   * Whether the people of the story before may still sit at their desks: see `Desks`. A file about sessions, starts or
   * devices says no: `test.use({ keepsDesks: false })`.
   */
  keepsDesks: boolean
  /** Everybody has gone home, unless desks are kept. */
  emptyHouse: void
  /** A person signed in, at the inbox: at the desk where they sat in the story before, or in a browser of their own. */
  signIn: (who: Person, options?: BrowserContextOptions) => Promise<Agent>
  /** A person signed in, with the conversation of a contact who has just written `text` accepted and open. */
  serving: (
    who: Person,
    name: string,
    text: string,
    options?: BrowserContextOptions,
  ) => Promise<{ agent: Agent; contact: Contact }>
  /** A line to the server that can be made narrow and cut; a browser takes it with `{ baseURL: line.url }`. */
  line: Awaited<ReturnType<typeof slowLine>>
}

const withDesks = base.extend<object, { desks: Desks }>({
  desks: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const desks = new Desks()
      await provide(desks)
      await desks.close()
    },
    { scope: 'worker' },
  ],
})

/** Tests of the product. The company is shared by all of them; each brings contacts of its own. */
export const test = withDesks.extend<TestFixtures, { world: World }>({
  keepsDesks: [true, { option: true }],
  world: [
    // Playwright wants to see in the braces what a fixture needs: nothing.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const world = await startWorld()
      await provide(world)
      await world.stack.stop()
      rmSync(world.clientDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  emptyHouse: [
    async ({ desks, keepsDesks }, provide) => {
      if (!keepsDesks) await desks.close()
      await provide()
    },
    { auto: true },
  ],
  signIn: async ({ browser, world, desks, keepsDesks, serviceWorkers }, provide, info) => {
    const agents: { agent: Agent; email: string; device: string | null }[] = []
    await provide(async (who, options) => {
      const device = keepsDesks && serviceWorkers === 'block' ? deviceOf(world.stack.url, options) : null
      const { email } = who
      const agent = await arrive(desks, browser, world.stack.url, email, device, options)
      agents.push({ agent, email, device })
      return agent
    })
    for (const { agent, email, device } of agents) await goHome(desks, agent, email, device, info)
    await desks.close(agents.map(({ email }) => email))
  },
  serving: async ({ world, signIn }, provide) => {
    await provide(async (who, name, text, options) => {
      const agent = await signIn(who, options)
      const contact = await world.contact(name)
      await world.stack.phone.write(contact.number, text)
      await agent.accept(contact)
      await expect.poll(async () => (await world.ticketsOf(contact))[0]?.userId).toBe(who.id)
      await expect(agent.waiting()).toHaveCount(0)
      return { agent, contact }
    })
  },
  line: async ({ world }, provide) => {
    const line = await slowLine(world.stack.url)
    await provide(line)
    line.close()
  },
})

/** Where a page stood when its test failed: a log is often all that is left of a run. */
async function tellOf(page: Page): Promise<void> {
  const seen = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String)
  const answers = answered.get(page)?.join('\n') ?? ''
  process.stdout.write(`${page.url()}\n${seen.slice(0, 6000)}\nWhat the page asked for last:\n${answers}\n`)
}

/** A browser of one's own, at the login screen. */
export async function openBrowser(browser: Browser, url: string, options?: BrowserContextOptions): Promise<Agent> {
  const page = await emptyPage(browser, url, options)
  await page.goto('/login')
  return new Agent(page)
}

/** The last answers to each page, with the time at which they came and the id under which the server's log has them. */
const answered = new WeakMap<Page, string[]>()

function remember(page: Page): void {
  const lines: string[] = []
  answered.set(page, lines)
  const add = (method: string, url: string, end: string) => {
    const { pathname } = new URL(url)
    if (pathname.startsWith('/assets/')) return
    lines.push(`${new Date().toISOString().slice(11, 23)} ${method} ${pathname} ${end}`)
    if (lines.length > 40) lines.shift()
  }
  page.on('response', (response) => {
    const request = response.request()
    add(request.method(), request.url(), `${response.status()} ${response.headers()['x-request-id'] ?? ''}`)
  })
  page.on('requestfailed', (request) => add(request.method(), request.url(), String(request.failure()?.errorText)))
}

/** What a phone on the road has: bytes and milliseconds. */
const mobileLine = { offline: false, latency: 80, downloadThroughput: 1_000_000, uploadThroughput: 250_000 }

async function emptyPage(browser: Browser, url: string, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, ...options })
  await listenForToasts(context)
  const page = await context.newPage()
  remember(page)
  if (process.env.SLOW_LINE) {
    const session = await context.newCDPSession(page)
    await session.send('Network.emulateNetworkConditions', mobileLine)
  }
  return page
}

/**
 * A browser of one's own that comes back to the inbox with a session, as on any day but the first. The form of the login
 * is for the stories about it: here it would take two seconds of each.
 */
async function signedIn(browser: Browser, url: string, email: string, options?: BrowserContextOptions): Promise<Agent> {
  const page = await emptyPage(browser, url, options)
  const answer = await page.request.post('/auth/login', { data: { email, password } })
  await expect(answer, 'the login').toBeOK()
  const { token, user } = (await answer.json()) as { token: string; user: object }
  // A page of the same origin that is none of ours.
  await page.goto('/manifest.webmanifest')
  await page.evaluate(
    (stored) => localStorage.setItem('balcao.session', stored),
    JSON.stringify({ id: crypto.randomUUID(), token, user }),
  )
  await page.goto('/tickets')
  return new Agent(page)
}

/**
 * A device that waits at a desk is told from others by the product that it is at and by its size; one of which more is
 * said is new, also by `{}`.
 */
function deviceOf(url: string, options?: BrowserContextOptions): string | null {
  const said = Object.keys(options ?? {})
  const isOfSize = said.length > 0 && said.every((name) => ['viewport', 'hasTouch', 'isMobile'].includes(name))
  return !options || isOfSize ? JSON.stringify([url, options]) : null
}

/** Somebody comes to the inbox: at the desk where they sat in the story before, or in a browser of their own. */
async function arrive(
  desks: Desks,
  browser: Browser,
  url: string,
  email: string,
  device: string | null,
  options?: BrowserContextOptions,
): Promise<Agent> {
  const waiting = await desks.take(email, device)
  if (waiting) {
    // What it said in another story answers nothing in this one.
    await forgetToasts(waiting)
    remember(waiting)
  }
  const agent = waiting ? new Agent(waiting) : await signedIn(browser, url, email, options)
  await agent.inboxReady()
  if (device && !waiting) await desks.watch(agent.page)
  return agent
}

/** After a story: the desk waits for the next one, a new device is closed. */
async function goHome(
  desks: Desks,
  { page }: Agent,
  email: string,
  device: string | null,
  info: TestInfo,
): Promise<void> {
  const isWell = info.status === info.expectedStatus
  if (!isWell) await tellOf(page)
  if (device && isWell) await desks.leave(email, device, page)
  else await page.context().close()
}

/**
 * Tests in which `page` is the inbox of somebody of a product of the file's own, who sits at the same desk from story to
 * story.
 */
export const testAt = (email: string, stack: () => Stack) =>
  withDesks.extend({
    page: async ({ browser, desks, serviceWorkers }, provide, info) => {
      const device = serviceWorkers === 'block' ? deviceOf(stack().url) : null
      const agent = await arrive(desks, browser, stack().url, email, device)
      await provide(agent.page)
      await goHome(desks, agent, email, device, info)
    },
  })

/**
 * Opens the dialog of a transfer from the conversation that is shown: by the header's button, or by its menu where the
 * header has no room for the button (on a phone, or at 1280 px beside the contact's data). It asks again while the header
 * still settles into its width.
 */
export async function openTransfer(page: Page): Promise<Locator> {
  const header = page.locator('header')
  const button = header.getByRole('button', { name: 'Transferir' })
  const menu = header.getByRole('button', { name: 'Mais ações' })
  const item = page.getByRole('menuitem', { name: 'Transferir' })
  const dialog = page.getByRole('dialog', { name: 'Transferir atendimento' })
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 2000 })
    else {
      if (!(await item.isVisible())) await menu.click({ timeout: 2000 })
      await item.click({ timeout: 2000 })
    }
  }).toPass()
  await expect(dialog).toBeVisible()
  return dialog
}

/**
 * Like `page.route`, for a page that is open already: it resolves when what the page asks for next really goes through
 * `handler`. Chromium tells the page of it after it has answered that it will, and of 350 requests made at once on a
 * busy machine four had gone past (measured on 27 November).
 */
export async function intercept(
  page: Page,
  url: Parameters<Page['route']>[0],
  handler: Parameters<Page['route']>[1],
): Promise<void> {
  await page.route(url, handler)
  const probe = '/is-it-intercepted'
  await page.route(`**${probe}`, (route) => route.fulfill({ body: 'yes' }))
  const answer = () => page.evaluate(async (path) => (await fetch(path)).text(), probe)
  await expect.poll(answer).toBe('yes')
  await page.unroute(`**${probe}`)
}

/**
 * The keys of a table on the page's disk, in the database of whose name `part` is a part; none without such a database.
 * With `since`, milliseconds since 1970, those of the rows whose `timestamp` is not older.
 */
const keysOnDisk = (page: Page, part: string, table: string, since?: number): Promise<string[]> =>
  page.evaluate(
    async ({ part, table, since }) => {
      const name = (await indexedDB.databases()).find((database) => database.name?.includes(part))?.name
      if (!name) return []
      const settled = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const database = await settled(indexedDB.open(name))
      try {
        const store = database.transaction(table).objectStore(table)
        const keys =
          since === undefined
            ? store.getAllKeys()
            : store.index('timestamp').getAllKeys(IDBKeyRange.lowerBound(new Date(since)))
        return (await settled(keys)).map(String)
      } finally {
        database.close()
      }
    },
    { part, table, since },
  )

/**
 * How many pieces of the replica's files the page's disk holds that were written after `since`, milliseconds since
 * 1970: one flush takes all that was written to the replica before it.
 */
export const keptFiles = async (page: Page, since = 0): Promise<number> =>
  (await keysOnDisk(page, '/pglite/', 'FILE_DATA', since)).length

/** The names of the answers that the next start shows before the replica has opened: `LiveQuery.remember`. */
export const rememberedAnswers = (page: Page): Promise<string[]> => keysOnDisk(page, '-last-rows', 'kept')

/** The page can be opened without a network: the service worker has the app, the disk has the rows. */
export async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })
  await expect.poll(() => keptFiles(page)).toBeGreaterThan(0)
}

/**
 * Scans or types with the phone, and the dialog says that the number is linked. It says so for a second and a half and
 * goes: it is looked for in each frame, from before the phone is asked.
 */
export async function linked(page: Page, onPhone: () => Promise<unknown>): Promise<void> {
  const said = page.waitForFunction(() =>
    [...document.querySelectorAll('[role="dialog"]')].some((one) => one.textContent.includes('Número conectado')),
  )
  await Promise.all([said, onPhone()])
}

/** The text of the QR code that is shown, by its button. The clipboard has it a moment after the click. */
export async function copiedQr(page: Page): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.getByRole('button', { name: 'Copiar texto do QR' }).click()
  const text = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(text).not.toBe('')
  return text()
}

/** Everything that this origin has kept in the browser. */
export const keptBytes = (page: Page) =>
  page.evaluate(async () => {
    const opfs: string[] = []
    const root = await navigator.storage.getDirectory()
    for await (const name of (root as unknown as { keys(): AsyncIterable<string> }).keys()) opfs.push(name)
    const cached: string[] = []
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) cached.push(new URL(request.url).pathname)
    return {
      databases: (await indexedDB.databases()).map(({ name }) => name),
      opfs,
      cached,
      local: Object.entries(localStorage).map((pair) => pair.join('=')),
      session: Object.keys(sessionStorage),
    }
  })

/** After a logout: the app's own files and the choices of the device stay, and nothing that the server gave somebody. */
export async function expectNothingKept(page: Page, secret: string): Promise<void> {
  // Each kind of storage is emptied by a call of its own, in no order that a page promises.
  await expect(async () => {
    const rest = await keptBytes(page)
    expect([rest.databases, rest.opfs, rest.session]).toEqual([[], [], []])
    for (const path of rest.cached)
      expect(path).toMatch(
        /^\/(assets\/|icons\/|index\.html$|manifest\.webmanifest$|theme\.js$|voice-worklet\.js$|replica-\w+\.data$)/,
      )
    for (const entry of rest.local)
      expect(entry).toMatch(/^balcao\.(theme|locale|volume|drawer|branding|install-hint|last-email|session-ended)=/)
    expect(JSON.stringify(rest)).not.toContain(secret)
  }).toPass({ timeout: 30_000 })
}

/** A person at the screen: finds things by the names that people see. */
export class Agent {
  constructor(readonly page: Page) {}

  async login(email: string, word: string): Promise<void> {
    const enter = this.page.getByRole('button', { name: 'Entrar', exact: true })
    // A screen that leads here, like the sign-up, has fields of the same names until this one has come.
    await enter.waitFor()
    await this.page.getByLabel('E-mail').fill(email)
    await this.page.getByLabel('Senha', { exact: true }).fill(word)
    await enter.click()
  }

  async logout(): Promise<void> {
    await this.page.getByRole('button', { name: 'Menu do perfil' }).click()
    await this.page.getByRole('menuitem', { name: 'Sair' }).click()
  }

  /** The lists have been read and the first sync is over. */
  async inboxReady(): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Menu do perfil' })).toBeVisible({ timeout: 60_000 })
    if (new URL(this.page.url()).pathname !== '/tickets') await visit(this.page, '/tickets')
    // A phone that has no conversation open begins at the empty pane.
    await this.tab('Aguardando')
      .or(this.page.getByRole('button', { name: 'Selecionar conversa' }))
      .first()
      .waitFor({ timeout: 60_000 })
    if (!(await this.tab('Aguardando').isVisible()))
      await this.page.getByRole('button', { name: 'Selecionar conversa' }).click()
    await expect(this.tab('Aguardando')).toBeVisible()
    // What is shown before may be the server's first rows: it says so until this browser has its own.
    await expect(this.page.getByRole('button', { name: 'Conectado' })).toBeVisible({ timeout: 60_000 })
    await expect(this.page.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 60_000 })
  }

  tab(name: 'Atendendo' | 'Aguardando' | 'Abertos' | 'Resolvidos' | 'Busca'): Locator {
    return this.page.getByRole('tab', { name })
  }

  /** The contact's ticket in the list that is shown. */
  item(contact: Contact): Locator {
    return this.page.locator('[data-ticket]').filter({ hasText: contact.name })
  }

  async accept(contact: Contact): Promise<void> {
    await this.tab('Aguardando').click()
    await this.item(contact).getByRole('button', { name: 'Aceitar' }).click()
    await expect(this.page.getByRole('button', { name: `Dados de ${contact.name}` })).toBeVisible()
    await expect(this.composer).toBeVisible()
  }

  async open(contact: Contact): Promise<void> {
    await this.tab('Atendendo').click()
    await this.item(contact).locator('[data-item]').click()
    await expect(this.page.getByRole('button', { name: `Dados de ${contact.name}` })).toBeVisible()
  }

  /** What has not reached the server, as the top bar tells it; without a count: anything at all. */
  waiting(count?: number): Locator {
    return this.page.getByRole('button', {
      name: count === undefined ? /à espera de envio/ : `${count} à espera de envio`,
    })
  }

  async goOffline(): Promise<void> {
    await this.page.context().setOffline(true)
    await expect(this.page.getByRole('button', { name: 'Sem conexão' })).toBeVisible()
  }

  async goOnline(): Promise<void> {
    await this.page.context().setOffline(false)
  }

  /** Saves the filter that the open dialog of the filters shows as a view, which is then shown. */
  async saveView(name: string): Promise<void> {
    await this.page
      .getByRole('dialog', { name: 'Filtrar atendimentos' })
      .getByRole('button', { name: 'Salvar como visão' })
      .click()
    const dialog = this.page.getByRole('dialog', { name: 'Nova visão' })
    await dialog.getByLabel('Nome').fill(name)
    await this.page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(this.page.getByRole('tabpanel', { name })).toBeVisible()
  }

  /** A view in the side menu. */
  view(name: string): Locator {
    return this.page.getByRole('list', { name: 'Visões' }).getByRole('button', { name: new RegExp(`^${name}`) })
  }

  /** Deletes a view, whose list is in the side menu: nobody who comes after finds it. */
  async deleteView(name: string): Promise<void> {
    await this.view(name).hover()
    await this.page.getByRole('button', { name: `Ações de ${name}` }).click()
    await this.page.getByRole('menuitem', { name: 'Excluir' }).click()
    await expect(this.view(name)).toHaveCount(0)
  }

  /** Hands over the ticket that is open. */
  async transfer(queue: string, colleague?: Person): Promise<void> {
    const dialog = await openTransfer(this.page)
    await dialog.getByLabel('Fila').click()
    await this.page.getByRole('option', { name: queue }).click()
    if (colleague) {
      await dialog.getByLabel('Usuário (opcional)').click()
      await this.page.keyboard.type(colleague.name.slice(0, 4))
      await this.page.getByRole('option', { name: colleague.name }).click()
    }
    await dialog.getByRole('button', { name: 'Transferir' }).click()
    await this.told(colleague ? `Transferido para ${colleague.name}` : `Transferido para a fila ${queue}`)
  }

  /** The contact's data beside the conversation, of which a part. */
  async panel(part: 'Etiquetas' | 'Observações' | 'Linha do tempo' | 'Mensagens agendadas'): Promise<Locator> {
    const show = this.page.getByRole('button', { name: 'Mostrar os dados do contato' })
    const region = this.page.getByRole('region', { name: part })
    await expect(show.or(region)).toBeVisible()
    if (await show.isVisible()) await show.click()
    await region.scrollIntoViewIfNeeded()
    return region
  }

  async note(text: string): Promise<void> {
    const notes = await this.panel('Observações')
    await notes.getByRole('textbox').fill(text)
    await notes.getByRole('button', { name: 'Adicionar' }).click()
    await expect(notes.getByRole('listitem').filter({ hasText: text })).toBeVisible()
  }

  async tag(name: string): Promise<void> {
    const tags = await this.panel('Etiquetas')
    await tags.getByRole('button', { name: 'Etiqueta', exact: true }).click()
    await this.page.getByRole('option', { name }).click()
    await this.page.keyboard.press('Escape')
    await expect(tags.getByRole('button', { name: `Retirar a etiqueta ${name}` })).toBeVisible()
  }

  get composer(): Locator {
    return this.page.getByRole('textbox', { name: 'Mensagem', exact: true })
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  bubble(text: string | RegExp): Locator {
    return this.page.locator('[data-message]').filter({ hasText: text })
  }

  ticks(text: string | RegExp, mark: 'Na fila de envio' | 'Enviada' | 'Entregue' | 'Lida' | 'Não enviada'): Locator {
    return this.bubble(text).getByRole('img', { name: mark })
  }

  /**
   * Opens the menu of a message. Only what the pointer moves over has its button: of a conversation that has just come
   * nothing may hear the pointer yet, and what comes below moves the message away from under it.
   */
  async menuOf(text: string | RegExp): Promise<void> {
    const bubble = this.bubble(text)
    await expect(async () => {
      await bubble.hover()
      await bubble.getByRole('button', { name: 'Ações da mensagem' }).click({ timeout: 2000 })
    }).toPass()
  }

  /** Chooses from the menu of a message. */
  async choose(text: string | RegExp, action: string): Promise<void> {
    await this.menuOf(text)
    await this.page.getByRole('menuitem', { name: action }).click()
  }

  /** The app says it in passing. */
  told(text: string | RegExp): Promise<void> {
    return told(this.page, text)
  }

  /** What is said and stands for a while, with its button. */
  toast(text: string | RegExp): Locator {
    return this.page.locator('[data-sonner-toast], [data-undo]').filter({ hasText: text })
  }
}
