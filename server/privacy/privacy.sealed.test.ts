import { describe, expect, test } from 'bun:test'
import { withoutPerson } from './privacy.sealed.ts'

const names = new Set(['5511987651835', '12345678765', 'BR.abc123'])
const without = (value: unknown) => withoutPerson(value, { names })
const bia = '5511912345678'

describe('of what came and waits', () => {
  test('an event of the person goes, by whichever name and device', () => {
    for (const chat of [
      { number: '5511987651835' },
      { lid: '12345678765' },
      { jid: '5511987651835:7@s.whatsapp.net' },
      { id: 'BR.abc123' },
    ])
      expect([chat, without({ kind: 'message', chat, content: { type: 'text', body: 'Oi' } })]).toEqual([
        chat,
        undefined,
      ])
  })

  test('an event of somebody else stays as it is, also where its text has the number', () => {
    const event = {
      kind: 'message',
      chat: { number: bia },
      content: { type: 'text', body: 'fale com 5511987651835 já' },
    }
    expect(without(event)).toBe(event)
    const only = { kind: 'message', chat: { number: bia }, content: { type: 'text', body: '5511987651835' } }
    expect(without(only)).toBe(only)
    expect(without({ kind: 'message', chat: { number: '55119876518359' } })).not.toBeUndefined()
  })

  test('of a piece of history only their messages and their name go', () => {
    const of = (number: string) => ({ wid: number, chat: { number }, content: { type: 'text', body: number } })
    const piece = {
      messages: [of(bia), of('5511987651835')],
      people: [
        { number: '5511987651835', name: 'Ana' },
        { number: bia, name: 'Bia' },
      ],
    }
    expect(without(piece)).toEqual({ messages: [of(bia)], people: [{ number: bia, name: 'Bia' }] })
    expect(without({ messages: [of('5511987651835')], people: [] })).toBeUndefined()
    // One with nothing in it tells of nobody.
    const empty = { messages: [], people: [] }
    expect(without(empty)).toBe(empty)
  })

  test('of a webhook’s bytes others keep theirs, and numbers of other companies are not looked into', () => {
    const change = (phone: string, from: string[]) => ({
      field: 'messages',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '551130000000', phone_number_id: phone },
        contacts: from.map((wa_id) => ({ wa_id, profile: { name: `name of ${wa_id}` } })),
        messages: from.map((one) => ({ from: one, id: `wamid.${one.length}`, text: { body: 'Oi' } })),
      },
    })
    const body = (...changes: unknown[]) => ({ object: 'whatsapp_business_account', entry: [{ id: 'A', changes }] })
    const given = body(change('1', ['5511987651835', bia]), change('2', ['5511987651835']))
    const left = withoutPerson(given, { names, phoneNumberIds: new Set(['1']) })
    expect(left).toEqual(body(change('1', [bia]), change('2', ['5511987651835'])))
    expect(without(given)).toEqual(body(change('1', [bia])))
    expect(without(body(change('1', ['5511987651835'])))).toBeUndefined()
    const status = (recipient_id: string) => ({ id: 'wamid', status: 'delivered', recipient_id })
    const told = (list: unknown[]) => body({ field: 'messages', value: { metadata: {}, statuses: list } })
    expect(without(told([status('5511987651835'), status(bia)]))).toEqual(told([status(bia)]))
  })
})
