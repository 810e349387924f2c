import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { contactMerges } from '../../schema/contacts/merges.table.ts'
import { customFields } from '../../schema/custom-fields/custom-fields.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { mergeIdentity } from './contacts.identity.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('every table whose rows name a contact is one that a merge brings to the kept contact', async () => {
  const found = await t.database.sql<{ name: string }[]>`
    SELECT "table_name" AS name FROM information_schema.columns
    WHERE "table_schema" = 'public' AND "column_name" = 'contactId' ORDER BY 1`
  // Proofs of erasures name whom they name.
  const tables = [
    ...['contact_aliases', 'erasures', 'flow_runs', 'messages', 'privacy_exports', 'privacy_holds', 'privacy_requests'],
    ...['schedules', 'ticket_notes', 'tickets'],
  ]
  expect(found.map(({ name }) => name)).toEqual(tables)
})

async function counter() {
  const { db } = t.database
  const company = await t.eg.company()
  const admin = await t.eg.user(company.id, { profile: 'supervisor', name: 'Sofia' })
  const whatsapp = await t.eg.whatsapp(company.id)
  const token = await t.login(admin.email)
  return {
    db,
    companyId: company.id,
    admin,
    whatsapp,
    token,
    merge: (keptId: number, goneId: number) => t.call('POST', '/contacts/merge', { token, body: { keptId, goneId } }),
    undo: (id: number) => t.call('POST', `/contacts/merges/${id}/undo`, { token }),
    duplicates: async () => (await t.call('GET', '/contacts/duplicates', { token })).body,
    /** Everything of the company that a merge touches, in one order, times of change left out. */
    async rows() {
      const own = { companyId: company.id }
      const all = await Promise.all([
        db.select().from(contacts).where(eq(contacts.companyId, own.companyId)).orderBy(contacts.id),
        db.select().from(tickets).where(eq(tickets.companyId, own.companyId)).orderBy(tickets.id),
        db.select().from(messages).where(eq(messages.companyId, own.companyId)).orderBy(messages.id),
        db.select().from(ticketNotes).where(eq(ticketNotes.companyId, own.companyId)).orderBy(ticketNotes.id),
        db.select().from(schedules).where(eq(schedules.companyId, own.companyId)).orderBy(schedules.id),
        db
          .select()
          .from(ticketTrackings)
          .where(eq(ticketTrackings.companyId, own.companyId))
          .orderBy(ticketTrackings.id),
      ])
      return all.map((list) => (list as Record<string, unknown>[]).map(({ updatedAt: _updatedAt, ...row }) => row))
    },
  }
}

/** A closed and an active ticket with a message, a note and a planned message. */
async function served(c: Awaited<ReturnType<typeof counter>>, contact: { id: number }, body: string) {
  const { db, companyId, whatsapp } = c
  const base = { contactId: contact.id, whatsappId: whatsapp.id }
  const old = await t.eg.ticket(companyId, { ...base, status: 'closed', lastMessage: `old ${body}` })
  const active = await t.eg.ticket(companyId, { ...base, status: 'pending', lastMessage: body, unreadMessages: 1 })
  const oldMessage = await t.eg.messageIn(old, { body: `old ${body}`, read: true })
  const message = await t.eg.messageIn(active, { body })
  await db
    .insert(ticketNotes)
    .values({ id: newId(), companyId, ticketId: active.id, contactId: contact.id, note: `note ${body}` })
  await db
    .insert(schedules)
    .values({ id: newId(), companyId, contactId: contact.id, body: `later ${body}`, sendAt: new Date('2099-01-01') })
  return { old, active, oldMessage, message }
}

