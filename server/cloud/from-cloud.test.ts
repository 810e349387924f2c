import { expect, test } from 'bun:test'
import type { InboundMessage } from '../../schema/messages/messages.inbound.ts'
import { fromCloud, numberIdOf } from './from-cloud.ts'

const now = new Date('2026-11-29T12:00:00Z')
const facts = { companyId: 1, whatsappId: 2, portfolio: '7', now }
const from = '5511987654321'
const told = (message: Record<string, unknown>, value: Record<string, unknown> = {}) =>
  fromCloud(
    'messages',
    {
      contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
      messages: [{ from, id: 'wamid.A', timestamp: String(now.getTime() / 1000 - 5), ...message }],
      ...value,
    },
    facts,
  )
/** The one event that a message becomes; its reason where it becomes none. */
const heard = (message: Record<string, unknown>) => {
  const [update] = told(message)
  if (update?.is === 'ignored') return update.reason
  return update?.is === 'event' ? update.event : undefined
}
const contentOf = (message: Record<string, unknown>) => (heard(message) as InboundMessage).content
const file = { id: '77', mime_type: 'image/jpeg; charset=x', sha256: 'x' }
const media = (mimetype: string, fileName: string | null = null) => ({ mimetype, fileName, size: null })

test('somebody who rings opens the window, once for each call; its end and calls of ours say nothing', () => {
  const calls = [
    { id: 'wacid.1', from, to: '551133330000', event: 'connect', direction: 'USER_INITIATED', timestamp: '1764417600' },
    { id: 'wacid.1', from, event: 'terminate', direction: 'USER_INITIATED', timestamp: '1764417660' },
    { id: 'wacid.2', from, event: 'connect', direction: 'BUSINESS_INITIATED', timestamp: '1764417600' },
  ]
  const updates = fromCloud('calls', { calls }, facts)
  expect(updates.map((one) => (one.is === 'event' ? one.event.kind : one.is))).toEqual(['call', 'ignored', 'ignored'])
  expect(updates[0]).toMatchObject({
    event: { callId: 'wacid.1', opens: true, from: { kind: 'person', number: from } },
  })
})

test('a reaction of a contact opens it; one that is taken back, and one on the phone that shares the number, do not', () => {
  const reaction = (emoji: string) => heard({ type: 'reaction', reaction: { message_id: 'wamid.B', emoji } })
  expect([reaction('❤️'), reaction('')]).toEqual([
    expect.objectContaining({ kind: 'reaction', opens: true }),
    expect.not.objectContaining({ opens: true }),
  ])
})

test('every kind that a contact sends is read by an agent', () => {
  const kinds: [Record<string, unknown>, unknown][] = [
    [
      { type: 'text', text: { body: 'Olá, é a Ana' } },
      { type: 'text', text: 'Olá, é a Ana' },
    ],
    [
      { type: 'image', image: { ...file, caption: 'bolo' } },
      { type: 'image', media: media('image/jpeg'), caption: 'bolo' },
    ],
    [
      { type: 'video', video: { id: '7' } },
      { type: 'video', media: media('video/mp4'), caption: '' },
    ],
    [
      { type: 'document', document: { id: '7', mime_type: 'application/pdf', filename: 'nota.pdf' } },
      { type: 'document', media: media('application/pdf', 'nota.pdf'), caption: '' },
    ],
    [
      { type: 'audio', audio: { id: '7', mime_type: 'audio/ogg; codecs=opus', voice: true } },
      { type: 'audio', media: media('audio/ogg'), voice: true, seconds: null },
    ],
    [
      { type: 'sticker', sticker: { id: '7' } },
      { type: 'sticker', media: media('image/webp'), caption: '' },
    ],
    [
      { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Padaria' } },
      { type: 'location', latitude: -23.5, longitude: -46.6, name: 'Padaria', thumbnail: null },
    ],
    [
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: '1', title: 'Vendas' } } },
      { type: 'text', text: 'Vendas' },
    ],
    [
      {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Bolos', description: 'por encomenda' } },
      },
      { type: 'text', text: 'Bolos\npor encomenda' },
    ],
    [
      {
        type: 'interactive',
        interactive: {
          type: 'nfm_reply',
          nfm_reply: { body: 'Sent', response_json: '{"nome":"Ana","idade":30,"flow_token":"x"}' },
        },
      },
      { type: 'text', text: 'nome: Ana\nidade: 30' },
    ],
    [
      { type: 'button', button: { payload: 'p', text: 'Quero' } },
      { type: 'text', text: 'Quero' },
    ],
    [
      {
        type: 'order',
        order: {
          text: 'para sábado',
          product_items: [{ product_retailer_id: 'bolo', quantity: 2, item_price: 30, currency: 'BRL' }],
        },
      },
      { type: 'notice', kind: 'order', text: 'para sábado\n2 × bolo 30 BRL' },
    ],
    [
      { type: 'systemic', systemic: { body: 'Ana mudou de número' } },
      { type: 'notice', kind: 'phone_only', text: 'Ana mudou de número' },
    ],
    [
      { type: 'unsupported', errors: [{ code: 131051 }], unsupported: { type: 'poll' } },
      { type: 'notice', kind: 'phone_only', text: '' },
    ],
    [
      { type: 'image', errors: [{ code: 131052 }], image: {} },
      { type: 'notice', kind: 'phone_only', text: '' },
    ],
    [
      { type: 'something_new', something_new: { body: 'novo' } },
      { type: 'notice', kind: 'phone_only', text: 'novo' },
    ],
  ]
  for (const [message, content] of kinds) expect(contentOf(message)).toEqual(content as never)
  const card = contentOf({
    type: 'contacts',
    contacts: [
      { name: { formatted_name: 'Rui; Filho' }, phones: [{ phone: '+55 11 98888-7777', wa_id: '5511988887777' }] },
    ],
  })
  expect(card).toMatchObject({ type: 'contacts', cards: [{ displayName: 'Rui; Filho' }] })
  const { vcard } = (card as { cards: { vcard: string }[] }).cards[0]!
  expect(vcard).toContain('TEL;type=CELL;waid=5511988887777:+55 11 98888-7777')
  expect(vcard).toContain('FN:Rui\\; Filho')
})

