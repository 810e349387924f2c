import type { Principal } from '../../schema/permissions.ts'

type Rows = Record<string, Record<string, unknown>[]>

const minute = 60_000
const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** A company at work, by replica table: what the screens are looked at with. `?messages=50000` fills the history. */
export function fixtures(who: Principal): Rows {
  const now = Date.now()
  const ago = (minutes: number) => new Date(now - minutes * minute)
  const companyId = who.companyId
  const queues = [
    { id: 1, name: 'Vendas', color: '#2f9e6e' },
    { id: 2, name: 'Financeiro', color: '#d97706' },
    { id: 3, name: 'Suporte técnico', color: '#5b5bd6' },
  ].map((queue, i) => ({ ...queue, companyId, orderQueue: i, schedules: [] }))
  const users = [
    { id: who.userId, name: who.name, profile: who.profile, online: true },
    { id: 101, name: 'Bruno Tavares', profile: 'user', online: true },
    { id: 102, name: 'Carla Menezes', profile: 'user', online: false },
    { id: 103, name: 'Diego Albuquerque', profile: 'supervisor', online: true },
  ].map((user) => ({ ...user, companyId, whatsappId: null }))
  const tags = [
    { id: 1, name: 'VIP', color: '#b45309' },
    { id: 2, name: 'Orçamento', color: '#0e7490' },
    { id: 3, name: 'Reclamação', color: '#dc2626' },
    { id: 4, name: 'Aguardando peça', color: '#7c3aed' },
    { id: 5, name: 'Primeira compra', color: '#15803d' },
  ].map((tag) => ({ ...tag, companyId, kanban: 0, createdAt: ago(9999), updatedAt: ago(9999) }))
  const whatsapps = [
    { id: 1, name: 'Loja Centro', number: '5511900000001', status: 'CONNECTED', isDefault: true },
    { id: 2, name: 'Atacado', number: '5511900000002', status: 'DISCONNECTED', isDefault: false },
  ].map((row) => ({ ...row, companyId, lastError: null, updatedAt: ago(60) }))

  const people = [
    'Mariana Figueiredo',
    'Padaria Pão Quente',
    'João Pedro Nascimento',
    'Condomínio Jardim das Acácias',
    'Rita',
    '5511977771234',
    'Álvaro Côrtes',
    'Beatriz Lima',
    'Oficina do Zé',
    '🌸 Flor & Cia',
    'Cláudia Ramos',
    'Edson Arantes',
    'Fernanda Prado',
    'Gustavo',
    'Helena de Souza e Silva Albuquerque',
    'Igor Martins',
    'Júlia',
    'Kátia Regina',
    'Leandro',
    'Mercado São Jorge',
  ]
  const last = [
    ['Perfeito, pode mandar no *mesmo endereço* da última vez 🙏', false],
    ['📄 orcamento-cozinha-v3.pdf', true],
    ['🎤', false],
    ['Ricardo: amanhã cedo a gente confirma com o síndico', false],
    ['Obrigada!!', false],
    ['Oi, vocês abrem no feriado?', false],
    ['*Ana Souza*:\nVou verificar com o estoque e já te retorno', true],
    ['Não recebi o boleto deste mês', false],
    ['📷 a peça que quebrou', false],
    ['ok', false],
    ['Bom dia', false],
    ['O pedido 4417 ainda não chegou e o rastreio está parado há três dias', false],
    ['Vou pagar hoje', false],
    ['Certo, combinado', true],
    ['Preciso de 40 unidades', false],
    ['👍', false],
    ['Qual o prazo?', false],
    ['Já resolvi, obrigada', false],
    ['Tchau', true],
    ['Fechado', false],
  ] as const
  const contacts = people.map((name, i) => ({
    id: i + 1,
    companyId,
    name,
    number: i === 3 ? '120363041234567890' : `55119${String(88880000 + i * 37)}`,
    lid: null,
    email: i === 0 ? 'mariana@figueiredo.example' : '',
    isGroup: i === 3,
    profilePicUrl: null,
    disableBot: false,
    activeOn: new Date().toISOString().slice(0, 10),
    createdAt: ago(90_000),
    updatedAt: ago(10),
    extraInfo:
      i === 0
        ? [
            { id: 'a', name: 'Cidade', value: 'Santo André' },
            { id: 'b', name: 'CNPJ', value: '12.345.678/0001-90' },
          ]
        : [],
  }))
  // Minutes since the last message; each colour of the label appears.
  const ages = [1, 5, 9, 34, 52, 3, 75, 12, 200, 1500, 4, 31, 65, 3000, 20, 8, 400, 700, 2000, 10]
  const statusOf = (i: number) => (i < 7 ? 'open' : i < 13 ? 'pending' : 'closed')
  const tickets: Record<string, unknown>[] = people.map((_, i) => ({
    id: 1000 + i,
    uuid: uuid(1000 + i),
    companyId,
    status: statusOf(i),
    contactId: i + 1,
    whatsappId: i % 5 === 4 ? 2 : 1,
    queueId: i === 5 ? null : (i % 3) + 1,
    userId: statusOf(i) === 'open' ? (i === 6 ? 101 : who.userId) : statusOf(i) === 'closed' ? who.userId : null,
    lastMessage: last[i]![0],
    lastMessageAt: ago(ages[i]!),
    lastMessageFromMe: last[i]![1],
    unreadMessages: [2, 0, 1, 14, 0, 3, 0, 1, 4, 0, 120, 1, 2][i] ?? 0,
    isGroup: i === 3,
    chatbot: i === 8,
    useIntegration: false,
    promptId: null,
    integrationId: null,
    tagIds: i === 0 ? [1, 2] : i === 3 ? [4] : i === 6 ? [1, 2, 3, 4] : i === 8 ? [3] : [],
    createdAt: ago(3000),
    updatedAt: ago(ages[i]!),
  }))
  // More of the same, so that the list has to scroll and to fetch.
  for (let i = 0; i < 160; i++) {
    contacts.push({
      ...contacts[1]!,
      id: 100 + i,
      name: `Cliente ${String(i + 1).padStart(3, '0')}`,
      number: `5521999${String(100000 + i)}`,
      extraInfo: [],
    })
    tickets.push({
      ...tickets[13]!,
      id: 2000 + i,
      uuid: uuid(2000 + i),
      contactId: 100 + i,
      status: i < 60 ? 'open' : 'closed',
      userId: who.userId,
      queueId: (i % 3) + 1,
      lastMessage: `Mensagem número ${i}`,
      unreadMessages: 0,
      lastMessageAt: ago(2000 + i * 60),
      updatedAt: ago(2000 + i * 60),
    })
  }
  tickets.push({
    ...tickets[0]!,
    id: 900,
    uuid: uuid(900),
    status: 'closed',
    lastMessage: 'Muito obrigada pelo atendimento!',
    updatedAt: ago(40_000),
    lastMessageAt: ago(40_000),
    unreadMessages: 0,
    tagIds: [],
    userId: 101,
  })

  let serial = 0
  const message = (
    ticketId: number,
    minutesAgo: number,
    body: string,
    more: Record<string, unknown> = {},
  ): Record<string, unknown> => ({
    id: more['id'] ?? uuid(500_000 + ++serial),
    companyId,
    ticketId,
    contactId: ticketId - 999,
    whatsappId: 1,
    wid: null,
    fromMe: false,
    authorId: null,
    participantName: null,
    participantNumber: null,
    body,
    mediaType: 'chat',
    mediaState: 'none',
    mediaPath: null,
    mediaName: null,
    mediaMime: null,
    mediaSize: null,
    mediaSeconds: null,
    waveform: null,
    isVoice: false,
    read: true,
    ack: 3,
    ackError: null,
    isCut: false,
    isDeleted: false,
    isEdited: false,
    earlierBodies: [],
    reactions: [],
    quotedMsgId: null,
    about: null,
    queueScope: 1,
    userScope: who.userId,
    createdAt: ago(minutesAgo),
    updatedAt: ago(minutesAgo),
    ...more,
  })
  const mine = { fromMe: true, authorId: who.userId }
  const vcard =
    'BEGIN:VCARD\nVERSION:3.0\nFN:Sérgio Encanador\nORG:Hidráulica Boa Vista;\nTEL;type=CELL;waid=5511966665555:+55 11 96666-5555\nEND:VCARD'
  const messages = [
    message(1000, 2900, 'Olá! Vi o anúncio de vocês no site, ainda tem a cozinha modulada em carvalho?'),
    message(
      1000,
      2898,
      '*Ana Souza*:\nOi, Mariana! Tem sim 😊 Em carvalho ou nogueira. Quer que eu mande as medidas?',
      { ...mine, ack: 4 },
    ),
    message(1000, 2890, 'Por favor!'),
    message(1000, 2880, 'cozinha-carvalho.jpg', {
      ...mine,
      mediaType: 'image',
      mediaState: 'ready',
      mediaPath: '1/1000/cozinha.png',
      mediaName: 'cozinha-carvalho.jpg',
      mediaMime: 'image/png',
      mediaSize: 84_000,
      ack: 4,
    }),
    message(
      1000,
      2879,
      '*Ana Souza*:\nEsta é a de 2,40 m. O catálogo completo está em https://moveis.example/catalogo?linha=carvalho e os prazos em ```Entrega: 12 dias úteis```',
      {
        ...mine,
        ack: 4,
        isEdited: true,
        earlierBodies: [{ body: 'Esta é a de 2,20 m.', at: ago(2878).toISOString() }],
      },
    ),
    message(1000, 1440, 'Que linda! Meu marido quer ver _pessoalmente_, ~amanhã~ sábado. A loja é esta?', {
      id: uuid(77),
      reactions: [
        { emoji: '👍', by: 'me' },
        { emoji: '❤️', by: '55' },
        { emoji: '❤️', by: '56' },
      ],
    }),
    message(
      1000,
      1439,
      '|https://maps.google.com/maps?q=-23.66%2C-46.53&z=17|Móveis Jardim, R. das Figueiras 1200, Santo André',
      { mediaType: 'locationMessage' },
    ),
    message(1000, 1430, '*Ana Souza*:\nÉ sim! Sábado até as 14h.', { ...mine, ack: 4, quotedMsgId: uuid(77) }),
    message(1000, 300, 'voz.ogg', {
      mediaType: 'audio',
      isVoice: true,
      mediaState: 'ready',
      mediaPath: '1/1000/voz.mp3',
      mediaName: 'voz.ogg',
      mediaSeconds: 22,
      waveform: '1259dkqwzxrkfb7459dhmpkfa852147bflqtwysnhd95148chmosqlga63258ad5',
      mediaMime: 'audio/ogg',
      mediaSize: 41_000,
    }),
    message(1000, 298, 'orcamento-cozinha-v3.pdf', {
      ...mine,
      mediaType: 'application',
      mediaState: 'ready',
      mediaPath: '1/1000/orc.pdf',
      mediaName: 'orcamento-cozinha-v3.pdf',
      mediaMime: 'application/pdf',
      mediaSize: 1_340_000,
      ack: 3,
    }),
    message(1000, 290, 'Segue o contato do encanador que vai preparar os pontos, ou ligue (11) 96666-5555:', {}),
    message(1000, 289, vcard, { mediaType: 'contactMessage' }),
    message(1000, 200, 'tour-da-loja.mp4', {
      ...mine,
      mediaType: 'video',
      mediaState: 'ready',
      mediaPath: '1/1000/tour.mp4',
      mediaName: 'tour-da-loja.mp4',
      mediaMime: 'video/mp4',
      mediaSize: 8_400_000,
      ack: 3,
      authorId: 101,
    }),
    message(1000, 180, '', {
      mediaType: 'sticker',
      mediaState: 'ready',
      mediaPath: '1/1000/fig.png',
      mediaMime: 'image/webp',
    }),
    message(1000, 120, 'Foto do vão da parede', { mediaType: 'image', mediaState: 'pending', mediaName: 'IMG_1.jpg' }),
    message(1000, 100, 'planta.dwg', { mediaType: 'application', mediaState: 'failed', mediaName: 'planta.dwg' }),
    message(1000, 90, 'Esquece, mandei errado', { isDeleted: true }),
    message(1000, 60, '*Ana Souza*:\nConsegui 8% à vista 🎉', { ...mine, ack: 0, ackError: '463' }),
    message(1000, 30, '😍', {}),
    message(1000, 6, '*Ana Souza*:\nFechamos então? Entrego na terça, das 8h às 12h.', { ...mine, ack: 2 }),
    message(1000, 2, 'Fechado!', { read: false }),
    message(1000, 1, 'Perfeito, pode mandar no *mesmo endereço* da última vez 🙏', { read: false }),
    ...['Ricardo (síndico)', 'Ricardo (síndico)', 'Dona Lourdes', 'Ricardo (síndico)', 'Portaria'].map(
      (participantName, i) =>
        message(
          1003,
          60 - i * 5,
          [
            'Pessoal, o portão travou de novo',
            'Alguém consegue ver hoje?',
            'Ontem já estava fazendo barulho',
            'amanhã cedo a gente confirma com o síndico',
            'Liberado para o técnico às 9h',
          ][i]!,
          { participantName, participantNumber: `5511${i % 2}`, read: false },
        ),
    ),
    ...people
      .slice(4)
      .map((_, i) => message(1004 + i, ages[i + 4]!, last[i + 4]![0], { fromMe: last[i + 4]![1], read: true })),
    message(1004, 50, 'Olá! Quero saber mais', {
      about: { is: 'ad', title: 'Cozinhas sob medida', text: 'Só esta semana', url: 'https://fb.me/cozinha' },
    }),
    message(1004, 49, 'Que dia?\n• Sexta\n• Sábado', { mediaType: 'poll' }),
    message(1004, 48, 'Serralheria Lima\n+5511988887766', {
      mediaType: 'pix',
      about: { is: 'pix', merchant: 'Serralheria Lima', keyType: 'PHONE', key: '+5511988887766' },
    }),
    message(1004, 47, '', { mediaType: 'view_once' }),
    message(1004, 46, 'Quero esse!', { about: { is: 'status', text: 'Armário de canto R$ 900' } }),
    message(1004, 45, 'Puxador\n2 × BRL 45.00', { mediaType: 'order' }),
    message(1004, 44, '', { mediaType: 'phone_only' }),
    message(1001, 5, 'orcamento-cozinha-v3.pdf', {
      ...mine,
      mediaType: 'application',
      mediaState: 'ready',
      mediaPath: '1/1001/a.pdf',
      mediaName: 'orcamento-cozinha-v3.pdf',
      mediaMime: 'application/pdf',
      mediaSize: 99_000,
    }),
    message(1002, 9, 'voz', {
      mediaType: 'audio',
      isVoice: true,
      mediaState: 'ready',
      mediaPath: '1/1002/v.mp3',
      read: false,
    }),
  ]
  const many = Number(
    new URLSearchParams(globalThis.location?.search ?? '').get('messages') ?? sessionStorage.getItem('messages') ?? 400,
  )
  const words = [
    'Bom dia, tudo bem?',
    'Sim, pode ser amanhã.',
    'Qual o valor do frete para Campinas?',
    'Vou confirmar e aviso.',
    'Obrigado pela atenção! O prazo combinado continua valendo, certo?',
    'ok',
  ]
  for (let i = 0; i < many; i++) {
    const ticketId = i < 400 ? 1004 : 2000 + (i % 160)
    messages.push(
      message(
        ticketId,
        60 + Math.floor(i / (i < 400 ? 1 : 160)) * 7 + (i % 7),
        `${words[i % words.length]} (${i})`,
        i % 3 === 0 ? { ...mine, ack: 4 } : {},
      ),
    )
  }
  const ticketEvents = [
    ['created', 2901, null, {}],
    ['accepted', 2899, who.userId, {}],
    ['transferred', 250, who.userId, { queue: 'Vendas', user: 'Bruno Tavares' }],
    ['returned', 240, 101, {}],
    ['accepted', 235, who.userId, {}],
  ].map(([kind, minutes, userId, data], i) => ({
    id: `event-${i}`,
    companyId,
    ticketId: 1000,
    kind,
    userId,
    data,
    queueScope: 1,
    userScope: who.userId,
    createdAt: ago(minutes as number),
  }))
  const ticketNotes = [
    {
      id: uuid(1),
      ticketId: 1000,
      contactId: 1,
      userId: 101,
      note: 'Prefere ser chamada à *tarde*. Tem desconto de 8% autorizado pelo Diego.',
      createdAt: ago(235),
    },
    {
      id: uuid(2),
      ticketId: 900,
      contactId: 1,
      userId: who.userId,
      note: 'Comprou a mesa em 2025.',
      createdAt: ago(40_000),
    },
  ].map((note) => ({ ...note, companyId, queueScope: 1, userScope: who.userId }))
  const chats = [
    {
      title: 'Escala de novembro',
      members: [101, 102, 103],
      lastMessage: 'Fechado, eu abro na *quinta* 👍',
      minutes: 4,
    },
    { title: 'Loja Centro', members: [101], lastMessage: 'Chegou a peça do pedido 4417?', minutes: 95 },
    { title: 'Aniversário da Carla 🎂', members: [101, 103], lastMessage: '', minutes: 3000 },
  ].map(({ members, minutes, ...chat }, i) => ({
    ...chat,
    id: i + 1,
    uuid: uuid(5000 + i),
    companyId,
    ownerId: i === 1 ? 101 : who.userId,
    memberIds: [who.userId, ...members].sort((a, b) => a - b),
    createdAt: ago(50_000),
    updatedAt: ago(minutes),
  }))
  const chatUsers = chats.map(({ id }) => ({
    id: `${id}:${who.userId}`,
    companyId,
    chatId: id,
    userId: who.userId,
    unreads: id === 2 ? 3 : 0,
    readAt: null,
  }))
  const lines: [number, string][] = [
    [103, 'Pessoal, precisamos fechar a escala do feriado.'],
    [103, 'Quem pode abrir na quinta?'],
    [102, 'Eu só consigo à tarde, tenho médico de manhã.'],
    [who.userId, 'Posso abrir, mas preciso sair às 15 h.'],
    [101, 'Sem problema, eu entro às 14 h e fecho.\nLevo também o relatório: https://planilhas.example/escala'],
    [102, 'Combinado. Troco com você na semana que vem, Bruno, e fico com o sábado inteiro se ninguém se opuser.'],
    [103, '🙌'],
    [who.userId, 'Fechado, eu abro na *quinta* 👍'],
  ]
  const chatMessages = Array.from({ length: 160 }, (_, i) => {
    const [senderId, message] = lines[i % lines.length]!
    const minutesAgo = (159 - i) * (i % 8 === 0 ? 36 : 35.9) + 4
    return { id: uuid(6000 + i), companyId, chatId: 1, senderId, message, createdAt: ago(minutesAgo) }
  }).concat(
    ['Bom dia!', 'Você viu o pedido da Mariana?', 'Chegou a peça do pedido 4417?'].map((message, i) => ({
      id: uuid(7000 + i),
      companyId,
      chatId: 2,
      senderId: 101,
      message,
      createdAt: ago(97 - i),
    })),
  )
  return {
    ...{ queues, users, tags, whatsapps, contacts, tickets, messages, ticketEvents, ticketNotes },
    ...{ chats, chatUsers, chatMessages },
  }
}
