import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { newId, widOf } from '../../schema/ids.ts'
import type { OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { TemplateValues } from '../../schema/templates/templates.parts.ts'
import { CloudWorld, until } from './cloud.fixture.ts'

let world: CloudWorld
beforeAll(async () => {
  world = await CloudWorld.open()
})
afterAll(() => world.close())

const said = (whatsappId: number, number: string, values: TemplateValues, name = 'pedido_pronto', named = false) => {
  const messageId = newId()
  return {
    ...{ messageId, companyId: world.companyId, whatsappId, wid: widOf(messageId), quoted: null },
    to: { kind: 'person', number, lid: null },
    content: {
      type: 'template',
      text: 'o que se lê',
      template: { is: 'template', name, language: 'pt_BR', named, values, buttons: [] },
    },
  } satisfies OutgoingMessage
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'sent',
    (error: { code: string; params: { reason?: string } }) => `${error.code} ${error.params.reason ?? ''}`,
  )

test('a message by a template goes out as the service wants it, its values in the order of their numbers', async () => {
  const { cloud, id, number } = await world.linked()
  const ana = world.fake.person()
  const body = Array.from({ length: 11 }, (_, i) => `v{{${i + 1}}} x`).join(' ')
  world.fake.template(number.account, {
    name: 'pedido_pronto',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}' },
      { type: 'BODY', text: body },
    ],
  })
  const values = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`body.${11 - i}`, String(11 - i)]))
  await cloud.channel.send(said(id, ana.number, { ...values, 'header.1': '42', 'button.1': 'p42', 'code.2': 'SOL10' }))
  const text = (value: string) => ({ type: 'text', text: value })
  expect(ana.inbox.at(-1)?.payload).toMatchObject({
    type: 'template',
    template: {
      ...{ name: 'pedido_pronto', language: { code: 'pt_BR' } },
      components: [
        { type: 'header', parameters: [text('42')] },
        { type: 'body', parameters: Array.from({ length: 11 }, (_, i) => text(String(i + 1))) },
        { type: 'button', sub_type: 'url', index: '1', parameters: [text('p42')] },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '2',
          parameters: [{ type: 'coupon_code', coupon_code: 'SOL10' }],
        },
      ],
    },
  })
  world.fake.template(number.account, { name: 'oi', components: [{ type: 'BODY', text: 'Oi, {{nome}}!' }] })
  await cloud.channel.send(said(id, ana.number, { 'body.nome': 'Ana' }, 'oi', true))
  expect(ana.inbox.at(-1)?.payload).toMatchObject({
    template: { components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'nome', text: 'Ana' }] }] },
  })
})

test('what the service does not send by it is refused for good: unknown, paused, disabled, wrongly filled', async () => {
  const { cloud, id, number } = await world.linked()
  const ana = world.fake.person()
  const send = (values: TemplateValues = { 'body.1': 'Ana' }, name?: string) =>
    codeOf(cloud.channel.send(said(id, ana.number, values, name)))
  const template = world.fake.template(number.account, {
    name: 'pedido_pronto',
    components: [{ type: 'BODY', text: 'Olá, {{1}}!' }],
  })
  expect(await send({}, 'outro')).toBe('ERR_CHANNEL_REFUSED cloud_template:132001')
  expect(await send({})).toBe('ERR_CHANNEL_REFUSED cloud_template:132000')
  expect(await send({ 'body.1': 'Ana\nMaria' })).toBe('ERR_CHANNEL_REFUSED cloud_template:132018')
  template.status = 'PAUSED'
  expect(await send()).toBe('ERR_CHANNEL_REFUSED cloud_template:132015')
  template.status = 'DISABLED'
  expect(await send()).toBe('ERR_CHANNEL_REFUSED cloud_template:132016')
  template.status = 'APPROVED'
  expect(await send()).toBe('sent')
})

test('outside the window a text is refused and a template leaves', async () => {
  const { cloud, id, number } = await world.linked()
  const ana = world.fake.person()
  world.fake.keepsWindow = true
  world.fake.template(number.account, { name: 'oi', components: [{ type: 'BODY', text: 'Oi!' }] })
  const text = { ...said(id, ana.number, {}), content: { type: 'text' as const, text: 'Oi' } }
  expect(await codeOf(cloud.channel.send(text))).toBe('ERR_CHANNEL_REFUSED cloud_window_closed:131047')
  expect(await codeOf(cloud.channel.send(said(id, ana.number, {}, 'oi')))).toBe('sent')
  world.fake.keepsWindow = false
})

