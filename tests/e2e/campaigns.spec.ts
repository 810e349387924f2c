import { axeFindings } from '../support/axe.ts'
import { visit } from './visit.ts'
import { expect, intercept, test, type World } from './world.ts'

test('an admin makes a list and a campaign, sees dry what would happen, sends it, and reads the answer', async ({
  world,
  signIn,
}) => {
  const contact = await world.contact('Clara Nunes')
  const { page } = await signIn(world.people.helena)
  const shot = async (name: string) => {
    if (!process.env['PICTURES']) return
    await page.screenshot({ path: `${process.env['PICTURES']}/${name}.png` })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.waitForTimeout(600)
    await page.screenshot({ path: `${process.env['PICTURES']}/${name}-phone.png` })
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  await visit(page, '/contact-lists')
  await page.getByRole('button', { name: 'Adicionar lista' }).first().click()
  await page.getByLabel('Nome').fill('Clientes de dezembro')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByRole('link', { name: 'Clientes de dezembro', exact: true }).click()
  await page.getByRole('button', { name: 'Adicionar contato' }).first().click()
  await page.getByLabel('Nome').fill(contact.name)
  await page.getByLabel('Número').fill(contact.number)
  await page.getByRole('button', { name: 'Salvar' }).click()
  // WhatsApp was asked about the number by itself.
  await expect(page.getByRole('img', { name: 'Tem WhatsApp', exact: true })).toBeVisible()
  expect.soft(await axeFindings(page)).toEqual([])
  await shot('items')

  await visit(page, '/campaigns')
  await page.getByRole('button', { name: 'Nova campanha' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('Natal')
  await dialog.getByLabel('Lista de contatos').click()
  await page.getByRole('option', { name: 'Clientes de dezembro' }).click()
  // A list that is still closing takes the focus back, and closes the next one.
  await expect(page.getByRole('option')).toHaveCount(0)
  await dialog.getByLabel('Conexão').click()
  await page.getByRole('option').first().click()
  await dialog.getByRole('switch', { name: /Proteger o número/ }).click()
  await dialog.getByLabel('Mensagem', { exact: true }).fill('Feliz Natal, ')
  await dialog.getByRole('button', { name: '{nome}' }).click()
  await expect(dialog.getByText('Feliz Natal, Ana Souza')).toBeVisible()
  expect.soft(await axeFindings(page)).toEqual([])
  await shot('dialog')
  await dialog.getByRole('button', { name: 'Salvar' }).click()

  await page.getByRole('button', { name: 'Iniciar Natal' }).click()
  await expect(page.getByText('1 pessoa vai receber')).toBeVisible()
  expect.soft(await axeFindings(page)).toEqual([])
  await shot('start')
  await page.getByRole('button', { name: 'Iniciar agora' }).click()
  await expect.poll(() => world.arrived(contact)).toEqual([`Feliz Natal, ${contact.name}`])
  await shot('list')
  await page.getByRole('link', { name: 'Relatório de Natal' }).click()
  await expect(page.getByText('Entregues: 1 de 1 contato válido')).toBeVisible()
  await expect(page.getByText('Finalizada')).toBeVisible()
  expect(await world.ticketsOf(contact)).toEqual([])

  // What is over can be read, and there is nothing to save.
  await visit(page, '/campaigns')
  await page.getByRole('button', { name: 'Editar Natal' }).click()
  await expect(dialog.getByText('A campanha terminou: agora só pode ser lida.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Salvar' })).toHaveCount(0)
  await shot('read-only')
  await dialog.getByRole('button', { name: 'Fechar' }).last().click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: 'Relatório de Natal' }).click()

  await world.stack.phone.write(contact.number, 'Obrigada!')
  await expect.poll(async () => (await world.ticketsOf(contact)).length).toBe(1)
  await page.reload()
  await expect(page.getByText('Respondidas')).toBeVisible()
  expect.soft(await axeFindings(page)).toEqual([])
  await shot('report')
  // The person, how far they are, and the ticket of their answer.
  const people = page.getByRole('region', { name: 'Pessoas da campanha' })
  await people.getByRole('combobox', { name: 'Situação' }).click()
  await page.getByRole('option', { name: 'Falhou' }).click()
  await expect(people.getByText('Ninguém desta campanha está assim.')).toBeVisible()
  await people.getByRole('combobox', { name: 'Situação' }).click()
  await page.getByRole('option', { name: 'Respondida' }).click()
  await people.getByRole('link', { name: `atendimento de ${contact.name}` }).click()
  await expect(page.getByText(`Feliz Natal, ${contact.name}`).first()).toBeVisible()
  await visit(page, '/segments')
  await page.getByRole('button', { name: 'Novo segmento' }).first().click()
  await page.getByRole('dialog').getByLabel('Nome').fill('De dezembro')
  await page.getByRole('combobox', { name: 'Regra' }).click()
  await page.getByRole('option', { name: 'Lista de contatos' }).click()
  await page.getByRole('dialog').getByLabel('Está em').click()
  await page.getByRole('option', { name: 'Clientes de dezembro' }).click()
  await expect(page.getByText('1 pessoa agora')).toBeVisible()
  expect.soft(await axeFindings(page)).toEqual([])
  await shot('segment')
  await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('lista Clientes de dezembro')).toBeVisible()
  await visit(page, '/campaigns-config')
  await expect(page.getByLabel('Entre mensagens')).toBeVisible()
  expect.soft(await axeFindings(page)).toEqual([])
  await shot('settings')
  await visit(page, '/opt-outs')
  await expect(page.getByText('Nenhum descadastro')).toBeVisible()
  expect.soft(await axeFindings(page)).toEqual([])
  await shot('opt-outs')
  // An agent who hears it in a conversation notes it there, and is warned from then on.
  const [ticket] = await world.ticketsOf(contact)
  await visit(page, `/tickets/${ticket!.uuid}`)
  // This one: the rows of others in the list have a button of that name.
  await page.locator('header').getByRole('button', { name: 'Aceitar' }).click()
  const note = page.getByRole('button', { name: 'Registrar descadastro' })
  await page.getByRole('button', { name: 'Mostrar os dados do contato' }).click()
  await note.click()
  await page.getByRole('button', { name: 'Registrar', exact: true }).click()
  await expect(page.getByText('Este contato pediu para não receber divulgação.')).toBeVisible()
  expect.soft(await axeFindings(page)).toEqual([])
  await shot('warned')
})

