import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { automationStates } from '../../schema/automation/automation.table.ts'
import type { FlowOperation } from '../../schema/flows/flows.edits.inputs.ts'
import { type FlowNode, newData, newGraph, newNode } from '../../schema/flows/flows.graph.ts'
import { flowFiles, flowNodes, flowRuns, flows } from '../../schema/flows/flows.table.ts'
import { type FlowRun, newRun } from '../../schema/flows/flows.run.ts'
import { newId } from '../../schema/ids.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { MASK } from '../../schema/secrets.ts'
import { PIXEL } from '../../tests/example-data.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { openSecrets } from './flow-secrets.queries.ts'
import { sweepFlowFiles } from './flows.sweep.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ maxUploadBytes: 30_000_000 })
})
afterAll(() => t.close())

/** A company's admin, and what they ask. */
async function office() {
  const company = await t.eg.company()
  const queue = await t.eg.queue(company.id)
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const token = await t.login(admin.email)
  const ask = (method: string, path: string, body?: unknown) => t.call(method, path, { token, body })
  const edit = (flowId: number, operations: FlowOperation[]) =>
    ask('POST', '/commands', { id: newId(), name: 'flows.edit', input: { flowId, operations } })
  const make = async (name: string, nodes?: FlowNode[]) =>
    (await ask('POST', '/flowbuilder', { name, nodes })).body as { id: number }
  return { company, queue, admin, token, ask, edit, make }
}
type Office = Awaited<ReturnType<typeof office>>

const message = (id: string, text: string, exits: Record<string, string> = {}): FlowNode =>
  ({ ...newNode('message', id, 300, 0), data: { text }, exits }) as FlowNode
const start = (to: string): FlowNode => ({ ...newGraph().nodes[0]!, exits: { a: to } }) as FlowNode
const putting = ({ id, type, x, y, data, exits }: FlowNode, rev = 0): FlowOperation => ({
  op: 'put',
  node: id,
  rev,
  type,
  x,
  y,
  data,
  exits,
})
const draft = (flowId: number) => t.database.db.select().from(flowNodes).where(eq(flowNodes.flowId, flowId))
const versionIdOf = async (flowId: number) =>
  (await t.database.db.select().from(flows).where(eq(flows.id, flowId)))[0]!.versionId

test('a flow begins with its start alone, has a name of its own, and is renamed, switched off and deleted', async () => {
  const { ask, make } = await office()
  const { id } = await make('Boas-vindas')
  expect((await draft(id)).map(({ node, type }) => [node, type])).toEqual([['1', 'start']])
  const other = await make('Pedidos')
  for (const reply of [
    await ask('POST', '/flowbuilder', { name: ' Boas-vindas ' }),
    await ask('PUT', '/flowbuilder', { flowId: other.id, name: 'Boas-vindas' }),
  ])
    expect([reply.status, reply.body]).toEqual([402, 'exist'])
  expect((await ask('PUT', '/flowbuilder', { flowId: id, name: 'Olá', active: false })).body).toMatchObject({
    name: 'Olá',
    active: false,
  })
  const { body } = await ask('GET', '/flowbuilder?searchParam=ola')
  expect([body.flows.map(({ name }: { name: string }) => name), body.hasMore]).toEqual([['Olá'], false])
  expect((await ask('DELETE', `/flowbuilder/${id}`)).status).toBe(200)
  expect((await ask('DELETE', `/flowbuilder/${id}`)).body.error).toBe('ERR_NO_FLOW_FOUND')
  for (const name of ['x', 'x'.repeat(51)]) expect((await ask('POST', '/flowbuilder', { name })).status).toBe(400)
})

test('a draft is edited node by node, up to a thousand of them', async () => {
  const { ask, edit, make } = await office()
  const { id } = await make('Grande')
  const many = Array.from({ length: 1_000 }, (_, i) => message(`m${i}`, `${i}`))
  for (let at = 0; at < 900; at += 300)
    expect(
      (
        await edit(
          id,
          many.slice(at, at + 300).map((node) => putting(node)),
        )
      ).status,
    ).toBe(200)
  expect(
    (
      await edit(
        id,
        many.slice(900).map((node) => putting(node)),
      )
    ).body.error,
  ).toBe('ERR_FLOW_SIZE')
  expect(
    (
      await edit(
        id,
        many.slice(900, 999).map((node) => putting(node)),
      )
    ).status,
  ).toBe(200)
  expect(await draft(id)).toHaveLength(1_000)
  expect(
    (
      await edit(
        id,
        Array.from({ length: 301 }, () => ({ op: 'move', node: 'm1', x: 1, y: 1 }) as const),
      )
    ).status,
  ).toBe(400)
  const seen = (await draft(id)).find(({ node }) => node === 'm1')!.rev
  await edit(id, [putting(message('m1', 'da Ana'), seen)])
  const { body } = await edit(id, [putting(message('m1', 'do Rui'), seen), { op: 'remove', node: 'm2', rev: 1 }])
  expect(body.result.stale.sort()).toEqual(['m1', 'm2'])
  expect((await ask('POST', '/flowbuilder/duplicate', { flowId: id })).body.name).toBe('Grande (cópia)')
  expect((await ask('POST', '/flowbuilder/duplicate', { flowId: id })).body.name).toBe('Grande (cópia) 2')
}, 60_000)

