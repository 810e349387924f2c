import { ogg, pdf, png } from './example-files.ts'
import type { Agent, Contact } from './world.ts'
import { visit } from './visit.ts'
import { dayHere, expect, expectNothingKept, installable, installed, test } from './world.ts'

/** A day of Ana's, from the login to the logout, in five stories, in the app that she has installed. */
test.use(installable)

const header = (agent: Agent, name: string) => agent.page.locator('header').getByRole('button', { name, exact: true })

test('the shift starts: the greeting, the inbox as it was left, what is new and where, and the first one accepted', async ({
  world,
  signIn,
}) => {
  const { stack, people } = world
  const [marta, nilo] = [await world.contact('Marta Sales'), await world.contact('Nilo Brito')]
  await stack.phone.write(marta.number, 'Bom dia, já abriram?')
  await stack.phone.write(nilo.number, 'Quero encomendar um bolo')
  await expect.poll(async () => (await world.ticketsOf(nilo)).length).toBe(1)

  const ana = await signIn(people.ana)
  const { page } = ana
  await expect(page.getByText('Olá, Ana Souza')).toBeVisible()
  await ana.tab('Aguardando').click()
  await expect(ana.item(marta)).toContainText('Bom dia, já abriram?')

  // The network is slow to come in the morning; the inbox is there all the same.
  await installed(page)
  await ana.goOffline()
  await page.reload()
  await ana.tab('Aguardando').click()
  await expect(ana.item(nilo)).toContainText('Quero encomendar um bolo')
  await ana.goOnline()

  await page.getByRole('button', { name: /^Notificações: \d+ atendimento/ }).click()
  const news = page.getByRole('dialog', { name: 'Notificações' })
  await expect(news.getByRole('button', { name: /Nilo Brito.*1 mensagem não lida · aguardando/ })).toBeVisible()
  await news.getByRole('button', { name: /Marta Sales/ }).click()
  const [hers] = await world.ticketsOf(marta)
  await expect(page).toHaveURL(new RegExp(`/tickets/${hers!.uuid}$`))
  await expect(page.getByText('Aceite o atendimento para escrever.')).toBeVisible()
  await page.keyboard.press('a')
  await expect(ana.composer).toBeVisible()
  await ana.say('Bom dia! Abrimos às sete')
  await expect(ana.ticks('Abrimos às sete', 'Entregue')).toBeVisible()
  await expect
    .poll(async () => (await world.ticketsOf(marta))[0])
    .toMatchObject({
      status: 'open',
      userId: people.ana.id,
      unreadMessages: 0,
    })

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('nilo')
  await page.getByRole('option', { name: /Nilo Brito #\d+/ }).click()
  await expect(page.getByText('Aceite o atendimento para escrever.')).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByText('Ana Souza aceitou o atendimento')).toBeVisible()
  await expect.poll(async () => (await world.ticketsOf(nilo))[0]?.userId).toBe(people.ana.id)
})

test('the busy hour: several at once, with everything that people send; notes, tags, quick replies, and the keys alone', async ({
  world,
  signIn,
}) => {
  const { stack, people, api } = world
  const { phone } = stack
  await api('POST', '/quick-messages', {
    shortcode: 'entrega',
    message: '{{firstName}}, a entrega leva uns 40 minutos.',
    geral: true,
    status: true,
  })
  await api('POST', '/tags', { name: 'Encomenda', color: '#b45309' })
  const [rui, sonia, tito] = [
    await world.contact('Rui Macedo'),
    await world.contact('Sônia Vidal'),
    await world.contact('Tito Ramos'),
  ]
  const writes = ({ number }: Contact, body: object) => phone.call('POST', `/ctl/contacts/${number}/messages`, body)
  const ana = await signIn(people.ana)
  const { page } = ana
  await Promise.all([
    phone.writeFile(rui.number, png, { kind: 'image', mimetype: 'image/png', caption: 'Quero um igual a este' }),
    phone.writeFile(sonia.number, pdf, { kind: 'document', mimetype: 'application/pdf', name: 'pedido.pdf' }),
    phone.write(tito.number, 'Vocês entregam?'),
  ])

  await ana.accept(rui)
  await expect(
    ana.bubble('Quero um igual a este').getByRole('button', { name: 'Ampliar imagem' }).locator('img'),
  ).toBeVisible()
  await writes(rui, { location: { latitude: -23.55, longitude: -46.63, name: 'Salão da Praça' } })
  await expect(page.getByRole('link', { name: /Salão da Praça/ })).toHaveAttribute('href', /-23\.55.*-46\.63/)
  await ana.choose('Quero um igual a este', 'Responder')
  await ana.say('Fasemos sim')
  await expect(ana.ticks('Fasemos sim', 'Entregue')).toBeVisible()
  await ana.choose('Fasemos sim', 'Editar')
  await page.getByRole('textbox', { name: 'Novo texto da mensagem' }).fill('Fazemos sim, para sábado')
  await page.keyboard.press('Enter')
  const answer = async () =>
    (await phone.lines(rui.number)).find(({ text }) => text.endsWith('Fazemos sim, para sábado'))
  await expect.poll(answer).toMatchObject({ edited: true, quote: 'Quero um igual a este' })
  await writes(rui, { react: (await answer())!.id, emoji: '❤️' })
  await expect(ana.bubble('Fazemos sim, para sábado').getByRole('button', { name: /^❤️: 1/ })).toBeVisible()
  await ana.note('Paga o sinal na sexta')
  await ana.tag('Encomenda')

  await ana.accept(sonia)
  await expect(page.getByRole('button', { name: 'Baixar pedido.pdf' })).toBeEnabled()
  await phone.writeFile(sonia.number, ogg, {
    kind: 'audio',
    mimetype: 'audio/ogg; codecs=opus',
    voice: '1',
    seconds: '3',
  })
  await expect(page.getByRole('button', { name: 'Ouvir' })).toBeVisible()
  await writes(sonia, { card: { name: 'Mestre Cuca', number: '5511988887777' } })
  await expect(ana.bubble('Mestre Cuca').getByRole('button', { name: 'Conversar' })).toBeVisible()
  await ana.composer.pressSequentially('/entr')
  await page.getByRole('option', { name: /^entrega/ }).click()
  await expect(ana.composer).toHaveValue('Sônia, a entrega leva uns 40 minutos.')
  await ana.composer.press('Enter')
  await expect(ana.ticks('a entrega leva uns 40 minutos', 'Entregue')).toBeVisible()
  await ana.say('Isto era para outra pessoa')
  await expect(ana.ticks('Isto era para outra pessoa', 'Entregue')).toBeVisible()
  await ana.choose('Isto era para outra pessoa', 'Apagar para todos')
  await expect(ana.bubble('Isto era para outra pessoa')).toContainText('Mensagem apagada')
  // The phone hears of it when it can no longer be taken back.
  await expect.poll(async () => (await phone.lines(sonia.number)).filter(({ deleted }) => deleted).length).toBe(1)

  await ana.tab('Atendendo').click()
  await page.getByRole('button', { name: 'Filtrar atendimentos' }).click()
  const filter = page.getByRole('dialog', { name: 'Filtrar atendimentos' })
  await filter.getByLabel('Etiquetas').click()
  await page.getByRole('option', { name: 'Encomenda' }).click()
  await page.keyboard.press('Escape')
  await ana.saveView('Encomendas')
  await expect(filter).toBeHidden()
  await expect(ana.item(rui)).toBeVisible()
  await expect(ana.item(sonia)).toBeHidden()
  await expect(ana.view('Encomendas')).toContainText('1')
  await ana.tab('Abertos').click()
  await ana.tab('Atendendo').click()
  await expect(ana.item(sonia)).toBeVisible()
  await ana.deleteView('Encomendas')

  // From here on without the mouse: the next one, accepted, answered and resolved.
  await ana.tab('Atendendo').focus()
  await page.keyboard.press('ArrowRight')
  await expect(ana.item(tito)).toBeVisible()
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-ticket]')?.textContent ?? '')
  for (let step = 0; step < 40 && !(await focused()).includes(tito.name); step++) {
    const before = await focused()
    await page.keyboard.press('j')
    await expect.poll(focused).not.toBe(before)
  }
  await page.keyboard.press('a')
  await expect(page.getByRole('button', { name: 'Dados de Tito Ramos' })).toBeVisible()
  // Whoever accepts means to answer.
  await expect(ana.composer).toBeFocused()
  await page.keyboard.type('Entregamos sim')
  await page.keyboard.press('Enter')
  await expect(ana.ticks('Entregamos sim', 'Entregue')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await expect(ana.toast('Atendimento resolvido')).toBeVisible()
  await expect.poll(async () => (await world.ticketsOf(tito))[0]?.status).toBe('closed')
  expect(await world.arrived(tito)).toEqual(['Entregamos sim'])
  // The dialog begins at the contact, and who types there is searching.
  await page.keyboard.press('n')
  const begun = page.getByRole('dialog', { name: 'Novo atendimento' })
  await expect(begun.getByLabel('Contato')).toBeFocused()
  await page.keyboard.type('tito')
  await expect(page.getByRole('option', { name: /Tito Ramos/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(begun.getByLabel('Contato')).toHaveText('Tito Ramos')
  await expect(page.getByRole('option')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(begun).toBeHidden()
})

test('the transfer: to a queue, whose people see it waiting; from there to a colleague, who finds all that was said and done', async ({
  world,
  signIn,
  serving,
}) => {
  const { people } = world
  const { agent: ana, contact: hugo } = await serving(people.ana, 'Heitor Dias', 'A batedeira não liga')
  const bruno = await signIn(people.bruno)
  await ana.note('Comprou há duas semanas')
  await ana.say('Vou passar ao suporte')
  await ana.transfer('Suporte')
  await expect(ana.page).toHaveURL(/\/tickets$/)
  await ana.tab('Atendendo').click()
  await expect(ana.item(hugo)).toHaveCount(0)
  await bruno.tab('Aguardando').click()
  await expect(bruno.page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(bruno.item(hugo)).toHaveCount(0)

  const helena = await signIn(people.helena)
  await helena.accept(hugo)
  await expect(helena.bubble('A batedeira não liga')).toBeVisible()
  await helena.transfer('Vendas', people.bruno)
  await expect
    .poll(async () => (await world.ticketsOf(hugo))[0])
    .toMatchObject({
      status: 'open',
      userId: people.bruno.id,
    })

  await bruno.tab('Atendendo').click()
  await expect(bruno.item(hugo)).toBeVisible()
  await bruno.open(hugo)
  await expect(bruno.bubble('Vou passar ao suporte')).toBeVisible()
  await expect(await bruno.panel('Observações')).toContainText('Comprou há duas semanas')
  await expect((await bruno.panel('Linha do tempo')).getByRole('listitem')).toHaveText([
    /^Helena Prado transferiu para Bruno Lima, fila Vendas/,
    /^Helena Prado aceitou o atendimento/,
    /^Ana Souza transferiu para a fila Suporte/,
    /^Ana Souza aceitou o atendimento/,
  ])
  await bruno.say('Sou o Bruno, trocamos a peça')
  await expect.poll(() => world.arrived(hugo)).toEqual(['Vou passar ao suporte', 'Sou o Bruno, trocamos a peça'])
})

test('the network is lost: everything goes on, also after a reload; when it is back all arrives once and in order, and what a colleague did first is told in a sentence', async ({
  world,
  serving,
}) => {
  const { stack, people, queues, api } = world
  await api('POST', '/tags', { name: 'Sem rede', color: '#4338ca' })
  const { agent: ana, contact: ada } = await serving(people.ana, 'Ada Fontes', 'Ainda dá tempo de encomendar?')
  const { page } = ana
  const [beto, ciro, dora] = [
    await world.contact('Beto Luz'),
    await world.contact('Ciro Maia'),
    await world.contact('Dora Reis'),
  ]
  for (const contact of [ciro, dora]) {
    await stack.phone.write(contact.number, 'Olá')
    await ana.accept(contact)
  }
  await stack.phone.write(beto.number, 'Sou o próximo')
  await ana.tab('Aguardando').click()
  await expect(ana.item(beto)).toBeVisible()
  const doras = async () => (await world.ticketsOf(dora))[0]!
  await expect.poll(async () => (await doras()).userId).toBe(people.ana.id)
  await ana.open(ada)
  await expect(ana.waiting()).toHaveCount(0)
  await installed(page)

  await ana.goOffline()
  await ana.say('Dá sim, até as 18 h')
  await ana.note('Retira na loja')
  await ana.tag('Sem rede')
  await page.reload()
  await expect(ana.ticks('Dá sim, até as 18 h', 'Na fila de envio')).toBeVisible()
  await ana.say('Quantas pessoas são?')
  await ana.accept(beto)
  await ana.say('Já vejo para você')
  await header(ana, 'Resolver').click()
  await expect(ana.toast('Atendimento resolvido')).toBeVisible()
  await ana.open(ciro)
  await ana.transfer('Suporte')
  await ana.tab('Busca').click()
  await page.getByRole('searchbox').fill('ada fon')
  await expect(ana.item(ada)).toBeVisible()
  await expect(ana.item(dora)).toHaveCount(0)
  await ana.tab('Abertos').click()
  await ana.open(dora)
  await ana.say('Separei o seu pedido')
  expect((await Promise.all([ada, beto, dora].map((contact) => world.arrived(contact)))).flat()).toEqual([])
  // Meanwhile a colleague, who has a network, resolves Dora's.
  await api('PUT', `/tickets/${(await doras()).id}`, { status: 'closed' })

  await ana.goOnline()
  await expect.poll(() => world.arrived(ada)).toEqual(['Dá sim, até as 18 h', 'Quantas pessoas são?'])
  await expect.poll(() => world.arrived(beto)).toEqual(['Já vejo para você'])
  await expect
    .poll(async () => (await world.ticketsOf(beto))[0])
    .toMatchObject({
      status: 'closed',
      userId: people.ana.id,
    })
  await expect
    .poll(async () => (await world.ticketsOf(ciro))[0])
    .toMatchObject({
      status: 'pending',
      queueId: queues.support,
      userId: null,
    })
  await expect(ana.waiting()).toHaveCount(0)
  const [adas] = await world.ticketsOf(ada)
  const notes = (await api('GET', `/ticket-notes/list?ticketId=${adas!.id}`)) as { note: string }[]
  expect(notes.map(({ note }) => note)).toEqual(['Retira na loja'])
  expect(await api('GET', `/tickets/${adas!.id}`)).toMatchObject({ tags: [{ name: 'Sem rede' }] })

  await expect(ana.ticks('Separei o seu pedido', 'Não enviada')).toBeVisible()
  await expect(ana.bubble('Separei o seu pedido').getByRole('alert')).toContainText('O atendimento não está aberto')
  expect(await world.arrived(dora)).toEqual([])
  await header(ana, 'Reabrir').click()
  await expect(ana.composer).toBeVisible()
  await ana.bubble('Separei o seu pedido').getByRole('button', { name: 'Reenviar' }).click()
  await expect.poll(() => world.arrived(dora)).toEqual(['Separei o seu pedido'])
  await expect(page.getByRole('button', { name: /não enviada/ })).toHaveCount(0)
  // Nothing came a second time.
  expect(await world.arrived(ada)).toHaveLength(2)
  expect(await world.arrived(beto)).toHaveLength(1)
})

test('the day ends: a message for tomorrow, the last one resolved and rated, figures that agree, and no byte left behind', async ({
  world,
  signIn,
  serving,
}) => {
  const { stack, people, api } = world
  interface Dashboard {
    counters: { supportFinished: number; supportHappening: number; supportPending: number }
    attendants: { name: string; rating: number | null }[]
  }
  const figures = () => api('GET', '/dashboard?days=2') as Promise<Dashboard>
  await api('PUT', '/settings/userRating', { value: 'enabled' })
  try {
    const { agent: ana, contact: vilma } = await serving(people.ana, 'Vilma Prado', 'Fecham a que horas?')
    const { page } = ana
    const before = await figures()

    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Agendar mensagem' }).click()
    const dialog = page.getByRole('dialog', { name: 'Agendar mensagem' })
    await dialog.getByLabel('Mensagem').fill('Bom dia {{firstName}}, o bolo está pronto')
    await dialog.getByLabel('Enviar em').fill(`${dayHere(1)}T09:00`)
    await dialog.getByRole('button', { name: 'Agendar' }).click()
    await ana.told(/Mensagem agendada para .*09:00/)
    // The calendar shows what is planned; the conversation waits where it was.
    await expect(page).toHaveURL(/\/schedules$/)
    await page.getByRole('tab', { name: 'Lista' }).click()
    await expect(page.getByRole('row', { name: /Vilma Prado.*o bolo está pronto.*Agendada/ })).toBeVisible()
    await page.goBack()
    await expect(await ana.panel('Mensagens agendadas')).toContainText('o bolo está pronto')

    await ana.say('Às sete. Até amanhã!')
    await expect(ana.ticks('Até amanhã!', 'Entregue')).toBeVisible()
    await header(ana, 'Resolver').click()
    await expect(page).toHaveURL(/\/tickets$/)
    await expect.poll(async () => (await world.arrived(vilma)).at(-1)).toContain('Avalie o nosso atendimento')
    await stack.phone.write(vilma.number, '3')
    await ana.tab('Resolvidos').click()
    await ana.item(vilma).locator('[data-item]').click()
    await expect(page.getByText('O contato avaliou o atendimento: muito satisfeito').first()).toBeVisible()
    expect((await world.ticketsOf(vilma)).map(({ status }) => status)).toEqual(['closed'])

    const after = await figures()
    expect(after.counters.supportFinished).toBe(before.counters.supportFinished + 1)
    expect(after.counters.supportHappening).toBe(before.counters.supportHappening - 1)
    const sql = new Bun.SQL(stack.databaseUrl, { max: 1 })
    const [counted] = (await sql`
      SELECT count(*) FILTER (WHERE "finishedAt" IS NOT NULL)::int AS finished,
        (SELECT count(*)::int FROM tickets WHERE status = 'open') AS open,
        (SELECT round(avg(rate), 2)::float8 FROM ratings WHERE "userId" = ${people.ana.id}) AS rating
      FROM ticket_trackings`) as { finished: number; open: number; rating: number }[]
    await sql.close()
    expect(after.counters).toMatchObject({ supportFinished: counted!.finished, supportHappening: counted!.open })
    expect(after.attendants.find(({ name }) => name === people.ana.name)?.rating).toBe(counted!.rating)

    const helena = await signIn(people.helena)
    await visit(helena.page, '/')
    const card = (label: string) => helena.page.locator('dl > div').filter({ hasText: label }).locator('dd')
    await expect(card('Finalizados')).toHaveText(String(after.counters.supportFinished))
    await expect(card('Em atendimento')).toHaveText(String(after.counters.supportHappening))
    await expect(helena.page.getByRole('row', { name: /Ana Souza/ })).toContainText(`${counted!.rating} de 3`)

    await ana.logout()
    await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
    await expectNothingKept(page, 'Vilma')
  } finally {
    await api('PUT', '/settings/userRating', { value: 'disabled' })
  }
})