/** A campaign of the company to one person, made as a program makes it. */
async function made(world: World, name: string, values: object = {}): Promise<{ id: number }> {
  const contact = await world.contact(`Pessoa de ${name}`)
  const list = (await world.api('POST', '/contact-lists', { name: `Lista de ${name}` })) as { id: number }
  await world.api('POST', '/contact-list-items', { ...contact, contactListId: list.id })
  const usual = { name, message1: 'Oi {nome}', whatsappId: world.whatsappId, contactListId: list.id }
  return (await world.api('POST', '/campaigns', { ...usual, ...values })) as { id: number }
}

/** What a field takes that is a moment on the clock of this machine, some minutes from now. */
function typed(minutes: number): string {
  const at = new Date(Date.now() + minutes * 60_000)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(at.getDate())}/${two(at.getMonth() + 1)}/${at.getFullYear()} ${two(at.getHours())}:${two(at.getMinutes())}`
}

test('a campaign whose file did not arrive is one campaign when it is saved again, and keeps its date', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.helena)
  await visit(page, '/campaigns')
  await page.getByRole('button', { name: 'Nova campanha' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('Catálogo')
  // So near to its date a campaign takes no file any more: the file comes first.
  await dialog.getByLabel('Agendamento', { exact: true }).fill(typed(30))
  await dialog
    .getByTestId('campaign-file')
    .setInputFiles({ name: 'catalogo.txt', mimeType: 'text/plain', buffer: Buffer.from('Preços') })
  const save = dialog.getByRole('button', { name: 'Salvar' })
  const stored = async () => {
    const { records } = (await world.api('GET', '/campaigns?searchParam=Catálogo')) as { records: object[] }
    return records
  }
  await intercept(page, '**/media-upload', (route) => route.abort())
  for (let tries = 0; tries < 2; tries++) {
    await save.click()
    await expect(dialog.getByText('Sem conexão com o servidor')).toBeVisible()
    await expect(save).toBeEnabled()
  }
  // Without its file it does not leave when the date comes.
  expect(await stored()).toMatchObject([{ status: 'INATIVA', mediaName: null }])
  await page.unroute('**/media-upload')
  await save.click()
  await expect(dialog).toBeHidden()
  expect(await stored()).toMatchObject([{ status: 'PROGRAMADA', mediaName: 'catalogo.txt' }])
})

test('a date that has passed is refused at its field, and what would end a campaign on its date is said before', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.helena)
  await visit(page, '/campaigns')
  await page.getByRole('button', { name: 'Nova campanha' }).first().click()
  const dialog = page.getByRole('dialog')
  const warnings = dialog.getByRole('status')
  const date = dialog.getByLabel('Agendamento', { exact: true })
  await dialog.getByLabel('Nome').fill('Ontem')
  await expect(warnings).toHaveCount(0)
  await date.fill(typed(-24 * 60))
  await expect(warnings).toHaveText([
    'Sem lista, etiqueta ou segmento, a campanha termina na data marcada sem enviar nada',
    'Sem conexão, a campanha termina na data marcada sem enviar nada',
  ])
  await dialog.getByLabel('Conexão').click()
  await page.getByRole('option').first().click()
  await expect(warnings).toHaveCount(1)
  await dialog.getByLabel('Mensagem', { exact: true }).fill('Oi {nome}, {desconto} só hoje')
  await expect(dialog.getByText('Oi Ana Souza,  só hoje')).toBeVisible()
  await expect(dialog.getByText('Sem valor: desconto')).toBeVisible()
  await dialog
    .getByTestId('campaign-file')
    .setInputFiles({ name: 'catalogo.txt', mimeType: 'text/plain', buffer: Buffer.from('Bolos') })
  expect.soft(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Essa data já passou: escolha outra, ou deixe vazio para iniciar você mesmo',
  )
  await expect(date).toBeFocused()
  await expect(date).toHaveAttribute('aria-invalid', 'true')
  expect(await world.api('GET', '/campaigns?searchParam=Ontem')).toMatchObject({ records: [] })
  await date.fill(typed(24 * 60))
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row', { name: /Ontem/ })).toContainText('Programada')
})

test('a campaign that waits, runs or is paused is cancelled from its row and from its report', async ({
  world,
  signIn,
}) => {
  // Nobody confirms: it stays as it is.
  const asks = { confirmation: true, confirmationMessage1: 'Quer receber?' }
  const begun = await made(world, 'Começada', asks)
  await world.api('POST', `/campaigns/${begun.id}/start`)
  const paused = await made(world, 'Parada', asks)
  await world.api('POST', `/campaigns/${paused.id}/start`)
  await world.api('POST', `/campaigns/${paused.id}/pause`)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const waiting = await made(world, 'Marcada', { scheduledAt: tomorrow })
  const { page } = await signIn(world.people.helena)
  await page.setViewportSize({ width: 1440, height: 900 })
  await visit(page, '/campaigns')
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await expect(row('Começada').getByRole('button', { name: 'Pausar Começada' })).toBeVisible()
  await row('Começada').getByRole('button', { name: 'Cancelar campanha Começada' }).click()
  await expect(row('Começada')).toContainText('Cancelada')

  // What waits for its date loses it: this is asked.
  await row('Marcada').getByRole('button', { name: 'Cancelar campanha Marcada' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cancelar a campanha Marcada?' })
  expect.soft(await axeFindings(page)).toEqual([])
  await question.getByRole('button', { name: 'Voltar' }).click()
  await expect(question).toBeHidden()
  await expect(row('Marcada')).toContainText('Programada')
  await visit(page, `/campaign/${waiting.id}/report`)
  await page.getByRole('button', { name: 'Cancelar campanha' }).click()
  await question.getByRole('button', { name: 'Cancelar campanha' }).click()
  await expect(page.getByText('Cancelada', { exact: true })).toBeVisible()

  await visit(page, '/campaigns')
  await expect(row('Parada').getByRole('button', { name: 'Cancelar campanha Parada' })).toBeVisible()
  await visit(page, `/campaign/${paused.id}/report`)
  await expect(page.getByRole('button', { name: 'Retomar' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancelar campanha' }).click()
  await expect(page.getByRole('button', { name: 'Retomar' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Cancelar campanha' })).toHaveCount(0)
  const { status } = (await world.api('GET', `/campaigns/${paused.id}`)) as { status: string }
  expect(status).toBe('CANCELADA')
})

test('a report says why a campaign ended with nothing sent, and shows all its times on the clock of who reads it', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.helena, { timezoneId: 'Asia/Tokyo' })
  const alone = await made(world, 'Sem linha', { whatsappId: null })
  await world.api('POST', `/campaigns/${alone.id}/start`)
  const empty = await made(world, 'Sem gente', { contactListId: null })
  await world.api('POST', `/campaigns/${empty.id}/start`)
  await visit(page, `/campaign/${alone.id}/report`)
  // Before its person is planned, the list says the sentence, too.
  const people = page.getByRole('region', { name: 'Pessoas da campanha' })
  await expect(people.getByRole('listitem')).toContainText('CanceladaA campanha terminou sem conexão')
  await expect(page.getByText('A campanha terminou sem conexão: o que faltava não foi enviado.')).toBeVisible()
  expect.soft(await axeFindings(page)).toEqual([])
  await visit(page, `/campaign/${empty.id}/report`)
  await expect(page.getByText('A campanha terminou sem pessoas: não havia a quem enviar.')).toHaveCount(2)

  const sent = await made(world, 'Por hora')
  await world.api('POST', `/campaigns/${sent.id}/start`)
  type Told = { report: { hours: { hour: string; sent: number }[] } }
  const hours = async () => ((await world.api('GET', `/campaigns/${sent.id}`)) as Told).report.hours
  await expect.poll(hours).toMatchObject([{ sent: 1 }])
  const tokyo = (at: string, parts: Intl.DateTimeFormatOptions) =>
    new Date(at).toLocaleString('pt-BR', { timeZone: 'Asia/Tokyo', ...parts })
  const [first] = await hours()
  await visit(page, `/campaign/${sent.id}/report`)
  await expect(page.getByRole('region', { name: 'Por hora' }).getByRole('listitem')).toContainText(
    `${tokyo(first!.hour, { day: '2-digit', month: '2-digit' })} ${tokyo(first!.hour, { hour: '2-digit', minute: '2-digit' })}`,
  )
})
