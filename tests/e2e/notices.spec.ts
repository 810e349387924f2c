import { expect, test } from '@playwright/test'
import { rmSync } from 'node:fs'
import { adminEmail, adminPassword, type Stack, startStack } from '../support/stack.ts'
import { visit } from './visit.ts'
import { Agent, copyClient, installable, openBrowser } from './world.ts'

/** What the operator writes for all companies, and how their people see it. */
let stack: Stack
let clientDir: string
test.beforeAll(async () => {
  clientDir = copyClient()
  stack = await startStack({ demo: true, fast: true, clientDir })
})
test.afterAll(async () => {
  await stack.stop()
  rmSync(clientDir, { recursive: true, force: true })
})

test('a film is added in the settings; its host is asked for nothing before somebody starts it', async ({
  browser,
}) => {
  const operator = await openBrowser(browser, stack.url)
  await operator.login(adminEmail, adminPassword)
  await operator.page.getByRole('button', { name: 'Menu do perfil' }).waitFor()
  await visit(operator.page, '/settings')
  await operator.page.getByRole('tab', { name: 'Ajuda' }).click()
  await operator.page.getByRole('button', { name: 'Adicionar ajuda' }).first().click()
  const dialog = operator.page.getByRole('dialog', { name: 'Adicionar ajuda' })
  await dialog.getByLabel('Título').fill('Primeiros passos')
  await dialog.getByLabel('Vídeo').fill('https://vimeo.com/1')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Cole o endereço ou o código de um vídeo do YouTube')).toBeVisible()
  await dialog.getByLabel('Vídeo').fill('https://youtu.be/dQw4w9WgXcQ?si=x')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await operator.told('Operação realizada com sucesso!')

  const context = await browser.newContext({ baseURL: stack.url })
  const elsewhere: string[] = []
  await context.route(
    (url) => !stack.url.includes(url.host) && url.protocol.startsWith('http'),
    (route) => {
      elsewhere.push(route.request().url())
      return route.abort()
    },
  )
  const page = await context.newPage()
  await page.goto('/login')
  await new Agent(page).login('admin@padaria.test', 'balcao123')
  await page.getByRole('link', { name: 'Ajuda' }).click()
  await expect(page.getByText('1 vídeo')).toBeVisible()
  expect(elsewhere).toEqual([])
  await page.getByRole('button', { name: /Primeiros passos/ }).click()
  await expect.poll(() => elsewhere.map((address) => new URL(address).pathname)).toEqual(['/embed/dQw4w9WgXcQ'])
  expect(new URL(elsewhere[0]!).host).toBe('www.youtube-nocookie.com')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // Any other player is refused by the page itself.
  const refused = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective))
        const frame = document.createElement('iframe')
        frame.src = 'https://www.youtube.com/embed/dQw4w9WgXcQ'
        document.body.append(frame)
      }),
  )
  expect(refused).toBe('frame-src')
  await context.close()
  await operator.page.context().close()
})

test('an announcement is heard at once by those that it is for; nobody else comes near its page', async ({
  browser,
}) => {
  const admin = await openBrowser(browser, stack.url)
  await admin.login('admin@padaria.test', 'balcao123')
  await admin.page.getByRole('link', { name: 'Contatos' }).click()
  const operator = await openBrowser(browser, stack.url)
  await operator.login(adminEmail, adminPassword)
  await operator.page.getByRole('link', { name: 'Comunicados' }).click()
  const write = async (title: string, profile: string) => {
    await operator.page.getByRole('button', { name: 'Adicionar comunicado' }).first().click()
    const dialog = operator.page.getByRole('dialog', { name: 'Adicionar comunicado' })
    await dialog.getByLabel('Título').fill(title)
    await dialog.getByLabel('Texto').fill('Das 2h às 3h')
    await dialog.getByLabel('Perfis').click()
    await operator.page.getByRole('option', { name: profile }).click()
    await operator.page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(operator.page.getByRole('row', { name: new RegExp(title) })).toContainText('Ativo')
  }
  await write('Só para atendentes', 'Atendentes')
  await write('Manutenção no domingo', 'Administradores')
  await admin.page.getByRole('button', { name: 'Comunicados: há novos' }).click()
  await expect(admin.page.getByText('Manutenção no domingo')).toBeVisible()
  await expect(admin.page.getByText('Só para atendentes')).toHaveCount(0)
  await admin.page.keyboard.press('Escape')

  await expect(admin.page.getByRole('link', { name: 'Comunicados' })).toHaveCount(0)
  await admin.page.goto('/announcements')
  await admin.told('Esta empresa não possui permissão para acessar essa página!')
  await expect(admin.page).toHaveURL(/\/$/)
  for (const { page } of [admin, operator]) await page.context().close()
})

