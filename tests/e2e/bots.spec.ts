import { expect, type Page } from '@playwright/test'
import { fakeOpenAi } from '../fakes/bots/openai.ts'
import { serveFakes } from '../fakes/bots/serve.ts'
import { fakeTypebot } from '../fakes/bots/typebot.ts'
import { fakeWebhook } from '../fakes/bots/webhook.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { testAt } from './world.ts'

/** An admin brings bots from elsewhere in: the real server, and services of this machine that answer as the real ones. */
let stack: Stack
const test = testAt('admin@padaria.test', () => stack)
const openai = fakeOpenAi()
const webhook = fakeWebhook()
const served = serveFakes({ openai, typebot: fakeTypebot(), webhook })

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(120_000)
  const clientDir = process.env.E2E_CLIENT ?? process.env.CLIENT_DIR
  // Everything else of this machine and its network stays closed.
  stack = await startStack({ demo: true, fast: true, clientDir, env: { OUTBOUND_ALLOW: '127.0.0.1' } })
})
test.afterAll(async () => {
  await stack.stop()
  await served.stop()
})
test.beforeEach(() => test.setTimeout(90_000))

async function visit(page: Page, title: string) {
  await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const dialogOf = (page: Page) => page.getByRole('dialog')
const save = (page: Page) => dialogOf(page).getByRole('button', { name: 'Salvar' }).click()
const choose = async (page: Page, field: string, option: string) => {
  await dialogOf(page).getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}
async function say(page: Page, text: string) {
  await dialogOf(page).getByLabel('Mensagem de teste').fill(text)
  await page.keyboard.press('Enter')
}

test('an assistant is made, answers when it is tried, and keeps its key through a change', async ({ page }) => {
  await visit(page, 'Assistentes de IA')
  await page.getByRole('button', { name: 'Adicionar assistente' }).first().click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Nome').fill('Atendente da padaria')
  await dialog
    .getByLabel('Instruções')
    .fill('Você é a assistente da padaria e responde com simpatia, em frases curtas.')
  await save(page)
  await expect(dialog.getByText('Informe o setor')).toBeVisible()
  await choose(page, 'Fila', 'Encomendas')
  await dialog.getByLabel('Chave da API').fill(openai.key)
  await dialog.getByRole('tab', { name: 'Respostas' }).click()
  await dialog.getByLabel('Modelo').fill('local-model')
  await dialog.getByLabel('Endereço do serviço').fill('http://10.0.0.1/v1')
  await save(page)
  await expect(dialog.getByText('Este endereço não pode ser chamado')).toBeVisible()
  await dialog.getByLabel('Endereço do serviço').fill(`${served.urls.openai}/v1`)
  await save(page)
  await expect(row(page, 'Atendente da padaria')).toContainText('Encomendas')

  await page.getByRole('button', { name: 'Testar Atendente da padaria' }).click()
  await say(page, 'Que horas vocês abrem?')
  await expect(dialog.getByText('das 6h às 20h')).toBeVisible()
  await say(page, 'Quero falar com uma pessoa')
  await expect(dialog.getByText('Passa o atendimento para Encomendas')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('2 respostas')).toBeVisible()

  await page.getByRole('button', { name: 'Editar Atendente da padaria' }).click()
  await expect(dialog.getByRole('button', { name: 'Trocar' })).toBeVisible()
  expect(await page.content()).not.toContain(openai.key)
  await dialog.getByLabel('Nome').fill('Atendente da loja')
  await save(page)
  await page.getByRole('button', { name: 'Testar Atendente da loja' }).click()
  await say(page, 'Tem bolo?')
  await expect(dialog.getByText('bolos por encomenda')).toBeVisible()
})

test('a typebot and a webhook are made, tried and deleted', async ({ page }) => {
  await visit(page, 'Integrações')
  const dialog = dialogOf(page)
  await page.getByRole('button', { name: 'Adicionar integração' }).first().click()
  await choose(page, 'Tipo', 'Typebot')
  await dialog.getByLabel('Nome', { exact: false }).first().fill('Cardápio')
  await dialog.getByLabel('Endereço do Typebot').fill(served.urls.typebot)
  await save(page)
  await expect(dialog.getByText('Obrigatório')).toBeVisible()
  await dialog.getByLabel('Nome público do robô').fill('padaria')
  await save(page)
  await page.getByRole('button', { name: 'Testar Cardápio' }).click()
  await say(page, 'oi')
  await expect(dialog.getByText('Falar com uma pessoa')).toBeVisible()
  await say(page, '1')
  await expect(dialog.getByText('Certo: Pães')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Adicionar integração' }).first().click()
  await choose(page, 'Tipo', 'Webhook')
  await dialog.getByLabel('Nome').fill('Pedidos')
  await dialog.getByLabel('Endereço').fill(`${served.urls.webhook}/hook`)
  await dialog.getByLabel('Segredo da assinatura').fill(webhook.secret)
  await save(page)
  await page.getByRole('button', { name: 'Testar Pedidos' }).click()
  await say(page, 'Chegou?')
  await expect(dialog.getByText('Recebido!')).toBeVisible()
  expect(webhook.received[0]!.event).toMatchObject({ data: { message: { text: 'Chegou?' } } })
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Excluir Cardápio' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(row(page, 'Cardápio')).toHaveCount(0)
  await expect(row(page, 'Pedidos')).toBeVisible()
})
