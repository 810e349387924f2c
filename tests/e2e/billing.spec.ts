import { visit } from './visit.ts'
import { adminEmail, adminPassword, dayHere, expect, intercept, openBrowser, test } from './world.ts'

test('a company’s month: the trial ends, its admin pays by Pix, and everybody works again', async ({
  world,
  browser,
}) => {
  const { api, stack } = world
  const before = (await api('GET', '/invoices/provider')) as { isSet: boolean }
  expect(before.isSet).toBe(false)
  await api('PUT', '/invoices/provider', {
    ...{ provider: 'pix', pixKey: 'caixa@operador.test', pixName: 'Operador Ltda', pixCity: 'Recife' },
  })
  const plan = (await api('POST', '/plans', {
    name: 'Mensal',
    value: '99.90',
    users: 3,
    connections: 1,
    queues: 2,
  })) as {
    id: number
  }
  const shop = { name: 'Floricultura Rosa', email: 'rosa@flor.test', password: 'segredo1' }
  const company = (await api('POST', '/companies', { ...shop, planId: plan.id, dueDate: dayHere(2) })) as { id: number }

  // Two days are left: a warning leads to the invoice.
  const rosa = await openBrowser(browser, stack.url)
  const { page } = rosa
  await rosa.login(shop.email, shop.password)
  await rosa.inboxReady()
  await expect(page.getByText('A assinatura vence em 2 dias')).toBeVisible()
  await visit(page, '/subscription')
  const held = page.getByRole('region', { name: 'Plano', exact: true })
  await expect(held).toContainText(/99,90.*por mês/)
  await expect(held.getByText('1 de 3')).toBeVisible()
  await page.getByRole('link', { name: 'Assinar' }).click()
  const row = page.getByRole('row', { name: /Mensal/ })
  await expect(row).toContainText('Em Aberto')
  await expect(row).toContainText('99,90')

  // Its time is over: all that is left is to pay.
  await api('PUT', `/companies/${company.id}`, { dueDate: dayHere(-1) })
  await page.goto('/tickets')
  await expect(page).toHaveURL(/\/financeiro$/)
  await expect(page.getByText(/A assinatura venceu em .* As mensagens recebidas continuam guardadas/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Menu do perfil' })).toHaveCount(0)
  const overdue = page.getByRole('row', { name: /Vencido/ })
  await overdue.getByRole('button', { name: /PAGAR/ }).click()

  const checkout = page.getByRole('dialog', { name: /Pagar a fatura/ })
  await expect(checkout.getByRole('button', { name: 'Dados' })).toHaveAttribute('aria-current', 'step')
  await checkout.getByRole('button', { name: 'Próximo' }).click()
  await checkout.getByRole('button', { name: 'PAGAR' }).click()
  await expect(checkout.getByText('O nome completo é obrigatório')).toBeVisible()
  await expect(checkout.getByText('CEP é obrigatório')).toBeVisible()
  await checkout.getByLabel('Nome completo').fill('Rosa Flores')
  await checkout.getByLabel('Endereço').fill('Rua das Flores, 10')
  await checkout.getByLabel('Cidade').fill('Recife')
  await checkout.getByLabel('CEP').fill('50000-000')
  await checkout.getByLabel('CPF ou CNPJ').fill('111.111.111-11')
  await checkout.getByRole('button', { name: 'Revisar' }).click()
  await expect(checkout).toContainText('Rua das Flores, 10, Recife, 50000-000')
  await checkout.getByRole('button', { name: 'PAGAR' }).click()
  await expect(checkout.getByText('CPF ou CNPJ inválido')).toBeVisible()
  await checkout.getByLabel('CPF ou CNPJ').fill('529.982.247-25')
  await checkout.getByRole('button', { name: 'Revisar' }).click()
  await checkout.getByRole('button', { name: 'PAGAR' }).click()
  await expect(checkout.getByRole('img', { name: /Código QR do Pix de/ })).toBeVisible()
  await expect(checkout.getByLabel('Código Pix', { exact: true })).toHaveValue(/^000201.*540599\.90.*6304[0-9A-F]{4}$/)

  // The operator sees the money, and says so.
  const operator = await openBrowser(browser, stack.url)
  await operator.login(adminEmail, adminPassword)
  await operator.inboxReady()
  await visit(operator.page, '/settings?tab=companies')
  await operator.page.getByRole('button', { name: `Faturas de ${shop.name}` }).click()
  const bills = operator.page.getByRole('dialog', { name: `Faturas de ${shop.name}` })
  await bills
    .getByRole('row', { name: /Vencido/ })
    .getByRole('button', { name: /Marcar como paga/ })
    .click()
  await operator.page.getByRole('alertdialog').getByRole('button', { name: 'Marcar como paga' }).click()
  await expect(bills.getByRole('row', { name: /Pago/ })).toBeVisible()

  await rosa.told('Sua licença foi renovada até')
  await expect(page.getByRole('heading', { name: 'Painel' })).toBeVisible()
  await rosa.inboxReady()
  await visit(page, '/financeiro')
  await expect(page.getByRole('row', { name: /Pago/ }).getByRole('button', { name: 'PAGO' })).toBeDisabled()

  // The money goes back: nobody is locked out before three days, and there is an invoice to pay until then.
  await bills.getByRole('button', { name: /Marcar como devolvida a fatura/ }).click()
  const asked = operator.page.getByRole('alertdialog')
  await expect(asked).toContainText('nunca a menos de três dias')
  await asked.getByRole('button', { name: 'Marcar como devolvida' }).click()
  await expect(bills.getByRole('row', { name: /Devolvido/ })).toBeVisible()
  await expect(bills.getByRole('row', { name: /Em Aberto/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Devolvido/ }).getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('row', { name: /Em Aberto/ }).getByRole('button', { name: /PAGAR/ })).toBeEnabled()

  // The platform stays as it was found.
  await api('DELETE', `/companies/${company.id}`)
  await page.context().close()
  await operator.page.context().close()
})

test('the code of an invoice that costs something else, or is cancelled, is taken off the screen', async ({
  world,
  browser,
}) => {
  const { api, stack } = world
  await api('PUT', '/invoices/provider', {
    ...{ provider: 'pix', pixKey: 'caixa@operador.test', pixName: 'Operador Ltda', pixCity: 'Recife' },
  })
  const plan = (await api('POST', '/plans', {
    name: 'Anual',
    value: '49.90',
    users: 1,
    connections: 1,
    queues: 1,
  })) as {
    id: number
  }
  const shop = { name: 'Chaveiro Lins', email: 'lins@chave.test', password: 'segredo1' }
  const company = (await api('POST', '/companies', { ...shop, planId: plan.id, dueDate: dayHere(3) })) as { id: number }
  const lins = await openBrowser(browser, stack.url)
  const { page } = lins
  await lins.login(shop.email, shop.password)
  await lins.inboxReady()
  await visit(page, '/financeiro')
  await page
    .getByRole('row', { name: /Em Aberto/ })
    .getByRole('button', { name: /PAGAR/ })
    .click()
  const checkout = page.getByRole('dialog', { name: /Pagar a fatura/ })
  await checkout.getByRole('button', { name: 'Dados' }).click()
  await checkout.getByLabel('Nome completo').fill('Lins')
  await checkout.getByLabel('Endereço').fill('Rua das Chaves, 1')
  await checkout.getByLabel('Cidade').fill('Recife')
  await checkout.getByLabel('CEP').fill('50000-000')
  await checkout.getByRole('button', { name: 'Revisar' }).click()
  await checkout.getByRole('button', { name: 'PAGAR' }).click()
  await expect(checkout.getByRole('img', { name: /Código QR do Pix de/ })).toBeVisible()

  // The company is on another plan now: the code is of a price that is no more.
  const dearer = (await api('POST', '/plans', { name: 'Anual Plus', value: '79.90' })) as { id: number }
  await api('PUT', `/companies/${company.id}`, { planId: dearer.id })
  await expect(checkout.getByText('O valor da fatura mudou. Não pague este código.')).toBeVisible()
  await expect(checkout.getByRole('img', { name: /Código QR/ })).toHaveCount(0)
  await expect(checkout.getByText(/^R\$.79,90$/)).toBeVisible()
  await checkout.getByRole('button', { name: 'Gerar novo código' }).click()
  await expect(checkout.getByRole('img', { name: /Código QR do Pix de R\$.79,90/ })).toBeVisible()

  // A price of zero would cancel what is being paid: the operator is asked first, and goes back.
  await api('POST', '/plans', { name: 'Cortesia', value: '0', useInternal: false })
  const operator = await openBrowser(browser, stack.url)
  await operator.login(adminEmail, adminPassword)
  await operator.inboxReady()
  await visit(operator.page, '/settings?tab=plans')
  await operator.page.getByRole('button', { name: 'Editar Anual Plus' }).click()
  const form = operator.page.getByRole('dialog', { name: 'Editar plano' })
  await form.getByLabel(/Valor por mês/).fill('0')
  // Nobody knows what is still to be paid: nothing is saved, and no field is blamed.
  await intercept(operator.page, '**/invoices/unpaid?*', (route) => route.abort())
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'Nada foi salvo: não foi possível ver se há faturas em aberto. Tente de novo.',
  )
  await operator.page.unroute('**/invoices/unpaid?*')
  await form.getByRole('button', { name: 'Salvar' }).click()
  const question = operator.page.getByRole('alertdialog', { name: 'Não cobrar mais?' })
  await expect(question).toContainText('1 fatura em aberto deixa de ser cobrada')
  await expect(question).toContainText('O pagamento de 1 já começou: ela será cancelada')
  await question.getByRole('button', { name: 'Voltar' }).click()
  await expect(form.getByRole('button', { name: 'Salvar' })).toBeFocused()
  await expect(form.getByLabel(/Valor por mês/)).toHaveValue('0')
  await form.getByLabel(/Valor por mês/).fill('79,90')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(form).toHaveCount(0)
  await expect(checkout.getByRole('img', { name: /Código QR do Pix de R\$.79,90/ })).toBeVisible()
  // So it is where one company goes to a plan without a price.
  await visit(operator.page, '/settings?tab=companies')
  await operator.page.getByRole('button', { name: `Editar ${shop.name}` }).click()
  const edited = operator.page.getByRole('dialog', { name: 'Editar empresa' })
  await edited.getByLabel('Plano').click()
  await operator.page.getByRole('option', { name: 'Cortesia' }).click()
  await edited.getByRole('button', { name: 'Salvar' }).click()
  await question.getByRole('button', { name: 'Salvar sem cobrar' }).click()
  await expect(edited).toHaveCount(0)
  await expect(checkout.getByText('A fatura foi cancelada. Não pague este código.')).toBeVisible()
  await expect(checkout.getByRole('img', { name: /Código QR/ })).toHaveCount(0)
  await expect(checkout.getByRole('button', { name: 'Copiar código Pix' })).toHaveCount(0)

  await api('DELETE', `/companies/${company.id}`)
  await operator.page.context().close()
  await page.context().close()
})