test('[FL42] a block that names no typebot of the company is not published: one chosen, of that type, and not another’s', async () => {
  const { ask, make, company } = await office()
  const { db } = t.database
  const made = async (companyId: number, type: 'typebot' | 'webhook') => {
    const [row] = await db
      .insert(integrations)
      .values({ companyId, type, name: type, projectName: type })
      .returning({ id: integrations.id })
    return row!.id
  }
  const own = await made(company.id, 'typebot')
  const hook = await made(company.id, 'webhook')
  const stranger = await made((await t.eg.company()).id, 'typebot')
  const publishing = async (integrationId: number | null) => {
    const bot = { ...newNode('typebot', 'b1', 300, 0), data: { integrationId, timeoutSeconds: 0 } } as FlowNode
    const { id } = await make(`Bot ${integrationId}`, [start('b1'), bot])
    const { body } = await ask('POST', `/flowbuilder/${id}/publish`)
    return body.problems.filter(({ severity }: { severity: string }) => severity === 'error')
  }
  for (const wrong of [null, hook, stranger, 999_999])
    expect(await publishing(wrong)).toMatchObject([{ code: 'typebotMissing', nodeId: 'b1' }])
  expect(await publishing(own)).toEqual([])
})

test('publishing refuses what is wrong, freezes the rest, and a version comes back as draft or as the next version', async () => {
  const { ask, edit, make, queue } = await office()
  const toQueue = { ...newNode('ticket', 'q1', 600, 0), data: { queueId: queue.id, message: '' } } as FlowNode
  const { id } = await make('Padaria', [start('m1'), message('m1', '', { a: 'q1' }), toQueue])
  const refused = await ask('POST', `/flowbuilder/${id}/publish`)
  expect([refused.status, refused.body.error]).toEqual([400, 'ERR_FLOW_PROBLEMS'])
  expect(refused.body.problems).toMatchObject([{ code: 'textEmpty', nodeId: 'm1' }])
  expect(await versionIdOf(id)).toBeNull()

  const rev = async (node: string) => (await draft(id)).find((row) => row.node === node)!.rev
  await edit(id, [putting(message('m1', 'Bom dia', { a: 'q1', gone: 'm9' }), await rev('m1'))])
  const first = await ask('POST', `/flowbuilder/${id}/publish`, { note: 'primeira' })
  expect(first.body).toMatchObject({ version: { number: 1, note: 'primeira' } })
  expect(await versionIdOf(id)).toBe(first.body.version.id)

  await edit(id, [putting(message('m1', 'Boa tarde', { a: 'q1' }), await rev('m1'))])
  await edit(id, [putting(message('m2', 'solta'))])
  const frozen = (await ask('GET', `/flowbuilder/${id}/versions/${first.body.version.id}`)).body
  const said = frozen.nodes.find(({ node }: { node: string }) => node === 'm1')
  expect([said.data.text, said.exits]).toEqual(['Bom dia', { a: 'q1' }])
  const second = await ask('POST', `/flowbuilder/${id}/publish`)
  expect(second.body).toMatchObject({
    version: { number: 2 },
    problems: [
      { code: 'unconnected', nodeId: 'm2' },
      { code: 'unreachable', nodeId: 'm2' },
    ],
  })

  const back = `/flowbuilder/${id}/versions/${first.body.version.id}/restore`
  expect((await ask('POST', back)).body.version).toBeNull()
  expect((await draft(id)).map(({ node, data }) => [node, data['text']]).sort()).toEqual([
    ['1', undefined],
    ['m1', 'Bom dia'],
    ['q1', undefined],
  ])
  expect(await versionIdOf(id)).toBe(second.body.version.id)
  // Published again it is what contacts meet; what is being drawn meanwhile stays.
  await edit(id, [putting(message('m3', 'ainda não'))])
  expect((await ask('POST', back, { publish: true })).body.version.number).toBe(3)
  expect((await draft(id)).map(({ node }) => node).sort()).toEqual(['1', 'm1', 'm3', 'q1'])
  const page = async (query: string) => {
    const { records, nextCursor } = (await ask('GET', `/flowbuilder/${id}/versions?${query}`)).body
    return [
      records.map(({ number, nodeCount }: { number: number; nodeCount: number }) => [number, nodeCount]),
      nextCursor,
    ]
  }
  const all = [
    [3, 3],
    [2, 4],
    [1, 3],
  ]
  expect(await page('')).toEqual([all, null])
  expect(await page('limit=2')).toEqual([all.slice(0, 2), '2'])
  expect(await page('limit=2&cursor=2')).toEqual([all.slice(2), null])
})

