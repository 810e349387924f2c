import { describe, expect, test } from 'bun:test'
import { proto, type WAMessage } from './baileys.ts'
import type { MessageContent } from '../../schema/messages/messages.content.ts'
import { fromBaileys, mediaOf, type MessageFacts, receiptOf, shortened, timerOf } from './from-baileys.ts'
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
    const mediaKey = Uint8Array.of(1)
    expect(contentOf({ viewOnceMessageV2: { message: { videoMessage: { fileLength: 3, mediaKey } } } })).toMatchObject({
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

  test('what only the phone shows is told by its kind and its own words, never by what its makers call it', () => {
    const poll = { name: 'Quando?', options: [{ optionName: 'Hoje' }] }
    for (const asked of [
      { pollCreationMessage: poll },
      { pollCreationMessageV3: poll },
      { pollCreationMessageV4: { message: { pollCreationMessage: poll } } },
      { pollCreationMessageV5: poll },
    ])
      expect(contentOf(asked)).toEqual({ type: 'notice', kind: 'poll', text: 'Quando?\n• Hoje' })
    expect(
      contentOf({ eventMessage: { name: 'Feira', description: 'Traga um bolo', location: { name: 'Praça' } } }),
    ).toEqual({ type: 'notice', kind: 'event', text: 'Feira\nTraga um bolo\nPraça' })
    expect(contentOf({ groupInviteMessage: { groupName: 'Vizinhos', inviteCode: 'Ab12' } })).toEqual({
      type: 'notice',
      kind: 'group_invite',
      text: 'Vizinhos\nhttps://chat.whatsapp.com/Ab12',
    })
    expect(contentOf({ scheduledCallCreationMessage: { title: 'Reunião' } })).toEqual({
      type: 'notice',
      kind: 'phone_only',
      text: 'Reunião',
    })
    // Each part that a message may have, empty: the words of none is its name.
    const names = Object.keys(proto.Message.prototype).filter((name) => name !== 'conversation')
    expect(names.length).toBeGreaterThan(80)
    for (const name of names) {
      const said = contentOf({ [name]: {} })
      if (typeof said === 'string' || !('text' in said)) continue
      expect([name, said.text]).toEqual([name, ''])
    }
  })

  test('words come out of whatever they are wrapped in; empty ones are no message', () => {
    const text = { extendedTextMessage: { text: 'De outro número' } }
    for (const wrapping of ['botForwardedMessage', 'groupMentionedMessage', 'questionMessage', 'limitSharingMessage'])
      expect(contentOf({ [wrapping]: { message: text } })).toEqual({ type: 'text', text: 'De outro número' })
    expect(contentOf({ botInvokeMessage: { message: { botForwardedMessage: { message: text } } } })).toMatchObject({
      text: 'De outro número',
    })
    for (const empty of [{ conversation: '' }, { extendedTextMessage: { text: '' } }, { extendedTextMessage: {} }])
      expect(contentOf(empty)).toBe('empty')
    expect(contentOf({ lottieStickerMessage: { message: { stickerMessage: {} } } })).toMatchObject({ type: 'sticker' })
  })

  test('templates of official numbers keep title, words, foot, and each button with where it leads', () => {
    const hydrated = {
      hydratedTitleText: 'Consulta marcada',
      hydratedContentText: 'Dr. Lima espera você às 9h.',
      hydratedFooterText: 'Clínica',
      hydratedButtons: [
        { urlButton: { displayText: 'Remarcar', url: 'https://clinica.example/r' } },
        { callButton: { displayText: 'Ligar', phoneNumber: '+551133330000' } },
        { quickReplyButton: { displayText: 'Confirmo' } },
      ],
    }
    const all =
      'Consulta marcada\nDr. Lima espera você às 9h.\nClínica\n▸ Remarcar: https://clinica.example/r\n▸ Ligar: +551133330000\n▸ Confirmo'
    for (const templateMessage of [{ hydratedTemplate: hydrated }, { hydratedFourRowTemplate: hydrated }])
      expect(contentOf({ templateMessage })).toEqual({ type: 'text', text: all })
    const { hydratedTitleText: _, ...words } = hydrated
    const imageMessage = { mimetype: 'image/png', directPath: '/v/1' }
    const pictured = { templateMessage: { hydratedTemplate: { ...words, imageMessage } } }
    expect(contentOf(pictured)).toMatchObject({
      type: 'image',
      media: { mimetype: 'image/png' },
      caption: all.slice(all.indexOf('\n') + 1),
    })
    expect(mediaOf(pictured)).toMatchObject({ type: 'image', part: { directPath: '/v/1' } })
    expect(
      contentOf({
        interactiveMessage: {
          header: { title: 'Promoção', documentMessage: { fileName: 'cardapio.pdf', mimetype: 'application/pdf' } },
          body: { text: 'Veja o cardápio' },
          footer: { text: 'Padaria' },
          nativeFlowMessage: {
            buttons: [
              { name: 'cta_url', buttonParamsJson: '{"display_text":"Abrir","url":"https://p.example"}' },
              { name: 'cta_copy', buttonParamsJson: '{"display_text":"Cupom","copy_code":"PAO10"}' },
              { name: 'quick_reply', buttonParamsJson: 'not json' },
            ],
          },
        },
      }),
    ).toMatchObject({
      type: 'document',
      media: { fileName: 'cardapio.pdf' },
      caption: 'Promoção\nVeja o cardápio\nPadaria\n▸ Abrir: https://p.example\n▸ Cupom: PAO10',
    })
    expect(
      contentOf({
        listMessage: {
          title: 'Menu',
          description: 'Escolha',
          sections: [{ title: 'Pães', rows: [{ title: 'Francês', description: 'R$ 1' }] }],
        },
      }),
    ).toEqual({ type: 'text', text: 'Menu\nEscolha\nPães\n▸ Francês: R$ 1' })
    expect(
      contentOf({ buttonsMessage: { contentText: 'Confirma?', buttons: [{ buttonText: { displayText: 'Sim' } }] } }),
    ).toEqual({ type: 'text', text: 'Confirma?\n▸ Sim' })
    const card = (text: string) => ({ body: { text } })
    expect(
      contentOf({
        interactiveMessage: { body: { text: 'Ofertas' }, carouselMessage: { cards: [card('A'), card('B')] } },
      }),
    ).toEqual({ type: 'text', text: 'Ofertas\nA\nB' })
  })

  test('a Pix key is told with whose it is and of which kind', () => {
    const settings = (setting: object) => ({
      interactiveMessage: {
        nativeFlowMessage: {
          buttons: [{ name: 'payment_info', buttonParamsJson: JSON.stringify({ payment_settings: [setting] }) }],
        },
      },
    })
    const key = { merchant_name: 'João Padeiro', key: 'joao@pix.example', key_type: 'EMAIL' }
    expect(read(eg(settings({ type: 'pix_static_code', pix_static_code: key })))).toMatchObject({
      content: { type: 'notice', kind: 'pix', text: 'João Padeiro\njoao@pix.example' },
      about: { is: 'pix', merchant: 'João Padeiro', keyType: 'EMAIL', key: 'joao@pix.example' },
    })
    const bill = { merchant_name: 'Loja', code: '00020126BR.GOV.BCB.PIX', key: 'x', key_type: 'EVP' }
    expect(read(eg(settings({ type: 'pix_dynamic_code', pix_dynamic_code: bill })))).toMatchObject({
      about: { keyType: 'CODE', key: '00020126BR.GOV.BCB.PIX' },
    })
    for (const nonsense of [{}, { pix_static_code: 7 }, { pix_static_code: { key: ['x'] } }])
      expect(contentOf(settings(nonsense))).toEqual({ type: 'notice', kind: 'phone_only', text: '' })
  })

  test('orders and products keep what is wanted and what it costs', () => {
    expect(
      contentOf({
        orderMessage: {
          orderTitle: 'Padaria',
          message: 'Para as 8h',
          itemCount: 3,
          totalAmount1000: 45_500,
          totalCurrencyCode: 'BRL',
        },
      }),
    ).toEqual({ type: 'notice', kind: 'order', text: 'Padaria\nPara as 8h\n3 × BRL 45.50' })
    expect(
      contentOf({
        productMessage: {
          product: { title: 'Bolo', description: 'De fubá', priceAmount1000: 30_000, currencyCode: 'BRL' },
        },
      }),
    ).toEqual({ type: 'notice', kind: 'product', text: 'Bolo\nBRL 30.00\nDe fubá' })
    const order = {
      currency: 'BRL',
      total_amount: { value: 9_000, offset: 100 },
      order: { items: [{ name: 'Torta', quantity: 2, amount: { value: 4_500, offset: 100 } }] },
    }
    const button = { name: 'order_details', buttonParamsJson: JSON.stringify(order) }
    expect(
      contentOf({ interactiveMessage: { body: { text: 'O seu pedido' }, nativeFlowMessage: { buttons: [button] } } }),
    ).toEqual({ type: 'notice', kind: 'order', text: 'O seu pedido\n2 × Torta BRL 45.00\n= BRL 90.00' })
  })

  test('who pressed an ad says so, with words and without', () => {
    const contextInfo = {
      entryPointConversionSource: 'ctwa_ad',
      externalAdReply: { title: 'Pão de mel', body: 'Hoje', sourceUrl: 'https://fb.me/pao' },
    }
    const about = { is: 'ad', title: 'Pão de mel', text: 'Hoje', url: 'https://fb.me/pao' }
    expect(read(eg({ extendedTextMessage: { text: 'Quero', contextInfo } }))).toMatchObject({
      content: { type: 'text', text: 'Quero' },
      about,
    })
    expect(read(eg({ extendedTextMessage: { text: '', contextInfo } }))).toMatchObject({
      content: { type: 'notice', kind: 'ad', text: 'Pão de mel' },
      about,
    })
    const script = { externalAdReply: { title: 'x', sourceUrl: 'javascript:alert(1)' } }
    expect(read(eg({ extendedTextMessage: { text: 'y', contextInfo: script } }))).toMatchObject({
      about: { url: null },
    })
  })

  test('an answer to a status of ours, or to what we do not have, brings along what it answers', () => {
    const quotedMessage = { imageMessage: { caption: 'Broa a R$ 9' } }
    const answer = (contextInfo: proto.IContextInfo) =>
      read(eg({ extendedTextMessage: { text: 'Ainda tem?', contextInfo: { stanzaId: 'S1', ...contextInfo } } }))
    expect(answer({ remoteJid: 'status@broadcast', quotedMessage })).toMatchObject({
      quotedWid: 'S1',
      about: { is: 'status', text: 'Broa a R$ 9' },
    })
    expect(answer({ remoteJid: 'status@broadcast', quotedMessage: { imageMessage: {} } })).toMatchObject({
      about: { is: 'status', text: '' },
    })
    expect(answer({ quotedMessage })).toMatchObject({ about: { is: 'quote', text: 'Broa a R$ 9' } })
    expect(answer({})).toMatchObject({ about: null })
  })

  test('what is to be seen once is a line, where the phone alone was given it', () => {
    const unseen = { type: 'notice', kind: 'view_once', text: '' }
    expect(read(eg(null, { isViewOnce: true }))).toMatchObject({ kind: 'message', content: unseen })
    expect(contentOf({ viewOnceMessageV2: { message: { imageMessage: {} } } })).toEqual(unseen as MessageContent)
    expect(contentOf({ imageMessage: { viewOnce: true } })).toEqual(unseen as MessageContent)
  })

  test('people who are named have names, as far as the message tells; ours is known', () => {
    const me = { number: '5511888', lid: '30007', name: 'Padaria' }
    const mentionedJid = ['30007@lid', '20009@lid']
    const message = eg({ extendedTextMessage: { text: '@30007 pergunte a @20009', contextInfo: { mentionedJid } } })
    expect(read(message, { me })).toMatchObject({
      content: { text: '@Padaria pergunte a @20009' },
      mentions: ['20009'],
    })
    const photo = eg({ imageMessage: { caption: 'veja @20009', contextInfo: { mentionedJid } } })
    expect(read(photo, { me })).toMatchObject({ content: { caption: 'veja @20009' }, mentions: ['20009'] })
    expect(read(eg({ conversation: '@20009' }), { me })).not.toHaveProperty('mentions')
  })

  test('of a picture that is sent once quickly and once sharply there is one', () => {
    const { HD_IMAGE_DUAL_UPLOAD, MEDIA_ALBUM } = proto.MessageAssociation.AssociationType
    const of = (associationType: number): proto.IMessage => ({
      associatedChildMessage: { message: { imageMessage: {} } },
      messageContextInfo: { messageAssociation: { associationType, parentMessageKey: { id: 'P' } } },
    })
    expect(contentOf({ imageMessage: {} })).toMatchObject({ type: 'image' })
    expect(contentOf(of(HD_IMAGE_DUAL_UPLOAD))).toBe('second_copy')
    // Each picture of an album is one of its own.
    expect(contentOf(of(MEDIA_ALBUM))).toMatchObject({ type: 'image' })
  })

  test('the time that a chat’s messages stay is read from what is said in it', () => {
    const contextInfo = { expiration: 604_800, ephemeralSettingTimestamp: 1_795_000_000 }
    const week = { seconds: 604_800, setAt: 1_795_000_000 }
    expect(timerOf({ ephemeralMessage: { message: { extendedTextMessage: { text: 'oi', contextInfo } } } })).toEqual(
      week,
    )
    expect(timerOf({ imageMessage: { contextInfo } })).toEqual(week)
    expect(timerOf({ conversation: 'oi' })).toEqual({ seconds: 0, setAt: 0 })
    const { EPHEMERAL_SETTING, REVOKE } = proto.Message.ProtocolMessage.Type
    expect(timerOf({ protocolMessage: { type: EPHEMERAL_SETTING, ephemeralExpiration: 86_400 } })).toEqual({
      seconds: 86_400,
      setAt: 0,
    })
    expect(timerOf({ protocolMessage: { type: REVOKE, key: { id: 'A' } } })).toBeNull()
    expect(timerOf({ reactionMessage: { text: '👍' } })).toBeNull()
    expect(timerOf(null)).toBeNull()
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
    // Its caption was taken away.
    for (const part of [{ imageMessage: {} }, { videoMessage: {} }, { documentMessage: { fileName: 'a.pdf' } }])
      expect(read(eg(edit(part)))).toMatchObject({ kind: 'edit', body: '' })
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
  expect(read(eg({ secretEncryptedMessage: { secretEncType: 2 } }))).toBe('encrypted_addon')
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
  const ogg = new TextEncoder().encode('OggS…')
  const waveform = new Uint8Array(64).fill(50)
  expect<object>(toBaileys({ type: 'voice', ogg, seconds: 7, waveform })).toMatchObject({
    mimetype: 'audio/ogg; codecs=opus',
    ptt: true,
    seconds: 7,
    waveform,
  })
  // Null, or Baileys would decode the whole of it to find one.
  expect(toBaileys({ type: 'voice', ogg, seconds: 7, waveform: undefined })).toMatchObject({ waveform: null })
})

test('nothing of a file is left for Baileys to find out, which it would in our own process', () => {
  const said = (type: 'image' | 'video' | 'audio', more: object = {}) =>
    toBaileys({ type, mediaPath: 'x', mimetype: `${type}/x`, fileName: 'x', caption: '', ...more }, '/store/x')
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
