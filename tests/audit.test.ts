import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SQL } from 'drizzle-orm'
import { anchorAudit } from '../server/audit/anchors.writes.ts'
import { audit } from '../server/audit/audit.changes.ts'
import { verifyAudit } from '../server/audit/audit.queries.ts'
import type { auditHeads } from '../schema/audit/audit.table.ts'
import { auditedTables } from '../schema/audit/audit.nouns.ts'
import { invoices } from '../schema/invoices/invoices.table.ts'
import { settingKeys, type SettingRule, settingRules } from '../schema/settings/settings.keys.ts'
import { PASSWORD, type TestApp, testApp } from './support/app.ts'

/**
 * Who changed what is written down by the database, so no route has to. What a person must still say of a new table, a
 * new column or a new route stands here, and fails until they do.
 */
let t: TestApp
let company: { id: number }
let admin: { id: number; name: string; email: string }
let token: string
beforeAll(async () => {
  t = await testApp()
  // The first one is the operator's, who keeps what belongs to no company.
  await t.eg.company()
  company = await t.eg.company()
  admin = await t.eg.user(company.id, { profile: 'admin', name: 'Ana' })
  token = await t.login(admin.email)
})
afterAll(() => t.close())

const ADDRESS = '203.0.113.7'
const call = (method: string, path: string, body?: unknown) =>
  t.call(method, path, { token, body, headers: { 'x-forwarded-for': ADDRESS } })
const log = async (query = '') => (await call('GET', `/audit?limit=100${query}`)).body.records as any[]
const newest = async () => (await log())[0]
const since = async (seq: number) => (await log()).filter((entry) => entry.seq > seq).reverse()

