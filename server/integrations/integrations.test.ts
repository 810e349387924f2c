import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { MASK } from '../../schema/secrets.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { fakeAsaas, fakeIxc } from '../../tests/fakes/bots/billing.ts'
import { fakeDialogflow } from '../../tests/fakes/bots/dialogflow.ts'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import { fakeTypebot } from '../../tests/fakes/bots/typebot.ts'
import { fakeWebhook } from '../../tests/fakes/bots/webhook.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { openIntegration } from './integrations.queries.ts'

let t: TestApp
const fakes = {
  dialogflow: await fakeDialogflow(),
  typebot: fakeTypebot(),
  webhook: fakeWebhook(),
  asaas: fakeAsaas(),
  ixc: fakeIxc(),
}
const served = serveFakes(fakes)
const { urls } = served
beforeAll(async () => {
  t = await testApp({
    botBases: { dialogflow: urls.dialogflow, googleToken: `${urls.dialogflow}/token`, asaas: `${urls.asaas}/v3` },
  })
})
afterAll(async () => {
  await t.close()
  await served.stop()
})

async function office(plan: Record<string, unknown> = {}) {
  const company = await t.eg.company({ plan })
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const agent = await t.eg.user(company.id)
  const tokens = { admin: await t.login(admin.email), agent: await t.login(agent.email) }
  const as = (token: string) => (method: string, path: string, body?: unknown) => t.call(method, path, { token, body })
  return { company, admin: as(tokens.admin), agent: as(tokens.agent) }
}
const account = JSON.stringify(fakes.dialogflow.account)
const samples = {
  dialogflow: {
    type: 'dialogflow',
    name: 'Agente',
    projectName: 'padaria-agente',
    jsonContent: account,
    language: 'pt-BR',
  },
  n8n: { type: 'n8n', name: 'Fluxo n8n', urlN8N: `${urls.webhook}/n8n` },
  webhook: { type: 'webhook', name: 'Nosso sistema', urlN8N: `${urls.webhook}/hook`, secret: fakes.webhook.secret },
  typebot: { type: 'typebot', name: 'Typebot', urlN8N: urls.typebot, typebotSlug: 'padaria' },
  billing: { type: 'billing', name: 'Segunda via', billingSystem: 'asaas' },
}

