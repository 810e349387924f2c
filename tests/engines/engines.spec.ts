import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pdf, png } from '../e2e/example-files.ts'
import { until } from '../support/stack.ts'
import type { AgentAt } from './agent.ts'
import { expect, test } from './engines.fixtures.ts'
import { databases, installed, nothingKept } from './kept.ts'
import type { World } from '../e2e/world.ts'

/** What every engine must do: each story is written once and runs in all of them. */

/** The browser knows that there is none, or the app finds out that nobody answers. */
const noNetwork = /^(Sem conexão|Reconectando…)$/

/** A contact who has just written, accepted by the agent and open. */
async function serving(world: World, ana: AgentAt, name: string, text: string) {
  const contact = await world.contact(name)
  await world.stack.phone.write(contact.number, text)
  await ana.accept(contact)
  await ana.bubble(text).shown()
  await until(
    'the ticket is hers',
    () => world.ticketsOf(contact),
    ([ticket]) => ticket?.status === 'open',
  )
  await ana.waiting.gone()
  return contact
}

test('the day in short: signed in, a message comes, is accepted, answered and delivered, and all is there after a reload', async ({
  world,
  open,
}) => {
  const ana = await open()
  await ana.signIn(world.people.ana)
  const contact = await serving(world, ana, 'Alba Torres', 'Bom dia, já abriram?')
  await ana.say('Bom dia! Abrimos às sete')
  await ana.ticks('Abrimos às sete', 'Entregue').shown()
  expect(await world.arrived(contact)).toEqual(['Bom dia! Abrimos às sete'])

  await ana.screen.tab.reload()
  await ana.ticks('Abrimos às sete', 'Entregue').shown()
  await world.stack.phone.write(contact.number, 'Ótimo, já vou')
  await ana.bubble('Ótimo, já vou').shown()
})

test('a logout leaves nothing of the earlier person in the browser; who comes next sees only what is theirs', async ({
  world,
  open,
}) => {
  const { people } = world
  const ana = await open()
  await ana.signIn(people.ana)
  const vera = await serving(world, ana, 'Vera Pinho', 'Assunto reservado')
  await ana.composer.fill('rascunho que ninguém mais lê')
  await until(
    'rows on the disk',
    () => databases(ana.screen),
    (names) => names.includes(`-${people.ana.id}-`),
  )
  await ana.logout()
  await nothingKept(ana.screen, 'Vera')

  await ana.signIn(people.bruno)
  await ana.tab('Atendendo').click()
  await ana.item(vera).gone()
  const names = await until(
    'rows of the next one',
    () => databases(ana.screen),
    (names) => names.includes(`-${people.bruno.id}-`),
  )
  expect(names).not.toContain(`-${people.ana.id}-`)
})

test('answers written without a network, with a reload in between, all arrive once and in order when it is back', async ({
  world,
  open,
  line,
}) => {
  const ana = await open({ at: line.url })
  const { engine } = ana.screen
  await ana.signIn(world.people.ana)
  const olga = await serving(world, ana, 'Olga Sá', 'Estão abertos?')
  await installed(ana.screen)

  line.cut()
  if (engine.can.offline) await engine.offline(true)
  await ana.screen.role('button', noNetwork).shown()
  await ana.say('Sem rede, um')
  await ana.say('Sem rede, dois')
  await ana.screen.role('button', /^2 à espera de envio/).shown()
  await ana.screen.tab.reload()
  await ana.ticks('Sem rede, um', 'Na fila de envio').shown()
  await ana.ticks('Sem rede, dois', 'Na fila de envio').shown()
  await ana.say('Sem rede, três')
  await ana.screen.role('button', /^3 à espera de envio/).shown()
  await world.stack.phone.write(olga.number, 'Alguém aí?')
  expect(await world.arrived(olga)).toEqual([])

  line.mend()
  if (engine.can.offline) await engine.offline(false)
  for (const text of ['um', 'dois', 'três']) await ana.ticks(`Sem rede, ${text}`, 'Entregue').shown()
  await ana.bubble('Alguém aí?').shown()
  await ana.waiting.gone()
  expect(await world.arrived(olga)).toEqual(['Sem rede, um', 'Sem rede, dois', 'Sem rede, três'])
})