describe('what is written down', () => {
  test('a change names who made it, from where, what it was and what it is', async () => {
    const made = await call('POST', '/tags', { name: 'Urgente', color: '#ff0000' })
    expect(await newest()).toMatchObject({
      ...{ action: 'create', entity: 'tag', entityId: String(made.body.id), before: null },
      ...{ actorKind: 'user', actorId: admin.id, actorName: 'Ana', ip: ADDRESS },
      after: { name: 'Urgente', color: '#ff0000' },
    })
    await call('PUT', `/tags/${made.body.id}`, { name: 'Muito urgente' })
    expect(await newest()).toMatchObject({
      ...{ action: 'update', before: { name: 'Urgente' }, after: { name: 'Muito urgente' } },
    })
    await call('DELETE', `/tags/${made.body.id}`)
    expect(await newest()).toMatchObject({ action: 'delete', before: { name: 'Muito urgente' }, after: null })
  })

  test('what the server does by itself is said to be its own', async () => {
    await t.eg.queue(company.id, { name: 'Vendas' })
    expect(await newest()).toMatchObject({ entity: 'queue', actorKind: 'system', actorId: null, ip: null })
  })

  test('a change that is refused is not there, nor is one that changes nothing', async () => {
    const made = await call('POST', '/tags', { name: 'Uma só' })
    const { seq } = await newest()
    expect((await call('POST', '/tags', { name: 'Uma só' })).status).toBe(400)
    expect((await call('PUT', `/tags/${made.body.id}`, { name: 'Uma só' })).status).toBe(200)
    expect(await since(seq)).toEqual([])
  })

  test('secrets are masked, and that they changed is told', async () => {
    const made = await call('POST', '/users', { name: 'Beto', email: 'beto@example.test', password: 'segredo2' })
    expect((await newest()).after).toMatchObject({ name: 'Beto', passwordHash: '••••••', queueIds: [] })
    await call('PUT', `/users/${made.body.id}`, { password: 'segredo3' })
    expect(await newest()).toMatchObject({
      ...{ action: 'update', before: { passwordHash: '••••••' }, after: { passwordHash: '••••••' } },
    })
    await call('PUT', '/settings/asaas', { value: '$aact_hidden' })
    expect(await newest()).toMatchObject({ entity: 'setting', entityId: 'asaas', after: { value: '••••••' } })
    expect(JSON.stringify(await log())).not.toContain('aact_hidden')
  })

  test('the settings whose values are masked are those that are sealed', async () => {
    const secret = settingKeys.filter((key) => (settingRules[key] as SettingRule).secret)
    const [{ src } = { src: '' }] = await t.database.sql<
      { src: string }[]
    >`SELECT prosrc AS src FROM pg_proc WHERE proname = 'audit_row'`
    expect(/ARRAY\[('ipixc'[^\]]*)\]/.exec(src)?.[1]?.replace(/'/g, '').split(', ')).toEqual(secret)
  })

  test('a person’s queues are told one by one, and with a new person at once', async () => {
    const queue = await t.eg.queue(company.id, { name: 'Suporte' })
    const { seq } = await newest()
    const body = { name: 'Caio', email: 'caio@example.test', password: 'segredo2', queueIds: [queue.id] }
    const made = await call('POST', '/users', body)
    await call('PUT', `/users/${made.body.id}`, { queueIds: [] })
    expect((await since(seq)).map(({ action, before, after }) => [action, before?.queueId, after?.queueIds])).toEqual([
      ['create', undefined, [queue.id]],
      ['update', queue.id, undefined],
    ])
  })

  test('logins, their end and refused ones are there', async () => {
    const agent = await t.eg.user(company.id)
    const { seq } = await newest()
    await t.call('POST', '/auth/login', { body: { email: agent.email, password: 'errada' } })
    while ((await since(seq)).length === 0) await Bun.sleep(5)
    await t.call('DELETE', '/auth/logout', { token: await t.login(agent.email, PASSWORD) })
    expect(
      (await since(seq)).map(({ action, entity, actorKind, actorId }) => [action, entity, actorKind, actorId]),
    ).toEqual([
      ['refused', 'session', 'visitor', null],
      ['login', 'session', 'user', agent.id],
      ['logout', 'session', 'user', agent.id],
    ])
  })

  test('an export of contacts is there, and no contact', async () => {
    await t.eg.contact(company.id, { name: 'Zélia', number: '5511977776666' })
    await call('GET', '/contacts/export?format=csv')
    expect(await newest()).toMatchObject({ action: 'export', entity: 'contacts', after: { format: 'csv' } })
    expect(JSON.stringify(await log())).not.toMatch(/Zélia|5511977776666/)
  })

  test('how the operator is paid, and what they say of an invoice, are there; no secret is', async () => {
    const boss = await t.eg.user(1, { profile: 'admin', super: true, name: 'Olga' })
    const as = await t.login(boss.email)
    const pix = { provider: 'pix', pixKey: 'olga@example.test', pixName: 'Olga', pixCity: 'Recife' }
    const put = (path: string, body?: unknown) => t.call('PUT', path, { token: as, body })
    expect((await put('/invoices/provider', pix)).status).toBe(200)
    const latest = async () => (await t.call('GET', '/audit?limit=1', { token: as })).body.records[0]
    expect(await latest()).toMatchObject({
      ...{ entity: 'paymentAccount', actorName: 'Olga' },
      after: { provider: 'pix', config: { pixKey: 'olga@example.test' } },
    })
    await t.database.sql`UPDATE payment_accounts SET secrets = 'sealed'`
    expect(await latest()).toMatchObject({ entity: 'paymentAccount', after: { secrets: '••••••' } })
    const due = async (dueDate: string) =>
      (
        await t.database.db
          .insert(invoices)
          .values({ companyId: company.id, detail: 'Plano', value: '10.00', dueDate, months: 1 })
          .returning()
      )[0]!.id
    const { seq } = await newest()
    const [first, second] = [await due('2026-01-01'), await due('2026-02-01')]
    expect((await put(`/invoices/${first}/paid`)).status).toBe(200)
    expect((await put(`/invoices/${second}/cancelled`)).status).toBe(200)
    const told = (await since(seq)).filter(({ entity }) => entity === 'invoice')
    expect(
      told.map(({ entityId, actorName, before, after }) => [entityId, actorName, before.status, after.status]),
    ).toEqual([
      [String(first), 'Olga', 'open', 'paid'],
      [String(second), 'Olga', 'open', 'cancelled'],
    ])
  })

  test('a message is not: nothing on its way waits for the log', async () => {
    const triggers = await t.database.sql<{ name: string }[]>`
      SELECT c.relname AS name FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_proc p ON p.oid = g.tgfoid
      WHERE p.proname LIKE 'audit\\_%' AND c.relname IN ('messages', 'tickets', 'contacts', 'jobs', 'command_log')`
    expect([...triggers]).toEqual([])
  })
})

describe('the log itself', () => {
  test('is read by admins only, of their own company only', async () => {
    const agent = await t.eg.user(company.id, { profile: 'supervisor' })
    const asAgent = await t.login(agent.email)
    for (const path of ['/audit', '/audit/export', '/audit/verify'])
      expect((await t.call('GET', path, { token: asAgent })).status).toBe(403)
    const other = await t.eg.company()
    expect((await call('GET', `/audit?companyId=${other.id}`)).body).toEqual({ error: 'ERR_NO_SUPER' })
  })

  test('names the things it tells by their ids, and never another company’s', async () => {
    const mine = await t.eg.queue(company.id, { name: 'Recados' })
    const other = await t.eg.company()
    const theirs = await t.eg.queue(other.id, { name: 'Segredo alheio' })
    const made = await call('POST', '/tags', { name: 'Recepção', color: '#00aa00' })
    expect(made.status).toBe(200)
    expect((await newest()).names).toEqual({ [`tag:${made.body.id}`]: 'Recepção' })
    // An update records only what differs; the thing is named all the same.
    await call('PUT', `/tags/${made.body.id}`, { color: '#aa0000' })
    const changed = await newest()
    expect(changed.after).toEqual({ color: '#aa0000' })
    expect(changed.names).toEqual({ [`tag:${made.body.id}`]: 'Recepção' })
    // Whatever an entry says: names are looked up in the company whose log it is.
    await audit(t.deps.db, {
      ...{ companyId: company.id, action: 'update', entity: 'company', id: other.id },
      facts: { queueIds: [mine.id, theirs.id], userId: admin.id, planId: 2 ** 40, companyIds: ['1; DROP'] },
    })
    expect((await newest()).names).toEqual({ [`queue:${mine.id}`]: 'Recados', [`user:${admin.id}`]: 'Ana' })
    // The export and the proof know nothing of names: they tell what was written.
    expect((await call('GET', '/audit/verify')).body.intact).toBe(true)
  })

  test('is given in pages, and by what and whom it is about', async () => {
    const first = (await call('GET', '/audit?limit=2')).body
    const second = (await call('GET', `/audit?limit=2&cursor=${first.nextCursor}`)).body
    expect(second.records[0].seq).toBe(first.records[1].seq - 1)
    expect((await log('&entity=tag')).every(({ entity }) => entity === 'tag')).toBe(true)
    expect((await log('&action=login')).every(({ action }) => action === 'login')).toBe(true)
    expect((await log(`&userId=${admin.id}`)).every(({ actorId }) => actorId === admin.id)).toBe(true)
    expect(await log('&to=2000-01-01T00:00:00Z')).toEqual([])
  })

  test('is exported as a file, and the export is in it', async () => {
    const { seq } = await newest()
    const file = await call('GET', '/audit/export')
    expect(file.headers.get('content-type')).toContain('text/csv')
    expect(String(file.body).split('\r\n')[0]).toContain('seq,at,actorKind')
    expect(String(file.body).split('\r\n').length).toBeGreaterThan(seq)
    const named = await call('GET', '/audit/export?language=pt')
    expect(String(named.body).split('\r\n')[0]).toContain('nº,quando,tipo de autor,id do autor,autor')
    // Below the names it is the same file, with what each hash is made of.
    const entries = ({ body }: { body: unknown }) =>
      String(body)
        .split('\r\n')
        .slice(1, seq + 1)
    expect(entries(named)).toEqual(entries(file))
    expect(entries(named).join('\n')).toContain(',create,user,')
    expect(await newest()).toMatchObject({ action: 'export', entity: 'audit' })
  })

  test('has no gap where many change something at once', async () => {
    const other = await t.eg.company()
    const boss = await t.eg.user(other.id, { profile: 'admin' })
    const theirs = await t.login(boss.email)
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => t.call('POST', '/tags', { token: theirs, body: { name: `Etiqueta ${i}` } })),
    )
    const { body } = await t.call('GET', '/audit/verify', { token: theirs })
    expect(body).toMatchObject({ intact: true, count: 32 })
  })

  test('refuses to be changed', async () => {
    const { sql } = t.database
    await expect(sql`UPDATE audit_entries SET "actorName" = 'Outra'`.execute()).rejects.toThrow('only added to')
    await expect(sql`DELETE FROM audit_entries`.execute()).rejects.toThrow('only added to')
    await expect(sql`TRUNCATE audit_entries`.execute()).rejects.toThrow('only added to')
  })

  test('shows an entry that was changed around the database’s refusal, and one that was taken away', async () => {
    const { sql } = t.database
    const around = (work: string) =>
      sql.unsafe(`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_kept; ${work};
        ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_kept`)
    const count = (await newest()).seq
    const { body } = await call('GET', '/audit/verify')
    expect(body).toMatchObject({ intact: true, count, brokenAt: null })
    await sql`GRANT ALL ON audit_entries TO CURRENT_USER`
    const where = `WHERE "companyId" = ${company.id} AND "seq" = 2`
    await around(`UPDATE audit_entries SET "entityId" = "entityId" || '!' ${where}`)
    expect((await call('GET', '/audit/verify')).body).toMatchObject({ intact: false, brokenAt: 2 })
    await around(`UPDATE audit_entries SET "entityId" = left("entityId", -1) ${where}`)
    expect((await call('GET', '/audit/verify')).body).toMatchObject({ intact: true, hash: body.hash })
    await around(`DELETE FROM audit_entries WHERE "companyId" = ${company.id} AND "seq" = ${count}`)
    expect((await call('GET', '/audit/verify')).body).toMatchObject({ intact: false, brokenAt: count })
  })
})