describe('an integration', () => {
  test('of each type is made, found, changed and deleted', async () => {
    const o = await office()
    for (const sample of Object.values(samples)) {
      const made = await o.admin('POST', '/queueIntegration', sample)
      expect([sample.type, made.status, made.body.type]).toEqual([sample.type, 200, sample.type])
      // Only Dialogflow has a project of its own.
      expect(made.body.projectName).toBe(sample.type === 'dialogflow' ? 'padaria-agente' : sample.name)
    }
    const { body: list } = await o.admin('GET', '/queueIntegration?pageNumber=1')
    expect(list).toMatchObject({ count: 5, hasMore: false })
    expect(list.queueIntegrations.map(({ name }: { name: string }) => name)).toEqual([
      ...['Agente', 'Fluxo n8n', 'Nosso sistema', 'Segunda via', 'Typebot'],
    ])
    expect((await o.admin('GET', '/queueIntegration?searchParam=N8N')).body.queueIntegrations).toHaveLength(1)
    const { id } = list.queueIntegrations[4]
    expect(list.queueIntegrations[4]).toMatchObject({ typebotDelayMessage: 1000, typebotExpires: 1 })
    const changed = await o.admin('PUT', `/queueIntegration/${id}`, { name: 'Robô', typebotExpires: 30 })
    expect(changed.body).toMatchObject({
      name: 'Robô',
      projectName: 'Robô',
      typebotExpires: 30,
      typebotSlug: 'padaria',
    })
    expect((await o.admin('POST', '/queueIntegration', samples.n8n)).body.error).toBe(
      'ERR_INTEGRATION_NAME_ALREADY_EXISTS',
    )
    expect((await o.admin('DELETE', `/queueIntegration/${id}`)).status).toBe(200)
    expect((await o.admin('GET', `/queueIntegration/${id}`)).body.error).toBe('ERR_NO_INTEGRATION_FOUND')
  })

  test('comes in pages of twenty', async () => {
    const o = await office()
    await t.database.db
      .insert(integrations)
      .values(
        Array.from({ length: 25 }, (_, at) => ({ companyId: o.company.id, type: 'n8n' as const, name: `Bot ${at}` })),
      )
    const page = async (query: string) => (await o.admin('GET', `/queueIntegration${query}`)).body
    expect(await page('?pageNumber=1')).toMatchObject({ hasMore: true, count: 25 })
    expect((await page('?pageNumber=2')).queueIntegrations).toHaveLength(5)
    expect((await page('')).queueIntegrations).toHaveLength(25)
  })

  test('needs what its type needs, and only addresses that may be called', async () => {
    const o = await office()
    for (const [body, field] of [
      [{ type: 'n8n', name: 'abc' }, 'urlN8N'],
      [{ type: 'typebot', name: 'abc', urlN8N: urls.typebot }, 'typebotSlug'],
      [{ ...samples.dialogflow, projectName: '' }, 'projectName'],
      [{ ...samples.dialogflow, language: '' }, 'language'],
      [{ ...samples.dialogflow, jsonContent: '{"client_email":"x"}' }, 'jsonContent'],
      [{ ...samples.dialogflow, jsonContent: MASK }, 'jsonContent'],
      [{ ...samples.webhook, secret: MASK }, 'secret'],
      [{ type: 'billing', name: 'abc' }, 'billingSystem'],
      [{ type: 'flowbuilder', name: 'abc' }, 'flowId'],
    ] as const)
      expect((await o.admin('POST', '/queueIntegration', body)).body).toEqual({ error: 'ERR_INTEGRATION_FIELD', field })
    for (const urlN8N of [
      'http://10.0.0.1/',
      'http://[::ffff:10.0.0.1]/',
      'http://169.254.169.254/',
      'https://n8n.example.com:22/',
    ])
      expect((await o.admin('POST', '/queueIntegration', { ...samples.n8n, urlN8N })).body).toEqual({
        error: 'ERR_ADDRESS_REFUSED',
        field: 'urlN8N',
      })
    for (const body of [
      { ...samples.n8n, name: 'a' },
      { ...samples.n8n, type: 'smtp' },
      { ...samples.webhook, secret: 'abc' },
    ])
      expect((await o.admin('POST', '/queueIntegration', body)).body.error).toBe('ERR_VALIDATION')
    const { id } = (await o.admin('POST', '/queueIntegration', samples.typebot)).body
    expect((await o.admin('PUT', `/queueIntegration/${id}`, { typebotSlug: '' })).body.field).toBe('typebotSlug')
  })

  test('is for admins of companies whose plan has it; others see names only', async () => {
    const o = await office()
    const { id } = (await o.admin('POST', '/queueIntegration', samples.webhook)).body
    const [seen] = (await o.agent('GET', '/queueIntegration')).body.queueIntegrations
    expect(Object.keys(seen).sort()).toEqual(['companyId', 'id', 'language', 'name', 'projectName', 'type'])
    for (const [method, path, body] of [
      ['GET', `/queueIntegration/${id}`],
      ['POST', '/queueIntegration', samples.n8n],
      ['PUT', `/queueIntegration/${id}`, { name: 'Outro' }],
      ['DELETE', `/queueIntegration/${id}`],
      ['POST', `/queueIntegration/${id}/test`, { text: 'oi' }],
      ['POST', '/queueIntegration/testSession', samples.dialogflow],
    ] as const)
      expect([path, (await o.agent(method, path, body)).body.error]).toEqual([path, 'ERR_NO_PERMISSION'])
    const poor = await office({ useIntegrations: false })
    expect((await poor.admin('GET', '/queueIntegration')).body).toEqual({
      error: 'ERR_PLAN_FEATURE',
      feature: 'useIntegrations',
    })
  })

  test('is told of to everybody in the company without its secrets, and leaves the tickets that used it', async () => {
    const o = await office()
    const { id } = (await o.admin('POST', '/queueIntegration', samples.webhook)).body
    const ticket = await t.eg.ticket(o.company.id, { integrationId: id, useIntegration: true })
    await o.admin('DELETE', `/queueIntegration/${id}`)
    const told = t.emitted.filter(({ name, companyId }) => name === 'queueIntegration' && companyId === o.company.id)
    expect(told.map(({ action, payload }) => [action, payload])).toMatchObject([
      ['create', { queueIntegration: { id, name: 'Nosso sistema', type: 'webhook' } }],
      ['delete', { integrationId: id }],
    ])
    expect(JSON.stringify(told)).not.toContain('whsec_')
    const [left] = await t.database.db.select().from(tickets).where(eq(tickets.id, ticket.id))
    expect(left).toMatchObject({ integrationId: null, useIntegration: false })
  })
})

