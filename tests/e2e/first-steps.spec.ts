import { expect, openBrowser, password, test } from './world.ts'

test('a new company’s admin is led by a list until all of it is done, and may put it away', async ({
  world: { stack, api },
  browser,
}) => {
  const limits = { users: 5, connections: 2, queues: 5 }
  const plan = (await api('POST', '/plans', { name: 'Primeiros passos', value: '1', ...limits })) as { id: number }
  const { id } = (await api('POST', '/companies', {
    ...{ name: 'Padaria Nova', email: 'nova@padaria.test', password },
    planId: plan.id,
  })) as { id: number }
  const sql = new Bun.SQL(stack.databaseUrl, { max: 1 })
  // Whoever calls in her name is another login of hers.
  const own = await stack.login('nova@padaria.test', password)
  await own('PUT', '/settings/sessions', { value: 'many' })
  const owner = await openBrowser(browser, stack.url)
  const { page } = owner
  try {
    await owner.login('nova@padaria.test', password)
    const steps = page.getByRole('region', { name: 'Primeiros passos' })
    await expect(steps).toContainText('0 de 5 prontos')
    await steps.getByRole('link', { name: 'Criar uma fila' }).click()
    await expect(page).toHaveURL(/\/queues$/)
    await page.getByRole('button', { name: 'Adicionar fila' }).first().click()
    await page.getByRole('dialog').getByLabel('Nome').fill('Encomendas')
    await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
    await expect(page.getByRole('row', { name: /Encomendas/ })).toBeVisible()
    await page.getByRole('link', { name: 'Painel', exact: true }).click()
    await expect(steps).toContainText('1 de 5 prontos')
    await expect(steps.getByText('Criar uma fila: pronto')).toBeVisible()
    await expect(steps.getByRole('link', { name: 'Criar uma fila' })).toHaveCount(0)

    // Somebody else who administers it wants none of it.
    await own('POST', '/users', { name: 'Nara', email: 'nara@padaria.test', password, profile: 'admin', queueIds: [] })
    const other = await openBrowser(browser, stack.url)
    await other.login('nara@padaria.test', password)
    const hers = other.page.getByRole('region', { name: 'Primeiros passos' })
    await expect(hers).toContainText('2 de 5 prontos')
    const kept = other.page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await hers.getByRole('button', { name: 'Dispensar os primeiros passos' }).click()
    await expect(hers).toHaveCount(0)
    expect((await kept).status()).toBe(200)
    // The server knows it: this browser keeps nothing of it.
    await other.page.reload()
    await expect(other.page.getByRole('heading', { name: 'Atendentes' })).toBeVisible()
    await expect(hers).toHaveCount(0)
    await other.page.context().close()

    // The rest is done elsewhere: a phone is linked, and somebody invited serves a customer.
    const [line] = await sql`INSERT INTO whatsapps ("companyId", name, token, "connectedAt")
      VALUES (${id}, 'Balcão', gen_random_uuid()::text, now()) RETURNING id`
    const [contact] =
      await sql`INSERT INTO contacts ("companyId", name, number) VALUES (${id}, 'Zeca', '5511900000001') RETURNING id`
    const [ticket] =
      await sql`INSERT INTO tickets ("companyId", "contactId") VALUES (${id}, ${contact.id}) RETURNING id`
    const [user] = await sql`SELECT id FROM users WHERE email = 'nara@padaria.test'`
    await sql`INSERT INTO ticket_trackings ("companyId", "ticketId", "userId", "startedAt")
      VALUES (${id}, ${ticket.id}, ${user.id}, now())`
    await page.reload()
    await expect(steps).toContainText('3 de 5 prontos')
    await expect(steps.getByRole('link', { name: /Vincular o celular da empresa/ })).toContainText('Falta a fila')
    await sql`INSERT INTO whatsapp_queues ("companyId", "whatsappId", "queueId")
      SELECT ${id}, ${line.id}, id FROM queues WHERE "companyId" = ${id}`
    await page.reload()
    await expect(steps).toContainText('4 de 5 prontos')
    await steps.getByRole('link', { name: 'Definir os horários' }).click()
    await page.getByRole('combobox', { name: 'Horário de atendimento' }).click()
    await page.getByRole('option', { name: 'Da empresa' }).click()
    await owner.told('Operação atualizada com sucesso.')
    // Hours that nobody hears of are none yet: all three places say where the message is.
    const unheard = page.getByText(/O horário não vale ainda em: Balcão/)
    await expect(unheard).toBeVisible()
    await page.getByRole('tab', { name: 'Horários' }).click()
    await expect(unheard).toBeVisible()
    await page.getByRole('button', { name: 'Salvar' }).click()
    await owner.told('Horários atualizados com sucesso.')
    await page.getByRole('link', { name: 'Painel', exact: true }).click()
    await expect(steps.getByRole('link', { name: /Definir os horários/ })).toContainText('Falta a mensagem')
    await own('PUT', `/whatsapp/${line.id}`, { outOfHoursMessage: 'Voltamos às 8 h.' })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Atendentes' })).toBeVisible()
    await expect(steps).toHaveCount(0)
  } finally {
    await sql.end()
    await page.context().close()
    await api('DELETE', `/companies/${id}`)
  }
})
