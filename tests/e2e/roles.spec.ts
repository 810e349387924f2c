import type { Page } from '@playwright/test'
import { follow, visit } from './visit.ts'
import { expect, password, test } from './world.ts'
import { told } from '../support/told.ts'

const email = 'dora@loja.test'

test('an admin narrows what somebody sees by a role, and it is gone from their open screen; widened, it comes back', async ({
  world,
  signIn,
}) => {
  const { api, queues, stack } = world
  const made = await api('POST', '/users', {
    name: 'Dora Reis',
    email,
    password,
    profile: 'user',
    queueIds: [queues.sales],
  })
  const { id } = made as { id: number }
  try {
    const contact = await world.contact('Teresa Nunes')
    await stack.phone.write(contact.number, 'Boa tarde, alguém aí?')
    const dora = await signIn({ id, name: 'Dora Reis', email })
    await dora.tab('Aguardando').click()
    await expect(dora.item(contact)).toBeVisible()

    const { page } = await signIn(world.people.helena)
    await visit(page, '/users')
    await page.getByRole('link', { name: 'Papéis' }).click()
    await expect(page.getByText('Nenhum papel ainda')).toBeVisible()
    // From what an agent may do, and less.
    await page.getByRole('button', { name: 'Criar um papel a partir de Atendente' }).click()
    const dialog = page.getByRole('dialog', { name: 'Adicionar papel' })
    await dialog.getByLabel('Nome').fill('Plantão')
    await dialog.getByLabel('Atendimentos que vê').click()
    await page.getByRole('option', { name: 'Só os seus' }).click()
    await dialog.getByRole('checkbox', { name: 'Ver o painel' }).click()
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    const list = page.getByRole('table', { name: 'Papéis' })
    await expect(list.getByRole('row', { name: /Plantão/ })).toContainText('3 permissões')
    await expect(list.getByRole('row', { name: /Plantão/ })).toContainText('Ninguém')

    await page.getByRole('link', { name: 'Usuários' }).last().click()
    await page.getByRole('button', { name: 'Editar Dora Reis' }).click()
    const user = page.getByRole('dialog', { name: 'Editar usuário' })
    await user.getByLabel('Perfil').click()
    await page.getByRole('option', { name: 'Plantão' }).click()
    await user.getByRole('button', { name: 'Salvar' }).click()
    await expect(page.getByRole('row', { name: /Dora Reis/ })).toContainText('Plantão')

    await expect(dora.item(contact)).toHaveCount(0)
    await expect(dora.page.getByRole('link', { name: 'Painel', exact: true })).toBeVisible()

    await page.getByRole('link', { name: 'Papéis' }).click()
    const row = list.getByRole('row', { name: /Plantão/ })
    await expect(row).toContainText('Dora Reis')
    await row.getByRole('button', { name: 'Excluir Plantão' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
    await expect(page.getByText('Há pessoas com este papel. Dê outro a elas antes')).toBeVisible()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar' }).click()
    await row.getByRole('button', { name: 'Editar Plantão' }).click()
    const edited = page.getByRole('dialog', { name: 'Editar papel' })
    await edited.getByLabel('Atendimentos que vê').click()
    await page.getByRole('option', { name: 'Os seus e os das suas filas' }).click()
    await edited.getByRole('button', { name: 'Salvar' }).click()
    await expect(dora.item(contact)).toBeVisible()
  } finally {
    await api('DELETE', `/users/${id}`)
    const { roles } = (await api('GET', '/roles')) as { roles: { id: number }[] }
    for (const role of roles) await api('DELETE', `/roles/${role.id}`)
  }
})

test('a role hides the numbers of contacts from an open screen; who may asks for one, and the audit log says so', async ({
  world,
  signIn,
}) => {
  const { api, queues, stack } = world
  const role = (await api('POST', '/roles', {
    name: 'Sem números',
    permissions: ['contacts:reveal'],
    ticketScope: 'queues',
  })) as { id: number }
  const made = await api('POST', '/users', {
    ...{ name: 'Elisa Prado', email: 'elisa@loja.test', password },
    ...{ profile: 'user', roleId: role.id, queueIds: [queues.sales] },
  })
  const { id } = made as { id: number }
  try {
    const contact = await world.contact('Otávio Lemos')
    const { number } = contact
    await stack.phone.write(number, 'Vocês entregam hoje?')
    const elisa = await signIn({ id, name: 'Elisa Prado', email: 'elisa@loja.test' })
    await elisa.tab('Aguardando').click()
    await elisa.accept(contact)
    const { page } = elisa
    await page.getByRole('button', { name: 'Mostrar os dados do contato' }).click()
    const panel = page.getByRole('complementary', { name: 'Dados do contato' })
    const end = number.slice(-4)
    await expect(panel.getByRole('button', { name: new RegExp(`^Copiar .*${end}$`) })).toBeVisible()

    const helena = await signIn(world.people.helena)
    await visit(helena.page, '/roles')
    await helena.page.getByRole('button', { name: 'Editar Sem números' }).click()
    const dialog = helena.page.getByRole('dialog', { name: 'Editar papel' })
    await dialog.getByRole('switch', { name: 'Ocultar os números dos contatos' }).click()
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await helena.told('Papel salvo')

    await expect(panel).toContainText(new RegExp(`••••?-${end}`))
    await expect(panel.getByRole('button', { name: /^Copiar/ })).toHaveCount(0)
    // Not in what the browser keeps, either: after a reload it is what there is.
    await page.reload()
    await expect(elisa.item(contact)).toBeVisible()
    await page.getByRole('link', { name: 'Contatos' }).click()
    await page.getByLabel('Buscar por nome ou número').fill('otávio')
    await expect(page.getByText(new RegExp(`••••?-${end}`))).toBeVisible()
    expect(await page.content()).not.toContain(number)

    await page.goBack()
    await page.getByRole('button', { name: 'Mostrar os dados do contato' }).click()
    await panel.getByRole('button', { name: 'Mostrar o número' }).click()
    await expect(panel.getByRole('button', { name: new RegExp(`^Copiar .*${end}$`) })).toBeVisible()
    const { records } = (await api('GET', '/audit?action=reveal')) as { records: { actorName: string }[] }
    expect(records).toHaveLength(1)
  } finally {
    await api('DELETE', `/users/${id}`)
    await api('DELETE', `/roles/${role.id}`)
  }
})

/** What stands in the menu of an admin and of no agent, and what one comes to from there. */
const ofAdmins = [
  ...['/flowbuilders', '/flowbuilder/1', '/phrase-lists', '/flowdefault'],
  ...['/campaigns', '/campaign/1/report', '/campaigns-config', '/segments', '/opt-outs'],
  ...['/connections', '/connections/1', '/connections/1/templates', '/queues', '/prompts', '/queue-integration'],
  ...['/messages-api', '/api-keys', '/webhooks', '/users', '/roles', '/custom-fields', '/audit', '/sla-policies'],
  ...['/rules', '/rules/1', '/reports', '/privacy'],
  ...['/subscription', '/financeiro', '/settings', '/announcements', '/operator'],
]

test('no screen of the administration opens to an agent who knows its address: a word, and the first screen', async ({
  world,
  signIn,
}) => {
  const menuOf = async (page: Page) => {
    const links = page.getByRole('navigation', { name: 'Principal' }).getByRole('link')
    await expect(links.first()).toBeVisible()
    return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
  }
  const { page: admin } = await signIn(world.people.helena)
  const { page } = await signIn(world.people.bruno)
  const open = await menuOf(page)
  const closed = (await menuOf(admin)).filter((path) => path !== '/' && !open.includes(path))
  expect(closed.length).toBeGreaterThan(10)
  expect(closed.filter((path) => !ofAdmins.includes(path))).toEqual([])
  // Four windows of theirs: most of the time passes until what was said has gone.
  const windows = [page, ...(await Promise.all([1, 2, 3].map(() => page.context().newPage())))]
  await Promise.all(windows.slice(1).map((one) => one.goto('/tickets')))
  await Promise.all(
    windows.map(async (one, at) => {
      for (const [round, path] of ofAdmins.filter((_, index) => index % windows.length === at).entries())
        await test.step(path, async () => {
          // While its word stands it is not said again.
          await expect(one.locator('[data-sonner-toast]')).toHaveCount(0)
          // Typed into an empty window, or followed as a link: the same guard stands before both.
          await (round === 0 ? one.goto(path) : follow(one, path))
          await told(one, 'Esta empresa não possui permissão para acessar essa página!')
          await one.waitForURL('/tickets')
          await expect(one.getByRole('heading', { level: 1 })).toHaveText('Atendimentos')
        })
    }),
  )
})
