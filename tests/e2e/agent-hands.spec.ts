import type { Locator, Page } from '@playwright/test'
import { PIXEL } from '../example-data.ts'
import { visit } from './visit.ts'
import { type Contact, expect, openTransfer, rememberedAnswers, test } from './world.ts'

/** What makes an agent's hands sure: taking back, seeing who waits, finding. */

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** So much of what it says has no room, px. */
const cutOff = (of: Locator) => of.evaluate((element) => element.scrollWidth - element.clientWidth)
const widthOf = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().width)
/** A row that slid away under the finger would have something else swiped: it stands where it will stand. */
const atRest = (row: Locator) => row.hover({ trial: true })

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
  await expect(page).toHaveURL(/\/tickets$/)
  await page.keyboard.press('z')
  await expect(ana.toast('Atendimento devolvido à fila')).toHaveCount(0)
  await expect(page.getByText('Ana Souza desfez a devolução')).toBeVisible()
  await expect(ana.composer).toBeVisible()
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

test('who waits is marked until answered and can be filtered; a transfer says from whom and why; previews are words', async ({
  world,
  signIn,
  serving,
}) => {
  const { people, stack } = world
  const { agent: ana, contact: rosa } = await serving(people.ana, 'Rosa Pires', 'Vocês abrem domingo?')
  const { page } = ana
  const mark = ana.item(rosa).getByRole('img', { name: 'Espera resposta' })
  await ana.tab('Atendendo').click()
  await expect(mark).toBeVisible()
  await page.getByRole('button', { name: 'Filtrar atendimentos' }).click()
  const filter = page.getByRole('dialog', { name: 'Filtrar atendimentos' })
  await filter.getByLabel('Só os que esperam resposta').click()
  await page.keyboard.press('Escape')
  await expect(ana.item(rosa)).toBeVisible()
  await ana.say('Abrimos sim')
  await expect(ana.item(rosa)).toHaveCount(0)
  await page.getByRole('button', { name: /^Filtrar atendimentos/ }).click()
  await filter.getByRole('button', { name: 'Limpar' }).click()
  await page.keyboard.press('Escape')
  await expect(mark).toHaveCount(0)
  // The own signature is for the contact; in the own list it says nothing.
  await expect(ana.item(rosa)).toContainText('Abrimos sim')
  await expect(ana.item(rosa)).not.toContainText('Ana Souza')

  // A hand in the tone that she chooses; it is among those used lately the next time.
  const emoji = page.getByRole('button', { name: 'Emoji', exact: true })
  await emoji.click()
  await page.getByRole('button', { name: 'Tom de pele: padrão' }).click()
  await expect(page.getByRole('button', { name: 'Tom de pele: claro' })).toBeVisible()
  const wanted = page.getByLabel('Buscar emoji')
  await wanted.fill('xqz')
  await expect(page.getByText('Nada encontrado')).toBeVisible()
  // At the field's end the browser has a cross of its own, which is not shown: one is enough.
  const { width, height } = (await wanted.boundingBox())!
  await wanted.click({ position: { x: width - 8, y: height / 2 } })
  await expect(wanted).toHaveValue('xqz')
  await page.getByRole('button', { name: 'Limpar a busca' }).click()
  await expect(wanted).toHaveValue('')
  await expect(wanted).toBeFocused()
  await expect(page.getByText('Nada encontrado')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Limpar a busca' })).toHaveCount(0)
  await wanted.fill('polegar para cima')
  await page
    .getByRole('gridcell', { name: /polegar para cima/i })
    .first()
    .click()
  await expect(page.getByRole('textbox', { name: 'Mensagem' })).toHaveValue('👍🏻')
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Buscar emoji')).toHaveCount(0)
  await emoji.click()
  await expect(page.getByRole('group', { name: 'Usados há pouco' })).toContainText('👍🏻')
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Mensagem' }).fill('')

  await stack.phone.writeFile(rosa.number, Buffer.from('OggS'), {
    kind: 'audio',
    mimetype: 'audio/ogg; codecs=opus',
    voice: '1',
    seconds: '22',
  })
  await expect(ana.item(rosa)).toContainText('Áudio 0:22')
  await stack.phone.writeFile(rosa.number, PIXEL, { kind: 'image', mimetype: 'image/png' })
  await expect(ana.item(rosa)).toContainText('Foto')
  const pdf = { kind: 'document', mimetype: 'application/pdf', name: 'receita-da-avo.pdf' }
  await stack.phone.writeFile(rosa.number, Buffer.from('%PDF-1.4 receita'), pdf)
  await expect(ana.item(rosa)).toContainText('receita-da-avo.pdf')

  // Where it was written to says something only where there is a choice.
  await expect(ana.item(rosa)).not.toContainText('Loja')
  const branch = (await world.api('POST', '/whatsapp', { name: 'Filial', queueIds: [] })) as { id: number }
  await expect(ana.item(rosa)).toContainText('Loja')
  await world.api('DELETE', `/whatsapp/${branch.id}`)
  await expect(ana.item(rosa)).not.toContainText('Loja')

  const bruno = await signIn(people.bruno)
  const dialog = await openTransfer(page)
  await dialog.getByLabel('Fila').click()
  await page.getByRole('option', { name: 'Vendas' }).click()
  await dialog.getByLabel('Recado para quem recebe (opcional)').fill('Quer encomendar para domingo')
  await dialog.getByRole('button', { name: 'Transferir' }).click()
  await bruno.tab('Aguardando').click()
  await expect(bruno.item(rosa)).toContainText('De Ana Souza: Quer encomendar para domingo')
  await bruno.accept(rosa)
  await expect(bruno.page.getByText('Quer encomendar para domingo').first()).toBeVisible()
  await expect(
    bruno.page.getByText(/transferiu para a fila Vendas · \d\d:\d\d\s*Quer encomendar para domingo$/),
  ).toBeVisible()
  await bruno.tab('Atendendo').click()
  await expect(bruno.item(rosa)).not.toContainText('De Ana Souza')
  expect((await world.arrived(rosa)).join()).not.toContain('encomendar')
})

test('a search shows the piece that says it, marked, and opens there; inside a conversation one goes from place to place', async ({
  world,
  serving,
}) => {
  const { people, stack } = world
  const { agent: ana, contact: ines } = await serving(people.ana, 'Inês Malta', 'Perdi a minha Jabuticabeira de vaso')
  const { page } = ana
  for (let i = 0; i < 25; i++) await stack.phone.write(ines.number, `linha ${i}`)
  await stack.phone.write(ines.number, 'E a outra jabuticabeira?')
  await expect(ana.bubble('E a outra jabuticabeira?')).toBeVisible()

  await ana.tab('Busca').click()
  await page.getByRole('searchbox').fill('jabuticabéira')
  await expect(ana.item(ines).locator('mark')).toHaveText('jabuticabeira')
  await expect(ana.item(ines)).toContainText('E a outra jabuticabeira?')
  await expect(ana.item(ines)).toContainText('aberto')
  await ana.tab('Abertos').click()

  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Buscar na conversa' }).click()
  const find = page.getByRole('search', { name: 'Buscar na conversa' })
  await find.getByRole('searchbox').fill('jabuticabeira')
  await expect(find.getByRole('status')).toHaveText('1 de 2')
  await expect.poll(() => marked(page)).toEqual(['jabuticabeira'])
  await page.keyboard.press('Enter')
  await expect(find.getByRole('status')).toHaveText('2 de 2')
  await expect(ana.bubble('Perdi a minha Jabuticabeira')).toBeInViewport()
  await expect.poll(() => marked(page)).toEqual(['Jabuticabeira'])
  await page.keyboard.press('Escape')
  await expect(find).toHaveCount(0)
  await expect.poll(() => marked(page)).toEqual([])

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Comandos/ }).fill('minha jabut')
  // Of today the time, as in the list.
  await expect(page.getByRole('option', { name: /Perdi a minha Jabut/ })).toHaveAccessibleName(/ · \d\d:\d\d$/)
  await page.getByRole('option', { name: /Perdi a minha Jabut/ }).click()
  await expect(ana.bubble('Perdi a minha Jabuticabeira')).toBeInViewport()
  await expect.poll(() => marked(page)).toEqual(['minha Jabut'])
})

