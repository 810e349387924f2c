import { rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { type Stack, startStack } from '../support/stack.ts'
import { visit } from './visit.ts'
import { adminEmail, adminPassword, copyClient, expect, openBrowser, test } from './world.ts'

/** Of its own: what is told goes to this machine, which is called only where the operator admits it. */
let stack: Stack
const clientDir = copyClient()
const heard: { headers: IncomingHttpHeaders; body: string }[] = []
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += String(part)
  heard.push({ headers: request.headers, body })
  response.writeHead(204).end()
})
const customer = { number: '5511970000777', name: 'Vera Lima' }

test.beforeAll(async () => {
  stack = await startStack({ fast: true, clientDir, env: { OUTBOUND_ALLOW: '127.0.0.1' } })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const api = await stack.login(adminEmail, adminPassword)
  const { id } = (await api('POST', '/whatsapp', { name: 'Loja', isDefault: true })) as { id: number }
  await stack.pair(api, id)
  await stack.phone.contact(customer.number, customer.name)
})
test.afterAll(async () => {
  receiver.close()
  await stack.stop()
  rmSync(clientDir, { recursive: true, force: true })
})

/** What is shown once, and put away. */
async function taken(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const text = await dialog.locator('code').innerText()
  await dialog.getByRole('button', { name: 'Já guardei' }).click()
  await expect(dialog).toBeHidden()
  return text
}

test('an integrator makes a key and a webhook, sends the first message, and hears the answer to it', async ({
  browser,
}) => {
  const agent = await openBrowser(browser, stack.url)
  const { page } = agent
  await agent.login(adminEmail, adminPassword)
  await agent.inboxReady()

  await visit(page, '/api-keys')
  await page.getByRole('button', { name: 'Criar chave' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('Loja virtual')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  const key = await taken(page, 'A nova chave')
  expect(key).toMatch(/^bk_/)
  await expect(page.getByText('Nunca usada')).toBeVisible()
  await expect(page.getByText(key)).toHaveCount(0)

  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/balcao`
  await visit(page, '/webhooks')
  await page.getByRole('button', { name: 'Adicionar webhook' }).first().click()
  await dialog.getByLabel('Endereço').fill(url)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  const secret = await taken(page, 'O segredo do webhook')
  expect(secret).toMatch(/^whsec_/)

  // The program.
  const sent = await fetch(`${stack.url}/api/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'order-8812-ready',
    },
    body: JSON.stringify({ number: customer.number, body: 'O seu bolo está pronto.' }),
  })
  expect([sent.status, await sent.text()]).toEqual([202, expect.stringContaining('ticketId')])
  const lines = async () => (await stack.phone.lines(customer.number)).map(({ text }) => text)
  await expect.poll(lines, { timeout: 30_000 }).toContain('O seu bolo está pronto.')
  await stack.phone.write(customer.number, 'Já vou buscar!')
  const told = () =>
    heard.filter(({ body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { message?: { body: string } } }
      return type === 'message.received' && data.message?.body === 'Já vou buscar!'
    })
  await expect.poll(() => told().length, { timeout: 30_000 }).toBe(1)
  const [first] = told()
  const headers = Object.fromEntries(Object.entries(first!.headers).map(([name, value]) => [name, String(value)]))
  new Webhook(secret).verify(first!.body, headers)

  // The page of deliveries shows it, and sends it again under the same id.
  await page.getByRole('button', { name: /^Ver entregas/ }).click()
  const log = page.getByRole('dialog', { name: 'Entregas' })
  const line = log.getByRole('listitem').filter({ hasText: 'message.received' }).first()
  await expect(line.getByText('Entregue')).toBeVisible()
  await line.locator('summary').click()
  await expect(line.getByText(`webhook-id: ${headers['webhook-id']}`)).toBeVisible()
  await expect(line.locator('pre')).toContainText('Já vou buscar!')
  await line.getByRole('button', { name: 'Enviar de novo' }).click()
  await expect.poll(() => told().length, { timeout: 30_000 }).toBe(2)
  expect(told()[1]!.headers['webhook-id']).toBe(headers['webhook-id'])
  await page.keyboard.press('Escape')

  await visit(page, '/api-keys')
  await expect(page.getByText('Loja virtual')).toBeVisible()
  await expect(page.getByText('Nunca usada')).toHaveCount(0)
  await page.context().close()
})