test('who opened the app once can lose the network at once: a reload shows the last known inbox', async ({
  world,
  open,
  line,
}) => {
  const paula = await world.contact('Paula Dutra')
  await world.stack.phone.write(paula.number, 'Guarda um pão para mim')
  const ana = await open({ at: line.url })
  await ana.signIn(world.people.ana)
  await ana.tab('Aguardando').click()
  await ana.item(paula).shown()
  await installed(ana.screen)
  line.cut()
  await ana.screen.tab.reload()
  await ana.tab('Aguardando').click()
  await ana.item(paula).says('Guarda um pão para mim')
  await ana.screen.role('button', noNetwork).shown()
})

test('two tabs show the same; the second answers, and goes on alone when the first is closed', async ({
  world,
  open,
}) => {
  const first = await open()
  await first.signIn(world.people.ana)
  const sara = await serving(world, first, 'Sara Lins', 'Duas janelas?')
  const second = await first.secondTab()
  await second.screen.goto(await first.screen.path())
  await second.bubble('Duas janelas?').shown()
  await second.say('Da segunda')
  await second.ticks('Da segunda', 'Entregue').shown()
  await first.ticks('Da segunda', 'Entregue').shown()

  // The answer is on its way when the leading tab goes.
  await second.say('Enquanto a primeira fecha')
  await first.screen.tab.close()
  await second.ticks('Enquanto a primeira fecha', 'Entregue').shown()
  await world.stack.phone.write(sara.number, 'Ainda aí?')
  await second.bubble('Ainda aí?').shown()
  await second.say('Sempre')
  await second.ticks('Sempre', 'Entregue').shown()
  expect(await world.arrived(sara)).toEqual(['Da segunda', 'Enquanto a primeira fecha', 'Sempre'])
})

test('a picture is seen and a voice note heard; one that is recorded here is one that a phone plays', async ({
  world,
  open,
}) => {
  const { phone } = world.stack
  const voice = readFileSync(join(import.meta.dir, '..', '..', 'server', 'demo', 'media', 'voz-entrega.ogg'))
  const ana = await open()
  await ana.signIn(world.people.ana)
  const lara = await serving(world, ana, 'Lara Pires', 'Olha só')
  await phone.writeFile(lara.number, png, { kind: 'image', mimetype: 'image/png', caption: 'Olha o bolo' })
  const picture = ana.bubble('Olha o bolo').role('button', 'Ampliar imagem').css('img')
  const drawn = () => picture.of((image) => (image as HTMLImageElement).naturalWidth)
  await until('the picture is drawn', drawn, (width) => width === 192)

  await phone.writeFile(lara.number, voice, {
    kind: 'audio',
    mimetype: 'audio/ogg; codecs=opus',
    voice: '1',
    seconds: '3',
  })
  await ana.screen.role('button', 'Ouvir').click()
  const sound = ana.screen.css('[data-message]').css('audio')
  const heard = () =>
    sound.of((element) => {
      const { currentTime, ended, error } = element as HTMLAudioElement
      return { time: ended ? 99 : currentTime, error: error?.message }
    })
  await until('a second of it is heard', heard, ({ time }) => time > 1)

  await ana.screen.role('button', 'Gravar mensagem de voz').click()
  await ana.screen.role('timer').says(/0:0[2-9]/)
  await ana.screen.role('button', 'Enviar a gravação').click()
  const sent = async () =>
    (await phone.lines(lara.number)).filter(({ by, kind }) => by === 'business' && kind === 'audio')
  const [recorded] = await until('the recording arrives', sent, (lines) => lines.length === 1)
  expect(recorded!.file!.mimetype).toBe('audio/ogg; codecs=opus')
  const bytes = await phone.file(recorded!.id)
  expect(bytes.toString('latin1', 28, 36)).toBe('OpusHead')
  // A second and more of something, not of silence.
  expect(bytes.length).toBeGreaterThan(2_000)
})