describe('what the server has sealed of the log', () => {
  /** A company with a log, and who can do anything to the database but has no key of the server. */
  async function office() {
    const { id } = await t.eg.company()
    const boss = await t.eg.user(id, { profile: 'admin' })
    const theirs = await t.login(boss.email)
    for (let i = 0; i < 3; i++) await t.call('POST', '/tags', { token: theirs, body: { name: `Etiqueta ${id} ${i}` } })
    const anchor = () => anchorAudit({ db: t.database.db, sealer: t.deps.sealer, log: t.deps.log })
    const verify = async () => (await t.call('GET', '/audit/verify', { token: theirs })).body
    const around = (work: string) =>
      t.database.sql.unsafe(`GRANT ALL ON audit_entries TO CURRENT_USER;
        ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_kept; ${work};
        ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_kept`)
    const gone = `DELETE FROM audit_entries WHERE "companyId" = ${id}; DELETE FROM audit_heads WHERE "companyId" = ${id}`
    const write = () => t.call('POST', '/tags', { token: theirs, body: { name: `Outra ${crypto.randomUUID()}` } })
    return { id, anchor, verify, around, gone, write }
  }

  test('goes on with it, on two servers at once, too', async () => {
    const { anchor, verify, write } = await office()
    expect(await verify()).toMatchObject({ intact: true, count: 5 })
    await Promise.all([anchor(), anchor(), anchor()])
    expect(await verify()).toMatchObject({ intact: true, count: 5 })
    await write()
    expect(await verify()).toMatchObject({ intact: true, count: 6 })
    await Promise.all([anchor(), write(), anchor()])
    await anchor()
    expect(await verify()).toMatchObject({ intact: true, count: 7, brokenAt: null })
  })

  test('shows that all of it is gone, with its head, and also what begins anew after that', async () => {
    const { anchor, verify, around, gone, write } = await office()
    await anchor()
    await around(gone)
    expect(await verify()).toMatchObject({ intact: false, count: 0, brokenAt: 1 })
    for (let i = 0; i < 7; i++) await write()
    await anchor()
    expect(await verify()).toMatchObject({ intact: false, brokenAt: 1 })
  })

  test('shows that its end is gone, and that its anchor is, or is another’s', async () => {
    const { id, anchor, verify, around, gone, write } = await office()
    await anchor()
    await around(`DELETE FROM audit_entries WHERE "companyId" = ${id} AND "seq" = 5;
      UPDATE audit_heads SET "seq" = 4, "hash" = (SELECT "hash" FROM audit_entries e WHERE e."companyId" = ${id} AND "seq" = 4)
      WHERE "companyId" = ${id}`)
    expect(await verify()).toMatchObject({ intact: false, count: 4, brokenAt: 5 })
    await around(`${gone}; DELETE FROM audit_anchors WHERE "companyId" = ${id}`)
    await write()
    await anchor()
    expect(await verify()).toMatchObject({ intact: false, brokenAt: 1 })
    const other = await office()
    await other.anchor()
    await t.database.sql.unsafe(
      `INSERT INTO audit_anchors SELECT ${id}, "seq", "seal" FROM audit_anchors WHERE "companyId" = ${other.id}`,
    )
    expect(await verify()).toMatchObject({ intact: false, brokenAt: 1 })
    expect(await other.verify()).toMatchObject({ intact: true })
  })

  test('is no cause for alarm while a company gets its first anchor, nor for one that went before it had one', async () => {
    const { db } = t.database
    const { id, anchor } = await office()
    let reads = 0
    // Another server anchors between what is read first and what is read next.
    const meanwhile = new Proxy(db, {
      get(target, name) {
        if (name !== 'select' || ++reads !== 2) return Reflect.get(target, name)
        return () => ({
          from: (table: typeof auditHeads) => ({
            where: async (which: SQL) => (await anchor(), target.select().from(table).where(which)),
          }),
        })
      },
    })
    expect(await verifyAudit(meanwhile, t.deps.sealer, id)).toMatchObject({ intact: true, count: 5 })
    expect(reads).toBeGreaterThan(1)
    const gone = await office()
    const next = await office()
    await t.database.sql`DELETE FROM companies WHERE id = ${gone.id}`
    await next.anchor()
    expect(await verifyAudit(db, t.deps.sealer, gone.id)).toMatchObject({ intact: true, brokenAt: null })
    expect(await next.verify()).toMatchObject({ intact: true })
    // And from then on it is held, too.
    await gone.around(gone.gone)
    expect(await verifyAudit(db, t.deps.sealer, gone.id)).toMatchObject({ intact: false })
  })

  test('shows a log that was written anew from its beginning, each entry fitting the one before', async () => {
    const { id, anchor, verify, around } = await office()
    await anchor()
    await around(`
      UPDATE audit_entries SET "actorName" = 'Outra' WHERE "companyId" = ${id} AND "seq" = 2;
      DO $$ DECLARE e audit_entries; last text := ''; BEGIN
        FOR e IN SELECT * FROM audit_entries WHERE "companyId" = ${id} ORDER BY "seq" LOOP
          e."prevHash" := last; last := audit_hash(e);
          UPDATE audit_entries SET "prevHash" = e."prevHash", "hash" = last WHERE "companyId" = ${id} AND "seq" = e."seq";
        END LOOP;
        UPDATE audit_heads SET "hash" = last WHERE "companyId" = ${id};
      END $$`)
    expect(await verify()).toMatchObject({ intact: false, count: 5, brokenAt: 1 })
  })

  test('does not begin again when the register is taken away', async () => {
    const { anchor, verify } = await office()
    await anchor()
    const { sql } = t.database
    const rows = await sql`DELETE FROM audit_anchors RETURNING "companyId", "seq", "seal"`
    await anchor()
    expect(await verify()).toMatchObject({ intact: false, brokenAt: 1 })
    for (const row of rows) await sql`INSERT INTO audit_anchors ${sql(row)}`
    expect(await verify()).toMatchObject({ intact: true })
  })
})

