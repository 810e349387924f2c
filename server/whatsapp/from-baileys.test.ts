import { describe, expect, test } from 'bun:test'
import { proto, type WAMessage } from './baileys.ts'
import { fromBaileys, type MessageFacts, receiptOf, shortened } from './from-baileys.ts'
import { toBaileys } from './to-baileys.ts'

const facts: MessageFacts = { companyId: 1, whatsappId: 7, offline: false, groups: false, known: null, subject: null }
const eg = (
  message: proto.IMessage | null,
  key: Partial<WAMessage['key']> = {},
  rest: Partial<WAMessage> = {},
): WAMessage => ({
  key: { remoteJid: '20005@lid', remoteJidAlt: '5511999@s.whatsapp.net', id: 'W1', fromMe: false, ...key },
  messageTimestamp: 1_700_000_000,
  pushName: 'Ana',
  message,
  ...rest,
})
const read = (message: WAMessage, more: Partial<MessageFacts> = {}) => {
  const converted = fromBaileys(message, { ...facts, ...more })
  return 'event' in converted ? converted.event : converted.ignored
}
const contentOf = (message: proto.IMessage) => {
  const event = read(eg(message))
  return typeof event === 'object' && event.kind === 'message' ? event.content : event
}

describe('who is speaking', () => {
  test('a person has both names, wherever they were found', () => {
    expect(read(eg({ conversation: 'oi' }))).toMatchObject({
      chat: { kind: 'person', number: '5511999', lid: '20005' },
      chatName: 'Ana',
    })
    const onlyLid = eg({ conversation: 'oi' }, { remoteJidAlt: undefined })
    expect(read(onlyLid)).toMatchObject({ chat: { number: null, lid: '20005' } })
    expect(read(onlyLid, { known: { number: '5511999', lid: '20005' } })).toMatchObject({
      chat: { number: '5511999', lid: '20005' },
    })
    expect(
      read(eg({ conversation: 'oi' }, { remoteJid: '5511999:12@s.whatsapp.net', remoteJidAlt: undefined })),
    ).toMatchObject({
      chat: { number: '5511999', lid: null },
    })
  })

  test('what the owner typed carries nobody’s name', () => {
    expect(read(eg({ conversation: 'oi' }, { fromMe: true }))).toMatchObject({
      fromMe: true,
      chatName: null,
      participant: null,
    })
  })

  test('in a group, the chat is the group and the person takes part', () => {
    const message = eg(
      { conversation: 'oi' },
      {
        remoteJid: '1203@g.us',
        remoteJidAlt: undefined,
        participant: '20005@lid',
        participantAlt: '5511999@s.whatsapp.net',
      },
    )
    expect(read(message)).toBe('group')
    expect(read(message, { groups: true, subject: 'Vizinhos' })).toMatchObject({
      chat: { kind: 'group', groupId: '1203' },
      chatName: 'Vizinhos',
      participant: { number: '5511999', lid: '20005', pushName: 'Ana' },
    })
  })

  test('a broadcast list is a person writing to us', () => {
    const message = eg(
      { conversation: 'promo' },
      { remoteJid: '99@broadcast', remoteJidAlt: undefined, participant: '5511999@s.whatsapp.net' },
    )
    expect(read(message)).toMatchObject({ chat: { kind: 'person', number: '5511999' } })
  })
})

