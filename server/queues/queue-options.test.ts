import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { releaseFiles } from '../../tests/support/release-files.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(() => t.close())

async function office() {
  const company = await t.eg.company()
  const queue = await t.eg.queue(company.id)
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const agent = await t.login((await t.eg.user(company.id)).email)
  const call = (method: string, path: string, body?: unknown) => t.call(method, path, { token: admin, body })
  const add = async (title: string, values: Record<string, unknown> = {}): Promise<number> =>
    (await call('POST', '/queue-options', { title, queueId: queue.id, ...values })).body.id
  const level = async (parentId = -1): Promise<string[]> =>
    (await call('GET', `/queue-options?queueId=${queue.id}&parentId=${parentId}`)).body.map(
      (o: { option: number; title: string }) => `${o.option} ${o.title}`,
    )
  return { company, queue, admin, agent, call, add, level }
}
const form = (type = 'application/pdf', name = 'tabela de preços.pdf', bytes = '%PDF-1.4 x') => {
  const made = new FormData()
  made.set('file', new Blob([bytes], { type }), name)
  return made
}

describe('the options of a queue', () => {
  test('are numbered as they come, and those beside one that moves move along', async () => {
    const { add, level, call } = await office()
    const [boleto] = [await add('Boleto'), await add('Entrega'), await add('Outros')]
    expect(await level()).toEqual(['1 Boleto', '2 Entrega', '3 Outros'])
    await add('Primeiro', { option: 1 })
    expect(await level()).toEqual(['1 Primeiro', '2 Boleto', '3 Entrega', '4 Outros'])
    expect((await call('PUT', `/queue-options/${boleto}`, { option: 4 })).body.option).toBe(4)
    expect(await level()).toEqual(['1 Primeiro', '2 Entrega', '3 Outros', '4 Boleto'])
    await call('PUT', `/queue-options/${boleto}`, { title: ' Segunda via ' })
    expect((await level())[3]).toBe('4 Segunda via')
  })

  test('are told level by level, each with what is under it', async () => {
    const { add, call, queue } = await office()
    const top = await add('Vendas')
    const below = await add('Preços', { parentId: top })
    await add('Tabela', { parentId: below })
    const read = async (path: string) => (await call('GET', `/queue-options${path}`)).body
    const tree = { id: below, title: 'Preços', children: [{ title: 'Tabela', children: [] }] }
    expect(await read(`?queueId=${queue.id}&parentId=-1`)).toMatchObject([{ title: 'Vendas', children: [tree] }])
    expect(await read(`?queueId=${queue.id}&parentId=${top}`)).toMatchObject([tree])
    expect(await read(`/${below}`)).toMatchObject(tree)
  })

  test('added at the same moment have numbers of their own', async () => {
    const { add, level } = await office()
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((title) => add(title)))
    expect((await level()).map((line) => line[0])).toEqual(['1', '2', '3', '4', '5'])
  })

  test('go with all that is under them, files too, and leave no gap', async () => {
    const { add, level, call, admin, queue } = await office()
    const [top] = [await add('Vendas'), await add('Suporte')]
    const below = await add('Preços', { parentId: top })
    const deep = await add('Tabela', { parentId: below })
    const { body } = await t.call('POST', `/queue-options/${deep}/media-upload`, { token: admin, form: form() })
    expect(body).toMatchObject({ mediaName: 'tabela_de_preços.pdf', mediaMime: 'application/pdf' })
    const shown = () => t.call('GET', `/public/${body.mediaPath}`, { token: admin })
    expect((await shown()).status).toBe(200)
    expect((await call('DELETE', `/queue-options/${top}`)).status).toBe(200)
    expect(await level()).toEqual(['1 Suporte'])
    expect(await t.database.db.$count(queueOptions, eq(queueOptions.queueId, queue.id))).toBe(1)
    expect((await shown()).status).toBe(404)
    await releaseFiles(t)
    expect(await t.deps.media.find(body.mediaPath)).toBeUndefined()
  })

  test('may be put under another, never under themselves', async () => {
    const { add, level, call } = await office()
    const [a, b] = [await add('A'), await add('B')]
    const c = await add('C', { parentId: a })
    const put = (id: number, body: unknown) => call('PUT', `/queue-options/${id}`, body)
    for (const parentId of [a, c]) expect((await put(a, { parentId })).body).toMatchObject({ error: 'ERR_VALIDATION' })
    expect((await put(b, { parentId: a, option: 1 })).body).toMatchObject({ parentId: a, option: 1 })
    expect([await level(), await level(a)]).toEqual([['1 A'], ['1 B', '2 C']])
    await put(c, { parentId: -1, option: 1 })
    expect([await level(), await level(a)]).toEqual([['1 C', '2 A'], ['1 B']])
    const other = await office()
    expect((await put(c, { queueId: other.queue.id })).status).toBe(404)
  })

  test('have bounds: so many beside each other, and so many levels', async () => {
    const { add, call, queue } = await office()
    let parentId: number | null = null
    for (let depth = 1; depth <= 8; depth++) parentId = await add(`Nível ${depth}`, { parentId })
    const deeper = await call('POST', '/queue-options', { title: 'x', queueId: queue.id, parentId })
    expect(deeper).toMatchObject({ status: 400, body: { error: 'ERR_QUEUE_OPTIONS_LIMIT', limit: 8 } })
    for (let beside = 2; beside <= 30; beside++) await add(`Opção ${beside}`)
    expect((await call('POST', '/queue-options', { title: 'x', queueId: queue.id })).body.limit).toBe(30)
  })

  test('are for admins, and everybody’s lists hear that they changed', async () => {
    const { add, agent, queue, company } = await office()
    const id = await add('Boleto')
    const body = { title: 'x', queueId: queue.id }
    for (const [method, path] of [
      ['GET', `/queue-options?queueId=${queue.id}`],
      ['GET', `/queue-options/${id}`],
      ['POST', '/queue-options'],
      ['PUT', `/queue-options/${id}`],
      ['DELETE', `/queue-options/${id}`],
      ['DELETE', `/queue-options/${id}/media-upload`],
    ] as const)
      expect((await t.call(method, path, { token: agent, ...(method !== 'GET' && { body }) })).body.error).toBe(
        'ERR_NO_PERMISSION',
      )
    expect(t.emitted.findLast(({ companyId }) => companyId === company.id)).toMatchObject({
      name: 'queue',
      action: 'update',
      payload: { queue: { id: queue.id } },
    })
  })
})