test('other programs of the family read and write a flow in their form, and their save is live where nothing is wrong', async () => {
  const { ask, make } = await office()
  const { id } = await make('Deles')
  const read = async () => (await ask('GET', `/flowbuilder/flow/${id}`)).body.flow
  expect(await read()).toMatchObject({ id, name: 'Deles', active: true, flow: null })
  const nodes = [
    { id: '1', type: 'start', position: { x: 0, y: 0 }, data: { label: 'Início do fluxo' } },
    { id: 'a'.repeat(30), type: 'message', position: { x: 300, y: 0 }, data: { label: 'Olá {nome}' } },
  ]
  const connections = [{ id: 'x', source: '1', sourceHandle: 'a', target: 'a'.repeat(30), targetHandle: null }]
  const saved = await ask('POST', '/flowbuilder/flow', { idFlow: id, nodes, connections })
  expect(saved.body).toMatchObject({ version: { number: 1 } })
  expect(await versionIdOf(id)).toBe(saved.body.version.id)
  const again = (await read()).flow
  expect(again.nodes.map(({ id: node, data }: { id: string; data: unknown }) => [node, data])).toEqual([
    ['1', { label: 'Início do fluxo' }],
    ['a'.repeat(30), { label: 'Olá {nome}' }],
  ])
  expect(again.connections).toMatchObject([{ source: '1', sourceHandle: 'a', target: 'a'.repeat(30) }])
  const broken = [...nodes, { id: 'z', type: 'ticket', position: { x: 600, y: 0 }, data: {} }]
  const kept = await ask('POST', '/flowbuilder/flow', { idFlow: id, nodes: broken, connections })
  expect([kept.status, kept.body.version]).toEqual([200, null])
  expect(await draft(id)).toHaveLength(3)
  expect(await versionIdOf(id)).toBe(saved.body.version.id)
  expect(
    (await ask('POST', '/flowbuilder/flow', { idFlow: id, nodes: [1, null], connections: [] })).status,
  ).toBeLessThan(500)
})

test('a misspelt name is told when a flow is published; what other flows and contacts fill in is known', async () => {
  const { ask, make, company } = await office()
  const question = {
    ...newNode('question', 'q1', 300, 0),
    data: { ...newData('question'), message: 'Qual?', saveAs: 'Pedido' },
  } as FlowNode
  await make('Que chama', [start('q1'), question])
  await t.eg.contact(company.id, { extraInfo: [{ id: newId(), name: 'Bairro', value: 'Centro' }] })
  await ask('POST', '/custom-fields', { entity: 'ticket', type: 'text', name: 'Motivo' })
  const stranger = await office()
  await t.eg.contact(stranger.company.id, { extraInfo: [{ id: newId(), name: 'predido', value: '1' }] })
  const { id } = await make('Chamado', [
    start('m1'),
    message('m1', '{{pedido}} {{bairro}} {{name}} {{field.motivo}} {{predido}}'),
  ])
  const known = (await ask('GET', `/flowbuilder/${id}/known`)).body
  expect(known.variables.toSorted()).toEqual(['Bairro', 'Pedido', 'Pedido_id', 'Pedido_iso', 'field.motivo'])
  const published = await ask('POST', `/flowbuilder/${id}/publish`)
  expect(published.body.problems.filter(({ code }: { code: string }) => code !== 'unconnected')).toEqual([
    { code: 'variableUnknown', severity: 'warning', nodeId: 'm1', name: 'predido' },
  ])
})

