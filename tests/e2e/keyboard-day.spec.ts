import type { Page } from '@playwright/test'
import { expect, intercept, openBrowser, password, test, type Contact, type World } from './world.ts'

/** Nobody touches the mouse here: what is pressed goes to where the keyboard is. */

/** Somebody who waits in the list, whose place in it is known. */
async function waiting(world: World, name: string): Promise<Contact> {
  const contact = await world.contact(name)
  await world.stack.phone.write(contact.number, `Bom dia, aqui é ${name}`)
  await expect.poll(async () => (await world.ticketsOf(contact))[0]?.status).toBe('pending')
  return contact
}

const row = (page: Page, { name }: Contact) => page.locator('[data-item]').filter({ hasText: name })

/** Goes down the list until the keyboard is at the contact. */
async function goTo(page: Page, contact: Contact): Promise<void> {
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-item]')?.textContent ?? '')
  // Who wrote after the keyboard came to the list stands above the row that it is at.
  await expect(page.locator('[data-item]:focus')).toHaveCount(1)
  await page.keyboard.press('Home')
  for (let step = 0; step < 40 && !(await focused()).includes(contact.name); step++) {
    const before = await focused()
    // While the list is still filling, the keyboard may be brought back to its row: one presses again.
    await expect(async () => {
      await page.keyboard.press('j')
      await expect.poll(focused, { timeout: 10_000 }).not.toBe(before)
    }).toPass()
  }
  await expect(row(page, contact)).toBeFocused()
}

