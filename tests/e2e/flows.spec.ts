import type { Page } from '@playwright/test'
import { expect, installed, keptFiles, test } from './world.ts'

/** A block of the drawing. */
const card = (page: Page, text: string) => page.locator('.react-flow__node').filter({ hasText: text })

/** Draws a line from a way out of one block to another block. */
async function join(page: Page, from: string, port: string, to: string): Promise<void> {
  const source = card(page, from).locator(`.react-flow__handle.source[data-handleid="${port}"]`)
  const target = card(page, to).locator('.react-flow__handle.target')
  await source.hover()
  await page.mouse.down()
  const place = (await target.boundingBox())!
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2, { steps: 8 })
  await page.mouse.up()
}

/** Puts a block on the canvas; its fields are open then. */
async function add(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Adicionar bloco' }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('complementary', { name, exact: true })).toBeVisible()
}

test('an admin draws a small flow, sees what is wrong with it, publishes it, and finds it without a network', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.helena)
  await page.goto('/flowbuilders')
  await page.getByRole('button', { name: 'Adicionar fluxo' }).first().click()
  await page.getByRole('dialog').getByLabel('Nome').fill('Encomendas')
  await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
  await expect(page).toHaveURL(/\/flowbuilder\/\d+$/)
  await expect(card(page, 'Início')).toBeVisible()

  await add(page, 'Menu')
  await page.getByRole('textbox', { name: 'Mensagem', exact: true }).fill('Como podemos ajudar?')
  await page.getByRole('textbox', { name: 'Opção 1', exact: true }).fill('Quero encomendar')
  await add(page, 'Fila')
  await page.getByRole('button', { name: 'Ver tudo' }).click()
  await join(page, 'Início', 'a', 'Menu')
  await join(page, 'Quero encomendar', 'a1', 'Fila')
  await expect(page.locator('.react-flow__edge')).toHaveCount(2)

  // The queue is missing: nothing is published.
  await page.getByRole('button', { name: '1 problema' }).click()
  await page.getByRole('button', { name: /Adicione uma fila/ }).click()
  await page.getByRole('button', { name: 'Publicar' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Publicar' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Fila' }).getByLabel('Fila').click()
  await page.getByRole('option', { name: 'Vendas' }).click()
  await expect(page.getByRole('button', { name: '1 problema' })).toHaveCount(0)

  // A step back and forth again.
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(page.getByRole('button', { name: '1 problema' })).toBeVisible()
  await page.getByRole('button', { name: 'Refazer' }).click()
  await expect(card(page, 'Fila')).toContainText('Vendas')

  await page.getByRole('button', { name: 'Publicar' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Menu' })).toContainText('Helena Prado')
  await dialog.getByLabel(/Anotação/).fill('a primeira')
  await dialog.getByRole('button', { name: 'Publicar' }).click()
  await expect(page.getByText('Versão 1 publicada')).toBeVisible()
  await expect(page.getByText('publicado, sem mudanças')).toBeVisible()

  const id = Number(/\d+$/.exec(page.url())![0])
  const { versions } = (await world.api('GET', `/flowbuilder/${id}/versions`)) as { versions: { number: number }[] }
  expect(versions.map(({ number }) => number)).toEqual([1])

  await installed(page)
  const before = Date.now()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(() => keptFiles(page, before - 5_000), { timeout: 20_000 }).toBeGreaterThan(0)
  await page.context().setOffline(true)
  await page.reload()
  await expect(card(page, 'Como podemos ajudar?')).toBeVisible()
  await expect(page.locator('.react-flow__edge')).toHaveCount(2)
  // A draft is drawn without a network, and kept.
  await card(page, 'Como podemos ajudar?').dblclick()
  await page.getByRole('textbox', { name: 'Mensagem', exact: true }).fill('Em que podemos ajudar?')
  await expect(page.getByText('Salvo neste computador')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText('1 mudança por publicar')).toBeVisible()
})