test('files of this device reach the contact unchanged', async ({ world, open }) => {
  const { phone } = world.stack
  const folder = mkdtempSync(join(tmpdir(), 'balcao-files-'))
  const [cake, menu] = [join(folder, 'bolo.png'), join(folder, 'cardápio.pdf')]
  writeFileSync(cake, png)
  writeFileSync(menu, pdf)
  const ana = await open()
  await ana.signIn(world.people.ana)
  const marcos = await serving(world, ana, 'Marcos Leal', 'Me manda o cardápio?')
  const field = ana.screen.css('[data-testid="attach"]')
  await field.upload(cake)
  await ana.screen.role('textbox', 'Legenda').fill('Bolo de hoje')
  await ana.screen.tab.press('Enter')
  await ana.ticks('Bolo de hoje', 'Entregue').shown()
  await field.upload(menu)
  await ana.screen.role('dialog').role('button', 'Enviar').click()
  await ana.ticks('cardápio.pdf', 'Entregue').shown()
  const files = (await phone.lines(marcos.number)).filter(({ by, file }) => by === 'business' && file)
  expect(files.map(({ kind, file }) => [kind, file!.name])).toEqual([
    ['image', null],
    ['document', 'cardápio.pdf'],
  ])
  for (const [at, bytes] of [png, pdf].entries()) expect((await phone.file(files[at]!.id)).equals(bytes)).toBe(true)
  rmSync(folder, { recursive: true })
})

test('a flow is drawn and published by the keyboard alone', async ({ world, open }) => {
  const helena = await open()
  const { screen } = helena
  const { tab } = screen
  await helena.signIn(world.people.helena)
  await screen.follow('/flowbuilders')
  await screen.role('button', 'Adicionar fluxo').reach()
  await tab.press('Enter')
  await screen.role('dialog').role('textbox', 'Nome').holdsKeyboard()
  await tab.type('Encomendas')
  await tab.press('Enter')
  await screen.role('button', 'Adicionar bloco').shown()

  await screen.role('button', 'Adicionar bloco').reach()
  await tab.press('Enter')
  await screen.role('dialog').role('button', 'Fila').reach()
  await tab.press('Enter')
  await screen.role('complementary', 'Fila').role('button', /^Fila/).reach()
  await tab.press('Enter')
  await screen.role('option', 'Vendas').shown()
  await tab.type('Ven')
  await tab.press('Enter')
  await screen.role('complementary', 'Fila').says('Vendas')
  await tab.press('Escape')
  await screen.role('complementary', 'Fila').gone()
  await screen.role('button', 'Ver como lista').reach('Shift+Tab')
  await tab.press('Enter')
  await screen.role('button', /Início.* vai para/).reach()
  await tab.press('Enter')
  await screen.role('option', /Fila/).shown()
  await tab.press('ArrowDown')
  await tab.press('Enter')
  await screen.role('button', /Início.* vai para/).says('Fila')
  await screen.role('button', 'Publicar').reach('Shift+Tab')
  await tab.press('Enter')
  await screen.role('dialog').role('button', 'Publicar').reach()
  await tab.press('Enter')
  await screen.shows('publicado, sem mudanças')
})

test('a disk that takes no more keeps nobody from working, and the person is told', async ({ world, open }) => {
  // What the app and the replica of an empty inbox need by far.
  const ana = await open({ quotaKb: 6_000 })
  await ana.signIn(world.people.ana)
  if (!ana.screen.engine.can.quota)
    await ana.screen.run(() => {
      const full = () => {
        throw new DOMException('The disk is full', 'QuotaExceededError')
      }
      Object.assign(IDBObjectStore.prototype, { add: full, put: full })
    })
  const contact = await serving(world, ana, 'Quim Faria', 'Cabe mais um?')
  await ana.say('Cabe sim')
  await ana.ticks('Cabe sim', 'Entregue').shown()
  await ana.screen.shows('Este navegador não consegue guardar os atendimentos')
  expect(await world.arrived(contact)).toEqual(['Cabe sim'])
})

test('on a phone the list gives way to the conversation and comes back, and nothing is wider than the screen', async ({
  world,
  open,
}) => {
  const ana = await open({ size: { width: 390, height: 844 }, touch: true })
  const width = () => ana.screen.run(() => document.documentElement.scrollWidth)
  await ana.signIn(world.people.ana)
  expect(await width()).toBe(390)
  const wanda = await serving(world, ana, 'Wanda Cruz', 'Do celular')
  await ana.tab('Aguardando').gone()
  await ana.say('Resposta curta')
  await ana.ticks('Resposta curta', 'Entregue').shown()
  expect(await width()).toBe(390)
  await ana.screen.role('button', 'Voltar à lista').click()
  await ana.tab('Atendendo').shown()
  await ana.open(wanda)
  await ana.bubble('Resposta curta').shown()
  const isCoarse = await ana.screen.run(() => matchMedia('(pointer: coarse)').matches)
  expect(isCoarse).toBe(ana.screen.engine.can.touch)
})