test('what was looked for is in sight, also where it stands in the part of a long text that is folded away', async ({
  world,
  serving,
}) => {
  const { people, stack } = world
  const { agent: ana, contact: lia } = await serving(people.ana, 'Lia Prosa', 'Escrevo um livro')
  const { page } = ana
  await stack.phone.write(
    lia.number,
    `${'um parágrafo sem fim '.repeat(100)} e no meio a *agulha* ${'e mais '.repeat(800)}`,
  )
  for (let i = 0; i < 25; i++) await stack.phone.write(lia.number, `linha ${i}`)
  await expect(ana.bubble('linha 24')).toBeVisible()
  await ana.tab('Busca').click()
  await page.getByRole('searchbox').fill('agulha')
  await ana.item(lia).click()
  await expect(page.getByRole('button', { name: 'Ler menos' })).toHaveCount(1)
  const isInSight = () =>
    page.evaluate(() => {
      const [mark] = (CSS.highlights.get('sought') ?? []) as unknown as Iterable<Range>
      if (!mark) return false
      const [place, thread] = [mark, document.querySelector('[data-conversation]')!].map((one) =>
        one.getBoundingClientRect(),
      )
      return place!.top >= thread!.top && place!.bottom <= thread!.bottom
    })
  await expect.poll(() => marked(page)).toEqual(['agulha'])
  await expect.poll(isInSight).toBe(true)
  await page.getByRole('button', { name: 'Mais recentes' }).click()
  await expect(ana.bubble('linha 24')).toBeInViewport()
  // From inside the conversation, too, and with the text open already.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Buscar na conversa' }).click()
  await page.getByRole('search', { name: 'Buscar na conversa' }).getByRole('searchbox').fill('agulha')
  await expect.poll(() => marked(page)).toEqual(['agulha'])
  await expect.poll(isInSight).toBe(true)
})

/** What is marked in the conversation. */
const marked = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...((CSS.highlights.get('sought') ?? []) as Iterable<Range>)].map(String))

