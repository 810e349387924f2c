import AxeBuilder from '@axe-core/playwright'
import type { CDPSession, Page } from '@playwright/test'
import { expect, password, test } from './world.ts'

/** A device that holds keys and asks its owner by their finger, as the browser sees it. */
async function withDevice(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      // Nobody touches it yet; what the browser offers below the e-mail would be taken at once, too.
      ...{ isUserVerified: true, automaticPresenceSimulation: false },
    },
  })
  return {
    keys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    verifies: (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** A finger on it, for as long as `while_` takes. */
    async touched(while_: () => Promise<unknown>) {
      const set = (enabled: boolean) =>
        cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
      await set(true)
      await while_()
      await set(false)
    },
  }
}

const keysOf = (page: Page) =>
  page.getByRole('dialog', { name: 'Perfil' }).getByRole('region', { name: 'Chaves de acesso' })

async function openProfile(page: Page) {
  await page.getByRole('button', { name: 'Menu do perfil' }).click()
  await page.getByRole('menuitem', { name: 'Perfil' }).click()
  await expect(keysOf(page)).toBeVisible()
}

async function leave(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Menu do perfil' }).click()
  await page.getByRole('menuitem', { name: 'Sair' }).click()
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()
}

test('a person registers a key of their device, enters by it without a password, and removes it', async ({
  world,
  browser,
}) => {
  const { api, stack } = world
  // Keys are bound to a name, and a number is none.
  const baseURL = stack.url.replace('127.0.0.1', 'localhost')
  const email = 'iara@loja.test'
  const made = await api('POST', '/users', { name: 'Iara Lemos', email, password, profile: 'user' })
  const { id } = made as { id: number }
  try {
    const page = await (await browser.newContext({ baseURL })).newPage()
    const device = await withDevice(page)
    await page.goto('/login')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Senha', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await openProfile(page)
    const keys = keysOf(page)
    await keys.getByRole('button', { name: 'Adicionar' }).click()
    const add = page.getByRole('dialog', { name: 'Nova chave de acesso' })
    await expect(add.getByLabel('Nome')).toHaveValue(/Chrome/)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations).toEqual([])
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
  } finally {
    await api('DELETE', `/users/${id}`)
  }
})

test('the browser offers the key where the e-mail is typed, and a company that asks for two-factor is content with it', async ({
  world,
  browser,
}) => {
  const { api, stack } = world
  // Keys are bound to a name, and a number is none.
  const baseURL = stack.url.replace('127.0.0.1', 'localhost')
  const email = 'joana@loja.test'
  const made = await api('POST', '/users', { name: 'Joana Reis', email, password, profile: 'user' })
  const { id } = made as { id: number }
  try {
    await api('PUT', '/settings/require2fa', { value: 'all' })
    const page = await (await browser.newContext({ baseURL })).newPage()
    const device = await withDevice(page)
    await page.goto('/login')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Senha', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
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
    await device.touched(async () => {
      await page.reload()
      await expect(page.getByText('Olá, Joana Reis')).toBeVisible()
    })
    await page.context().close()

    // On a computer that has no key the password is asked for a second step that it cannot take.
    const other = await (await browser.newContext({ baseURL })).newPage()
    await other.goto('/login')
    await other.getByLabel('E-mail').fill(email)
    await other.getByLabel('Senha', { exact: true }).fill(password)
    await other.keyboard.press('Enter')
    await expect(other.getByRole('heading', { name: 'Verificação em duas etapas' })).toBeVisible()
    await expect(other.getByRole('button', { name: 'Usar chave de acesso' })).toBeVisible()
    await other.context().close()
  } finally {
    await api('PUT', '/settings/require2fa', { value: 'none' })
    await api('DELETE', `/users/${id}`)
  }
})
