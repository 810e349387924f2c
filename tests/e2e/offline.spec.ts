import { Agent, expect, installable, installed, test } from './world.ts'

test.use(installable)

test('answers written without a network, with a reload in between, all arrive once and in order when it is back', async ({
  world,
  serving,
  line,
}) => {
  const { phone } = world.stack
  const { agent: ana, contact: olga } = await serving(world.people.ana, 'Olga Sá', 'Estão abertos?', {
    baseURL: line.url,
  })
  await installed(ana.page)

  // Chromium only plays at being offline, and forgets it at times for the worker of a page that is loaded anew.
  line.cut()
  await ana.goOffline()
  await ana.say('Sem rede, um')
  await ana.say('Sem rede, dois')
  await expect(ana.waiting(2)).toBeVisible()
  await ana.page.reload()
  await expect(ana.ticks('Sem rede, um', 'Na fila de envio')).toBeVisible()
  await expect(ana.ticks('Sem rede, dois', 'Na fila de envio')).toBeVisible()
  await ana.say('Sem rede, três')
  await expect(ana.waiting(3)).toBeVisible()
  await phone.write(olga.number, 'Alguém aí?')
  expect(await world.arrived(olga)).toEqual([])

  line.mend()
  await ana.goOnline()
  await expect.poll(() => world.arrived(olga)).toEqual(['Sem rede, um', 'Sem rede, dois', 'Sem rede, três'])
  await expect(ana.bubble('Alguém aí?')).toBeVisible()
  for (const text of ['um', 'dois', 'três']) {
    await expect(ana.ticks(`Sem rede, ${text}`, 'Entregue')).toBeVisible()
    await expect(ana.bubble(`Sem rede, ${text}`)).toHaveCount(1)
  }
  await expect(ana.waiting()).toHaveCount(0)
  expect(await world.arrived(olga)).toHaveLength(3)
})