test('an agent works from signing in to signing out by the keyboard alone', async ({ world, browser, desks }) => {
  const { people, stack } = world
  // She signs in anew: at the desk of the story before she would be told that she is elsewhere.
  await desks.close()
  // The latest stands first.
  const [dora, caio, bia] = [
    await waiting(world, 'Dora Lins'),
    await waiting(world, 'Caio Pena'),
    await waiting(world, 'Bia Rios'),
  ]
  const ana = await openBrowser(browser, stack.url)
  const { page } = ana
  const press = (key: string) => page.keyboard.press(key)
  try {
    await expect(page.getByLabel('E-mail')).toBeFocused()
    await page.keyboard.type(people.ana.email)
    await press('Tab')
    await page.keyboard.type(password)
    await press('Enter')
    await expect(ana.tab('Abertos')).toBeFocused({ timeout: 60_000 })
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 60_000 })

    // What waits, one after the other, until they are hers.
    for (const contact of [dora, caio, bia]) {
      await press('2')
      await expect(ana.tab('Aguardando')).toHaveAttribute('aria-selected', 'true')
      await expect(page.locator('[data-item]:focus')).toHaveCount(1)
      await goTo(page, contact)
      await press('a')
      await expect(ana.composer).toBeFocused()
      await page.keyboard.type('Olá! Já vejo.')
      await press('Enter')
      await expect.poll(() => world.arrived(contact)).toEqual(['Olá! Já vejo.'])
      await press('Escape')
      await expect(row(page, contact)).toBeFocused()
    }

    // Answers one message, and takes another back.
    await press('r')
    await expect(ana.composer).toBeFocused()
    await press('Shift+Tab')
    while (!(await page.evaluate(() => document.activeElement?.matches('[data-conversation]'))))
      await press('Shift+Tab')
    await press('ArrowUp')
    await press('ArrowUp')
    await expect(ana.bubble('aqui é Bia Rios')).toBeFocused()
    await press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Responder' })).toBeFocused()
    await press('Enter')
    await expect(ana.composer).toBeFocused()
    await page.keyboard.type('Bom dia, Bia')
    await press('Enter')
    await expect(ana.ticks('Bom dia, Bia', 'Entregue')).toBeVisible()
    await press('ArrowUp')
    await expect(page.getByRole('textbox', { name: 'Novo texto da mensagem' })).toBeFocused()
    await page.keyboard.type('!')
    await press('Enter')
    await expect(ana.composer).toBeFocused()
    await expect.poll(() => world.arrived(bia)).toContain('Bom dia, Bia!')

    // Looks for what was said, and notes what the team should know.
    await press('Escape')
    await press('f')
    await expect(page.getByRole('searchbox', { name: 'Buscar na conversa' })).toBeFocused()
    await press('Escape')
    // Back where it was begun: the next key is no letter of a message.
    await expect(row(page, bia)).toBeFocused()
    await press('m')
    await expect(page.getByRole('textbox', { name: 'Nova observação' })).toBeFocused()
    await page.keyboard.type('Paga na entrega')
    await press('Tab')
    await press('Enter')
    await expect(page.getByRole('listitem').filter({ hasText: 'Paga na entrega' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Nova observação' })).toBeFocused()
    await press('Escape')
    await press('i')
    await expect(page.getByRole('textbox', { name: 'Nova observação' })).toHaveCount(0)

    // What she is done with makes room for the next one, and comes back where it was.
    await press('1')
    await press('Home')
    await expect(row(page, bia)).toBeFocused()
    await press('j')
    await press('e')
    await expect(row(page, dora)).toBeFocused()
    await press('z')
    await expect(row(page, caio)).toBeFocused()
    // What was taken back stands where it stood.
    await press('k')
    await expect(row(page, bia)).toBeFocused()
    await press('Enter')
    await expect(ana.composer).toBeFocused()
    await press('Escape')
    await expect(row(page, bia)).toBeFocused()
    await press('e')
    await expect(row(page, bia)).toHaveCount(0)
    await expect(row(page, caio)).toBeFocused()
    await press('Control+z')
    await expect(row(page, bia)).toBeVisible()
    await expect(ana.composer).toBeFocused()
    await press('Escape')
    await expect(row(page, bia)).toBeFocused()
    // Held for too long, the key is still meant for one.
    await page.keyboard.down('d')
    await expect(row(page, caio)).toBeFocused()
    await page.keyboard.down('d')
    await page.keyboard.up('d')
    await expect.poll(async () => (await world.ticketsOf(bia))[0]?.status).toBe('pending')

    // Hands the next one over.
    await press('Enter')
    await expect(ana.composer).toBeFocused()
    await press('Escape')
    await press('t')
    await expect(page.getByRole('combobox', { name: 'Fila' })).toBeFocused()
    await press('Enter')
    await expect(page.getByRole('option').first()).toBeFocused()
    await page.keyboard.type('Sup')
    await expect(page.getByRole('option', { name: 'Suporte' })).toBeFocused()
    await press('Enter')
    await expect(page.getByRole('combobox', { name: 'Fila' })).toBeFocused()
    for (const name of [
      'Usuário (opcional)',
      'Conexão (opcional)',
      'Recado para quem recebe (opcional)',
      'Cancelar',
      'Transferir',
    ]) {
      await press('Tab')
      await expect(
        page.getByRole('dialog').getByLabel(name).or(page.getByRole('dialog').getByRole('button', { name })),
      ).toBeFocused()
    }
    await press('Enter')
    await ana.told('Transferido para a fila Suporte')
    await expect(row(page, dora)).toBeFocused()
    await press('e')
    await expect(row(page, dora)).toHaveCount(0)
    // On the next row; where nobody else is being served, on the tab.
    const goesOn = ana.tab('Atendendo').or(page.locator('[data-item]')).and(page.locator(':focus'))
    await expect(goesOn).toHaveCount(1)

    await press('?')
    await expect(page.getByRole('dialog', { name: 'Atalhos do teclado' })).toContainText('Mostrar quem aguarda')
    await press('Escape')
    await expect(goesOn).toHaveCount(1)
    await press('g')
    await press('c')
    await expect(page.getByRole('heading', { level: 1, name: 'Contatos' })).toBeFocused()
    await press('Control+k')
    // Typed at once, before the palette has come.
    await page.keyboard.type('Sair')
    await expect(page.getByRole('combobox', { name: /Comandos/ })).toHaveValue('Sair')
    await expect(page.getByRole('option', { selected: true })).toHaveText(/^Sair/)
    await press('Enter')
    await expect(page.getByLabel('Senha', { exact: true })).toBeFocused()
  } finally {
    await page.context().close()
  }
})

test('a way of two keys to another screen does nothing to the conversation that the keyboard is at', async ({
  world,
  signIn,
}) => {
  const ana = await signIn(world.people.ana)
  const { page } = ana
  const tina = await waiting(world, 'Tina Mello')
  await page.keyboard.press('2')
  await expect(row(page, tina)).toBeVisible()
  await goTo(page, tina)
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page).toHaveURL(/\/schedules/)
  expect((await world.ticketsOf(tina))[0]?.status).toBe('pending')
})