test('a secret is kept under a name, replaced and never shown; only then is a flow that names it published', async () => {
  const { ask, make, company } = await office()
  const call = {
    ...newNode('http', 'c1', 300, 0),
    data: { ...newData('http'), url: 'https://api.example.test/', headers: [{ name: 'x', value: '{{secret:api}}' }] },
  } as FlowNode
  const { id } = await make('Consulta', [start('c1'), call])
  const publish = () => ask('POST', `/flowbuilder/${id}/publish`)
  const { problems } = (await publish()).body
  expect(problems).toContainEqual({ code: 'secretUnknown', severity: 'error', nodeId: 'c1', name: 'api' })
  expect((await ask('POST', '/flowsecret', { name: 'a b', value: 'abcd' })).status).toBe(400)
  expect((await ask('POST', '/flowsecret', { name: 'api', value: 'com\nquebra' })).status).toBe(400)
  const made = await ask('POST', '/flowsecret', { name: 'api', value: 'sk-primeiro', hosts: ['api.test'] })
  expect(made.body).toEqual({ id: made.body.id, name: 'api' })
  expect((await ask('POST', '/flowsecret', { name: 'api', value: 'sk-outro' })).body.error).toBe(
    'ERR_FLOW_SECRET_ALREADY_EXISTS',
  )
  expect((await ask('GET', `/flowbuilder/${id}/known`)).body).toMatchObject({ secrets: ['api'], filesGone: [] })
  expect((await publish()).body.version.number).toBe(1)
  const listed = await ask('GET', '/flowsecret')
  expect(listed.body.secrets).toMatchObject([{ id: made.body.id, name: 'api', flows: ['Consulta'] }])
  expect(JSON.stringify(listed.body)).not.toContain('sk-')
  const inClear = async () => [
    ...(await openSecrets(t.deps.db, t.deps.sealer, company.id, ['api', 'x'], 'api.test')).entries(),
  ]
  expect(await inClear()).toEqual([['api', 'sk-primeiro']])
  const replaced = await ask('PUT', `/flowsecret/${made.body.id}`, { value: 'sk-segundo' })
  expect([replaced.body, await inClear()]).toEqual([{ id: made.body.id, name: 'api' }, [['api', 'sk-segundo']]])
  // Neither the draft nor what goes out of it knows more than the name.
  const out = [await ask('GET', `/flowbuilder/flow/${id}`), await ask('GET', `/flowbuilder/${id}/versions`)]
  expect(JSON.stringify(out.map(({ body }) => body as unknown))).not.toContain('sk-')
  expect((await ask('DELETE', `/flowsecret/${made.body.id}`)).status).toBe(200)
  expect((await publish()).body.error).toBe('ERR_FLOW_PROBLEMS')
})

test('counts say how often a node was reached and left, and who waits there', async () => {
  const { ask, make, company } = await office()
  const { id } = await make('Contado', [start('m1'), message('m1', 'Oi')])
  const { version } = (await ask('POST', `/flowbuilder/${id}/publish`)).body
  const contact = await t.eg.contact(company.id)
  const whatsapp = await t.eg.whatsapp(company.id)
  const ticket = await t.eg.ticket(company.id, { contactId: contact.id, whatsappId: whatsapp.id })
  await t.database.sql`INSERT INTO flow_counts ("companyId", "flowId", "node", "day", "reached", "left")
    VALUES (${company.id}, ${id}, 'm1', '2026-01-10', 3, 1), (${company.id}, ${id}, 'm1', '2026-02-10', 4, 0)`
  await t.database.db.insert(flowRuns).values({
    id: newId(),
    companyId: company.id,
    flowId: id,
    versionId: version.id,
    ticketId: ticket.id,
    contactId: contact.id,
    whatsappId: whatsapp.id,
    run: { node: 'm1' },
  })
  expect((await ask('GET', `/flowbuilder/${id}/counts`)).body).toEqual({
    nodes: { m1: { reached: 7, left: 1, waiting: 1 } },
    waiting: 1,
  })
  const january = await ask('GET', `/flowbuilder/${id}/counts?from=2026-01-01&to=2026-01-31`)
  expect(january.body.nodes).toEqual({ m1: { reached: 3, left: 1, waiting: 1 } })
  expect((await ask('GET', `/flowbuilder/${id}/counts?from=2026-02-31`)).status).toBe(400)
})

/** A file of so many bytes that begins as its kind does. */
const mp4 = (bytes: number) => {
  const made = Buffer.alloc(bytes)
  made.write('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1')
  return new File([made], 'filme.mp4', { type: 'video/mp4' })
}
const ogg = (bytes: number) => {
  const made = Buffer.alloc(bytes)
  made.write('OggS\0\x02', 'latin1')
  made.write('OpusHead', 28, 'latin1')
  return new File([made], 'voz.opus', { type: 'audio/ogg' })
}
const png = (bytes: number) => {
  const made = Buffer.alloc(bytes)
  PIXEL.copy(made)
  return new File([made], 'Bolo de açaí.png', { type: 'image/png' })
}
const paperOf = (name: string, bytes: string, type: string) => new File([bytes], name, { type })
const upload = ({ token }: Office, path: string, files: File[]) => {
  const form = new FormData()
  form.set('fromMe', 'true')
  for (const file of files) form.append('medias', file)
  return t.call('POST', path, { token, form })
}

