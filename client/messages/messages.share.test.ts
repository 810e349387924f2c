import { expect, test } from 'bun:test'
import { numberTyped, pointIn } from './messages.share.ts'

test('a point is read as it is typed, and out of the addresses of maps', () => {
  const point = { latitude: -8.0578, longitude: -34.8829 }
  for (const text of [
    '-8.0578, -34.8829',
    ' -8.0578;-34.8829 ',
    '-8.0578 -34.8829',
    'https://maps.google.com/?q=-8.0578,-34.8829',
    'https://maps.google.com/maps?q=-8.0578%2C-34.8829&z=17',
    'https://www.google.com/maps/@-8.0578,-34.8829,15z',
    'https://www.google.com/maps/place/Loja/@-8.1,-34.9,17z/data=!3m1!4b1!4m6!3d-8.0578!4d-34.8829',
    'https://www.google.com/maps/search/?api=1&query=-8.0578%2C-34.8829',
    'https://maps.apple.com/?ll=-8.0578,-34.8829',
  ])
    expect([text, pointIn(text)]).toEqual([text, point])
})

test('what is no point is none', () => {
  for (const text of [
    '',
    'Rua A, 10',
    '91, 0',
    '0, 181',
    '1',
    '1,2,3',
    'https://maps.app.goo.gl/AbCd',
    '9'.repeat(10_000),
  ])
    expect([text.slice(0, 40), pointIn(text)]).toEqual([text.slice(0, 40), undefined])
})

test('a number is read with its country, and one that lacks a part is none', () => {
  for (const text of ['(11) 98765-4321', '+55 11 98765-4321', '5511987654321'])
    expect([text, numberTyped(text, '55')]).toEqual([text, '5511987654321'])
  expect(numberTyped('+351 912 345 678', '55')).toBe('351912345678')
  for (const text of ['98765-4321', '123', '', 'Rua A', '+1', '+55 11 9••••-4321'])
    expect([text, numberTyped(text, '55')]).toEqual([text, undefined])
})