describe('duplicates', () => {
  test('are found by one number in two spellings, by e-mail, and by half a person each', async () => {
    const { companyId, duplicates } = await counter()
    const make = (values: object) => t.eg.contact(companyId, { nameSource: 'push', ...values })
    const a = await make({ name: 'Ana', number: '5511988887777' })
    const b = await make({ name: 'Ana L', number: '551188887777', email: 'ANA@x.com' })
    const ar = await make({ name: 'Sol', number: '541151238007' })
    const also = await make({ name: 'Sol', number: '5491151238007' })
    const c = await make({ name: 'Outra', number: '5521977776666', email: 'ana@x.com' })
    const d = await make({ name: 'Éder', number: '5521966665555' })
    const e = await make({ name: 'eder', number: null, lid: '99001122334455' })
    const f = await make({ name: 'Cadastrado com o LID', number: '77001122334455' })
    const g = await make({ name: 'Gil', number: '5531955554444', lid: '77001122334455' })
    await make({ name: 'Éder', number: '5521966665556', lid: '1', isGroup: true })
    const { groups } = await duplicates()
    expect(
      groups.map((group: { reason: string; contacts: { id: number }[] }) => [
        group.reason,
        group.contacts.map(({ id }) => id),
      ]),
    ).toEqual([
      ['lid', [d.id, e.id]],
      ['lid', [f.id, g.id]],
      ['number', [a.id, b.id]],
      ['number', [ar.id, also.id]],
      ['email', [b.id, c.id]],
    ])
  })

  test('are for those who may merge them', async () => {
    const { companyId } = await counter()
    const agent = await t.eg.user(companyId)
    const token = await t.login(agent.email)
    expect((await t.call('GET', '/contacts/duplicates', { token })).status).toBe(403)
    expect((await t.call('POST', '/contacts/merge', { token, body: { keptId: 1, goneId: 2 } })).status).toBe(403)
  })
})

