import { rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { serveFakes } from '../fakes/bots/serve.ts'
import { fakeAsaasPayments } from '../fakes/payments/asaas.ts'
import { fakeEfi } from '../fakes/payments/efi.ts'
import { fakePushService } from '../fakes/push/service.ts'
import { makeCertificate } from '../support/certificate.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { deliverPushes } from '../support/browser-push.ts'
import { visit } from './visit.ts'
import { type Agent, adminEmail, adminPassword, copyClient, expect, openBrowser, test, installable } from './world.ts'
import { inAWindow } from './browser.ts'
import { told } from '../support/told.ts'

/** How the operator is paid, and how the companies are reminded. Of its own: the services are on this machine, which is called only where the operator admits it. */
test.use({ launchOptions: inAWindow })

let stack: Stack
let efi: ReturnType<typeof fakeEfi>
let asaas: ReturnType<typeof fakeAsaasPayments>
let services: ReturnType<typeof serveFakes<'asaas'>>
const clientDir = copyClient()
const certificate = makeCertificate('efi')
const pem = certificate.cert + certificate.key

test.beforeAll(async () => {
  efi = fakeEfi({ certificate, now: () => new Date() })
  asaas = fakeAsaasPayments({ today: () => new Date().toISOString().slice(0, 10) })
  services = serveFakes({ asaas })
  const caFile = `${clientDir}-ca.pem`
  await Bun.write(caFile, certificate.cert)
  stack = await startStack({ fast: true, clientDir, env: { OUTBOUND_ALLOW: '127.0.0.1', OUTBOUND_CA: caFile } })
})
test.afterAll(async () => {
  await stack.stop()
  await efi.stop()
  await services.stop()
  for (const path of [clientDir, `${clientDir}-ca.pem`]) rmSync(path, { recursive: true, force: true })
})

/** A token of the session that a page has: a second login would end it. */
const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const response = await fetch('/auth/refresh_token', { method: 'POST' })
    return ((await response.json()) as { token: string }).token
  })

/** The operator at the form, and what the server keeps. */
async function atTheForm(agent: Agent) {
  const { page } = agent
  await agent.login(adminEmail, adminPassword)
  await page.getByRole('heading', { name: 'Painel' }).waitFor()
  await visit(page, '/settings?tab=payments')
  const token = await tokenOf(page)
  const field = (name: string) => page.getByLabel(name)
  return {
    page,
    field,
    kept: () => stack.as(token)('GET', '/invoices/provider') as Promise<Record<string, unknown>>,
    async choose(name: RegExp) {
      await page.getByRole('combobox', { name: 'Receber por' }).click()
      await page.getByRole('option', { name }).click()
    },
    save: () => page.getByRole('button', { name: 'Salvar' }).click(),
    /** That a field is told to be wrong in these words, and nowhere else. */
    async expectWrong(wrong: Record<string, string | RegExp>) {
      for (const [name, words] of Object.entries(wrong)) {
        await expect(field(name)).toHaveAttribute('aria-invalid', 'true')
        await expect(field(name)).toHaveAccessibleDescription(words)
      }
      await expect(page.locator('[aria-invalid="true"]')).toHaveCount(Object.keys(wrong).length)
    },
  }
}

