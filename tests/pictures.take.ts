/**
 * The pictures of the README, taken from the demo in Chromium. `bun run pictures` prepares all that this needs; with
 * names behind it, only those are taken anew.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from './support/chromium.ts'
import { type Api, adminEmail, adminPassword, startStack, until } from './support/stack.ts'

const folder = join(import.meta.dir, '..', 'docs', 'pictures')
const password = 'balcao123'
const wanted = process.argv.slice(2)
const ofHouse = ['operator', 'companies', 'checkout', 'first-steps']

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
  if (wanted.length === 0 || wanted.some((name) => !ofHouse.includes(name))) await counter()
  if (wanted.length === 0 || wanted.some((name) => ofHouse.includes(name))) await house()
} finally {
  await browser.close()
  await stack.stop()
}

/** A day at the counter of the sample company. */
async function counter(): Promise<void> {
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
  // At whatever hour the pictures are taken.
  await stack.phone.write('5511987650001', 'Oi! 🌞')
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
  await box.fill('Oi, Sofia! Entregamos sim, a taxa para o Ipiranga é de R$ 9,00. 🥖')
  await agent.keyboard.press('Enter')
  await box.fill('Para sábado, qual horário fica melhor?')
  await agent.keyboard.press('Enter')
  await stack.phone.call('POST', '/ctl/contacts/5511987650001/read', {}).catch(() => undefined)
  // What the pointer rests on says what it is, over what stands there.
  await agent.mouse.move(700, 300)
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
  await dark.locator('[data-item]').first().click()
  await dark.getByRole('article').last().waitFor()
  await dark.mouse.move(700, 300)
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
    await settled(desk)
    await desk.waitForTimeout(1_500)
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
  await settled(page)
  return page
}

/** The bar is whole, and this browser has all that it keeps. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Notificações/ }).waitFor()
  await page.locator('header svg.lucide-wifi').waitFor({ timeout: 60_000 })
  await page.waitForTimeout(1_500)
}

async function shot(page: Page, name: string): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** Who runs the platform, a company that pays, and one that begins. */
async function house(): Promise<void> {
  const operator = await stack.login(adminEmail, adminPassword)
  const day = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' })
  await operator('PUT', '/invoices/provider', {
    ...{ provider: 'pix', pixKey: 'caixa@operador.test', pixName: 'Operador', pixCity: 'Recife' },
  })
  const plan = (await operator('POST', '/plans', {
    ...{ name: 'Mensal', value: '99.90', users: 5, connections: 2, queues: 5 },
  })) as { id: number }
  for (const [name, email, left] of [
    ['Floricultura Rosa', 'rosa@flor.test', 24],
    ['Mercado do Zé', 'ze@mercado.test', 5],
    ['Oficina Motor Bom', 'contato@motorbom.test', 2],
    ['Clínica Sorriso', 'clinica@sorriso.test', -4],
  ] as const)
    await operator('POST', '/companies', { name, email, password, planId: plan.id, dueDate: day(left) })
  const { companies } = (await operator('GET', '/companies?searchParam=padaria')) as { companies: { id: number }[] }
  await operator('PUT', `/companies/${companies[0]!.id}`, { planId: plan.id, dueDate: day(12) })
  const sql = new Bun.SQL(stack.databaseUrl, { max: 1 })
  // A month of a platform at work; a demo has only today.
  await sql`
    INSERT INTO usage_days (day, companies, "activeUsers", "messagesIn", "messagesOut", tickets, connections, "countedAt")
    SELECT current_date - n, 5, 14, weight * (620 + (n * 137) % 190), weight * (540 + (n * 91) % 160),
      weight * (70 + (n * 7) % 25), 6, now()
    FROM (SELECT n, CASE WHEN extract(isodow FROM current_date - n) > 5 THEN 1 ELSE 3 END AS weight
      FROM generate_series(1, 29) AS n) AS days ON CONFLICT (day) DO NOTHING`
  await sql.close()

  const desk = { width: 1440, height: 900 }
  const seat = await entered(adminEmail, adminPassword, desk)
  await seat.goto(`${stack.url}/operator`)
  await seat.getByRole('table', { name: 'Uso por dia' }).waitFor()
  await settled(seat)
  await shot(seat, 'operator')
  await seat.goto(`${stack.url}/settings?tab=companies`)
  await seat.getByRole('row', { name: /Clínica Sorriso/ }).waitFor()
  await settled(seat)
  await shot(seat, 'companies')
  await seat.context().close()

  const payer = await entered('clinica@sorriso.test', password, desk)
  await payer.getByRole('button', { name: /PAGAR/ }).first().click()
  const checkout = payer.getByRole('dialog')
  await checkout.getByRole('button', { name: 'Dados' }).click()
  for (const [field, text] of [
    ['Nome completo', 'Clínica Sorriso Ltda'],
    ['Endereço', 'Rua das Flores, 10'],
    ['Cidade', 'Recife'],
    ['CEP', '50000-000'],
  ] as const)
    await checkout.getByLabel(field).fill(text)
  await checkout.getByRole('button', { name: 'Revisar' }).click()
  await checkout.getByRole('button', { name: 'PAGAR' }).click()
  await payer.getByRole('img', { name: /Código QR do Pix/ }).waitFor()
  // The word about it goes by itself.
  await payer.locator('[data-sonner-toast]').waitFor({ state: 'detached' })
  await shot(payer, 'checkout')
  await payer.context().close()

  const begins = await entered('rosa@flor.test', password, desk)
  await begins.getByRole('region', { name: 'Primeiros passos' }).waitFor()
  await settled(begins)
  await shot(begins, 'first-steps')
  await begins.context().close()
}

/** Signed in, at the screen that comes first. */
async function entered(email: string, word: string, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport, locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' })
  const page = await context.newPage()
  await page.goto(`${stack.url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(word)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  return page
}