describe('a merge', () => {
  test('brings tickets, messages, notes and planned messages to the kept contact, and undoing gives them all back', async () => {
    const c = await counter()
    const { companyId, merge, undo } = c
    const kept = await t.eg.contact(companyId, { name: 'Ana', nameSource: 'edited', number: '5511988887777' })
    const gone = await t.eg.contact(companyId, { name: 'ana', number: null, lid: '990011', email: 'ana@x.com' })
    const theirs = await served(c, gone, 'deles')
    const before = await c.rows()
    const { status, body } = await merge(kept.id, gone.id)
    expect(status).toBe(200)
    expect(body.contact).toMatchObject({ id: kept.id, name: 'Ana', number: '5511988887777', email: 'ana@x.com' })
    const [people, rows, texts, notes, planned] = (await c.rows()) as Record<string, unknown>[][]
    expect(people).toHaveLength(1)
    expect(people![0]).toMatchObject({ lid: '990011' })
    for (const row of [...rows!, ...texts!, ...notes!, ...planned!]) expect(row.contactId).toBe(kept.id)
    expect(rows!.map(({ id }) => id)).toEqual([theirs.old.id, theirs.active.id])

    expect((await undo(body.mergeId)).status).toBe(200)
    expect(await c.rows()).toEqual(before)
    expect(await undo(body.mergeId)).toMatchObject({ status: 409, body: { error: 'ERR_MERGE_UNDO' } })
  })

  test('brings fields of the company’s own that the kept contact lacks; undoing takes back what nobody has changed since', async () => {
    const c = await counter()
    const { companyId, merge, undo } = c
    const [city, size, plan] = (
      await t.database.db
        .insert(customFields)
        .values(
          ['Cidade', 'Tamanho', 'Plano'].map((name) => ({
            ...{ companyId, entity: 'contact' as const, type: 'text' as const, name, key: name.toLowerCase() },
          })),
        )
        .returning({ id: customFields.id })
    ).map(({ id }) => id) as [number, number, number]
    const kept = await t.eg.contact(companyId, { name: 'Ana', number: '5511988887777', fields: { [city]: 'Santos' } })
    const gone = await t.eg.contact(companyId, {
      ...{ name: 'ana', number: null, lid: '990011' },
      fields: { [city]: 'Lins', [size]: 'G', [plan]: 'ouro' },
    })
    const fieldsOf = async (id: number) =>
      (await t.database.db.select({ fields: contacts.fields }).from(contacts).where(eq(contacts.id, id)))[0]?.fields
    const { body } = await merge(kept.id, gone.id)
    expect(await fieldsOf(kept.id)).toEqual({ [city]: 'Santos', [size]: 'G', [plan]: 'ouro' })
    await t.database.db
      .update(contacts)
      .set({ fields: { [city]: 'Santos', [size]: 'G', [plan]: 'prata' } })
      .where(eq(contacts.id, kept.id))
    expect((await undo(body.mergeId)).status).toBe(200)
    expect(await fieldsOf(kept.id)).toEqual({ [city]: 'Santos', [plan]: 'prata' })
    expect(await fieldsOf(gone.id)).toEqual({ [city]: 'Lins', [size]: 'G', [plan]: 'ouro' })
  })

  test('of two contacts with an active ticket each makes one ticket; undone, both are there with what they had', async () => {
    const c = await counter()
    const { db, companyId, merge, undo } = c
    const kept = await t.eg.contact(companyId)
    const gone = await t.eg.contact(companyId)
    const mine = await served(c, kept, 'meu')
    const theirs = await served(c, gone, 'deles')
    await db
      .update(tickets)
      .set({ status: 'open', tagIds: [1] })
      .where(eq(tickets.id, theirs.active.id))
    const before = await c.rows()
    const { body } = await merge(kept.id, gone.id)
    const joined = await db
      .select()
      .from(tickets)
      .where(inArray(tickets.id, [mine.active.id, theirs.active.id]))
    // The one that somebody works on goes on, though it is the younger.
    expect(joined).toMatchObject([
      { id: theirs.active.id, status: 'open', contactId: kept.id, unreadMessages: 2, tagIds: [1] },
    ])
    expect(t.emitted).toContainEqual(
      expect.objectContaining({ name: 'ticket', action: 'delete', payload: { ticketId: mine.active.id } }),
    )

    expect((await undo(body.mergeId)).status).toBe(200)
    const after = await c.rows()
    // Both numbers stayed readable meanwhile; now nothing of it is left.
    expect(after).toEqual(before)
  })

  test('undone late leaves with the kept contact what was said since, and closes a ticket whose place is taken', async () => {
    const c = await counter()
    const { db, companyId, whatsapp, merge, undo } = c
    const kept = await t.eg.contact(companyId)
    const gone = await t.eg.contact(companyId)
    const mine = await served(c, kept, 'meu')
    const theirs = await served(c, gone, 'deles')
    const { body } = await merge(kept.id, gone.id)
    // The kept contact's ticket was the older one. It is resolved, the other contact's old one goes on.
    await db.update(tickets).set({ status: 'closed' }).where(eq(tickets.id, mine.active.id))
    await db.update(tickets).set({ status: 'pending' }).where(eq(tickets.id, theirs.old.id))
    const said = await t.eg.messageIn({ id: mine.active.id, companyId, contactId: kept.id, whatsappId: whatsapp.id })
    expect((await undo(body.mergeId)).status).toBe(200)
    const statuses = await db.select().from(tickets).where(eq(tickets.contactId, gone.id)).orderBy(tickets.id)
    expect(statuses.map(({ id, status }) => [id, status])).toEqual([
      [theirs.old.id, 'pending'],
      [theirs.active.id, 'closed'],
    ])
    const [message] = await db.select().from(messages).where(eq(messages.id, said.id))
    expect(message).toMatchObject({ ticketId: mine.active.id, contactId: kept.id })
  })

  test('undone, a ticket of the kept contact that had gone comes back closed when another has its place', async () => {
    const c = await counter()
    const { db, companyId, whatsapp, merge, undo } = c
    const kept = await t.eg.contact(companyId)
    const gone = await t.eg.contact(companyId)
    const mine = await served(c, kept, 'meu')
    const theirs = await served(c, gone, 'deles')
    await db.update(tickets).set({ status: 'open' }).where(eq(tickets.id, theirs.active.id))
    const { body } = await merge(kept.id, gone.id)
    await db.update(tickets).set({ status: 'closed' }).where(eq(tickets.id, theirs.active.id))
    const since = await t.eg.ticket(companyId, { contactId: kept.id, whatsappId: whatsapp.id, status: 'pending' })
    expect((await undo(body.mergeId)).status).toBe(200)
    const statuses = await db.select().from(tickets).where(eq(tickets.contactId, kept.id)).orderBy(tickets.id)
    expect(statuses.map(({ id, status }) => [id, status])).toEqual([
      [mine.old.id, 'closed'],
      [mine.active.id, 'closed'],
      [since.id, 'pending'],
    ])
  })

  test('cannot be undone once another contact has the number', async () => {
    const { db, companyId, merge, undo } = await counter()
    const kept = await t.eg.contact(companyId)
    const gone = await t.eg.contact(companyId)
    const { body } = await merge(kept.id, gone.id)
    await t.eg.contact(companyId, { number: gone.number })
    expect(await undo(body.mergeId)).toMatchObject({ status: 409, body: { error: 'ERR_MERGE_UNDO' } })
    expect(await db.select().from(contacts).where(eq(contacts.companyId, companyId))).toHaveLength(2)
  })

  test('keeps the number that has written, and the other one to be read', async () => {
    const c = await counter()
    const { companyId } = c
    const kept = await t.eg.contact(companyId, { number: '5511988887777' })
    const gone = await t.eg.contact(companyId, { number: '551188887777' })
    await served(c, gone, 'oi')
    const { body } = await c.merge(kept.id, gone.id)
    expect(body.contact).toMatchObject({ number: '551188887777' })
    expect(body.contact.extraInfo).toMatchObject([{ name: 'WhatsApp', value: '5511988887777' }])
  })

  test('is refused for groups and for one contact alone', async () => {
    const { companyId, merge } = await counter()
    const one = await t.eg.contact(companyId)
    const group = await t.eg.contact(companyId, { isGroup: true })
    expect((await merge(one.id, one.id)).status).toBe(400)
    expect((await merge(one.id, group.id)).status).toBe(400)
  })

  test('brings what the other was known by in the official API, and gives it back', async () => {
    const c = await counter()
    const { db, companyId } = c
    const kept = await t.eg.contact(companyId, { number: '5511988887711' })
    const gone = await t.eg.contact(companyId, { number: null })
    const own = { companyId, kind: 'bsuid' as const, scope: '7', since: new Date(0) }
    await db.insert(contactAliases).values([
      { ...own, contactId: gone.id, value: 'BR.1' },
      { ...own, contactId: gone.id, value: 'BR.0', until: new Date(1) },
    ])
    const known = async () =>
      (await db.select().from(contactAliases).where(eq(contactAliases.companyId, companyId)))
        .map(({ contactId, value }) => `${value} ${contactId}`)
        .sort()
    const { mergeId } = (await c.merge(kept.id, gone.id)).body as { mergeId: number }
    expect(await known()).toEqual([`BR.0 ${kept.id}`, `BR.1 ${kept.id}`])
    await c.undo(mergeId)
    expect(await known()).toEqual([`BR.0 ${gone.id}`, `BR.1 ${gone.id}`])
    // Two accounts that people make one: whoever writes under the other’s id is somebody again.
    await db.insert(contactAliases).values({ ...own, contactId: kept.id, value: 'BR.2' })
    const again = (await c.merge(kept.id, gone.id)).body as { mergeId: number }
    expect(await known()).toEqual([`BR.0 ${kept.id}`, `BR.2 ${kept.id}`])
    await c.undo(again.mergeId)
    expect(await known()).toEqual([`BR.0 ${gone.id}`, `BR.1 ${gone.id}`, `BR.2 ${kept.id}`])
  })

  test('that WhatsApp told of is recorded, and can be undone as well', async () => {
    const c = await counter()
    const { db, companyId } = c
    const byNumber = await t.eg.contact(companyId, { name: 'Ana', number: '5511988887777' })
    const byLid = await t.eg.contact(companyId, { name: 'Ana', number: null, lid: '990011' })
    await served(c, byLid, 'oi')
    await db.transaction((tx) => mergeIdentity(tx, companyId, { number: '5511988887777', lid: '990011' }, new Date()))
    expect(await db.select().from(contacts).where(eq(contacts.companyId, companyId))).toMatchObject([
      { id: byNumber.id, number: '5511988887777', lid: '990011' },
    ])
    const { merges } = await c.duplicates()
    expect(merges).toMatchObject([{ keptId: byNumber.id, goneName: 'Ana', userName: null }])
    expect((await c.undo(merges[0].id)).status).toBe(200)
    expect(
      await db.select().from(contacts).where(eq(contacts.companyId, companyId)).orderBy(contacts.id),
    ).toMatchObject([
      { id: byNumber.id, number: '5511988887777', lid: null },
      { id: byLid.id, number: null, lid: '990011' },
    ])
    expect(await db.select().from(contactMerges).where(eq(contactMerges.companyId, companyId))).toMatchObject([
      { undoneAt: expect.any(Date) },
    ])
  })

  test('leaves nothing of anybody once the contact is deleted that they became, but for who was parted again', async () => {
    const c = await counter()
    const { db, companyId, token } = c
    const picture = (letter: string) => `company${companyId}/contacts/${letter.repeat(48)}.png`
    const make = (letter: string) => t.eg.contact(companyId, { profilePicUrl: picture(letter) })
    const [a, b, kept, parted] = [await make('a'), await make('b'), await make('c'), await make('d')]
    await c.merge(a.id, b.id)
    await c.merge(kept.id, a.id)
    await c.undo((await c.merge(kept.id, parted.id)).body.mergeId)
    await db.delete(jobs)

    expect((await t.call('DELETE', `/contacts/${kept.id}`, { token })).status).toBe(200)
    expect(await db.select().from(contactMerges).where(eq(contactMerges.companyId, companyId))).toEqual([])
    const released = (await db.select().from(jobs)).map(({ payload }) => payload['path'])
    expect(released.sort()).toEqual(['a', 'b', 'c'].map(picture))
    expect((await t.call('GET', `/contacts/${parted.id}`, { token })).status).toBe(200)
  })
})
