import { visit } from './visit.ts'
import { adminEmail, adminPassword, expect, openBrowser, test } from './world.ts'

test('an operator looks into a company in its admin’s name, changes nothing, and comes back as themselves', async ({
  world,
  browser,
}) => {
  const { api, stack } = world
  // The world's own calls are the operator's, too.
  await api('PUT', '/settings/sessions', { value: 'many' })
  const email = 'padaria@visita.test'
  const plan = (await api('POST', '/plans', {
    name: 'Visita',
    users: 5,
    connections: 1,
    queues: 5,
    value: '10.00',
  })) as { id: number }
  const made = await api('POST', '/companies', { planId: plan.id, name: 'Padaria Sol', email, password: 'segredo1' })
  const { id } = made as { id: number }
  try {
    const admin = await openBrowser(browser, stack.url)
    await admin.login(email, 'segredo1')
    await admin.inboxReady()

    const { page } = await (async () => {
      const own = await openBrowser(browser, stack.url)
      await own.login(adminEmail, adminPassword)
      await own.inboxReady()
      return own
    })()
    const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''))
    const before = await databases()
    const ownSession = await page.evaluate(() => localStorage.getItem('balcao.session'))
    await visit(page, '/settings?tab=companies')
    await page.getByRole('button', { name: 'Entrar como alguém de Padaria Sol' }).click()
    const dialog = page.getByRole('dialog', { name: 'Entrar como alguém de Padaria Sol' })
    await dialog.getByRole('radio', { name: /Padaria Sol/ }).click()
    await dialog.getByLabel('Motivo').fill('curto')
    await dialog.getByRole('button', { name: 'Entrar por 30 minutos' }).click()
    await expect(dialog.getByText('Curto demais: use ao menos 10 caracteres')).toBeVisible()
    await dialog.getByLabel('Motivo').fill('Pediram ajuda com as etiquetas')
    await dialog.getByRole('button', { name: 'Entrar por 30 minutos' }).click()

    const banner = page.getByRole('region', { name: 'Acesso do suporte' })
    await expect(banner).toContainText('Em nome de Padaria Sol · Padaria Sol')
    await expect(banner).toContainText('só para ler')
    await expect(banner.getByRole('timer')).toHaveText(/^(30:00|29:\d\d)$/)
    await expect(page.getByText('Olá, Padaria Sol')).toBeVisible()

    // The company's admin, who is at work, hears of it at once, and stays signed in.
    await admin.page.getByRole('button', { name: /Comunicados/ }).click()
    await expect(admin.page.getByText(/Pediram ajuda com as etiquetas/)).toBeVisible()
    await expect(admin.page.getByText('Olá, Padaria Sol')).toBeVisible()

    await visit(page, '/tags')
    await expect(banner).toBeVisible()
    await page.getByRole('button', { name: 'Adicionar etiqueta' }).first().click()
    const tag = page.getByRole('dialog', { name: 'Adicionar etiqueta' })
    await tag.getByLabel('Nome').fill('Do suporte')
    await tag.getByRole('button', { name: 'Salvar' }).click()
    await expect(tag.getByText(/só para ler: nada pode ser alterado/)).toBeVisible()
    // Also while something lies over the screen.
    await expect(page.getByText('Em nome de Padaria Sol · Padaria Sol')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(tag).toHaveCount(0)

    // Nothing of the company is kept by this browser, and what it has of its own stays.
    expect((await databases()).filter((name) => !before.includes(name)).join()).not.toContain(`balcao-${id}-`)
    expect(await page.evaluate(() => localStorage.getItem('balcao.session'))).toBe(ownSession)

    await page.goto('/users')
    await expect(page.getByRole('heading', { name: 'Usuários', exact: true })).toBeVisible()
    // The way back leads past no other screen: what would begin to load there could win over it.
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
    await banner.getByRole('button', { name: 'Encerrar' }).click()
    await expect(page.getByRole('button', { name: 'Entrar como alguém de Padaria Sol' })).toBeVisible()
    await expect(page.getByText('Olá, Admin')).toBeVisible()
    expect(visited).not.toContain('/login')
    await expect(banner).toHaveCount(0)
    await expect.poll(async () => (await databases()).filter((name) => name.includes('passing'))).toEqual([])
    await page.goto('/tickets')
    await expect(page.getByRole('tab', { name: 'Aguardando' })).toBeVisible()
    await Promise.all([page.context().close(), admin.page.context().close()])
  } finally {
    await api('DELETE', `/companies/${id}`)
    await api('PUT', '/settings/sessions', { value: 'one' })
  }
})