test('a search is gone into, left and begun anew by the keyboard', async ({ world, signIn }) => {
  const ana = await signIn(world.people.ana)
  const { page } = ana
  const lina = await waiting(world, 'Lina Quadros')
  const field = page.getByRole('searchbox', { name: 'Buscar atendimentos' })
  await page.keyboard.press('/')
  await expect(field).toBeFocused()
  await page.keyboard.type('Lina Quadros')
  await expect(row(page, lina)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, lina)).toBeFocused()
  await page.keyboard.press('/')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(row(page, lina)).toBeFocused()
  await expect(field).toHaveValue('Lina Quadros')
  // What is typed then takes the place of what was looked for.
  await page.keyboard.press('1')
  await page.keyboard.press('/')
  await page.keyboard.type('Lin')
  await expect(field).toHaveValue('Lin')
})

test('on a phone the keyboard goes with the conversation, and back to its row', async ({ world, signIn }) => {
  const eva = await waiting(world, 'Eva Moura')
  const ana = await signIn(world.people.ana, { viewport: { width: 390, height: 844 } })
  const { page } = ana
  await page.keyboard.press('2')
  await expect(page.locator('[data-item]:focus')).toHaveCount(1)
  await goTo(page, eva)
  await page.keyboard.press('a')
  await expect(ana.composer).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Voltar à lista' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row(page, eva)).toBeFocused()
  await page.keyboard.press('e')
  await expect(row(page, eva)).toHaveCount(0)
  await expect(ana.tab('Atendendo').or(page.locator('[data-item]')).and(page.locator(':focus'))).toHaveCount(1)
})

test('a palette that does not come is called off, and what is typed for it is written as in a field', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana, {})
  const press = (key: string) => page.keyboard.press(key)
  const field = page.getByRole('combobox', { name: /Comandos/ })
  const { promise: hasNetwork, resolve: comes } = Promise.withResolvers<void>()
  let asked = 0
  await intercept(page, /palette\.dialog/, async (route) => {
    asked++
    await hasNetwork
    await route.continue()
  })
  await press('Control+k')
  await expect(page.getByRole('textbox', { name: /Comandos/ })).toBeFocused()
  await expect.poll(() => asked).toBeGreaterThan(0)
  await page.keyboard.type('g')
  await press('Escape')
  // The keys are those of the screen again.
  await press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Atalhos do teclado' })
  await expect(shortcuts).toBeVisible()
  await press('Escape')
  await expect(shortcuts).toHaveCount(0)

  await press('Control+k')
  await page.keyboard.type('Saiu')
  await press('Backspace')
  await page.keyboard.type('r')
  await expect(field).toHaveCount(0)
  comes()
  await expect(field).toHaveValue('Sair')
})

test('where a colleague takes the ticket that the keyboard is at, the keyboard goes on to the next one', async ({
  world,
  signIn,
}) => {
  const ana = await signIn(world.people.ana)
  const { page } = ana
  const [nora, olga] = [await waiting(world, 'Nora Lins'), await waiting(world, 'Olga Reis')]
  await page.keyboard.press('2')
  await expect(row(page, olga)).toBeVisible()
  await goTo(page, nora)
  const rows = await page.locator('[data-item]').evaluateAll((items) => items.map((item) => item.dataset.item))
  const [ticket] = await world.ticketsOf(nora)
  await world.api('PUT', `/tickets/${ticket!.id}`, { status: 'open', userId: world.people.bruno.id })
  await expect(row(page, nora)).toHaveCount(0)
  const at = rows.indexOf(String(ticket!.id))
  await expect(page.locator(`[data-item="${rows[at + 1] ?? rows[at - 1]}"]`)).toBeFocused()
})
