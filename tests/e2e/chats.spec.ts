import type { Page } from '@playwright/test'
import { visit } from './visit.ts'
import { type Agent, expect, expectNothingKept, installable, installed, password, test } from './world.ts'

const said = (page: Page, text: string) => page.locator('[data-message]').filter({ hasText: text })
const menuDot = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Principal' })
    .getByRole('link', { name: /Chat interno.*Há mensagens não lidas/ })

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Mensagem', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

/** Makes a chat with these colleagues and opens it. */
async function makeChat({ page }: Agent, title: string, names: readonly string[]): Promise<void> {
  await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Chat interno' }).click()
  await page.getByRole('button', { name: 'Nova', exact: true }).click()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Por favor, preencha o título da conversa.')).toBeVisible()
  await expect(page.getByText('Por favor, selecione pelo menos um usuário.')).toBeVisible()
  await page.getByLabel('Título').fill(title)
  await page.getByLabel('Usuários').click()
  for (const name of names) await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
}

test('two colleagues talk, one of them without a network for a while; the owner ends the chat', async ({
  world,
  signIn,
  line,
}) => {
  const { ana: anaHerself, bruno: brunoHimself, helena } = world.people
  const [ana, bruno] = [await signIn(anaHerself), await signIn(brunoHimself, { ...installable, baseURL: line.url })]
  await makeChat(ana, 'Escala de sábado', [brunoHimself.name])
  await write(ana.page, 'Você abre no sábado?')

  // Bruno is elsewhere: the menu and the top bar tell him.
  await expect(menuDot(bruno.page)).toBeVisible()
  await bruno.page.getByRole('button', { name: 'Chat interno: 1 conversa com mensagens não lidas' }).click()
  await bruno.page
    .getByRole('dialog', { name: 'Chat interno' })
    .getByRole('link', { name: /Escala de sábado/ })
    .click()
  await expect(said(bruno.page, 'Você abre no sábado?')).toContainText('Ana Souza')
  await expect(menuDot(bruno.page)).toHaveCount(0)
  // He is not the owner.
  await expect(bruno.page.getByRole('button', { name: 'Ações de Escala de sábado' })).toHaveCount(0)

  await installed(bruno.page)
  // Chromium only plays at being offline, and forgets it at times for the worker of a page that is loaded anew.
  line.cut()
  await bruno.goOffline()
  await write(bruno.page, 'Abro, sim')
  await write(bruno.page, 'Mas só até as 15 h')
  for (const text of ['Abro, sim', 'Mas só até as 15 h'])
    await expect(said(bruno.page, text).getByRole('img', { name: 'Na fila de envio' })).toBeVisible()
  await expect(bruno.waiting(2)).toBeVisible()
  await bruno.page.reload()
  await expect(said(bruno.page, 'Mas só até as 15 h').getByRole('img', { name: 'Na fila de envio' })).toBeVisible()
  await write(ana.page, 'E domingo?')
  await expect(said(ana.page, 'Abro, sim')).toHaveCount(0)

  line.mend()
  await bruno.goOnline()
  await expect(said(ana.page, 'Mas só até as 15 h')).toBeVisible()
  await expect(said(bruno.page, 'E domingo?')).toBeVisible()
  await expect(said(bruno.page, 'Mas só até as 15 h').getByRole('img', { name: 'Enviada' })).toBeVisible()
  const lines = async (page: Page) =>
    (await page.locator('[data-message]').allInnerTexts()).map((text) => /\?|sim|15 h/.exec(text)?.[0])
  // What was sent stands where its writer has put it until the server's row has come.
  await expect(async () => expect(await lines(bruno.page)).toEqual(await lines(ana.page))).toPass({ timeout: 30_000 })

  // An admin who is not in it sees nothing of it, not even by its address.
  const third = await signIn(helena)
  await visit(third.page, new URL(ana.page.url()).pathname)
  await expect(third.page.getByText('Conversa não encontrada')).toBeVisible()

  await ana.page.getByRole('button', { name: 'Ações de Escala de sábado' }).click()
  await ana.page.getByRole('menuitem', { name: 'Excluir' }).click()
  await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  for (const { page } of [ana, bruno]) {
    await expect(page).toHaveURL(/\/chats$/)
    await expect(page.getByRole('link', { name: /Escala de sábado/ })).toHaveCount(0)
  }
})