describe('the file of a queue’s greeting', () => {
  test('is kept by what it is, gives way to the next one, and goes with the queue', async () => {
    const { queue, admin, agent, call } = await office()
    const upload = (token: string, made: FormData) =>
      t.call('POST', `/queue/${queue.id}/media-upload`, { token, form: made })
    expect((await upload(agent, form())).body.error).toBe('ERR_NO_PERMISSION')
    // A page that says it is a picture.
    expect((await upload(admin, form('image/png', 'x.png', '<html>'))).body.error).toBe('ERR_FILE_TYPE')
    const first = (await upload(admin, form())).body.mediaPath
    const { body: second } = await upload(admin, form('application/pdf', 'nova.pdf', '%PDF-1.4 nova'))
    await releaseFiles(t)
    expect(await t.deps.media.find(first)).toBeUndefined()
    expect(await t.deps.media.find(second.mediaPath)).toBeDefined()
    expect((await call('GET', '/queue')).body).toMatchObject([{ id: queue.id, mediaName: 'nova.pdf' }])
    expect((await call('DELETE', `/queue/${queue.id}/media-upload`)).body.mediaPath).toBeNull()
    const { body: third } = await upload(admin, form())
    await call('DELETE', `/queue/${queue.id}`)
    await releaseFiles(t)
    for (const path of [second.mediaPath, third.mediaPath]) expect(await t.deps.media.find(path)).toBeUndefined()
  })
})
