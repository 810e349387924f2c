import { expect, type Page } from '@playwright/test'
import { startStack, type Stack } from '../support/stack.ts'
import { copiedQr, installable, installed, intercept, linked, testAt } from './world.ts'
import { told } from '../support/told.ts'

/** An admin sets a company up on its screens: the real server, the simulated WhatsApp. */
let stack: Stack
const test = testAt('admin@padaria.test', () => stack)

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(120_000)
  stack = await startStack({ demo: true, fast: true, clientDir: process.env.E2E_CLIENT ?? process.env.CLIENT_DIR })
})
test.afterAll(() => stack.stop())
test.beforeEach(() => test.setTimeout(90_000))

async function visit(page: Page, title: string) {
  await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
const confirmed = (page: Page, label: string) =>
  page.getByRole('alertdialog').getByRole('button', { name: label }).click()

test('a phone that scans the QR is linked; the dialog says so and goes', async ({ page }) => {
  await visit(page, 'Conexões')
  await page.getByRole('button', { name: 'Novo QR CODE' }).click()
  const image = page.getByRole('img', { name: 'Código QR para vincular o celular' })
  await expect(image).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await linked(page, async () => stack.phone.scan(await copiedQr(page)))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row(page, 'Balcão principal')).toContainText('Conectado')
})

test('an unlinked phone is linked again by a code typed on it', async ({ page }) => {
  await visit(page, 'Conexões')
  await page.getByRole('button', { name: 'Desconectar' }).click()
  await confirmed(page, 'Desconectar')
  await expect(page.getByRole('link', { name: /Conexões.*precisa de atenção/ })).toBeVisible()
  await page.getByRole('button', { name: 'Novo QR CODE' }).click()
  await page.getByRole('tab', { name: 'Usar número de telefone' }).click()
  await page.getByLabel('Número do WhatsApp').fill('+55 11 93000-0001')
  await page.getByRole('button', { name: 'Gerar código' }).click()
  const code = await page.getByRole('status', { name: 'Código de pareamento' }).textContent()
  const typed = { phone: '5511930000001', code: code?.replace('-', '') }
  await linked(page, () => stack.phone.call('POST', '/ctl/code', typed))
})

test('a new user takes an address that nobody has; a taken one is refused at its field', async ({ page }) => {
  await visit(page, 'Usuários')
  const dialog = page.getByRole('dialog')
  const fill = async (name: string, email: string) => {
    await page.getByRole('button', { name: 'Adicionar usuário' }).click()
    await dialog.getByLabel('Nome').fill(name)
    await dialog.getByLabel('E-mail').fill(email)
    await dialog.locator('input[type=password]').fill('segredo')
  }
  await fill('Davi Rocha', 'davi@padaria.test')
  await dialog.getByLabel('Filas').click()
  await page.getByRole('option', { name: 'Entregas' }).click()
  await page.keyboard.press('Escape')
  await save(page)
  await expect(row(page, 'davi@padaria.test')).toContainText('Entregas')

  await fill('Outro Davi', 'davi@padaria.test')
  await save(page)
  await expect(dialog.getByRole('alert')).toHaveText('E-mail já cadastrado')
  await expect(dialog.getByLabel('E-mail')).toBeFocused()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(page.getByRole('button', { name: 'Adicionar usuário' })).toBeFocused()

  await page.getByRole('button', { name: 'Excluir Davi Rocha' }).click()
  await confirmed(page, 'Excluir')
  await expect(row(page, 'davi@padaria.test')).toBeHidden()
})

test('a setting that is not saved goes back to what it was, in a sentence; settings that do not come are asked for again', async ({
  page,
}) => {
  await visit(page, 'Configurações')
  const calls = page.getByLabel('Aceitar chamadas')
  const choose = async (value: string) => {
    await calls.click()
    await page.getByRole('option', { name: value, exact: true }).click()
  }
  await expect(calls).toHaveText('Desativado')
  await intercept(page, '**/settings/call', (route) => route.abort())
  await choose('Ativado')
  await told(page, 'Sem conexão com o servidor')
  await expect(calls).toHaveText('Desativado')
  await page.unroute('**/settings/call')
  await choose('Ativado')
  await told(page, 'Operação atualizada com sucesso.')
  await expect(calls).toHaveText('Ativado')

  // Without a pass there are no events, whose coming would have all that is shown fetched again.
  await page.route('**/auth/passes', (route) => route.abort())
  const list = (url: URL) => url.pathname === '/settings'
  await page.route(list, (route) => (route.request().isNavigationRequest() ? route.fallback() : route.abort()))
  await page.reload()
  const failed = page.getByRole('alert')
  await expect(failed).toContainText('Não foi possível carregar')
  await expect(failed).toContainText('Sem conexão com o servidor')
  await page.unroute(list)
  await failed.getByRole('button', { name: 'Tentar de novo' }).click()
  await expect(calls).toHaveText('Ativado')
})

