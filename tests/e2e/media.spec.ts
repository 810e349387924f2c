import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import { PIXEL } from '../example-data.ts'
import { ogg, pdf, png } from './example-files.ts'
import { expect, test } from './world.ts'

/** What the element plays or shows, byte for byte. */
const bytesOf = async (element: Locator): Promise<Buffer> =>
  Buffer.from(
    await element.evaluate(async (shown: HTMLImageElement | HTMLAudioElement) =>
      Array.from(new Uint8Array(await (await fetch(shown.src)).arrayBuffer())),
    ),
  )

test('pictures, documents, voice notes, places and contact cards of a contact reach the agent unchanged', async ({
  world,
  signIn,
}) => {
  const { phone } = world.stack
  const ana = await signIn(world.people.ana)
  const lara = await world.contact('Lara Pires')
  await phone.writeFile(lara.number, png, { kind: 'image', mimetype: 'image/png', caption: 'Olha o bolo' })
  await ana.accept(lara)
  const image = ana.bubble('Olha o bolo').getByRole('button', { name: 'Ampliar imagem' })
  await expect(image.locator('img')).toBeVisible()
  expect(Buffer.compare(await bytesOf(image.locator('img')), png)).toBe(0)
  await image.click()
  await expect(ana.page.getByRole('dialog')).toBeVisible()
  await ana.page.keyboard.press('Escape')

  await phone.writeFile(lara.number, pdf, { kind: 'document', mimetype: 'application/pdf', name: 'pedido.pdf' })
  const pedido = ana.page.getByRole('button', { name: 'Baixar pedido.pdf' })
  await expect(pedido).toBeEnabled()
  const downloading = ana.page.waitForEvent('download')
  await pedido.click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('pedido.pdf')
  expect(Buffer.compare(readFileSync(await download.path()), pdf)).toBe(0)

  await phone.writeFile(lara.number, ogg, {
    kind: 'audio',
    mimetype: 'audio/ogg; codecs=opus',
    voice: '1',
    seconds: '3',
  })
  const voice = ana.page.locator('[data-message]').filter({ has: ana.page.getByRole('button', { name: 'Ouvir' }) })
  // How long it is can be read before it is heard.
  await expect(voice).toContainText('0:03')
  await voice.getByRole('button', { name: 'Ouvir' }).click()
  await expect(voice.locator('audio')).toBeAttached()
  expect(Buffer.compare(await bytesOf(voice.locator('audio')), ogg)).toBe(0)
  // The speed that she chooses holds for the next one, too, and on another day.
  await voice.getByRole('button', { name: 'Velocidade: 1×' }).click()
  await expect(voice.getByRole('button', { name: 'Velocidade: 1.5×' })).toBeVisible()
  await expect
    .poll(() => voice.locator('audio').evaluate((element: HTMLAudioElement) => element.playbackRate))
    .toBe(1.5)
  await ana.page.reload()
  await voice.getByRole('button', { name: 'Velocidade: 1.5×' }).click()
  await expect(voice.getByRole('button', { name: 'Velocidade: 2×' })).toBeVisible()

  await phone.call('POST', `/ctl/contacts/${lara.number}/messages`, {
    location: { latitude: -23.55, longitude: -46.63, name: 'Praça da Sé' },
  })
  const place = ana.page.getByRole('link', { name: /Praça da Sé/ })
  await expect(place).toHaveAttribute('href', /-23\.55.*-46\.63/)
  // The map that the phone sent along is shown without asking anybody for one.
  const asked: string[] = []
  ana.page.on('request', (request) => asked.push(request.url()))
  const thumbnail = PIXEL.toString('base64')
  await phone.call('POST', `/ctl/contacts/${lara.number}/messages`, {
    location: { latitude: -23.58, longitude: -46.61, name: 'Rua Bom Pastor', thumbnail },
  })
  const map = ana.page.getByRole('link', { name: /Rua Bom Pastor/ }).locator('img')
  await expect.poll(() => map.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(asked.filter((address) => /^http/.test(address) && !address.startsWith(world.stack.url))).toEqual([])
  await phone.call('POST', `/ctl/contacts/${lara.number}/messages`, {
    card: { name: 'Mestre Cuca', number: '5511988887777' },
  })
  await expect(ana.bubble('Mestre Cuca').getByRole('button', { name: 'Conversar' })).toBeVisible()
})

test('pictures with a caption and documents of an agent reach the contact unchanged, recordings as what a phone plays', async ({
  world,
  signIn,
}) => {
  const { phone } = world.stack
  const ana = await signIn(world.people.ana)
  const marcos = await world.contact('Marcos Leal')
  await phone.write(marcos.number, 'Me manda o cardápio?')
  await ana.accept(marcos)
  const sent = async (kind: string) =>
    (await phone.lines(marcos.number)).filter((line) => line.by === 'business' && line.kind === kind)

  await ana.page.getByTestId('attach').setInputFiles({ name: 'bolo.png', mimeType: 'image/png', buffer: png })
  await ana.page.getByRole('textbox', { name: 'Legenda' }).fill('Bolo de hoje')
  await ana.page.keyboard.press('Enter')
  await expect(ana.ticks('Bolo de hoje', 'Entregue')).toBeVisible()
  const [picture] = await sent('image')
  expect(picture?.text).toContain('Bolo de hoje')
  expect(Buffer.compare(await phone.file(picture!.id), png)).toBe(0)

  await ana.page.getByTestId('attach').setInputFiles({ name: 'cardápio.pdf', mimeType: 'application/pdf', buffer: pdf })
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click()
  await expect(ana.ticks('cardápio.pdf', 'Entregue')).toBeVisible()
  const [document] = await sent('document')
  expect(document?.file?.name).toBe('cardápio.pdf')
  expect(Buffer.compare(await phone.file(document!.id), pdf)).toBe(0)

  await ana.page.getByRole('button', { name: 'Gravar mensagem de voz' }).click()
  await expect(ana.page.getByRole('timer')).toHaveText(/0:0[2-9]/)
  await ana.page.getByRole('button', { name: 'Enviar a gravação' }).click()
  await expect.poll(async () => (await sent('audio')).length).toBe(1)
  await expect(ana.composer).toBeFocused()
  // What it sounds like is seen before it is heard.
  const bars = ana.page.locator('[data-message]').last().locator('svg rect')
  await expect.poll(() => bars.count()).toBeGreaterThan(20)
  const [voice] = await sent('audio')
  const [ticket] = await world.ticketsOf(marcos)
  const { messages } = (await world.api('GET', `/messages/${ticket!.id}`)) as {
    messages: { mediaType: string; mediaUrl: string; isVoice: boolean }[]
  }
  const stored = messages.find((message) => message.mediaType === 'audio')!
  expect(stored.isVoice).toBe(true)
  expect((await world.fileOf(stored.mediaUrl)).length).toBeGreaterThan(10_000)
  // The browser plays its MP3, the phone Opus in Ogg.
  expect(voice!.file!.mimetype).toBe('audio/ogg; codecs=opus')
  const heard = await phone.file(voice!.id)
  expect(heard.toString('latin1', 0, 4)).toBe('OggS')
  expect(heard.toString('latin1', 28, 36)).toBe('OpusHead')
})

test('an empty file is refused with a sentence; who is not signed in gets no file by its address', async ({
  world,
  signIn,
}) => {
  const { stack, people } = world
  const ana = await signIn(people.ana)
  const nina = await world.contact('Nina Alves')
  await stack.phone.writeFile(nina.number, png, { kind: 'image', mimetype: 'image/png', caption: 'Só para vocês' })
  await ana.accept(nina)
  await expect(ana.bubble('Só para vocês').locator('img')).toBeVisible()
  const [ticket] = await world.ticketsOf(nina)
  const { messages } = (await world.api('GET', `/messages/${ticket!.id}`)) as { messages: { mediaUrl: string }[] }
  expect((await fetch(new URL(messages[0]!.mediaUrl, stack.url))).status).toBe(401)

  await ana.page
    .getByTestId('attach')
    .setInputFiles({ name: 'vazio.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) })
  await ana.told('Arquivos vazios ou com mais de')
})
