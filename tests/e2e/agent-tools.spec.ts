import { PIXEL } from '../example-data.ts'
import { visit } from './visit.ts'
import { expect, test } from './world.ts'

test('a reply kept under a short name is found after a slash, filled in for the contact, and sent', async ({
  world,
  signIn,
}) => {
  const { stack, people, api } = world
  for (const [shortcode, message] of [
    ['pix', 'Oi {{firstName}}, a chave é o nosso CNPJ.'],
    ['pix-comprovante', 'Pode mandar o comprovante por aqui?'],
  ])
    await api('POST', '/quick-messages', { shortcode, message, geral: true, status: true })
  const ana = await signIn(people.ana)
  const contact = await world.contact('Rosa Maria Telles')
  await stack.phone.write(contact.number, 'Como eu pago?')
  await ana.accept(contact)

  const list = ana.page.getByRole('listbox', { name: 'Respostas rápidas' })
  await ana.composer.pressSequentially('/')
  await expect(list).toBeHidden()
  await ana.composer.pressSequentially('pi')
  await expect(list.getByRole('option')).toHaveText([
    // The chosen one as this contact would read it.
    /^pix ?Oi Rosa, a chave é o nosso CNPJ\.$/,
    'pix-comprovante – Pode mandar o co…',
  ])
  await ana.page.keyboard.press('ArrowDown')
  await expect(list.getByRole('option', { selected: true })).toContainText('pix-comprovante')
  await ana.page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await ana.composer.pressSequentially('x')
  await ana.page.keyboard.press('Enter')
  await expect(ana.composer).toHaveValue('Oi Rosa, a chave é o nosso CNPJ.')
  await ana.page.keyboard.press('Enter')
  await expect(ana.ticks('Oi Rosa, a chave é', 'Entregue')).toBeVisible()

  await ana.page.getByRole('button', { name: 'Variáveis da mensagem' }).click()
  await ana.page.getByRole('menuitem', { name: /Número do protocolo/ }).click()
  const [ticket] = await world.ticketsOf(contact)
  await expect(ana.composer).toHaveValue(new RegExp(`^\\d{8}-${ticket!.id}$`))
})

