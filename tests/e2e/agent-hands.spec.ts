import { expect, test } from './world.ts'

/** What makes an agent's hands sure: taking back, seeing who waits, finding. */

test('what was resolved, returned or deleted a moment ago is taken back by button or key; the contact hears nothing of it', async ({
  world,
  serving,
}) => {
  const { people, stack } = world
  const { agent: ana, contact: olga } = await serving(people.ana, 'Olga Reis', 'Ainda tem bolo?')
  const { page } = ana
  const press = (name: string) => page.locator('header').getByRole('button', { name, exact: true }).click()
  const stateOf = async () => (await world.ticketsOf(olga))[0]

  await press('Resolver')
  await expect(page).toHaveURL(/\/tickets$/)
  await expect.poll(async () => (await stateOf())?.status).toBe('closed')
  await ana.toast('Atendimento resolvido').getByRole('button', { name: 'Desfazer' }).click()
  await expect(ana.composer).toBeVisible()
  await expect.poll(stateOf).toMatchObject({ status: 'open', userId: people.ana.id })
  await expect(page.getByText('Ana Souza desfez a resolução')).toBeVisible()

  await press('Devolver à fila')
  await expect(ana.toast('Atendimento devolvido à fila')).toBeVisible()
  await page.keyboard.press('z')
  await expect(ana.composer).toBeVisible()
  await expect(ana.toast('Atendimento devolvido à fila')).toHaveCount(0)
  await expect.poll(stateOf).toMatchObject({ status: 'open', userId: people.ana.id })

  await ana.say('Acabou agora')
  await expect(ana.ticks('Acabou agora', 'Entregue')).toBeVisible()
  await ana.choose('Acabou agora', 'Apagar para todos')
  await expect(ana.bubble('Acabou agora')).toContainText('Mensagem apagada')
  await page.keyboard.press('Control+z')
  await expect(ana.bubble('Acabou agora')).not.toContainText('Mensagem apagada')
  await expect(ana.waiting()).toHaveCount(0)

  // Without a network both wait, and go one behind the other.
  await ana.goOffline()
  await press('Resolver')
  await ana.toast('Atendimento resolvido').getByRole('button', { name: 'Desfazer' }).click()
  await expect(ana.composer).toBeVisible()
  await ana.goOnline()
  await expect(ana.waiting()).toHaveCount(0)
  await expect.poll(stateOf).toMatchObject({ status: 'open', userId: people.ana.id })
  expect((await stack.phone.lines(olga.number)).map(({ text, deleted }) => [text, deleted ?? false])).toEqual([
    ['Ainda tem bolo?', false],
    ['*Ana Souza*:\nAcabou agora', false],
  ])
})