test('what is told of templates reaches each number of the account whose app has the secret, and nobody else', async () => {
  const { cloud, id, number, app } = await world.linked()
  const sibling = await world.connection({ app, number: world.fake.number(number.account) })
  await world.link(cloud, sibling)
  const before = world.templates.length
  const template = world.fake.template(number.account, { name: 'oi', components: [{ type: 'BODY', text: 'Oi!' }] })
  await world.fake.recategorised(template, 'MARKETING', { inFuture: true })
  await until(() => world.templates.length > before, 'the change')
  const told = world.templates.at(-1)!
  expect(told.connections).toHaveLength(2)
  expect(told.connections).toContainEqual({ companyId: world.companyId, whatsappId: id })
  expect(told.notices).toEqual([{ metaId: template.id, nextCategory: 'MARKETING' }])
  const stranger = world.fake.number()
  world.subscribe(stranger, app)
  await world.fake.reviewed(world.fake.template(stranger.account, { name: 'x', components: [] }), 'PAUSED')
  // It is worked off, and nobody's.
  const isCounted = async () => ((await world.ignored())['unknown_number'] ?? 0) > 0
  for (const deadline = Date.now() + 15_000; !(await isCounted()) && Date.now() < deadline; ) await Bun.sleep(10)
  expect(await isCounted()).toBe(true)
  expect(world.templates).toHaveLength(before + 1)
})

test('a template that is sent to some first holds the others; they go on, or the template stops all that goes by it', async () => {
  const { cloud, id, number } = await world.linked()
  world.fake.template(number.account, { name: 'nova', components: [{ type: 'BODY', text: 'Novidade!' }] })
  const acksOf = (wid: string) => world.events.flatMap((one) => (one.kind === 'ack' && one.wid === wid ? [one] : []))
  const [ana, bia] = [world.fake.person(), world.fake.person()]
  world.refusals.length = 0
  world.fake.pacing = 'held_for_quality_assessment'
  const [good, bad] = [said(id, ana.number, {}, 'nova'), said(id, bia.number, {}, 'nova')]
  await cloud.channel.send(good)
  expect(acksOf(good.wid)).toMatchObject([{ ack: 2, error: 'held_back' }])
  expect(ana.inbox).toEqual([])
  world.fake.judged(number, true)
  await until(() => acksOf(good.wid).at(-1)?.ack === 3, 'its delivery')
  expect(acksOf(good.wid).at(-1)).toMatchObject({ error: null })
  expect(world.refusals).toEqual([])
  world.fake.pacing = 'held_for_quality_assessment'
  await cloud.channel.send(bad)
  world.fake.judged(number, false)
  await until(() => acksOf(bad.wid).at(-1)?.ack === 0, 'its end')
  expect(acksOf(bad.wid).at(-1)).toMatchObject({ error: 'cloud_template:132015', undelivered: true })
  expect(world.refusals).toEqual([{ failure: 'template', template: 'nova' }])
})

test('a refusal of a template stops what goes by it; one of an agent’s own values stops nothing', async () => {
  const { cloud, id, number } = await world.linked()
  world.fake.template(number.account, { name: 'saiu', components: [{ type: 'BODY', text: 'Saiu!' }] })
  const ana = world.fake.person()
  for (const [code, by, refusals] of [
    [132000, undefined, []],
    [132000, 'many', [{ failure: 'template', template: 'saiu' }]],
    [132016, undefined, [{ failure: 'template', template: 'saiu' }]],
  ] as const) {
    world.refusals.length = 0
    ana.refuseWith = code
    await codeOf(cloud.channel.send({ ...said(id, ana.number, {}, 'saiu'), ...(by && { by }) }))
    expect(world.refusals).toEqual([...refusals])
  }
})

test('a message by a template is charged by its category, and the ledger is told which template it was', async () => {
  const { cloud, id, number } = await world.linked()
  const ana = world.fake.person('5511980009999')
  const component = { type: 'BODY', text: 'Promoção!' }
  world.fake.template(number.account, { name: 'promocao', category: 'MARKETING', components: [component] })
  const own = said(id, ana.number, {}, 'promocao')
  await cloud.channel.send(own)
  const charges = () => world.events.filter((event) => event.kind === 'charge' && event.wid === own.wid)
  await until(() => charges().length === 2, 'both states')
  for (const charge of charges())
    expect(charge).toMatchObject({
      ...{ wamid: ana.inbox[0]!.wamid, template: 'promocao', market: 'BR' },
      class: { category: 'marketing', type: 'regular' },
    })
})

