import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import * as automation from '../schema/automation/automation.table.ts'
import * as campaignTables from '../schema/campaigns/campaigns.table.ts'
import { commandLog } from '../schema/commands/commands.table.ts'
import { contactAliases } from '../schema/contacts/aliases.table.ts'
import { numberKey } from '../schema/contacts/contacts.phone.ts'
import { contacts } from '../schema/contacts/contacts.table.ts'
import { contactMerges } from '../schema/contacts/merges.table.ts'
import * as lists from '../schema/contact-lists/contact-lists.table.ts'
import { messageCosts } from '../schema/costs/costs.table.ts'
import { drafts } from '../schema/drafts/drafts.table.ts'
import * as flowTables from '../schema/flows/flows.table.ts'
import { newId, widOf } from '../schema/ids.ts'
import { jobs } from '../schema/jobs/jobs.table.ts'
import { messages, messageTexts } from '../schema/messages/messages.table.ts'
import { ticketNotes } from '../schema/notes/notes.table.ts'
import { optOuts } from '../schema/opt-outs/opt-outs.table.ts'
import { erasedOptOuts, erasures, privacyRequests } from '../schema/privacy/privacy.table.ts'
import { ratings } from '../schema/ratings/ratings.table.ts'
import { ruleRuns, rules } from '../schema/rules/rules.table.ts'
import { schedules } from '../schema/schedules/schedules.table.ts'
import { ticketEvents, tickets, ticketTrackings } from '../schema/tickets/tickets.table.ts'
import { webhookDeliveries, webhookOutbox, webhooks } from '../schema/webhooks/webhooks.table.ts'
import * as cloud from '../schema/whatsapps/cloud-store.table.ts'
import { whatsappJournal, whatsappKeys, whatsappProtos } from '../schema/whatsapps/whatsapp-store.table.ts'
import { restoreBackup } from '../server/backup/backup.restore.ts'
import { writeBackup } from '../server/backup/backup.write.ts'
import { parseConfig } from '../server/config.ts'
import { createLogger } from '../server/log.ts'
import { mediaEffects } from '../server/media/media.effects.ts'
import { createMediaStore } from '../server/media/media-store.ts'
import { optOutsAmong } from '../server/opt-outs/opt-outs.queries.ts'
import { privacyEffects, sweepExports } from '../server/privacy/privacy.effects.ts'
import { carryOut, proofOf } from '../server/privacy/privacy.erase.changes.ts'
import { letGoOfOld } from '../server/privacy/privacy.retention.writes.ts'
import { rememberedOf, rememberErasure } from '../server/privacy/privacy.journal.ts'
import { companyFacts } from '../server/settings/settings.facts.ts'
import { createReceiver } from '../server/tickets/receive.ts'
import { FakeS3 } from './fakes/s3/s3.ts'
import { type TestApp, testApp } from './support/app.ts'
import { emptyTestDatabase, type TestDatabase } from './support/postgres.ts'
import { readZip } from './support/zip.ts'

/** Whoever is erased is found nowhere, and of nobody else is anything missing. */
let t: TestApp
const s3 = new FakeS3()
const folder = mkdtempSync(join(tmpdir(), 'balcao-privacy-'))
const others: TestDatabase[] = []
beforeAll(async () => {
  t = await testApp()
})
afterAll(async () => {
  await t.close()
  await s3.stop()
  for (const other of others) await other.close()
  rmSync(folder, { recursive: true, force: true })
})

const log = createLogger({ level: 'silent' })

