import type { Page } from '@playwright/test'
import { visit } from './visit.ts'
import { type Contact, expect, openBrowser, password, test } from './world.ts'

const names = { open: 'Em aberto', offer: 'Etapa 1: proposta', won: 'Etapa 2: fechado' }
const lane = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const cardIn = (page: Page, name: string, contact: Contact) =>
  lane(page, name).getByRole('group', { name: new RegExp(contact.name) })

test('a day on the board: dragged, moved by keys and without a network; a colleague sees each move', async ({
  world,
  signIn,
}) => {
  const { api } = world
  const tags: number[] = []
  for (const name of [names.offer, names.won])
    tags.push(((await api('POST', '/tags', { name, color: '#7c3aed', kanban: 1 })) as { id: number }).id)
  const [first, second] = [await world.contact('Beatriz Rocha'), await world.contact('Davi Nogueira')]
  try {
    for (const contact of [first, second]) await world.stack.phone.write(contact.number, 'Quanto custa?')
    for (const contact of [first, second])
      await expect.poll(async () => (await world.ticketsOf(contact)).length, { timeout: 30_000 }).toBe(1)
    const ana = await signIn(world.people.ana)
    const helena = await signIn(world.people.helena)
    for (const { page } of [ana, helena]) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await visit(page, '/kanban')
      await expect(lane(page, names.won)).toBeVisible()
    }
    const { page } = ana
    // The first lane is of those that have no tag of the board.
    const card = page.locator('[data-card]').filter({ hasText: first.name })
    await expect(card).toBeVisible()
    // The colour at its side is the queue's, and nobody has to know it by heart.
    await expect(card).toContainText('Vendas')

    // By the mouse.
    // Where it is when the cards of others have come, too.
    await card.hover({ position: { x: 60, y: 20 } })
    await page.mouse.down()
    const from = (await card.boundingBox())!
    const to = (await lane(page, names.offer).boundingBox())!
    await page.mouse.move(from.x + 90, from.y + 40, { steps: 4 })
    await page.mouse.move(to.x + to.width / 2, to.y + 120, { steps: 8 })
    await expect(lane(page, names.offer)).toHaveAttribute('data-over', /.*/)
    await page.mouse.up()
    await expect(cardIn(page, names.offer, first)).toBeVisible()
    await expect(cardIn(helena.page, names.offer, first)).toBeVisible()

    // By keys, with what a screen reader is told.
    await cardIn(page, names.offer, first).press('Space')
    await expect(page.getByText(new RegExp(`^${first.name} na mão, em ${names.offer}`))).toBeAttached()
    await page.keyboard.press('End')
    await expect(page.getByText(`Sobre ${names.won}, coluna`)).toBeAttached()
    await page.keyboard.press('Space')
    await expect(cardIn(page, names.won, first)).toBeFocused()
    await expect(cardIn(helena.page, names.won, first)).toBeVisible()
    // Escape leaves it where it is.
    await page.keyboard.press('Space')
    await expect(page.getByText(new RegExp(`^${first.name} na mão, em ${names.won}`))).toBeAttached()
    await page.keyboard.press('Home')
    await page.keyboard.press('Escape')
    await expect(page.getByText('Cancelado. O cartão ficou onde estava.')).toBeAttached()
    await expect(cardIn(page, names.won, first)).toBeVisible()

    // Without a network it moves at once; the colleague sees it when there is one again.
    await ana.goOffline()
    await page.getByRole('button', { name: `Mover ${second.name}` }).click()
    await page.getByRole('menuitem', { name: names.offer }).click()
    await expect(cardIn(page, names.offer, second)).toBeVisible()
    await expect(cardIn(helena.page, names.offer, second)).toHaveCount(0)
    await ana.goOnline()
    await expect(cardIn(helena.page, names.offer, second)).toBeVisible({ timeout: 60_000 })
    await expect(ana.waiting()).toHaveCount(0)
    await expect
      .poll(async () => {
        const [ticket] = await world.ticketsOf(second)
        return (
          (await api('GET', `/tickets/${ticket!.id}`)) as { tagIds?: number[]; tags?: { id: number }[] }
        ).tags?.map(({ id }) => id)
      })
      .toEqual([tags[0]])

    // On a phone the lanes are pushed aside, and the page itself stays where it is.
    await helena.page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => helena.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  } finally {
    // Others have boards of their own.
    for (const id of tags) await api('DELETE', `/tags/${id}`)
  }
})

test('while the tags are on their way, the board does not say that it has no columns, and puts no card into one', async ({
  browser,
  world,
}) => {
  const { api, people, stack } = world
  const { id } = (await api('POST', '/tags', { name: names.offer, color: '#7c3aed', kanban: 1 })) as { id: number }
  const ivo = await world.contact('Ivo Prado')
  await stack.phone.write(ivo.number, 'Quanto custa?')
  await expect.poll(async () => (await world.ticketsOf(ivo)).length).toBe(1)
  const ana = await openBrowser(browser, stack.url)
  const { page } = ana
  const tags = Promise.withResolvers<void>()
  try {
    await page.context().route(/\/sync\/(shape\/tags|first)/, async (route) => {
      await tags.promise
      await route.continue()
    })
    await ana.login(people.ana.email, password)
    await expect(page.getByRole('button', { name: 'Menu do perfil' })).toBeVisible()
    await page.evaluate(() => history.pushState(null, '', '/tickets'))
    await ana.tab('Aguardando').click()
    // The tickets are there.
    await expect(ana.item(ivo)).toBeVisible()
    await page.evaluate(() => history.pushState(null, '', '/kanban'))
    await expect(lane(page, names.open)).toBeVisible()
    // All that the board asks of this browser has been answered long before.
    await page.waitForTimeout(1_500)
    await expect(lane(page, names.open).getByRole('status', { name: 'Carregando' })).toBeVisible()
    await expect(page.getByText('O quadro ainda não tem colunas')).toHaveCount(0)
    await expect(page.locator('[data-card]')).toHaveCount(0)
    tags.resolve()
    await expect(lane(page, names.offer)).toBeVisible()
    await expect(cardIn(page, names.open, ivo)).toBeVisible()
  } finally {
    tags.resolve()
    await page.context().close()
    await api('DELETE', `/tags/${id}`)
  }
})
