import { axeFindings } from '../support/axe.ts'
import { type Contact, expect, test } from './world.ts'

/** Several tickets at once, and views of the list. */

test('several tickets are chosen and accepted at once, and taken back at once, without a network, too; a view of the company is everybody’s', async ({
  world,
  signIn,
}) => {
  const { people, stack } = world
  const ana = await signIn(people.ana)
  const { page } = ana
  const names = ['Alba Teles', 'Bento Luz', 'Clara Nunes']
  const contacts: Contact[] = []
  for (const name of names) {
    const contact = await world.contact(name)
    await stack.phone.write(contact.number, 'Tem pão?')
    contacts.push(contact)
  }
  const stateOf = async (contact: Contact) => (await world.ticketsOf(contact))[0]?.status
  await ana.tab('Aguardando').click()
  for (const contact of contacts) await expect(ana.item(contact)).toBeVisible()
  const bar = page.getByRole('toolbar', { name: 'Ações para os selecionados' })
  const row = (contact: Contact) => ana.item(contact).locator('[data-item]')
  const choose = async () => {
    await row(contacts[0]!).focus()
    await page.keyboard.press('x')
    await row(contacts[1]!).click()
    await row(contacts[2]!).click()
    await expect(bar.getByRole('status')).toHaveText('3 selecionados')
  }

  await expect(bar).toHaveCount(0)
  await choose()
  for (const contact of contacts) await expect(row(contact)).toHaveAttribute('aria-pressed', 'true')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)

  await ana.goOffline()
  await choose()
  await bar.getByRole('button', { name: 'Aceitar' }).click()
  await expect(ana.toast('3 atendimentos aceitos')).toBeVisible()
  for (const contact of contacts) await expect(ana.item(contact)).toHaveCount(0)
  await page.keyboard.press('z')
  for (const contact of contacts) await expect(ana.item(contact)).toBeVisible()
  await choose()
  await row(contacts[2]!).focus()
  await page.keyboard.press('a')
  for (const contact of contacts) await expect(ana.item(contact)).toHaveCount(0)
  await ana.goOnline()
  for (const contact of contacts) await expect.poll(() => stateOf(contact)).toBe('open')
  await expect(ana.waiting()).toHaveCount(0)

  // What cannot be done with all is said before it is done.
  const waiting = await world.contact('Dino Sá')
  await stack.phone.write(waiting.number, 'E bolo?')
  const helena = await signIn(people.helena)
  const desk = helena.page
  await desk.getByRole('button', { name: 'Filtrar atendimentos' }).click()
  await desk.getByRole('dialog', { name: 'Filtrar atendimentos' }).getByLabel('Só os que esperam resposta').click()
  await desk.getByRole('button', { name: 'Salvar como visão' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Nova visão' })
  await dialog.getByLabel('Nome').fill('Esperam por nós')
  await dialog.getByLabel('Quem tem esta visão').click()
  await desk.getByRole('option', { name: 'Toda a empresa' }).click()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()
  await expect(desk.getByRole('tabpanel', { name: 'Esperam por nós' })).toBeVisible()
  await helena
    .item(contacts[0]!)
    .locator('[data-item]')
    .click({ modifiers: ['Control'] })
  await helena.item(waiting).locator('[data-item]').click()
  await desk.keyboard.press('a')
  await expect(desk.getByText('Aceitar: 1 de 2. Ficam como estão: 1 já é de um colega.')).toBeVisible()
  await desk.keyboard.press('Escape')
  await desk.keyboard.press('Escape')

  await ana.view('Esperam por nós').click()
  for (const contact of contacts) await expect(ana.item(contact)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ações de Esperam por nós' })).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])

  // Whoever has it open when it goes is at the lists again.
  await helena.deleteView('Esperam por nós')
  await expect(ana.view('Esperam por nós')).toHaveCount(0)
  await expect(ana.tab('Aguardando')).toBeVisible()
  await expect(helena.tab('Aguardando')).toBeVisible()
  await expect(helena.waiting()).toHaveCount(0)
})

test('an agent with forty tickets goes by what is due next, puts three aside in one go, and one comes back when its contact answers', async ({
  world,
  signIn,
}) => {
  const { api, people, queues, stack } = world
  const made = async (path: string, body: object) => ((await api('POST', path, body)) as { id: number }).id
  const tag = await made('/tags', { name: 'Urgente', color: '#dc2626' })
  const policies = [
    await made('/sla-policies', { name: 'Urgentes', calendar: '24x7', tagIds: [tag], firstAnswer: 30 }),
    await made('/sla-policies', { name: 'Todos os outros', calendar: '24x7', firstAnswer: 600 }),
  ]
  try {
    const contacts: Contact[] = []
    for (let n = 1; n <= 40; n++) {
      const contact = await world.contact(`Cliente ${String(n).padStart(2, '0')}`)
      await stack.phone.write(contact.number, 'Tem pão?')
      contacts.push(contact)
    }
    const idOf = async () => {
      const { tickets } = (await api('GET', '/tickets?showAll=true&searchParam=Cliente')) as {
        tickets: { id: number; contact: Contact }[]
      }
      return new Map(tickets.map(({ id, contact }) => [contact.number, id]))
    }
    let known = await idOf()
    await expect
      .poll(async () => contacts.filter(({ number }) => !known.has(number)).length === 0 || !(known = await idOf()))
      .toBe(true)
    const ids = contacts.map(({ number }) => known.get(number)!)
    const given = { type: 'transfer', queueId: queues.sales, userId: people.ana.id }
    expect(await api('POST', '/tickets/bulk', { ids, action: given })).toMatchObject({ failed: [] })
    const urgent = contacts[12]!
    await api('POST', '/tickets/bulk', { ids: [ids[12]], action: { type: 'tag', add: [tag], remove: [] } })

    const ana = await signIn(people.ana)
    const { page } = ana
    const row = (contact: Contact) => ana.item(contact).locator('[data-item]')
    const first = page.locator('[data-item]').first()
    const filter = async () => {
      await page.getByRole('button', { name: 'Filtrar atendimentos' }).click()
      await page.getByRole('switch', { name: 'Próximo prazo primeiro' }).click()
      await page.keyboard.press('Escape')
    }
    await filter()
    await expect(first).toContainText(urgent.name)
    await expect(first).toContainText('Primeira resposta: prazo em')

    // Those that wait longest, behind the urgent one.
    const three = contacts.slice(0, 3)
    const bar = page.getByRole('toolbar', { name: 'Ações para os selecionados' })
    const aside = async () => {
      await row(three[0]!).click({ modifiers: ['Control'] })
      for (const contact of three.slice(1)) await row(contact).click()
      await expect(bar.getByRole('status')).toHaveText('3 selecionados')
      await row(three[2]!).focus()
      await page.keyboard.press('h')
      const dialog = page.getByRole('dialog', { name: 'Adiar 3 atendimentos' })
      await dialog.getByRole('combobox', { name: 'Até quando' }).click()
      await page.getByRole('option', { name: 'Até o contato responder' }).click()
      expect(await axeFindings(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Adiar' }).click()
      await expect(ana.toast('3 atendimentos adiados')).toBeVisible()
      for (const contact of three) await expect(ana.item(contact)).toHaveCount(0)
    }
    await aside()
    // Longer than what was asked of the first one chosen is watched: its last answer is that it has left the list.
    await page.waitForTimeout(4500)
    await page.keyboard.press('z')
    for (const contact of three) await expect(ana.item(contact)).toBeVisible()
    await aside()
    await expect(ana.waiting()).toHaveCount(0)
    await stack.phone.write(three[1]!.number, 'Alô?')
    await expect(ana.item(three[1]!)).toBeVisible()
    await expect(first).toContainText(urgent.name)
    await filter()
    await api('POST', '/tickets/bulk', { ids, action: { type: 'resolve' } })
  } finally {
    for (const id of policies) await api('DELETE', `/sla-policies/${id}`)
    await api('DELETE', `/tags/${tag}`)
  }
})