test('what only the server still has is found and opened where it was said, with what came before and after', async ({
  world,
  serving,
}) => {
  const { people, stack } = world
  const { agent: ana, contact: celia } = await serving(people.ana, 'Célia Norte', 'Bom dia de novo')
  const { page } = ana
  const [ticket] = await world.ticketsOf(celia)
  // A conversation that began more than a year ago: no browser holds so much.
  const sql = new Bun.SQL(stack.databaseUrl, { max: 1 })
  await sql`UPDATE tickets SET "createdAt" = now() - interval '400 days' WHERE id = ${ticket!.id}`
  await sql`INSERT INTO messages (id, "companyId", "ticketId", "contactId", "fromMe", body, "createdAt")
    SELECT gen_random_uuid()::text, t."companyId", t.id, t."contactId", n % 3 = 0,
      CASE n WHEN 60 THEN 'Encomenda de sequilhos para sábado' ELSE '[' || n || '] antiga' END,
      now() - interval '400 days' + n * interval '1 minute'
    FROM tickets t, generate_series(1, 120) n WHERE t.id = ${ticket!.id}`
  await sql.end()
  const order = ana.bubble('Encomenda de sequilhos')

  await ana.tab('Busca').click()
  await page.getByRole('searchbox').fill('sequilhos')
  await expect(ana.item(celia).locator('mark')).toHaveText('sequilhos')
  await ana.item(celia).click()
  await expect(order).toBeInViewport()
  await expect(ana.bubble('[59]')).toBeInViewport()
  await expect(ana.bubble('[61]')).toBeInViewport()

  // What lies between there and today comes as one scrolls there, and no hole is left.
  const thread = page.getByRole('group', { name: 'Mensagens' })
  const gap = page.getByText('Buscando as mensagens seguintes…')
  await expect(async () => {
    if ((await gap.count()) > 0) await gap.scrollIntoViewIfNeeded({ timeout: 1_000 })
    expect(await gap.count()).toBe(0)
  }).toPass()
  await thread.hover()
  await expect(async () => {
    await page.mouse.wheel(0, -400)
    await expect(ana.bubble('[1]')).toBeInViewport({ timeout: 200 })
  }).toPass()
  const numbers = async () => {
    const said = await thread.locator('[data-message]').allTextContents()
    return said.flatMap((text) => /\[(\d+)\]/.exec(text)?.[1] ?? []).map(Number)
  }
  await expect.poll(numbers).toEqual(Array.from({ length: 120 }, (_, i) => i + 1).filter((n) => n !== 60))

  // From the palette, and inside the conversation, from elsewhere in it.
  await page.getByRole('link', { name: 'Contatos' }).click()
  await expect(page.getByRole('heading', { name: 'Contatos' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Comandos/ }).fill('sequilhos')
  await page.getByRole('option', { name: /Encomenda de sequilhos/ }).click()
  await expect(order).toBeInViewport()
  await page.getByRole('button', { name: 'Mais recentes' }).click()
  await expect(ana.bubble('Bom dia de novo')).toBeInViewport()
  await expect(order).not.toBeInViewport()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Buscar na conversa' }).click()
  const find = page.getByRole('search', { name: 'Buscar na conversa' })
  await find.getByRole('searchbox').fill('sequilhos')
  await expect(find.getByRole('status')).toHaveText('1 de 1')
  await expect(order).toBeInViewport()
})

test('on a phone: one row of tabs, a field of full width with its tools behind a plus, a swipe that accepts', async ({
  world,
  signIn,
}) => {
  const { people, stack } = world
  const ana = await signIn(people.ana, phone)
  const { page } = ana
  const nilo = await world.contact('Nilo Vaz')
  await stack.phone.write(nilo.number, 'Aceita encomenda?')
  await expect(page.getByRole('tablist')).toHaveCount(1)
  await expect(ana.tab('Aguardando')).toContainText(/\d/)
  // All of its tabs are in sight, also on the smallest phone.
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => page.getByRole('tablist').evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0)
  }
  await ana.tab('Aguardando').click()
  // A device that can hums when letting go will do it.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'vibrate', {
      value: () => (document.body.dataset['hums'] = String(Number(document.body.dataset['hums'] ?? 0) + 1)),
    })
  })
  const hums = (count: number) => expect(page.locator('body')).toHaveAttribute('data-hums', String(count))
  const touch = await page.context().newCDPSession(page)
  const swipe = async (from: number, by: number) => {
    await atRest(ana.item(nilo))
    const box = (await ana.item(nilo).boundingBox())!
    const at = (x: number) => [{ x, y: box.y + 20 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
    for (const part of [0.1, 0.25, 0.5, 0.75, 1])
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(from + by * part) })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await expect(ana.item(nilo)).toBeVisible()
  await swipe(60, 160)
  await expect(ana.composer).toBeVisible()
  await expect.poll(async () => (await world.ticketsOf(nilo))[0]?.userId).toBe(people.ana.id)

  await hums(1)
  await expect.poll(() => widthOf(ana.composer)).toBeGreaterThan(250)
  await page.getByRole('button', { name: 'Anexar e mais' }).click()
  await page.getByRole('menuitem', { name: /Primeiro nome/ }).click()
  await expect(ana.composer).toHaveValue('Nilo')
  await expect(page.getByRole('button', { name: 'Resolver' })).toHaveText('Resolver')

  // To the other side it is resolved, unless the finger turns back.
  await ana.composer.fill('')
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await ana.tab('Atendendo').click()
  await expect(ana.item(nilo)).toBeVisible()
  await swipe(320, -60)
  await expect(ana.item(nilo)).toBeVisible()
  await hums(1)
  await swipe(320, -180)
  await expect(ana.toast('Atendimento resolvido')).toBeVisible()
  await hums(2)
  await expect.poll(async () => (await world.ticketsOf(nilo))[0]?.status).toBe('closed')
  // Resolved, too, its head says whose it is.
  await ana.tab('Resolvidos').click()
  await ana.item(nilo).locator('[data-item]').click()
  const name = page.getByRole('button', { name: 'Dados de Nilo Vaz' }).getByText('Nilo Vaz')
  await expect(name).toBeVisible()
  await expect.poll(() => cutOff(name)).toBe(0)
})

test('what takes the place of a row that a finger swiped away shows neither the keyboard’s ring nor the mouse’s buttons', async ({
  world,
  signIn,
}) => {
  const { people, stack, api } = world
  const names = ['Zuleica Alves', 'Zuleica Braga']
  const contacts = []
  for (const name of names) {
    const contact = await world.contact(name)
    await stack.phone.write(contact.number, 'Bom dia')
    await expect.poll(async () => (await world.ticketsOf(contact)).length).toBe(1)
    const [ticket] = await world.ticketsOf(contact)
    await api('PUT', `/tickets/${ticket!.id}`, { status: 'open', userId: people.ana.id })
    contacts.push(contact)
  }
  const ana = await signIn(people.ana, phone)
  const { page } = ana
  // The newer one stands above.
  const [heir, gone] = contacts
  // Nothing has had the focus yet: what takes it now would show the keyboard's ring.
  await page.reload()
  await ana.inboxReady()
  // The saved filters of another story may stand above the list: they are there by now, and a place is one in the list.
  await expect(page.getByRole('button', { name: 'Conectado' })).toBeVisible()
  await atRest(ana.item(gone!))
  const box = (await ana.item(gone!).boundingBox())!
  const place = (contact: Contact) =>
    ana
      .item(contact)
      .evaluate((item) => item.getBoundingClientRect().top - item.closest('[role="list"]')!.getBoundingClientRect().top)
  const its = await place(gone!)
  const touch = await page.context().newCDPSession(page)
  const at = (x: number) => [{ x, y: box.y + 20 }]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(320) })
  for (const x of [290, 240, 190, 140])
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(x) })
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect(ana.item(gone!)).toHaveCount(0)
  const row = ana.item(heir!).locator('[data-item]')
  await expect(row).toBeFocused()
  expect(await row.evaluate((element) => element.matches(':focus-visible'))).toBe(false)
  const resolve = ana.item(heir!).getByRole('button', { name: 'Resolver' })
  const seen = () => resolve.evaluate((button) => getComputedStyle(button.parentElement!).opacity)
  await expect.poll(seen).toBe('0')
  await expect.poll(() => place(heir!)).toBe(its)
  // Where a mouse would find it, a finger finds the row, which opens.
  const there = () =>
    resolve.evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button')?.dataset['item']
    })
  await expect.poll(there).toBe(await row.getAttribute('data-item'))
})