test('pictures up to 2 MB, sounds up to 5 and films up to 20 are taken, by what is in them, and shown to who draws', async () => {
  const here = await office()
  const picture = await upload(here, '/flowbuilder/img', [png(2_000_000)])
  expect(picture.body.name).toMatch(/^[0-9a-f]{12}-Bolo_de_acai\.png$/)
  expect((await upload(here, '/flowbuilder/img', [png(2_000_001)])).body).toMatchObject({
    error: 'ERR_FILE_TOO_LARGE',
    limit: 2_000_000,
  })
  expect((await upload(here, '/flowbuilder/audio', [ogg(5_000_000)])).status).toBe(200)
  expect((await upload(here, '/flowbuilder/audio', [ogg(5_000_001)])).status).toBe(413)
  expect((await upload(here, '/flowbuilder/audio', [mp4(5_000_001)])).status).toBe(200)
  expect((await upload(here, '/flowbuilder/content', [mp4(20_000_001)])).status).toBe(413)
  expect((await upload(here, '/flowbuilder/content', [png(100), ogg(100), mp4(100)])).body).toHaveLength(3)
  expect((await upload(here, '/flowbuilder/img', [mp4(100)])).body.error).toBe('ERR_FILE_TYPE')
  const disguised = new File(['<script>'], 'a.png', { type: 'image/png' })
  expect((await upload(here, '/flowbuilder/img', [disguised])).body.error).toBe('ERR_FILE_TYPE')
  expect((await upload(here, '/flowbuilder/img', [])).body.error).toBe('ERR_FILE_REQUIRED')
  expect((await here.ask('POST', '/flowbuilder/img', {})).body.error).toBe('ERR_FILE_REQUIRED')

  const address = `/public/${picture.body.name}`
  const shown = await here.ask('GET', address)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  const agent = await t.eg.user(here.company.id, { profile: 'supervisor' })
  expect((await t.call('GET', address, { token: await t.login(agent.email) })).status).toBe(404)
  expect((await (await office()).ask('GET', address)).status).toBe(404)
  const kept = await t.database.db.select().from(flowFiles).where(eq(flowFiles.companyId, here.company.id))
  expect(kept.every(({ mediaPath }) => mediaPath !== null)).toBe(true)
}, 60_000)

test('documents of the company are taken for flows by what is in them, and no page or program under their name', async () => {
  const here = await office()
  const pdf = '%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF'
  const taken = await upload(here, '/flowbuilder/content', [
    paperOf('Tabela de preços.pdf', pdf, 'application/pdf'),
    paperOf('lista.csv', 'a;b\n1;2', 'application/vnd.ms-excel'),
    paperOf('leia.txt', 'oi', 'text/plain'),
  ])
  expect(taken.body).toEqual([
    expect.stringMatching(/-Tabela_de_precos\.pdf$/),
    expect.stringMatching(/-lista\.csv$/),
    expect.stringMatching(/-leia\.txt$/),
  ])
  const kept = await t.database.db.select().from(flowFiles).where(eq(flowFiles.companyId, here.company.id))
  expect(kept.map(({ mediaMime }) => mediaMime).sort()).toEqual(['application/pdf', 'text/csv', 'text/plain'])
  for (const refused of [
    paperOf('pagina.html', '<script>', 'text/html'),
    paperOf('jogo.exe', 'MZ', 'application/octet-stream'),
    paperOf('outro.pdf', 'MZ não é um pdf', 'application/x-msdownload'),
    paperOf('grande.txt', 'x'.repeat(20_000_001), 'text/plain'),
  ])
    expect([refused.name, (await upload(here, '/flowbuilder/content', [refused])).status]).toEqual([
      refused.name,
      refused.size > 20_000_000 ? 413 : 415,
    ])
}, 60_000)

