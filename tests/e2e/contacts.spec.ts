import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { readXlsx } from 'hucre/xlsx'
import { deliverPushes } from '../support/browser-push.ts'
import { type Api, startStack, type Stack } from '../support/stack.ts'
import { told } from '../support/told.ts'
import { inAWindow } from './browser.ts'
import { installable, testAt } from './world.ts'

/** Contacts out of a spreadsheet and into one; two of one person made one; how a connection is doing. */
let stack: Stack
let api: Api
const test = testAt('admin@padaria.test', () => stack)

test.use({ launchOptions: inAWindow })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  stack = await startStack({ demo: true, fast: true, clientDir: process.env.E2E_CLIENT ?? process.env.CLIENT_DIR })
  const admin = await stack.login('admin@padaria.test', 'balcao123')
  const colleague = { name: 'Colega', email: 'colega@padaria.test', password: 'balcao123', profile: 'admin' }
  await admin('POST', '/users', colleague)
  // A login ends the one before: the calls beside the browser are somebody else's.
  api = await stack.login(colleague.email, colleague.password)
})
test.afterAll(() => stack.stop())
test.beforeEach(() => test.setTimeout(90_000))

const dialog = (page: Page) => page.getByRole('dialog')
async function contactsMenu(page: Page, item: string) {
  await page.getByRole('link', { name: 'Contatos' }).click()
  await page.getByRole('button', { name: 'Importar, exportar e duplicados' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a spreadsheet is imported with a report by row, and the contacts are there', async ({ page }) => {
  await contactsMenu(page, 'Importar planilha')
  const sample = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Planilha de exemplo' }).click()
  expect(readFileSync(await (await sample).path(), 'utf8')).toContain('nome;número;e-mail;cidade')

  const choose = (name: string, content: string) =>
    dialog(page)
      .getByLabel('Planilha de contatos')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
  await choose('foto.png', '\u0000\u0001')
  await expect(dialog(page).getByRole('alert')).toContainText('não é uma planilha')
  await choose('vazia.csv', 'nome;número\n')
  await expect(dialog(page).getByRole('alert')).toContainText('Não há contatos nesta planilha')
  await choose(
    'lista.csv',
    'nome;numero;cidade\nZélia Prado;+55 (13) 98888-1111;Santos\nZélia de novo;5513988881111;\nSem telefone;;Santos\n',
  )
  await dialog(page).getByRole('button', { name: 'Importar 1 linha' }).click()
  await expect(dialog(page).getByRole('tab', { name: 'Criado 1' })).toBeVisible()
  await dialog(page).getByRole('tab', { name: 'Repetido 1' }).click()
  await expect(dialog(page)).toContainText('O mesmo número está na linha 2')
  const report = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Baixar relatório' }).click()
  expect(readFileSync(await (await report).path(), 'utf8')).toContain('4;Sem telefone;;Recusado;Sem número')
  await dialog(page).getByRole('button', { name: 'Concluir' }).click()
  await page.getByLabel('Buscar por nome ou número').fill('zélia')
  await expect(page.getByRole('row').filter({ hasText: 'Zélia Prado' })).toBeVisible()
})

test('before anything is written it is seen how the sheet is read, and said how it should be', async ({ page }) => {
  await api('POST', '/contacts', { name: 'Otávio Reis', number: '5513977770001' })
  await contactsMenu(page, 'Importar planilha')
  const content = [
    'Clientes da filial;;;',
    'Emitido em 3 de março;;;',
    'Quem;Aparelho;Correspondência;Bairro',
    'Otávio Reis;13 97777-0001;otavio@example.test;Gonzaga',
    'Nair Campos;13 97777-0002;;Gonzaga',
    'Nair de novo;5513977770002;;',
    'Sem telefone;;;Boqueirão',
  ].join('\n')
  await dialog(page)
    .getByLabel('Planilha de contatos')
    .setInputFiles({ name: 'filial.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  // No column is called by a name that is known: what they hold tells.
  const as = (column: string) => dialog(page).getByRole('combobox', { name: `${column} é lida como` })
  await expect(dialog(page).getByRole('combobox', { name: 'Linha com os nomes das colunas' })).toHaveText(/^3: Quem/)
  await expect(as('Aparelho')).toHaveText('Número')
  await expect(as('Quem')).toHaveText('Nome')
  await expect(as('Correspondência')).toHaveText('E-mail')
  await expect(as('Bairro')).toHaveText('Informação adicional')
  const people = dialog(page).getByRole('region', { name: 'Como vai ficar' }).getByRole('listitem')
  await expect(people.first()).toContainText('+55 13 97777-0001 · otavio@example.test · Bairro: Gonzaga')
  const outcome = dialog(page).getByRole('region', { name: 'O que será importado' })
  await expect(outcome.getByRole('status')).toHaveText('Novos 1Atualizados 1Repetido 1Recusado 1')
  await outcome.getByText('2 linhas ficam de fora').click()
  await expect(outcome).toContainText('O mesmo número está na linha 5')
  await expect(outcome).toContainText('Sem número')

  // Said otherwise: the e-mail stays out, and who is there already stays as they are.
  await as('Correspondência').click()
  await page.getByRole('option', { name: 'Não importar' }).click()
  await as('Bairro').click()
  await page.getByRole('option', { name: 'Não importar' }).click()
  await expect(people.first()).not.toContainText('otavio@example.test')
  await expect(outcome.getByRole('status')).toHaveText('Novos 1Sem mudança 1Repetido 1Recusado 1')
  await as('Aparelho').click()
  await page.getByRole('option', { name: 'Não importar' }).click()
  await expect(outcome.getByRole('status')).toHaveText('Diga qual coluna tem o número.')
  await expect(dialog(page).getByRole('button', { name: 'Importar' })).toBeDisabled()
  await as('Aparelho').click()
  await page.getByRole('option', { name: 'Número' }).click()
  // Nothing is written until it is said.
  const found = async (text: string) =>
    ((await api('GET', `/contacts?searchParam=${text}`)) as { contacts: { name: string; email: string }[] }).contacts
  expect(await found('Nair')).toEqual([])
  await dialog(page).getByRole('button', { name: 'Importar 1 linha' }).click()
  await expect(dialog(page).getByRole('tab', { name: 'Criado 1' })).toBeVisible()
  expect(await found('Nair')).toMatchObject([{ name: 'Nair Campos', number: '5513977770002', extraInfo: [] }])
  expect(await found('Otávio')).toMatchObject([{ email: '' }])
})

test('a long import is cancelled on the way; what was read stays', async ({ page }) => {
  await contactsMenu(page, 'Importar planilha')
  const lines = Array.from({ length: 40_000 }, (_, i) => `Cliente ${i};55119${40_000_000 + i}`)
  await dialog(page)
    .getByLabel('Planilha de contatos')
    .setInputFiles({
      name: 'muitos.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`nome;numero\n${lines.join('\n')}`),
    })
  // The counting need not be waited for.
  await expect(dialog(page).getByText('Cliente 0', { exact: true })).toBeVisible({ timeout: 30_000 })
  await dialog(page)
    .getByRole('button', { name: /^Importar/ })
    .click()
  await expect(dialog(page).getByText(/^[1-9][\d.]* de 40\.000 linhas/)).toBeVisible({ timeout: 30_000 })
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click()
  await expect(dialog(page).getByRole('status')).toContainText('Importação cancelada')
  const { count } = (await api('GET', '/contacts?searchParam=Cliente')) as { count: number }
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThan(40_000)
})

test('a contact’s picture stands in the list', async ({ page }) => {
  await page.getByRole('link', { name: 'Contatos' }).click()
  const picture = page.getByRole('row').filter({ hasText: '+55 11 94000-0001' }).locator('img')
  await page.getByRole('textbox', { name: 'Buscar por nome ou número' }).fill('5511940000001')
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96)
})

test('all contacts leave as a spreadsheet', async ({ page }) => {
  const saved = page.waitForEvent('download')
  await contactsMenu(page, 'Exportar para Excel')
  const file = await saved
  expect(file.suggestedFilename()).toBe('contatos.xlsx')
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
})

test('two contacts of one person become one, and two again', async ({ page }) => {
  await api('POST', '/contacts', { name: 'Z. Prado', number: '5513977772222', email: 'zelia@example.test' })
  // As it was kept before one number was one contact in any spelling.
  const { id } = (await api('POST', '/contacts', {
    name: 'Zélia P.',
    number: '5513966663333',
    email: 'zelia@example.test',
  })) as { id: number }
  const database = new Bun.SQL(stack.databaseUrl)
  await database`UPDATE contacts SET number = '551388881111' WHERE id = ${id}`
  await database.close()
  await contactsMenu(page, 'Contatos duplicados')
  const group = dialog(page).getByRole('region', { name: /Zélia Prado, Zélia P\./ })
  await expect(group).toContainText('O mesmo número, escrito de dois modos')
  // She stands in a second group, too: what is chosen there is another choice.
  const byMail = dialog(page).getByRole('region', { name: /Zélia P\., Z\. Prado|Z\. Prado, Zélia P\./ })
  await byMail.getByLabel('Manter Z. Prado').check()
  await group.getByLabel('Manter Zélia P.').check()
  await expect(byMail.getByLabel('Manter Z. Prado')).toBeChecked()
  await byMail.getByLabel('Manter Zélia P.').check()
  await group.getByLabel('Manter Zélia Prado').check()
  await expect(byMail.getByLabel('Manter Zélia P.')).toBeChecked()
  await group.getByLabel('Manter Zélia P.').check()
  await group.getByRole('button', { name: 'Juntar em Zélia P.' }).click()
  await expect(page.getByText('Zélia Prado agora é Zélia P.')).toBeVisible()
  await expect(group).toBeHidden()
  // The way back in the toast, above the dialog.
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Desfazer' }).click()
  await told(page, 'Contatos separados de novo')
  await expect(group).toBeVisible()
})

test('contacts are narrowed by their tickets, several are tagged and taken back, and several deleted', async ({
  page,
}) => {
  const made = (await Promise.all(
    ['Quitéria Um', 'Quitéria Dois'].map((name, at) =>
      api('POST', '/contacts', { name, number: `55119777700${10 + at}`, email: at ? 'dois@casa.test' : '' }),
    ),
  )) as { id: number }[]
  const ticket = (await api('POST', '/tickets', { contactId: made[0]!.id })) as { id: number }
  const tag = (await api('POST', '/tags', { name: 'Quermesse', color: '#b45309' })) as { id: number }
  await page.getByRole('link', { name: 'Contatos' }).click()
  await page.getByLabel('Buscar por nome ou número').fill('quitéria')
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await expect(row('Quitéria')).toHaveCount(2)
  const tagged = async () => ((await api('GET', `/tickets/${ticket.id}`)) as { tagIds: number[] }).tagIds

  await page.getByRole('checkbox', { name: 'Escolher todos os que estão na lista' }).click()
  const bar = page.getByRole('toolbar', { name: 'Contatos escolhidos' })
  await expect(bar).toContainText('2 escolhidos')
  // The ticket has reached this browser's copy.
  await expect(async () => {
    await bar.getByRole('button', { name: 'Etiquetar atendimentos' }).click()
    await page.getByRole('option', { name: 'Quermesse' }).click()
    await expect(page.getByText('1 atendimento etiquetado')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect.poll(tagged).toEqual([tag.id])
  await page.locator('[data-undo]').getByRole('button', { name: 'Desfazer' }).click()
  await expect.poll(tagged).toEqual([])

  await page.getByRole('button', { name: 'Filtrar contatos' }).click()
  await page.getByRole('dialog', { name: 'Filtrar contatos' }).getByLabel('Só com atendimento em andamento').click()
  await expect(row('Quitéria Dois')).toHaveCount(0)
  await expect(row('Quitéria Um')).toBeVisible()
  const filter = page.getByRole('dialog', { name: 'Filtrar contatos' })
  await filter.getByRole('button', { name: 'Limpar' }).click()
  await expect(row('Quitéria')).toHaveCount(2)
  await filter.getByLabel('E-mail').click()
  await page.getByRole('option', { name: 'Só sem e-mail' }).click()
  await expect(row('Quitéria Dois')).toHaveCount(0)
  await expect(row('Quitéria Um')).toBeVisible()
  await filter.getByRole('button', { name: 'Limpar' }).click()
  await filter.getByLabel('Até').fill('2020-01-31')
  await expect(page.getByText('Nenhum contato encontrado')).toBeVisible()
  await filter.getByRole('button', { name: 'Limpar' }).click()
  await page.keyboard.press('Escape')
  await expect(row('Quitéria')).toHaveCount(2)

  // Those that are chosen leave as a spreadsheet of their own.
  await page.getByRole('checkbox', { name: 'Escolher Quitéria Dois' }).click()
  await expect(bar).toContainText('1 escolhido')
  const saved = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Exportar' }).click()
  const [sheet] = (await readXlsx(readFileSync(await (await saved).path()))).sheets
  expect(sheet!.rows.slice(1).map(([name]) => name)).toEqual(['Quitéria Um'])
  await page.getByRole('checkbox', { name: 'Escolher Quitéria Dois' }).click()
  await expect(bar).toContainText('2 escolhidos')
  await bar.getByRole('button', { name: 'Excluir' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(page.getByText('2 contatos excluídos')).toBeVisible()
  await expect(page.getByText('Nenhum contato encontrado')).toBeVisible()
  await api('DELETE', `/tags/${tag.id}`)
})

test('the page of a connection tells how it is doing, as it happens', async ({ page }) => {
  const [connection] = (await api('GET', '/whatsapp')) as { id: number; name: string }[]
  await page.getByRole('link', { name: 'Conexões' }).click()
  await page.getByRole('link', { name: connection!.name }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(connection!.name)
  await stack.pair(api, connection!.id)
  await expect(page.getByText('Conectada desde')).toBeVisible()
  await expect(page.getByText('A sessão é mantida por este servidor.')).toBeVisible()
})

test.describe('in the app that is installed', () => {
  test.use(installable)

  test('a push becomes a notification while the app is closed, one for each conversation', async ({ page }) => {
    const context = page.context()
    const { deliver: push, shown, watched, click, opened, marks } = await deliverPushes(page, stack.url)
    const { tickets } = (await api('GET', '/tickets?showAll=true&status=open')) as {
      tickets: { uuid: string; contact: { name: string } }[]
    }
    const { uuid: ticket, contact } = tickets[0]!
    const fromZelia = (body: string) => push({ ticket, title: 'Zélia', body })
    // Who sees the app sees the message.
    await page.bringToFront()
    await expect.poll(watched).toBe(true)
    await fromZelia('Olá')
    await page.close()
    await expect.poll(watched).toBe(false)
    await fromZelia('Bom dia')
    await expect.poll(shown).toEqual([['Zélia', 'Bom dia', ticket]])
    await fromZelia('Tem pão?')
    await expect.poll(shown).toEqual([['Zélia', 'Tem pão?', ticket]])
    const chat = '019a0000-0000-7000-8000-000000000002'
    await push({ chat, title: 'Escala', body: 'Bruno: Abro, sim' })
    await expect.poll(shown).toContainEqual(['Escala', 'Bruno: Abro, sim', chat])
    expect(await shown()).toHaveLength(2)
    expect(await marks()).toBe(3)
    // No window is there: the click opens one, at the conversation.
    await click(ticket)
    await expect.poll(opened).toEqual([`/tickets/${ticket}`])
    await fromZelia('Ainda aí?')
    await expect.poll(shown).toHaveLength(2)
    // In the window that is there by now, the click leads to what it tells of.
    const back = await context.newPage()
    await back.goto(`${stack.url}/contacts`)
    await back.getByRole('button', { name: 'Menu do perfil' }).waitFor()
    await click(chat)
    await expect(back).toHaveURL(new RegExp(`/chats/${chat}$`))
    await click(ticket)
    await expect(back).toHaveURL(new RegExp(`/tickets/${ticket}$`))
    await expect(back.getByRole('button', { name: `Dados de ${contact.name}` })).toBeVisible()
    expect(await opened()).toHaveLength(1)
  })

  test('quiet hours are chosen in the profile and kept', async ({ page }) => {
    await page.getByRole('button', { name: 'Menu do perfil' }).click()
    await page.getByRole('menuitem', { name: 'Perfil' }).click()
    // A page that is loaded anew gives up what it was just sending.
    const saved = () =>
      page.waitForResponse(
        (answer) => answer.url().endsWith('/push/preferences') && answer.request().method() === 'PUT',
      )
    const proposed = saved()
    await dialog(page).getByLabel('Horário de silêncio').click()
    await proposed
    const chosen = saved()
    await dialog(page).getByLabel('Das').fill('21:30')
    await dialog(page).getByLabel('Das').blur()
    await chosen
    await page.reload()
    await page.getByRole('button', { name: 'Menu do perfil' }).click()
    await page.getByRole('menuitem', { name: 'Perfil' }).click()
    await expect(dialog(page).getByLabel('Das')).toHaveValue('21:30')
    await expect(dialog(page).getByLabel('Até as')).toHaveValue('07:00')
  })
})

test('two services of one contact become one, and two again', async ({ page }) => {
  type Ticket = { id: number; uuid: string; contactId: number; isGroup: boolean; queueId: number; whatsappId: number }
  const { tickets } = (await api('GET', '/tickets?status=open&showAll=true')) as { tickets: Ticket[] }
  const from = tickets.find(({ isGroup }) => !isGroup)!
  const { contactId, queueId, whatsappId } = from
  await api('PUT', `/tickets/${from.id}`, { status: 'closed' })
  const into = (await api('POST', '/tickets', { contactId, queueId, whatsappId })) as Ticket
  await page.goto(`/tickets/${from.uuid}`)
  const log = page.getByRole('main')
  await expect(log.getByRole('article').first()).toBeVisible()
  const said = await log.getByRole('article').first().innerText()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Juntar a outro atendimento' }).click()
  await dialog(page)
    .getByRole('radio', { name: `#${into.id}` })
    .check()
  await dialog(page).getByRole('button', { name: 'Juntar' }).click()
  await expect(page).toHaveURL(new RegExp(into.uuid))
  await expect(page.getByText(`trouxe para cá o atendimento #${from.id}`).first()).toBeVisible()

  await page.goto(`/tickets/${from.uuid}`)
  await expect(page.getByText('A conversa continua em outro atendimento deste contato.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reabrir' })).toBeHidden()
  await page.getByRole('button', { name: 'Separar' }).click()
  await expect(page.getByRole('button', { name: 'Reabrir' }).first()).toBeVisible()
  await expect(log.getByRole('article').first()).toContainText(said.split('\n')[0]!)
})
