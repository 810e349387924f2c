import { expect, test } from './world.ts'

/** Rules of a company, from what a contact reads to what an admin mends. */

test('a rule that was wrong is found by its trace, mended, and tried before it acts again', async ({
  world,
  signIn,
}) => {
  const { api, queues } = world
  const made = (await api('POST', '/rules', {
    ...{ name: 'Cancelamentos', trigger: 'messageIn', active: true },
    conditions: [{ kind: 'words', words: ['cancela'], not: false }],
    actions: [
      { type: 'queue', queueId: queues.support },
      { type: 'message', body: 'Já te passo para quem cancela.' },
    ],
  })) as { id: number }
  try {
    // They wanted something else.
    const contact = await world.contact('Joana Prado')
    await world.stack.phone.write(contact.number, 'Cancelaram a chuva! Quero um bolo')
    await expect.poll(() => world.arrived(contact)).toContain('Já te passo para quem cancela.')
    await expect.poll(async () => (await world.ticketsOf(contact))[0]?.queueId).toBe(queues.support)

    // From what was said to the rule that said it.
    const helena = await signIn(world.people.helena)
    const { page } = helena
    await helena.accept(contact)
    await helena.choose('Já te passo para quem cancela.', 'Por quê?')
    const why = page.getByRole('dialog', { name: 'Por que esta mensagem foi enviada?' })
    await expect(why.getByText('Uma regra da empresa agiu.').first()).toBeVisible()
    await why.getByRole('link', { name: 'Regra: Cancelamentos' }).click()

    // Its runs say which word it was.
    await expect(page.getByRole('heading', { name: 'Cancelamentos' })).toBeVisible()
    const runs = page.getByRole('table', { name: 'Execuções' }).getByRole('row')
    const acted = runs.filter({ hasText: 'Joana Prado' }).filter({ hasText: 'Agiu' })
    await expect(acted).toContainText('“cancela”')

    // Mended, and tried: it would have left them alone.
    await page.getByRole('button', { name: 'Editar' }).click()
    const form = page.getByRole('dialog', { name: 'Editar regra' })
    await form.getByLabel('Palavras').fill('quero cancelar, cancelamento')
    await form.getByRole('button', { name: /Ensaiar/ }).click()
    await expect(form.getByText('Ela não teria agido em nenhum atendimento')).toBeVisible()
    await form.getByRole('button', { name: 'Salvar' }).click()
    await expect(form).toBeHidden()
    await world.stack.phone.write(contact.number, 'Também cancelaram o vento')
    await expect(runs.filter({ hasText: 'Joana Prado' }).filter({ hasText: 'Não agiu' })).toContainText('Versão 2')
    expect((await world.arrived(contact)).filter((text) => text === 'Já te passo para quem cancela.')).toHaveLength(1)
  } finally {
    await api('DELETE', `/rules/${made.id}`)
  }
})
