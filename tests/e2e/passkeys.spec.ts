import type { Browser, Page } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import { withDevice } from '../support/virtual-device.ts'
import { expect, openBrowser, password, test, type World } from './world.ts'

const keysOf = (page: Page) =>
  page.getByRole('dialog', { name: 'Perfil' }).getByRole('region', { name: 'Chaves de acesso' })

async function openProfile(page: Page) {
  await page.getByRole('button', { name: 'Menu do perfil' }).click()
  await page.getByRole('menuitem', { name: 'Perfil' }).click()
  await expect(keysOf(page)).toBeVisible()
}

/** To the login screen, which asks for a key at once: a finger that is meant for the next page would be taken by it, too. */
async function leave(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Menu do perfil' }).click()
  await page.getByRole('menuitem', { name: 'Sair' }).click()
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()
}

/** A person of the company for as long as `story` takes, with browsers in which keys are good, at the login screen. */
async function withPerson(
  { browser, world: { api, stack } }: { browser: Browser; world: World },
  name: string,
  story: (at: { email: string; open: () => ReturnType<typeof openBrowser> }) => Promise<void>,
) {
  const email = `${name.split(' ')[0]!.toLowerCase()}@loja.test`
  const { id } = (await api('POST', '/users', { name, email, password, profile: 'user' })) as { id: number }
  // Keys are bound to a name, and a number is none.
  const open = () => openBrowser(browser, stack.url.replace('127.0.0.1', 'localhost'))
  try {
    await story({ email, open })
  } finally {
    await api('DELETE', `/users/${id}`)
  }
}

test('a person registers a key of their device, enters by it without a password, and removes it', async ({
  world,
  browser,
}) => {
  await withPerson({ browser, world }, 'Iara Lemos', async ({ email, open }) => {
    const agent = await open()
    const { page } = agent
    // A browser that offers no keys below the e-mail: the finger that is meant for the button's window takes those, too.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
    await page.reload()
    const device = await withDevice(page)
    await agent.login(email, password)
    await openProfile(page)
    const keys = keysOf(page)
    await keys.getByRole('button', { name: 'Adicionar' }).click()
    const add = page.getByRole('dialog', { name: 'Nova chave de acesso' })
    await expect(add.getByLabel('Nome')).toHaveValue(/Chrome/)
    expect(await axeFindings(page)).toEqual([])
    await add.getByLabel('Nome').fill('Notebook da loja')
    await add.getByLabel('Senha atual').fill('errada')
    await page.keyboard.press('Enter')
    await expect(add.getByText('A senha atual não está correta')).toBeVisible()
    await add.getByLabel('Senha atual').fill(password)
    await device.touched(async () => {
      await page.keyboard.press('Enter')
      await expect(keys.getByText('Notebook da loja')).toBeVisible()
    })
    await expect(keys.getByText('Nunca usada')).toBeVisible()
    expect(await device.keys()).toHaveLength(1)

    // The same device is not registered twice.
    await keys.getByRole('button', { name: 'Adicionar' }).click()
    await add.getByLabel('Senha atual').fill(password)
    await device.touched(async () => {
      await page.keyboard.press('Enter')
      await expect(add.getByText('Esta chave de acesso já está cadastrada')).toBeVisible()
    })
    await page.keyboard.press('Escape')
    await expect(add).toBeHidden()

    await keys.getByRole('button', { name: 'Renomear Notebook da loja' }).click()
    await page.getByRole('dialog', { name: 'Renomear a chave de acesso' }).getByLabel('Nome').fill('Notebook')
    await page.keyboard.press('Enter')
    await expect(keys.getByRole('button', { name: 'Renomear Notebook', exact: true })).toBeVisible()
    await leave(page)

    const enter = (says: string) =>
      device.touched(async () => {
        await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click()
        await expect(page.getByText(says)).toBeVisible()
      })
    await enter('Olá, Iara Lemos')
    await openProfile(page)
    await expect(keys.getByText(/^Usada em/)).toBeVisible()
    await leave(page)

    // A finger that is not theirs opens nothing, and the screen says so.
    await device.verifies(false)
    await enter('Nenhuma chave de acesso foi usada. Tente de novo')
    await expect(page.getByRole('button', { name: 'Entrar com chave de acesso' })).toBeFocused()
    await device.verifies(true)
    await enter('Olá, Iara Lemos')

    await openProfile(page)
    await keys.getByRole('button', { name: 'Remover Notebook' }).click()
    const remove = page.getByRole('dialog', { name: 'Remover Notebook?' })
    await remove.getByLabel('Senha atual').fill(password)
    await page.keyboard.press('Enter')
    await expect(remove).toBeHidden()
    await expect(keys.getByRole('listitem')).toHaveCount(0)
    await leave(page)
    await enter('Esta chave de acesso não foi aceita')
    await page.context().close()
  })
})

