import { describe, expect, test } from 'bun:test'
import { storedForm } from '../../schema/messages/messages.content.ts'
import { clock, parseCards, parsePlace } from './messages.parts.ts'
import { fileSize } from '../kit/file-size.ts'
import { phoneText } from '../kit/phone-text.ts'

describe('a place', () => {
  test('comes back as it was stored', () => {
    const { body } = storedForm({
      type: 'location',
      latitude: -23.5,
      longitude: -46.6,
      name: 'Loja | Centro',
      thumbnail: 'QUJD',
    })
    expect(parsePlace(body)).toEqual({
      thumbnail: 'data:image/jpeg;base64,QUJD',
      mapUrl: 'https://maps.google.com/maps?q=-23.5%2C-46.6&z=17',
      label: 'Loja | Centro',
    })
  })
  test('without a picture it has none', () => {
    const { body } = storedForm({ type: 'location', latitude: 1, longitude: 2, name: '', thumbnail: null })
    expect(parsePlace(body)).toEqual({
      thumbnail: null,
      mapUrl: 'https://maps.google.com/maps?q=1%2C2&z=17',
      label: '1, 2',
    })
  })
  test('an address of another kind is never followed', () => {
    expect(parsePlace('javascript:alert(1)|data:text/html,x|Aqui').mapUrl).toBeNull()
    expect(parsePlace('data:image/svg+xml;base64,QUJD|https://m.example|x').thumbnail).toBeNull()
  })
})

describe('contact cards', () => {
  test('of older phones have their letters written as numbers, over several lines', () => {
    const card = [
      'BEGIN:VCARD',
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Concei=C3=A7=C3=A3o;Jo=',
      's=C3=A9;;;',
      'TEL;CELL;PREF:+5511977776666',
      'ORG;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:A=E7ougue',
      'EMAIL;INTERNET:ze@a.example',
      'END:VCARD',
    ].join('\r\n')
    expect(parseCards(card)).toEqual([
      {
        name: 'José Conceição',
        phones: [{ label: 'cell', text: '+5511977776666', dialled: '+5511977776666' }],
        emails: ['ze@a.example'],
        organization: 'Açougue',
      },
    ])
    // Half a letter is no reason to lose the card.
    expect(parseCards('BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:Z=C3=\nEND:VCARD')).toHaveLength(1)
  })

  test('name, phones with their WhatsApp numbers, mail and organisation are read', () => {
    const card =
      'BEGIN:VCARD\nVERSION:3.0\nN:Souza;Ana;;;\nFN:Ana Souza\nORG:Padaria\\, Ltda;\nitem1.TEL;waid=5511988887766:+55 11 98888-7766\nEMAIL;type=HOME:ana@a.example\nEND:VCARD'
    expect(parseCards(card)).toEqual([
      {
        name: 'Ana Souza',
        organization: 'Padaria, Ltda',
        phones: [{ label: '', text: '+55 11 98888-7766', dialled: '+5511988887766' }],
        emails: ['ana@a.example'],
      },
    ])
  })
  test('several cards in one message are several', () => {
    const one = (name: string) => `BEGIN:VCARD\r\nFN:${name}\r\nTEL;type=CELL:+5511 9\r\nEND:VCARD`
    expect(parseCards(`${one('A')}\n${one('B')}`).map((card) => card.name)).toEqual(['A', 'B'])
  })
  test('a card without a name is called by its number', () => {
    expect(parseCards('BEGIN:VCARD\nTEL:123\nEND:VCARD')[0]?.name).toBe('123')
  })
  test('a text that is no card gives none', () => {
    expect(parseCards('olá')).toEqual([])
  })
})

test('sizes and times are written as people read them', () => {
  expect(fileSize(0, 'pt')).toBe('0 B')
  expect(fileSize(12_400, 'pt')).toBe('12 kB')
  expect(fileSize(1_440_000, 'pt')).toBe('1,4 MB')
  expect(clock(65.9)).toBe('1:05')
  expect(clock(3725)).toBe('1:02:05')
  expect(clock(Number.NaN)).toBe('0:00')
})
test('phone numbers: Brazilian ones spaced, others with a plus, group ids as they are', () => {
  expect(phoneText('5511988887766')).toBe('+55 11 98888-7766')
  expect(phoneText('351912345678')).toBe('+351912345678')
  expect(phoneText('11988887766')).toBe('11 98888-7766')
  expect(phoneText('12025550123')).toBe('+12025550123')
  expect(phoneText('120363041234567890')).toBe('120363041234567890')
  expect(phoneText(null)).toBe('')
})
