import { rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { makeCertificate } from '../support/certificate.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { pdf } from './example-files.ts'
import { visit } from './visit.ts'
import { adminEmail, adminPassword, copyClient, expect, openBrowser, test } from './world.ts'

/** A flow that sends a file from an address. Of its own: the bank is on this machine, which is called only where the operator admits it. */
let stack: Stack
let bank: ReturnType<typeof Bun.serve>
const clientDir = copyClient()
const maria = { number: '5511970000881', name: 'Maria Alves' }
const jose = { number: '5511970000882', name: 'José Reis' }

test.beforeAll(async () => {
  const certificate = makeCertificate('banco')
  const caFile = `${clientDir}-ca.pem`
  await Bun.write(caFile, certificate.cert)
  bank = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', tls: certificate },
    fetch(request) {
      const { pathname, searchParams, origin } = new URL(request.url)
      if (pathname === '/faturas') {
        const url = `${origin}/segunda-via/${searchParams.get('contato')}?assinatura=s3cr3t`
        return Response.json({ fatura: { boleto: url } })
      }
      if (pathname !== `/segunda-via/${maria.number}`) return new Response('não há', { status: 404 })
      const headers = { 'content-type': 'application/pdf', 'content-disposition': 'inline; filename="Boleto maio.pdf"' }
      return new Response(pdf, { headers })
    },
  })
  stack = await startStack({ fast: true, clientDir, env: { OUTBOUND_ALLOW: '127.0.0.1', OUTBOUND_CA: caFile } })
  const api = await stack.login(adminEmail, adminPassword)
  const { id } = (await api('POST', '/whatsapp', { name: 'Loja', isDefault: true })) as { id: number }
  await stack.pair(api, id)
  for (const { number, name } of [maria, jose]) await stack.phone.contact(number, name)
})
test.afterAll(async () => {
  await stack.stop()
  await bank.stop(true)
  for (const path of [clientDir, `${clientDir}-ca.pem`]) rmSync(path, { recursive: true, force: true })
})

const card = (page: Page, text: string) => page.locator('.react-flow__node').filter({ hasText: text })

async function connect(page: Page, from: string, port: string, to: string): Promise<void> {
  await card(page, from).locator(`.react-flow__handle.source[data-handleid="${port}"]`).hover()
  await page.mouse.down()
  const place = (await card(page, to).locator('.react-flow__handle.target').boundingBox())!
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2, { steps: 8 })
  await page.mouse.up()
}

async function add(page: Page, name: string) {
  await page.getByRole('button', { name: 'Adicionar bloco' }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const fields = page.getByRole('complementary', { name, exact: true })
  await expect(fields).toBeVisible()
  return fields
}

test('an admin draws a call and the file that it names: the contact gets the PDF, and who gets none is told', async ({
  browser,
}) => {
  const agent = await openBrowser(browser, stack.url)
  const { page } = agent
  await agent.login(adminEmail, adminPassword)
  await agent.inboxReady()
  await visit(page, '/flowbuilders')
  await page.getByRole('button', { name: 'Adicionar fluxo' }).first().click()
  await page.getByRole('dialog').getByLabel('Nome').fill('Segunda via')
  await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
  await expect(page).toHaveURL(/\/flowbuilder\/\d+$/)
  const flowId = Number(/\d+$/.exec(page.url())![0])

  const call = await add(page, 'Chamada externa')
  await call.getByLabel('Endereço').fill(`https://127.0.0.1:${bank.port}/faturas?contato={{number}}`)
  await call.getByRole('button', { name: 'Guardar um valor' }).click()
  await call.getByLabel('Caminho, como data.itens[0].nome').fill('fatura.boleto')
  await call.getByLabel('Variável', { exact: true }).fill('boleto_url')
  const file = await add(page, 'Arquivo por endereço')
  const address = file.getByLabel('Endereço do arquivo')
  await address.fill('{{boleto_url}}')
  await file.getByLabel('Legenda (opcional)').fill('Aqui está, {{firstName}}.')
  const words = await add(page, 'Mensagem')
  await words.getByRole('textbox', { name: 'Mensagem', exact: true }).fill('Não achei o seu boleto.')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Ver tudo' }).click()
  await connect(page, 'Início', 'a', 'Chamada externa')
  await connect(page, 'Chamada externa', 'success', 'Arquivo por endereço')
  await connect(page, 'Chamada externa', 'error', 'Não achei o seu boleto.')
  await connect(page, 'Arquivo por endereço', 'error', 'Não achei o seu boleto.')
  await expect(page.locator('.react-flow__edge')).toHaveCount(4)

  // It is tried: nothing is fetched, and what would be sent is shown.
  await page.getByRole('button', { name: 'Testar', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Testar o fluxo' })
  await panel.getByRole('textbox', { name: 'Mensagem do contato' }).fill('boleto')
  await page.keyboard.press('Enter')
  await panel.getByLabel('Conteúdo da resposta').fill('{"fatura":{"boleto":"https://banco.example/maio.pdf"}}')
  await panel.getByRole('button', { name: 'Responder' }).click()
  const form = panel.getByRole('form', { name: 'Arquivo do endereço' })
  await expect(form).toContainText('https://banco.example/maio.pdf')
  await form.getByRole('button', { name: 'Enviar' }).click()
  const said = panel.getByRole('log').locator('[data-phone=business]')
  await expect(said.last()).toContainText('maio.pdf')
  await expect(said.last()).toContainText('Aqui está, Maria.')
  await panel.getByRole('button', { name: 'Fechar' }).click()

  await page.getByRole('button', { name: 'Publicar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publicar' }).click()
  await expect(page.getByText('Versão 1 publicada')).toBeVisible()
  const api = stack.as(
    await page.evaluate(async () => {
      const response = await fetch('/auth/refresh_token', { method: 'POST' })
      return ((await response.json()) as { token: string }).token
    }),
  )
  await api('POST', '/flowcampaign', { name: 'Boletos', flowId, phrase: 'segunda via' })

  const got = async ({ number }: { number: string }) =>
    (await stack.phone.lines(number)).filter(({ by }) => by === 'business')
  await stack.phone.write(maria.number, 'Segunda via')
  await expect.poll(async () => (await got(maria)).length).toBe(1)
  const [line] = await got(maria)
  expect(line).toMatchObject({ kind: 'document', text: 'Aqui está, Maria.', file: { name: 'Boleto maio.pdf' } })
  expect((await stack.phone.file(line!.id)).equals(pdf)).toBe(true)

  // Of another the bank has none: the flow goes on by its way for that, and the admin reads why.
  await stack.phone.write(jose.number, 'Segunda via')
  await expect.poll(async () => (await got(jose)).map(({ text }) => text)).toEqual(['Não achei o seu boleto.'])
  const { tickets } = (await api('GET', `/tickets?showAll=true&searchParam=${jose.number}`)) as {
    tickets: { uuid: string }[]
  }
  await visit(page, `/tickets/${tickets[0]!.uuid}`)
  await agent.choose('Não achei o seu boleto.', 'Por quê?')
  const why = page.getByRole('dialog', { name: 'Por que esta mensagem foi enviada?' })
  await expect(why).toContainText('Motivo: o servidor não entregou o arquivo')
  await expect(why).toContainText('HTTP 404')
})
