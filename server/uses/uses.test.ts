import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { fileLists } from '../../schema/files/files.table.ts'
import { flowCampaigns, flowDefaults, flowNodes, flows, flowVersions } from '../../schema/flows/flows.table.ts'
import { newId } from '../../schema/ids.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { macros } from '../../schema/macros/macros.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { segments } from '../../schema/segments/segments.table.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { webhooks } from '../../schema/webhooks/webhooks.table.ts'
import type { Use } from '../../schema/uses/uses.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(() => t.close())

async function office() {
  const { db } = t.database
  const company = await t.eg.company({ plan: { useCampaigns: true, useOpenAi: true } })
  const companyId = company.id
  const admin = await t.login((await t.eg.user(companyId, { profile: 'admin' })).email)
  const ask = async (noun: string, id: number, token = admin) => {
    const { status, body } = await t.call('GET', `/uses/${noun}/${id}`, { token })
    const short = body.uses?.map(({ kind, name, becomes }: Use) => `${kind} ${name}: ${becomes}`)
    return { status, uses: short, others: body.others, isRefused: body.isRefused }
  }
  const remove = (path: string) => t.call('DELETE', path, { token: admin })
  const campaign = async (name: string, values: Partial<typeof campaigns.$inferInsert>) =>
    (
      await db
        .insert(campaigns)
        .values({ companyId, name, seed: 1, ...values })
        .returning()
    )[0]!
  const campaignNow = async (id: number) => (await db.select().from(campaigns).where(eq(campaigns.id, id)))[0]!
  /** One that only its draft names, and one that only what is published names. */
  const drawn = async (
    name: string,
    node: { type: string; data: Record<string, unknown> },
    where: 'draft' | 'live',
  ) => {
    const [flow] = await db.insert(flows).values({ companyId, name }).returning()
    const row = { node: 'n1', x: 0, y: 0, exits: {}, ...node }
    if (where === 'draft')
      await db.insert(flowNodes).values({ id: `${flow!.id}:n1`, companyId, flowId: flow!.id, ...row })
    else {
      const values = { companyId, flowId: flow!.id, number: 1, nodes: [row] }
      const [version] = await db.insert(flowVersions).values(values).returning()
      await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
    }
    return flow!
  }
  return { db, company, companyId, admin, ask, remove, campaign, campaignNow, drawn }
}