test('after a start no row slides away under the finger: the views stand above the first ones that are drawn', async ({
  world,
  serving,
}) => {
  const { agent: ana } = await serving(world.people.ana, 'Zoraide Lima', 'Bom dia', phone)
  const { page } = ana
  await page.getByRole('button', { name: 'Voltar à lista' }).tap()
  await page.getByRole('button', { name: 'Filtrar atendimentos' }).tap()
  // Only what is not saved yet can be saved: no other story saves this one.
  await page.getByRole('dialog', { name: 'Filtrar atendimentos' }).getByLabel('Só os que esperam resposta').tap()
  await ana.saveView('Esperam')
  await expect(page.getByRole('group', { name: 'Visões' })).toBeVisible()
  await expect.poll(() => rememberedAnswers(page)).toContain('saved_filters')
  await page.addInitScript(() => {
    const tops = new Set<number>()
    Object.assign(window, { tops })
    const look = () => {
      const row = document.querySelector('[data-ticket]')
      if (row) tops.add(row.getBoundingClientRect().top)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.reload()
  await ana.inboxReady()
  await expect(page.getByRole('group', { name: 'Visões' })).toBeVisible()
  const tops = await page.evaluate(() => [...(window as unknown as { tops: Set<number> }).tops])
  expect(tops).toHaveLength(1)

  await page.getByRole('button', { name: 'Menu', exact: true }).tap()
  await ana.deleteView('Esperam')
})

test('on a phone the lists of the profile menu stand whole in the window', async ({ world, signIn }) => {
  const { page } = await signIn(world.people.ana, phone)
  await visit(page, '/schedules')
  // A tap outside an open menu also does what stands there: here nothing, whatever other stories have left.
  const outside = page.getByRole('heading', { name: 'Agendamentos' })
  await outside.waitFor()
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 })
    for (const [name, item] of [
      ['Idioma', 'English'],
      ['Tema', 'Do sistema'],
    ] as const) {
      await page.getByRole('button', { name: 'Menu do perfil' }).tap()
      await page.getByRole('menuitem', { name }).tap()
      const list = page.getByRole('menu').filter({ has: page.getByRole('menuitemradio', { name: item }) })
      const sides = async () => {
        const { left, right } = await list.evaluate((menu) => menu.getBoundingClientRect().toJSON() as DOMRect)
        return left >= 0 && right <= width
      }
      await expect(list).toBeVisible()
      await expect.poll(sides).toBe(true)
      // A finger reaches what it says.
      await expect(list.getByRole('menuitemradio').first()).toBeInViewport({ ratio: 1 })
      await outside.tap({ position: { x: 8, y: 8 } })
      await expect(page.getByRole('menu')).toHaveCount(0)
    }
  }
})

test('a number that WhatsApp does not know stays where it was typed, to be put right', async ({ world, signIn }) => {
  const { page } = await signIn(world.people.ana, phone)
  await page.route('**/contacts', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 404, json: { error: 'ERR_WAPP_INVALID_CONTACT' } })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Novo atendimento' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Novo atendimento' })
  await dialog.getByLabel('Contato').tap()
  const search = page.getByRole('combobox', { name: 'Nome ou número' })
  await search.fill('11 90000-0009')
  await page.getByRole('option', { name: /Novo contato/ }).tap()
  await expect(dialog.getByText('Número sem WhatsApp')).toBeVisible()
  await expect(dialog.getByLabel('Contato')).toHaveText('11 90000-0009')
  await dialog.getByLabel('Contato').tap()
  await expect(search).toHaveValue('11 90000-0009')
  // A number with the last digit right is found or made as ever.
  await page.unroute('**/contacts')
  const rui = await world.contact('Rui Tavares')
  await search.fill(rui.number)
  await expect(dialog.getByText('Número sem WhatsApp')).toHaveCount(0)
  await page.getByRole('option', { name: /Novo contato/ }).tap()
  await expect(dialog.getByLabel('Contato')).toHaveText(/Rui Tavares|97\d{3}/)
  await dialog.getByLabel('Contato').tap()
  await expect(search).toHaveValue('')
})

test('a conversation that one begins says who began it, also behind its first message, and offers nothing older', async ({
  world,
  signIn,
}) => {
  const { people, api, stack, queues } = world
  const contact = await world.contact('Aurora Campos')
  const made = (await api('POST', '/contacts', {
    name: contact.name,
    number: `+${contact.number}`,
    email: '',
  })) as { id: number }
  const ticket = (await api('POST', '/tickets', {
    contactId: made.id,
    queueId: queues.sales,
    userId: people.ana.id,
    status: 'open',
  })) as { id: number; uuid: string }
  // Begun long before the first word.
  const sql = new Bun.SQL(stack.databaseUrl, { max: 1 })
  await sql`UPDATE tickets SET "createdAt" = now() - interval '20 minutes' WHERE id = ${ticket.id}`
  await sql`UPDATE ticket_events SET "createdAt" = now() - interval '20 minutes' WHERE "ticketId" = ${ticket.id}`
  await sql.end()
  const ana = await signIn(people.ana)
  const { page } = ana
  await visit(page, `/tickets/${ticket.uuid}`)
  const began = page.getByText(/iniciou o atendimento/)
  const older = page.getByText(/ensagens anteriores/)
  await expect(began).toBeVisible()
  await expect(older).toHaveCount(0)
  await ana.say('Olá, Aurora')
  await expect(ana.ticks('Olá, Aurora', 'Entregue')).toBeVisible()
  await expect(began).toBeVisible()
  await expect(older).toHaveCount(0)
  await page.reload()
  await expect(ana.bubble('Olá, Aurora')).toBeVisible()
  await expect(began).toBeVisible()
  await expect(older).toHaveCount(0)
})

