import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import type { TemplateNotice } from '../../schema/templates/templates.service.ts'
import { stopOf } from '../../schema/templates/templates.state.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { PIXEL } from '../../tests/example-data.ts'
import { FakeCloudApi } from '../../tests/fakes/cloud-api/server.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { templateEffects } from './templates.effects.ts'

let t: TestApp
let fake: FakeCloudApi
let web: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  fake = await FakeCloudApi.open()
  t = await testApp({ cloudBase: fake.url })
  web = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => t.app.handle(request) })
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(async () => {
  await fake.stop()
  await web.stop(true)
  await t.close()
})

const order = {
  ...{ name: 'pedido_pronto', language: 'pt_BR', category: 'UTILITY', header: null, footer: 'Padaria Sol' },
  body: 'Olá, {{1}}! Seu pedido {{2}} está pronto.',
  buttons: [{ kind: 'reply', text: 'Obrigado' }],
  examples: { 'body.1': 'Ana', 'body.2': '42' },
}

/** A company with an official number whose webhook is heard. */
async function office() {
  const company = await t.eg.company()
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const agent = await t.login((await t.eg.user(company.id)).email)
  const [app, number] = [fake.app(), fake.number()]
  const official = {
    ...{ phoneNumberId: number.id, accountId: number.account, token: fake.token(app, [number.account]) },
    ...{ appSecret: app.secret, verifyToken: 'a-word-of-ours' },
  }
  const body = { name: 'Oficial', provider: 'official', official }
  const { id } = (await t.call('POST', '/whatsapp', { token: admin, body })).body
  const { webhookPath } = (await t.call('GET', `/whatsapp/${id}/official`, { token: admin })).body
  await fake.setCallback(app, `http://127.0.0.1:${web.port}${webhookPath}`, 'a-word-of-ours')
  await t.call('POST', `/whatsapp/${id}/official/subscribe`, { token: admin })
  const as = (token: string) => async (method: string, path: string, given?: unknown) =>
    (await t.call(method, path, { token, ...(given instanceof FormData ? { form: given } : { body: given }) })).body
  const waiting = () =>
    t.database.db.$count(jobs, and(eq(jobs.kind, 'templates.fetch'), eq(jobs.companyId, company.id)))
  return { company, id: id as number, number, admin: as(admin), agent: as(agent), waiting }
}

/** What the worker does. */
async function fetched({ company, id }: Awaited<ReturnType<typeof office>>) {
  const { db } = t.database
  const of = and(eq(jobs.kind, 'templates.fetch'), eq(jobs.companyId, company.id))
  const deps = { db, channel: t.deps.templates, events: t.deps.events, now: () => t.clock.now }
  // It is asked later than it was made.
  t.clock.advance(1_000)
  const work = templateEffects({ ...deps, poke: () => undefined })
  const waits = await db.delete(jobs).where(of).returning({ payload: jobs.payload })
  const asked = waits.map(({ payload }) => payload as { notice?: TemplateNotice })
  for (const { notice } of asked.length > 0 ? asked : [{ notice: undefined }])
    await work['templates.fetch']({ kind: 'templates.fetch', whatsappId: id, slot: 0, ...(notice && { notice }) }, {
      companyId: company.id,
    } as never)
  return db.select().from(templates).where(eq(templates.whatsappId, id)).orderBy(templates.name)
}

async function eventually(probe: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 15_000; !(await probe()); await Bun.sleep(10))
    if (Date.now() > deadline) throw new Error('it never came true')
}

test('a connection that is made has its templates fetched, page by page, with what is strange marked', async () => {
  const o = await office()
  expect(await o.waiting()).toBeGreaterThan(0)
  for (let n = 0; n < 130; n++)
    fake.template(o.number.account, { name: `aviso_${n}`, components: [{ type: 'BODY', text: `Aviso ${n}.` }] })
  fake.template(o.number.account, {
    name: 'com_foto',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      {
        type: 'BODY',
        text: 'Olha {{nome}} hoje',
        example: { body_text_named_params: [{ param_name: 'nome', example: 'Ana' }] },
      },
      {
        type: 'BUTTONS',
        buttons: [{ type: 'URL', text: 'Ver', url: 'https://x.example/{{1}}', example: ['https://x.example/9'] }],
      },
    ],
    parameter_format: 'NAMED',
  })
  fake.template(o.number.account, {
    name: 'carrossel',
    components: [{ type: 'BODY', text: 'Veja.' }, { type: 'CAROUSEL' }],
  })
  const rows = await fetched(o)
  expect(rows).toHaveLength(132)
  const byName = new Map(rows.map((row) => [row.name, row]))
  expect(byName.get('carrossel')).toMatchObject({ isStrange: true })
  expect(byName.get('com_foto')).toMatchObject({
    isStrange: false,
    parts: {
      named: true,
      header: { kind: 'image' },
      examples: { 'body.nome': 'Ana', 'button.0': 'https://x.example/9' },
    },
  })
  const first = await o.agent('GET', `/templates?whatsappId=${o.id}`)
  expect([first.records.length, first.hasMore]).toEqual([20, true])
  expect((await o.agent('GET', '/templates?searchParam=carro')).records).toMatchObject([{ name: 'carrossel' }])
})