describe('what is said', () => {
  test('texts, in all their wrappings', () => {
    for (const message of [
      { conversation: 'oi' },
      { extendedTextMessage: { text: 'oi' } },
      { ephemeralMessage: { message: { extendedTextMessage: { text: 'oi' } } } },
      { viewOnceMessage: { message: { conversation: 'oi' } } },
      { buttonsResponseMessage: { selectedDisplayText: 'oi' } },
      { listResponseMessage: { title: 'oi' } },
      { templateButtonReplyMessage: { selectedDisplayText: 'oi' } },
      { interactiveResponseMessage: { body: { text: 'oi' } } },
    ] satisfies proto.IMessage[]) {
      expect(contentOf(message)).toEqual({ type: 'text', text: 'oi' })
    }
  })

  test('files, with what the sender announced', () => {
    expect(contentOf({ imageMessage: { mimetype: 'image/png', caption: 'c', fileLength: 10 } })).toEqual({
      type: 'image',
      media: { mimetype: 'image/png', fileName: null, size: 10 },
      caption: 'c',
    })
    expect(contentOf({ viewOnceMessageV2: { message: { videoMessage: { fileLength: 3 } } } })).toMatchObject({
      type: 'video',
      media: { mimetype: 'video/mp4' },
    })
    const drawn = { ptt: true, waveform: Uint8Array.from([0, 50, 100, 0]) }
    expect(contentOf({ audioMessage: drawn })).toMatchObject({
      waveform: `${'0'.repeat(16)}${'i'.repeat(16)}${'z'.repeat(16)}${'0'.repeat(16)}`,
    })
    expect(contentOf({ audioMessage: { ptt: true, seconds: 4, mimetype: 'audio/ogg; codecs=opus' } })).toMatchObject({
      type: 'audio',
      voice: true,
      seconds: 4,
    })
    expect(
      contentOf({
        documentWithCaptionMessage: {
          message: { documentMessage: { fileName: 'a.pdf', caption: 'nota', mimetype: 'application/pdf' } },
        },
      }),
    ).toEqual({
      type: 'document',
      media: { mimetype: 'application/pdf', fileName: 'a.pdf', size: null },
      caption: 'nota',
    })
    expect(contentOf({ stickerMessage: {} })).toMatchObject({ type: 'sticker', media: { mimetype: 'image/webp' } })
  })

  test('places and people', () => {
    expect(
      contentOf({
        locationMessage: { degreesLatitude: 1, degreesLongitude: 2, address: 'Rua A', jpegThumbnail: Buffer.from('x') },
      }),
    ).toEqual({
      type: 'location',
      latitude: 1,
      longitude: 2,
      name: 'Rua A',
      thumbnail: 'eA==',
    })
    expect(
      contentOf({
        contactsArrayMessage: {
          contacts: [
            { displayName: 'A', vcard: 'VA' },
            { displayName: 'B', vcard: 'VB' },
          ],
        },
      }),
    ).toEqual({
      type: 'contacts',
      cards: [
        { displayName: 'A', vcard: 'VA' },
        { displayName: 'B', vcard: 'VB' },
      ],
    })
  })

  test('what cannot be shown is named', () => {
    expect(contentOf({ pollCreationMessageV3: { name: 'Quando?', options: [{ optionName: 'Hoje' }] } })).toEqual({
      type: 'unsupported',
      what: 'Quando?\n• Hoje',
    })
    expect(contentOf({ paymentInviteMessage: {} })).toEqual({ type: 'unsupported', what: 'paymentInvite' })
  })

  test('a quotation names its message, in whatever part it hides', () => {
    expect(read(eg({ imageMessage: { contextInfo: { stanzaId: 'Q' } } }))).toMatchObject({ quotedWid: 'Q' })
  })
})

describe('what happens to a message', () => {
  const Type = proto.Message.ProtocolMessage.Type
  test('an edit brings the new words, of a caption too', () => {
    const edit = (editedMessage: proto.IMessage): proto.IMessage => ({
      editedMessage: { message: { protocolMessage: { type: Type.MESSAGE_EDIT, key: { id: 'OLD' }, editedMessage } } },
    })
    expect(read(eg(edit({ conversation: 'novo' })))).toMatchObject({
      kind: 'edit',
      wid: 'OLD',
      body: 'novo',
      fromMe: false,
    })
    expect(read(eg(edit({ imageMessage: { caption: 'legenda' } })))).toMatchObject({ kind: 'edit', body: 'legenda' })
  })

  test('a deletion and a reaction name their message and their author', () => {
    expect(read(eg({ protocolMessage: { type: Type.REVOKE, key: { id: 'OLD' } } }, { fromMe: true }))).toMatchObject({
      kind: 'revoke',
      wid: 'OLD',
      fromMe: true,
    })
    expect(read(eg({ reactionMessage: { key: { id: 'OLD' }, text: '' } }))).toMatchObject({
      kind: 'reaction',
      wid: 'OLD',
      emoji: '',
      by: '5511999',
    })
    expect(read(eg({ reactionMessage: { key: { id: 'OLD' }, text: '❤' } }, { fromMe: true }))).toMatchObject({
      by: 'me',
    })
  })
})

test('everything else is nobody’s, and says why', () => {
  const { CIPHERTEXT, REVOKE } = proto.WebMessageInfo.StubType
  expect(read(eg({ conversation: 'x' }, { remoteJid: 'status@broadcast', participant: '5511@s.whatsapp.net' }))).toBe(
    'status_broadcast',
  )
  expect(read(eg({ conversation: 'x' }, { remoteJid: '12@newsletter' }))).toBe('newsletter')
  expect(read(eg(null, {}, { messageStubType: CIPHERTEXT }))).toBe('undecryptable')
  expect(read(eg(null, {}, { messageStubType: REVOKE }))).toBe('stub')
  expect(read(eg(null))).toBe('empty')
  expect(read(eg({ messageContextInfo: {} }))).toBe('empty')
  expect(read(eg({ senderKeyDistributionMessage: { groupId: 'g' } }))).toBe('key_distribution')
  expect(read(eg({ protocolMessage: { type: proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING } }))).toBe('protocol')
  expect(read(eg({ albumMessage: { expectedImageCount: 2 } }))).toBe('album')
  expect(read(eg({ pollUpdateMessage: {} }))).toBe('encrypted_addon')
  expect(read(eg({ conversation: 'x' }, { remoteJid: null }))).toBe('no_sender')
})