test('on a phone neither a voice note nor a conversation that is taken up again brings up the keyboard, and the focus is not lost', async ({
  world,
  serving,
}) => {
  const { agent: ana, contact } = await serving(world.people.ana, 'Olívia Couto', 'Bom dia', phone)
  const { page } = ana
  const record = page.getByRole('button', { name: 'Gravar mensagem de voz' })
  for (const end of ['Enviar a gravação', 'Descartar a gravação']) {
    await record.tap()
    // Each second says another one: at least two of them.
    await page
      .getByRole('timer')
      .filter({ hasText: /0:(0[2-9]|[1-5]\d)/ })
      .waitFor()
    await page.getByRole('button', { name: end }).tap()
    await expect(record).toBeFocused()
    expect(await record.evaluate((button) => button.matches(':focus-visible'))).toBe(false)
  }
  await page.locator('header').getByRole('button', { name: 'Resolver' }).tap()
  await expect.poll(async () => (await world.ticketsOf(contact))[0]?.status).toBe('closed')
  await ana.tab('Resolvidos').tap()
  await ana.item(contact).locator('[data-item]').tap()
  await page.getByText('Este atendimento foi resolvido').locator('..').getByRole('button', { name: 'Reabrir' }).tap()
  await expect(ana.composer).toBeVisible()
  await expect(page.getByRole('group', { name: 'Mensagens' })).toBeFocused()
})

test('with large letters all tabs of the list are in sight, with what waits', async ({ world, signIn }) => {
  const { page, tab } = await signIn(world.people.ana, phone).then((ana) => ({
    page: ana.page,
    tab: ana.tab.bind(ana),
  }))
  const vera = await world.contact('Vera Linhares')
  await world.stack.phone.write(vera.number, 'Alô?')
  await expect(tab('Aguardando')).toContainText(/\d/)
  await page.addStyleTag({ content: 'html { font-size: 20px }' })
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => page.getByRole('tablist').evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0)
    for (const name of ['Atendendo', 'Aguardando', 'Resolvidos', 'Busca'] as const)
      await expect(tab(name)).toBeInViewport({ ratio: 1 })
    const waits = tab('Aguardando')
      .getByText(/^\d+\+?$/)
      .first()
    await expect(waits).toBeInViewport({ ratio: 1 })
    const sticksOut = () =>
      waits.evaluate(
        (count) => count.getBoundingClientRect().right - count.closest('[role="tab"]')!.getBoundingClientRect().right,
      )
    await expect.poll(sticksOut).toBeLessThanOrEqual(0)
  }
})

test('where the conversation has little room, as on a phone on its side, the composer’s tools are behind a plus', async ({
  world,
  serving,
}) => {
  const { agent: ana } = await serving(world.people.ana, 'Lídia Prado', 'Bom dia', phone)
  const { page } = ana
  await page.setViewportSize({ width: 844, height: 390 })
  const more = page.getByRole('button', { name: 'Anexar e mais' })
  await expect(more).toBeVisible()
  await expect(page.getByRole('button', { name: 'Anexar arquivos' })).toHaveCount(0)
  await expect.poll(() => widthOf(ana.composer)).toBeGreaterThan(250)
  // What is written stays when the window turns.
  await ana.composer.fill('Já vejo')
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('button', { name: 'Anexar arquivos' })).toBeVisible()
  await expect(more).toHaveCount(0)
  await expect(ana.composer).toHaveValue('Já vejo')
})