describe('the secret of an integration', () => {
  test('is sealed, shown to nobody and replaced only; the one before is good for a day more', async () => {
    const o = await office()
    const { db } = t.database
    const { id } = (await o.admin('POST', '/queueIntegration', samples.webhook)).body
    const secrets = async (at = t.clock.now) => {
      const opened = await openIntegration(db, t.deps.sealer, o.company.id, id, at)
      return opened?.type === 'webhook' ? opened.settings.secrets : undefined
    }
    const [row] = await db.select().from(integrations).where(eq(integrations.id, id))
    expect(row!.secret).not.toContain('whsec_')
    const whole = (await o.admin('GET', `/queueIntegration/${id}`)).body
    expect(whole.secret).toBe(MASK)
    const { billingSystem: _none, ...sent } = whole
    expect((await o.admin('PUT', `/queueIntegration/${id}`, sent)).status).toBe(200)
    expect(await secrets()).toEqual([fakes.webhook.secret])
    const next = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    await o.admin('PUT', `/queueIntegration/${id}`, { secret: next })
    expect(await secrets()).toEqual([next, fakes.webhook.secret])
    expect(await secrets(new Date(t.clock.now.getTime() + 25 * 3_600_000))).toEqual([next])
    await o.admin('PUT', `/queueIntegration/${id}`, { secret: '' })
    expect(await secrets()).toEqual([])
  })

  test('is Dialogflow’s key as well', async () => {
    const o = await office()
    const { id, jsonContent } = (await o.admin('POST', '/queueIntegration', samples.dialogflow)).body
    expect(jsonContent).toBe(MASK)
    const [row] = await t.database.db.select().from(integrations).where(eq(integrations.id, id))
    expect(row!.jsonContent).not.toContain('PRIVATE')
    await o.admin('PUT', `/queueIntegration/${id}`, { jsonContent: MASK, language: 'es' })
    expect(await openIntegration(t.database.db, t.deps.sealer, o.company.id, id, t.clock.now)).toMatchObject({
      settings: { jsonContent: account, language: 'es' },
    })
  })
})

describe('whoever tries an integration', () => {
  test('greets Dialogflow before and after it is saved', async () => {
    const o = await office()
    const { projectName, language } = samples.dialogflow
    const typed = await o.admin('POST', '/queueIntegration/testSession', {
      projectName,
      language,
      jsonContent: account,
    })
    expect(typed.body).toEqual({ messages: ['Você disse: Olá'] })
    const { id } = (await o.admin('POST', '/queueIntegration', samples.dialogflow)).body
    const kept = { projectName, language, jsonContent: MASK, id }
    expect((await o.admin('POST', '/queueIntegration/testSession', kept)).body.messages).toHaveLength(1)
    const wrong = { ...kept, projectName: 'other-project' }
    expect((await o.admin('POST', '/queueIntegration/testSession', wrong)).body).toMatchObject({
      error: 'ERR_TEST_SESSION_DIALOG',
      why: 'credentials',
    })
  })

  test('talks with a typebot in several messages, and begins again', async () => {
    const o = await office()
    const { id } = (await o.admin('POST', '/queueIntegration', samples.typebot)).body
    const say = async (text: string, restart?: boolean) =>
      (await o.admin('POST', `/queueIntegration/${id}/test`, { text, ...(restart && { restart }) })).body
    expect((await say('oi')).messages).toHaveLength(2)
    expect((await say('1')).messages).toEqual([{ text: 'Certo: Pães. Qual é o seu e-mail?' }])
    expect((await say('oi', true)).messages).toHaveLength(2)
    await say('3')
    expect(await say('a@b.co')).toMatchObject({ transferTo: { queueId: 1 }, stop: true, failure: null })
  })

  test('sends a webhook a signed event, and asks the billing system with the company’s own keys', async () => {
    const o = await office()
    const hook = (await o.admin('POST', '/queueIntegration', samples.webhook)).body
    const answer = (await o.admin('POST', `/queueIntegration/${hook.id}/test`, { text: 'oi' })).body
    expect(answer).toMatchObject({ messages: [{ text: 'Recebido!' }], failure: null })
    const billing = (await o.admin('POST', '/queueIntegration', samples.billing)).body
    const find = async () =>
      (await o.admin('POST', `/queueIntegration/${billing.id}/test`, { text: '529.982.247-25' })).body
    expect((await find()).failure).toEqual({ why: 'settings', says: 'a key of the billing system is missing' })
    await o.admin('PUT', '/settings/asaas', { value: fakes.asaas.key })
    expect((await find()).messages[0].text).toBe('Olá, Maria! Encontrei 2 faturas em aberto:')
    await o.admin('PUT', `/queueIntegration/${billing.id}`, { billingSystem: 'ixc' })
    await o.admin('PUT', '/settings/ipixc', { value: urls.ixc })
    await o.admin('PUT', '/settings/tokenixc', { value: fakes.ixc.token })
    expect(
      (await o.admin('POST', `/queueIntegration/${billing.id}/test`, { text: '529.982.247-25', restart: true })).body
        .messages.length,
    ).toBeGreaterThan(5)
    // Another company has none of these keys.
    const other = await office()
    const theirs = (await other.admin('POST', '/queueIntegration', samples.billing)).body
    const asked = await other.admin('POST', `/queueIntegration/${theirs.id}/test`, { text: '529.982.247-25' })
    expect(asked.body.failure.why).toBe('settings')
  })
})