test('a template is made, looked at, approved, paused, rated and gone; each time it is fetched anew', async () => {
  const o = await office()
  fake.review = null
  const made = await o.admin('POST', '/templates', { ...order, whatsappId: o.id })
  expect(made).toMatchObject({ name: 'pedido_pronto', status: 'PENDING', confirmedCategory: 'UTILITY' })
  const [there] = fake.templates.get(o.number.account)!
  expect(there).toMatchObject({
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'BODY', text: order.body, example: { body_text: [['Ana', '42']] } },
      { type: 'FOOTER', text: 'Padaria Sol' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Obrigado' }] },
    ],
  })
  for (const [happens, seen] of [
    [() => fake.reviewed(there!, 'APPROVED'), { status: 'APPROVED' }],
    [() => fake.rated(there!, 'YELLOW'), { quality: 'YELLOW' }],
    [() => fake.reviewed(there!, 'PAUSED'), { status: 'PAUSED' }],
    [() => fake.reviewed(there!, 'DISABLED'), { status: 'DISABLED' }],
  ] as const) {
    await fetched(o)
    await happens()
    await eventually(async () => (await o.waiting()) > 0)
    expect(await fetched(o)).toMatchObject([seen])
  }
  fake.templates.set(o.number.account, [])
  expect(await fetched(o)).toEqual([])
})

test('a refusal tells its reason and what the service advises; a new look forgets the advice', async () => {
  const o = await office()
  fake.review = { status: 'REJECTED', reason: 'INVALID_FORMAT', advice: 'Put words between the variables.' }
  await o.admin('POST', '/templates', { ...order, whatsappId: o.id })
  await eventually(async () => (await fetched(o))[0]?.advice !== null)
  const rows = await fetched(o)
  expect(rows).toMatchObject([
    { status: 'REJECTED', reason: 'INVALID_FORMAT', advice: 'Put words between the variables.' },
  ])
  await fake.reviewed(fake.templates.get(o.number.account)![0]!, 'APPROVED')
  expect(await fetched(o)).toMatchObject([{ status: 'APPROVED', reason: null, advice: null }])
})

test('a category that becomes dearer stops the template until an admin says yes; a cheaper one stops nothing', async () => {
  const o = await office()
  fake.review = { status: 'APPROVED', category: 'MARKETING' }
  const made = await o.admin('POST', '/templates', { ...order, whatsappId: o.id })
  expect(made).toMatchObject({ category: 'MARKETING', confirmedCategory: 'UTILITY' })
  await fetched(o)
  expect(await o.agent('POST', `/templates/${made.id}/confirm`)).toMatchObject({ error: 'ERR_NO_PERMISSION' })
  expect(await o.admin('POST', `/templates/${made.id}/confirm`)).toMatchObject({ confirmedCategory: 'MARKETING' })
  const [there] = fake.templates.get(o.number.account)!
  await fake.recategorised(there!, 'UTILITY')
  expect(await fetched(o)).toMatchObject([{ category: 'UTILITY', confirmedCategory: 'UTILITY' }])
  await fake.recategorised(there!, 'MARKETING', { inFuture: true })
  await eventually(async () => (await fetched(o))[0]?.nextCategory === 'MARKETING')
  expect(await fetched(o)).toMatchObject([{ category: 'UTILITY', confirmedCategory: 'UTILITY' }])
  await fake.recategorised(there!, 'MARKETING')
  await eventually(async () => (await fetched(o))[0]?.category === 'MARKETING')
  expect(await fetched(o)).toMatchObject([{ confirmedCategory: 'UTILITY', nextCategory: null }])
})

test('what the service would refuse is refused at its field before, and what it refuses besides at its field, too', async () => {
  const o = await office()
  const asked = fake.heard
  expect(
    await o.admin('POST', '/templates', { ...order, whatsappId: o.id, body: '{{1}}, {{2}} está pronto' }),
  ).toMatchObject({
    ...{ error: 'ERR_VALIDATION', fields: [{ path: 'body/body', message: 'variable_first' }] },
  })
  expect(fake.heard).toBe(asked)
  fake.review = null
  const body = 'Oi {{1}} e {{2}} ok'
  expect(await o.admin('POST', '/templates', { ...order, whatsappId: o.id, body: 'Oi {{1}}/{{2}}.' })).toMatchObject({
    ...{ error: 'ERR_TEMPLATE_REFUSED', field: 'body', code: 2388293, details: expect.stringContaining('variables') },
  })
  fake.template(o.number.account, { name: 'pedido_pronto', components: [{ type: 'BODY', text: body }] })
  expect(await o.admin('POST', '/templates', { ...order, whatsappId: o.id })).toMatchObject({
    ...{ error: 'ERR_TEMPLATE_REFUSED', field: 'name' },
  })
  await fetched(o)
  expect(await o.admin('POST', '/templates', { ...order, whatsappId: o.id })).toMatchObject({
    error: 'ERR_TEMPLATE_ALREADY_EXISTS',
  })
})

