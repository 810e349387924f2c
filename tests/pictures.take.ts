/** The pictures of the README, taken from the demo in Chromium. `bun run pictures` prepares all that this needs. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from './support/chromium.ts'
import { type Api, startStack, until } from './support/stack.ts'

const folder = join(import.meta.dir, '..', 'docs', 'pictures')
const password = 'balcao123'

mkdirSync(folder, { recursive: true })
const stack = await startStack({
  demo: true,
  fast: true,
  ...(process.env.PICTURES_CLIENT ? { clientDir: process.env.PICTURES_CLIENT } : {}),
})
const browser = await chromium.launch({
  executablePath: await findChromium((sentence) => process.stdout.write(`${sentence}\n`)),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
})
try {
  const admin = await stack.login('admin@padaria.test', password)
  const [connection] = (await admin('GET', '/whatsapp')) as { id: number }[]
  await stack.pair(admin, connection!.id)
  await stack.phone.contact('5511987650001', 'Sofia Andrade')
  const heard = (words: RegExp) =>
    until(
      String(words),
      () => stack.phone.lines('5511987650001'),
      (lines) => lines.some(({ by, text }) => by === 'business' && words.test(text)),
    )
  await stack.phone.write('5511987650001', 'Bom dia! 🌞')
  await heard(/Falar com uma pessoa/)
  // From here on people answer.
  await stack.phone.write('5511987650001', '4')
  await waiting(admin)
  for (const text of ['Vocês entregam no Ipiranga?', 'Queria 2 cestas de café da manhã para sábado'])
    await stack.phone.write('5511987650001', text)

  const agent = await signedIn('ana@padaria.test', 'light', { width: 1440, height: 900 })
  await agent.getByRole('tab', { name: /Aguardando/ }).click()
  await agent.getByText('Sofia Andrade').first().hover()
  await shot(agent, 'pending-light')
  await agent
    .getByRole('button', { name: /aceitar/i })
    .first()
    .click()
  const box = agent.getByRole('textbox', { name: /mensagem/i }).first()
  await box.fill('Bom dia, Sofia! Entregamos sim, a taxa para o Ipiranga é de R$ 9,00. 🥖')
  await agent.keyboard.press('Enter')
  await box.fill('Para sábado, qual horário fica melhor?')
  await agent.keyboard.press('Enter')
  await stack.phone.call('POST', '/ctl/contacts/5511987650001/read', {}).catch(() => undefined)
  await agent.waitForTimeout(1_500)
  await shot(agent, 'inbox-light')

  await agent.context().setOffline(true)
  await box.fill('Já deixei reservado para você.')
  await agent.keyboard.press('Enter')
  await agent.waitForTimeout(1_000)
  await shot(agent, 'offline-light')
  await agent.context().setOffline(false)
  await agent.context().close()

  const dark = await signedIn('bruno@padaria.test', 'dark', { width: 1440, height: 900 })
  await dark
    .getByRole('listitem')
    .first()
    .click()
    .catch(() => undefined)
  await dark.waitForTimeout(1_500)
  await shot(dark, 'inbox-dark')
  await dark.context().close()

  const phone = await signedIn('ana@padaria.test', 'light', { width: 390, height: 844 })
  await phone.waitForTimeout(1_000)
  await shot(phone, 'phone-list')
  await phone.context().close()

  const desk = await signedIn('admin@padaria.test', 'light', { width: 1440, height: 900 })
  for (const [path, name] of [
    ['/', 'dashboard'],
    ['/connections', 'connections'],
    ['/schedules', 'schedules'],
    ['/chats', 'chat'],
    ['/kanban', 'kanban'],
    ['/campaigns', 'campaigns'],
  ] as const) {
    await desk.goto(`${stack.url}${path}`)
    await desk.waitForTimeout(3_000)
    if (name === 'chat') {
      await desk.locator('nav a[href^="/chats/"]').first().click()
      await desk.waitForTimeout(1_500)
    }
    await shot(desk, name)
  }
  await desk.goto(`${stack.url}/flowbuilders`)
  await desk.locator('a[href^="/flowbuilder/"]').first().click()
  await desk.locator('.react-flow__node').first().waitFor()
  await desk.getByRole('button', { name: 'Testar', exact: true }).click()
  const trial = desk.getByRole('complementary', { name: 'Testar o fluxo' })
  await trial.getByRole('textbox', { name: 'Mensagem do contato' }).fill('Oi, quero encomendar')
  await desk.keyboard.press('Enter')
  await trial.locator('[data-phone=business]').first().waitFor()
  await desk.waitForTimeout(1_500)
  await shot(desk, 'flow')
  await desk.context().close()

  const phones = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await phones.goto(stack.phoneUrl)
  await phones.waitForTimeout(1_000)
  await shot(phones, 'simulated-phone')
} finally {
  await browser.close()
  await stack.stop()
}

async function waiting(api: Api): Promise<void> {
  await until(
    'the new ticket',
    () =>
      api('GET', '/tickets?showAll=true&status=pending&searchParam=sofia') as Promise<{
        tickets: { queueId: number | null }[]
      }>,
    (page) => page.tickets.some(({ queueId }) => queueId !== null),
  )
}

async function signedIn(
  email: string,
  colorScheme: 'light' | 'dark',
  viewport: { width: number; height: number },
): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' })
  const page = await context.newPage()
  await page.goto(`${stack.url}/login`)
  await page.fill('input[type=email]', email)
  await page.fill('input[type=password]', password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  if (new URL(page.url()).pathname === '/') await page.goto(`${stack.url}/tickets`)
  await page.getByRole('tab', { name: /Atendendo/ }).waitFor({ timeout: 60_000 })
  await page
    .getByRole('listitem')
    .first()
    .waitFor({ timeout: 60_000 })
    .catch(() => undefined)
  await page.waitForTimeout(1_500)
  return page
}

function shot(page: Page, name: string): Promise<unknown> {
  return page.screenshot({ path: join(folder, `${name}.png`) })
}
