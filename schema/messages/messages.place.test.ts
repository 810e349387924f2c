import { expect, test } from 'bun:test'
import { pointIn } from './messages.place.ts'

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