test('a message carries who wrote it, when, what it answers, and the ad it came by', () => {
  const event = heard({
    type: 'text',
    text: { body: 'vi o anúncio' },
    context: { from: 'x', id: 'wamid.Q' },
    referral: { source_url: 'https://fb.me/x', source_type: 'ad', headline: 'Bolos', body: 'Hoje', ctwa_clid: 'c' },
  })
  expect(event).toEqual({
    ...{
      companyId: 1,
      whatsappId: 2,
      kind: 'message',
      wid: 'wamid.A',
      participant: null,
      fromMe: false,
      chatName: 'Ana',
    },
    chat: { kind: 'person', number: from, lid: null },
    ...{ sentAt: new Date(now.getTime() - 5_000), offline: false, quotedWid: 'wamid.Q' },
    content: { type: 'text', text: 'vi o anúncio' },
    about: { is: 'ad', title: 'Bolos', text: 'Hoje', url: 'https://fb.me/x' },
  })
  expect(
    heard({ type: 'text', text: { body: 'ontem' }, timestamp: String(now.getTime() / 1000 - 86_400) }),
  ).toMatchObject({
    offline: true,
  })
})

test('reactions, edits and deletions are about another message', () => {
  expect(heard({ type: 'reaction', reaction: { message_id: 'wamid.O', emoji: '👍' } })).toMatchObject({
    ...{ kind: 'reaction', wid: 'wamid.O', emoji: '👍', by: from },
  })
  expect(heard({ type: 'reaction', reaction: { message_id: 'wamid.O' } })).toMatchObject({ emoji: '' })
  expect(
    heard({
      type: 'edit',
      edit: { original_message_id: 'wamid.O', message: { type: 'text', text: { body: 'novo' } } },
    }),
  ).toMatchObject({ kind: 'edit', wid: 'wamid.O', body: 'novo', fromMe: false })
  expect(heard({ type: 'revoke', revoke: { original_message_id: 'wamid.O' } })).toMatchObject({
    ...{ kind: 'revoke', wid: 'wamid.O', fromMe: false },
  })
})

test('what was written on the phone that shares the number is ours, in the chat of whom it was written to', () => {
  const [update] = fromCloud(
    'smb_message_echoes',
    {
      message_echoes: [
        { from: '551130000000', to: from, id: 'wamid.E', timestamp: '1', type: 'text', text: { body: 'já vai' } },
      ],
    },
    facts,
  )
  expect(update).toMatchObject({
    event: { kind: 'message', fromMe: true, chat: { number: from }, chatName: null, content: { text: 'já vai' } },
  })
})

