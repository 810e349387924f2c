import { writeFileSync } from 'node:fs'
import { visit } from './visit.ts'
import { expect, intercept, test } from './world.ts'

test('an admin makes a queue with options and files, tries it, and a contact walks through it', async ({
  world,
  signIn,
}, info) => {
  const helena = await signIn(world.people.helena)
  const { page } = helena
  await visit(page, '/queues')
  await page.getByRole('button', { name: 'Adicionar fila' }).first().click()
  const dialog = page.getByRole('dialog', { name: /fila/ })
  await dialog.getByLabel('Nome').fill('Financeiro')
  await dialog.getByLabel('Saudação').fill('Financeiro, oi!')
  const price = info.outputPath('tabela.pdf')
  writeFileSync(price, '%PDF-1.4 tabela')
  await dialog.getByTestId('queue-file').setInputFiles(price)
  await dialog.getByRole('tab', { name: 'Opções do robô' }).click()
  await dialog.getByRole('button', { name: 'Salvar e montar as opções' }).click()

  const editing = page.getByRole('dialog', { name: 'Editar fila' })
  const handle = (title: string) => editing.getByRole('button', { name: new RegExp(`^Mover ${title}`) })
  const add = async (title: string, message: string, button: string, file?: string) => {
    await editing.getByRole('button', { name: button }).first().click()
    const option = page.getByRole('dialog', { name: /Adicionar/ })
    await option.getByLabel('Título').fill(title)
    await option.getByLabel('Mensagem').fill(message)
    if (file) await option.getByTestId('option-file').setInputFiles(file)
    await option.getByRole('button', { name: 'Salvar' }).click()
    await expect(option).toBeHidden()
    // In the list, which moves no more under what is dragged next.
    await expect(handle(title)).toBeVisible()
  }
  await add('Outros assuntos', 'Um instante.', 'Adicionar opção')
  await add('Boleto', 'Qual boleto?', 'Adicionar opção')
  await add('Deste mês', 'Aqui está.', 'Adicionar abaixo de Boleto', price)
  await add('Atrasado', 'Já vemos.', 'Adicionar abaixo de Boleto')

  // By drag, and back.
  await handle('Boleto').dragTo(handle('Outros assuntos'))
  await expect(editing.getByText('Boleto: agora é a opção 1')).toBeAttached()
  await handle('Boleto').dragTo(handle('Outros assuntos'))
  await expect(editing.getByText('Boleto: agora é a opção 2')).toBeAttached()
  // Up, without a mouse.
  await editing.getByRole('button', { name: /Mover Boleto/ }).press('ArrowUp')
  const phone = editing.getByRole('region', { name: 'Como o contato vê' })
  await expect(phone).toContainText('[ 1 ] - Boleto')
  const say = phone.getByLabel('Escreva como o contato')
  await say.fill('1')
  await say.press('Enter')
  await expect(phone).toContainText('Qual boleto?')
  // Nothing of this waits for the buttons of the dialog, and that is said.
  await expect(editing.getByText('As opções são salvas a cada mudança')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editing).toBeHidden()

  // The same with a phone in the hand.
  const queues = (await world.api('GET', '/queue')) as { id: number; name: string }[]
  const queueId = queues.find(({ name }) => name === 'Financeiro')!.id
  // What is moved is shown before it is saved, and is still on its way when the dialog closes.
  const first = async () =>
    (
      (await world.api('GET', `/queue-options?queueId=${queueId}`)) as { parentId: number | null; title: string }[]
    ).find(({ parentId }) => parentId === null)?.title
  await expect.poll(first).toBe('Boleto')
  await world.api('PUT', `/whatsapp/${world.whatsappId}`, { queueIds: [queueId], greetingMessage: '' })
  const contact = await world.contact('Clara Nunes')
  await world.stack.phone.write(contact.number, 'Oi')
  const menu = 'Financeiro, oi!\n\n*[ 1 ]* - Boleto\n*[ 2 ]* - Outros assuntos\n*[ # ]* - Menu inicial'
  await expect.poll(async () => (await world.arrived(contact)).at(-1)).toBe(menu)
  await world.stack.phone.write(contact.number, '1')
  await expect.poll(async () => (await world.arrived(contact)).at(-1)).toContain('Qual boleto?')
  await world.stack.phone.write(contact.number, '1')
  await expect.poll(async () => (await world.arrived(contact)).at(-1)).toBe('Aqui está.')

  // It is a queue of its own, and goes with all its options.
  await visit(page, '/queues')
  await page.getByRole('button', { name: 'Excluir Financeiro' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(page.getByRole('row', { name: /Financeiro/ })).toHaveCount(0)
  await world.api('PUT', `/whatsapp/${world.whatsappId}`, { queueIds: [world.queues.sales] })
})

test('an option stays where it was dragged while that is being saved, whatever was asked for before, and can be dragged again', async ({
  world,
  signIn,
}) => {
  const queueId = ((await world.api('POST', '/queue', { name: 'Cobrança', color: '#7c3aed' })) as { id: number }).id
  const option = (title: string) => world.api('POST', '/queue-options', { queueId, title, message: '' })
  await option('Outros assuntos')
  await option('Boleto')
  const { page } = await signIn(world.people.helena)
  await visit(page, '/queues')
  await page.getByRole('button', { name: 'Editar Cobrança' }).click()
  const editing = page.getByRole('dialog', { name: 'Editar fila' })
  await editing.getByRole('tab', { name: 'Opções do robô' }).click()
  const handles = editing.getByRole('button', { name: /^Mover / })
  const handle = (title: string) => editing.getByRole('button', { name: new RegExp(`^Mover ${title}`) })
  await expect(handles).toHaveCount(2)

  // A colleague adds an option: the answer is made now, and comes when Boleto has been dragged.
  const [answered, moved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const asked = Promise.withResolvers<void>()
  await intercept(page, /\/queue-options\?/, async (route) => {
    const response = await route.fetch()
    asked.resolve()
    await answered.promise
    // The page may have asked again meanwhile, and wait for this no longer.
    await route.fulfill({ response }).catch(() => undefined)
  })
  await intercept(page, /\/queue-options\/\d+$/, async (route) => {
    await moved.promise
    await route.continue()
  })
  await option('Entrega')
  await asked.promise
  await handle('Boleto').dragTo(handle('Outros assuntos'))
  await expect(editing.getByText('Boleto: agora é a opção 1')).toBeAttached()
  answered.resolve()
  await expect(handle('Entrega')).toBeVisible()
  await expect(handles.first()).toHaveAccessibleName(/^Mover Boleto/)

  // Back again, and below the other, before the server has said anything.
  await handle('Boleto').dragTo(handle('Outros assuntos'))
  await expect(editing.getByText('Boleto: agora é a opção 2')).toBeAttached()
  await handle('Boleto').dragTo(handle('Entrega'))
  await expect(editing.getByText('Boleto: agora é a opção 3')).toBeAttached()
  moved.resolve()
  const stored = async () => {
    const rows = (await world.api('GET', `/queue-options?queueId=${queueId}`)) as { title: string; option: number }[]
    return rows.toSorted((a, b) => a.option - b.option).map(({ title }) => title)
  }
  await expect.poll(stored).toEqual(['Outros assuntos', 'Entrega', 'Boleto'])
  for (const [at, title] of ['Outros assuntos', 'Entrega', 'Boleto'].entries())
    await expect(handles.nth(at)).toHaveAccessibleName(new RegExp(`^Mover ${title}`))
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  // Two keys before the page has drawn the first: each counts, and none goes past the end.
  const press = (title: string, keys: string[]) =>
    handle(title).evaluate((button, keys) => {
      for (const key of keys) button.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    }, keys)
  await press('Boleto', ['ArrowUp', 'ArrowUp'])
  await expect(editing.getByText('Boleto: agora é a opção 1')).toBeAttached()
  await expect.poll(stored).toEqual(['Boleto', 'Outros assuntos', 'Entrega'])
  await press('Boleto', ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'])
  await expect.poll(stored).toEqual(['Outros assuntos', 'Boleto', 'Entrega'])
  await expect(handles.nth(1)).toHaveAccessibleName(/^Mover Boleto/)
  await world.api('DELETE', `/queue/${queueId}`)
})

test('an admin sets a connection’s own hours and changes its token; a setting is found by its name', async ({
  world,
  signIn,
}) => {
  await world.api('PUT', '/settings/scheduleType', { value: 'company' })
  const helena = await signIn(world.people.helena)
  const { page } = helena
  await visit(page, '/connections')
  const edit = async () => {
    await page.getByRole('button', { name: 'Editar Loja', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Editar conexão' })
    await expect(dialog.getByRole('tab')).toHaveText(['Geral', 'Mensagens', 'Avaliações', 'Integrações', 'Horários'])
    return dialog
  }
  const dialog = await edit()
  const token = dialog.getByLabel('Token da API')
  const before = await token.inputValue()
  await dialog.getByRole('button', { name: 'Trocar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Trocar' }).click()
  await expect(token).not.toHaveValue(before)
  await dialog.getByRole('tab', { name: 'Avaliações' }).click()
  await dialog.getByLabel('Avaliação').fill('Como foi?')
  await dialog.getByRole('tab', { name: 'Horários' }).click()
  await dialog.getByRole('switch', { name: 'Horário próprio desta conexão' }).click()
  await dialog.getByRole('button', { name: 'Segunda-feira: Mais um período' }).click()
  await dialog.getByLabel('Segunda-feira: fim', { exact: true }).fill('1200')
  await dialog.getByLabel('Segunda-feira: início do período 2').fill('1330')
  await dialog.getByLabel('Segunda-feira: fim do período 2').fill('1800')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()
  const stored = (await world.api('GET', `/whatsapp/${world.whatsappId}`)) as {
    ratingMessage: string
    schedules: { weekdayEn: string; startTime: string; endTime: string }[]
  }
  expect(stored.ratingMessage).toBe('Como foi?')
  expect(stored.schedules.slice(0, 2).map(({ startTime, endTime }) => `${startTime}-${endTime}`)).toEqual([
    ...['08:00-12:00', '13:30-18:00'],
  ])

  await visit(page, '/settings?tab=hours')
  await page.getByRole('button', { name: 'Adicionar feriado' }).click()
  await page.getByLabel('Data do feriado 1').fill('2027-12-25')
  await page.getByLabel('Nome do feriado 1').fill('Natal')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await helena.told('Horários atualizados com sucesso.')

  await page.keyboard.press('Control+k')
  // The settings below have lists of choices of their own.
  await page.getByRole('combobox', { name: /Comandos/ }).fill('reabrir')
  await page.getByRole('option', { name: 'Reabrir o atendimento por até' }).click()
  await expect(page.locator('[data-setting][aria-current=true]')).toContainText('Reabrir o atendimento por até')
  await expect(page.getByRole('combobox', { name: 'Reabrir o atendimento por até' })).toBeInViewport()
  await world.api('PUT', '/settings/scheduleType', { value: 'disabled' })
})