/** Everything that the product writes of one person, each with a mark of its own. */
async function plant(name: string, digits: string, media: Awaited<ReturnType<typeof createMediaStore>>) {
  const { db } = t.deps
  const marks: string[] = []
  const mark = (what: string) => {
    const text = `${name}-${what}-${marks.length}`
    marks.push(text)
    return text
  }
  const numbers = { number: `55119${digits}`, lid: `1234567${digits}`, old: `55219${digits}`, gone: `55319${digits}` }
  const file = async (what: string) =>
    (
      await media.put(company.id, Buffer.from(mark(what)), {
        ...{ name: 'a.txt', mimetype: 'text/plain', maxBytes: 1_000 },
      })
    ).path
  const [whatsapp] = [connection]
  const contact = await t.eg.contact(company.id, {
    ...{
      name: mark('name'),
      number: numbers.number,
      lid: numbers.lid,
      username: mark('username'),
      email: mark('email'),
    },
    profilePicUrl: await file('picture'),
    extraInfo: [{ id: '1', name: mark('label'), value: mark('value') }],
    fields: { 1: mark('field') },
  })
  await db.insert(contactAliases).values([
    { companyId: company.id, contactId: contact.id, kind: 'number', value: numbers.old, since: new Date() },
    {
      companyId: company.id,
      contactId: contact.id,
      kind: 'bsuid',
      scope: 'p',
      value: mark('bsuid'),
      since: new Date(),
    },
  ])
  const row = { id: 900_000 + contact.id, name: mark('merged'), number: numbers.gone, lid: null }
  await db.insert(contactMerges).values({
    companyId: company.id,
    keptId: contact.id,
    before: { kept: { id: contact.id }, after: {}, gone: row, ticketIds: [], scheduleIds: [], joined: [] },
  })
  const ticket = await t.eg.ticket(company.id, {
    ...{ contactId: contact.id, whatsappId: whatsapp.id, status: 'open', userId: admin.id },
    ...{ lastMessage: mark('line'), fields: { 2: mark('ticket') } },
    ...{ snoozedUntil: new Date('2099-01-01'), snoozeNote: mark('snooze') },
  })
  const group = await t.eg.contact(company.id, { name: `Grupo ${name}`, number: `12036${digits}`, isGroup: true })
  const inGroup = await t.eg.ticket(company.id, { contactId: group.id, whatsappId: whatsapp.id, isGroup: true })
  await t.eg.message(company.id, {
    ...{ ticketId: inGroup.id, contactId: group.id, body: mark('in a group') },
    ...{ participantName: mark('participant'), participantNumber: numbers.number },
  })
  const message = await t.eg.message(company.id, {
    ...{ ticketId: ticket.id, contactId: contact.id, whatsappId: whatsapp.id, wid: `wamid.${mark('wid')}` },
    ...{ body: mark('body'), earlierBodies: [{ body: mark('earlier'), at: '2026-01-01' }], isCut: true },
    ...{ mediaType: 'application', mediaState: 'ready', mediaPath: await file('bytes'), mediaName: mark('file') },
    ...{ reactions: [{ emoji: '👍', by: numbers.number }], ackError: mark('ack') },
  })
  // One of ours keeps its id, which follows from the row's own.
  const ours = newId()
  await t.eg.message(company.id, {
    ...{ id: ours, wid: widOf(ours), ticketId: ticket.id, contactId: contact.id, whatsappId: whatsapp.id },
    ...{ fromMe: true, body: mark('ours') },
  })
  const [tracking] = await db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, ticket.id))
  await db
    .insert(ratings)
    .values({ companyId: company.id, ticketId: ticket.id, trackingId: tracking!.id, rate: 3, comment: mark('comment') })
  await db.insert(messageTexts).values({ messageId: message.id, companyId: company.id, text: mark('whole') })
  await db
    .insert(automation.voiceTranscripts)
    .values({ messageId: message.id, companyId: company.id, text: mark('spoken') })
  await db
    .insert(automation.automationStates)
    .values({ ticketId: ticket.id, companyId: company.id, session: { said: mark('session') } })
  await db.insert(automation.automationDecisions).values({
    ...{ id: newId(), companyId: company.id, ticketId: ticket.id, messageId: message.id, trigger: 'message' as const },
    steps: [{ step: 'hours', result: 'passed', why: 'open', facts: { said: mark('trace') } }],
  })
  await db.insert(ruleRuns).values({
    ...{ id: newId(), companyId: company.id, ruleId: rule.id, version: 1, ticketId: ticket.id, eventId: 'e' },
    ...{ trigger: 'created' as const, root: 'e', depth: 0, result: 'done' as const, outcome: { done: [] } },
    met: [{ kind: 'status', held: true, found: mark('met') }] as never,
  })
  const runId = newId()
  await db.insert(flowTables.flowRuns).values({
    ...{ id: runId, companyId: company.id, flowId: flow.id, versionId: version.id, ticketId: ticket.id },
    ...{ contactId: contact.id, whatsappId: whatsapp.id, run: { answer: mark('run') }, endedAt: new Date() },
  })
  await db
    .insert(flowTables.flowLogs)
    .values({ companyId: company.id, runId, entry: { said: mark('flow log') } as never })
  await db.insert(drafts).values({
    ...{ id: `${admin.id}:${ticket.id}`, companyId: company.id, userId: admin.id, ticketId: ticket.id },
    ...{ body: mark('draft'), updatedAt: new Date() },
  })
  await db
    .insert(ticketNotes)
    .values({ id: newId(), companyId: company.id, ticketId: ticket.id, contactId: contact.id, note: mark('note') })
  await db.insert(ticketEvents).values({
    id: newId(),
    companyId: company.id,
    ticketId: ticket.id,
    kind: 'transferred',
    data: { queue: 'Vendas', note: mark('event') },
  })
  await db.insert(schedules).values({
    ...{
      id: newId(),
      companyId: company.id,
      contactId: contact.id,
      body: mark('schedule'),
      sendAt: new Date('2099-01-01'),
    },
    ...{ mediaPath: await file('scheduled'), mediaName: mark('scheduled file') },
  })
  const key = numberKey(numbers.number)
  await db.insert(campaignTables.shippings).values({
    ...{
      companyId: company.id,
      campaignId: campaign.id,
      name: mark('shipping'),
      number: numbers.number,
      key,
      lid: numbers.lid,
    },
    ...{ email: mark('shipping mail'), body: mark('sent'), answerBody: mark('answer'), state: 'replied' as const },
    reason: mark('reason'),
  })
  await db.insert(lists.contactListItems).values({
    ...{
      companyId: company.id,
      contactListId: list.id,
      name: mark('listed'),
      number: numbers.old,
      key: numberKey(numbers.old),
    },
  })
  await db
    .insert(optOuts)
    .values({ companyId: company.id, number: numbers.number, key, lid: numbers.lid, source: 'word', text: mark('out') })
  await db.insert(jobs).values({
    companyId: company.id,
    kind: 'flows.ai',
    payload: { ticketId: ticket.id, text: mark('job') },
    runAt: new Date('2099-01-01'),
  })
  await db.insert(commandLog).values({
    ...{ companyId: company.id, userId: admin.id, id: newId(), name: 'x', inputHash: 'x', txid: '1' },
    result: { tables: [], value: { number: numbers.number, name: mark('answered') } },
  })
  await db.insert(webhookOutbox).values({
    companyId: company.id,
    type: 'contact.updated',
    subject: String(contact.id),
    data: { name: mark('outbox') },
  })
  await db.insert(webhookDeliveries).values({
    ...{ companyId: company.id, webhookId: hook.id, eventId: newId(), type: 'message.received' as const },
    payload: JSON.stringify({ data: { contact: { id: contact.id, name: mark('delivered') } } }),
  })
  await db.insert(privacyRequests).values({
    ...{
      companyId: company.id,
      contactId: contact.id,
      subject: mark('asked'),
      kind: 'erasure' as const,
      law: 'lgpd' as const,
    },
    ...{ receivedAt: '2026-11-01', dueAt: '2026-11-16', note: mark('asked note') },
  })
  // What the wires keep.
  await db
    .insert(whatsappProtos)
    .values({ whatsappId: whatsapp.id, wid: message.wid!, message: Buffer.from(mark('proto')) })
  await db.insert(whatsappKeys).values({
    whatsappId: whatsapp.id,
    type: 'session',
    id: `${numbers.number}.0`,
    value: Buffer.from(mark('ratchet')),
  })
  await db
    .insert(cloud.cloudChats)
    .values({ whatsappId: whatsapp.id, number: numbers.number, wid: mark('chat'), at: new Date() })
  await db.insert(messageCosts).values({
    ...{
      whatsappId: whatsapp.id,
      wamid: mark('wamid'),
      companyId: company.id,
      ticketId: ticket.id,
      category: 'utility',
    },
    ...{ type: 'regular', day: '2026-11-01', deliveredAt: new Date() },
  })
  await parkSealed(numbers, mark)
  return { contact, ticket, message, group, inGroup, marks: [...marks, ...Object.values(numbers)] }
}

