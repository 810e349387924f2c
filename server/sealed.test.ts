import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MASK } from '../schema/secrets.ts'
import { type TestApp, testApp } from '../tests/support/app.ts'
import { anchorAudit } from './audit/anchors.writes.ts'
import { beginAnchors } from './audit/anchors.changes.ts'
import { verifyAudit } from './audit/audit.queries.ts'
import { readAccount } from './invoices/invoices.account.ts'
import { createSealer, sealText } from './seal.ts'
import { demandKey, openedBy } from './sealed.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const right = Buffer.alloc(32, 1)
const wrong = Buffer.alloc(32, 2)

test('a key that is lost for good is lived without: what it sealed goes, and the next start needs no word', async () => {
  const { sql, db } = t.database
  const company = await t.eg.company()
  const user = await t.eg.user(company.id, { profile: 'admin', super: true })
  const { id } = await t.eg.whatsapp(company.id)
  const sealer = createSealer(right)
  await sql`INSERT INTO whatsapp_credentials ("whatsappId", creds, linked) VALUES (${id}, ${sealer.seal(Buffer.from('{}'), `creds/${id}`)}, true)`
  await sql`INSERT INTO two_factors ("userId", "companyId", secret, recovery) VALUES (${user.id}, ${company.id}, ${sealText(sealer, 'ABC', `two-factor:${user.id}`)}, '{a,b}')`
  await sql`INSERT INTO payment_accounts ("companyId", provider, config, secrets)
    VALUES (1, 'pix', '{"pixKey":"a@b.test","pixName":"A","pixCity":"B"}', ${sealText(sealer, '{"webhookSecret":"old"}', 'payment_accounts')})
    ON CONFLICT ("companyId") DO UPDATE SET secrets = excluded.secrets, config = excluded.config`
  const anchors = (key: Buffer) => anchorAudit({ db, sealer: createSealer(key), log: t.deps.log })
  await sql`DELETE FROM audit_anchors`
  await beginAnchors(db, sealer)
  await anchors(right)
  const whole = await verifyAudit(db, sealer, company.id)
  expect(whole).toMatchObject({ intact: true })
  expect((await openedBy(sql, right)).refused).toEqual([])

  await expect(demandKey(sql, wrong, { lost: false })).rejects.toThrow('ENCRYPTION_KEY_LOST=yes')
  expect(await sql`SELECT FROM whatsapp_credentials`).toHaveLength(1)
  // With the right one the word does no harm.
  await demandKey(sql, right, { lost: true })
  expect(await sql`SELECT FROM whatsapp_credentials`).toHaveLength(1)

  await demandKey(sql, wrong, { lost: true })
  await demandKey(sql, wrong, { lost: false })
  expect(await sql`SELECT FROM whatsapp_credentials`).toHaveLength(0)
  const [factor] = await sql<{ secret: string; recovery: string[] }[]>`SELECT secret, recovery FROM two_factors`
  expect([factor!.secret === '', factor!.recovery]).toEqual([false, ['a', 'b']])
  // The audit log is whole, and goes on.
  const { count } = await verifyAudit(db, createSealer(wrong), company.id)
  await t.eg.user(company.id)
  await anchors(wrong)
  expect(await verifyAudit(db, createSealer(wrong), company.id)).toMatchObject({
    ...{ intact: true, count: count + 1 },
  })
  expect(await verifyAudit(db, sealer, company.id)).toMatchObject({ intact: false })
  expect(count).toBeGreaterThanOrEqual(whole.count)
  // What is no secret is kept, and a service that calls us gets a new word.
  expect(await readAccount(db, createSealer(wrong))).toMatchObject({ pixKey: 'a@b.test', webhookSecret: '' })
})

test('an account whose secrets were lost is told anew', async () => {
  const operator = await t.login((await t.eg.user((await t.eg.company()).id, { profile: 'admin', super: true })).email)
  const body = {
    provider: 'pix',
    pixKey: 'caixa@operador.test',
    pixName: 'Operador',
    pixCity: 'Recife',
    asaasKey: MASK,
  }
  expect((await t.call('PUT', '/invoices/provider', { token: operator, body })).status).toBe(200)
  const account = await readAccount(t.database.db, t.deps.sealer)
  expect(account!.webhookSecret.length).toBeGreaterThan(30)
})
