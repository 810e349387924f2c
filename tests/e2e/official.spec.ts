import { expect, type Page } from '@playwright/test'
import { FakeCloudApi, type FakeApp, type FakeNumber } from '../fakes/cloud-api/server.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { testAt } from './world.ts'

/** An admin brings a number of the official API in, and serves over it: the real server, and a service of this machine. */
let stack: Stack
let fake: FakeCloudApi
let app: FakeApp
let number: FakeNumber
const test = testAt('admin@padaria.test', () => stack)
const HOUR_MS = 3_600_000

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(120_000)
  const clientDir = process.env.E2E_CLIENT ?? process.env.CLIENT_DIR
  fake = await FakeCloudApi.open()
  ;[app, number] = [fake.app(), fake.number()]
  fake.keepsWindow = true
  const env = { CLOUD_API_URL: fake.url, OUTBOUND_ALLOW: '127.0.0.1' }
  stack = await startStack({ demo: true, fast: true, clientDir, env })
})
test.afterAll(async () => {
  await stack.stop()
  await fake.stop()
})

async function openConnections(page: Page) {
  await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Conexões' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Conexões' })).toBeVisible()
}
const dialogOf = (page: Page) => page.getByRole('dialog')

test('an admin connects the official number, makes a template, and answers inside and outside the window', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await openConnections(page)
  await page.getByRole('button', { name: 'Adicionar conexão' }).first().click()
  let dialog = dialogOf(page)
  await dialog.getByRole('radio', { name: 'API oficial' }).click()
  await dialog.getByLabel('Nome', { exact: false }).first().fill('Oficial')
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  await dialog.getByLabel('Identificação do número').fill(number.id)
  await dialog.getByLabel('Identificação da conta').fill(number.account)
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  await dialog.getByLabel('Token de acesso').fill(fake.token(app, [number.account]))
  await dialog.getByLabel('Chave secreta do aplicativo').fill(app.secret)
  await dialog.getByRole('button', { name: 'Verificar e criar' }).click()
  dialog = page.getByRole('dialog', { name: 'API oficial: Oficial' })
  const [address, word] = await Promise.all(
    [0, 1].map(async (i) => (await dialog.locator('code').nth(i).textContent()) ?? ''),
  )
  expect(await fake.setCallback(app, address!, word!)).toBe(true)
  await dialog.getByRole('button', { name: 'Ligar os avisos' }).click()
  await expect(dialog.getByText('A Meta avisa este servidor')).toBeVisible()
  await expect(dialog.getByText('Chega a este servidor')).toBeVisible()
  await expect(dialog.getByText('Até 250')).toBeVisible()
  await dialog.getByRole('button', { name: 'Concluir' }).click()

  await page.getByRole('link', { name: 'Modelos de mensagem de Oficial' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Modelos de Oficial' })).toBeVisible()
  await page.getByRole('button', { name: 'Novo modelo' }).first().click()
  dialog = page.getByRole('dialog', { name: 'Novo modelo de mensagem' })
  await dialog.getByLabel('Nome').fill('pedido_pronto')
  await dialog.getByRole('textbox', { name: 'Texto', exact: true }).fill('{{1}}, seu pedido {{2}} está pronto. Até já!')
  await dialog.getByRole('button', { name: 'Enviar para análise' }).click()
  await expect(dialog.getByText('O texto não pode começar com uma variável')).toBeVisible()
  await dialog
    .getByRole('textbox', { name: 'Texto', exact: true })
    .fill('Olá, {{1}}! Seu pedido {{2}} está pronto. Até já!')
  await dialog.getByRole('textbox', { name: '{{1}}' }).fill('Ana')
  await dialog.getByRole('textbox', { name: '{{2}}' }).fill('42')
  await expect(dialog.getByTestId('template-preview')).toContainText('Olá, Ana! Seu pedido 42 está pronto.')
  await dialog.getByRole('button', { name: 'Enviar para análise' }).click()
  await expect(dialog).toBeHidden()
  const row = page.getByRole('row').filter({ hasText: 'pedido_pronto' })
  await expect(row.getByText('Aprovado')).toBeVisible()

  // They wrote more than a day ago.
  const ana = fake.person('5511970001234', 'Ana do Bairro')
  fake.now = () => Date.now() - 30 * HOUR_MS
  await fake.text(ana, number, 'Meu pedido está pronto?')
  fake.now = Date.now
  await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Atendimentos' }).click()
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await expect(page.getByText('Ana do Bairro').first()).toBeVisible()
  // The newest stands first.
  await page.getByRole('button', { name: 'Aceitar' }).first().click()
  await page.getByRole('button', { name: 'Enviar modelo' }).click()
  dialog = page.getByRole('dialog', { name: 'Enviar um modelo de mensagem' })
  await dialog.getByRole('button', { name: /^Modelo/ }).click()
  await page.getByRole('option', { name: /pedido_pronto/ }).click()
  await dialog.getByRole('button', { name: 'Inserir em {{1}}' }).click()
  await page.getByRole('menuitem', { name: /Primeiro nome/ }).click()
  await dialog.getByRole('textbox', { name: '{{2}}' }).fill('42')
  await expect(dialog.getByTestId('template-preview')).toContainText('Olá, Ana! Seu pedido 42 está pronto.')
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(page.getByText('Olá, Ana! Seu pedido 42 está pronto.').first()).toBeVisible()
  await expect.poll(() => ana.inbox.length).toBe(1)
  expect(ana.inbox[0]!.payload).toMatchObject({ type: 'template', template: { name: 'pedido_pronto' } })

  // They answer, and the field is there.
  await fake.text(ana, number, 'Obrigada, já vou!')
  const field = page.getByRole('textbox', { name: 'Mensagem' })
  await field.fill('Até já, Ana!')
  await page.keyboard.press('Enter')
  await expect.poll(() => ana.inbox.length).toBe(2)
  expect(JSON.stringify(ana.inbox[1]!.payload)).toContain('Até já, Ana!')
})
