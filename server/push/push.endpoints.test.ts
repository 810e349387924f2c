import { expect, test } from 'bun:test'
import { isEndpoint } from './push.endpoints.ts'

const strict = { allowLoopback: false }

test('a push service is a public https address', () => {
  expect(isEndpoint('https://fcm.googleapis.com/fcm/send/abc', strict)).toBe(true)
  expect(isEndpoint('https://updates.push.services.mozilla.com/wpush/v2/abc', strict)).toBe(true)
  for (const refused of [
    'http://fcm.googleapis.com/abc',
    'http://127.0.0.1:8080/abc',
    'https://127.0.0.1/abc',
    'https://2130706433/abc',
    'https://10.1.2.3/abc',
    'https://192.168.0.1/abc',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://[::1]/abc',
    'https://[::ffff:10.0.0.1]/abc',
    'https://[fd00::1]/abc',
    'https://localhost/abc',
    'https://printer.local/abc',
    'https://metadata.google.internal/',
    'https://db/abc',
    'https://user:pass@push.example.com/',
    'https://push.example.com:5432/',
    'file:///etc/passwd',
    'nonsense',
  ])
    expect([refused, isEndpoint(refused, strict)]).toEqual([refused, false])
})

test('this machine is one only where tests say so', () => {
  expect(isEndpoint('http://127.0.0.1:8080/abc', { allowLoopback: true })).toBe(true)
  expect(isEndpoint('http://10.0.0.1/abc', { allowLoopback: true })).toBe(false)
})