test('with hours by queue, a queue has hours, and keeps them', async ({ page }) => {
  await visit(page, 'Configurações')
  await expect(page.getByLabel('Horário de atendimento')).toHaveText('Por fila')

  await visit(page, 'Filas')
  const dialog = page.getByRole('dialog')
  const hours = async () => {
    await page.getByRole('button', { name: 'Editar Entregas' }).click()
    await dialog.getByRole('tab', { name: 'Horários de atendimento' }).click()
  }
  await hours()
  await dialog.getByLabel('Domingo: fim').fill('2560')
  await save(page)
  await expect(dialog.getByText('Hora inválida')).toBeVisible()
  await dialog.getByLabel('Domingo: fim').fill('1100')
  await save(page)
  await expect(dialog).toBeHidden()
  await page.reload()
  await hours()
  await expect(dialog.getByLabel('Domingo: fim')).toHaveValue('11:00')
})

test('a name without a blank pushes nothing out of a list', async ({ page }) => {
  const name = 'Wolfeschlegelsteinhausenbergerdorffwelche'
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, 'Usuários')
  await page.getByRole('button', { name: 'Adicionar usuário' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nome').fill(name)
  await dialog.getByLabel('E-mail').fill(`${name}@loja-de-nome-muito-comprido.test`)
  await dialog.locator('input[type=password]').fill('balcao123')
  await save(page)
  await expect(dialog).toBeHidden()
  await page.getByLabel('Buscar por nome ou e-mail').fill('wolfe')
  await expect(page.getByRole('button', { name: `Editar ${name}` })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: `Excluir ${name}` }).click()
  await confirmed(page, 'Excluir')
  await expect(row(page, name)).toHaveCount(0)
})

test('a dialog gives the keyboard to its first field, and back to what opened it', async ({ page }) => {
  await visit(page, 'Conexões')
  const edit = page.getByRole('button', { name: 'Editar Balcão principal' })
  await edit.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Nome')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(edit).toBeFocused()
  // What explains a control goes away with it.
  await expect(page.getByRole('tooltip')).toBeVisible()
  await page.goBack()
  await expect(edit).toHaveCount(0)
  await expect(page.getByRole('tooltip')).toHaveCount(0)

  await visit(page, 'Filas')
  await page.getByRole('button', { name: 'Editar Entregas' }).click()
  await page.getByRole('dialog').getByRole('tab', { name: 'Opções do robô' }).click()
  const add = page.getByRole('button', { name: 'Adicionar opção' })
  await add.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Título')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()
  await expect(page.locator('[role="dialog"]')).toHaveCount(1)

  // Also in the moment in which it comes, before anything but its picture is there.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const front = document.querySelectorAll('[role="dialog"]')[1]
      if (!front) return
      observer.disconnect()
      front.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
      document.body.dataset['escaped'] = 'yes'
    })
    observer.observe(document.body, { childList: true })
  })
  await page.keyboard.press('Enter')
  await expect(page.locator('body')).toHaveAttribute('data-escaped', 'yes')
  await expect(page.getByLabel('Título')).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: 'Editar fila' })).toBeVisible()
  await expect(add).toBeFocused()
})