test('a file that no draft and no version names goes after a week, with its bytes', async () => {
  const here = await office()
  const { db } = t.database
  const names: string[] = []
  for (let i = 0; i < 5; i++) names.push((await upload(here, '/flowbuilder/img', [png(100 + i)])).body.name as string)
  const [drawn, published, said, sent, unused] = names as [string, string, string, string, string]
  const img = (id: string, file: string, exits = {}) =>
    ({ ...newNode('img', id, 0, 0), data: { file, name: file, caption: '' }, exits }) as FlowNode
  const block = {
    ...newNode('singleBlock', 'b', 0, 0),
    data: { elements: [{ id: 'e', kind: 'img', file: said, name: said, caption: '' }] },
  } as FlowNode
  block.exits = { a: 'k' }
  const paper = {
    ...newNode('document', 'k', 0, 0),
    data: { file: sent, name: sent, caption: '' },
  } as FlowNode
  const { id } = await here.make('Fotos', [start('p'), img('p', published, { a: 'b' }), block, paper])
  expect((await here.ask('POST', `/flowbuilder/${id}/publish`)).status).toBe(200)
  const rows = await draft(id)
  const gone = rows.filter(({ node }) => node !== '1').map(({ node, rev }) => ({ op: 'remove' as const, node, rev }))
  await here.edit(id, [...gone, putting(img('d', drawn))])
  const kept = async () =>
    (await db.select().from(flowFiles).where(eq(flowFiles.companyId, here.company.id))).map(({ name }) => name).sort()
  await sweepFlowFiles(db)
  expect(await kept()).toEqual(names.toSorted())
  const [file] = await db.select().from(flowFiles).where(eq(flowFiles.name, unused))
  await db
    .update(flowFiles)
    .set({ createdAt: new Date(Date.now() - 8 * 86_400_000) })
    .where(eq(flowFiles.companyId, here.company.id))
  expect(await sweepFlowFiles(db)).toBe(1)
  expect(await kept()).toEqual([drawn, published, said, sent].sort())
  const released = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.companyId, here.company.id), eq(jobs.kind, 'media.release')))
  expect(released.map(({ payload }) => payload)).toEqual([{ path: file!.mediaPath }])
})

test('a phrase begins a flow once for each connection, and goes with its flow, as default flows and integrations let go of it', async () => {
  const { ask, make, company } = await office()
  const whatsapp = await t.eg.whatsapp(company.id)
  const { id } = await make('Promoção')
  const made = await ask('POST', '/flowcampaign', { name: 'Natal', flowId: id, phrase: ' Quero  Panetone ' })
  expect(made.body).toMatchObject({ phrase: 'Quero  Panetone', status: true, whatsappId: null })
  const again = { name: 'Outra', flowId: id, phrase: 'quero  panetone' }
  expect((await ask('POST', '/flowcampaign', again)).body.error).toBe('ERR_FLOW_PHRASE_ALREADY_EXISTS')
  const elsewhere = await ask('POST', '/flowcampaign', { ...again, whatsappId: whatsapp.id })
  expect(elsewhere.status).toBe(200)
  const moved = { id: elsewhere.body.id, whatsappId: null }
  expect((await ask('PUT', '/flowcampaign', moved)).body.error).toBe('ERR_FLOW_PHRASE_ALREADY_EXISTS')
  expect((await ask('PUT', '/flowcampaign', { id: made.body.id, status: false })).body.status).toBe(false)
  expect((await ask('GET', `/flowcampaign/${made.body.id}`)).body).toMatchObject({
    name: 'Natal',
    flowId: id,
    status: false,
  })
  expect((await ask('GET', '/flowcampaign')).body.flow.map((row: { flowName: string }) => row.flowName)).toEqual([
    'Promoção',
    'Promoção',
  ])
  expect((await ask('DELETE', `/flowcampaign/${elsewhere.body.id}`)).status).toBe(200)

  expect((await ask('GET', '/flowdefault')).body).toEqual({ flow: null })
  const chosen = await ask('POST', '/flowdefault', { flowIdWelcome: id, flowIdPhrase: null })
  expect(chosen.body.flow).toMatchObject({ companyId: company.id, flowIdWelcome: id, flowIdNotPhrase: null })
  await ask('PUT', '/flowdefault', { flowIdWelcome: null, flowIdPhrase: id })
  await t.database.db.insert(integrations).values({ companyId: company.id, type: 'flowbuilder', name: 'x', flowId: id })
  const phrases = () => t.emitted.flatMap(({ name, action }) => (name === 'flowCampaign' ? [action] : []))
  expect(phrases()).toEqual(['create', 'create', 'update', 'delete'])
  t.emitted.length = 0
  await ask('DELETE', `/flowbuilder/${id}`)
  expect(t.emitted).toMatchObject([
    { name: 'flowCampaign', action: 'delete', payload: { flowCampaign: { id: made.body.id } } },
    { name: 'queueIntegration', payload: { queueIntegration: { flowId: null } } },
  ])
  expect((await ask('GET', '/flowdefault')).body.flow).toMatchObject({ flowIdWelcome: null, flowIdNotPhrase: null })
  expect((await ask('GET', '/flowcampaign')).body.flow).toEqual([])
  const [left] = await t.database.db.select().from(integrations).where(eq(integrations.companyId, company.id))
  expect(left!.flowId).toBeNull()
})