test('on a phone the head of a conversation says a long name as far as there is room, the queue whole, and what to do in a word', async ({
  world,
  signIn,
}) => {
  const { api, people, stack } = world
  const queueId = ((await api('POST', '/queue', { name: 'Encomendas', color: '#0d9488' })) as { id: number }).id
  const maria = await world.contact('Maria Aparecida dos Santos Nogueira')
  await stack.phone.write(maria.number, 'Quero um bolo de três andares')
  await expect.poll(async () => (await world.ticketsOf(maria)).length).toBe(1)
  const [hers] = await world.ticketsOf(maria)
  await api('PUT', `/users/${people.ana.id}`, { queueIds: [...Object.values(world.queues), queueId] })
  try {
    await api('PUT', `/tickets/${hers!.id}`, { status: 'open', userId: people.ana.id, queueId })
    const { page } = await signIn(people.ana, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await visit(page, `/tickets/${hers!.uuid}`)
    const head = page.locator('header').filter({ has: page.getByRole('button', { name: 'Mais ações' }) })
    const name = head.getByText(maria.name)
    const queue = head.getByText('Encomendas')
    // Two fifths of the window are the name's.
    await expect.poll(() => widthOf(name)).toBeGreaterThan(156)
    await expect.poll(() => cutOff(queue)).toBe(0)
    await expect(head.getByRole('button', { name: 'Resolver' })).toHaveText('Resolver')
    // What a finger hits is as large as ever, and nothing stands out at the side.
    for (const label of ['Voltar à lista', 'Mais ações']) {
      const hit = () =>
        head.getByRole('button', { name: label }).evaluate((button) => {
          const { x, y, width } = button.getBoundingClientRect()
          const [left, right] = [x + width / 2 - 20, x + width / 2 + 20]
          return [document.elementFromPoint(left, y + 2), document.elementFromPoint(right, y + 42)].map((one) =>
            one?.closest('button')?.getAttribute('aria-label'),
          )
        })
      await expect.poll(hit).toEqual([label, label])
    }
    await expect.poll(() => cutOff(head)).toBe(0)
  } finally {
    await api('PUT', `/users/${people.ana.id}`, { queueIds: Object.values(world.queues) })
    await api('DELETE', `/tickets/${hers!.id}`)
    await api('DELETE', `/queue/${queueId}`)
  }
})

test('who looks into a conversation that waits takes it over from there', async ({ world, signIn }) => {
  const helena = await signIn(world.people.helena)
  const { page } = helena
  const otto = await world.contact('Otto Brandt')
  await world.stack.phone.write(otto.number, 'Alguém aí?')
  await helena.tab('Aguardando').click()
  await helena.item(otto).getByRole('button', { name: 'Espiar a conversa' }).click()
  const look = page.getByRole('dialog', { name: 'Conversa com Otto Brandt' })
  await expect(look).toContainText('Alguém aí?')
  expect((await world.ticketsOf(otto))[0]).toMatchObject({ status: 'pending', unreadMessages: 1 })
  await look.getByRole('button', { name: 'Aceitar' }).click()
  await expect(look).toHaveCount(0)
  await expect(helena.composer).toBeFocused()
  await expect(helena.tab('Atendendo')).toHaveAttribute('aria-selected', 'true')
  await expect.poll(async () => (await world.ticketsOf(otto))[0]?.userId).toBe(world.people.helena.id)
})

test('the focus stays where one writes: after opening, after the palette, after a menu', async ({ world, serving }) => {
  const { agent: ana, contact: ivo } = await serving(world.people.ana, 'Ivo Castro', 'Posso retirar hoje?')
  const { page } = ana
  const olga = await world.contact('Olga Prates')
  await world.stack.phone.write(olga.number, 'E eu?')
  await expect.poll(async () => (await world.ticketsOf(olga)).length).toBe(1)
  const [hers] = await world.ticketsOf(olga)
  await world.api('PUT', `/tickets/${hers!.id}`, { status: 'open', userId: world.people.ana.id })
  await ana.open(olga)
  await ana.open(ivo)
  await expect(ana.composer).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /Comandos/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(ana.composer).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Comandos/ }).fill('olga pra')
  await page.getByRole('option', { name: /Olga Prates #/ }).click()
  await expect(page.getByRole('button', { name: 'Dados de Olga Prates' })).toBeVisible()
  await expect(ana.composer).toBeFocused()
  await page.getByRole('button', { name: 'Emoji', exact: true }).click()
  await expect(page.getByLabel('Buscar emoji')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(ana.composer).toBeFocused()
  // Neither the button that takes back nor the one that adds a note takes the focus along when it goes.
  await ana.say('Foi engano')
  await expect(ana.ticks('Foi engano', 'Entregue')).toBeVisible()
  await ana.choose('Foi engano', 'Apagar para todos')
  await expect(ana.composer).toBeFocused()
  await ana.toast('Mensagem apagada para todos').getByRole('button', { name: 'Desfazer' }).click()
  await expect(ana.toast('Mensagem apagada para todos')).toHaveCount(0)
  await expect(ana.composer).toBeFocused()
  await ana.note('Prefere ligar à tarde')
  await expect((await ana.panel('Observações')).getByRole('textbox')).toBeFocused()
  await openTransfer(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The dialog is gone a moment before it has given the focus back.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test('a tab shows the ring of the keyboard when the keyboard chose it, and none when it was clicked', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana)
  await page.goto('/tickets')
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const hasRing = (name: string) => tab(name).evaluate((element) => element.matches(':focus-visible'))
  await tab('Resolvidos').click()
  await expect(tab('Resolvidos')).toBeFocused()
  expect(await hasRing('Resolvidos')).toBe(false)
  await page.keyboard.press('ArrowLeft')
  await expect(tab('Abertos')).toBeFocused()
  expect(await hasRing('Abertos')).toBe(true)
  await tab('Resolvidos').click()
  await expect(tab('Resolvidos')).toBeFocused()
  expect(await hasRing('Resolvidos')).toBe(false)
})

test('a large file says how much of it has left, and is called back on the way', async ({ world, serving, line }) => {
  const { agent: ana, contact: rui } = await serving(world.people.ana, 'Rui Falcão', 'Manda o vídeo?', {
    baseURL: line.url,
  })
  const { page } = ana
  line.narrow(1_000_000)
  const film = { name: 'forno.zip', mimeType: 'application/zip', buffer: Buffer.alloc(15_000_000, 7) }
  await page.getByTestId('attach').setInputFiles(film, { timeout: 90_000 })
  await page.getByRole('dialog').getByRole('button', { name: 'Enviar', exact: true }).click()
  const part = ana.bubble('forno.zip').getByRole('progressbar', { name: 'Envio do arquivo' })
  const percent = async () => Number(await part.getAttribute('value'))
  await expect.poll(percent).toBeGreaterThanOrEqual(20)
  expect(await percent()).toBeLessThan(100)
  await expect(ana.bubble('forno.zip')).toContainText(/\d%/)
  await ana.bubble('forno.zip').getByRole('button', { name: 'Cancelar o envio' }).click()
  await expect(ana.bubble('forno.zip')).toHaveCount(0)
  line.narrow(Infinity)
  await ana.say('Mando por e-mail')
  await expect.poll(() => world.arrived(rui)).toEqual(['Mando por e-mail'])
  await expect(ana.waiting()).toHaveCount(0)
})

test('the icon of the installed app counts who waits, and stops counting whom one has read', async ({
  world,
  signIn,
}) => {
  const { people, stack } = world
  const ana = await signIn(people.ana)
  const { page } = ana
  await page.addInitScript(() => {
    const show = (count: number) => {
      document.documentElement.dataset['badge'] = String(count)
      return Promise.resolve()
    }
    Object.defineProperty(navigator, 'setAppBadge', { value: show })
    Object.defineProperty(navigator, 'clearAppBadge', { value: () => show(0) })
  })
  await page.reload()
  await ana.tab('Aguardando').click()
  const bell = page.getByRole('button', { name: /^Notificações/ })
  const told = async () => Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0] ?? 0)
  const badge = async () => Number(await page.locator('html').getAttribute('data-badge'))
  // Those who waited before are there when the last one is; they are counted as they come.
  const vilma = await world.contact('Vilma Rangel')
  await stack.phone.write(vilma.number, 'Tem alguém?')
  await expect(ana.item(vilma)).toBeVisible()
  let waiting = 0
  await expect(async () => {
    const last = waiting
    waiting = await badge()
    expect(waiting).toBeGreaterThan(0)
    expect([last, await told()]).toEqual([waiting, waiting])
  }).toPass({ intervals: [1_000] })
  await ana.accept(vilma)
  await expect.poll(badge).toBe(waiting - 1)
})

test('a file that has not left is called back, and never arrives', async ({ world, serving }) => {
  const { people } = world
  const { agent: ana, contact: davi } = await serving(people.ana, 'Davi Moura', 'Manda o catálogo?')
  const { page } = ana
  await ana.goOffline()
  await page.getByTestId('attach').setInputFiles({
    name: 'catalogo.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4 catalogo'),
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Enviar', exact: true }).click()
  await ana.bubble('catalogo.pdf').getByRole('button', { name: 'Cancelar o envio' }).click()
  await expect(ana.bubble('catalogo.pdf')).toHaveCount(0)
  await ana.goOnline()
  await ana.say('Segue por e-mail')
  await expect.poll(() => world.arrived(davi)).toEqual(['Segue por e-mail'])
})

test('a number in a message is written to; whoever is being served already is opened', async ({ world, serving }) => {
  const { people, stack } = world
  const { agent: ana, contact: lia } = await serving(people.ana, 'Lia Campos', 'Oi')
  const { page } = ana
  const written = `(${lia.number.slice(2, 4)}) ${lia.number.slice(4, 9)}-${lia.number.slice(9)}`
  await stack.phone.write(lia.number, `O meu é ${written}, o do meu irmão (11) 97777-0001; pedido 48213`)
  const bubble = ana.bubble('o do meu irmão')
  await expect(bubble.getByRole('button', { name: /^\(11\)|^\(/ })).toHaveCount(2)
  await bubble.getByRole('button', { name: written }).click()
  await page.getByRole('menuitem', { name: 'Abrir' }).click()
  await expect(ana.composer).toBeVisible()
  await bubble.getByRole('button', { name: '(11) 97777-0001' }).click()
  await expect(page.getByRole('menuitem', { name: 'Copiar número' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Conversar' }).click()
  await expect(page.getByRole('dialog')).toContainText('+55 11 97777-0001')
})

test('from the list of contacts one comes to the conversation that one has; of a colleague’s that one may not see, only whose it is is told', async ({
  world,
  serving,
}) => {
  const { people, queues } = world
  const { agent: ana, contact: rosa } = await serving(people.ana, 'Rosa Teles', 'Oi')
  const [ticket] = await world.ticketsOf(rosa)
  const hers = { status: 'open', queueId: queues.support, userId: people.ana.id }
  await world.api('PUT', `/tickets/${ticket!.id}`, hers)

  await ana.page.getByRole('link', { name: 'Contatos' }).click()
  // The list begins with thirty, and other stories have brought as many.
  await ana.page.getByLabel('Buscar por nome ou número').fill('Rosa Teles')
  await ana.page.getByRole('button', { name: 'Abrir atendimento com Rosa Teles' }).click()
  const dialog = ana.page.getByRole('dialog', { name: 'Novo atendimento' })
  await dialog.getByLabel('Fila').click()
  await ana.page.getByRole('option', { name: 'Vendas' }).click()
  await dialog.getByRole('button', { name: 'Iniciar' }).click()
  await expect(ana.page).toHaveURL(new RegExp(ticket!.uuid))
  await expect(ana.composer).toBeVisible()

  const written = `(${rosa.number.slice(2, 4)}) ${rosa.number.slice(4, 9)}-${rosa.number.slice(9)}`
  const { agent: bruno } = await serving(people.bruno, 'Tito Luz', `O número da Rosa é ${written}`)
  await bruno.bubble('O número da Rosa').getByRole('button', { name: written }).click()
  await expect(bruno.page.getByRole('menuitem', { name: 'Abrir' })).toHaveCount(0)
  await bruno.page.getByRole('menuitem', { name: 'Conversar' }).click()
  const begun = bruno.page.getByRole('dialog', { name: 'Novo atendimento' })
  await begun.getByRole('button', { name: 'Iniciar' }).click()
  await expect(begun.getByRole('alert')).toHaveText(
    'Este contato já está em atendimento com Ana Souza, na fila Suporte.',
  )
  expect(await world.ticketsOf(rosa)).toHaveLength(1)
})

test('what is written from right to left stands so in the bubble, in the list and in the field', async ({
  world,
  serving,
}) => {
  const { agent: ana, contact } = await serving(world.people.ana, 'Leila Haddad', 'Bom dia!')
  const direction = (of: Locator) => of.evaluate((element) => getComputedStyle(element).direction)
  const [hello, answer] = ['مرحبا، أريد كعكة', 'שלום, בשמחה']
  await world.stack.phone.write(contact.number, hello)
  expect(await direction(ana.bubble(hello).getByText(hello))).toBe('rtl')
  expect(await direction(ana.item(contact).getByText(hello))).toBe('rtl')
  expect(await direction(ana.bubble('Bom dia!').getByText('Bom dia!'))).toBe('ltr')
  await ana.composer.fill(answer)
  expect(await direction(ana.composer)).toBe('rtl')
  await ana.composer.press('Enter')
  await expect(ana.bubble(answer)).toBeVisible()
})

test('what was sent is found beside the conversation by kind, page by page, and leads back to where it was said', async ({
  world,
  serving,
}) => {
  const { people, stack } = world
  const { agent: ana, contact: gil } = await serving(people.ana, 'Gil Prates', 'Guarde: https://receitas.example/bolo')
  const { page } = ana
  for (let i = 0; i < 31; i++) await stack.phone.write(gil.number, `Receita ${i}: www.receitas.example/${i}`)
  await stack.phone.writeFile(gil.number, Buffer.from('%PDF-1.4 nota'), {
    kind: 'document',
    mimetype: 'application/pdf',
    name: 'nota-fiscal.pdf',
  })
  await expect(ana.bubble('nota-fiscal.pdf').getByRole('button', { name: /Baixar/ })).toBeEnabled()
  await ana.panel('Observações')
  await page.getByRole('button', { name: 'Mídia, arquivos e links' }).click()
  const shared = page.getByRole('region', { name: 'Mídia, arquivos e links' })
  await expect(shared).toContainText('Nenhuma foto ou vídeo')
  await shared.getByRole('tab', { name: 'Arquivos' }).click()
  const download = page.waitForEvent('download')
  await shared.getByRole('button', { name: 'Baixar nota-fiscal.pdf' }).click()
  expect((await download).suggestedFilename()).toBe('nota-fiscal.pdf')
  await shared.getByRole('tab', { name: 'Links' }).click()
  await expect(shared.getByRole('listitem')).toHaveCount(30)
  await shared.getByRole('button', { name: 'Mostrar mais' }).click()
  await expect(shared.getByRole('listitem')).toHaveCount(32)
  const link = shared.getByRole('link', { name: 'Abrir https://receitas.example/bolo' })
  await expect(link).toHaveAttribute('rel', /noopener/)
  await shared.getByRole('button', { name: 'Ver receitas.example/bolo na conversa' }).click()
  await expect(ana.bubble('Guarde:')).toBeInViewport()
  await shared.getByRole('button', { name: 'Voltar aos dados do contato' }).click()
  await expect(page.getByRole('button', { name: 'Mídia, arquivos e links' })).toBeFocused()
})

test('what is scheduled stands below the conversation and is called off there; a quick reply is read before it is taken', async ({
  world,
  serving,
}) => {
  const { people } = world
  const { agent: ana, contact: noel } = await serving(people.ana, 'Noel Brandão', 'Me lembra amanhã?')
  const { page } = ana
  const [ticket] = await world.ticketsOf(noel)
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  const { contactId } = ticket as unknown as { contactId: number }
  const status = await page.evaluate(
    async (schedule) => {
      const { token } = JSON.parse(localStorage.getItem('balcao.session')!) as { token: string }
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      return (await fetch('/schedules', { method: 'POST', headers, body: JSON.stringify(schedule) })).status
    },
    { contactId, body: '{{firstName}}, lembrete do bolo. {{user}}', sendAt },
  )
  expect(status).toBe(200)
  const scheduled = page.getByRole('group', { name: 'Mensagens' }).getByRole('region', { name: 'Envios agendados' })
  // As it will read.
  await expect(scheduled).toContainText('Noel, lembrete do bolo. Ana Souza')
  await scheduled.getByRole('button', { name: /Cancelar o envio agendado/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar o envio' }).click()
  await expect(scheduled).toHaveCount(0)

  const { id } = (await world.api('POST', '/quick-messages', {
    shortcode: 'noelzinho',
    message: 'Olá, {{firstName}}! Quem fala é a padaria.',
    geral: true,
  })) as { id: number }
  await ana.composer.fill('/noelz')
  const replies = page.getByRole('listbox', { name: 'Respostas rápidas' })
  await expect(replies.getByRole('option', { selected: true })).toContainText('Olá, Noel! Quem fala é a padaria.')
  await ana.composer.press('Enter')
  await expect(ana.composer).toHaveValue('Olá, Noel! Quem fala é a padaria.')
  await world.api('DELETE', `/quick-messages/${id}`)
})

test('rows hold still under the pointer: a second click never takes the conversation of somebody else', async ({
  world,
  signIn,
}) => {
  const { people, stack } = world
  const ana = await signIn(people.ana)
  const { page } = ana
  const [first, second] = [await world.contact('Alba Primeira'), await world.contact('Bento Segundo')]
  // The one that wrote last stands above.
  await stack.phone.write(second.number, 'Posso esperar')
  await ana.tab('Aguardando').click()
  await expect(ana.item(second)).toBeVisible()
  await stack.phone.write(first.number, 'Tenho pressa')
  await expect(ana.item(first)).toBeVisible()

  const accept = ana.item(first).getByRole('button', { name: 'Aceitar' })
  await accept.click({ trial: true })
  const box = (await accept.boundingBox())!
  const at = [box.x + box.width / 2, box.y + box.height / 2] as const
  await page.mouse.move(...at)
  // From the frame on in which something else stands there, somebody clicks in each one, until that is the button that gives
  // the conversation back.
  const pressedAgain = page.evaluate(
    ([x, y]) =>
      new Promise<string[]>((pressed) => {
        const names: string[] = []
        const look = () => {
          const there = document.elementFromPoint(x, y)?.closest('button')
          const name = there?.getAttribute('aria-label') ?? there?.innerText ?? ''
          if (there && !name.includes('Aceitar')) {
            const init = { bubbles: true, cancelable: true, clientX: x, clientY: y }
            there.dispatchEvent(new PointerEvent('pointerdown', init))
            there.dispatchEvent(new MouseEvent('click', init))
            names.push(name)
          }
          if (name.includes('Devolver')) pressed(names)
          else requestAnimationFrame(look)
        }
        look()
      }),
    at,
  )
  await page.mouse.click(...at)
  // A hand never rests entirely. What shows only under the pointer may else wait for the next thing that moves.
  let isPressed = false
  void pressedAgain.finally(() => (isPressed = true))
  for (let step = 1; !isPressed; step = -step) {
    await page.mouse.move(at[0] + step, at[1])
    await page.waitForTimeout(100)
  }
  expect((await pressedAgain).at(-1)).toContain('Devolver')
  await expect(ana.tab('Atendendo')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('button', { name: `Dados de ${first.name}` })).toBeVisible()
  await expect.poll(async () => (await world.ticketsOf(first))[0]?.userId).toBe(people.ana.id)
  await expect(ana.waiting()).toHaveCount(0)
  expect((await world.ticketsOf(first))[0]).toMatchObject({ status: 'open', userId: people.ana.id })
  expect((await world.ticketsOf(second))[0]).toMatchObject({ status: 'pending', userId: null })
})
