import { expect, test } from './world.ts'

test("what a contact writes waits in the agents' lists without a reload; accepted and answered, its ticks rise until they are blue", async ({
  world,
  signIn,
}) => {
  const { stack, people } = world
  const ana = await signIn(people.ana)
  const carla = await world.contact('Carla Nunes')
  await ana.tab('Aguardando').click()
  await stack.phone.write(carla.number, 'Vocês têm pão de queijo?')
  await expect(ana.item(carla)).toContainText('Vocês têm pão de queijo?')
  await expect(ana.item(carla)).toContainText('Vendas')

  await ana.accept(carla)
  await expect(ana.bubble('Vocês têm pão de queijo?')).toBeVisible()
  await ana.say('Temos, saindo do forno')
  await expect(ana.ticks('saindo do forno', 'Entregue')).toBeVisible()
  // Who wrote what is told in words, too.
  await expect(ana.bubble('Vocês têm pão de queijo?')).toContainText('Contato:')
  await expect(ana.bubble('saindo do forno')).toContainText('Nós:')
  const arrived = (await stack.phone.lines(carla.number)).filter((line) => line.by === 'business')
  // Signed with the name of who wrote, as the contact sees it.
  expect(arrived.map((line) => line.text)).toEqual(['*Ana Souza*:\nTemos, saindo do forno'])

  await stack.phone.call('POST', `/ctl/contacts/${carla.number}/read`, {})
  await expect(ana.ticks('saindo do forno', 'Lida')).toBeVisible()
  const [blue, grey] = await ana.page.evaluate(() => {
    const tick = document.querySelector('[data-message] svg[aria-label="Lida"]')!
    return [getComputedStyle(tick).color, getComputedStyle(tick.parentElement!).color]
  })
  expect(blue).not.toBe(grey)
})

test('messages are counted as unread until the conversation is looked at, and the contact sees them read', async ({
  world,
  signIn,
}) => {
  const { stack, people } = world
  const ana = await signIn(people.ana)
  const [diego, elisa] = [await world.contact('Diego Rocha'), await world.contact('Elisa Prado')]
  await stack.phone.write(diego.number, 'primeira')
  await ana.accept(diego)
  await stack.phone.write(elisa.number, 'outra pessoa')
  await ana.accept(elisa)

  await stack.phone.write(diego.number, 'segunda')
  await stack.phone.write(diego.number, 'terceira')
  await ana.tab('Atendendo').click()
  await expect(ana.item(diego)).toContainText('2 não lidas')
  const states = async () => (await stack.phone.lines(diego.number)).map((line) => line.state)
  expect((await states()).slice(1)).not.toContain('read')

  await ana.open(diego)
  await expect(ana.bubble('terceira')).toBeVisible()
  await expect(ana.item(diego)).not.toContainText('não lida')
  await expect.poll(states).toEqual(['read', 'read', 'read'])
})