test('agents read and do not write; a linked device has none; what is deleted is gone at the service, too', async () => {
  const o = await office()
  fake.review = { status: 'APPROVED' }
  expect(await o.agent('POST', '/templates', { ...order, whatsappId: o.id })).toMatchObject({
    error: 'ERR_NO_PERMISSION',
  })
  const phone = await t.eg.whatsapp(o.company.id)
  expect(await o.admin('POST', '/templates', { ...order, whatsappId: phone.id })).toMatchObject({
    ...{ error: 'ERR_CHANNEL_CANNOT', capability: 'templates' },
  })
  const made = await o.admin('POST', '/templates', { ...order, whatsappId: o.id })
  expect(await o.admin('POST', '/templates/refresh', { whatsappId: o.id })).toEqual({ count: 1 })
  expect(await o.agent('DELETE', `/templates/${made.id}`)).toMatchObject({ error: 'ERR_NO_PERMISSION' })
  expect(await o.admin('DELETE', `/templates/${made.id}`)).toEqual({})
  expect(fake.templates.get(o.number.account)).toEqual([])
  expect((await o.agent('GET', '/templates')).records).toEqual([])
})

const changed = { ...order, body: 'Oi, {{1}}! O seu pedido {{2}} está pronto.' }
const { name: _name, language: _language, ...change } = changed

test('an approved template is changed once a day, and is looked at anew; one that was refused at any time', async () => {
  const o = await office()
  fake.review = { status: 'APPROVED' }
  const made = await o.admin('POST', '/templates', { ...order, whatsappId: o.id })
  const [there] = fake.templates.get(o.number.account)!
  const { id } = made
  const set = async () => (await fetched(o)).find((row) => row.id === id)!
  fake.now = () => t.clock.now.getTime()
  await set()
  fake.review = null
  expect(await o.admin('PUT', `/templates/${id}`, change)).toMatchObject({
    id,
    status: 'PENDING',
    parts: { body: changed.body },
  })
  expect(there!.components).toContainEqual(expect.objectContaining({ type: 'BODY', text: changed.body }))
  // While it is looked at it stays as it is.
  expect(await o.admin('PUT', `/templates/${id}`, change)).toMatchObject({
    error: 'ERR_TEMPLATE_STOPPED',
    reason: 'pending',
  })
  await fake.reviewed(there!, 'APPROVED')
  expect(await set()).toMatchObject({ status: 'APPROVED', edits: [expect.any(String)] })
  expect(await o.admin('PUT', `/templates/${id}`, change)).toMatchObject({
    ...{ error: 'ERR_TEMPLATE_EDITED', at: expect.any(String) },
  })
  fake.review = { status: 'APPROVED' }
  // What was refused or paused may be changed at any time, also its category.
  await fake.reviewed(there!, 'REJECTED', { reason: 'PROMOTIONAL' })
  await set()
  expect((await o.admin('PUT', `/templates/${id}`, { ...change, category: 'MARKETING' })).error).toBeUndefined()
  expect(await set()).toMatchObject({ status: 'APPROVED', category: 'MARKETING' })
  expect(there!.edits).toHaveLength(1)
  fake.now = Date.now
})

test('whoever looks at a header that is a file is shown an example, which only the service keeps', async () => {
  const o = await office()
  const form = new FormData()
  form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'pão quente.png')
  const sampled = await o.admin('POST', `/templates/sample?whatsappId=${o.id}`, form)
  expect(sampled).toEqual({ handle: expect.any(String) })
  expect(fake.handles.has(sampled.handle)).toBe(true)
  const picture = { ...order, whatsappId: o.id, headerFile: { kind: 'image', handle: sampled.handle } }
  expect(await o.admin('POST', '/templates', { ...picture, headerFile: { kind: 'image', handle: '' } })).toMatchObject({
    error: 'ERR_VALIDATION',
    fields: [{ path: 'body/header', message: 'header_file' }],
  })
  expect(await o.admin('POST', '/templates', picture)).toMatchObject({ parts: { header: { kind: 'image' } } })
  const [there] = fake.templates.get(o.number.account)!
  expect(there!.components[0]).toEqual({
    ...{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [sampled.handle] } },
  })
  const [template] = await fetched(o)
  expect(stopOf(template!)).toBeNull()
})