test('what was typed does not go by one key, the way back, another screen or a reload without a question', async ({
  page,
}) => {
  await visit(page, 'Respostas rápidas')
  await page.getByRole('button', { name: 'Nova resposta' }).click()
  const dialog = page.getByRole('dialog', { name: 'Adicionar resposta rápida' })
  const text = dialog.getByRole('textbox', { name: 'Mensagem' })
  const question = page.getByRole('alertdialog', { name: 'Descartar as alterações?' })
  // Nothing was typed: nothing is asked.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.getByRole('button', { name: 'Nova resposta' }).click()
  await text.fill('Entregamos até as 18h')
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(text).toHaveValue('Entregamos até as 18h')
  await page.goBack()
  await question.getByRole('button', { name: 'Continuar editando' }).click()
  await expect(text).toHaveValue('Entregamos até as 18h')
  await page.goBack()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/quick-messages$/)

  // So is a form that stands on its screen.
  await page.goto(`${stack.url}/campaigns-config`)
  const cap = page.getByRole('spinbutton').first()
  const before = await cap.inputValue()
  await cap.fill('77')
  const reload = page.waitForEvent('dialog').then(async (asked) => {
    await asked.dismiss()
    return asked.type()
  })
  await page.evaluate(() => void setTimeout(() => location.reload()))
  expect(await reload).toBe('beforeunload')
  await expect(cap).toHaveValue('77')
  await page.getByRole('link', { name: 'Contatos', exact: true }).click()
  await question.getByRole('button', { name: 'Continuar editando' }).click()
  await expect(cap).toHaveValue('77')
  await page.getByRole('link', { name: 'Contatos', exact: true }).click()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contatos' })).toBeVisible()
  await page.goBack()
  await expect(cap).toHaveValue(before)
})

test('where a row leaves a list the keyboard is at the next one', async ({ page }) => {
  await visit(page, 'Respostas rápidas')
  const remove = page.getByRole('button', { name: /^Excluir / })
  await expect(remove.nth(2)).toBeVisible()
  const names = await remove.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? ''))
  await page.getByRole('button', { name: names[0]!, exact: true }).focus()
  for (const next of names.slice(1, 3)) {
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).press('Enter')
    await expect(page.getByRole('button', { name: next, exact: true })).toBeFocused()
  }
})

