import { adminEmail, adminPassword, dayHere, expect, openBrowser, test } from './world.ts'

test('an operator gives a company more time, changes its plan, and deletes it by its name', async ({
  world,
  browser,
}) => {
  const operator = await openBrowser(browser, world.stack.url)
  const { page } = operator
  await operator.login(adminEmail, adminPassword)
  await operator.inboxReady()
  await page.goto('/settings?tab=plans')
  await page.getByRole('button', { name: 'Adicionar plano' }).click()
  const plan = page.getByRole('dialog', { name: 'Adicionar plano' })
  await plan.getByLabel('Nome').fill('Ouro')
  await plan.getByLabel('Valor por mês (R$)').fill('199,90')
  for (const limit of ['Usuários', 'Conexões', 'Filas']) await plan.getByLabel(limit).fill('5')
  await plan.getByRole('switch', { name: 'Kanban' }).click()
  await plan.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByRole('row', { name: /Ouro/ })).toContainText('Sem Kanban')

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
  await row.getByRole('button', { name: '+ Vencimento de Mercado do Zé' }).click()
  await expect(row).toContainText(/faltam 3\d dias/)

  await row.getByRole('button', { name: 'Excluir Mercado do Zé' }).click()
  const remove = page.getByRole('dialog', { name: 'Excluir Mercado do Zé?' })
  await expect(remove.getByRole('button', { name: 'Continuar' })).toBeDisabled()
  await remove.getByLabel(/digite o nome/).fill('Mercado do Zé')
  await remove.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir para sempre' }).click()
  await expect(row).toHaveCount(0)
  await page.context().close()
})
