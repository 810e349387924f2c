import { readFileSync } from 'node:fs'
import { generateSync } from 'otplib'
import { expect, password, test } from './world.ts'

/** A person of one's own: the others of this company sign in by their password alone. */
const email = 'celia@loja.test'

test('a person guards their account with an app, signs in with its code, and ends a session from elsewhere', async ({
  world,
  browser,
}) => {
  const { api, stack } = world
  const made = await api('POST', '/users', { name: 'Célia Prado', email, password, profile: 'user' })
  const { id } = made as { id: number }
  try {
    const page = await (await browser.newContext({ baseURL: stack.url })).newPage()
    const enter = async () => {
      await page.goto('/login')
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Senha', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
    }
    const openProfile = async () => {
      await page.getByRole('button', { name: 'Menu do perfil' }).click()
      await page.getByRole('menuitem', { name: 'Perfil' }).click()
      return page.getByRole('dialog', { name: 'Perfil' })
    }
    await enter()
    const profile = await openProfile()
    const guard = profile.getByRole('region', { name: 'Verificação em duas etapas' })
    await guard.getByRole('button', { name: 'Ativar' }).click()
    const setup = page.getByRole('dialog', { name: 'Verificação em duas etapas' })
    await setup.getByLabel('Senha atual').fill('errada')
    await page.keyboard.press('Enter')
    await expect(setup.getByText('A senha atual não está correta')).toBeVisible()
    await setup.getByLabel('Senha atual').fill(password)
    await page.keyboard.press('Enter')
    await expect(setup.getByRole('img', { name: 'Código QR para o aplicativo' })).toBeVisible()
    const secret = await setup.locator('p.font-mono').innerText()
    await setup.getByLabel('Código do aplicativo').fill(generateSync({ secret }))
    await page.keyboard.press('Enter')
    await expect(setup.getByRole('listitem')).toHaveCount(10)
    const codes = await setup.getByRole('listitem').allInnerTexts()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      setup.getByRole('link', { name: 'Salvar como arquivo' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Balcão-codigos-de-recuperacao.txt')
    const [what, how, , account, made, , ...kept] = readFileSync(await file.path(), 'utf8').split('\n')
    expect(what).toBe('Códigos de recuperação da verificação em duas etapas')
    expect(how).toBe('Sem o celular, cada um deles permite entrar uma vez.')
    expect(account).toBe(`Conta: ${email} em ${new URL(stack.url).host}`)
    expect(made).toMatch(/^Gerados em: \d\d\/\d\d\/\d{4},? \d\d:\d\d$/)
    expect(kept).toEqual([...codes, ''])
    await setup.getByRole('button', { name: 'Já guardei' }).click()
    await expect(guard.getByText('Restam 10 códigos de recuperação.')).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Menu do perfil' }).click()
    await page.getByRole('menuitem', { name: 'Sair' }).click()
    // Who goes elsewhere before the session has ended is still signed in.
    await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()
    await enter()
    const code = page.getByLabel('Código do aplicativo')
    await code.fill('000000')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Código incorreto ou já usado')).toBeVisible()
    await code.fill(codes[0]!)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Olá, Célia Prado')).toBeVisible()

    // Elsewhere, too, where the company lets people be signed in more than once.
    await api('PUT', '/settings/sessions', { value: 'many' })
    const other = await (await browser.newContext({ baseURL: stack.url })).newPage()
    await other.goto('/login')
    await other.getByLabel('E-mail').fill(email)
    await other.getByLabel('Senha', { exact: true }).fill(password)
    await other.keyboard.press('Enter')
    await other.getByLabel('Código do aplicativo').fill(codes[1]!)
    await other.keyboard.press('Enter')
    await expect(other.getByText('Olá, Célia Prado')).toBeVisible()
    await expect(page.getByText('Olá, Célia Prado')).toBeVisible()
    await other.getByRole('button', { name: 'Menu do perfil' }).click()
    await other.getByRole('menuitem', { name: 'Perfil' }).click()
    await other.getByRole('button', { name: /^Encerrar o acesso de/ }).click()
    await expect(other.getByText('Encerrado por você, de outro lugar')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
    await Promise.all([page.context().close(), other.context().close()])
  } finally {
    await api('PUT', '/settings/sessions', { value: 'one' })
    await api('DELETE', `/users/${id}`)
  }
})

test('who did not switch it on in time can switch it on or sign out, and nothing else', async ({ world, browser }) => {
  const { api, stack } = world
  const late = 'mara@loja.test'
  const { id } = (await api('POST', '/users', { name: 'Mara Souza', email: late, password, profile: 'user' })) as {
    id: number
  }
  await api('PUT', '/settings/require2fa', { value: 'all' })
  // The rule and the person are older than the grace.
  const sql = new Bun.SQL(stack.databaseUrl, { max: 1 })
  try {
    await sql`UPDATE settings SET "updatedAt" = now() - interval '10 days' WHERE key = 'require2fa'`
    await sql`UPDATE users SET "createdAt" = now() - interval '10 days' WHERE id = ${id}`
    const page = await (await browser.newContext({ baseURL: stack.url })).newPage()
    const enter = async () => {
      await page.goto('/login')
      await page.getByLabel('E-mail').fill(late)
      await page.getByLabel('Senha', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
    }
    const setup = page.getByRole('dialog', { name: 'Verificação em duas etapas' })
    const refused: string[] = []
    page.on('response', (answer) => void (answer.status() === 403 && refused.push(answer.url())))
    await enter()
    await expect(setup).toContainText('Ative-a para continuar')
    await page.keyboard.press('Escape')
    await expect(setup).toBeVisible()
    await expect(setup.getByRole('button', { name: /Fechar|Cancelar/ })).toHaveCount(0)
    await setup.getByLabel('Senha atual').fill(password)
    await page.keyboard.press('Enter')
    await expect(setup.getByRole('img', { name: 'Código QR para o aplicativo' })).toBeVisible()
    await setup.getByRole('button', { name: 'Sair' }).click()
    await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()

    await enter()
    await setup.getByLabel('Senha atual').fill(password)
    await page.keyboard.press('Enter')
    const secret = await setup.locator('p.font-mono').innerText()
    await setup.getByLabel('Código do aplicativo').fill(generateSync({ secret }))
    await page.keyboard.press('Enter')
    await expect(setup.getByRole('listitem')).toHaveCount(10)
    // Another tab is let in, and this one hears from it that two-factor is on: the codes stay until they are kept.
    const tab = await page.context().newPage()
    await tab.goto('/tickets')
    await expect(tab.getByText('Nenhum atendimento em andamento')).toBeVisible()
    await expect(setup.getByRole('listitem')).toHaveCount(10)
    await page.keyboard.press('Escape')
    await expect(setup.getByRole('listitem')).toHaveCount(10)
    await setup.getByRole('button', { name: 'Já guardei' }).click()
    await expect(setup).toHaveCount(0)
    await expect(page.getByText('Nenhum atendimento em andamento')).toBeVisible()
    // Behind the dialog nothing was asked for that is refused.
    expect(refused).toEqual([])
    await page.context().close()
  } finally {
    await sql.close()
    await api('PUT', '/settings/require2fa', { value: 'none' })
    await api('DELETE', `/users/${id}`)
  }
})