describe('nothing is forgotten', () => {
  test('every column of an audited table is shown, masked or left out, and its trigger says the same', async () => {
    const columns = await t.database.sql<{ table: string; column: string }[]>`
      SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public'`
    const triggers = await t.database.sql<{ table: string; definition: string }[]>`
      SELECT c.relname AS table, pg_get_triggerdef(g.oid) AS definition FROM pg_trigger g
      JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_proc p ON p.oid = g.tgfoid WHERE p.proname IN ('audit_row', 'audit_link')`
    expect(triggers.map(({ table }) => table).sort()).toEqual(Object.keys(auditedTables).sort())
    for (const [table, { entity, recorded, masked = [], watched = [], left = [], link }] of Object.entries(
      auditedTables,
    )) {
      const own = columns.filter((row) => row.table === table).map(({ column }) => column)
      const said = [...recorded, ...masked, ...watched, ...left]
      // Ids stand beside; what the stamp of polling is for, 0001 says.
      const facts = own.filter((column) => !['id', 'companyId', 'changeId'].includes(column))
      expect([table, facts.sort()]).toEqual([table, [...said].sort()])
      const { definition } = triggers.find((row) => row.table === table)!
      const args = link ? `'${entity}', '${link}'` : `'${entity}', '${recorded.join(',')}', '${masked.join(',')}'`
      expect(definition).toContain(`(${args})`)
      const of = /UPDATE OF (.*) ON /.exec(definition)?.[1]?.replaceAll('"', '').split(', ')
      if (!link) expect([table, of]).toEqual([table, [...recorded, ...masked, ...watched]])
    }
  })

  /** Why a call that changes something is not in the log, or what of it is. */
  const known: Record<string, string> = {
    'work of agents; the ticket’s timeline tells it':
      'POST /tickets/ | POST /tickets/bulk | POST /macros/:id/run | PUT /tickets/:id | PUT /tickets/:id/fields | POST /tickets/:id/escalate | DELETE /tickets/:id/escalate | POST /tickets/:id/merge | POST /tickets/:id/part | DELETE /tickets/:id | POST /messages/:ticketId | POST /messages/edit/:id | PUT /messages/:id | DELETE /messages/:id | POST /ticket-notes/ | POST /mentions/read | DELETE /ticket-notes/:id | POST /tags/sync | PUT /ticket-tags/:ticketId/:tagId | DELETE /ticket-tags/:ticketId | POST /commands | POST /commands/batch | POST /api/messages/send | POST /api/v1/messages | PUT /api/v1/tickets/:id | POST /api/v1/tickets/:id/messages | POST /api/v1/tickets/:id/notes | POST /api/v1/macros/:id/run | POST /api/v1/tickets/:id/merge | POST /api/v1/tickets/:id/part | POST /api/v1/tickets/:id/escalate | DELETE /api/v1/tickets/:id/escalate | PUT /api/v1/messages/:id | DELETE /api/v1/messages/:id | PUT /api/v1/messages/:id/reaction',
    'contacts: their people’s data stays out':
      'POST /contacts/ | PUT /contacts/:id | PUT /contacts/:id/fields | DELETE /contacts/:id | POST /contacts/merge | POST /contacts/merges/:id/undo | POST /api/v1/contacts | PUT /api/v1/contacts/:id | DELETE /api/v1/contacts/:id | POST /api/v1/contacts/:id/merge | POST /contact-list-items/ | PUT /contact-list-items/:id | DELETE /contact-list-items/:id | POST /opt-outs/ | DELETE /opt-outs/:id | POST /api/v1/opt-outs | DELETE /api/v1/opt-outs/:id',
    'one’s own things':
      'POST /schedules/ | PUT /schedules/:id | DELETE /schedules/:id | POST /schedules/:id/media-upload | DELETE /schedules/:id/media-upload | POST /quick-messages/ | PUT /quick-messages/:id | DELETE /quick-messages/:id | POST /quick-messages/:id/media-upload | DELETE /quick-messages/:id/media-upload | POST /chats/ | PUT /chats/:id | DELETE /chats/:id | POST /chats/:id/messages | POST /chats/:id/read | POST /push/subscriptions | DELETE /push/subscriptions | PUT /push/preferences | DELETE /dashboard/first-steps',
    'changes nothing that is kept':
      'POST /privacy/exports/:id/cancel | POST /auth/passes/ | POST /auth/passkey/begin | POST /auth/refresh_token | POST /auth/oidc/begin | POST /forgetpassword/:email | POST /hours/test | POST /automations/preview | POST /campaigns/:id/dry-run | POST /segments/count | POST /sla-policies/:id/test | POST /rules/dry-run | POST /prompt/:id/test | POST /queueIntegration/testSession | POST /queueIntegration/:id/test | POST /webhooks/:id/test | POST /webhooks/:id/replay | POST /webhooks/:id/deliveries/:deliveryId/replay | POST /api/v1/webhooks/:id/test | POST /contact-lists/:id/check | DELETE /contact-lists/:id/check | POST /whatsapp-restart | PUT /whatsappsession/:id | POST /whatsappsession/:id/pairing-code | POST /api/v1/tickets/:id/typing | POST /api/v1/numbers/check | POST /api/v1/connections/:id/start',
    'a draft, until it is published':
      'POST /flowbuilder/flow | POST /flowbuilder/:id/versions/:versionId/restore | POST /flowbuilder/img | POST /flowbuilder/audio | POST /flowbuilder/content',
    'asks a payment service for a charge; what becomes of the invoice is': 'POST /subscription',
    'the official API’s words, which become messages': 'POST /cloud-api/:hook',
    'asks the official API, and keeps nothing':
      'POST /whatsapp-official/check | POST /whatsapp/:id/official/check | POST /whatsapp/:id/official/subscribe | POST /whatsapp/:id/official/history | POST /whatsapp/:id/official/register',
    'services that say what to ask about': 'POST /payments/efi | POST /payments/efi/pix | POST /payments/asaas',
    'files of a list, whose name and text are': 'POST /files/uploadList/:id',
  }

  test('every call that changes something is audited by its table, or stands here with its reason', () => {
    const reasons = new Set(Object.values(known).flatMap((routes) => routes.split(' | ')))
    /** First part of the path → what the triggers, or the call itself, write. */
    const audited =
      /^\/(?:auth\/(?:login|logout|sessions|2fa|passkeys|passkey\/enter|oidc\/provider)|resetpasswords|settings|companies|plans|users|roles|invoices|queue|queue-options|whatsapp|whatsappsession|tags|custom-fields|macros|rules|templates|message-prices|contact-lists|campaigns|campaign-settings|segments|sla-policies|report-views|report-schedules|prompt|queueIntegration|flowbuilder|flowcampaign|flowdefault|flowsecret|api-keys|webhooks|files|announcements|helps|api\/v1\/(?:webhooks|tags|campaigns)|contacts\/(?:import|:id\/(?:reveal|export|erase|hold))|privacy\/requests|opt-outs\/import|operator\/(?:jobs|domains))(?:\/|$)/
    const writes = t.app.routes
      .filter(({ method }) => /^(POST|PUT|PATCH|DELETE)$/.test(method))
      .map(({ method, path }) => `${method} ${path}`)
    const unsaid = writes.filter((route) => !reasons.has(route) && !audited.test(route.split(' ')[1]!))
    expect(unsaid).toEqual([])
    expect([...reasons].filter((route) => !writes.includes(route))).toEqual([])
  })
})
