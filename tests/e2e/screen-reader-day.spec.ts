import type { Page } from '@playwright/test'
import { ogg, pdf, png } from './example-files.ts'
import { expect, openTransfer, test } from './world.ts'

/** What a screen reader says of an agent's day, in its own words: names, roles, headings, and what is told unasked. */

/** Everything that is told unasked in the page from now on, in its order. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        // What goes is not told.
        if (type === 'childList' && addedNodes.length === 0) continue
        const element = target instanceof Element ? target : target.parentElement
        const region = element?.closest('[role="status"], [role="alert"], [aria-live]')
        const said =
          type === 'childList' ? [...addedNodes].map((node) => node.textContent).join(' ') : target.textContent
        if (region && region.getAttribute('aria-live') !== 'off' && said?.trim()) heard.push(said.trim())
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}

/** Buttons, links, fields, lists of choices and landmarks that have no name. */
const nameless = async (page: Page): Promise<string[]> => {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const spoken = new Set([
    'button',
    'link',
    'textbox',
    'searchbox',
    'combobox',
    'checkbox',
    'switch',
    'tab',
    'dialog',
    'listbox',
    'complementary',
  ])
  return nodes
    .filter(
      ({ ignored, role, name }) => !ignored && spoken.has(String(role?.value)) && !String(name?.value ?? '').trim(),
    )
    .map(({ role, nodeId }) => `${String(role?.value)} ${nodeId}`)
}

