import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { examples } from '../../tests/example-data.ts'
import { createActivity } from './whatsapps.activity.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('when messages last came and went is written and told, at most once a minute', async () => {
  const { db } = t.database
  const company = await t.eg.company()
  const connection = await t.eg.whatsapp(company.id)
  const start = t.clock.now
  const activity = createActivity({ db, events: t.events, now: () => t.clock.now, log: t.deps.log })
  const inbound = (fromMe: boolean) => examples(db).inbound(connection, { fromMe })
  const told = () => t.emitted.filter(({ name, companyId }) => name === 'whatsapp' && companyId === company.id)
  const row = async () => (await db.select().from(whatsapps).where(eq(whatsapps.id, connection.id)))[0]!
  const heard = async (count: number) => {
    const deadline = Date.now() + 5_000
    while (told().length < count && Date.now() < deadline) await Bun.sleep(5)
    expect(told()).toHaveLength(count)
  }

  // What the owner typed on the phone did not come from a contact.
  activity.came([inbound(true)])
  for (let i = 0; i < 50; i++) activity.came([inbound(false)])
  await heard(1)
  expect(await row()).toMatchObject({ lastMessageInAt: start, lastMessageOutAt: null })

  t.clock.advance(59_000)
  activity.came([inbound(false)])
  activity.went(connection.id)
  await heard(2)
  expect(await row()).toMatchObject({ lastMessageInAt: start, lastMessageOutAt: t.clock.now })

  t.clock.advance(1_000)
  activity.came([inbound(false)])
  await heard(3)
  expect((await row()).lastMessageInAt).toEqual(t.clock.now)
})