/** What came and could not be taken in: sealed, and in one row with what came of others. */
async function parkSealed(numbers: { number: string; lid: string }, mark: (what: string) => string) {
  const { db, sealer } = t.deps
  const [id, piece, hooked] = [newId(), newId(), newId()]
  const seal = (value: unknown, place: string) => sealer.seal(Buffer.from(JSON.stringify(value)), place)
  const event = { kind: 'message', chat: { lid: numbers.lid }, chatName: mark('parked') }
  await db.insert(whatsappJournal).values({
    ...{ id, whatsappId: connection.id, wid: 'W', event: seal(event, `journal/${id}`), parkedAt: new Date() },
    error: `contact ${numbers.number} is in the way`,
  })
  const people = ['people', 'of old'].map((what) => ({ number: numbers.number, name: mark(what), at: 1 }))
  await db.insert(cloud.cloudHistory).values({
    ...{ id: piece, whatsappId: connection.id },
    body: seal({ messages: [], people: [...people, other] }, `cloud_history:${connection.id}`),
  })
  const hooks = (from: string, name: string) => ({
    ...{ metadata: { phone_number_id: phone() }, contacts: [{ wa_id: from, profile: { name } }] },
    messages: [{ from, text: { body: 'Oi' } }],
  })
  const changes = [hooks(numbers.number, mark('hooked')), hooks(other.number, other.name)].map((value) => ({ value }))
  await db.insert(cloud.cloudHooks).values({
    ...{ id: hooked, hook: phone(), appMark: 'a', hash: Buffer.from(hooked), parkedAt: new Date() },
    body: seal({ entry: [{ changes }] }, `cloud_hooks:${phone()}`),
  })
}

/** Somebody whom nobody erases. */
const other = { number: '5541955554444', name: 'Outra pessoa', at: 1 }
const phone = () => `phone-${connection.id}`

/** What is sealed of this company, open. */
async function sealedAsText(): Promise<string> {
  const { db, sealer } = t.deps
  const open = (value: Buffer | null, place: string) => (value ? sealer.open(value, place).toString() : '')
  const [events, pieces, hooks] = await Promise.all([
    db.select().from(whatsappJournal),
    db.select().from(cloud.cloudHistory),
    db.select().from(cloud.cloudHooks),
  ])
  return [
    ...events.map(({ id, event }) => open(event, `journal/${id}`)),
    ...pieces.map(({ whatsappId, body }) => open(body, `cloud_history:${whatsappId}`)),
    ...hooks.map(({ hook: by, body }) => open(body, `cloud_hooks:${by}`)),
  ].join('\n')
}

let company: { id: number }
let admin: { id: number; email: string }
let connection: { id: number }
let rule: { id: number }
let flow: { id: number }
let version: { id: number }
let campaign: { id: number }
let list: { id: number }
let hook: { id: number }
async function shop() {
  const { db } = t.deps
  company = await t.eg.company()
  admin = await t.eg.user(company.id, { profile: 'admin' })
  connection = await t.eg.whatsapp(company.id)
  await db.insert(cloud.cloudNumbers).values({
    ...{ whatsappId: connection.id, companyId: company.id, phoneNumberId: phone(), accountId: 'a' },
    ...{ hook: phone(), appMark: 'a', token: '', appSecret: '', verifyToken: '', version: 'v1' },
  })
  const one = async <R>(made: Promise<R[]>): Promise<R> => (await made)[0]!
  rule = await one(
    db
      .insert(rules)
      .values({ companyId: company.id, name: 'r', position: 1, trigger: 'created', conditions: [], actions: [] })
      .returning(),
  )
  flow = await one(db.insert(flowTables.flows).values({ companyId: company.id, name: 'f' }).returning())
  version = await one(
    db
      .insert(flowTables.flowVersions)
      .values({ companyId: company.id, flowId: flow.id, number: 1, nodes: [] })
      .returning(),
  )
  campaign = await one(
    db
      .insert(campaignTables.campaigns)
      .values({ companyId: company.id, name: 'c', seed: 1, status: 'FINALIZADA' })
      .returning(),
  )
  list = await one(db.insert(lists.contactLists).values({ companyId: company.id, name: 'l' }).returning())
  const events = ['contact.erased', 'contact.updated'] as const
  hook = await one(
    db
      .insert(webhooks)
      .values({ companyId: company.id, url: 'https://example.com', events: [...events], secret: 's' })
      .returning(),
  )
}

