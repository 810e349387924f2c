import type { Locator, Page } from '@playwright/test'
import { newGraph, newNode } from '../../schema/flows/flows.graph.ts'
import { visit } from './visit.ts'
import { expect, test } from './world.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The button behind which a row keeps what can be done with it. */
const actionsOf = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: `Ações de ${name}`, exact: true })

/** A finger beside everything: a person who has changed their mind. */
const tapBeside = (page: Page) => page.touchscreen.tap(20, 830)

test('on a phone what can be done with a row is behind one button: by touch it opens, acts and goes, and nothing behind it is touched', async ({
  world,
  signIn,
}) => {
  const { people, api } = world
  const stamp = String(Date.now() % 1_000_000)
  await api('POST', '/users', {
    name: `Zeferina ${stamp}`,
    email: `zeferina${stamp}@loja.test`,
    password: 'balcao123',
    profile: 'user',
    queueIds: [],
  })
  for (const shortcode of [`acima${stamp}`, `baixo${stamp}`])
    await api('POST', '/quick-messages', { shortcode, message: 'Olá, {{firstName}}', geral: true })
  const { page } = await signIn(people.helena, phone)
  const menu = page.getByRole('menu')
  const dialogs = page.getByRole('dialog').or(page.getByRole('alertdialog'))

  await visit(page, '/users')
  const zeferina = actionsOf(page, `Zeferina ${stamp}`)
  await zeferina.tap()
  await expect(menu.getByRole('menuitem')).toHaveText(['Marcar como ausente…', 'Editar', 'Excluir'])
  // A finger has room for each line.
  for (const item of await menu.getByRole('menuitem').all())
    await expect.poll(async () => (await item.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await tapBeside(page)
  await expect(menu).toHaveCount(0)
  await expect(dialogs).toHaveCount(0)
  await zeferina.tap()
  await menu.getByRole('menuitem', { name: 'Editar' }).tap()
  await expect(page.getByRole('dialog').getByLabel('Nome')).toHaveValue(`Zeferina ${stamp}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).tap()
  await expect(dialogs).toHaveCount(0)
  await zeferina.tap()
  await menu.getByRole('menuitem', { name: 'Excluir' }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).tap()
  await expect(zeferina).toHaveCount(0)

  await visit(page, '/quick-messages')
  // The menu of the lower one leaves the upper one in sight: it has room below, however many replies there are.
  const found = Promise.withResolvers<void>()
  await page.route(
    ({ searchParams }) => searchParams.get('searchParam') === stamp,
    async (route) => {
      await found.promise
      await route.continue()
    },
  )
  await page.getByLabel('Buscar resposta rápida').fill(stamp)
  // While the search is under way the list stays, so that its rows can be touched.
  await expect(page.getByRole('list', { name: 'Respostas rápidas' })).toHaveAttribute('aria-busy', 'true')
  const [neighbour, touched] = [actionsOf(page, `/acima${stamp}`), actionsOf(page, `/baixo${stamp}`)]
  await touched.tap()
  await expect(menu).toBeVisible()
  // Another row's button does what it says at the first tap: its menu stands there instead.
  await neighbour.tap()
  await expect(touched).toHaveAttribute('aria-expanded', 'false')
  await expect(neighbour).toHaveAttribute('aria-expanded', 'true')
  await expect(menu).toHaveCount(1)
  // What is found comes under the open menu, which stays.
  found.resolve()
  await expect(page.getByRole('list', { name: 'Respostas rápidas' })).not.toHaveAttribute('aria-busy')
  await expect(page.getByRole('button', { name: /^Ações de \// })).toHaveCount(2)
  await menu.getByRole('menuitem', { name: 'Editar' }).tap()
  await expect(page.getByRole('dialog').getByLabel('Atalho')).toHaveValue(`acima${stamp}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).tap()
  await expect(dialogs).toHaveCount(0)
  await touched.tap()
  await menu.getByRole('menuitem', { name: 'Excluir' }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).tap()
  await expect(touched).toHaveCount(0)
  await expect(neighbour).toBeVisible()
})

test('by keyboard a row’s menu opens, is gone through and left, and the focus is back at the row’s button', async ({
  world,
  signIn,
}) => {
  const { people, api } = world
  const stamp = String(Date.now() % 1_000_000)
  await api('POST', '/quick-messages', { shortcode: `tecla${stamp}`, message: 'Olá', geral: true })
  const contact = (await api('POST', '/contacts', await world.contact(`Otávio ${stamp}`))) as { id: number }
  const sendAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await api('POST', '/schedules', { contactId: contact.id, body: 'Até breve, {{firstName}}', sendAt })
  const { page } = await signIn(people.helena, { viewport: phone.viewport })
  const { keyboard } = page
  const menu = page.getByRole('menu')
  const item = (name: string) => menu.getByRole('menuitem', { name, exact: true })

  for (const [path, name, prepare] of [
    ['/quick-messages', `/tecla${stamp}`, null],
    ['/schedules', `Otávio ${stamp}`, () => page.getByRole('tab', { name: 'Lista' }).click()],
  ] as const) {
    await visit(page, path)
    await prepare?.()
    const button = actionsOf(page, name)
    await expect(button).toHaveAttribute('aria-haspopup', 'menu')
    await button.focus()
    await keyboard.press('Enter')
    await expect(item('Editar')).toBeFocused()
    await keyboard.press('ArrowDown')
    await expect(item('Excluir')).toBeFocused()
    await keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    await expect(button).toBeFocused()
    // What the menu asks can be refused, too.
    await keyboard.press('Enter')
    await expect(item('Editar')).toBeFocused()
    await keyboard.press('End')
    await expect(item('Excluir')).toBeFocused()
    await keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(button).toBeFocused()
    await keyboard.press('Enter')
    await expect(item('Editar')).toBeFocused()
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(button).toBeFocused()
  }
  // On a phone the scheduled message says whom it greets.
  await expect(page.getByRole('listitem').filter({ hasText: `Otávio ${stamp}` })).toContainText('Até breve, Otávio')
})

test('on a phone the bar of chosen contacts keeps to one line, and all that it offers is there', async ({
  world,
  signIn,
}) => {
  const { people, api } = world
  const stamp = String(Date.now() % 1_000_000).padStart(6, '0')
  for (const at of [1, 2]) await api('POST', '/contacts', await world.contact(`Escolhido ${stamp} ${at}`))
  await api('POST', '/tags', { name: `Feira ${stamp}`, color: '#b45309' })
  const { page } = await signIn(people.helena, phone)
  await visit(page, '/contacts')
  await page.getByLabel('Buscar por nome ou número').fill(`Escolhido ${stamp}`)
  const bar = page.getByRole('toolbar', { name: 'Contatos escolhidos' })
  const box = (at: number) => page.getByRole('checkbox', { name: `Escolher Escolhido ${stamp} ${at}` })
  await box(2).waitFor()
  await expect(page.getByRole('checkbox', { name: /^Escolher(?! Escolhido| todos)/ })).toHaveCount(0)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  // It stands still.
  await box(2).tap({ trial: true })
  const before = await box(2).boundingBox()
  await box(1).tap()
  await expect(bar).toContainText('1 escolhido')
  // With the first the bar comes, and no row moves under the finger.
  expect(await box(2).boundingBox()).toEqual(before)
  await box(2).tap()
  await expect(bar).toContainText('2 escolhidos')
  await expect(bar.getByRole('button')).toHaveCount(3)
  const middles = () =>
    bar
      .locator('[role=status], button')
      .evaluateAll((parts) =>
        parts.map((part) => Math.round(part.getBoundingClientRect().top + part.getBoundingClientRect().height / 2)),
      )
  await expect.poll(async () => new Set(await middles()).size).toBe(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await bar.getByRole('button', { name: 'Etiquetar atendimentos' }).tap()
  await expect(page.getByRole('option', { name: `Feira ${stamp}` })).toBeVisible()
  await page.keyboard.press('Escape')
  // While it goes it gives the focus back, which closes a menu that was opened meanwhile.
  await expect(page.getByRole('option')).toHaveCount(0)
  await bar.getByRole('button', { name: 'Mais ações' }).tap()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Exportar' }).tap()
  expect((await saved).suggestedFilename()).toBe('contatos.xlsx')
  await bar.getByRole('button', { name: 'Mais ações' }).tap()
  await page.getByRole('menuitem', { name: 'Excluir' }).tap()
  await page.getByRole('alertdialog', { name: 'Excluir 2 contatos?' }).getByRole('button', { name: 'Cancelar' }).tap()
  await bar.getByRole('button', { name: 'Desmarcar' }).tap()
  await expect(bar).toHaveCount(0)
})

test('on a phone what a screen offers beside its main button is behind one button, and each opens from there', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.helena, phone)
  const menu = page.getByRole('menu')
  const more = page.getByRole('button', { name: 'Mais ações' })
  await visit(page, '/webhooks')
  await more.tap()
  await expect(menu.getByRole('menuitem')).toHaveText(['Referência da API', 'Fluxo para o n8n'])
  const saved = page.waitForEvent('download')
  await menu.getByRole('menuitem', { name: 'Fluxo para o n8n' }).tap()
  await saved

  await visit(page, '/flowbuilders')
  for (const name of ['Segredos', 'Usar um modelo']) {
    await more.tap()
    await menu.getByRole('menuitem', { name }).tap()
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await more.tap()
  const chooser = page.waitForEvent('filechooser')
  await menu.getByRole('menuitem', { name: 'Importar' }).tap()
  await chooser
})

test('the buttons of a row under the pointer leave the count of what is unread in sight', async ({
  world,
  serving,
}) => {
  const { agent, contact } = await serving(world.people.ana, 'Contada à Vista', 'Bom dia')
  const { page } = agent
  // What he wrote first has been read, or it would count, too.
  await expect.poll(async () => (await world.ticketsOf(contact))[0]?.unreadMessages).toBe(0)
  await visit(page, '/tickets')
  await agent.inboxReady()
  await world.stack.phone.write(contact.number, 'Ainda está aí?')
  const row = agent.item(contact)
  const count = row.getByText('1', { exact: true }).locator('..')
  await expect(count).toBeVisible()
  await row.hover()
  const resolve = row.getByRole('button', { name: 'Resolver' })
  await expect(resolve).toBeVisible()
  await expect(async () => {
    const [above, below] = [(await count.boundingBox())!, (await resolve.boundingBox())!]
    expect(above.y + above.height).toBeLessThanOrEqual(below.y)
  }).toPass({ timeout: 30_000 })
})

test('on a phone a block of the list says its whole name; what else can be done with it is behind one button', async ({
  world,
  signIn,
}) => {
  const { people, api } = world
  const { nodes } = newGraph()
  const call = newNode('http', 'c1', 300, 0)
  const flow = { name: 'Consulta de preço', nodes: [{ ...nodes[0]!, exits: { a: 'c1' } }, call] }
  const { id } = (await api('POST', '/flowbuilder', flow)) as { id: number }
  const { page } = await signIn(people.helena, phone)
  await visit(page, `/flowbuilder/${id}`)
  const name = page.getByRole('heading', { name: '2. Chamada externa' })
  await expect(name).toBeVisible()
  await expect.poll(() => name.evaluate((own) => own.scrollWidth - own.clientWidth)).toBe(0)

  const menu = page.getByRole('menu')
  await actionsOf(page, '1. Início').tap()
  await expect(menu.getByRole('menuitem')).toHaveText(['Testar'])
  await tapBeside(page)
  await expect(menu).toHaveCount(0)
  await actionsOf(page, '2. Chamada externa').tap()
  await expect(menu.getByRole('menuitem')).toHaveText(['Testar', 'Duplicar', 'Excluir'])
  await menu.getByRole('menuitem', { name: 'Duplicar' }).tap()
  await expect(page.getByRole('heading', { name: /\. Chamada externa$/ })).toHaveCount(2)
  await page.getByRole('button', { name: 'Editar 2. Chamada externa' }).tap()
  await expect(page.getByRole('dialog', { name: 'Chamada externa' })).toBeVisible()
  await api('DELETE', `/flowbuilder/${id}`)
})

test('a menu that is opened the moment a popover has gone stays open, and has the keyboard; else the popover’s button has it', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana)
  const bell = page.getByRole('button', { name: /^Notificações/ })
  const popover = page.getByRole('dialog', { name: 'Notificações' })
  await bell.click()
  await expect(popover).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(popover).toHaveCount(0)
  await expect(bell).toBeFocused()

  await bell.click()
  await expect(popover).toBeVisible()
  await page.getByRole('button', { name: 'Menu do perfil' }).evaluate((button: HTMLElement) => {
    const role = new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        if (document.querySelector('[role="dialog"]')) return
        watch.disconnect()
        button.focus()
        button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
        // What the popover puts off until it has gone was put off before this.
        setTimeout(() => resolve(document.activeElement?.getAttribute('role')))
      })
      watch.observe(document.body, { childList: true, subtree: true })
    })
    Object.assign(window, { role })
  })
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => (window as unknown as { role: Promise<string> }).role)).toMatch(/^menu/)
  await expect(page.getByRole('menuitem', { name: 'Perfil' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Menu do perfil' })).toBeFocused()
})

test('a menu that is opened again the moment it was left has the keyboard, however slowly things fade', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0.02 })
  const button = page.getByRole('button', { name: 'Menu do perfil' })
  const first = page.getByRole('menuitem', { name: 'Perfil' })
  await button.focus()
  for (let time = 0; time < 3; time++) {
    await page.keyboard.press('Enter')
    await expect(first).toBeFocused()
    await page.keyboard.press('Escape')
    await button.focus()
  }
  await expect(first).toHaveCount(0)
})