test('older messages come when one scrolls up, what is read stays in place; on a phone there are two tabs', async ({
  world,
  signIn,
}) => {
  const { ana, bruno } = world.people
  const api = await world.stack.login(bruno.email, password)
  const chat = (await api('POST', '/chats', { title: 'Muitas linhas', users: [ana.id] })) as {
    id: number
    uuid: string
  }
  for (let i = 1; i <= 130; i++) await api('POST', `/chats/${chat.id}/messages`, { message: `Linha ${i}.` })

  const { page } = await signIn(ana, { viewport: { width: 390, height: 844 } })
  await visit(page, '/chats')
  await expect(page.getByRole('tab', { name: 'Chats' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('link', { name: /Muitas linhas.*130 não lidas/s })).toBeVisible()
  await page.getByRole('link', { name: /Muitas linhas/ }).click()
  await expect(said(page, 'Linha 130.')).toBeVisible()
  // Only what is near the window is drawn.
  expect(await page.locator('[data-message]').count()).toBeLessThan(60)
  await page.getByRole('group', { name: 'Mensagens' }).hover()
  await expect(async () => {
    await page.mouse.wheel(0, -1_500)
    await expect(said(page, 'Linha 1.')).toBeVisible({ timeout: 300 })
  }).toPass({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Mais recentes' }).click()
  await expect(said(page, 'Linha 130.')).toBeVisible()
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await expect(page.getByRole('link', { name: /Muitas linhas/ })).toBeVisible()
  await expect(page.getByText(/130 não lidas/)).toHaveCount(0)
  // The way to the list is the way back: what was read is not gone through a second time.
  await expect(page).toHaveURL(/\/chats$/)
  await page.getByRole('link', { name: /Muitas linhas/ }).click()
  await expect(page).toHaveURL(new RegExp(`/chats/${chat.uuid}$`))
  await expect(said(page, 'Linha 130.')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: /Muitas linhas/ })).toBeVisible()
  await expect(page).toHaveURL(/\/chats$/)
})

test('what was begun in a chat outlives the tab, each in its chat, until it is sent or the session ends', async ({
  world,
  signIn,
}) => {
  const { ana: anaHerself, bruno } = world.people
  const api = await world.stack.login(anaHerself.email, password)
  for (const title of ['Turno da tarde', 'Turno da noite']) await api('POST', '/chats', { title, users: [bruno.id] })
  const ana = await signIn(anaHerself)
  const { page } = ana
  const field = page.getByLabel('Mensagem', { exact: true })
  const open = async (title: string) => {
    await page.getByRole('navigation', { name: 'Conversas' }).getByRole('link', { name: title }).click()
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
  }
  await visit(page, '/chats')
  await open('Turno da tarde')
  await field.fill('Quem fecha')
  await open('Turno da noite')
  await expect(field).toHaveValue('')
  await write(page, 'Eu abro')
  await expect(said(page, 'Eu abro')).toBeVisible()

  await page.reload()
  await expect(field).toHaveValue('')
  await open('Turno da tarde')
  await expect(field).toHaveValue('Quem fecha')

  await ana.logout()
  await expect(page.getByLabel('E-mail')).toBeVisible()
  await expectNothingKept(page, 'Quem fecha')
})

test('what was begun in a chat goes with it from the machine of whom the owner takes out', async ({
  world,
  signIn,
}) => {
  const { ana, bruno: brunoHimself, helena } = world.people
  const api = await world.stack.login(ana.email, password)
  const title = 'Fechamento do mês'
  const chat = (await api('POST', '/chats', { title, users: [brunoHimself.id, helena.id] })) as { id: number }
  const { page } = await signIn(brunoHimself)
  await visit(page, '/chats')
  const link = page.getByRole('navigation', { name: 'Conversas' }).getByRole('link', { name: title })
  const field = page.getByLabel('Mensagem', { exact: true })
  await link.click()
  await field.fill('O caixa não bate')
  await expect.poll(() => keptDrafts(page)).toContain('O caixa não bate')

  await api('PUT', `/chats/${chat.id}`, { title, users: [helena.id] })
  await expect(link).toHaveCount(0)
  await expect.poll(() => keptDrafts(page)).not.toContain('O caixa não bate')
  await expect(page).toHaveURL(/\/chats$/)

  await api('PUT', `/chats/${chat.id}`, { title, users: [brunoHimself.id, helena.id] })
  await link.click()
  await expect(field).toHaveValue('')
})

/** The texts that this browser keeps for its person until they are sent. */
const keptDrafts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const texts: string[] = []
    for (const { name } of await indexedDB.databases()) {
      const db = await done(indexedDB.open(name!))
      if (db.objectStoreNames.contains('drafts'))
        for (const row of await done(db.transaction('drafts').objectStore('drafts').getAll()))
          texts.push((row as { text: string }).text)
      db.close()
    }
    return texts
  })