test('only who may edit automations draws, publishes or chooses flows', async () => {
  const { company, make } = await office()
  const { id } = await make('Fechado')
  for (const profile of ['user', 'supervisor'] as const) {
    const user = await t.eg.user(company.id, { profile })
    const token = await t.login(user.email)
    for (const [method, path, body] of [
      ['GET', '/flowbuilder'],
      ['GET', `/flowbuilder/${id}/versions`],
      ['GET', `/flowbuilder/${id}/known`],
      ['POST', '/flowbuilder', { name: 'Meu' }],
      ['PUT', '/flowbuilder', { flowId: id, active: false }],
      ['POST', `/flowbuilder/${id}/publish`],
      ['GET', `/flowbuilder/${id}/counts`],
      ['GET', '/flowcampaign'],
      ['GET', '/flowsecret'],
      ['POST', '/flowsecret', { name: 'meu', value: 'segredo' }],
      ['POST', '/flowbuilder/call', { method: 'GET', url: ['https://a.example'], headers: [], body: null }],
      ['PUT', '/flowdefault', { flowIdWelcome: id, flowIdPhrase: null }],
      [
        'POST',
        '/commands',
        { id: newId(), name: 'flows.edit', input: { flowId: id, operations: [{ op: 'remove', node: '1', rev: 1 }] } },
      ],
    ] as const)
      expect([method, path, (await t.call(method, path, { token, body })).body.error]).toEqual([
        method,
        path,
        'ERR_NO_PERMISSION',
      ])
    const form = new FormData()
    form.set('medias', png(100))
    expect((await t.call('POST', '/flowbuilder/img', { token, form })).status).toBe(403)
  }
  expect(await t.database.db.$count(flows, and(eq(flows.id, id), eq(flows.active, true)))).toBe(1)
})

test('whoever draws a call tries it: the company’s own keys go out and come back masked, and no page inside is reached', async () => {
  const { ask } = await office()
  const other = await office()
  const heard: string[] = []
  const service = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      heard.push(request.headers.get('x-key') ?? '')
      if (request.url.endsWith('/pagina')) return new Response('<html>', { headers: { 'content-type': 'text/html' } })
      return Response.json({ faturas: [{ valor: 9.5 }], key: request.headers.get('x-key') })
    },
  })
  try {
    const { id } = (await ask('POST', '/flowsecret', { name: 'api', value: 'sk-muito-secreto' })).body
    const own = `127.0.0.1:${service.port}`
    const request = (path: string, host = `127.0.0.1:${service.port}`) => ({
      method: 'GET',
      url: [`http://${host}/${path}`],
      headers: [{ name: 'x-key', value: [{ secret: 'api' }] }],
      body: null,
    })
    const refused = async (host: string, url = [`http://${host}/faturas`] as unknown[]) =>
      (await ask('POST', '/flowbuilder/call', { ...request('faturas', host), url })).body
    // It says nowhere where it goes, so it goes nowhere.
    expect(await refused(own)).toEqual({ error: 'ERR_FLOW_SECRET_HOST', name: 'api', host: own })
    for (const hosts of [[], ['API.test'], ['https://api.test'], ['a b'], ['api.test/x']])
      expect((await ask('PUT', `/flowsecret/${id}`, { value: 'sk-muito-secreto', hosts })).status).toBe(400)
    // Who does not have it does not have it sent elsewhere.
    expect((await ask('PUT', `/flowsecret/${id}`, { hosts: [own] })).status).toBe(400)
    await ask('PUT', `/flowsecret/${id}`, { value: 'sk-muito-secreto', hosts: ['api.test', own] })
    for (const host of [`localhost:${service.port}`, '127.0.0.1', `api.test.evil.test`, `${own}@evil.test`])
      expect((await refused(host)).error).toBe('ERR_FLOW_SECRET_HOST')
    expect((await refused(own, ['http://', { secret: 'api' }, `@${own}/`])).error).toBeUndefined()
    expect((await refused(own, ['http://', { secret: 'api' }, '.evil.test/'])).error).toBe('ERR_FLOW_SECRET_HOST')
    heard.length = 0
    expect((await ask('POST', '/flowbuilder/call', request('faturas'))).body).toEqual({
      ...{ ok: true, status: 200 },
      body: { faturas: [{ valor: 9.5 }], key: MASK },
    })
    expect((await ask('POST', '/flowbuilder/call', request('pagina'))).body).toMatchObject({ ok: true, body: '<html>' })
    expect(heard).toEqual(['sk-muito-secreto', 'sk-muito-secreto'])
    const none = { ok: false, status: 0, body: null }
    expect((await ask('POST', '/flowbuilder/call', { ...request('x', '10.0.0.1'), headers: [] })).body).toEqual(none)
    // Another company has no key of that name.
    expect((await other.ask('POST', '/flowbuilder/call', request('faturas'))).body).toEqual(none)
    expect((await ask('POST', '/flowbuilder/call', { ...request('x'), method: 'TRACE' })).status).toBe(400)
    expect(heard).toHaveLength(2)
  } finally {
    await service.stop(true)
  }
})

