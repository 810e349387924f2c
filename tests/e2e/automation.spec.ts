import { visit } from './visit.ts'
import { test as base, expect, type World } from './world.ts'

/** A company whose connection offers two queues: a menu answers there, so it is no other story's company. */
const test = base.extend<object, { world: World }>({
  world: [
    async ({ world }, provide) => {
      const { api, queues, whatsappId } = world
      await api('PUT', `/whatsapp/${whatsappId}`, {
        ...{ name: 'Loja', queueIds: [queues.sales, queues.support], greetingMessage: 'Olá! Escolha:' },
      })
      await api('PUT', `/queue/${queues.support}`, {
        ...{ name: 'Suporte', color: '#0284c7', orderQueue: 2, greetingMessage: 'Aqui é o Suporte.' },
      })
      await api('PUT', `/queue/${queues.sales}`, { name: 'Vendas', color: '#16a34a', orderQueue: 1 })
      await provide(world)
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('an agent asks why the menu came; an admin asks what a choice would bring, and then it is chosen', async ({
  world,
  signIn,
}) => {
  const contact = await world.contact('Clara Nunes')
  await world.stack.phone.write(contact.number, 'Oi, tudo bem?')
  const menu = 'Olá! Escolha:\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte'
  await expect.poll(() => world.arrived(contact)).toEqual([menu])

  // The admin looks on, and reads each rule without leaving the keyboard.
  const helena = await signIn(world.people.helena)
  const { page } = helena
  await helena.tab('Aguardando').click()
  await helena.item(contact).getByRole('button', { name: 'Espiar a conversa' }).click()
  await expect(helena.bubble('Oi, tudo bem?')).toBeVisible()
  await helena.bubble('Oi, tudo bem?').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Por quê?' }).press('Enter')
  const whole = page.getByRole('dialog', { name: 'Por que esta mensagem foi respondida assim?' })
  await expect(whole.getByText('O menu das filas foi mostrado.').first()).toBeVisible()
  const rules = whole.getByRole('list', { name: /Regras/ }).getByRole('listitem')
  await expect(rules).toHaveCount(10)
  await expect(rules.last()).toContainText('Valeu')
  await expect(rules.last()).toContainText('Menu das filas')
  await page.keyboard.press('Escape')
  await expect(whole).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // What the choice would bring, before it is made. From the palette.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('responderia')
  await page.getByRole('option', { name: 'O que responderia?' }).click()
  const trial = page.getByRole('dialog', { name: 'Testar o atendimento automático' })
  await trial.getByLabel('Contato (opcional)').click()
  await page.getByPlaceholder('Nome ou número').fill('Clara')
  await page.getByRole('option', { name: /Clara Nunes/ }).click()
  await trial.getByLabel('Mensagem do contato').fill('2')
  await trial.getByRole('button', { name: 'Perguntar' }).click()
  const phone = trial.getByRole('group', { name: 'Conversa, como o contato a veria' })
  await expect(phone.locator('[data-phone=business]')).toHaveText(['Aqui é o Suporte.'])
  await expect(trial.getByText('O atendimento entrou na fila, e a saudação dela foi enviada.').first()).toBeVisible()
  await expect(trial.getByText('Depois disso, o atendimento está na fila Suporte.')).toBeVisible()

  // Nobody was told, and nothing has moved.
  expect(await world.arrived(contact)).toEqual([menu])
  expect((await world.ticketsOf(contact))[0]).toMatchObject({ status: 'pending', queueId: null })
  await world.stack.phone.write(contact.number, '2')
  await expect.poll(() => world.arrived(contact)).toEqual([menu, 'Aqui é o Suporte.'])
  await expect.poll(async () => (await world.ticketsOf(contact))[0]?.queueId).toBe(world.queues.support)

  // An agent of the queue takes it over, and reads one sentence.
  const ana = await signIn(world.people.ana)
  await ana.accept(contact)
  await ana.choose('Aqui é o Suporte.', 'Por quê?')
  const why = ana.page.getByRole('dialog', { name: 'Por que esta mensagem foi enviada?' })
  await expect(why.getByText('O atendimento entrou na fila, e a saudação dela foi enviada.')).toBeVisible()
  await expect(why.getByRole('list')).toHaveCount(0)
  await ana.page.keyboard.press('Escape')

  // What comes now is a person's, and what an agent wrote needs no reason.
  await world.stack.phone.write(contact.number, 'É a geladeira')
  await ana.choose('É a geladeira', 'Por quê?')
  await expect(
    ana.page.getByText(/um atendente está com o atendimento|um atendente estava com o atendimento/),
  ).toBeVisible()
  await ana.page.keyboard.press('Escape')
  await ana.say('Vamos ver juntas')
  await expect(ana.ticks('Vamos ver juntas', 'Entregue')).toBeVisible()
  await ana.menuOf('Vamos ver juntas')
  await expect(ana.page.getByRole('menuitem', { name: 'Responder' })).toBeVisible()
  await expect(ana.page.getByRole('menuitem', { name: 'Por quê?' })).toHaveCount(0)
})

test('whether the shop would be open is asked of a moment, and the answer names whose hours count', async ({
  world,
  signIn,
}) => {
  const { api } = world
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  const { settings } = { settings: (await api('GET', '/settings')) as { key: string; value: string }[] }
  const before = settings.find(({ key }) => key === 'scheduleType')?.value
  await api('PUT', '/settings/scheduleType', { value: 'queue' })
  await api('PUT', `/queue/${world.queues.support}`, {
    ...{ name: 'Suporte', color: '#0284c7', orderQueue: 2, greetingMessage: 'Aqui é o Suporte.' },
    outOfHoursMessage: 'Voltamos às 9h.',
    schedules: days.map((day) => ({
      ...{ weekday: day, weekdayEn: day.toLowerCase(), startTime: '09:00', endTime: '18:00' },
    })),
  })
  const { page } = await signIn(world.people.helena)
  await visit(page, '/queues')
  await page.getByRole('button', { name: 'Testar horário' }).click()
  const trial = page.getByRole('dialog', { name: 'Testar o atendimento automático' })
  await trial.getByLabel('Fila (opcional)').click()
  await page.getByRole('option', { name: 'Suporte' }).click()
  await trial.getByLabel('Momento (opcional)').fill('2026-11-24T22:30')
  await trial.getByRole('button', { name: 'Testar', exact: true }).click()
  await expect(trial.getByText('Fechado')).toBeVisible()
  await expect(trial.getByText('Vale o horário da fila.')).toBeVisible()
  await expect(trial.getByText('Neste dia, das 09:00 às 18:00.')).toBeVisible()
  await expect(trial.getByText('Abre em 25/11/2026, 09:00.')).toBeVisible()
  await expect(trial.getByText('Voltamos às 9h.')).toBeVisible()
  await trial.getByLabel('Momento (opcional)').fill('2026-11-24T10:00')
  await expect(trial.getByText('Fechado')).toBeHidden()
  await trial.getByRole('button', { name: 'Testar', exact: true }).click()
  await expect(trial.getByText('Aberto')).toBeVisible()
  if (before !== undefined) await api('PUT', '/settings/scheduleType', { value: before })
})
