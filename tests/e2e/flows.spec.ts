import type { Page } from '@playwright/test'
import { newData, newGraph, newNode } from '../../schema/flows/flows.graph.ts'
import type { NodeType } from '../../schema/flows/flows.inputs.ts'
import { ogg, png } from './example-files.ts'
import { visit } from './visit.ts'
import { expect, installable, installed, keptFiles, test, type World } from './world.ts'

/** A block of the drawing. */
const card = (page: Page, text: string) => page.locator('.react-flow__node').filter({ hasText: text })

/** Draws a line from a way out of one block to another block. */
async function connect(page: Page, from: string, port: string, to: string): Promise<void> {
  const source = card(page, from).locator(`.react-flow__handle.source[data-handleid="${port}"]`)
  const target = card(page, to).locator('.react-flow__handle.target')
  await source.hover()
  await page.mouse.down()
  const place = (await target.boundingBox())!
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2, { steps: 8 })
  await page.mouse.up()
}

/** Puts a block on the canvas; its fields are open then. */
async function add(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Adicionar bloco' }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('complementary', { name, exact: true })).toBeVisible()
}

test('an admin draws a small flow, sees what is wrong with it, publishes it, and finds it without a network', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.helena, installable)
  await visit(page, '/flowbuilders')
  await page.getByRole('button', { name: 'Adicionar fluxo' }).first().click()
  await page.getByRole('dialog').getByLabel('Nome').fill('Encomendas')
  await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
  await expect(page).toHaveURL(/\/flowbuilder\/\d+$/)
  await expect(card(page, 'Início')).toBeVisible()

  await add(page, 'Menu')
  await page.getByRole('textbox', { name: 'Mensagem', exact: true }).fill('Como podemos ajudar?')
  await page.getByRole('textbox', { name: 'Opção 1', exact: true }).fill('Quero encomendar')
  await add(page, 'Fila')
  await page.getByRole('button', { name: 'Ver tudo' }).click()
  await connect(page, 'Início', 'a', 'Menu')
  await connect(page, 'Quero encomendar', 'a1', 'Fila')
  await expect(page.locator('.react-flow__edge')).toHaveCount(2)

  // Once its fields are left, it is told that the queue is missing: nothing is published.
  await expect(page.getByRole('button', { name: '1 problema' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: 'Fila' })).toHaveCount(0)
  await page.getByRole('button', { name: '1 problema' }).click()
  await page.getByRole('button', { name: /Adicione uma fila/ }).click()
  await page.getByRole('button', { name: 'Publicar' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Publicar' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Fila' }).getByLabel('Fila').click()
  await page.getByRole('option', { name: 'Vendas' }).click()
  await expect(page.getByRole('button', { name: '1 problema' })).toHaveCount(0)

  // A step back and forth again.
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(page.getByRole('button', { name: '1 problema' })).toBeVisible()
  await page.getByRole('button', { name: 'Refazer' }).click()
  await expect(card(page, 'Fila')).toContainText('Vendas')

  await page.getByRole('button', { name: 'Publicar' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Menu' })).toContainText('Helena Prado')
  await dialog.getByLabel(/Anotação/).fill('a primeira')
  await dialog.getByRole('button', { name: 'Publicar' }).click()
  await expect(page.getByText('Versão 1 publicada')).toBeVisible()
  await expect(page.getByText('publicado, sem mudanças')).toBeVisible()

  const id = Number(/\d+$/.exec(page.url())![0])
  const { records } = (await world.api('GET', `/flowbuilder/${id}/versions`)) as { records: { number: number }[] }
  expect(records.map(({ number }) => number)).toEqual([1])

  await installed(page)
  const before = Date.now()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(() => keptFiles(page, before - 5_000), { timeout: 20_000 }).toBeGreaterThan(0)
  await page.context().setOffline(true)
  await page.reload()
  await expect(card(page, 'Como podemos ajudar?')).toBeVisible()
  await expect(page.locator('.react-flow__edge')).toHaveCount(2)
  // A draft is drawn without a network, and kept.
  await card(page, 'Como podemos ajudar?').dblclick()
  await page.getByRole('textbox', { name: 'Mensagem', exact: true }).fill('Em que podemos ajudar?')
  await expect(page.getByText('Salvo neste computador')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText('1 mudança por publicar')).toBeVisible()
})