test('a macro that is run by its shortcut without a network is done once, and whole, when it is back', async ({
  world,
  serving,
}) => {
  const { agent: ana, contact: nina } = await serving(world.people.ana, 'Nina Paz', 'Já posso buscar?')
  const { page } = ana
  await world.api('POST', '/macros', {
    ...{ name: 'Pedido pronto', shortcut: 'pronto', sharing: 'company' },
    actions: [
      { type: 'message', body: 'Pode vir, {{firstName}}!' },
      { type: 'note', note: 'Avisada' },
      { type: 'resolve' },
    ],
  })
  // It has come when it is suggested.
  await expect(async () => {
    await ana.composer.fill('')
    await ana.composer.fill('/pronto')
    await expect(page.getByRole('option', { name: 'Pedido pronto' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await installed(ana.page)
  await ana.goOffline()
  await ana.composer.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Pedido pronto' })
  await expect(dialog.getByRole('listitem')).toHaveText([
    'Enviar ao contato: “Pode vir, Nina!”',
    'Anotar: “Avisada”',
    'Resolver',
  ])
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.locator('[data-undo]')).toContainText('Macro Pedido pronto executada')
  await expect(ana.item(nina)).toHaveCount(0)
  expect(await world.arrived(nina)).toEqual([])

  await ana.goOnline()
  await expect.poll(() => world.arrived(nina)).toContain('Pode vir, Nina!')
  await expect.poll(async () => (await world.ticketsOf(nina)).map(({ status }) => status)).toEqual(['closed'])
  await expect(ana.waiting()).toHaveCount(0)
  expect((await world.arrived(nina)).filter((text) => text === 'Pode vir, Nina!')).toHaveLength(1)
})

test('who opened the app once can lose the network at once: a reload shows the last known inbox', async ({
  world,
  signIn,
}) => {
  const { phone } = world.stack
  const paula = await world.contact('Paula Dutra')
  await phone.write(paula.number, 'Guarda um pão para mim')
  await expect.poll(async () => (await world.ticketsOf(paula)).length).toBe(1)
  const ana = await signIn(world.people.ana)
  await ana.tab('Aguardando').click()
  await expect(ana.item(paula)).toBeVisible()
  await installed(ana.page)
  await ana.page.context().setOffline(true)
  await ana.page.reload()
  await ana.tab('Aguardando').click()
  await expect(ana.item(paula)).toContainText('Guarda um pão para mim')
})

test('what is done without a network before the app is installed is kept, and done when the network is back', async ({
  world,
  signIn,
}) => {
  const { phone } = world.stack
  const ines = await world.contact('Inês Prata')
  await phone.write(ines.number, 'Ainda tem broa?')
  const ana = await signIn(world.people.ana, { serviceWorkers: 'block' })
  const { page } = ana
  // Whoever has only looked at the list has all that writing needs.
  await ana.tab('Aguardando').click()
  await expect(ana.item(ines)).toBeVisible()
  await page.waitForFunction(() => {
    const names = performance.getEntriesByType('resource').map(({ name }) => name)
    return ['outbox.dexie', 'part-failed'].every((part) => names.some((name) => name.includes(part)))
  })
  await ana.goOffline()
  await ana.item(ines).getByRole('button', { name: 'Aceitar' }).click()
  await expect(ana.waiting(1)).toBeVisible()
  // What was never fetched says so in its own place, and comes when it is asked for again.
  await page.getByRole('button', { name: 'Menu do perfil' }).click()
  await page.getByRole('menuitem', { name: 'Perfil' }).click()
  const failed = page.getByRole('dialog', { name: 'Não foi possível abrir' })
  await expect(failed).toBeVisible()
  await expect(ana.item(ines)).toBeVisible()
  await ana.goOnline()
  await failed.getByRole('button', { name: 'Tentar de novo' }).click()
  await expect(page.getByRole('dialog', { name: 'Perfil' })).toBeVisible()
  await expect.poll(async () => (await world.ticketsOf(ines))[0]?.status).toBe('open')
})

test('a conversation that a colleague took first while I had no network stays theirs; I am told so in a sentence', async ({
  world,
  signIn,
}) => {
  const { phone } = world.stack
  const [ana, bruno] = [await signIn(world.people.ana), await signIn(world.people.bruno)]
  const rita = await world.contact('Rita Maia')
  await phone.write(rita.number, 'Quem me atende?')
  await bruno.tab('Aguardando').click()
  await expect(bruno.item(rita)).toBeVisible()
  await installed(bruno.page)
  await bruno.page.context().setOffline(true)
  await bruno.accept(rita)
  await ana.accept(rita)
  await expect.poll(async () => (await world.ticketsOf(rita))[0]?.userId).toBe(world.people.ana.id)

  await bruno.page.context().setOffline(false)
  const told = bruno.page.getByRole('alert').filter({ hasText: 'Outro atendente já aceitou este atendimento' })
  await expect(told).toBeVisible()
  // It would be refused again.
  await expect(told.getByRole('button', { name: /Tentar de novo/ })).toHaveCount(0)
  await expect(bruno.page.getByRole('button', { name: '1 não enviada' })).toBeVisible()
  await expect(bruno.page.getByRole('button', { name: 'Dados de Rita Maia' })).toContainText('com Ana Souza')
  await told.getByRole('button', { name: 'Descartar' }).click()
  await expect(told).toBeHidden()
  await expect(bruno.page.getByRole('button', { name: /não enviada/ })).toHaveCount(0)
  expect((await world.ticketsOf(rita))[0]).toMatchObject({ status: 'open', userId: world.people.ana.id })
})

test('answers to a conversation that was resolved meanwhile are refused in a sentence, and kept to be sent again or discarded', async ({
  world,
  serving,
}) => {
  const { agent: ana, contact: ugo } = await serving(world.people.ana, 'Ugo Neri', 'Até logo')
  const [ticket] = await world.ticketsOf(ugo)
  await ana.goOffline()
  await ana.say('Guardei o seu pedido')
  await ana.say('E mais isto')
  await expect(ana.waiting(2)).toBeVisible()
  await world.api('PUT', `/tickets/${ticket!.id}`, { status: 'closed' })
  await ana.goOnline()

  await expect(ana.ticks('Guardei o seu pedido', 'Não enviada')).toBeVisible()
  await expect(ana.ticks('E mais isto', 'Não enviada')).toBeVisible()
  // A sentence, never a code.
  await expect(ana.bubble('Guardei o seu pedido').getByRole('alert')).not.toContainText('ERR_')
  await ana.page.getByRole('button', { name: '2 não enviadas' }).click()
  const panel = ana.page.getByRole('dialog')
  await expect(panel).toContainText('Recusadas pelo servidor')
  const entry = (text: string) => panel.getByRole('listitem').filter({ hasText: text })
  await entry('E mais isto')
    .getByRole('button', { name: /^Descartar/ })
    .click()
  await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
  await expect(entry('E mais isto')).toHaveCount(0)

  await world.api('PUT', `/tickets/${ticket!.id}`, { status: 'open', userId: world.people.ana.id })
  await expect(ana.composer).toBeVisible()
  await entry('Guardei o seu pedido')
    .getByRole('button', { name: /^Tentar de novo/ })
    .click()
  await expect(ana.ticks('Guardei o seu pedido', 'Entregue')).toBeVisible()
  await expect(ana.bubble('E mais isto')).toHaveCount(0)
  expect(await world.arrived(ugo)).toEqual(['Guardei o seu pedido'])
})

test('two tabs show the same; the second answers, and goes on alone when the first is closed', async ({
  world,
  serving,
}) => {
  const { agent: first, contact: sara } = await serving(world.people.ana, 'Sara Lins', 'Duas janelas?')
  const page = await first.page.context().newPage()
  const second = new Agent(page)
  await page.goto(first.page.url())
  await expect(second.bubble('Duas janelas?')).toBeVisible()
  await second.say('Da segunda')
  await expect(first.ticks('Da segunda', 'Entregue')).toBeVisible()

  // The answer is on its way when the leading tab goes.
  await second.say('Enquanto a primeira fecha')
  await first.page.close()
  await expect(second.ticks('Enquanto a primeira fecha', 'Entregue')).toBeVisible()
  await world.stack.phone.write(sara.number, 'Ainda aí?')
  await expect(second.bubble('Ainda aí?')).toBeVisible()
  await second.say('Sempre')
  await expect.poll(() => world.arrived(sara)).toEqual(['Da segunda', 'Enquanto a primeira fecha', 'Sempre'])
})

test('a server killed under an open browser comes back; nothing is lost, and the page recovers by itself', async ({
  world,
  serving,
}) => {
  const { stack } = world
  const { agent: ana, contact: tiago } = await serving(world.people.ana, 'Tiago Luz', 'Antes da queda')
  await ana.say('Respondido antes')
  await expect(ana.ticks('Respondido antes', 'Entregue')).toBeVisible()

  await stack.kill()
  await ana.say('Escrito durante')
  await stack.phone.write(tiago.number, 'Enviado durante')
  await expect(ana.bubble('Escrito durante')).toBeVisible()
  await stack.start()
  await expect(ana.bubble('Enviado durante')).toBeVisible({ timeout: 60_000 })
  await expect(ana.ticks('Escrito durante', 'Entregue')).toBeVisible({ timeout: 60_000 })
  await stack.phone.write(tiago.number, 'Depois')
  await expect(ana.bubble('Depois')).toBeVisible()
  expect(await world.arrived(tiago)).toEqual(['Respondido antes', 'Escrito durante'])
})