test('the keyboard goes into the screen that was opened, and back to where it was opened from', async ({ page }) => {
  await visit(page, 'Conexões')
  const health = page.getByRole('row').getByRole('link').first()
  await health.press('Enter')
  await expect(page).toHaveURL(/connections\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await expect(health).toBeFocused()

  await visit(page, 'Fluxos de conversa')
  const flow = page.getByRole('row').getByRole('link').first()
  const name = await flow.textContent()
  await flow.press('Enter')
  await expect(page).toHaveURL(/flowbuilder\/\d+/)
  // By its name: the address is there before the screen, and the list's first link still has the focus then.
  const back = page.getByRole('main').getByRole('link', { name: 'Voltar aos fluxos' })
  await expect(back).toBeFocused()
  await back.press('Enter')
  await expect(page.getByRole('main').getByRole('link', { name: name! }).first()).toBeFocused()
})

test('the palette finds a setting, a tab and a screen beside the menu by their names, and leads there', async ({
  page,
}) => {
  const ask = async (words: string, choice: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Comandos, atendimentos e contatos' }).fill(words)
    await page.getByRole('option', { name: choice }).first().click()
  }
  await page.getByRole('button', { name: 'Buscar ou ir para…' }).waitFor()
  await ask('avalia', 'Avaliações')
  await expect(page.locator('[data-setting][aria-current=true]')).toContainText('Avaliações')
  await expect(page.locator('[data-setting][aria-current=true]')).toBeInViewport()
  await ask('feriados', 'Horários e feriados da empresa')
  await expect(page.getByRole('tab', { name: 'Feriados', selected: true })).toBeVisible()
  await ask('openid', 'Conta da empresa para entrar')
  await expect(page.getByRole('region', { name: 'Conta da empresa para entrar' })).toBeInViewport({ ratio: 1 })
  await ask('papéis', 'Papéis')
  await expect(page.getByRole('heading', { level: 1, name: 'Papéis' })).toBeVisible()
  // It stands in no menu; the menu shows what it is beneath, and where that is.
  const above = page.getByRole('navigation').getByRole('link', { name: 'Usuários' })
  await expect(above).toHaveAttribute('aria-current', 'true')
  await expect(above).toBeInViewport({ ratio: 1 })
  await ask('verificação em duas etapas', 'Perfil')
  await expect(page.getByRole('dialog', { name: 'Perfil' })).toBeVisible()
})

test('hours of the company that a colleague changed meanwhile stand in the form, and are not saved over', async ({
  page,
}) => {
  const hours = async (of: Page) => {
    await visit(of, 'Configurações')
    await of.getByRole('tab', { name: 'Horários' }).click()
  }
  const end = (of: Page, day: string) => of.getByLabel(`${day}: fim`)
  const saved = async (of: Page) => {
    await of.getByRole('button', { name: 'Salvar' }).click()
    await told(of, 'Horários atualizados com sucesso.')
  }
  await visit(page, 'Configurações')
  await page.getByLabel('Horário de atendimento').click()
  await page.getByRole('option', { name: 'Da empresa' }).click()
  await hours(page)
  await end(page, 'Sábado').fill('1100')
  await saved(page)
  await visit(page, 'Filas')

  const colleague = await page.context().newPage()
  await colleague.goto(`${stack.url}/tickets`)
  // Longer than a query that is left is still watched.
  await colleague.waitForTimeout(5_000)
  await hours(colleague)
  await end(colleague, 'Sábado').fill('1200')
  await saved(colleague)

  await hours(page)
  await expect(end(page, 'Sábado')).toHaveValue('12:00')
  await end(page, 'Domingo').fill('1300')
  await saved(page)
  await expect(end(page, 'Sábado')).toHaveValue('12:00')
  await expect(end(colleague, 'Domingo')).toHaveValue('13:00')

  const moves = async (typed: string, zone: RegExp) => {
    await colleague.getByRole('button', { name: 'Fuso horário' }).click()
    await colleague.getByRole('combobox', { name: 'Cidade ou fuso horário' }).fill(typed)
    await colleague.getByRole('option', { name: zone }).click()
  }
  await expect(page.getByText('No fuso horário America/Sao_Paulo.')).toBeVisible()
  await colleague.getByRole('tab', { name: 'Opções' }).click()
  await moves('manaus', /America\/Manaus/)
  await expect(colleague.getByRole('button', { name: 'Fuso horário' })).toContainText('America/Manaus')
  await expect(page.getByText('No fuso horário America/Manaus.')).toBeVisible()
  await moves('brasília', /America\/Sao Paulo/)
  await expect(page.getByText('No fuso horário America/Sao_Paulo.')).toBeVisible()
})

test.describe('in the app that is installed', () => {
  test.use(installable)

  test('without the server a list is the copy of this computer, which can be searched; with it, the list is its own again', async ({
    page,
  }) => {
    await expect(page.locator('[data-ticket]').first()).toBeVisible()
    await expect(page.getByText('Sincronizando')).toBeHidden()
    await installed(page)
    await visit(page, 'Etiquetas')
    await expect(row(page, 'Cliente fiel')).toBeVisible()
    const rows = await page.getByRole('row').count()
    const notice = page.getByText('Sem conexão com o servidor')

    await page.context().setOffline(true)
    await page.getByLabel('Buscar etiqueta').fill('fiel')
    await expect(notice).toBeVisible()
    await expect(row(page, 'Cliente fiel')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('button', { name: 'Adicionar etiqueta' })).toBeDisabled()
    // What was seen before is shown as it was then.
    await page.getByLabel('Buscar etiqueta').fill('')
    await expect(page.getByRole('row')).toHaveCount(rows)
    await expect(notice).toBeVisible()

    await page.context().setOffline(false)
    await expect(notice).toBeHidden()
    await expect(page.getByRole('row')).toHaveCount(rows)
  })
})

test('a contact is added once, found, and a ticket is opened with them from the list', async ({ page }) => {
  await stack.phone.contact('5511955550001', 'Quitéria')
  await visit(page, 'Contatos')
  const dialog = page.getByRole('dialog')
  const rows = page.getByRole('row')
  await expect(rows).toHaveCount(31)
  await rows.last().scrollIntoViewIfNeeded()
  await expect(rows).toHaveCount(61)

  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Adicionar contato' }).click()
    await dialog.locator('input[name=name]').fill(name)
    await dialog.getByLabel('Número do WhatsApp').fill('+55 (11) 95555-0001')
    await save(page)
  }
  await add('Quitéria Braga')
  await expect(dialog).toBeHidden()
  await add('Outra Quitéria')
  await expect(dialog.getByRole('alert')).toHaveText('Este número já é do contato Quitéria Braga')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  await page.getByLabel('Buscar por nome ou número').fill('quiteria')
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Abrir atendimento com Quitéria Braga' }).click()
  await dialog.getByRole('button', { name: 'Iniciar' }).click()
  await page.waitForURL(/tickets\/[0-9a-f-]{36}$/)
})
