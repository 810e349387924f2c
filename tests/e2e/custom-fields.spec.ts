import { visit } from './visit.ts'
import { expect, test } from './world.ts'

test('an admin defines a field, and whoever closes a ticket is asked for it, also without a network', async ({
  world,
  signIn,
}) => {
  const { api, stack } = world
  try {
    const { page } = await signIn(world.people.helena)
    await visit(page, '/settings')
    const defined = page
      .getByRole('table', { name: 'Campos de Atendimentos' })
      .getByRole('row', { name: /Motivo do contato/ })
    await page.getByRole('link', { name: 'Definir campos' }).click()
    await expect(page.getByText('Nenhum campo')).toBeVisible()
    await page.getByRole('button', { name: 'Adicionar campo' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Adicionar campo' })
    await dialog.getByLabel('Nome').fill('Motivo do contato')
    await dialog.getByLabel('Tipo').click()
    await page.getByRole('option', { name: 'Escolha' }).click()
    await dialog.getByRole('textbox', { name: 'Opção 1' }).fill('Encomenda')
    await dialog.getByRole('textbox', { name: 'Opção 2' }).fill('Reclamação')
    await dialog.getByRole('switch', { name: 'Obrigatório ao resolver' }).click()
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(defined).toContainText('obrigatório ao resolver')

    const contact = await world.contact('Zuleica Prado')
    await stack.phone.write(contact.number, 'Quero encomendar um bolo')
    const bruno = await signIn(world.people.bruno)
    await bruno.accept(contact)
    // What asks for it is there before the network goes.
    await bruno.page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('tickets.closing-dialog')),
    )
    await bruno.page.context().setOffline(true)
    await bruno.page.locator('header').getByRole('button', { name: 'Resolver' }).click()
    const asked = bruno.page.getByRole('dialog', { name: 'Antes de resolver' })
    await asked.getByRole('button', { name: 'Resolver' }).click()
    await expect(asked.getByText('Obrigatório')).toBeVisible()
    await asked.getByRole('button', { name: /Motivo do contato/ }).click()
    await bruno.page.getByRole('option', { name: 'Encomenda' }).click()
    await asked.getByRole('button', { name: 'Resolver' }).click()
    await expect(asked).toHaveCount(0)
    await expect(bruno.item(contact)).toHaveCount(0)
    await bruno.page.context().setOffline(false)
    await expect.poll(async () => (await world.ticketsOf(contact))[0]?.status).toBe('closed')
    await visit(page, '/settings')
    await visit(page, '/custom-fields')
    await expect(defined).toContainText('1 atendimento')
  } finally {
    const { customFields } = (await api('GET', '/custom-fields')) as { customFields: { id: number }[] }
    for (const { id } of customFields) await api('PUT', `/custom-fields/${id}`, { archived: true })
  }
})