test('the product is called as the operator says, before the login, on the first drawing and without a network', async ({
  browser,
}) => {
  const operator = await openBrowser(browser, stack.url)
  await operator.login(adminEmail, adminPassword)
  const { page } = operator
  await page.getByRole('button', { name: 'Menu do perfil' }).waitFor()
  await visit(page, '/settings?tab=logo')
  const name = page.getByLabel('Nome do produto')
  const save = page.getByRole('button', { name: 'Salvar' })
  await expect(name).toHaveValue('')
  await name.fill('Um nome que não cabe em nenhum menu')
  await save.click()
  await expect(page.getByText('Até 30 letras, sem sinais invisíveis')).toBeVisible()
  await name.fill(' Zap da Praça ')
  await save.click()
  await operator.told('Operação atualizada com sucesso.')
  await expect(page.getByText('Zap da Praça', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle('Configurações · Zap da Praça')
  await expect(name).toHaveValue('Zap da Praça')

  // Somebody new: the page says the name before any script does.
  const context = await browser.newContext({ baseURL: stack.url })
  const visitor = await context.newPage()
  const served = await context.request.get('/login', { headers: { accept: 'text/html' } })
  expect(await served.text()).toContain('<title>Zap da Praça</title>')
  await visitor.route('**/branding', (route) => route.abort())
  await visitor.goto('/login')
  await expect(visitor.getByText('Zap da Praça', { exact: true })).toBeVisible()
  await expect(visitor).toHaveTitle(/ · Zap da Praça$/)
  const manifest = await visitor.locator('link[rel=manifest]').getAttribute('href')
  expect(await (await context.request.get(manifest!)).json()).toMatchObject({
    name: 'Zap da Praça',
    short_name: 'Zap da Praça',
  })
  await context.close()

  // The name changes; a browser that has it, and cannot ask, opens with what it was told last.
  const theirs = await browser.newContext({ baseURL: stack.url, ...installable })
  const agent = await theirs.newPage()
  await agent.goto('/login')
  await expect(agent.getByText('Zap da Praça', { exact: true })).toBeVisible()
  await agent.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })
  await name.fill('Praça')
  await save.click()
  await expect(page).toHaveTitle('Configurações · Praça')
  await agent.reload()
  await expect(agent.getByText('Praça', { exact: true })).toBeVisible()
  await theirs.setOffline(true)
  await agent.reload()
  await expect(agent.getByText('Praça', { exact: true })).toBeVisible()
  await expect(agent.getByText(/depois, Praça abre também sem ela/)).toBeVisible()
  await expect(agent).toHaveTitle(/ · Praça$/)

  await name.fill('')
  await save.click()
  await expect(page).toHaveTitle('Configurações · Balcão')
  for (const one of [agent, page]) await one.context().close()
})

test('the tabs of the platform: a company is registered, a wrong picture refused, and nobody else gets in', async ({
  browser,
}) => {
  const operator = await openBrowser(browser, stack.url)
  await operator.login(adminEmail, adminPassword)
  const { page } = operator
  await page.getByRole('button', { name: 'Menu do perfil' }).waitFor()
  await visit(page, '/settings')
  await expect(page.getByRole('tablist', { name: 'Partes das configurações' }).getByRole('tab')).toHaveText([
    ...['Opções', 'Logo', 'Empresas', 'Cadastrar empresa', 'Pagamentos', 'Planos', 'Ajuda'],
  ])
  await page.getByRole('tab', { name: 'Cadastrar empresa' }).click()
  const form = page.getByRole('tabpanel', { name: 'Cadastrar empresa' })
  await form.getByLabel('Nome').fill('Açougue Boi')
  await form.getByLabel('E-mail').fill('boi@acougue.test')
  await form.getByLabel('Senha do administrador').fill('segredo1')
  await form.getByLabel('Plano').click()
  await page.getByRole('option').first().click()
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByRole('tab', { name: 'Empresas' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('row', { name: /Açougue Boi/ })).toBeVisible()
  await expect(form).toHaveCount(0)

  await page.getByRole('tab', { name: 'Logo' }).click()
  await page
    .getByTestId('brand-login')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('GIF89a no picture of ours') })
  await operator.told('Use somente arquivos em formato PNG, ICO ou SVG!')

  // A picture is dropped on its place; beside one, nobody knows where it belongs.
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
    data.items.add(new File([svg], 'logo.svg', { type: 'image/svg+xml' }))
    return data
  })
  await page.getByRole('heading', { name: 'Logo' }).dispatchEvent('drop', { dataTransfer: dropped })
  await operator.told('Escolha um destino!')
  const place = page.getByRole('region', { name: 'Interno' })
  await place.dispatchEvent('drop', { dataTransfer: dropped })
  await expect(place.getByRole('img', { name: 'Imagem atual' })).toBeVisible()
  await place.getByRole('button', { name: 'Retirar a imagem: Interno' }).click()
  await expect(place.getByRole('img', { name: 'Imagem atual' })).toHaveCount(0)
  await place.dispatchEvent('drop', { dataTransfer: await page.evaluateHandle(() => new DataTransfer()) })
  await operator.told('Escolha um arquivo!')

  // A plan that companies have is not deleted.
  await page.getByRole('tab', { name: 'Planos' }).click()
  const plan = page.getByRole('row').filter({ hasNot: page.getByRole('columnheader') })
  await plan
    .first()
    .getByRole('button', { name: /^Excluir/ })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await operator.told('Não foi possível realizar a operação')
  await page.context().close()

  const admin = await openBrowser(browser, stack.url)
  await admin.login('admin@padaria.test', 'balcao123')
  await admin.page.getByRole('button', { name: 'Menu do perfil' }).waitFor()
  await visit(admin.page, '/settings?tab=logo')
  await admin.told('Sem permissão para acessar!')
  await expect(admin.page).toHaveURL(`${stack.url}/`)
  await admin.page.context().close()
})