test('an id that no row can hold names nothing', () => {
  for (const id of ['', 'W\u0000', 'W'.repeat(4_000), null]) {
    expect(read(eg({ conversation: 'x' }, { id }))).toBe('no_id')
    const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type
    for (const type of [MESSAGE_EDIT, REVOKE])
      expect(read(eg({ protocolMessage: { type, key: { id }, editedMessage: { conversation: 'y' } } }))).toBe(
        'protocol',
      )
    expect(read(eg({ reactionMessage: { key: { id }, text: '👍' } }))).toBe('protocol')
    expect(read(eg({ extendedTextMessage: { text: 'x', contextInfo: { stanzaId: id } } }))).toMatchObject({
      content: { text: 'x' },
      quotedWid: null,
    })
    expect(receiptOf({ tag: 'receipt', attrs: { id: id ?? '' } })).toBe(null)
  }
})

test('a receipt names the messages of ours that were delivered, read or played, and nothing else is one', () => {
  const receipt = (attrs: Record<string, string>, items: string[] = []) =>
    receiptOf({
      tag: 'receipt',
      attrs: { id: 'W1', from: '20005@lid', ...attrs },
      ...(items.length > 0 && {
        content: [{ tag: 'list', attrs: {}, content: items.map((id) => ({ tag: 'item', attrs: { id } })) }],
      }),
    })
  expect(receipt({})).toEqual({ wids: ['W1'], ack: 3 })
  expect(receipt({ type: 'read' }, ['W2', 'W3'])).toEqual({ wids: ['W1', 'W2', 'W3'], ack: 4 })
  expect(receipt({ type: 'played', participant: '20006@lid' })).toEqual({ wids: ['W1'], ack: 5 })
  for (const type of ['retry', 'sender', 'server-error', 'inactive', 'something new'])
    expect(receipt({ type })).toBe(null)
  // The owner read on the phone what the contact wrote.
  expect(receipt({ type: 'read', recipient: '20005@lid' })).toBe(null)
})

test('a voice note leaves as one, with its length and its shape', () => {
  const file = (path: string) => `/store/${path}`
  const ogg = new TextEncoder().encode('OggS…')
  const waveform = new Uint8Array(64).fill(50)
  expect<object>(toBaileys({ type: 'voice', ogg, seconds: 7, waveform }, file)).toMatchObject({
    mimetype: 'audio/ogg; codecs=opus',
    ptt: true,
    seconds: 7,
    waveform,
  })
  // Null, or Baileys would decode the whole of it to find one.
  expect(toBaileys({ type: 'voice', ogg, seconds: 7, waveform: undefined }, file)).toMatchObject({ waveform: null })
})

test('nothing of a file is left for Baileys to find out, which it would in our own process', () => {
  const file = (path: string) => `/store/${path}`
  const said = (type: 'image' | 'video' | 'audio', more: object = {}) =>
    toBaileys({ type, mediaPath: 'x', mimetype: `${type}/x`, fileName: 'x', caption: '', ...more }, file)
  expect(said('image')).toMatchObject({ jpegThumbnail: null })
  expect(said('image', { preview: { jpeg: 'aGk=', width: 8, height: 6 } })).toMatchObject({
    jpegThumbnail: 'aGk=',
    width: 8,
    height: 6,
  })
  expect(said('video')).toMatchObject({ jpegThumbnail: null })
  expect(said('audio')).toMatchObject({ seconds: null })
  expect(said('audio', { seconds: 9 })).toMatchObject({ seconds: 9 })
})

test('of a message that is longer than phones write the beginning is kept, with what a group needs to be read', () => {
  const senderKeyDistributionMessage = { groupId: '1@g.us' }
  const long = 'a'.repeat(4_000_000)
  expect(shortened({ senderKeyDistributionMessage, extendedTextMessage: { text: long } })).toEqual({
    senderKeyDistributionMessage,
    conversation: long.slice(0, 65_536),
  })
  const edit = { protocolMessage: { type: 14, key: { id: 'A' }, editedMessage: { conversation: long } } }
  expect(shortened(edit)).toEqual({
    protocolMessage: { type: 14, key: { id: 'A' }, editedMessage: { conversation: long.slice(0, 65_536) } },
  })
})
