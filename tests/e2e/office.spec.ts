import { visit } from './visit.ts'
import { expect, openBrowser, password, test } from './world.ts'

test('an admin makes a list of files, and an agent sends it into a conversation with its message', async ({
  world,
  signIn,
  serving,
}) => {
  const admin = await signIn(world.people.helena)
  await visit(admin.page, '/files')
  await admin.page.getByRole('button', { name: 'Adicionar lista' }).first().click()
  const dialog = admin.page.getByRole('dialog', { name: 'Adicionar lista de arquivos' })
  await dialog.getByLabel('Nome', { exact: false }).first().fill('Ca')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('nome muito curto')).toBeVisible()
  await dialog.getByLabel('Nome', { exact: false }).first().fill('Catálogo')
  await dialog.getByLabel('Mensagem', { exact: false }).fill('Segue o nosso catálogo')
  await dialog.getByTestId('list-files').setInputFiles([
    { name: 'tortas.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 tortas') },
    { name: 'bolos.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 bolos') },
  ])
  await expect(dialog.getByRole('textbox', { name: 'Nome do arquivo' })).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await admin.told('Lista de arquivos salva')
  await expect(admin.page.getByRole('row', { name: /Catálogo/ })).toContainText('2 arquivos')

  const { agent, contact } = await serving(world.people.ana, 'Fátima Melo', 'Tem catálogo?')
  const { page } = agent
  await page.getByRole('button', { name: 'Enviar uma lista de arquivos' }).click()
  await page.getByRole('button', { name: /Catálogo/ }).click()
  const send = page.getByRole('dialog', { name: 'Enviar 2 arquivos' })
  await expect(send.getByRole('textbox', { name: 'Legenda' })).toHaveValue('Segue o nosso catálogo')
  await send.getByRole('button', { name: 'Enviar' }).click()
  const files = async () =>
    (await world.stack.phone.lines(contact.number)).flatMap((line) => (line.by === 'business' && line.file ? line : []))
  await expect.poll(async () => (await files()).map(({ file }) => file!.name)).toEqual(['tortas.pdf', 'bolos.pdf'])
  expect((await files())[0]!.text).toContain('Segue o nosso catálogo')
})

test('tasks stay with their person in this browser, also over a logout', async ({ world, browser }) => {
  const agent = await openBrowser(browser, world.stack.url)
  const { page } = agent
  const { ana, bruno } = world.people
  await agent.login(ana.email, password)
  await page.getByRole('link', { name: 'Tarefas' }).click()
  const field = page.getByRole('textbox', { name: 'Nova tarefa' })
  const tasks = page.getByRole('list', { name: 'Tarefas' }).getByRole('listitem')
  await field.fill('   ')
  await field.press('Enter')
  await expect(page.getByText('Nada a fazer')).toBeVisible()
  await field.fill('Ligar para a Clara')
  await field.press('Enter')
  await field.fill('Conferir o estoque')
  await field.press('Enter')
  await expect(tasks).toHaveCount(2)
  await page.getByRole('button', { name: 'Editar Ligar para a Clara' }).click()
  await page.getByRole('textbox', { name: 'Tarefa', exact: true }).fill('Escrever para a Clara')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Excluir Conferir o estoque' }).click()
  await expect(tasks).toHaveText([/Escrever para a Clara/])

  await agent.logout()
  await agent.login(bruno.email, password)
  await page.getByRole('link', { name: 'Tarefas' }).click()
  await expect(page.getByText('Nada a fazer')).toBeVisible()
  await agent.logout()
  await agent.login(ana.email, password)
  await page.getByRole('link', { name: 'Tarefas' }).click()
  await expect(tasks).toHaveText([/Escrever para a Clara/])
  await page.context().close()
})