test('each side sees the other typing', async ({ world, signIn }) => {
  const { stack, people } = world
  const ana = await signIn(people.ana)
  const fabio = await world.contact('Fábio Melo')
  await stack.phone.write(fabio.number, 'oi')
  await ana.accept(fabio)
  await expect(async () => {
    await stack.phone.call('POST', `/ctl/contacts/${fabio.number}/typing`, { state: 'composing' })
    await expect(ana.page.getByText('digitando')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await stack.phone.call('POST', `/ctl/contacts/${fabio.number}/typing`, { state: 'paused' })
  await expect(ana.page.getByText('digitando')).toBeHidden()

  const typing = async () => {
    const { threads } = (await stack.phone.call('GET', '/ctl/state')) as {
      threads: Record<string, { typing: boolean }>
    }
    return Object.entries(threads).some(([key, thread]) => key.endsWith(fabio.number) && thread.typing)
  }
  await expect(async () => {
    await ana.composer.pressSequentially('Olá ')
    await expect.poll(typing, { timeout: 5_000 }).toBe(true)
  }).toPass()
  await ana.composer.press('Enter')
  await expect.poll(typing).toBe(false)
})

test('quotes, reactions, edits and deletions go both ways', async ({ world, signIn }) => {
  const { stack, people } = world
  const { phone } = stack
  const ana = await signIn(people.ana)
  const gabi = await world.contact('Gabriela Reis')
  const write = (body: object) =>
    phone.call('POST', `/ctl/contacts/${gabi.number}/messages`, body) as Promise<{ id: string }>
  const line = async (text: string) => (await phone.lines(gabi.number)).find((one) => one.text.endsWith(text))
  const asked = await phone.write(gabi.number, 'Qual o horário?')
  await ana.accept(gabi)

  // From the agent to the contact.
  await ana.choose('Qual o horário?', 'Responder')
  await ana.say('Das sete as dezenove')
  await expect.poll(async () => (await line('Das sete as dezenove'))?.quote).toBe('Qual o horário?')
  await ana.choose(/^(?!.*sete).*Qual o horário\?/s, 'Reagir')
  await ana.page.getByRole('button', { name: 'Reagir com 👍' }).click()
  await expect.poll(async () => (await line('Qual o horário?'))?.reactions).toEqual([{ by: 'business', emoji: '👍' }])
  await expect(ana.ticks('Das sete as dezenove', 'Entregue')).toBeVisible()
  await ana.choose('Das sete as dezenove', 'Editar')
  // Which one is being changed is seen, until it is done.
  const changed = ana.page.locator('[data-bubble][data-editing]')
  await expect(changed).toHaveText(/Das sete as dezenove/)
  await ana.page.getByRole('textbox', { name: 'Novo texto da mensagem' }).fill('Das sete às vinte')
  await ana.page.keyboard.press('Enter')
  await expect.poll(async () => (await line('Das sete às vinte'))?.edited).toBe(true)
  await expect(ana.bubble('Das sete às vinte')).toContainText('editada')
  await expect(changed).toHaveCount(0)
  await ana.say('Mensagem por engano')
  await expect(ana.ticks('Mensagem por engano', 'Entregue')).toBeVisible()
  await ana.choose('Mensagem por engano', 'Apagar para todos')
  await expect(ana.bubble('Mensagem por engano')).toContainText('Mensagem apagada')
  // The phone hears of it when it can no longer be taken back.
  await expect.poll(async () => (await line('Mensagem por engano'))?.deleted).toBe(true)

  // From the contact to the agent.
  const ours = (await line('Das sete às vinte'))!.id
  await write({ text: 'Até as vinte? Ótimo', quote: ours })
  await expect(
    ana.bubble('Até as vinte? Ótimo').getByRole('button', { name: 'Ir para a mensagem citada' }),
  ).toContainText('Das sete às vinte')
  await write({ react: ours, emoji: '❤️' })
  await expect(ana.bubble(/^(?!.*Ótimo).*Das sete às vinte/s).getByRole('button', { name: /^❤️: 1/ })).toBeVisible()
  await write({ edit: asked, text: 'Qual o horário de hoje?' })
  await expect(ana.bubble(/Qual o horário de hoje\?.*editada/s).first()).toBeVisible()
  const slip = await phone.write(gabi.number, 'escrevi no chat errado')
  await expect(ana.bubble('escrevi no chat errado')).toBeVisible()
  await write({ revoke: slip })
  await expect(ana.bubble('escrevi no chat errado')).toContainText('O contato apagou esta mensagem')
})

test('a conversation handed to a colleague leaves the one agent and reaches the other, who answers', async ({
  world,
  signIn,
}) => {
  const { stack, people } = world
  const [ana, bruno] = [await signIn(people.ana), await signIn(people.bruno)]
  const hugo = await world.contact('Hugo Dias')
  await stack.phone.write(hugo.number, 'Quero falar com o Bruno')
  await ana.accept(hugo)
  await ana.transfer('Vendas', people.bruno)

  await bruno.tab('Atendendo').click()
  await expect(bruno.item(hugo)).toBeVisible()
  await expect(ana.page.getByRole('tab', { name: 'Atendendo' })).toBeVisible()
  await ana.tab('Atendendo').click()
  await expect(ana.item(hugo)).toHaveCount(0)
  await bruno.open(hugo)
  await expect(bruno.page.getByText('Ana Souza transferiu para Bruno Lima')).toBeVisible()
  await bruno.say('Sou eu, pode falar')
  await expect
    .poll(async () => (await stack.phone.lines(hugo.number)).at(-1)?.text)
    .toBe('*Bruno Lima*:\nSou eu, pode falar')

  // To a queue that is not Bruno's: it leaves his list, and waits for those of that queue.
  const said = await bruno.page.evaluateHandle(() => {
    const texts = new Set<string | null>()
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll('[data-sonner-toast]')) texts.add(toast.textContent)
    }).observe(document.body, { childList: true, subtree: true })
    return texts
  })
  await bruno.transfer('Suporte')
  await expect(bruno.item(hugo)).toHaveCount(0)
  await bruno.tab('Aguardando').click()
  await ana.tab('Aguardando').click()
  await expect(ana.item(hugo)).toContainText('Suporte')
  await expect(bruno.item(hugo)).toHaveCount(0)
  // Who sent it on is told that, and not that it is none of their business.
  await expect(bruno.page).toHaveURL(/\/tickets$/)
  expect(await said.evaluate((texts) => [...texts])).toEqual(['Transferido para a fila Suporte'])
})