test('who stops marketing is told to the product: by their own button, by a refusal, and by a state; who resumes, too', async () => {
  const { cloud, id, number } = await world.linked()
  const [ana, bia, caio] = [world.fake.person(), world.fake.person(), world.fake.person()]
  const own = { companyId: world.companyId, whatsappId: id }
  const told = (who: { number: string }) => world.preferences.filter((one) => one.number === who.number)
  const presses = (value: string) =>
    world.fake.tell(
      number,
      { user_preferences: [{ wa_id: ana.number, category: 'marketing_messages', value, timestamp: 1_764_417_600 }] },
      'user_preferences',
    )
  await presses('stop')
  await until(() => told(ana).length === 1, 'the wish')
  await presses('resume')
  await until(() => told(ana).length === 2, 'the other wish')
  const at = new Date(1_764_417_600_000)
  expect(told(ana)).toEqual([
    { ...own, number: ana.number, bsuid: null, wants: false, at },
    { ...own, number: ana.number, bsuid: null, wants: true, at },
  ])
  world.fake.template(number.account, { name: 'oi', components: [{ type: 'BODY', text: 'Oi!' }] })
  bia.refuseWith = 131050
  expect(await codeOf(cloud.channel.send(said(id, bia.number, {}, 'oi')))).toBe(
    'ERR_CHANNEL_REFUSED cloud_stopped_marketing:131050',
  )
  expect(told(bia)).toMatchObject([{ ...own, wants: false }])
  caio.failWith = 131050
  expect(await codeOf(cloud.channel.send(said(id, caio.number, {}, 'oi')))).toBe('sent')
  await until(() => told(caio).length > 0, 'the state')
  expect(told(caio)).toMatchObject([{ ...own, wants: false }])
})

test('a template whose header is a place brings the point, its name and its address', async () => {
  const { cloud, id, number } = await world.linked()
  const ana = world.fake.person()
  world.fake.template(number.account, {
    name: 'pedido_pronto',
    components: [
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BODY', text: 'O seu pedido está pronto' },
    ],
  })
  const place = { 'place.point': '-8.05, -34.9', 'place.name': 'Loja', 'place.address': 'Rua A, 10' }
  await cloud.channel.send(said(id, ana.number, place))
  const [header] = (ana.inbox.at(-1)!.payload['template'] as { components: unknown[] }).components
  const location = { latitude: -8.05, longitude: -34.9, name: 'Loja', address: 'Rua A, 10' }
  expect(header).toEqual({ type: 'header', parameters: [{ type: 'location', location }] })
  expect(await codeOf(cloud.channel.send(said(id, ana.number, { ...place, 'place.address': '' })))).toStartWith(
    'ERR_CHANNEL_REFUSED',
  )
})

test('a template whose header is a file brings it with each message, as what it is', async () => {
  const { cloud, id, number } = await world.linked()
  const ana = world.fake.person()
  world.fake.template(number.account, {
    name: 'pedido_pronto',
    components: [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'O seu pedido está pronto' },
    ],
  })
  const path = `${tmpdir()}/${newId()}.pdf`
  await Bun.write(path, 'nota fiscal')
  const message = said(id, ana.number, {})
  const template = { ...message.content.template, file: 'document' as const }
  const file = { mediaPath: path, mimetype: 'application/pdf', fileName: 'nota.pdf' }
  await cloud.channel.send({ ...message, content: { ...message.content, template, file } })
  const [header] = (ana.inbox.at(-1)!.payload['template'] as { components: unknown[] }).components
  expect(header).toEqual({
    type: 'header',
    parameters: [{ type: 'document', document: { id: expect.any(String), filename: 'nota.pdf' } }],
  })
  const { id: fileId } = (header as { parameters: [{ document: { id: string } }] }).parameters[0].document
  expect(world.fake.files.get(fileId)?.bytes.toString()).toBe('nota fiscal')
  // A file that the service would not show as that is not sent as another.
  const wrong = { ...template, file: 'image' as const }
  const again = said(id, ana.number, {})
  expect(await codeOf(cloud.channel.send({ ...again, content: { ...again.content, template: wrong, file } }))).toBe(
    'ERR_CHANNEL_REFUSED cloud_too_large',
  )
})