test('what is no message is ignored with its reason, and never fails', () => {
  expect(heard({ type: 'text', text: { body: 'oi' }, from: undefined })).toBe('no_number')
  expect(heard({ type: 'text', id: '' })).toBe('no_id')
  expect(heard({ type: 'text', group_id: 'g' })).toBe('group')
  expect(heard({ type: 'system', system: { type: 'user_changed_user_id' } })).toBe('system')
  expect(heard({ type: 'request_welcome' })).toBe('request_welcome')
  expect(heard({ type: 'reaction', reaction: {} })).toBe('no_target')
  expect(heard({ type: 'edit', edit: { original_message_id: 'wamid.O', message: {} } })).toBe('edit_without_text')
  const reasons = (field: string, value: unknown) =>
    fromCloud(field, value, facts).map((update) => (update.is === 'ignored' ? update.reason : update.is))
  expect(reasons('history', {})).toEqual(['past'])
  expect(reasons('whatever', {})).toEqual(['field_unknown'])
  expect(reasons('messages', {})).toEqual(['empty'])
  expect(reasons('messages', 'text')).toEqual(['unreadable'])
  expect(
    reasons('messages', { messages: [null, 3, {}], statuses: [null, { id: 'wamid.A', status: 'constructor' }] }),
  ).toEqual([...['unreadable', 'unreadable', 'no_id', 'unreadable', 'status_unknown']])
  for (const value of [{}, { metadata: 3 }, { metadata: { phone_number_id: "1' OR 1" } }, null])
    expect(numberIdOf(value)).toBeUndefined()
})

test('who hides their number is known by their id', () => {
  const told = (message: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    fromCloud(
      'messages',
      {
        contacts: [{ profile: { name: 'Ana', username: '@ana.p' }, user_id: 'BR.1', parent_user_id: 'BR.ENT.9' }],
        messages: [{ id: 'wamid.A', timestamp: '1', from_user_id: 'BR.1', ...message }],
        ...more,
      },
      facts,
    ).map((update) => (update.is === 'event' ? update.event : update))
  const bsuid = { portfolio: '7', id: 'BR.1', parent: null }
  expect(told({ type: 'text', text: { body: 'oi' }, from_parent_user_id: 'BR.ENT.9' })).toMatchObject([
    { chat: { number: null, bsuid: { ...bsuid, parent: 'BR.ENT.9' } }, chatName: 'Ana', username: 'ana.p' },
  ])
  // The number that somebody gives when asked is theirs; a card that they pass on may be anybody’s.
  const card = { name: { formatted_name: 'Ana' }, phones: [{ phone: '+55 11 98765-4321', wa_id: from }] }
  const [said, given] = told({ type: 'contacts', contacts: [{ ...card, origin: 'contact_request' }] })
  expect(said).toMatchObject({ kind: 'message', content: { type: 'contacts' } })
  expect(given).toMatchObject({ kind: 'identity', number: from, lid: null, bsuid: { portfolio: '7', id: 'BR.1' } })
  expect(told({ type: 'contacts', contacts: [card] })).toHaveLength(1)
  const system = { type: 'user_changed_user_id', user_id: 'BR.2', previous_user_id: 'BR.1' }
  expect(told({ type: 'system', system })).toMatchObject([
    { kind: 'renamed', before: { number: null, bsuid }, after: { number: null, bsuid: { ...bsuid, id: 'BR.2' } } },
  ])
  expect(told({ type: 'text', text: { body: 'oi' }, from_user_id: "x' OR" }, { contacts: [] })).toEqual([
    { is: 'ignored', reason: 'no_number' },
  ])
})

test('a state says how far a message of ours came, whose it is, and why it failed', () => {
  const status = (more: Record<string, unknown>) => {
    const [update] = fromCloud('messages', { statuses: [{ id: 'wamid.S', timestamp: '1', ...more }] }, facts)
    return update?.is === 'status' ? update.status : undefined
  }
  expect(status({ status: 'delivered', biz_opaque_callback_data: 'our-id' })).toEqual({
    ...{ wamid: 'wamid.S', state: 3, callback: 'our-id', error: null },
    charge: { wamid: 'wamid.S', deliveredAt: new Date(1000), class: null, rank: 0, market: '' },
    pair: null,
  })
  expect(status({ status: 'failed', errors: [{ code: 131047, title: 'Re-engagement' }] })).toMatchObject({
    ...{ state: 2, callback: null, error: 'cloud_window_closed:131047' },
  })
})
