/** Opens the agent's screens with example data and takes their pictures: `bun --bun tests/screens/look.ts <folder> [scene…]`. */
import { mkdirSync } from 'node:fs'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../support/chromium.ts'
import { serveScreens } from './serve.ts'
import { signIn } from './sign-in.ts'

const [folder = 'pictures', ...only] = process.argv.slice(2)
const themes = (process.env['THEMES'] ?? 'light,dark').split(',') as ('light' | 'dark')[]
mkdirSync(folder, { recursive: true })
const screens = await serveScreens()
const { url } = screens
const browser = await chromium.launch({
  executablePath: await findChromium((sentence) => process.stdout.write(`${sentence}\n`)),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
})

const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

const scenes: Record<string, { path: string; size?: keyof typeof sizes; run?: (page: Page) => Promise<void> }> = {
  conversation: { path: `/tickets/${uuid(1000)}` },
  top: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) =>
      void (await page.getByRole('group', { name: 'Mensagens' }).evaluate((e) => (e.scrollTop = -1e6))),
  },
  middle: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) =>
      void (await page.getByRole('group', { name: 'Mensagens' }).evaluate((e) => (e.scrollTop = -620))),
  },
  voice: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) => {
      await page.getByRole('button', { name: 'Ouvir' }).scrollIntoViewIfNeeded()
      await page.getByRole('button', { name: '(11) 96666-5555' }).click()
    },
  },
  voicePhone: {
    path: `/tickets/${uuid(1000)}`,
    size: 'phone',
    run: async (page) => page.getByRole('button', { name: 'Ouvir' }).scrollIntoViewIfNeeded(),
  },
  kinds: { path: `/tickets/${uuid(1004)}` },
  kindsPhone: { path: `/tickets/${uuid(1004)}`, size: 'phone' },
  shared: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) => {
      await page.getByRole('button', { name: /Dados de/ }).click()
      await page.getByRole('button', { name: 'Mídia, arquivos e links' }).click()
    },
  },
  sharedPhone: {
    path: `/tickets/${uuid(1000)}`,
    size: 'phone',
    run: async (page) => {
      await page.getByRole('button', { name: /Dados de/ }).click()
      await page.getByRole('button', { name: 'Mídia, arquivos e links' }).click()
      await page.getByRole('tab', { name: 'Arquivos' }).click()
    },
  },
  quickReply: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) => page.getByRole('textbox', { name: 'Mensagem', exact: true }).fill('/o'),
  },
  welcome: { path: '/tickets' },
  pending: { path: '/tickets', run: async (page) => page.getByRole('tab', { name: /Aguardando/ }).click() },
  drawer: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) => page.getByRole('button', { name: /Dados de/ }).click(),
  },
  group: { path: `/tickets/${uuid(1003)}` },
  search: {
    path: '/tickets',
    run: async (page) => {
      await page.getByRole('tab', { name: 'Busca' }).click()
      await page.getByLabel('Buscar atendimentos').fill('oficina')
      await page.waitForTimeout(1200)
    },
  },
  closed: {
    path: `/tickets/${uuid(1014)}`,
    run: async (page) => page.getByRole('tab', { name: 'Resolvidos' }).click(),
  },
  newTicket: { path: '/tickets', run: async (page) => page.getByRole('button', { name: 'Novo atendimento' }).click() },
  transfer: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) => page.getByRole('button', { name: 'Transferir' }).first().click(),
  },
  menu: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) =>
      page
        .locator('[data-message]')
        .last()
        .click({ button: 'right', position: { x: 60, y: 12 } }),
  },
  emoji: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) => {
      await page.getByRole('button', { name: 'Emoji', exact: true }).click()
      await page.waitForTimeout(2500)
    },
  },
  reply: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) => {
      await page
        .locator('[data-message]')
        .last()
        .click({ button: 'right', position: { x: 60, y: 12 } })
      await page.getByRole('menuitem', { name: 'Responder' }).click()
      await page
        .getByLabel('Mensagem', { exact: true })
        .fill('Combinado!\nSegue o link de pagamento\nlinha 3\nlinha 4\nlinha 5\nlinha 6')
    },
  },
  failed: {
    path: `/tickets/${uuid(1001)}`,
    run: async (page) => {
      await page.evaluate(() => window.fake.setOnline(false))
      await page.getByLabel('Mensagem', { exact: true }).fill('Escrito sem rede')
      await page.keyboard.press('Enter')
      await page.getByLabel('Mensagem', { exact: true }).fill('E este foi recusado')
      await page.keyboard.press('Enter')
      await page.waitForTimeout(300)
      await page.evaluate(() =>
        window.fake.setEntries((entries) => [
          ...entries.slice(0, -1).map((e) => e),
          { ...entries.at(-1)!, state: 'failed' as const, error: { code: 'ERR_TICKET_NOT_OPEN' as const, params: {} } },
          {
            ...entries[0]!,
            id: 'x',
            name: 'tickets.transfer' as const,
            input: {},
            state: 'failed' as const,
            error: { code: 'ERR_FORBIDDEN' as const, params: {} },
          },
        ]),
      )
    },
  },
  preview: {
    path: '/tickets',
    run: async (page) => {
      await page.locator('[data-ticket="1000"]').hover()
      await page.locator('[data-ticket="1000"]').getByRole('button', { name: 'Espiar a conversa' }).click()
    },
  },
  attach: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) =>
      page.getByTestId('attach').setInputFiles([
        {
          name: 'foto-da-cozinha.svg',
          mimeType: 'image/svg+xml',
          buffer: Buffer.from(
            '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#8b6"/><circle cx="300" cy="200" r="120" fill="#fd6"/></svg>',
          ),
        },
        { name: 'orcamento.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 '.repeat(4000)) },
      ]),
  },
  lightbox: {
    path: `/tickets/${uuid(1000)}`,
    run: async (page) => {
      await page.getByRole('group', { name: 'Mensagens' }).evaluate((e) => (e.scrollTop = -1e6))
      await page.getByRole('button', { name: 'Ampliar imagem' }).first().click()
    },
  },
  notifications: {
    path: '/tickets',
    run: async (page) => page.getByRole('button', { name: /^Notificações/ }).click(),
  },
  chats: { path: '/chats' },
  chat: { path: `/chats/${uuid(5000)}` },
  chatFailed: {
    path: `/chats/${uuid(5000)}`,
    run: async (page) => {
      await page.evaluate(() => window.fake.setOnline(false))
      for (const text of ['Escrito sem rede', 'E este foi recusado']) {
        await page.getByLabel('Mensagem', { exact: true }).fill(text)
        await page.keyboard.press('Enter')
        await page.waitForTimeout(200)
      }
      await page.evaluate(() =>
        window.fake.setEntries((entries) => [
          ...entries.slice(0, -1),
          { ...entries.at(-1)!, state: 'failed' as const, error: { code: 'ERR_FORBIDDEN' as const, params: {} } },
        ]),
      )
    },
  },
  chatPopover: { path: '/tickets', run: async (page) => page.getByRole('button', { name: /^Chat interno/ }).click() },
  chatDialog: {
    path: '/chats',
    run: async (page) => {
      await page.getByRole('button', { name: 'Nova', exact: true }).click()
      await page.getByRole('button', { name: 'Salvar' }).click()
    },
  },
  phoneChats: { path: '/chats', size: 'phone' },
  phoneChat: { path: `/chats/${uuid(5000)}`, size: 'phone' },
  phoneChatWelcome: {
    path: '/chats',
    size: 'phone',
    run: async (page) => page.getByRole('tab', { name: 'Mensagens' }).click(),
  },
  spyless: { path: '/tickets' },
  phoneList: {
    path: '/tickets',
    size: 'phone',
  },
  phonePending: {
    path: '/tickets',
    size: 'phone',
    run: async (page) => page.getByRole('tab', { name: 'Aguardando' }).click(),
  },
  phoneConversation: { path: `/tickets/${uuid(1000)}`, size: 'phone' },
  phoneDrawer: {
    path: `/tickets/${uuid(1000)}`,
    size: 'phone',
    run: async (page) => page.getByRole('button', { name: /Dados de/ }).click(),
  },
  phoneTransfer: {
    path: `/tickets/${uuid(1000)}`,
    size: 'phone',
    run: async (page) => {
      await page.getByRole('button', { name: 'Mais ações' }).click()
      await page.getByRole('menuitem', { name: 'Transferir' }).click()
    },
  },
}

for (const [name, scene] of Object.entries(scenes)) {
  if (only.length > 0 && !only.includes(name)) continue
  for (const theme of themes) {
    const page = await browser.newPage({
      viewport: sizes[scene.size ?? 'wide'],
      colorScheme: theme,
      serviceWorkers: 'block',
      locale: 'pt-BR',
    })
    page.on('pageerror', (error) => process.stderr.write(`${name}: ${error.stack ?? error.message}\n`))
    page.on(
      'console',
      (line) =>
        line.type() === 'error' &&
        !/WebSocket|404|Failed to load/.test(line.text()) &&
        process.stderr.write(`${name}: ${line.text()}\n`),
    )
    await signIn(page, { admin: name !== 'spyless' })
    await page.goto(url + scene.path)
    await page.waitForFunction(() => 'fake' in window, undefined, { timeout: 60_000 })
    await page.waitForTimeout(700)
    try {
      await scene.run?.(page)
    } catch (error) {
      process.stderr.write(`${name}: ${String(error).slice(0, 600)}\n`)
    }
    await page.waitForTimeout(500)
    await page.screenshot({ path: `${folder}/${name}-${theme}.png` })
    await page.close()
  }
}
await browser.close()
await screens.close()
process.exit(0)
