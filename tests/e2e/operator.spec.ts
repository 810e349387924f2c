import { visit } from './visit.ts'
import { adminEmail, adminPassword, dayHere, expect, openBrowser, test } from './world.ts'

test('an operator gives a company more time, changes its plan, and deletes it by its name', async ({
  world,
  browser,
}) => {
  const operator = await openBrowser(browser, world.stack.url)
  const { page } = operator
  await operator.login(adminEmail, adminPassword)
  await operator.inboxReady()
  await visit(page, '/settings?tab=plans')
  await page.getByRole('button', { name: 'Adicionar plano' }).click()
  const plan = page.getByRole('dialog', { name: 'Adicionar plano' })
  await plan.getByLabel('Nome').fill('Ouro')
  await plan.getByLabel('Valor por mês (R$)').fill('199,90')
  for (const limit of ['Usuários', 'Conexões', 'Filas']) await plan.getByLabel(limit).fill('5')
  await plan.getByRole('switch', { name: 'Kanban' }).click()
  await plan.getByRole('switch', { name: 'Interno', exact: true }).click()
  await plan.getByRole('button', { name: 'Salvar' }).click()
  await operator.told('Operação realizada com sucesso!')
  const gold = page.getByRole('row', { name: /Ouro/ })
  await expect(gold).toContainText('Sem Kanban')
  await expect(gold.getByRole('cell', { name: 'Sim', exact: true })).toBeVisible()
  const offered = (await (await fetch(`${world.stack.url}/plans/list`)).json()) as { name: string }[]
  expect(offered.map(({ name }) => name)).not.toContain('Ouro')

  await page.getByRole('tab', { name: 'Empresas' }).click()
  await page.getByRole('button', { name: 'Adicionar empresa' }).click()
  const company = page.getByRole('dialog', { name: 'Adicionar empresa' })
  await company.getByLabel('Nome').fill('Mercado do Zé')
  await company.getByLabel('E-mail').fill('ze@mercado.test')
  await company.getByLabel('Senha do administrador').fill('segredo1')
  await company.getByLabel('Plano').click()
  await page.getByRole('option', { name: 'Ouro' }).click()
  await company.getByLabel('Vencimento').fill(dayHere(5))
  await company.getByRole('button', { name: 'Salvar' }).click()
  const row = page.getByRole('row', { name: /Mercado do Zé/ })
  await expect(row).toContainText('faltam 5 dias')
  // What was billed for that time is not paid as well.
  await row.getByRole('button', { name: '+ Vencimento de Mercado do Zé' }).click()
  const given = page.getByRole('alertdialog', { name: 'Dar mais prazo a Mercado do Zé?' })
  await expect(given).toContainText(/A fatura \d+, de R\$\s199,90, está aberta e é cancelada/)
  await given.getByRole('button', { name: 'Dar o prazo e cancelar a fatura' }).click()
  await expect(row).toContainText(/faltam 3\d dias/)
  await row.getByRole('button', { name: 'Faturas de Mercado do Zé' }).click()
  await expect(page.getByRole('dialog').getByRole('row', { name: /199,90/ })).toContainText('Cancelado')
  await page.keyboard.press('Escape')

  // A payment that comes while the dialog is open is not undone by what is saved there.
  await row.getByRole('button', { name: 'Editar Mercado do Zé' }).click()
  const edited = page.getByRole('dialog', { name: 'Editar empresa' })
  await edited.getByLabel('Telefone').fill('11987654321')
  // A second login would end the session of the page.
  const token = await page.evaluate(async () => {
    const response = await fetch('/auth/refresh_token', { method: 'POST' })
    return ((await response.json()) as { token: string }).token
  })
  const api = world.stack.as(token)
  const { companies } = (await api('GET', '/companies?searchParam=mercado')) as { companies: { id: number }[] }
  await api('PUT', `/companies/${companies[0]!.id}`, { dueDate: dayHere(90) })
  await edited.getByRole('button', { name: 'Salvar' }).click()
  await expect(edited).toBeHidden()
  await expect(row).toContainText('faltam 90 dias')

  await row.getByRole('button', { name: 'Excluir Mercado do Zé' }).click()
  const remove = page.getByRole('dialog', { name: 'Excluir Mercado do Zé?' })
  await expect(remove.getByRole('button', { name: 'Continuar' })).toBeDisabled()
  await remove.getByLabel(/digite o nome/).fill('Mercado do Zé')
  await remove.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir para sempre' }).click()
  await expect(row).toHaveCount(0)
  await page.context().close()
})