test('a message is scheduled from the conversation, stands with the contact, and can be taken back', async ({
  world,
  signIn,
}) => {
  const { stack, people } = world
  const ana = await signIn(people.ana)
  const contact = await world.contact('Otávio Reis')
  await stack.phone.write(contact.number, 'Me lembra amanhã?')
  await ana.accept(contact)

  await ana.page.getByRole('button', { name: 'Mais ações' }).click()
  await ana.page.getByRole('menuitem', { name: 'Agendar mensagem' }).click()
  const dialog = ana.page.getByRole('dialog', { name: 'Agendar mensagem' })
  // Also when the menu that it was chosen from has gone.
  await expect(ana.page.getByRole('menu')).toHaveCount(0)
  await expect(dialog.getByLabel('Mensagem')).toBeFocused()
  await dialog.getByLabel('Mensagem').fill('oi')
  await dialog.getByLabel('Enviar em').fill('')
  await dialog.getByRole('button', { name: 'Agendar' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(['Mensagem muito curta', 'Obrigatório'])
  await dialog.getByLabel('Mensagem').fill('A encomenda fica pronta às 10 h')
  await dialog.getByLabel('Enviar em').fill('2031-05-06T09:30')
  await dialog.getByTestId('schedule-file').setInputFiles({
    name: 'bolo.png',
    mimeType: 'image/png',
    buffer: PIXEL,
  })
  await dialog.getByRole('button', { name: 'Agendar' }).click()
  await ana.told(/Mensagem agendada para 06\/05\/2031,? 09:30/)
  await expect(ana.page).toHaveURL(/\/schedules$/)
  await ana.page.goBack()

  await ana.page.getByRole('button', { name: 'Mostrar os dados do contato' }).click()
  const scheduled = ana.page.getByRole('region', { name: 'Mensagens agendadas' })
  await expect(scheduled).toContainText('A encomenda fica pronta às 10 h')
  await expect(scheduled.getByRole('img', { name: 'com arquivo' })).toBeVisible()
  await scheduled.getByRole('button', { name: /Excluir o agendamento/ }).click()
  await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(scheduled).toContainText('Nenhuma mensagem agendada')
  await expect(ana.page.getByRole('region', { name: 'Linha do tempo' })).toContainText(
    'Ana Souza aceitou o atendimento',
  )
})

test('what was begun on one device stands in the field on the next, until it is sent', async ({ world, signIn }) => {
  const { stack, people } = world
  const bruno = await signIn(people.bruno)
  const [first, second] = [await world.contact('Lia Prates'), await world.contact('Caio Brandt')]
  for (const contact of [first, second]) {
    await stack.phone.write(contact.number, 'oi')
    await bruno.accept(contact)
  }
  await bruno.composer.pressSequentially('Vou conferir no estoque e')
  await bruno.open(first)
  await expect(bruno.item(second)).toContainText('Rascunho: Vou conferir no estoque e')
  await expect(bruno.page.getByText('à espera')).toBeHidden()

  const laptop = await signIn(people.bruno)
  await laptop.tab('Atendendo').click()
  await expect(laptop.item(second)).toContainText('Rascunho: Vou conferir no estoque e')
  await laptop.open(second)
  await expect(laptop.composer).toHaveValue('Vou conferir no estoque e')
  await laptop.composer.press('End')
  await laptop.composer.pressSequentially(' já volto')
  await laptop.composer.press('Enter')
  await expect(laptop.ticks('Vou conferir no estoque e já volto', 'Entregue')).toBeVisible()
  await expect(laptop.composer).toHaveValue('')
  await laptop.open(first)
  await expect(laptop.item(second)).not.toContainText('Rascunho')
  await laptop.page.reload()
  await laptop.open(second)
  await expect(laptop.composer).toHaveValue('')
})

test('a colleague who opens the conversation is seen there, and is warned of while writing', async ({
  world,
  signIn,
}) => {
  const { stack, people } = world
  const [ana, helena] = [await signIn(people.ana), await signIn(people.helena)]
  const contact = await world.contact('Ivo Sampaio')
  await stack.phone.write(contact.number, 'Quem me atende?')
  await ana.accept(contact)
  const here = ana.page.getByRole('status', { name: 'Quem está aqui' })
  await expect(here).toHaveText('')

  const [ticket] = await world.ticketsOf(contact)
  await visit(helena.page, `/tickets/${ticket!.uuid}`)
  await expect(here).toContainText('Helena Prado está vendo')
  await expect(helena.page.getByRole('status', { name: 'Quem está aqui' })).toContainText('Ana Souza está vendo')
  await helena.composer.pressSequentially('Boa')
  await expect(ana.page.getByText('Helena Prado está escrevendo uma resposta neste atendimento.')).toBeVisible()
  await helena.composer.fill('')
  await visit(helena.page, '/contacts')
  await expect(here).toHaveText('')
  await expect(ana.page.getByText('Helena Prado está escrevendo')).toBeHidden()
})

test('a filter is kept under a name, put on with a click, renamed and thrown away', async ({ world, signIn }) => {
  const { stack, people } = world
  const ana = await signIn(people.ana)
  const [one, two] = [await world.contact('Sílvia Antunes'), await world.contact('Breno Campos')]
  await stack.phone.write(one.number, 'um')
  await ana.accept(one)
  await stack.phone.write(two.number, 'dois')
  await ana.accept(two)
  await stack.phone.write(one.number, 'ainda aí?')
  await ana.tab('Atendendo').click()
  await expect(ana.item(one)).toContainText('1 não lida')

  await ana.page.getByRole('button', { name: 'Filtrar atendimentos' }).click()
  const panel = ana.page.getByRole('dialog', { name: 'Filtrar atendimentos' })
  await panel.getByLabel('Só com mensagens não lidas').click()
  await expect(ana.item(two)).toBeHidden()
  await ana.saveView('Por responder')
  await expect(ana.item(one)).toBeVisible()
  await expect(ana.item(two)).toBeHidden()

  await ana.tab('Abertos').click()
  await ana.tab('Atendendo').click()
  await expect(ana.item(two)).toBeVisible()
  await ana.page.reload()
  await ana.view('Por responder').click()
  await expect(ana.item(one)).toBeVisible()
  await expect(ana.item(two)).toBeHidden()

  await ana.view('Por responder').hover()
  await ana.page.getByRole('button', { name: 'Ações de Por responder' }).click()
  await ana.page.getByRole('menuitem', { name: 'Editar' }).click()
  await ana.page.getByRole('dialog', { name: 'Editar visão' }).getByLabel('Nome').fill('Sem resposta')
  await ana.page.keyboard.press('Enter')
  await expect(ana.view('Sem resposta')).toBeVisible()
  await ana.deleteView('Sem resposta')
  await ana.page.keyboard.press('z')
  await expect(ana.view('Sem resposta')).toBeVisible()
  await ana.deleteView('Sem resposta')
})

test('what an agent puts aside leaves the list, is taken back, and comes back with its note when the contact writes or its time has come', async ({
  world,
  serving,
}) => {
  const { people, stack } = world
  const { agent: ana, contact: ilda } = await serving(people.ana, 'Ilda Prates', 'Depois eu vejo')
  const { page } = ana
  const aside = page.getByRole('tab', { name: 'Adiados' })
  const dialog = page.getByRole('dialog', { name: 'Adiar o atendimento de Ilda Prates' })
  const putAside = async (choice: string, note: string) => {
    await page.locator('header').getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Adiar', exact: true }).click()
    await dialog.getByLabel('Até quando').click()
    await page.getByRole('option', { name: choice }).click()
    await dialog.getByLabel('Lembrete (opcional)').fill(note)
    await dialog.getByRole('button', { name: 'Adiar' }).click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/tickets$/)
    await expect(ana.item(ilda)).toHaveCount(0)
  }

  // Without a network, and taken back.
  await ana.goOffline()
  await putAside('Até o contato responder', 'Cobrar o boleto')
  await ana.toast('Atendimento adiado').getByRole('button', { name: 'Desfazer' }).click()
  await expect(ana.composer).toBeVisible()
  await ana.goOnline()
  await expect(ana.waiting()).toHaveCount(0)
  await expect(aside).toHaveCount(0)
  await expect(page.getByText('Ana Souza desfez o adiamento')).toBeVisible()

  await putAside('Até o contato responder', 'Cobrar o boleto')
  await aside.click()
  await expect(ana.item(ilda)).toContainText('Até o contato responder: Cobrar o boleto')
  await expect(ana.waiting()).toHaveCount(0)
  await stack.phone.write(ilda.number, 'Já paguei!')
  await ana.tab('Atendendo').click()
  await expect(ana.item(ilda)).toContainText('Cobrar o boleto')
  await expect(aside).toHaveCount(0)

  await ana.open(ilda)
  await expect(page.getByText('O contato escreveu e o atendimento adiado voltou')).toBeVisible()
  // By the keyboard alone: until Monday, taken back, and until Monday again, from where it is called back.
  const press = (key: string) => page.keyboard.press(key)
  const row = page.locator(`[data-item]:focus`).filter({ hasText: 'Ilda Prates' })
  await press('Escape')
  for (const isTakenBack of [true, false]) {
    await expect(row).toBeFocused()
    await press('h')
    await expect(dialog.getByLabel('Até quando')).toBeFocused()
    await press('Enter')
    await expect(page.getByRole('option', { name: 'Amanhã de manhã' })).toBeFocused()
    await press('ArrowDown')
    await expect(page.getByRole('option', { name: 'Segunda-feira de manhã' })).toBeFocused()
    await press('Enter')
    await expect(dialog.getByLabel('Até quando')).toBeFocused()
    await press('Tab')
    await page.keyboard.type(' cedo')
    for (let i = 0; i < 3; i++) await press('Tab')
    await expect(dialog.getByRole('button', { name: 'Adiar' })).toBeFocused()
    await press('Enter')
    await expect(page).toHaveURL(/\/tickets$/)
    await expect(ana.item(ilda)).toHaveCount(0)
    if (!isTakenBack) continue
    await press('z')
    await expect(ana.composer).toBeFocused()
    await press('Escape')
  }
  await press('4')
  await expect(row).toBeFocused()
  await press('Enter')
  await expect(ana.composer).toBeFocused()
  await press('Control+k')
  await page.keyboard.type('voltar agora')
  await expect(page.getByRole('option', { name: 'Voltar agora' })).toBeVisible()
  await press('Enter')
  await expect(aside).toHaveCount(0)

  await putAside('Daqui a 1 hora', 'Ligar')
  await expect(aside).toBeVisible()
  await expect(ana.waiting()).toHaveCount(0)
  // The hour is over.
  const [ticket] = await world.ticketsOf(ilda)
  const sql = new Bun.SQL(stack.databaseUrl, { max: 1 })
  await sql`UPDATE tickets SET "snoozedUntil" = now() WHERE id = ${ticket!.id}`
  await sql.close()
  await expect(ana.item(ilda)).toContainText('Ligar', { timeout: 30_000 })
  await expect(aside).toHaveCount(0)
})
