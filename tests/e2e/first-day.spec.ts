import { rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import {
  adminEmail,
  adminPassword,
  type Agent,
  copiedQr,
  copyClient,
  expect,
  linked,
  openBrowser,
  test as base,
} from './world.ts'
import { type Stack, startStack } from '../support/stack.ts'

/** A server on its first day: nobody but the operator, and no phone. */
const test = base.extend<object, { fresh: Stack }>({
  fresh: [
    // Playwright wants to see in the braces what a fixture needs: nothing.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const clientDir = copyClient()
      const stack = await startStack({ clientDir, fast: true })
      await provide(stack)
      await stack.stop()
      rmSync(clientDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('on the first day the admin makes a queue, invites an agent and links a phone by its QR: the agent sees the first message', async ({
  browser,
  fresh,
}) => {
  const { page } = await enter(browser, fresh)

  await page.getByRole('link', { name: 'Filas' }).click()
  await page.getByRole('button', { name: 'Adicionar fila' }).first().click()
  await dialog(page).getByLabel('Nome').fill('Vendas')
  await save(page)
  await expect(page.getByRole('row').filter({ hasText: 'Vendas' })).toBeVisible()

  // The only queue is chosen by itself, for people and for connections: without one nobody would see what arrives.
  await page.getByRole('link', { name: 'Usuários' }).click()
  await page.getByRole('button', { name: 'Adicionar usuário' }).click()
  await expect(dialog(page).getByLabel('Filas')).toContainText('Vendas')
  await dialog(page).getByLabel('Nome').fill('Ana')
  await dialog(page).getByLabel('E-mail').fill('ana@loja.test')
  await dialog(page).getByLabel('Senha', { exact: false }).first().fill('segredo-1')
  await save(page)
  await expect(page.getByRole('row').filter({ hasText: 'Ana' })).toContainText('Vendas')

  await page.getByRole('link', { name: 'Conexões' }).click()
  await page.getByRole('button', { name: 'Adicionar conexão' }).first().click()
  await dialog(page).getByLabel('Nome').fill('Loja')
  await dialog(page).getByLabel('Filas').click()
  await page.getByRole('option', { name: 'Vendas' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog(page).getByText('os atendimentos novos ficam “Sem fila”')).toBeVisible()
  await dialog(page).getByLabel('Filas').click()
  await page.getByRole('option', { name: 'Vendas' }).click()
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'Salvar' }).click()

  // The dialog that links a phone opens by itself.
  await expect(page.getByRole('img', { name: 'Código QR para vincular o celular' })).toBeVisible()
  await linked(page, async () => fresh.phone.scan(await copiedQr(page)))
  await expect(dialog(page)).toHaveCount(0)
  const row = page.getByRole('row').filter({ hasText: 'Loja' })
  await expect(row).toContainText('Conectad')
  await expect(row).toContainText('5511930000001'.slice(-4))

  // And the agent can work: what a contact writes reaches her.
  const ana = await openBrowser(browser, fresh.url)
  await ana.login('ana@loja.test', 'segredo-1')
  await ana.inboxReady()
  await fresh.phone.write('5511920000001', 'Bom dia, primeira cliente')
  await ana.tab('Aguardando').click()
  await expect(ana.item({ number: '', name: 'Ana Souza' })).toContainText('Bom dia, primeira cliente')
  await page.getByRole('link', { name: 'Painel', exact: true }).click()
  const steps = page.getByRole('region', { name: 'Primeiros passos' })
  await expect(steps.getByText('Vincular o celular da empresa: pronto')).toBeVisible()
  await expect(steps.getByRole('link', { name: /Atender a primeira mensagem/ })).toBeVisible()
  await ana.item({ number: '', name: 'Ana Souza' }).getByRole('button', { name: 'Aceitar' }).click()
  // On her screen it is accepted before the server has heard of it.
  await expect(async () => {
    await page.reload()
    await expect(steps.getByText('Atender a primeira mensagem: pronto')).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await ana.page.context().close()
  await page.context().close()
})

test('a phone that cannot scan is linked by typing the pairing code', async ({ browser, fresh }) => {
  await fresh.phone.call('POST', '/ctl/phones', { number: '5511930000002', name: 'Filial' })
  const { page } = await enter(browser, fresh)
  await page.getByRole('link', { name: 'Conexões' }).click()
  await page.getByRole('button', { name: 'Adicionar conexão' }).first().click()
  await dialog(page).getByLabel('Nome').fill('Filial')
  await dialog(page).getByRole('button', { name: 'Salvar' }).click()

  await page.getByRole('tab', { name: 'Usar número de telefone' }).click()
  await page.getByLabel('Número do WhatsApp').fill('+55 11 93000-0002')
  await page.getByRole('button', { name: 'Gerar código' }).click()
  const code = page.getByLabel('Código de pareamento', { exact: true })
  await expect(code).toHaveText(/^\w{4}.?\w{4}$/)
  const typed = { phone: '5511930000002', code: await code.innerText() }
  await linked(page, () => fresh.phone.call('POST', '/ctl/code', typed))
  await expect(page.getByRole('row').filter({ hasText: 'Filial' })).toContainText('Conectad')
  await page.context().close()
})

test('a number whose account has a passkey cannot be linked: the dialog says so at once and what can be done', async ({
  browser,
  fresh,
}) => {
  const owner = { number: '5511930000003', name: 'Com chave' }
  await fresh.phone.call('POST', '/ctl/phones', { ...owner, passkey: true })
  const { page } = await enter(browser, fresh)
  await page.getByRole('link', { name: 'Conexões' }).click()
  await page.getByRole('button', { name: 'Adicionar conexão' }).first().click()
  await dialog(page).getByLabel('Nome').fill('Com chave')
  await dialog(page).getByRole('button', { name: 'Salvar' }).click()
  const scan = async () => fresh.phone.call('POST', '/ctl/scan', { phone: owner.number, qr: await copiedQr(page) })
  await scan()
  const told = dialog(page).getByRole('alert')
  await expect(told).toContainText('O WhatsApp pediu a chave de acesso desta conta')
  await expect(told).toContainText('Vincule um número cuja conta não tenha chave de acesso')
  await expect(page.getByRole('img', { name: 'Código QR para vincular o celular' })).toHaveCount(0)

  // The window becomes a phone's and the dialog another: no code is begun by itself.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(dialog(page)).toContainText('O WhatsApp pediu a chave de acesso desta conta')
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(told).toContainText('O WhatsApp pediu a chave de acesso desta conta')

  // The owner takes the key off the account, and links.
  await fresh.phone.call('POST', '/ctl/phones', { ...owner, passkey: false })
  await told.getByRole('button', { name: 'Vincular de novo' }).click()
  await linked(page, scan)
  await page.context().close()
})

// The last one: those before sign in with the password of the first start.
test('the operator is led by the hand: the password of the first start goes, and the list knows it', async ({
  browser,
  fresh,
}) => {
  const admin = await enter(browser, fresh)
  const { page } = admin
  await page.getByRole('link', { name: 'Painel', exact: true }).click()
  const steps = page.getByRole('region', { name: 'Primeiros passos' })
  await steps.getByRole('button', { name: /Trocar a senha inicial/ }).click()
  const profile = page.getByRole('dialog', { name: 'Perfil' })
  await profile.getByLabel('Nova senha').fill('outra-senha-1')
  await profile.getByLabel('Senha atual').fill(adminPassword)
  await profile.getByRole('button', { name: 'Salvar' }).click()
  // Whoever knew the old one is out, oneself too.
  await expect(page.getByText('Senha alterada. Entre com a nova senha.')).toBeVisible()
  await admin.login(adminEmail, 'outra-senha-1')
  await page.getByRole('link', { name: 'Painel', exact: true }).click()
  await expect(steps.getByText('Trocar a senha inicial: pronto')).toBeVisible()
  await page.context().close()
})

const dialog = (page: Page) => page.getByRole('dialog')

async function save(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog(page)).toHaveCount(0)
}

async function enter(browser: Parameters<typeof openBrowser>[0], stack: Stack): Promise<Agent> {
  const admin = await openBrowser(browser, stack.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  await admin.login(adminEmail, adminPassword)
  await expect(admin.page.getByRole('link', { name: 'Conexões' })).toBeVisible()
  return admin
}