describe('before a deletion', () => {
  test('a queue tells of flows, drawn and published, campaigns, connections, assistants, segments and webhooks', async () => {
    const { db, companyId, ask, campaign, drawn } = await office()
    const queue = await t.eg.queue(companyId, { name: 'Financeiro' })
    const other = await t.eg.queue(companyId)
    await drawn('Boas-vindas', { type: 'ticket', data: { queueId: queue.id, message: '' } }, 'draft')
    await drawn('Horários', { type: 'hours', data: { of: 'queue', queueId: queue.id } }, 'live')
    const rule = { of: 'ticket', key: 'queue', operator: 'equals', value: 'Financeiro' }
    await drawn('Pergunta', { type: 'condition', data: { mode: 'rules', rules: [rule], cases: [] } }, 'live')
    await drawn('Sem nada', { type: 'ticket', data: { queueId: other.id, message: '' } }, 'live')
    await campaign('Natal', { replyQueueId: queue.id, status: 'EM_ANDAMENTO' })
    await campaign('Páscoa', { replyQueueId: queue.id, status: 'FINALIZADA' })
    await t.eg.whatsapp(companyId, { name: 'Loja', queueIds: [queue.id] })
    await t.eg.whatsapp(companyId, { name: 'Matriz', transferQueueId: queue.id })
    await db.insert(prompts).values({ companyId, name: 'Vera', prompt: 'x', apiKey: 'x', queueId: queue.id })
    const rules = [{ kind: 'queue' as const, queueId: queue.id }]
    await db.insert(segments).values({ companyId, name: 'Devedores', match: 'all', rules })
    await db
      .insert(webhooks)
      .values({ companyId, url: 'https://a.example/', events: ['ticket.created'], queueIds: [queue.id], secret: 'x' })
    expect(await ask('queue', queue.id)).toEqual({
      status: 200,
      uses: [
        'flow Boas-vindas: flowLeavesToPeople',
        'flow Horários: flowLeavesToPeople',
        'flow Pergunta: flowLeavesToPeople',
        'campaign Natal: repliesWithoutQueue',
        'segment Devedores: ruleFindsNobody',
        'connection Loja: connectionWithoutQueue',
        'connection Matriz: connectionWithoutQueue',
        'assistant Vera: assistantWithoutQueue',
        'webhook https://a.example/: webhookWithoutQueue',
      ],
      ...{ others: 0, isRefused: false },
    })
  })

  test('an assistant tells of flows, connections and queues; a person of flows, schedules and quick messages', async () => {
    const { db, companyId, ask, drawn } = await office()
    const [prompt] = await db.insert(prompts).values({ companyId, name: 'Vera', prompt: 'x', apiKey: 'x' }).returning()
    const promptId = prompt!.id
    await drawn('Dúvidas', { type: 'ai', data: { promptId } }, 'live')
    await t.eg.whatsapp(companyId, { name: 'Loja', promptId })
    await t.eg.queue(companyId, { name: 'Suporte', promptId })
    expect((await ask('prompt', promptId)).uses).toEqual([
      'flow Dúvidas: flowTakesErrorWay',
      'connection Loja: withoutAssistant',
      'queue Suporte: withoutAssistant',
    ])
    const person = await t.eg.user(companyId)
    const contact = await t.eg.contact(companyId, { name: 'Ana' })
    await drawn('Chamar', { type: 'agent', data: { userId: person.id, message: '' } }, 'draft')
    const sendAt = new Date('2030-01-01')
    const schedule = { companyId, contactId: contact.id, userId: person.id, body: 'Olá', sendAt }
    await db.insert(schedules).values([
      { id: newId(), ...schedule },
      { id: newId(), ...schedule, status: 'ENVIADA' },
    ])
    await db.insert(quickMessages).values({ companyId, userId: person.id, shortcode: 'oi', message: 'Oi' })
    expect((await ask('user', person.id)).uses).toEqual([
      'flow Chamar: flowLeavesToPeople',
      'schedule Ana: scheduleFails',
      'quickMessage oi: withoutOwner',
    ])
  })

  test('an integration tells of the flows with its block, of connections and queues', async () => {
    const { db, companyId, ask, drawn } = await office()
    const kept = { companyId, type: 'typebot', projectName: 'x' } as const
    const [used] = await db
      .insert(integrations)
      .values({ ...kept, name: 'Cardápio' })
      .returning()
    const [unused] = await db
      .insert(integrations)
      .values({ ...kept, name: 'Outro' })
      .returning()
    const integrationId = used!.id
    await drawn('Pedidos', { type: 'typebot', data: { integrationId, timeoutSeconds: 0 } }, 'draft')
    await drawn('Dúvidas', { type: 'typebot', data: { integrationId, timeoutSeconds: 0 } }, 'live')
    await t.eg.whatsapp(companyId, { name: 'Loja', integrationId })
    await t.eg.queue(companyId, { name: 'Suporte', integrationId })
    expect((await ask('integration', integrationId)).uses).toEqual([
      'flow Dúvidas: flowTakesErrorWay',
      'flow Pedidos: flowTakesErrorWay',
      'connection Loja: withoutIntegration',
      'queue Suporte: withoutIntegration',
    ])
    expect((await ask('integration', unused!.id)).uses).toEqual([])
  })

  test('a segment tells of the campaigns that gather their people by it, and whose plan has no campaigns is told nothing', async () => {
    const { db, company, companyId, ask, campaign } = await office()
    const rules = [{ kind: 'tag' as const, tagId: (await t.eg.tag(companyId)).id }]
    const made = (name: string) => ({ companyId, name, match: 'all' as const, rules })
    const [used, other] = await db
      .insert(segments)
      .values([made('Clientes'), made('Outros')])
      .returning()
    const segmentIds = [other!.id, used!.id]
    await campaign('Agora', { segmentIds, status: 'EM_ANDAMENTO' })
    await campaign('Antes', { segmentIds, status: 'FINALIZADA' })
    await campaign('Depois', { segmentIds, status: 'PROGRAMADA', scheduledAt: new Date('2030-01-01') })
    await campaign('Já', { segmentIds, status: 'EM_ANDAMENTO', plannedAt: new Date('2026-11-20') })
    await campaign('Sem', { segmentIds: [other!.id] })
    const told = {
      uses: [
        'campaign Agora: campaignWithoutPeople',
        'campaign Depois: campaignWithoutPeople',
        'campaign Já: campaignGoesOn',
      ],
      ...{ status: 200, others: 0, isRefused: false },
    }
    expect(await ask('segment', used!.id)).toEqual(told)
    const agent = await t.login((await t.eg.user(companyId)).email)
    expect((await ask('segment', used!.id, agent)).status).toBe(403)
    await db.update(plans).set({ useCampaigns: false }).where(eq(plans.id, company.planId!))
    expect((await ask('segment', used!.id)).uses).toBeUndefined()
  })

  test('a flow tells of phrases, defaults, integrations and where they answer, and of flows that lead to it', async () => {
    const { db, companyId, ask, remove, drawn } = await office()
    const flow = await drawn('Boas-vindas', { type: 'message', data: { text: 'Oi' } }, 'live')
    const flowId = flow.id
    const itself = { ...{ companyId, flowId, id: `${flowId}:n2`, node: 'n2', type: 'flow' }, data: { flowId } }
    await db.insert(flowNodes).values({ ...itself, ...{ x: 0, y: 0, exits: {} } })
    await drawn('Menu', { type: 'flow', data: { flowId } }, 'live')
    await drawn('Rascunho', { type: 'flow', data: { flowId } }, 'draft')
    await db.insert(flowCampaigns).values({ companyId, name: 'Promo', flowId, phrase: 'Oi', phraseKey: 'oi' })
    await db.insert(flowDefaults).values({ companyId, flowIdWelcome: flowId, flowIdNotPhrase: flowId })
    const [robot] = await db
      .insert(integrations)
      .values({ companyId, type: 'flowbuilder', name: 'Robô', flowId })
      .returning()
    await t.eg.whatsapp(companyId, { name: 'Loja', integrationId: robot!.id })
    await t.eg.queue(companyId, { name: 'Suporte', integrationId: robot!.id })
    expect((await ask('flow', flowId)).uses).toEqual([
      'flow Menu: flowStops',
      'flow Rascunho: flowStops',
      'firstFlow : beginsNoFlow',
      'defaultFlow : beginsNoFlow',
      'phrase Promo: goesToo',
      'integration Robô: beginsNoFlow',
      'connection Loja: beginsNoFlow',
      'queue Suporte: beginsNoFlow',
    ])
    expect((await remove(`/flowbuilder/${flowId}`)).status).toBe(200)
    expect(await db.$count(flowCampaigns, eq(flowCampaigns.companyId, companyId))).toBe(0)
    expect(await db.select().from(flowDefaults).where(eq(flowDefaults.companyId, companyId))).toMatchObject([
      { flowIdWelcome: null, flowIdNotPhrase: null },
    ])
    expect(await db.select().from(integrations).where(eq(integrations.id, robot!.id))).toMatchObject([{ flowId: null }])
  })

  test('a connection tells of campaigns, phrases, schedules, people, queues and templates, and that is what becomes of them', async () => {
    const { db, companyId, ask, remove, campaign, campaignNow, drawn } = await office()
    const queue = await t.eg.queue(companyId, { name: 'Vendas' })
    const line = await t.eg.whatsapp(companyId, { name: 'Loja', queueIds: [queue.id] })
    const other = await t.eg.whatsapp(companyId, { name: 'Matriz' })
    const whatsappId = line.id
    const runs = await campaign('Já', { whatsappId, status: 'EM_ANDAMENTO' })
    await campaign('Antes', { whatsappId, status: 'FINALIZADA' })
    await campaign('Depois', { whatsappId, status: 'PROGRAMADA', scheduledAt: new Date('2030-01-01') })
    await campaign('Ideia', { whatsappId })
    await campaign('Outra', { whatsappId: other.id, status: 'EM_ANDAMENTO' })
    const flow = await drawn('Menu', { type: 'message', data: { text: 'Oi' } }, 'live')
    const phrase = { companyId, flowId: flow.id, phrase: 'Oi', phraseKey: 'oi' }
    await db.insert(flowCampaigns).values([
      { ...phrase, name: 'Promo', whatsappId },
      { ...phrase, name: 'Em todas' },
    ])
    const person = await t.eg.user(companyId, { name: 'Bia', whatsappId })
    const contact = await t.eg.contact(companyId, { name: 'Ana' })
    const schedule = { companyId, contactId: contact.id, userId: person.id, body: 'Olá', whatsappId }
    await db.insert(schedules).values([
      { id: newId(), ...schedule, sendAt: new Date('2030-01-01') },
      { id: newId(), ...schedule, sendAt: new Date('2026-01-01'), status: 'ENVIADA' },
    ])
    const category = { category: 'UTILITY', confirmedCategory: 'UTILITY', status: 'APPROVED' }
    const parts = { header: null, body: 'Oi', footer: null, buttons: [] } as never
    await db
      .insert(templates)
      .values({ ...{ companyId, whatsappId, metaId: '1', name: 'pedido', language: 'pt_BR', parts }, ...category })
    expect((await ask('connection', whatsappId)).uses).toEqual([
      'campaign Depois: campaignEndsUnsent',
      'campaign Ideia: campaignWithoutConnection',
      'campaign Já: campaignEnds',
      'phrase Promo: goesToo',
      'schedule Ana: scheduleByDefault',
      'user Bia: userWithoutConnection',
      'queue Vendas: queueNotOffered',
      'template pedido: templateForgotten',
    ])
    expect((await remove(`/whatsapp/${whatsappId}`)).status).toBe(200)
    expect(await campaignNow(runs.id)).toMatchObject({ whatsappId: null })
    const left = await db.select().from(flowCampaigns).where(eq(flowCampaigns.companyId, companyId))
    expect(left.map(({ name }) => name)).toEqual(['Em todas'])
    expect(await db.select().from(users).where(eq(users.id, person.id))).toMatchObject([{ whatsappId: null }])
    expect(await db.select().from(schedules).where(eq(schedules.userId, person.id))).toMatchObject([
      { whatsappId: null },
      { whatsappId: null },
    ])
    expect(await db.$count(templates, eq(templates.companyId, companyId))).toBe(0)
    expect(await db.select().from(whatsapps).where(eq(whatsapps.companyId, companyId))).toHaveLength(1)
  })

  test('who may delete and not see the places is told how many there are; who may not delete is told nothing', async () => {
    const { db, companyId, campaign, ask, drawn } = await office()
    const tag = await t.eg.tag(companyId, { name: 'VIP' })
    await drawn('Marcar', { type: 'tag', data: { tagId: tag.id, action: 'add' } }, 'live')
    await campaign('Natal', { tagListId: tag.id })
    const agent = await t.login((await t.eg.user(companyId)).email)
    expect(await ask('tag', tag.id, agent)).toEqual({ status: 200, uses: [], others: 2, isRefused: false })
    expect((await ask('tag', tag.id)).uses).toEqual(['flow Marcar: flowGoesPast', 'campaign Natal: campaignWithout'])
    const queue = await t.eg.queue(companyId)
    expect((await ask('queue', queue.id, agent)).status).toBe(403)
    const [role] = await db
      .insert(roles)
      .values({ companyId, name: 'Filas', permissions: ['queues:write'], ticketScope: 'queues' })
      .returning()
    const keeper = await t.login((await t.eg.user(companyId, { roleId: role!.id })).email)
    await drawn('Fila', { type: 'ticket', data: { queueId: queue.id, message: '' } }, 'live')
    expect(await ask('queue', queue.id, keeper)).toEqual({ status: 200, uses: [], others: 1, isRefused: false })
  })
})