test('who has chosen a key where the e-mail is typed cannot enter in another way before the server has answered', async ({
  world,
  browser,
}) => {
  await withPerson({ browser, world }, 'Lia Campos', async ({ email, open }) => {
    const agent = await open()
    const { page } = agent
    const device = await withDevice(page)
    await agent.login(email, password)
    await openProfile(page)
    await keysOf(page).getByRole('button', { name: 'Adicionar' }).click()
    const add = page.getByRole('dialog', { name: 'Nova chave de acesso' })
    await add.getByLabel('Nome').fill('Celular')
    await add.getByLabel('Senha atual').fill(password)
    await device.touched(async () => {
      await page.keyboard.press('Enter')
      await expect(keysOf(page).getByText('Celular')).toBeVisible()
    })
    await leave(page)

    // Two sessions would begin; the server ends the one that it hears of first, which may be the one that stays on screen.
    const [chosen, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/auth/passkey/enter', async (route) => {
      chosen.resolve()
      await answered.promise
      await route.continue()
    })
    const byKey = page.getByRole('button', { name: 'Entrar com chave de acesso' })
    await page.goto('about:blank')
    await device.touched(async () => {
      await page.goto('/login')
      await chosen.promise
      await expect(byKey).toBeDisabled()
      await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeDisabled()
      answered.resolve()
      await expect(page.getByText('Olá, Lia Campos')).toBeVisible()
    })
    await openProfile(page)
    await leave(page)
    await page.goto('about:blank')

    // A key that is refused gives the other ways back, and is offered anew.
    await page.unrouteAll({ behavior: 'wait' })
    const again = Promise.withResolvers<void>()
    let tries = 0
    await page.route('**/auth/passkey/enter', async (route) => {
      if (++tries === 1) return route.fulfill({ status: 400, json: { error: 'ERR_PASSKEY' } })
      await again.promise
      await route.continue()
    })
    await device.touched(async () => {
      await page.goto('/login')
      await expect(page.getByText('Esta chave de acesso não foi aceita')).toBeVisible()
      again.resolve()
      await expect(page.getByText('Olá, Lia Campos')).toBeVisible()
    })
    await page.context().close()
  })
})

test('the browser offers the key where the e-mail is typed, and a company that asks for two-factor is content with it', async ({
  world,
  browser,
}) => {
  const { api } = world
  await api('PUT', '/settings/require2fa', { value: 'all' })
  const story = withPerson({ browser, world }, 'Joana Reis', async ({ email, open }) => {
    const agent = await open()
    const { page } = agent
    const device = await withDevice(page)
    await agent.login(email, password)
    await page.getByRole('button', { name: 'Ativar agora' }).click()
    await page.getByRole('button', { name: 'Usar uma chave de acesso em vez de um aplicativo' }).click()
    const add = page.getByRole('dialog', { name: 'Nova chave de acesso' })
    await add.getByLabel('Nome').fill('Celular')
    await add.getByLabel('Senha atual').fill(password)
    await device.touched(async () => {
      await page.keyboard.press('Enter')
      await expect(add).toBeHidden()
    })
    await expect(page.getByRole('button', { name: 'Ativar agora' })).toBeHidden()

    // The last way to take the second step stays.
    await openProfile(page)
    await keysOf(page).getByRole('button', { name: 'Remover Celular' }).click()
    const remove = page.getByRole('dialog', { name: 'Remover Celular?' })
    await remove.getByLabel('Senha atual').fill(password)
    await page.keyboard.press('Enter')
    await expect(remove.getByText('Sua empresa exige a verificação em duas etapas')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(remove).toBeHidden()

    // Of what the browser offers in the field, the only one is taken with the finger, without a word typed.
    await leave(page)
    await page.goto('about:blank')
    await device.touched(async () => {
      await page.goto('/login')
      await expect(page.getByText('Olá, Joana Reis')).toBeVisible()
    })
    await page.context().close()

    // On a computer that has no key the password is asked for a second step that it cannot take.
    const elsewhere = await open()
    const other = elsewhere.page
    await elsewhere.login(email, password)
    await expect(other.getByRole('heading', { name: 'Verificação em duas etapas' })).toBeVisible()
    await expect(other.getByRole('button', { name: 'Usar chave de acesso' })).toBeVisible()
    await other.context().close()
  })
  await story.finally(() => api('PUT', '/settings/require2fa', { value: 'none' }))
})
