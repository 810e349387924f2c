import { rmSync } from 'node:fs'
import { adminEmail, adminPassword, type Agent, copyClient, expect, openBrowser, test as base } from './world.ts'
import { fakeMailServer } from '../fakes/mail/mail-server.ts'
import { type Stack, startStack } from '../support/stack.ts'

/** A server that sends its mail to one on this machine. */
const test = base.extend<object, { open: { stack: Stack; mail: Awaited<ReturnType<typeof fakeMailServer>> } }>({
  open: [
    // Playwright wants to see in the braces what a fixture needs: nothing.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const clientDir = copyClient()
      const mail = await fakeMailServer()
      const env = { MAIL_HOST: '127.0.0.1', MAIL_PORT: String(mail.port), MAIL_FROM: 'Balcão <balcao@example.test>' }
      const stack = await startStack({ clientDir, fast: true, env })
      await provide({ stack, mail })
      await stack.stop()
      await mail.stop()
      rmSync(clientDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

const greeted = ({ page }: Agent, name: string) =>
  expect(page.getByText(`Olá, ${name}`)).toBeVisible({ timeout: 60_000 })

test('where the operator lets companies in, one signs up by itself and is at work at once', async ({
  browser,
  open: { stack },
}) => {
  const visitor = await openBrowser(browser, stack.url)
  const { page } = visitor
  await expect(page.getByRole('link', { name: 'Esqueci minha senha' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Cadastre sua empresa' })).toHaveCount(0)
  await page.goto('/signup')
  await expect(page).toHaveURL(/\/login$/)

  const operator = await stack.login(adminEmail, adminPassword)
  await operator('PUT', '/settings/allowregister', { value: 'enabled' })
  await operator('PUT', '/plans/1', { useInternal: true })
  await operator('PUT', '/settings/viewregister', { value: 'enabled' })
  await page.reload()
  await page.getByRole('link', { name: 'Cadastre sua empresa' }).click()
  await expect(page.getByText('Teste grátis por 3 dias.')).toBeVisible()
  await page.getByLabel('Nome da empresa').fill('Floricultura Lírio')
  await page.getByLabel('Seu nome').fill('Lia Prado')
  await page.getByLabel('E-mail').fill(adminEmail)
  await page.getByLabel('Telefone').pressSequentially('11987654321')
  await expect(page.getByLabel('Telefone')).toHaveValue('(11) 98765-4321')
  await page.getByLabel('Senha', { exact: false }).first().fill('lirio')
  const plan = page.getByRole('radio', { name: /Plano 1/ })
  await expect(plan).toContainText('por mês')
  await expect(plan).toContainText('Campanhas, Agendamentos, Chat interno')
  await plan.click()
  await page.getByRole('button', { name: 'Cadastrar' }).click()
  await expect(page.getByText('E-mail já cadastrado')).toBeVisible()
  await page.getByLabel('E-mail').fill('lia@lirio.test')
  await page.getByRole('button', { name: 'Cadastrar' }).click()

  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByLabel('E-mail')).toHaveValue('lia@lirio.test')
  await visitor.login('lia@lirio.test', 'lirio')
  await greeted(visitor, 'Lia Prado')
  await expect(page.getByText(/Em teste até/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Filas' })).toBeVisible()

  // What the plan holds is said before a form is filled in for nothing, with the way to more.
  const { users } = (await operator('GET', '/plans/1')) as { users: number }
  const larger = { name: 'Grande', value: '199', users: 50, connections: 5, queues: 20, useInternal: true }
  const { id } = (await operator('POST', '/plans', larger)) as { id: number }
  await operator('PUT', '/plans/1', { users: 1 })
  await page.goto('/users')
  await page.getByRole('button', { name: 'Adicionar usuário' }).first().click()
  const full = page.getByRole('dialog', { name: 'O plano não tem mais lugar' })
  await expect(full).toContainText('1')
  await full.getByRole('link', { name: /plano|Assinatura/i }).click()
  await expect(page).toHaveURL(/\/subscription$/)
  await expect(page.getByRole('heading', { name: /^Teste grátis: falta/ })).toBeVisible()
  const others = page.getByRole('region', { name: 'Mudar de plano' })
  await expect(others.getByRole('region', { name: 'Grande' })).toContainText('199')
  await expect(others.getByRole('link', { name: 'Pedir este plano' })).toHaveAttribute('href', /^mailto:/)
  await operator('PUT', '/plans/1', { users })
  await operator('DELETE', `/plans/${id}`)
  await page.context().close()
})

test('a sign-up that cannot be begun, or not sent, says why in a sentence, and nothing that was typed is lost', async ({
  browser,
  open: { stack },
}) => {
  const operator = await stack.login(adminEmail, adminPassword)
  await operator('PUT', '/settings/allowregister', { value: 'enabled' })
  await operator('PUT', '/plans/1', { useInternal: true })
  // What a service worker asks for cannot be held back here.
  const { page } = await openBrowser(browser, stack.url)
  await page.route('**/plans/register', (route) => route.abort())
  // What the screen can do without for now does not come either.
  await page.route('**/assets/toasts-*', (route) => route.abort())
  const missed = page.waitForEvent('requestfailed', (request) => request.url().includes('/toasts-'))
  await page.goto('/signup')
  await missed
  const failed = page.getByRole('alert')
  await expect(failed).toContainText('Não foi possível carregar')
  await expect(failed).toContainText('Sem conexão com o servidor')
  await page.unroute('**/plans/register')
  await failed.getByRole('button', { name: 'Tentar de novo' }).click()

  const typed = {
    'Nome da empresa': 'Papelaria Ipê',
    'Seu nome': 'Ivo Peres',
    'E-mail': adminEmail,
    Telefone: '(11) 98765-4321',
  }
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text)
  await page.getByLabel('Senha', { exact: false }).first().fill('papel')
  await page.getByRole('radio', { name: /Plano 1/ }).click()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Cadastrar' }).click()
  await expect(page.getByRole('alert')).toContainText('Sem conexão com o servidor')
  await expect(page.getByText('Sem conexão. Para continuar é preciso internet.')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText('Sem conexão. Para continuar é preciso internet.')).toBeHidden()

  await page.getByRole('button', { name: 'Cadastrar' }).click()
  await expect(page.getByText('E-mail já cadastrado')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toBeFocused()
  for (const [label, text] of Object.entries(typed)) await expect(page.getByLabel(label)).toHaveValue(text)
  await page.getByLabel('E-mail').fill('ipe@papelaria.test')
  await page.getByRole('button', { name: 'Cadastrar' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.unroute('**/assets/toasts-*')
  await expect(page.getByText('Cadastro realizado com sucesso!')).toBeVisible()
  await page.context().close()
})

test('who forgot the password sets another one with the code from the mail', async ({
  browser,
  open: { stack, mail },
}) => {
  const visitor = await openBrowser(browser, stack.url)
  const { page } = visitor
  await page.getByRole('link', { name: 'Esqueci minha senha' }).click()
  // The screen that is left has a field of that name, too.
  await expect(page.getByRole('heading', { name: 'Redefinir senha' })).toBeVisible()
  await page.getByLabel('E-mail').fill('ninguem@lirio.test')
  await page.getByRole('button', { name: 'Enviar código' }).click()
  await expect(page.getByText('Email não encontrado')).toBeVisible()
  await page.getByLabel('E-mail').fill(adminEmail)
  await page.getByRole('button', { name: 'Enviar código' }).click()
  await visitor.told('Email enviado com sucesso!')

  const code = page.getByLabel('Código de verificação')
  const [fresh, again] = [page.getByLabel('Nova senha').first(), page.getByLabel('Confirme a nova senha').first()]
  await code.fill('AAAA-AAAA')
  await fresh.fill('fraca')
  await again.fill('outra')
  await page.getByRole('button', { name: 'Redefinir senha' }).click()
  await expect(page.getByText('Sua senha precisa ter no mínimo 8 caracteres')).toBeVisible()
  await expect(page.getByText('As senhas não correspondem')).toBeVisible()
  await fresh.fill('Novissima1')
  await again.fill('Novissima1')
  await page.getByRole('button', { name: 'Redefinir senha' }).click()
  await expect(page.getByText('Código errado ou vencido.')).toBeVisible()

  await expect.poll(() => mail.received.length).toBe(1)
  await code.fill(/\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(mail.received[0]!.text)![0])
  await page.getByRole('button', { name: 'Redefinir senha' }).click()
  await visitor.told('Senha redefinida com sucesso.')
  await expect(page).toHaveURL(/\/login$/)
  await visitor.login(adminEmail, 'Novissima1')
  await greeted(visitor, 'Admin')
  await page.context().close()
})