test('a queue, a tag and a person tell of the macros that name them, and a queue goes off those that are shared with it', async () => {
  const { db, companyId, ask, remove } = await office()
  const queue = await t.eg.queue(companyId)
  const tag = await t.eg.tag(companyId)
  const user = await t.eg.user(companyId)
  const [first] = await db
    .insert(macros)
    .values([
      {
        ...{ companyId, name: 'Passar', sharing: 'queues', queueIds: [queue.id] },
        actions: [
          { type: 'tag', add: [tag.id], remove: [] },
          { type: 'queue', queueId: queue.id },
          { type: 'assign', to: user.id },
        ],
      },
      // What is a person's own nobody else reads of.
      { companyId, name: 'Meu', userId: user.id, actions: [{ type: 'queue', queueId: queue.id }] },
      { companyId, name: 'Outro', sharing: 'company', actions: [{ type: 'assign', to: 'me' }] },
    ])
    .returning({ id: macros.id })
  for (const [noun, id] of [
    ['queue', queue.id],
    ['tag', tag.id],
    ['user', user.id],
  ] as const)
    expect([noun, (await ask(noun, id)).uses]).toEqual([noun, ['macro Passar: macroRefuses']])
  expect((await remove(`/queue/${queue.id}`)).status).toBe(200)
  const [left] = await db.select().from(macros).where(eq(macros.id, first!.id))
  expect([left!.sharing, left!.queueIds]).toEqual(['queues', []])
})

