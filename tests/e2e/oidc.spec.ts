import { rmSync } from 'node:fs'
import { fakeOidc } from '../fakes/oidc/server.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { adminEmail, adminPassword, copyClient, expect, openBrowser, test } from './world.ts'

/** Of its own: the provider is on this machine, which is called only where the operator admits it. */
let stack: Stack
const clientDir = copyClient()
test.beforeAll(async () => {
  stack = await startStack({ fast: true, clientDir, env: { OUTBOUND_ALLOW: '127.0.0.1' } })
})
test.afterAll(async () => {
  await stack.stop()
  rmSync(clientDir, { recursive: true, force: true })
})

test('an admin names the company’s provider, and signs in by it without a password', async ({ browser }) => {
  const idp = await fakeOidc()
  Object.assign(idp.says, { email: adminEmail, name: 'Admin' })
  try {
    const agent = await openBrowser(browser, stack.url)
    const { page } = agent
    const button = page.getByRole('button', { name: 'Entrar com a conta da empresa' })
    await expect(page.getByLabel('E-mail')).toBeVisible()
    await expect(button).toHaveCount(0)
    await agent.login(adminEmail, adminPassword)
    await expect(page.getByText('Olá, Admin')).toBeVisible()
    await page.goto('/settings')
    const card = page.getByRole('region', { name: 'Conta da empresa para entrar' })
    await card.getByRole('button', { name: 'Configurar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Conta da empresa para entrar' })
    await expect(dialog.getByLabel('Endereço de retorno')).toHaveValue(/\/auth\/oidc\/callback$/)
    await dialog.getByLabel('Emissor').fill(`${idp.issuer}/errado`)
    await dialog.getByLabel('ID do cliente').fill(idp.clientId)
    await dialog.getByLabel('Segredo do cliente').fill(idp.secret)
    await dialog.getByLabel('Domínios de e-mail').fill('example.com')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(dialog.getByText('O provedor de contas da empresa não respondeu como devia')).toBeVisible()
    await dialog.getByLabel('Emissor').fill(idp.issuer)
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(card.getByText(idp.issuer)).toBeVisible()

    await page.getByRole('button', { name: 'Menu do perfil' }).click()
    await page.getByRole('menuitem', { name: 'Sair' }).click()
    await page.getByLabel('E-mail').fill('alguem@outra.example')
    await button.click()
    await expect(page.getByText('Nenhuma empresa com este e-mail usa a conta da empresa para entrar')).toBeVisible()
    await page.getByLabel('E-mail').fill(adminEmail)
    await button.click()
    await expect(page.getByText('Olá, Admin')).toBeVisible()
    expect(new URL(page.url()).hash).toBe('')

    // By the address of the company, nothing has to be typed; what nobody vouches for is said.
    await page.getByRole('button', { name: 'Menu do perfil' }).click()
    await page.getByRole('menuitem', { name: 'Sair' }).click()
    await expect(page.getByLabel('E-mail')).toBeVisible()
    idp.says.email_verified = false
    await page.goto('/login?company=1')
    await button.click()
    await expect(page.getByText(/Sua conta da empresa não abre nenhum usuário/)).toBeVisible()
    await page.context().close()
  } finally {
    await idp.stop()
  }
})