test('the operator says how companies pay: what is wrong is told at its field, and changes nothing', async ({
  browser,
}) => {
  const agent = await openBrowser(browser, stack.url)
  const { page, field, kept, choose, save, expectWrong } = await atTheForm(agent)
  const before = await kept()
  expect(before).toMatchObject({ isSet: false })

  // The own Pix key.
  await save()
  await expectWrong({ 'Chave Pix': 'Obrigatório', 'Nome de quem recebe': 'Obrigatório', Cidade: 'Obrigatório' })
  await field('Chave Pix').fill('padaria')
  await field('Nome de quem recebe').fill('Operador Ltda')
  await field('Cidade').fill('Recife')
  await save()
  await expectWrong({ 'Chave Pix': /Use um CPF, CNPJ, e-mail/ })
  expect(await kept()).toEqual(before)

  // What another service asks is no obstacle to this one.
  await choose(/Asaas/)
  await save()
  await expectWrong({ 'Chave da API': 'Obrigatório' })
  await field('Chave da API').fill('$aact_errada')
  await field('Endereço da API').fill('sem endereço')
  await save()
  await expectWrong({ 'Endereço da API': /Use um endereço/ })
  await field('Endereço da API').fill(`${services.urls.asaas}/v3`)
  await save()
  await expectWrong({ 'Chave da API': 'O serviço não aceita esta chave' })
  // What the service itself said stands apart, as its own.
  await expect(page.getByText(/^Resposta do serviço: 401/)).toBeVisible()
  await field('Chave da API').fill(asaas.key)
  await field('Endereço da API').fill('http://127.0.0.1:1/v3')
  await save()
  await expectWrong({ 'Endereço da API': 'Não houve resposta válida deste endereço' })
  await expect(page.getByText(/^Detalhe da conexão: /)).toBeVisible()
  expect(await kept()).toEqual(before)
  await field('Endereço da API').fill(`${services.urls.asaas}/v3`)
  await save()
  await told(page, 'Pagamentos salvos')
  expect(await kept()).toMatchObject({ provider: 'asaas', isSet: true })

  // What is kept is never shown again, and not sent to another address.
  await page.reload()
  await expect(field('Chave da API')).toHaveValue('Valor guardado')
  expect(JSON.stringify(await kept())).not.toContain(asaas.key)
  expect(await page.content()).not.toContain(asaas.key)
  await field('Endereço da API').fill(`${services.urls.asaas}/v3/`)
  await save()
  await expectWrong({ 'Chave da API': /Informe de novo/ })
  await page.getByRole('button', { name: 'Trocar' }).click()
  await field('Chave da API').fill(asaas.key)
  await save()
  await expect(field('Chave da API')).toHaveValue('Valor guardado')

  // Efí, with a certificate.
  await choose(/Efí/)
  await save()
  await expectWrong({
    ...{ 'Chave Pix': 'Obrigatório', 'Client ID': 'Obrigatório' },
    ...{ 'Client secret': 'Obrigatório', 'Certificado e chave (PEM)': 'Obrigatório' },
  })
  await field('Chave Pix').fill('caixa@operador.test')
  await field('Client ID').fill(efi.clientId)
  await field('Client secret').fill('errado')
  await field('Certificado e chave (PEM)').fill('isto não é um certificado')
  await field('Endereço da API').fill(efi.url)
  await save()
  await expectWrong({ 'Certificado e chave (PEM)': /Cole o certificado e a chave dele/ })
  // It looks like one; the server reads it.
  await field('Certificado e chave (PEM)').fill(pem.replaceAll('M', 'A'))
  await save()
  await expectWrong({ 'Certificado e chave (PEM)': /Cole o certificado e a chave dele/ })
  await field('Certificado e chave (PEM)').fill(certificate.cert + makeCertificate('other').key)
  await save()
  await expectWrong({ 'Certificado e chave (PEM)': /Cole o certificado e a chave dele/ })
  await field('Certificado e chave (PEM)').fill(pem)
  await save()
  await expectWrong({
    'Client ID': /O serviço não aceita estas credenciais/,
    'Client secret': /O serviço não aceita estas credenciais/,
  })
  expect(await kept()).toMatchObject({ provider: 'asaas' })
  await field('Client secret').fill(efi.clientSecret)
  await save()
  await expect(field('Client secret')).toHaveValue('Valor guardado')
  await expect(field('Certificado e chave (PEM)')).toHaveValue('Valor guardado')
  const shown = JSON.stringify(await kept()) + (await page.content())
  for (const secret of [efi.clientSecret, asaas.key, 'PRIVATE KEY']) expect(shown).not.toContain(secret)
  expect(await kept()).toMatchObject({ provider: 'efi', pixKey: 'caixa@operador.test' })
  await page.context().close()
})

test('an admin with the app closed is told three days before the due date, and comes to the invoices by it', async ({
  browser,
}) => {
  const service = fakePushService(certificate)
  const operator = await stack.login(adminEmail, adminPassword)
  const plan = (await operator('POST', '/plans', { name: 'Mensal', value: '99.90', users: 3 })) as { id: number }
  const shop = { name: 'Floricultura Rosa', email: 'rosa@flor.test', password: 'segredo1' }
  const company = (await operator('POST', '/companies', { ...shop, planId: plan.id })) as { id: number }
  // Nobody is told at night: it is noon there.
  const timeZone = `Etc/GMT${((offset) => (offset < 0 ? offset : `+${offset}`))(new Date().getUTCHours() - 12)}`
  const lastDay = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString('en-CA', { timeZone })
  const database = new Bun.SQL(stack.databaseUrl)
  await database`UPDATE companies SET "timeZone" = ${timeZone} WHERE id = ${company.id}`
  await database.close()

  const rosa = await openBrowser(browser, stack.url, installable)
  const context = rosa.page.context()
  await rosa.login(shop.email, shop.password)
  await rosa.inboxReady()
  const { browser: device, input } = service.subscribe()
  await stack.as(await tokenOf(rosa.page))('POST', '/push/subscriptions', input)
  const { deliver, shown, watched, click } = await deliverPushes(rosa.page, stack.url)
  await rosa.page.close()
  await expect.poll(watched).toBe(false)
  await operator('PUT', `/companies/${company.id}`, { dueDate: lastDay })

  // Whoever should have been told while the server was off is told when it is back.
  await stack.kill()
  await stack.start()
  await expect.poll(() => device.heard.map(({ payload }) => payload)).toHaveLength(1)
  const [told] = device.heard
  await deliver(told!.payload)
  await expect.poll(shown).toEqual([[shop.name, 'A assinatura vence em 3 dias', 'invoices']])
  // A later one takes the place of the one before.
  await deliver({ ...told!.payload, body: 'A assinatura vence amanhã' })
  await expect.poll(shown).toEqual([[shop.name, 'A assinatura vence amanhã', 'invoices']])

  const page = await context.newPage()
  await page.goto('/tickets')
  await page.getByRole('button', { name: 'Menu do perfil' }).waitFor()
  await click('invoices')
  await expect(page).toHaveURL(/\/financeiro$/)
  await expect.poll(shown).toEqual([])
  await context.close()
  await service.stop()
})
