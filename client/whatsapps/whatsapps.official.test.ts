import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { MASK } from '../../schema/secrets.ts'
import { cloudInput } from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import { blankOfficial, changedIn, formOf, reachedBy, rulesOf, stepOf } from './whatsapps.official.ts'

const known = {
  ...{ phoneNumberId: '9001', accountId: '1001', version: 'v26.0', coexistence: false, quality: null },
  webhookPath: '/cloud-api/x',
}

test('each value of the service stands on one step, and all of them together are what the server wants', () => {
  const steps = Object.keys(cloudInput.properties).map((field) => [field, stepOf(field)])
  expect(Object.fromEntries(steps)).toEqual({
    ...{ phoneNumberId: 'number', accountId: 'number', version: 'number', coexistence: 'number' },
    ...{ token: 'keys', appSecret: 'keys', verifyToken: 'keys' },
  })
  expect(stepOf('name')).toBe('general')
  const filled = {
    ...blankOfficial(),
    phoneNumberId: '9001',
    accountId: '1001',
    token: 'EAAtoken',
    appSecret: 'a'.repeat(32),
  }
  for (const rules of [...Object.values(rulesOf), cloudInput]) expect(Value.Check(rules, filled)).toBe(true)
  expect(Value.Check(rulesOf.number, blankOfficial())).toBe(false)
})

test('the word for the webhook is another one each time', () =>
  expect(new Set(Array.from({ length: 20 }, () => blankOfficial().verifyToken)).size).toBe(20))

test('what the form holds besides never reaches the service’s values', () =>
  expect(Object.keys(reachedBy({ ...formOf(known), ...{ name: 'Loja' } }))).not.toContain('name'))

test('secrets that are kept are shown as such, and only what was changed is sent', () => {
  const before = formOf(known)
  expect([before.token, before.appSecret, before.verifyToken]).toEqual([MASK, MASK, MASK])
  expect(changedIn(before, before)).toEqual({})
  expect(changedIn({ ...before, token: 'EAAanother', coexistence: true }, before)).toEqual({
    ...{ token: 'EAAanother', coexistence: true },
  })
})