/** A flow of these blocks, of which the first comes after the start, and each leads to the next unless it says where. */
async function make(
  world: World,
  name: string,
  blocks: [type: NodeType, data: object, exits?: Record<string, string>][],
) {
  const nodes = blocks.map(([type, data, exits], index) => ({
    ...newNode(type, `bloco${index + 1}`, 300 * (index + 1), 0),
    data: { ...newData(type), ...data },
    exits: exits ?? (blocks[index + 1] ? { a: `bloco${index + 2}` } : {}),
  }))
  const [start] = newGraph().nodes
  const { id } = (await world.api('POST', '/flowbuilder', {
    name,
    nodes: [{ ...start!, exits: { a: 'bloco1' } }, ...nodes],
  })) as { id: number }
  return id
}

test('a line goes by its cross and by a key, an exit and an empty place offer what comes next, Escape moves nothing, and a file of a list is sent as a document', async ({
  world,
  signIn,
}) => {
  const id = await make(world, 'Preços', [
    ['message', { text: 'Olá' }],
    ['message', { text: 'Até logo' }],
  ])
  const list = (await world.api('POST', '/files', {
    name: 'Tabelas',
    message: 'As tabelas',
    options: [{ name: 'Tabela de maio' }],
  })) as { id: number; options: { id: number }[] }
  const form = new FormData()
  form.set('id', String(list.options[0]!.id))
  form.set('name', 'Tabela de maio')
  form.set('files', new File(['%PDF-1.4\n%%EOF'], 'tabela-de-maio.pdf', { type: 'application/pdf' }))
  await world.api('POST', `/files/uploadList/${list.id}`, form)

  const { page } = await signIn(world.people.helena)
  await visit(page, '/flowbuilders')
  // Anywhere on its row.
  await page
    .getByRole('row', { name: /Preços/ })
    .getByText('nunca publicado')
    .click()
  await expect(page).toHaveURL(new RegExp(`/flowbuilder/${id}$`))
  await page.getByRole('button', { name: 'Ver tudo' }).click()
  const lines = page.locator('.react-flow__edge')
  await expect(lines).toHaveCount(2)
  const press = async () => {
    await page.getByRole('button', { name: 'Ver tudo' }).click()
    await expect(lines.nth(1)).toBeInViewport()
    const place = (await lines.nth(1).locator('.react-flow__edge-path').boundingBox())!
    await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
  }
  await press()
  await page.getByRole('button', { name: 'Excluir ligação' }).click()
  await expect(lines).toHaveCount(1)
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(lines).toHaveCount(2)
  await press()
  await expect(page.getByRole('button', { name: 'Excluir ligação' })).toBeVisible()
  await page.keyboard.press('Delete')
  await expect(lines).toHaveCount(1)
  // One click on a card, and a key: the focus is on the page itself.
  await card(page, 'Até logo').click()
  await page.keyboard.press('Backspace')
  await expect(card(page, 'Até logo')).toHaveCount(0)

  await card(page, 'Olá').hover()
  await card(page, 'Olá').getByRole('button', { name: 'Próximo bloco depois de Depois' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Documento', exact: true }).click()
  const fields = page.getByRole('complementary', { name: 'Documento', exact: true })
  await fields.getByRole('button', { name: 'De uma lista' }).click()
  await page
    .getByRole('dialog', { name: 'Arquivos das listas' })
    .getByRole('button', { name: /Tabela de maio/ })
    .click()
  await expect(fields.getByText(/tabela-de-maio|Tabela de maio/)).toBeVisible()
  await expect(lines).toHaveCount(2)

  // Escape closes the fields; the drawing stays where it is, and the keyboard at the block.
  await page.getByRole('button', { name: 'Ver tudo' }).click()
  const view = page.locator('.react-flow__viewport')
  const file = page.locator('.react-flow__node').filter({ hasText: 'Documento' })
  await file.click()
  await expect(fields).toBeVisible()
  await fields.getByRole('textbox').first().focus()
  const place = (await view.getAttribute('style'))!
  await page.keyboard.press('Escape')
  await expect(fields).toHaveCount(0)
  await expect(file).toBeFocused()
  await expect(view).toHaveAttribute('style', place)

  // A line that is dropped on the empty canvas asks what comes there.
  await file.locator('.react-flow__handle.source').hover()
  await page.mouse.down()
  const box = (await file.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height + 90, { steps: 8 })
  await page.mouse.up()
  const next = page.getByRole('dialog', { name: 'Próximo bloco' })
  await next.getByRole('button', { name: 'Fila', exact: true }).click()
  await expect(page.getByRole('complementary', { name: 'Fila', exact: true })).toBeVisible()
  await expect(lines).toHaveCount(3)
  expect((await card(page, 'Fila').boundingBox())!.y).toBeGreaterThan(box.y + box.height)

  await expect
    .poll(async () => JSON.stringify(await world.api('GET', `/flowbuilder/flow/${id}`)))
    .toMatch(/"document".*\.pdf/)
})

test('a secret that nobody wrote and a picture that is gone stand in the way of publishing, until they are there', async ({
  world,
  signIn,
}) => {
  const { page } = await signIn(world.people.helena)
  const call = {
    ...newNode('http', 'c1', 300, 0),
    data: { ...newData('http'), url: 'https://api.example.test/', headers: [{ name: 'x', value: '{{secret:loja}}' }] },
  }
  const picture = {
    ...newNode('img', 'p1', 600, 0),
    data: { ...newData('img'), file: '0123456789ab-bolo.png', name: 'bolo.png' },
  }
  const begin = newGraph().nodes[0]!
  const nodes = [{ ...begin, exits: { a: 'c1' } }, { ...call, exits: { success: 'p1', error: 'p1' } }, picture]
  const { id } = (await world.api('POST', '/flowbuilder', { name: 'Consulta', nodes })) as { id: number }
  await visit(page, `/flowbuilder/${id}`)
  await page.getByRole('button', { name: '2 problemas' }).click()
  await expect(page.getByRole('button', { name: /Este segredo não existe/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /O arquivo não está mais guardado/ })).toBeVisible()
  await page.keyboard.press('Escape')

  // Somebody writes the secret while the flow is open.
  await world.api('POST', '/flowsecret', { name: 'loja', value: 'sk-segredo', hosts: ['loja.exemplo.test'] })
  await page.getByRole('button', { name: 'Publicar' }).click()
  const dialog = page.getByRole('dialog', { name: /Publicar/ })
  await expect(dialog.getByRole('button', { name: /Este segredo não existe/ })).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Publicar' })).toBeDisabled()
  await dialog.getByRole('button', { name: /O arquivo não está mais guardado/ }).click()
  await expect(page.getByRole('complementary', { name: 'Imagem' })).toBeVisible()
})

test('an admin tries a draft as the contact would meet it, and moves the clock', async ({ world, signIn }) => {
  const id = await make(world, 'Teste de bancada', [
    [
      'menu',
      { message: 'Olá, {{firstName}}!', options: [{ number: 1, label: 'Bolo' }], timeoutSeconds: 600 },
      { a1: 'bloco2', timeout: 'bloco6' },
    ],
    ['question', { message: 'Uma foto do bolo?', kind: 'file', saveAs: 'foto' }],
    ['interval', { seconds: 30 }],
    [
      'http',
      { url: 'https://exemplo.test/{{number}}', saves: [{ path: 'preco', saveAs: 'preco' }] },
      { success: 'bloco5', error: 'bloco6' },
    ],
    ['message', { text: 'Fica em R$ {{preco}}' }, { a: 'bloco7' }],
    ['end', { then: 'close', message: 'Até mais' }],
    ['ticket', { queueId: world.queues.sales, message: 'Já chamo alguém' }],
  ])
  const { page } = await signIn(world.people.helena)
  await visit(page, `/flowbuilder/${id}`)
  await page.getByRole('button', { name: 'Testar', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Testar o fluxo' })
  const field = panel.getByRole('textbox', { name: 'Mensagem do contato' })
  const said = panel.getByRole('log').locator('[data-phone=business]')
  await field.fill('oi')
  await field.press('Enter')
  await expect(said.last()).toContainText('Olá, Maria!')
  await expect(card(page, 'Olá, {{firstName}}!').locator('.ring-success')).toBeVisible()
  await expect(page.locator('.react-flow__edge.flow-way-lit')).toHaveCount(1)

  // A wrong answer, the right one by its button, and a picture.
  await field.fill('7')
  await field.press('Enter')
  await expect(said.last()).toContainText('Não entendi')
  await panel.getByRole('button', { name: '1. Bolo' }).click()
  await expect(said.last()).toContainText('Uma foto do bolo?')
  await panel.getByRole('button', { name: 'Enviar como o contato' }).click()
  await page.getByRole('menuitem', { name: 'Uma foto' }).click()
  await expect(panel.getByText('Espera o relógio.')).toBeVisible()
  await panel.getByRole('button', { name: 'Até o prazo: 30 segundos' }).click()

  // Nothing goes outside: what would come back is written here.
  const call = panel.getByRole('form', { name: 'Resposta da chamada' })
  await expect(call).toContainText('GET https://exemplo.test/5511987654321')
  await call.getByLabel('Conteúdo da resposta').fill('{"preco": 38}')
  await call.getByRole('button', { name: 'Responder' }).click()
  await expect(said.last()).toContainText('Já chamo alguém')
  await expect(said.nth(-2)).toContainText('Fica em R$ 38')
  await expect(panel.getByText('O atendimento vai para a fila Vendas.')).toBeVisible()
  await panel.getByRole('tab', { name: 'Variáveis' }).click()
  await expect(panel.getByText('foto.jpg')).toBeVisible()
  await panel.getByRole('tab', { name: 'Conversa' }).click()
  await panel.getByRole('button', { name: 'Testar de novo' }).click()
  await expect(page.locator('.react-flow__edge.flow-way-lit')).toHaveCount(0)

  // From any block, with what is drawn now, without a network, and in silence.
  await page.context().setOffline(true)
  await card(page, 'Olá, {{firstName}}!').dblclick()
  const fields = page.getByRole('complementary', { name: 'Menu', exact: true })
  await fields.getByRole('textbox', { name: 'Mensagem', exact: true }).fill('Bom te ver!')
  await fields.getByRole('button', { name: 'Fechar' }).click()
  await card(page, 'Bom te ver!').hover()
  await card(page, 'Bom te ver!').getByRole('button', { name: 'Testar a partir de Menu' }).click()
  await expect(said).toHaveCount(1)
  await expect(said).toContainText('Bom te ver!')
  await panel.getByRole('button', { name: 'Até o prazo: 10 minutos' }).click()
  await expect(said.last()).toContainText('Até mais')
  await expect(panel.getByText('O fluxo terminou.')).toBeVisible()
  await panel.getByRole('button', { name: 'Fechar' }).click()
  await expect(page.locator('.react-flow__edge.flow-way-lit')).toHaveCount(0)
  await page.context().setOffline(false)
})

test('from a template to the queue: tried, published, and gone through by a contact in words, voice and pictures', async ({
  world,
  signIn,
}) => {
  const { phone } = world.stack
  const helena = await signIn(world.people.helena)
  const { page } = helena
  await visit(page, '/flowbuilders')
  await page.getByRole('button', { name: 'Usar um modelo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Fila que continua o atendimento').click()
  await page.getByRole('option', { name: 'Vendas' }).click()
  await dialog.getByRole('button', { name: /Festas da padaria/ }).click()
  await page.getByRole('dialog', { name: 'Adicionar fluxo' }).getByRole('button', { name: 'Salvar' }).click()
  await expect(page).toHaveURL(/\/flowbuilder\/\d+$/)
  const flowId = Number(/\d+$/.exec(page.url())![0])

  await page.getByRole('button', { name: 'Testar', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Testar o fluxo' })
  const field = panel.getByRole('textbox', { name: 'Mensagem do contato' })
  await field.fill('festa')
  await field.press('Enter')
  await panel.getByRole('button', { name: '2. Salgados e docinhos' }).click()
  await expect(panel.getByRole('log')).toContainText('Para quantas pessoas?')
  await panel.getByRole('button', { name: 'Fechar' }).click()
  await page.getByRole('button', { name: 'Publicar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publicar' }).click()
  await expect(page.getByText('Versão 1 publicada')).toBeVisible()
  await world.api('POST', '/flowcampaign', { name: 'Festas', flowId, phrase: 'quero uma festa' })

  const dora = await world.contact('Dora Pires')
  const asked = async (text: string) =>
    expect.poll(async () => (await world.arrived(dora)).at(-1), { timeout: 20_000 }).toContain(text)
  await phone.write(dora.number, 'Quero uma festa')
  await asked('O que você precisa?')
  await phone.writeFile(dora.number, ogg, {
    ...{ kind: 'audio', mimetype: 'audio/ogg; codecs=opus', voice: '1', seconds: '3' },
  })
  await asked('Não entendi')
  await phone.write(dora.number, '8')
  await expect
    .poll(async () => (await world.arrived(dora)).filter((text) => text.includes('Não entendi')).length)
    .toBe(2)
  await phone.write(dora.number, '1')
  await asked('Qual o sabor')
  await phone.write(dora.number, 'Chocolate')
  await asked('Você tem uma foto')
  await phone.write(dora.number, 'Sim, vou enviar')
  await asked('Pode enviar a foto.')
  await phone.writeFile(dora.number, png, { kind: 'image', mimetype: 'image/png' })
  await asked('Para quantas pessoas?')
  await phone.write(dora.number, 'umas quarenta')
  await asked('Por favor, responda com um número.')
  await phone.write(dora.number, '40')
  await asked('Em que dia é a festa?')
  await phone.write(dora.number, 'amanhã')
  await asked('Você busca na loja')
  await phone.write(dora.number, '1')
  await asked('Prontinho!')
  await expect
    .poll(async () => (await world.ticketsOf(dora))[0])
    .toMatchObject({ status: 'pending', queueId: world.queues.sales })

  // The agent of the queue finds it, and reads what was asked.
  const ana = await signIn(world.people.ana)
  await ana.accept(dora)
  await expect(ana.bubble('Prontinho!')).toBeVisible()
  const notes = await ana.panel('Observações')
  await expect(notes.getByRole('listitem').filter({ hasText: 'Sabor: Chocolate' })).toContainText('Pessoas: 40')

  // The admin is led from an answer to the block that gave it.
  await visit(page, `/tickets/${(await world.ticketsOf(dora))[0]!.uuid}`)
  await helena.choose('Em que dia é a festa?', 'Por quê?')
  const why = page.getByRole('dialog', { name: 'Por que esta mensagem foi enviada?' })
  await why.getByRole('link', { name: /Em que dia é a festa/ }).click()
  await expect(page).toHaveURL(/\/flowbuilder\/\d+\?node=/)
  await expect(card(page, 'Em que dia é a festa?')).toHaveClass(/selected/)
  await expect(card(page, 'Em que dia é a festa?')).toBeInViewport()
})

test('two admins draw one flow, one of them without a network: nothing is lost, and of two truths they choose one', async ({
  world,
  signIn,
}) => {
  const id = await make(world, 'A quatro mãos', [
    ['message', { text: 'Olá!' }],
    ['message', { text: 'Tudo bem?' }],
    ['end', { then: 'pending', message: '' }],
  ])
  const other = { name: 'Olga Reis', email: 'olga@loja.test', profile: 'admin', queueIds: [world.queues.sales] }
  const { id: olgaId } = (await world.api('POST', '/users', { ...other, password: 'balcao123' })) as { id: number }
  const { page: helena } = await signIn(world.people.helena)
  const { page: olga } = await signIn({ id: olgaId, name: other.name, email: other.email }, installable)
  const write = async (page: Page, before: string, text: string) => {
    await card(page, before).dblclick()
    const fields = page.getByRole('complementary', { name: 'Mensagem', exact: true })
    const field = fields.getByRole('textbox', { name: 'Mensagem', exact: true })
    await expect(field).toHaveValue(before)
    await field.fill(text)
    await fields.getByRole('button', { name: 'Fechar' }).click()
  }
  for (const page of [helena, olga]) {
    await visit(page, `/flowbuilder/${id}`)
    await expect(card(page, 'Tudo bem?')).toBeVisible()
  }
  await installed(olga)
  await olga.context().setOffline(true)
  await write(helena, 'Olá!', 'Bom dia!')
  await write(olga, 'Olá!', 'Boa tarde!')
  await write(olga, 'Tudo bem?', 'Como vai?')
  await expect(olga.getByText('Salvo neste computador')).toBeVisible()
  // On the server: her screen said so of what was there before, too.
  await expect.poll(async () => JSON.stringify(await world.api('GET', `/flowbuilder/flow/${id}`))).toContain('Bom dia!')
  await olga.context().setOffline(false)

  // What only one has changed is there for both; of what both have changed, one is asked.
  await expect(card(helena, 'Como vai?')).toBeVisible({ timeout: 60_000 })
  const bar = olga.getByRole('alert').filter({ hasText: 'Outra pessoa mudou este bloco' })
  await expect(bar).toBeVisible()
  await expect(card(olga, 'Bom dia!')).toBeVisible()
  await bar.getByRole('button', { name: 'Ficar com a minha' }).click()
  await expect(bar).toHaveCount(0)
  for (const page of [helena, olga]) await expect(card(page, 'Boa tarde!')).toBeVisible()

  // What one has copied is pasted into another flow, joined as it was.
  const elsewhere = await make(world, 'Outro lugar', [['comment', { text: 'Outra história' }]])
  await olga.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } })
  await olga.keyboard.press('Control+a')
  await olga.keyboard.press('Control+c')
  await olga.goto(`/flowbuilder/${elsewhere}`)
  await expect(card(olga, 'Outra história')).toBeVisible()
  await olga.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } })
  await olga.keyboard.press('Control+v')
  await expect(card(olga, 'Boa tarde!')).toBeVisible()
  await expect(card(olga, 'Como vai?')).toBeVisible()
  await olga.keyboard.press('Control+z')
  await expect(card(olga, 'Boa tarde!')).toHaveCount(0)
})