test('by ear: lists and messages say what they are, each thing once, and headings lead from the list to the contact', async ({
  world,
  signIn,
}) => {
  const { stack, people } = world
  const { phone } = stack
  const rui = await world.contact('Rui Sonoro')
  await phone.write(rui.number, 'Bom dia')
  const ana = await signIn(people.ana)
  const { page } = ana
  await ana.tab('Aguardando').click()
  await expect(ana.item(rui)).toBeVisible()
  // The tab is named once, and then how many there are.
  await expect(ana.tab('Aguardando')).toHaveAccessibleName(/^Aguardando \d+ atendimentos?$/)
  // Every row has this button: the contact comes after its name.
  await expect(ana.item(rui).getByRole('button', { name: 'Aceitar' })).toHaveAccessibleDescription('Rui Sonoro')
  await expect.poll(() => nameless(page)).toEqual([])

  await ana.accept(rui)
  const writes = (body: object) => phone.call('POST', `/ctl/contacts/${rui.number}/messages`, body)
  await phone.writeFile(rui.number, png, { kind: 'image', mimetype: 'image/png', caption: 'Quero um igual a este' })
  await phone.writeFile(rui.number, ogg, {
    kind: 'audio',
    mimetype: 'audio/ogg; codecs=opus',
    voice: '1',
    seconds: '3',
  })
  await phone.writeFile(rui.number, pdf, { kind: 'document', mimetype: 'application/pdf', name: 'pedido.pdf' })
  await writes({ location: { latitude: -23.55, longitude: -46.63, name: 'Salão da Praça' } })
  await writes({ card: { name: 'Mestre Cuca', number: '5511988887777' } })
  await expect(ana.bubble('Mestre Cuca')).toBeVisible()
  await ana.choose('Quero um igual a este', 'Responder')
  await ana.say('Fasemos sim')
  await expect(ana.ticks('Fasemos sim', 'Entregue')).toBeVisible()
  await ana.choose('Fasemos sim', 'Editar')
  await page.getByRole('textbox', { name: 'Novo texto da mensagem' }).fill('Fazemos sim')
  await page.keyboard.press('Enter')
  await ana.say('Engano')
  await expect(ana.ticks('Engano', 'Entregue')).toBeVisible()
  await ana.choose('Engano', 'Apagar para todos')

  const said = (name: RegExp) => page.getByRole('article', { name })
  await expect(said(/^Contato: Bom dia \d\d:\d\d$/)).toHaveCount(1)
  await expect(said(/^Contato: Ampliar imagem Quero um igual a este \d\d:\d\d$/)).toHaveCount(1)
  // How long it is, once.
  await expect(said(/^Contato: Mensagem de voz Ouvir 0:00 de 0:03 Velocidade: 1× \d\d:\d\d$/)).toHaveCount(1)
  await expect(said(/^Contato: Baixar pedido\.pdf PDF/)).toHaveCount(1)
  await expect(said(/^Contato: Localização: Salão da Praça Abrir no mapa \d\d:\d\d$/)).toHaveCount(1)
  await expect(said(/^Contato: Cartão de contato: Mestre Cuca \+55 11 98888-7777/)).toHaveCount(1)
  // The answer says to what.
  await expect(
    said(
      /^Nós: Ir para a mensagem citada: Rui Sonoro Quero um igual a este Ana Souza: Fazemos sim editada \d\d:\d\d Entregue$/,
    ),
  ).toHaveCount(1)
  await expect(said(/^Nós: Mensagem apagada Ana Souza: Engano/)).toHaveCount(1)

  await ana.panel('Linha do tempo')
  const headings = () =>
    page.getByRole('heading').evaluateAll((all) => all.map((one) => `${one.tagName} ${one.textContent?.trim()}`))
  // Each part of the contact's data comes when it has been read.
  await expect
    .poll(headings)
    .toEqual([
      'H1 Atendimentos',
      expect.stringMatching(/^H2 .*Dados de Rui Sonoro/),
      'H3 Hoje',
      'H2 Rui Sonoro',
      'H3 Etiquetas',
      'H3 Observações',
      'H3 Mensagens agendadas',
      'H3 Linha do tempo',
      'H3 Histórico de atendimentos',
    ])
  await expect.poll(() => nameless(page)).toEqual([])

  // A dialog has the page to itself: nothing of the conversation is read in it.
  const dialog = await openTransfer(page)
  await expect(dialog.getByLabel('Fila')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Resolver' })).toHaveCount(0)
  await expect.poll(() => nameless(page)).toEqual([])
  // The list that opens is called as the field that it opens from.
  await dialog.getByLabel('Fila').click()
  await expect(page.getByRole('listbox', { name: 'Fila' })).toBeVisible()
  await expect.poll(() => nameless(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  // What the palette finds stands in groups, and that there is nothing is said.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Comandos/ }).fill('rui son')
  await expect(
    page.getByRole('group', { name: 'Atendimentos' }).getByRole('option', { name: /Rui Sonoro/ }),
  ).toHaveCount(1)
  await expect.poll(() => nameless(page)).toEqual([])
  const heard = await listen(page)
  await page.getByRole('combobox', { name: /Comandos/ }).fill('xyzxyz')
  await expect.poll(heard).toContain('Nada encontrado')
})

test('by ear: a message that arrives is read out, also when it says the same again; so are the sending, the undoing and what a search finds', async ({
  world,
  serving,
}) => {
  const { stack, people } = world
  const { agent: ana, contact: bete } = await serving(people.ana, 'Bete Ouvinte', 'Bom dia')
  const { page } = ana
  const heard = await listen(page)
  const times = async (text: string) => (await heard()).filter((one) => one === text).length
  await stack.phone.write(bete.number, 'Alô?')
  await expect.poll(() => times('Bete Ouvinte: Alô?')).toBe(1)
  await stack.phone.write(bete.number, 'Alô?')
  await expect.poll(() => times('Bete Ouvinte: Alô?')).toBe(2)
  await ana.say('Estou aqui')
  await expect.poll(() => times('Mensagem enviada')).toBe(1)
  await expect(ana.ticks('Estou aqui', 'Entregue')).toBeVisible()
  // Once: the ticks that follow are there to be looked up.
  expect(await times('Mensagem enviada')).toBe(1)
  await ana.choose('Estou aqui', 'Apagar para todos')
  await expect.poll(async () => (await heard()).join('\n')).toContain('Mensagem apagada para todos')
  const undo = page.locator('[data-undo]').getByRole('button', { name: 'Desfazer' })
  await expect(undo).toHaveAccessibleName('Desfazer')
  await expect(undo).toHaveAttribute('aria-keyshortcuts', 'z')
  await undo.click()
  await ana.tab('Busca').click()
  await page.getByRole('searchbox').fill('Bete Ouv')
  await expect.poll(heard).toContain('1 encontrado')
})
