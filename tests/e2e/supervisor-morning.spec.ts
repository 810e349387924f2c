import type { Locator } from '@playwright/test'
import { visit } from './visit.ts'
import { expect, test } from './world.ts'

/** A figure of the wall, by its label. */
const figure = (of: Locator, label: string) => of.locator('dl > div').filter({ hasText: label })

test('a supervisor’s morning: the queue gives, an agent calls, the wall shows it, an agent goes away and a colleague goes on', async ({
  world,
  signIn,
}) => {
  const { api, people, queues, stack } = world
  // Whoever was served, or waited, in a story before counts for who is least busy.
  for (const status of ['open', 'pending'])
    for (;;) {
      const { tickets } = (await api('GET', `/tickets?showAll=true&status=${status}`)) as { tickets: { id: number }[] }
      if (tickets.length === 0) break
      for (const { id } of tickets) await api('PUT', `/tickets/${id}`, { status: 'closed' })
    }
  await api('PUT', `/users/${people.helena.id}`, { queueIds: [queues.support] })
  await api('PUT', `/queue/${queues.sales}`, { assignment: 'leastBusy', whenAway: 'others' })
  // He comes later: until then he may still sit at his desk.
  await api('PUT', `/users/${people.bruno.id}/away`, { away: true, until: null })
  try {
    const ana = await signIn(people.ana)
    const nina = await world.contact('Nina Prata')
    await stack.phone.write(nina.number, 'O bolo veio errado!')
    // Nobody accepts it: the queue gives it to who is there.
    await ana.open(nina)
    await expect(ana.page.getByText(/O sistema entregou o atendimento a Ana Souza/)).toBeVisible()

    await ana.page.keyboard.press('Escape')
    await ana.page.keyboard.press('v')
    const calling = ana.page.getByRole('dialog', { name: 'Chamar supervisor' })
    await calling.getByLabel(/O que se passa/).fill('Quer o dinheiro de volta')
    await calling.getByRole('button', { name: 'Chamar' }).click()
    await expect(ana.page.getByText(/Você chamou um supervisor/)).toBeVisible()
    await expect(ana.item(nina)).toContainText('Supervisor chamado')

    const helena = await signIn(people.helena)
    const bell = helena.page.getByRole('button', { name: /^Notificações.*1 chamado de supervisor/ })
    await bell.click()
    const calls = helena.page.getByRole('region', { name: 'Chamados de supervisor' })
    await expect(calls.getByRole('button', { name: /Nina Prata/ })).toContainText('Ana Souza chama')
    await helena.page.keyboard.press('Escape')

    const bruno = await signIn(people.bruno)
    await api('PUT', `/users/${people.bruno.id}/away`, { away: false })
    await visit(helena.page, '/wall')
    const wall = helena.page.locator('#content')
    await expect(figure(wall, 'Em atendimento')).toContainText('1 chamado')
    const agent = (name: string) => wall.getByRole('listitem').filter({ hasText: name })
    await expect(agent('Ana Souza')).toContainText('1')
    await expect(agent('Bruno Lima')).toContainText('0')

    await ana.page.getByRole('button', { name: 'Menu do perfil' }).click()
    await ana.page.getByRole('menuitem', { name: 'Ausentar-se…' }).click()
    const leaving = ana.page.getByRole('dialog', { name: 'Ausentar-se' })
    await expect(leaving).toContainText('1 passa para quem puder atender, ou fica')
    await leaving.getByRole('button', { name: 'Ausentar-se' }).click()
    await expect.poll(async () => (await world.ticketsOf(nina))[0]?.userId).toBe(people.bruno.id)
    await expect(agent('Ana Souza')).toContainText('até')
    await expect(agent('Bruno Lima')).toContainText('1')
    await bruno.open(nina)
    await expect(bruno.page.getByRole('region', { name: 'Chamado de supervisor' })).toContainText('Ana Souza chamou')

    await visit(helena.page, `/tickets/${(await world.ticketsOf(nina))[0]!.uuid}`)
    await helena.page.getByRole('button', { name: 'Atender ao chamado' }).click()
    await expect(bruno.item(nina)).not.toContainText('Supervisor chamado')

    await ana.page.getByRole('button', { name: 'Menu do perfil' }).click()
    await ana.page.getByRole('menuitem', { name: /Voltar a atender/ }).click()
    await expect
      .poll(async () => ((await api('GET', `/users/${people.ana.id}`)) as { awayAt: unknown }).awayAt)
      .toBeNull()
    await visit(helena.page, '/wall')
    await expect(agent('Ana Souza')).toContainText('0')
    await expect(figure(wall, 'Em atendimento')).not.toContainText('chamado')
  } finally {
    for (const { id } of [people.ana, people.bruno]) await api('PUT', `/users/${id}/away`, { away: false })
    await api('PUT', `/queue/${queues.sales}`, { assignment: 'manual', whenAway: 'keep' })
    await api('PUT', `/users/${people.helena.id}`, { queueIds: [queues.sales, queues.support] })
  }
})