test('an operator sees what the installation did, takes it as a file, and tries a job again that failed', async ({
  world,
  browser,
}) => {
  const { databaseUrl } = world.stack
  const sql = new Bun.SQL(databaseUrl, { max: 1 })
  // Before this installation began: its clock never counts such a day.
  const gone = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
  await sql`
    INSERT INTO usage_days (day, companies, "activeUsers", "messagesIn", "messagesOut", tickets, connections, "countedAt")
    VALUES (${gone}::date, 3, NULL, 4321, 1234, 7, NULL, ${gone}::date + 2)`
  const [job] = await sql`
    INSERT INTO jobs (kind, payload, "lastError", "failedAt", attempts)
    VALUES ('push.notify', '{"messageId": "none"}', 'nobody answers', now(), 8) RETURNING id`
  const [company] =
    await sql`INSERT INTO companies (name, email) VALUES ('Empresa do uso', 'uso@loja.test') RETURNING id`
  await sql`
    INSERT INTO company_usage VALUES (${company.id}, 1, 0, 0, 0, 3, 98765, 4321, 1000000, 12, now())
    ON CONFLICT ("companyId") DO UPDATE SET "messagesIn" = 98765`
  // A count that comes meanwhile finds the same.
  await sql`INSERT INTO company_usage_days VALUES (${company.id}, current_date - 2, 98765, 4321, 1000000, 12, NULL, NULL)`
  const [invoice] = await sql`
    INSERT INTO invoices ("companyId", detail, value, "dueDate", months, status)
    VALUES (${company.id}, 'Ouro', 99.90, current_date, 1, 'cancelled') RETURNING id`
  await sql`
    INSERT INTO invoice_charges ("companyId", "invoiceId", provider, ref, value, months, status, "paidValue")
    VALUES (${company.id}, ${invoice.id}, 'efi', 'of-the-operators-day', 99.90, 1, 'surplus', 99.90)`
  const operator = await openBrowser(browser, world.stack.url)
  const { page } = operator
  try {
    await operator.login(adminEmail, adminPassword)
    await operator.inboxReady()
    await page.keyboard.press('g')
    await page.keyboard.press('3')
    await expect(page.getByRole('heading', { name: 'Operação' })).toBeVisible()
    const row = page.getByRole('table', { name: 'Uso por dia' }).getByRole('row', { name: /4\.321/ })
    await expect(row).toContainText('não foi contado')
    await page.getByRole('combobox', { name: 'O que é contado' }).click()
    await page.getByRole('option', { name: 'Empresas ativas' }).click()
    await expect(page.getByRole('heading', { name: 'Empresas ativas' })).toBeVisible()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar' }).click()
    const text = await Bun.file(await (await saving).path()).text()
    expect(text).toContain(`\n${gone},3,,4321,1234,7,`)

    await page.getByRole('tab', { name: 'Empresas' }).click()
    const byCompany = page.getByRole('table', { name: 'Uso por empresa' })
    await expect(byCompany.getByRole('row', { name: /Empresa do uso/ })).toContainText('98.765')
    await page.getByRole('combobox', { name: 'Ordem das empresas' }).click()
    await page.getByRole('option', { name: 'Mais: Arquivos' }).click()
    await page.getByRole('textbox', { name: 'Pesquisar empresas' }).fill('EMPRESA DO USO')
    await expect(byCompany.getByRole('row')).toHaveCount(2)
    await byCompany.getByRole('button', { name: 'Empresa do uso' }).click()
    const days = page.getByRole('dialog', { name: 'Empresa do uso' })
    await expect(days.getByRole('table', { name: 'Uso por dia' }).getByRole('row')).toHaveCount(31)
    await page.keyboard.press('Escape')
    await expect(days).toBeHidden()

    await page.getByRole('tab', { name: 'Conexões' }).click()
    await page.getByRole('combobox', { name: 'Quais conexões' }).click()
    await page.getByRole('option', { name: 'Todas' }).click()
    await expect(page.getByRole('row', { name: /Loja/ }).first()).toContainText('Conectado')

    await page.getByRole('tab', { name: 'Pagamentos a resolver' }).click()
    const odd = page.getByRole('row', { name: /Empresa do uso/ })
    await expect(odd).toContainText('Paga depois de cancelada')
    await expect(odd).toContainText('R$ 99,90 de R$ 99,90')
    await odd.getByRole('button', { name: `Resolver o pagamento da fatura ${invoice.id}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Está resolvido' }).click()
    await expect(page.getByText('Todo o dinheiro quitou a sua fatura')).toBeVisible()

    await page.getByRole('tab', { name: 'Trabalhos que falharam' }).click()
    const failed = page.getByRole('row', { name: /nobody answers/ })
    await failed.getByRole('button', { name: `Tentar push.notify ${job.id} de novo` }).click()
    // The message is gone, so there is nothing to do: this time the job ends well.
    await expect(failed).toHaveCount(0)
    await expect.poll(async () => (await sql`SELECT FROM jobs WHERE id = ${job.id}`).length).toBe(0)
  } finally {
    await sql`DELETE FROM jobs WHERE id = ${job.id}`
    await sql`DELETE FROM companies WHERE id = ${company.id}`
    await sql`DELETE FROM usage_days WHERE day = ${gone}::date`
    await sql.end()
    await page.context().close()
  }
})

test('nobody else gets to the operation', async ({ world, signIn }) => {
  const { page } = await signIn(world.people.helena)
  await expect(page.getByRole('link', { name: 'Conexões' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Operação' })).toHaveCount(0)
  await page.goto('/operator')
  await expect(page).not.toHaveURL(/operator/)
})
