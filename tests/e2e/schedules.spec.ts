import { PIXEL } from '../example-data.ts'
import { visit } from './visit.ts'
import { dayHere, expect, openBrowser, test } from './world.ts'

test('messages are scheduled, changed and taken back in the calendar and in the list; the plan may leave them out', async ({
  world,
  signIn,
  serving,
}) => {
  const { people, stack, api } = world
  await serving(people.ana, 'Otília Reis', 'Quero encomendar um bolo')
  const { page } = await signIn(people.ana)
  await page.getByRole('link', { name: 'Agendamentos' }).click()
  await expect(page.getByRole('table', { name: 'Agendamentos do mês' })).toBeVisible()

  await page.getByRole('button', { name: 'Agendar mensagem' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Agendar' }).click()
  await expect(dialog.getByText('Mensagem muito curta')).toBeVisible()
  await dialog.getByLabel('Contato').click()
  await page.keyboard.type('otíl')
  await page.getByRole('option', { name: /Otília Reis/ }).click()
  await dialog.getByLabel('Mensagem').fill('O bolo fica pronto às dez')
  // In the month that is shown there, whatever day it is; a time that has passed is sent at once, so it is the last minute.
  const [year, month] = dayHere(0).split('-').map(Number) as [number, number, number]
  const day = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  await dialog.getByLabel('Enviar em').fill(`${day}T23:59`)
  await page.getByTestId('schedule-file').setInputFiles({ name: 'bolo.png', mimeType: 'image/png', buffer: PIXEL })
  await dialog.getByRole('button', { name: 'Agendar' }).click()
  await expect(dialog).toBeHidden()

  const edit = page.getByRole('button', { name: 'Editar o agendamento de Otília Reis, 23:59' })
  await edit.click()
  // The picture follows the message, into a form that is open, too.
  await expect(dialog.getByText('bolo.png')).toBeVisible()
  await dialog.getByLabel('Mensagem').fill('{{firstName}}, o bolo fica pronto às onze: {{protocol}}, {{outra}}')
  await dialog.getByRole('button', { name: 'Retirar a imagem' }).click()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('tab', { name: 'Lista' }).click()
  const row = page.getByRole('row', { name: /Otília Reis/ })
  // The contact is known; what the day itself will bring is called by its name.
  await expect(row).toContainText('Otília, o bolo fica pronto às onze: Número do protocolo, outra')
  await expect(row).not.toContainText('bolo.png')
  await page.getByLabel('Buscar agendamento').fill('nada disso')
  await expect(page.getByText('Nenhum agendamento encontrado')).toBeVisible()
  await page.getByLabel('Buscar agendamento').fill('ONZE')
  await row.getByRole('button', { name: 'Excluir Otília Reis' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(row).toHaveCount(0)

  const [contact] = ((await api('GET', '/contacts?searchParam=otília')) as { contacts: { id: number }[] }).contacts
  await visit(page, `/schedules?contactId=${contact!.id}`)
  await expect(page.getByRole('dialog', { name: 'Agendar mensagem' })).toContainText('Para Otília Reis')
  await expect(page).toHaveURL(/\/schedules$/)

  const sql = new Bun.SQL(stack.databaseUrl, { max: 1 })
  await sql`UPDATE plans SET "useSchedules" = false`
  try {
    const other = await openBrowser(page.context().browser()!, stack.url)
    await other.login(people.bruno.email, 'balcao123')
    await other.inboxReady()
    await expect(other.page.getByRole('link', { name: 'Respostas rápidas' })).toBeVisible()
    await expect(other.page.getByRole('link', { name: 'Agendamentos' })).toHaveCount(0)
    await other.page.goto('/schedules')
    await expect(other.page).toHaveURL(/\/tickets$/)
    await other.page.context().close()
  } finally {
    await sql`UPDATE plans SET "useSchedules" = true`
    await sql.end()
  }
})

test('quick replies: an admin makes one for everybody, an agent uses it and changes only her own', async ({
  world,
  signIn,
  serving,
}) => {
  const { people } = world
  const { page: admin } = await signIn(people.helena)
  await admin.getByRole('link', { name: 'Respostas rápidas' }).click()
  await admin.getByRole('button', { name: 'Nova resposta' }).first().click()
  const dialog = admin.getByRole('dialog', { name: 'Adicionar resposta rápida' })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Obrigatório').first()).toBeVisible()
  await dialog.getByLabel('Atalho').fill('cardapio')
  await dialog.getByLabel('Mensagem').fill('Este é o nosso cardápio')
  // What stands for the contact's name is put in by a menu, and is seen as it will read.
  await expect(dialog.getByRole('region', { name: 'Como o contato lê' })).toHaveCount(0)
  await dialog.getByLabel('Mensagem').press('End')
  await dialog.getByLabel('Mensagem').pressSequentially(', ')
  await dialog.getByRole('button', { name: 'Inserir variável' }).click()
  await admin.getByRole('menuitem', { name: /Primeiro nome/ }).click()
  await expect(dialog.getByLabel('Mensagem')).toHaveValue('Este é o nosso cardápio, {{firstName}}')
  await expect(dialog.getByLabel('Mensagem')).toBeFocused()
  await expect(dialog.getByRole('region', { name: 'Como o contato lê' })).toContainText(
    'Este é o nosso cardápio, Maria',
  )
  await dialog.getByRole('switch', { name: /^Geral/ }).click()
  await admin
    .getByTestId('quick-message-file')
    .setInputFiles({ name: 'nosso cardápio.png', mimeType: 'image/png', buffer: PIXEL })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()
  const row = admin.getByRole('row', { name: /cardapio/ })
  // Blanks in names trouble old phones.
  await expect(row).toContainText('nosso_cardápio.png')
  await expect(row).toContainText('Geral')
  await expect(row).toContainText('Este é o nosso cardápio, Primeiro nome')
  await expect(admin.getByRole('table', { name: 'Respostas rápidas' })).not.toContainText('{{')

  const { agent: ana } = await serving(people.ana, 'Ulisses Nobre', 'Têm cardápio?')
  const { page } = ana
  await ana.composer.fill('/carda')
  await expect(page.getByRole('option', { name: /cardapio/ })).toContainText('Este é o nosso cardápio, Ulisses')
  await ana.composer.fill('')
  await page.getByRole('link', { name: 'Respostas rápidas' }).click()
  const hers = page.getByRole('row', { name: /cardapio/ })
  await expect(hers).toBeVisible()
  await expect(hers.getByRole('button')).toHaveCount(0)
  await page.getByRole('button', { name: 'Nova resposta' }).first().click()
  const own = page.getByRole('dialog', { name: 'Adicionar resposta rápida' })
  await expect(own.getByRole('switch', { name: /^Geral/ })).toHaveCount(0)
  await own.getByLabel('Atalho').fill('tchau')
  await own.getByLabel('Mensagem').fill('Até amanhã!')
  await own.getByRole('button', { name: 'Salvar' }).click()
  await expect(own).toBeHidden()
  await page.getByRole('row', { name: /tchau/ }).getByRole('button', { name: 'Excluir /tchau' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(page.getByRole('row', { name: /tchau/ })).toHaveCount(0)
})

test('by keyboard alone a day and an hour are chosen in the calendar of the dialog, and Escape closes only the calendar', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.ana)
  const { keyboard } = page
  await visit(page, '/schedules')
  await page.getByRole('button', { name: 'Agendar mensagem' }).first().focus()
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Agendar mensagem' })
  await expect(dialog.getByLabel('Contato')).toBeFocused()
  const field = dialog.getByLabel('Enviar em')
  const button = dialog.getByRole('button', { name: 'Escolher no calendário' })
  const isAt = (element: typeof button) => element.evaluate((one) => one === document.activeElement)
  for (let step = 0; step < 12 && !(await isAt(button)); step++) await keyboard.press('Tab')
  await expect(button).toBeFocused()
  const before = await field.inputValue()

  await keyboard.press('Enter')
  const calendar = page.getByRole('dialog', { name: 'Calendário' })
  const day = (days: number) => calendar.locator(`[data-day="${dayHere(days)}"]`)
  // It begins at the day that the field holds.
  const begins = await calendar.locator('[data-day]:focus').getAttribute('data-day')
  expect(before).toContain(begins!.split('-').toReversed().join('/'))
  const first = Math.round((Date.parse(begins!) - Date.parse(dayHere(0))) / 86_400_000)
  await keyboard.press('ArrowDown')
  await expect(day(first + 7)).toBeFocused()
  await keyboard.press('ArrowRight')
  await expect(day(first + 8)).toBeFocused()
  await keyboard.press('Enter')
  await expect(day(first + 8)).toHaveAttribute('aria-pressed', 'true')
  const time = calendar.getByLabel('Hora')
  for (let step = 0; step < 4 && !(await isAt(time)); step++) await keyboard.press('Tab')
  await expect(time).toBeFocused()
  await keyboard.press('Control+a')
  await keyboard.type('14:35')
  await keyboard.press('Escape')
  await expect(calendar).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await expect(button).toBeFocused()
  await expect(field).toHaveValue(
    `${dayHere(first + 8)
      .split('-')
      .toReversed()
      .join('/')} 14:35`,
  )
  await keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Agendar mensagem' }).first()).toBeFocused()
})