/** All rows of all tables, as text. */
async function rowsAsText(database: Pick<TestDatabase, 'sql'>): Promise<string> {
  const names = await database.sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`
  let text = ''
  for (const { name } of names)
    for (const row of await database.sql.unsafe<{ t: string }[]>(`SELECT t::text AS t FROM "${name}" t`))
      text += `${name} ${row.t.replace(/\\x([0-9a-f]+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1'))}\n`
  return text
}

const foundIn = (text: string, marks: readonly string[]) => marks.filter((mark) => text.includes(mark))

function* filesUnder(path: string): Generator<string> {
  for (const name of existsSync(path) ? readdirSync(path) : []) {
    const at = join(path, name)
    if (statSync(at).isDirectory()) yield* filesUnder(at)
    else yield at
  }
}

/** The files of the database, once nothing of what is dead stands in them. */
async function bytesOfDatabase({ sql: raw }: Pick<TestDatabase, 'sql'>): Promise<Buffer> {
  await raw.unsafe('VACUUM FULL')
  await raw.unsafe('CHECKPOINT')
  const [row] = await raw<{ at: string }[]>`
    SELECT current_setting('data_directory') || '/base/' || oid AS at FROM pg_database WHERE datname = current_database()`
  return Buffer.concat([...filesUnder(row!.at)].map((path) => readFileSync(path)))
}

/** Does the jobs of a kind that wait, as the worker would. */
async function doJobs(media: Awaited<ReturnType<typeof createMediaStore>>, home = folder): Promise<void> {
  const { db, events, sealer } = t.deps
  const handlers = {
    ...privacyEffects({
      db,
      media,
      events,
      sealer,
      now: () => t.clock.now,
      remember: (one) => rememberErasure(home, rememberedOf(one)),
    }),
    ...mediaEffects({ db, media }),
  }
  for (let rounds = 0; rounds < 20; rounds++) {
    const due = await db
      .select()
      .from(jobs)
      .where(sql`kind LIKE 'privacy.%' OR kind = 'media.release'`)
      .orderBy(jobs.id)
      .limit(50)
    if (due.length === 0) return
    for (const { id, kind, payload, companyId } of due) {
      const handler = handlers[kind as keyof typeof handlers] as (effect: unknown, of: unknown) => Promise<void>
      await handler({ kind, ...payload }, { companyId, attempt: 1, last: false })
      await db.delete(jobs).where(eq(jobs.id, id))
    }
  }
}

describe('erasing a person', () => {
  test('leaves nothing of them in rows, files, bucket, bytes of the database and a restored backup, and all of everybody else', async () => {
    const media = await createMediaStore({ root: join(folder, 'media'), bucket: s3.bucket, secret: 's' })
    await shop()
    const ana = await plant('ANA', '87651835', media)
    const bia = await plant('BIA', '76543210', media)
    expect(ana.marks.length).toBeGreaterThanOrEqual(40)
    const stored = () => Buffer.concat([...s3.objects.values()].map((one) => Buffer.from(one.bytes))).toString('latin1')
    const before = await rowsAsText(t.database)
    // What waits for webhooks may be on its way already.
    const waits = (mark: string) => !mark.includes('-outbox-')
    const all = before + stored() + (await sealedAsText())
    expect(foundIn(all, ana.marks).filter(waits)).toEqual(ana.marks.filter(waits))
    const backup = join(folder, 'backups', 'one')
    const home = join(folder, 'home')
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'jwt.secret'), 'a secret of thirty-two characters or more\n')
    writeFileSync(join(home, 'encryption.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`)
    const config = parseConfig({ DATA_DIR: home, DATABASE_URL: t.database.url })
    const tools = { version: '5.1.0', log, progress: () => undefined }
    await writeBackup(config, backup, tools)

    const token = await t.login(admin.email)
    const preview = await t.call('GET', `/contacts/${ana.contact.id}/erase-preview`, { token })
    expect(preview.body.counts).toMatchObject({ messages: 3, tickets: 1, notes: 1, schedules: 1, drafts: 1, lists: 1 })
    const wrong = { confirm: 'Outra', reason: 'Pedido da titular' }
    expect(await t.call('POST', `/contacts/${ana.contact.id}/erase`, { token, body: wrong })).toMatchObject({
      ...{ status: 400, body: { error: 'ERR_CONFIRM_NAME' } },
    })
    const asked = await t.call('POST', `/contacts/${ana.contact.id}/erase`, {
      ...{ token, body: { confirm: ana.contact.name, reason: 'Pedido da titular' } },
    })
    expect(asked.status).toBe(200)
    await doJobs(media, home)

    expect(foundIn(await rowsAsText(t.database), ana.marks)).toEqual([])
    expect(foundIn(stored(), ana.marks)).toEqual([])
    expect(foundIn(await sealedAsText(), ana.marks)).toEqual([])
    expect(foundIn((await bytesOfDatabase(t.database)).toString('latin1'), ana.marks)).toEqual([])
    // Nothing of anybody else is missing.
    const kept = await rowsAsText(t.database)
    const sealed = await sealedAsText()
    expect(foundIn(kept + stored() + sealed, bia.marks).filter(waits)).toEqual(bia.marks.filter(waits))
    // Nor of who stood in one row with her, twice with each of both.
    expect(sealed.split(other.number).length - 1).toBe(6)

    const proof = (await t.call('GET', `/privacy/erasures/${asked.body.id}`, { token })).body
    expect(proof).toMatchObject({
      state: 'done',
      contactId: ana.contact.id,
      userId: admin.id,
      reason: 'Pedido da titular',
    })
    expect(proof.counts).toMatchObject({ messages: 3, tickets: 1, notes: 1, files: 2, optOuts: 1, webhooks: 2 })
    const [stated] = await t.deps.db.select().from(erasures).where(eq(erasures.id, asked.body.id))
    expect(proof.proof).toBe(proofOf(stated!))
    // Reports go on knowing what was written on the phone: it has an id that does not follow from ours.
    const [emptied] = await t.deps.db.select().from(messages).where(eq(messages.id, ana.message.id))
    expect(emptied!.wid).toBe(`erased:${ana.message.id}`)
    const [mine] = await t.deps.db
      .select()
      .from(messages)
      .where(sql`${messages.ticketId} = ${ana.ticket.id} AND ${messages.fromMe}`)
    expect(mine).toMatchObject({ wid: widOf(mine!.id), body: '', isDeleted: true })
    // Figures stay: the ticket, its clock, how it was rated, how many messages there were, and what they cost.
    const { db } = t.deps
    expect(await db.$count(tickets, eq(tickets.contactId, ana.contact.id))).toBe(1)
    expect(await db.$count(messages, eq(messages.ticketId, ana.ticket.id))).toBe(2)
    expect(await db.$count(ratings, eq(ratings.ticketId, ana.ticket.id))).toBe(1)
    expect(await db.$count(messageCosts, eq(messageCosts.ticketId, ana.ticket.id))).toBe(1)
    expect((await t.deps.db.select().from(jobs)).map(({ kind }) => kind)).not.toContain('privacy.erase')

    // The backup is older than the erasure: what it holds of her is erased as it is restored, by the journal beside it.
    const copy = await emptyTestDatabase()
    others.push(copy)
    const target = join(folder, 'restored')
    const restored = await restoreBackup(parseConfig({ DATA_DIR: target, DATABASE_URL: copy.url }), backup, tools)
    expect(restored.erased).toBe(1)
    const again = await rowsAsText(copy)
    expect(foundIn(again, ana.marks)).toEqual([])
    // Ratchets have turned since: a restore leaves them behind.
    const back = bia.marks.filter((mark) => kept.includes(mark) && !mark.includes('-ratchet-'))
    expect(foundIn(again, back)).toEqual(back)
  })

  test('goes on where it broke off, at whichever line that was, and counts nothing twice', async () => {
    const media = await createMediaStore({ root: join(folder, 'media'), secret: 's' })
    await shop()
    const caio = await plant('CAIO', '65432109', media)
    const token = await t.login(admin.email)
    const { body } = await t.call('POST', `/contacts/${caio.contact.id}/erase`, {
      ...{ token, body: { confirm: caio.contact.name, reason: 'Pedido do titular' } },
    })
    const { db, sealer } = t.deps
    // Each time it comes a little further than the time before.
    let steps = 0
    for (let most = 1; ; most++) {
      let left = most
      const breaking = new Proxy(db, {
        get(target, name) {
          if (name === 'transaction' && left-- <= 0) throw new Error('the machine is gone')
          return Reflect.get(target, name, target) as unknown
        },
      })
      steps++
      const done = await carryOut({ db: breaking, sealer, now: () => t.clock.now }, body.id).catch(() => undefined)
      if (done?.state === 'done') break
    }
    expect(steps).toBeGreaterThan(5)
    await doJobs(media)
    expect(foundIn(await rowsAsText(t.database), caio.marks)).toEqual([])
    const [erasure] = await db.select().from(erasures).where(eq(erasures.id, body.id))
    expect(erasure!.counts).toMatchObject({ messages: 3, tickets: 1, notes: 1, optOuts: 1 })
    expect(erasure!.proof).toBe(proofOf(erasure!))
  })

  test('ends, however many rows there are, and counts each', async () => {
    const media = await createMediaStore({ root: join(folder, 'media'), secret: 's' })
    await shop()
    const contact = await t.eg.contact(company.id, { name: 'Caco', number: '5511912340000' })
    const ticket = await t.eg.ticket(company.id, { contactId: contact.id, whatsappId: connection.id })
    // More than two batches.
    await t.deps.db.execute(sql`INSERT INTO messages (id, "companyId", "ticketId", "contactId", "whatsappId", wid, body)
      SELECT gen_random_uuid()::text, ${company.id}, ${ticket.id}, ${contact.id}, ${connection.id}, 'W' || n, 'dito ' || n
      FROM generate_series(1, 1234) n`)
    const token = await t.login(admin.email)
    const { body } = await t.call('POST', `/contacts/${contact.id}/erase`, {
      ...{ token, body: { confirm: 'Caco', reason: 'Pedido' } },
    })
    await doJobs(media)
    const proof = (await t.call('GET', `/privacy/erasures/${body.id}`, { token })).body
    expect(proof).toMatchObject({ state: 'done', counts: { messages: 1_234 } })
    expect(await t.deps.db.$count(messages, sql`${messages.ticketId} = ${ticket.id} AND ${messages.body} = ''`)).toBe(
      1_234,
    )
  })

  test('is refused while a court holds the data, and so is deleting the contact or a ticket of theirs', async () => {
    await shop()
    const contact = await t.eg.contact(company.id, { name: 'Dora' })
    const ticket = await t.eg.ticket(company.id, { contactId: contact.id })
    const token = await t.login(admin.email)
    const hold = (body: unknown) => t.call('PUT', `/contacts/${contact.id}/hold`, { token, body })
    expect((await hold({ until: '2020-01-01', reason: 'Processo 1' })).status).toBe(400)
    expect((await hold({ until: '2099-01-01' })).status).toBe(400)
    expect((await hold({ until: '2099-01-01', reason: 'Processo 1' })).status).toBe(200)
    const erase = () =>
      t.call('POST', `/contacts/${contact.id}/erase`, { token, body: { confirm: 'dora', reason: 'Pedido' } })
    const refusal = { status: 409, body: { error: 'ERR_LEGAL_HOLD', until: '2099-01-01' } }
    expect(await erase()).toMatchObject(refusal)
    expect(await t.call('DELETE', `/contacts/${contact.id}`, { token })).toMatchObject(refusal)
    expect(await t.call('DELETE', `/tickets/${ticket.id}`, { token })).toMatchObject(refusal)
    expect((await hold({ until: null })).status).toBe(200)
    expect((await erase()).status).toBe(200)
    expect(await erase()).toMatchObject({ status: 409, body: { error: 'ERR_CONTACT_ERASED' } })
  })

  test('who wants no messages to many gets none when their number is imported again, and is known when they write', async () => {
    const media = await createMediaStore({ root: join(folder, 'media'), secret: 's' })
    await shop()
    const { db } = t.deps
    const eva = await t.eg.contact(company.id, { name: 'Eva', number: '5511998877665' })
    await db.insert(optOuts).values({ companyId: company.id, number: eva.number!, key: '551198877665', source: 'word' })
    const token = await t.login(admin.email)
    await t.call('POST', `/contacts/${eva.id}/erase`, { token, body: { confirm: 'Eva', reason: 'Pedido' } })
    await doJobs(media)
    expect(await rowsAsText(t.database)).not.toMatch(/98877665/)
    const among = await optOutsAmong(db, company.id, { keys: ['551198877665', '551100000000'] })
    expect([...among.keys]).toEqual(['551198877665'])
    // Of another company it says nothing.
    const other = await t.eg.company()
    expect((await optOutsAmong(db, other.id, { keys: ['551198877665'] })).keys.size).toBe(0)
    // She writes again: the entry is one that she can take back, as any other.
    await t.eg.contact(company.id, { name: 'Eva', number: '5511998877665' })
    await doJobs(media)
    const [entry] = await db.select().from(optOuts).where(eq(optOuts.number, '5511998877665'))
    expect(entry).toMatchObject({ revokedAt: null })
    expect(await db.$count(erasedOptOuts, eq(erasedOptOuts.companyId, company.id))).toBe(
      (await db.select().from(erasedOptOuts).where(eq(erasedOptOuts.companyId, company.id))).length,
    )
  })

  test('what is told late of their messages writes nothing back, and makes nobody', async () => {
    const media = await createMediaStore({ root: join(folder, 'media'), secret: 's' })
    await shop()
    const lia = await plant('LIA', '43210987', media)
    const { db } = t.deps
    const rows = async () => ({
      messages: (await db.select().from(messages).where(eq(messages.ticketId, lia.ticket.id)).orderBy(messages.id)).map(
        // How far one of ours came says nothing of who had it.
        ({ ack: _ack, updatedAt: _at, ...row }) => row,
      ),
      tickets: await db.select().from(tickets).where(eq(tickets.companyId, company.id)).orderBy(tickets.id),
      contacts: await db.$count(contacts, eq(contacts.companyId, company.id)),
      changes: await db.$count(cloud.cloudChanges),
    })
    const of = await db.select().from(messages).where(eq(messages.ticketId, lia.ticket.id))
    const token = await t.login(admin.email)
    await t.call('POST', `/contacts/${lia.contact.id}/erase`, {
      ...{ token, body: { confirm: lia.contact.name, reason: 'Pedido da titular' } },
    })
    await doJobs(media)
    const before = await rows()
    const receive = createReceiver({
      ...{ db, now: () => t.clock.now, facts: companyFacts(db, 0), committed: () => undefined },
    })
    const from = { companyId: company.id, whatsappId: connection.id }
    const chat = { kind: 'person' as const, number: '5511943210987', lid: '123456743210987' }
    for (const { wid, fromMe } of of) {
      const told = { ...from, wid: wid!, chat, fromMe, participant: null, at: t.clock.now }
      await receive([{ kind: 'ack', ...from, wid: wid!, ack: 3, error: null }])
      await receive([{ kind: 'edit', ...told, body: 'LIA escreveu outra coisa' }])
      await receive([{ kind: 'reaction', ...told, emoji: '👍', by: chat.number }])
      await receive([{ kind: 'revoke', ...told }])
    }
    expect(await rows()).toEqual(before)
    expect(foundIn(await rowsAsText(t.database), lia.marks)).toEqual([])
  })

  test('browsers are told of whom to forget, each only what it has not followed', async () => {
    await shop()
    const contact = await t.eg.contact(company.id, { name: 'Fábio' })
    const ticket = await t.eg.ticket(company.id, { contactId: contact.id })
    const agent = await t.eg.user(company.id)
    const token = await t.login(admin.email)
    const theirs = await t.login(agent.email)
    const erased = (query: string) => t.call('GET', `/privacy/erased${query}`, { token: theirs })
    const { seq } = (await erased('')).body
    await t.call('POST', `/contacts/${contact.id}/erase`, { token, body: { confirm: 'Fábio', reason: 'Pedido' } })
    // Not before it is done: what they fetched meanwhile would hold rows of it.
    expect((await erased(`?after=${seq}`)).body.contactIds).toEqual([])
    await doJobs(await createMediaStore({ root: t.mediaRoot, secret: 's' }))
    const now = (await erased(`?after=${seq}`)).body
    expect(now).toMatchObject({ contactIds: [contact.id], ticketIds: [ticket.id] })
    expect((await erased(`?after=${now.seq}`)).body).toEqual({ seq: now.seq, contactIds: [], ticketIds: [] })
  })

  test('programs hear of it, and nothing of who it was', async () => {
    await shop()
    const { db } = t.deps
    const contact = await t.eg.contact(company.id, { name: 'Gil Segredo' })
    const token = await t.login(admin.email)
    await db.delete(webhookOutbox)
    await t.call('POST', `/contacts/${contact.id}/erase`, { token, body: { confirm: 'Gil Segredo', reason: 'Pedido' } })
    const told = await db.select().from(webhookOutbox).where(eq(webhookOutbox.companyId, company.id))
    expect(told.map(({ type, subject }) => [type, subject])).toEqual([['contact.erased', String(contact.id)]])
    expect(JSON.stringify(told)).not.toContain('Segredo')
  })
})

describe('a person’s data in a file', () => {
  const media = () => createMediaStore({ root: t.mediaRoot, secret: 's' })
  test('has all of them and nobody else’s, with the SHA-256 of each file, for whoever asked alone', async () => {
    await shop()
    const store = await media()
    const hugo = await plant('HUGO', '54321098', store)
    const ivo = await plant('IVO', '43210987', store)
    const token = await t.login(admin.email)
    const asked = await t.call('POST', `/contacts/${hugo.contact.id}/export`, { token, body: { notes: true } })
    expect(asked.body).toMatchObject({ state: 'waiting', url: null })
    await doJobs(store)
    const { body } = await t.call('GET', `/privacy/exports/${asked.body.id}`, { token })
    expect(body).toMatchObject({ state: 'ready', done: 3 })
    expect(body.url).toMatch(/^\/public\/company/)
    const reply = await t.call('GET', `${body.url}?download=1`, { token })
    expect(reply.status).toBe(200)
    const files = readZip(readFileSync(join(t.mediaRoot, body.url.slice('/public/'.length))))
    const names = Object.keys(files).sort()
    expect(names.map((name) => name.replace(hugo.message.id, 'ID'))).toEqual([
      ...[
        'contact.json',
        'manifest.json',
        'media/ID.txt',
        'media/picture.txt',
        'messages.ndjson',
        'notes.ndjson',
        'tickets.json',
      ],
    ])
    const text = Object.values(files)
      .map((one) => one.toString())
      .join('\n')
    const given = [
      'name',
      'username',
      'email',
      'value',
      'field',
      'whole',
      'in a group',
      'earlier',
      'spoken',
      'note',
      'schedule',
      'sent',
      'answer',
      'bytes',
    ]
    expect(given.filter((what) => !text.includes(`HUGO-${what}-`))).toEqual([])
    expect(foundIn(text, ivo.marks)).toEqual([])
    const manifest = JSON.parse(files['manifest.json']!.toString())
    for (const { path, sha256, bytes } of manifest.files) {
      expect(new Bun.CryptoHasher('sha256').update(files[path]!).digest('hex')).toBe(sha256)
      expect(files[path]!.length).toBe(bytes)
    }
    // Another admin neither sees nor fetches it, and after a week nobody does.
    const other = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
    expect((await t.call('GET', `/privacy/exports/${asked.body.id}`, { token: other })).status).toBe(404)
    expect((await t.call('GET', body.url, { token: other })).status).toBe(404)
    t.clock.advance(8 * 86_400_000)
    const later = await t.login(admin.email)
    expect((await t.call('GET', body.url, { token: later })).status).toBe(404)
    await sweepExports({ db: t.deps.db, media: store, now: () => t.clock.now })
    expect((await t.call('GET', `/privacy/exports/${asked.body.id}`, { token: later })).body.url).toBeNull()
  })

  test('can be given up while it is gathered, and leaves no file', async () => {
    await shop()
    const store = await media()
    const { contact } = await plant('JOÃO', '32109876', store)
    const token = await t.login(admin.email)
    const { body } = await t.call('POST', `/contacts/${contact.id}/export`, { token, body: {} })
    const before = [...filesUnder(t.mediaRoot)].length
    const { db, events, sealer } = t.deps
    const cancelling = {
      ...store,
      put: async (...args: Parameters<typeof store.put>) => {
        const stored = await store.put(...args)
        expect((await t.call('POST', `/privacy/exports/${body.id}/cancel`, { token })).body.state).toBe('cancelled')
        return stored
      },
    }
    const effects = privacyEffects({ db, media: cancelling, events, sealer, now: () => t.clock.now })
    await effects['privacy.export'](
      { kind: 'privacy.export', exportId: body.id },
      { companyId: company.id, attempt: 1, last: false },
    )
    expect((await t.call('GET', `/privacy/exports/${body.id}`, { token })).body).toMatchObject({
      state: 'cancelled',
      url: null,
    })
    expect([...filesUnder(t.mediaRoot)].length).toBe(before)
  })
})

describe('what is kept for a term', () => {
  test('goes at night, of people who are not held; the screen says before how much that is', async () => {
    await shop()
    const { db } = t.deps
    const token = await t.login(admin.email)
    const old = new Date(t.clock.now.getTime() - 40 * 86_400_000)
    const free = await t.eg.ticket(company.id)
    const held = await t.eg.ticket(company.id)
    await t.call('PUT', `/contacts/${held.contactId}/hold`, {
      token,
      body: { until: '2099-01-01', reason: 'Processo 2' },
    })
    for (const { id: ticketId, contactId } of [free, held]) {
      await t.eg.message(company.id, { ticketId, contactId, body: 'antiga', createdAt: old })
      await t.eg.message(company.id, { ticketId, contactId, body: 'nova', createdAt: t.clock.now })
    }
    const would = (days: number) => t.call('GET', `/privacy/retention?messages=${days}`, { token })
    expect((await would(30)).body).toEqual({ messages: 1, media: 0, traces: 0 })
    expect((await would(60)).body.messages).toBe(0)
    expect((await would(29)).status).toBe(400)
    const set = (value: string) => t.call('PUT', '/settings/retentionMessages', { token, body: { value } })
    expect((await set('29')).status).toBe(400)
    const agent = await t.login((await t.eg.user(company.id)).email)
    expect((await t.call('PUT', '/settings/retentionMessages', { token: agent, body: { value: '30' } })).status).toBe(
      403,
    )
    expect(await letGoOfOld({ db, now: () => t.clock.now, log })).toBe(0)
    expect((await set('30')).status).toBe(200)
    expect(await letGoOfOld({ db, now: () => t.clock.now, log })).toBe(1)
    const left = await db
      .select({ body: messages.body, ticketId: messages.ticketId })
      .from(messages)
      .where(eq(messages.companyId, company.id))
    expect(
      left
        .filter(({ ticketId }) => ticketId === free.id)
        .map(({ body }) => body)
        .sort(),
    ).toEqual(['', 'nova'])
    expect(
      left
        .filter(({ ticketId }) => ticketId === held.id)
        .map(({ body }) => body)
        .sort(),
    ).toEqual(['antiga', 'nova'])
    expect(await letGoOfOld({ db, now: () => t.clock.now, log })).toBe(0)
  })
})

describe('the register of requests', () => {
  test('says by which day each is to be answered, and who is late', async () => {
    await shop()
    const token = await t.login(admin.email)
    const day = (days: number) => new Date(t.clock.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
    const made = await t.call('POST', '/privacy/requests', {
      ...{ token, body: { subject: 'Lia', kind: 'access', law: 'lgpd', receivedAt: day(-20) } },
    })
    expect(made.body).toMatchObject({ state: 'open', dueAt: day(-5), contactId: null })
    await t.call('POST', '/privacy/requests', {
      token,
      body: { subject: 'Max', kind: 'erasure', law: 'lgpd', receivedAt: day(-1) },
    })
    expect(
      (
        await t.call('POST', '/privacy/requests', {
          token,
          body: { subject: 'Noa', kind: 'access', law: 'lgpd', receivedAt: day(9) },
        })
      ).status,
    ).toBe(400)
    const page = (await t.call('GET', '/privacy/requests', { token })).body
    expect(page).toMatchObject({ open: 2, late: 1 })
    expect(page.records.map(({ subject }: { subject: string }) => subject)).toEqual(['Lia', 'Max'])
    const done = await t.call('PUT', `/privacy/requests/${made.body.id}`, { token, body: { state: 'done' } })
    expect(done.body).toMatchObject({ state: 'done', closedAt: expect.any(String) })
    expect((await t.call('GET', '/privacy/requests', { token })).body).toMatchObject({ open: 1, late: 0 })
    const agent = await t.login((await t.eg.user(company.id)).email)
    expect((await t.call('GET', '/privacy/requests', { token: agent })).status).toBe(403)
    // The log knows that there was a request, and not whose.
    const log = JSON.stringify((await t.call('GET', '/audit?limit=100', { token })).body)
    expect(log).toContain('privacyRequest')
    expect(log).not.toMatch(/Lia|Max/)
  })
})

describe('a company that hides numbers', () => {
  test('shows nobody more than a part of one; who may reveal one does it on the record', async () => {
    await shop()
    const contact = await t.eg.contact(company.id, { name: '5511987651835', number: '5511987651835' })
    const token = await t.login(admin.email)
    const agent = await t.login((await t.eg.user(company.id)).email)
    const read = async (by: string) => (await t.call('GET', `/contacts/${contact.id}`, { token: by })).body
    expect((await read(agent)).number).toBe('5511987651835')
    const set = (value: string, by = token) => t.call('PUT', '/settings/maskNumbers', { token: by, body: { value } })
    expect((await set('enabled', agent)).status).toBe(403)
    expect((await set('enabled')).status).toBe(200)
    for (const by of [token, agent]) {
      expect(await read(by)).toMatchObject({ number: '+55 11 9••••-1835', name: '+55 11 9••••-1835' })
      const file = await t.call('GET', '/contacts/export?format=csv', { token: by })
      expect(JSON.stringify(file.body)).not.toContain('87651835')
    }
    // An agent neither reveals one nor sets up what would tell it; an admin does both, and it is written down.
    expect((await t.call('POST', `/contacts/${contact.id}/reveal`, { token: agent })).status).toBe(403)
    expect((await t.call('POST', `/contacts/${contact.id}/reveal`, { token })).body).toEqual({
      number: '5511987651835',
    })
    const [entry] = (await t.call('GET', '/audit?limit=1', { token })).body.records
    expect(entry).toMatchObject({ action: 'reveal', entity: 'contacts', entityId: String(contact.id) })
    expect((await t.call('GET', '/webhooks', { token })).status).toBe(200)
    await set('disabled')
    expect((await read(agent)).number).toBe('5511987651835')
  })
})