test('the menu’s groups fold, stay folded, and show the screen one is at; on a phone the chosen tab is in sight', async ({
  world,
  signIn,
}) => {
  const desk = (await signIn(world.people.helena, {})).page
  const menu = desk.getByRole('navigation', { name: 'Principal' })
  const group = menu.getByRole('button', { name: 'Automação', exact: true })
  const flows = menu.getByRole('link', { name: 'Fluxos de conversa', exact: true })
  await visit(desk, '/tickets')
  await expect(flows).toBeVisible()
  await group.click()
  await expect(group).toHaveAttribute('aria-expanded', 'false')
  await expect(flows).toHaveCount(0)
  await desk.reload()
  await expect(group).toHaveAttribute('aria-expanded', 'false')
  // Of a folded group the line of the screen that one is at is there.
  await desk.goto('/flowbuilders')
  await expect(flows).toBeVisible()
  await group.click()
  await expect(group).toHaveAttribute('aria-expanded', 'true')
  await desk.context().close()

  const { page } = await signIn(world.people.helena, phone)
  await visit(page, '/connections')
  await page.getByRole('button', { name: 'Adicionar conexão' }).first().tap()
  await page
    .getByRole('dialog')
    .getByRole('tab')
    .last()
    .evaluate((tab) => (tab as HTMLElement).focus())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('tab', { selected: true })).toBeInViewport({ ratio: 1 })
})