test('a conversation is returned, accepted again, resolved and reopened; a contact who writes after it was resolved is served anew', async ({
  world,
  signIn,
}) => {
  const { stack, people } = world
  const ana = await signIn(people.ana)
  const iris = await world.contact('Íris Campos')
  await stack.phone.write(iris.number, 'Meu pedido chegou?')
  await ana.accept(iris)
  const press = (name: string) => ana.page.locator('header').getByRole('button', { name, exact: true }).click()
  await press('Devolver à fila')
  await expect(ana.toast('Atendimento devolvido à fila')).toBeVisible()
  await ana.accept(iris)
  await ana.say('Chegou sim')
  await press('Resolver')
  await expect(ana.toast('Atendimento resolvido')).toBeVisible()
  await expect(ana.item(iris)).toHaveCount(0)
  await ana.tab('Resolvidos').click()
  await ana.item(iris).hover()
  await ana.item(iris).getByRole('button', { name: 'Reabrir' }).click()
  await expect(ana.composer).toBeVisible()
  await expect(ana.page.getByText('Ana Souza reabriu o atendimento')).toBeVisible()
  // The page is ahead of the server, to which it is still closed for a moment.
  await expect.poll(async () => (await world.ticketsOf(iris)).map((ticket) => ticket.status)).toEqual(['open'])
  await press('Resolver')
  await expect.poll(async () => (await world.ticketsOf(iris)).map((ticket) => ticket.status)).toEqual(['closed'])

  await stack.phone.write(iris.number, 'Só mais uma coisa')
  await ana.tab('Abertos').click()
  await ana.tab('Aguardando').click()
  await expect(ana.item(iris)).toContainText('Só mais uma coisa')
  // Within the window the company has set, it is the same conversation; there is never a second active one.
  await expect.poll(async () => (await world.ticketsOf(iris)).map((ticket) => ticket.status)).toEqual(['pending'])
  await ana.accept(iris)
  await expect(ana.bubble('Chegou sim')).toBeVisible()
})

test('queues given to an agent, or taken away, change what the agent sees without a reload', async ({
  world,
  signIn,
}) => {
  const { stack, people, queues, api } = world
  const [helena, bruno] = [await signIn(people.helena), await signIn(people.bruno)]
  const joana = await world.contact('Joana Prates')
  await stack.phone.write(joana.number, 'Vendem no atacado?')
  await bruno.tab('Aguardando').click()
  await expect(bruno.item(joana)).toBeVisible()

  const { page } = helena
  const toggleQueue = async (name: string) => {
    await page.getByRole('link', { name: 'Usuários' }).click()
    await page.getByRole('button', { name: 'Editar Bruno Lima' }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar usuário' })
    await dialog.getByLabel('Filas').click()
    await page.getByRole('option', { name }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(dialog).toBeHidden()
  }
  try {
    await toggleQueue('Vendas')
    await expect(bruno.item(joana)).toHaveCount(0)
    await toggleQueue('Vendas')
    await expect(bruno.item(joana)).toBeVisible()
  } finally {
    await api('PUT', `/users/${people.bruno.id}`, { queueIds: [queues.sales] })
  }
})
