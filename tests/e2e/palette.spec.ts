import type { Page } from '@playwright/test'
import { expect, intercept, test } from './world.ts'

// A page has the palette's file once and for all: everybody comes with one that has not.
test.use({ keepsDesks: false })

/** The palette where it is slow to come, or does not come at all: what was typed for it is not lost. */

const field = (page: Page) => page.getByRole('combobox', { name: /Comandos/ })

/** Holds the palette's file back until it is let go. */
async function heldBack(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await intercept(page, /palette\.dialog/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('Enter counts also before the palette has come: what was typed is done when it is there', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana)
  const comes = await heldBack(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Perfil')
  await page.keyboard.press('Enter')
  // The letters were no keys of the screen, and what is slow is seen.
  await expect(page.getByRole('textbox', { name: /Comandos/ })).toHaveValue('Perfil')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  comes()
  await expect(page.getByRole('dialog', { name: 'Perfil' })).toBeVisible()
  await expect(field(page)).toHaveCount(0)
})

test('Enter before anything was found waits for it: a conversation opens, and nothing opens where nothing is found', async ({
  world,
  signIn,
}) => {
  const noemi = await world.contact('Noêmi Ligeira')
  await world.stack.phone.write(noemi.number, 'Olá')
  const ana = await signIn(world.people.ana)
  const { page } = ana
  await ana.tab('Aguardando').click()
  await expect(ana.item(noemi)).toBeVisible()
  const comes = await heldBack(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('noemi lig')
  await page.keyboard.press('Enter')
  comes()
  await expect(page.getByRole('heading', { name: 'Noêmi Ligeira' }).first()).toBeVisible()
  await expect(page).toHaveURL(/\/tickets\/[\w-]{36}/)
  await expect(field(page)).toHaveCount(0)

  // The palette is there by now: what is asked and entered in one go is looked for all the same.
  await page.goto(`${world.stack.url}/contacts`)
  await page.getByRole('button', { name: 'Buscar ou ir para…' }).click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.insertText('xyzxyz')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Nada encontrado' })).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('noemi lig')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/tickets\/[\w-]{36}/)
})

test('the keys count from the moment a screen is seen, however long what comes in a quiet moment takes', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana)
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await page.goto(`${world.stack.url}/tickets`)
  await expect(page.getByRole('tab', { name: 'Aguardando' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Mostrar os at')
  await expect(field(page)).toHaveValue('Mostrar os at')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Mostrar os atalhos/)
  await expect(page.getByRole('button', { name: 'Menu do perfil' })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Atalhos do teclado' })).toBeVisible()
})

test('accents of dead keys and input methods are written also before the palette has come', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana)
  const comes = await heldBack(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Jo')
  const keyboard = await page.context().newCDPSession(page)
  // As the browser tells of the tilde, which waits for its letter.
  await keyboard.send('Input.imeSetComposition', { text: '~', selectionStart: 1, selectionEnd: 1 })
  await keyboard.send('Input.insertText', { text: 'ã' })
  await page.keyboard.type('o')
  comes()
  await expect(field(page)).toHaveValue('João')
  await expect(field(page)).toBeFocused()
})

test('a palette that cannot be fetched is told of beside the screen, and comes at the next attempt with what was typed', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana)
  let isGone = true
  // The second refusal comes when the field has been seen: it stands only as long as the file is waited for.
  const seen = Promise.withResolvers<void>()
  let asked = 0
  await intercept(page, /palette\.dialog/, async (route) => {
    if (++asked > 1) await seen.promise
    await (isGone ? route.abort() : route.continue())
  })
  const tab = page.getByRole('tab', { name: 'Resolvidos' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Perf')
  const toast = page.locator('[data-sonner-toast]').filter({ hasText: 'Não foi possível abrir os comandos' })
  await expect(toast).toBeVisible()
  await expect(tab).toBeVisible()
  await expect(page.getByRole('textbox', { name: /Comandos/ })).toHaveCount(0)
  // Still without it: said again.
  await toast.getByRole('button', { name: 'Tentar de novo' }).click()
  await expect(page.getByRole('textbox', { name: /Comandos/ })).toHaveValue('Perf')
  seen.resolve()
  await expect(toast).toBeVisible()
  await expect(page.getByRole('textbox', { name: /Comandos/ })).toHaveCount(0)
  isGone = false
  await toast.getByRole('button', { name: 'Tentar de novo' }).click()
  await expect(field(page)).toHaveValue('Perf')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Perfil/)
  await page.keyboard.press('Escape')
  await expect(tab).toBeVisible()
})
