import { rmSync } from 'node:fs'
import { fakeOidc } from '../fakes/oidc/server.ts'
import { axeFindings } from '../support/axe.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { visit } from './visit.ts'
import { adminEmail, adminPassword, copyClient, expect, openBrowser, password, test } from './world.ts'

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
    await visit(page, '/settings')
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
    // A domain that nobody has proven sends nobody anywhere; the operator's word is a proof.
    await expect(card.getByText('A comprovar')).toBeVisible()
    await visit(page, '/operator')
    await page.getByRole('tab', { name: 'Domínios' }).click()
    await page.getByRole('button', { name: /^Confirmar example.com de/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirmar' }).click()
    await expect(page.getByRole('button', { name: /^Retirar example.com de/ })).toBeVisible()

    await page.getByRole('button', { name: 'Menu do perfil' }).click()
    await page.getByRole('menuitem', { name: 'Sair' }).click()
    await page.getByLabel('E-mail').fill('alguem@outra.example')
    await button.click()
    await expect(page.getByText('Nenhuma empresa com este e-mail usa a conta da empresa para entrar')).toBeVisible()
    await page.getByLabel('E-mail').fill(adminEmail)
    await button.click()
    await expect(page.getByText('Olá, Admin')).toBeVisible()
    await expect.poll(() => new URL(page.url()).hash).toBe('')

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

test('an admin has everybody come in by the provider alone, with the role of their group; one admin can do without', async ({
  browser,
}) => {
  const idp = await fakeOidc()
  const api = await stack.login(adminEmail, adminPassword)
  const make = async (name: string, profile: 'admin' | 'user') => {
    const email = `${name.split(' ')[0]!.toLowerCase()}@firma.example`
    const { id } = (await api('POST', '/users', { name, email, password, profile })) as { id: number }
    return { id, name, email }
  }
  const bianca = await make('Bianca Alves', 'admin')
  const caio = await make('Caio Nunes', 'user')
  const { issuer, clientId, secret } = idp
  await api('PUT', '/auth/oidc/provider', { issuer, clientId, secret, domains: ['firma.example'] })
  await api('PUT', '/operator/domains', { companyId: 1, domain: 'firma.example', proven: true })
  try {
    const her = await openBrowser(browser, stack.url)
    const { page } = her
    const button = page.getByRole('button', { name: 'Entrar com a conta da empresa' })
    const card = page.getByRole('region', { name: 'Conta da empresa para entrar' })
    const dialog = page.getByRole('dialog', { name: 'Conta da empresa para entrar' })
    const only = dialog.getByRole('switch', { name: 'Entrar só com a conta da empresa' })
    // It is offered only when an admin has seen that it works.
    await her.login(bianca.email, password)
    await expect(page.getByText('Olá, Bianca Alves')).toBeVisible()
    await visit(page, '/settings')
    await card.getByRole('button', { name: 'Configurar' }).click()
    await expect(only).toBeDisabled()
    await page.keyboard.press('Escape')
    await her.logout()
    Object.assign(idp.says, { email: bianca.email, name: bianca.name })
    await page.getByLabel('E-mail').fill(bianca.email)
    await button.click()
    await expect(page.getByText('Olá, Bianca Alves')).toBeVisible()

    await visit(page, '/settings')
    await card.getByRole('button', { name: 'Configurar' }).click()
    await dialog.getByRole('button', { name: 'Adicionar grupo' }).click()
    await dialog.getByLabel('Nome do grupo 1').fill('Chefia da loja')
    await dialog.getByLabel('Papel do grupo 1').click()
    await page.getByRole('option', { name: 'Supervisor' }).click()
    await only.click()
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(dialog.getByText('Escolha um administrador da empresa para o acesso de emergência')).toBeVisible()
    await dialog.getByLabel('Acesso de emergência').click()
    await page.getByRole('option', { name: 'Bianca Alves' }).click()
    // Its list takes a moment to go, and would be looked at, too.
    await expect(page.getByRole('listbox')).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(card.getByText('Só com a conta da empresa')).toBeVisible()

    // A colleague's password opens nothing any more; the way in is under their hand.
    const his = await openBrowser(browser, stack.url)
    const theirs = his.page.getByRole('button', { name: 'Entrar com a conta da empresa' })
    await his.login(caio.email, password)
    await expect(his.page.getByText('Sua empresa só permite entrar com a conta da empresa.')).toBeVisible()
    await expect(theirs).toBeFocused()
    Object.assign(idp.says, { email: caio.email, name: caio.name, claims: { groups: ['Todos', 'Chefia da loja'] } })
    await his.page.keyboard.press('Enter')
    await expect(his.page.getByText('Olá, Caio Nunes')).toBeVisible()
    expect(await api('GET', `/users/${caio.id}`)).toMatchObject({ profile: 'supervisor' })
    await his.page.context().close()

    // The admin who can do without comes in by password, and reads in the log who has changed the role.
    await her.logout()
    await her.login(bianca.email, password)
    await expect(page.getByText('Olá, Bianca Alves')).toBeVisible()
    await visit(page, '/audit')
    const entry = page.getByRole('row', { name: /Usuário · / }).first()
    await expect(entry).toContainText(idp.issuer)
    await expect(entry).toContainText('Conta da empresa')
    await page.context().close()
  } finally {
    await api('DELETE', '/auth/oidc/provider')
    await idp.stop()
  }
})