describe('a deletion', () => {
  const planned = { status: 'EM_ANDAMENTO', plannedAt: new Date('2026-11-20') } as const
  const scheduled = { status: 'PROGRAMADA', scheduledAt: new Date('2030-01-01') } as const

  test('of a contact list: what is scheduled waits for somebody, what runs goes on, what gathers people refuses it', async () => {
    const { db, companyId, ask, remove, campaign, campaignNow } = await office()
    const [list] = await db.insert(contactLists).values({ companyId, name: 'Clientes' }).returning()
    const contactListId = list!.id
    const [later, runs] = [
      await campaign('Depois', { contactListId, ...scheduled }),
      await campaign('Já', { contactListId, ...planned }),
    ]
    const gathering = await campaign('Agora', { contactListId, status: 'PAUSADA' })
    expect((await ask('contactList', contactListId)).isRefused).toBe(true)
    expect((await remove(`/contact-lists/${contactListId}`)).body.error).toBe('ERR_CONTACT_LIST_IN_USE')
    expect(await campaignNow(later.id)).toMatchObject({ contactListId, status: 'PROGRAMADA' })
    await db.delete(campaigns).where(eq(campaigns.id, gathering.id))
    expect((await ask('contactList', contactListId)).uses).toEqual([
      'campaign Depois: campaignUnscheduled',
      'campaign Já: campaignGoesOn',
    ])
    expect((await remove(`/contact-lists/${contactListId}`)).status).toBe(200)
    expect(await campaignNow(later.id)).toMatchObject({ contactListId: null, status: 'INATIVA', scheduledAt: null })
    expect(await campaignNow(runs.id)).toMatchObject({ contactListId: null, status: 'EM_ANDAMENTO' })
  })

  test('of a file list: a campaign that is at work keeps it; others send no ghost of it', async () => {
    const { db, companyId, remove, campaign, campaignNow } = await office()
    const [list] = await db.insert(fileLists).values({ companyId, name: 'Catálogo', message: 'x' }).returning()
    const fileListId = list!.id
    const runs = await campaign('Já', { fileListId, ...planned })
    const later = await campaign('Depois', { fileListId, ...scheduled })
    expect((await remove(`/files/${fileListId}`)).body.error).toBe('ERR_FILE_LIST_IN_USE')
    await db.update(campaigns).set({ status: 'CANCELADA' }).where(eq(campaigns.id, runs.id))
    expect((await remove(`/files/${fileListId}`)).status).toBe(200)
    expect(await campaignNow(runs.id)).toMatchObject({ fileListId: null, status: 'CANCELADA' })
    expect(await campaignNow(later.id)).toMatchObject({ fileListId: null, status: 'INATIVA', scheduledAt: null })
  })

  test('of a tag, also by a program: what is scheduled waits, what gathers people refuses it', async () => {
    const { db, companyId, remove, campaign, campaignNow } = await office()
    const tag = await t.eg.tag(companyId)
    const later = await campaign('Depois', { tagListId: tag.id, ...scheduled })
    const gathering = await campaign('Agora', { tagListId: tag.id, status: 'EM_ANDAMENTO' })
    expect((await remove(`/tags/${tag.id}`)).body.error).toBe('ERR_TAG_IN_USE')
    await db.update(campaigns).set(planned).where(eq(campaigns.id, gathering.id))
    expect((await remove(`/tags/${tag.id}`)).status).toBe(200)
    expect(await campaignNow(later.id)).toMatchObject({ tagListId: null, status: 'INATIVA' })
    expect(await campaignNow(gathering.id)).toMatchObject({ tagListId: null, status: 'EM_ANDAMENTO' })
  })

  test('of a queue: campaigns go on, and a webhook of it alone is not told of all others', async () => {
    const { db, companyId, remove, campaign, campaignNow } = await office()
    const queue = await t.eg.queue(companyId)
    const other = await t.eg.queue(companyId)
    const runs = await campaign('Já', { replyQueueId: queue.id, ...planned })
    const hook = (queueIds: number[]) => ({
      ...{ companyId, url: 'https://a.example/', events: ['ticket.created' as const], queueIds, secret: 'x' },
    })
    await db.insert(webhooks).values([hook([queue.id]), hook([queue.id, other.id]), hook([])])
    expect((await remove(`/queue/${queue.id}`)).status).toBe(200)
    expect(await campaignNow(runs.id)).toMatchObject({ replyQueueId: null, status: 'EM_ANDAMENTO' })
    const left = await db.select().from(webhooks).where(eq(webhooks.companyId, companyId)).orderBy(webhooks.id)
    expect(left.map(({ queueIds, active }) => [queueIds, active])).toEqual([
      [[], false],
      [[other.id], true],
      [[], true],
    ])
  })
})