test('whoever may write flows deletes a phrase only with the permission that deleting a contact asks', async () => {
  const { company, ask, make } = await office()
  const { id } = await make('Com frase')
  const phrase = (await ask('POST', '/flowcampaign', { name: 'Oi', flowId: id, phrase: 'oi' })).body.id as number
  for (const [permissions, status] of [
    [['automations:write'], 403],
    [['automations:write', 'contacts-page:deleteContact'], 200],
  ] as const) {
    const values = {
      companyId: company.id,
      name: `${status}`,
      ticketScope: 'all' as const,
      permissions: [...permissions],
    }
    const [role] = await t.database.db.insert(roles).values(values).returning()
    const user = await t.eg.user(company.id, { roleId: role!.id })
    const token = await t.login(user.email)
    expect((await t.call('GET', '/flowcampaign', { token })).status).toBe(200)
    expect((await t.call('DELETE', `/flowcampaign/${phrase}`, { token })).status).toBe(status)
  }
})

test('who is in the middle of a flow finishes there, goes on in the new version, or is left to people, as whoever publishes wishes', async () => {
  const { company, ask, edit, make } = await office()
  const whatsapp = await t.eg.whatsapp(company.id)
  const { id } = await make('Etapas', [start('m1'), message('m1', 'um', { a: 'm2' }), message('m2', 'dois')])
  const first = (await ask('POST', `/flowbuilder/${id}/publish`)).body.version.id as number
  const waits = async (node: string, more: object = {}) => {
    const ticket = await t.eg.ticket(company.id, { whatsappId: whatsapp.id })
    const run = {
      ...newRun({ id: newId(), version: String(first), seed: 1 }),
      ...{ node, wait: { id: 1, kind: 'reply', until: null, lasts: 0, after: null, tries: 0, gathered: [] } },
      ...more,
    }
    await t.database.db.insert(flowRuns).values({
      ...{ id: run.id, companyId: company.id, flowId: id, versionId: first, ticketId: ticket.id },
      ...{ contactId: ticket.contactId, whatsappId: whatsapp.id, run, wakeAt: new Date() },
    })
    return run.id
  }
  const [kept, gone, called] = [
    await waits('m1'),
    await waits('m2'),
    await waits('m1', { stack: [{ version: '1', node: 'x' }] }),
  ]
  const runs = async () => {
    const rows = await t.database.db.select().from(flowRuns).where(eq(flowRuns.flowId, id))
    return new Map(
      rows.map(({ id: runId, versionId, run, endedAt }) => [runId, { versionId, run: run as FlowRun, endedAt }]),
    )
  }
  const seen = (await draft(id)).find(({ node }) => node === 'm2')!.rev
  await edit(id, [{ op: 'remove', node: 'm2', rev: seen }])

  expect((await ask('POST', `/flowbuilder/${id}/publish`)).body.settled).toBe(0)
  expect((await runs()).get(kept)!.versionId).toBe(first)
  const moved = (await ask('POST', `/flowbuilder/${id}/publish`, { waiting: 'move' })).body
  expect(moved.settled).toBe(1)
  const after = await runs()
  expect(after.get(kept)).toMatchObject({
    versionId: moved.version.id,
    run: { version: String(moved.version.id), node: 'm1' },
  })
  for (const left of [gone, called])
    expect(after.get(left)).toMatchObject({ versionId: first, run: { version: String(first) } })

  expect((await ask('POST', `/flowbuilder/${id}/publish`, { waiting: 'end' })).body.settled).toBe(3)
  for (const { run, endedAt } of (await runs()).values()) {
    expect(run.ended?.why).toBe('closed')
    expect(run.wait).toBeNull()
    expect(endedAt).not.toBeNull()
  }
  // No menu and no other flow answers them from now on.
  const promised = await t.database.db
    .select({ handedOver: automationStates.handedOver })
    .from(automationStates)
    .where(eq(automationStates.companyId, company.id))
  expect(promised).toEqual([{ handedOver: true }, { handedOver: true }, { handedOver: true }])
  expect((await ask('POST', `/flowbuilder/${id}/publish`, { waiting: 'forget' })).status).toBe(400)
})
