/** What the sample company's customers and agents say to each other. */
/** Who, what, and the file in `media` that goes with it: not everybody sends one. */
export type Said = readonly ['them' | 'us', string, string?]

export const firstNames = [
  'Mariana',
  'João',
  'Beatriz',
  'Rafael',
  'Camila',
  'Lucas',
  'Fernanda',
  'Gustavo',
  'Juliana',
  'Thiago',
  'Patrícia',
  'André',
  'Larissa',
  'Felipe',
  'Vanessa',
  'Rodrigo',
  'Aline',
  'Marcelo',
  'Renata',
  'Eduardo',
  'Cristina',
  'Vinícius',
  'Tatiane',
  'Leonardo',
  'Simone',
  'Fábio',
  'Débora',
  'Caio',
  'Luciana',
  'Murilo',
] as const

export const lastNames = [
  'Almeida',
  'Barbosa',
  'Cardoso',
  'Dias',
  'Esteves',
  'Ferreira',
  'Gonçalves',
  'Henriques',
  'Lacerda',
  'Moreira',
  'Nogueira',
  'Oliveira',
  'Pacheco',
  'Queiroz',
  'Ramos',
  'Salgado',
  'Tavares',
  'Vasconcelos',
  'Xavier',
  'Zanetti',
] as const

/** Where the bakery delivers. */
export const districts = ['Vila Nova', 'Jardim das Flores', 'Centro', 'Alto da Serra'] as const

/** Whom a service is about, in the order of a day: how it begins, what is said, and what colleagues are told of it. */
export interface Story {
  /** Of the queues, by their order. */
  queue: 0 | 1 | 2 | 3 | 4
  openings: readonly string[]
  lines: readonly Said[]
  /** Of the tags, by their order. */
  tag?: 0 | 1 | 2
  note?: string
}

export const stories: readonly Story[] = [
  {
    queue: 0,
    openings: ['Bom dia! Vocês fazem bolo por encomenda?', 'Oi! Quanto custa um bolo de aniversário? 🎂'],
    lines: [
      ['us', 'Olá! Fazemos sim. Para quantas pessoas e para que dia?'],
      ['them', 'Umas 20 pessoas, pra sexta à tarde'],
      ['them', '', 'voz-pedido.ogg'],
      ['them', 'De preferência de chocolate com morango 🍓'],
      ['them', 'Igual a este da foto', 'bolo-morango.jpg'],
      ['us', 'Perfeito. O de 2,5 kg serve 20 a 25 pessoas e sai por R$ 189,00. Pode ser?'],
      ['them', 'Pode! Dá pra escrever "Parabéns, Sofia"?'],
      ['us', 'Claro, sem custo.'],
      ['us', '', 'voz-balcao.ogg'],
      ['us', 'A retirada é a partir das 14 h.'],
    ],
    tag: 2,
    note: 'Alérgica a nozes: conferir com a cozinha.',
  },
  {
    queue: 1,
    openings: ['Oi, tudo bem? Queria saber do meu pedido', 'Oi, o entregador já saiu?'],
    lines: [
      ['us', 'Oi! Pode me passar o número do pedido, por favor?'],
      ['them', 'É o 48213'],
      ['us', 'Encontrei. Saiu para entrega agora há pouco e deve chegar em até 40 minutos.'],
      ['them', 'Ah que ótimo!'],
      ['them', 'A entrada é esta', 'portaria.jpg'],
      ['them', '', 'voz-entrega.ogg'],
      ['us', 'Combinado, repassei ao entregador.'],
    ],
    tag: 1,
    note: 'Interfone quebrado: o entregador liga quando chegar.',
  },
  {
    queue: 1,
    openings: ['Boa tarde, ainda tem pão de queijo congelado?', 'Oi! Dá pra entregar pão de queijo hoje ainda?'],
    lines: [
      ['us', 'Boa tarde! Temos sim, pacotes de 1 kg por R$ 32,90.'],
      ['them', 'Quero 3'],
      ['us', 'Separados! Vai retirar na loja ou prefere entrega?'],
      ['them', 'Entrega, na Rua das Acácias 120, apto 52'],
      ['us', 'A taxa é de R$ 7,00. Total de R$ 105,70. Pix ou cartão na entrega?'],
      ['them', 'Pix'],
      ['us', 'A chave é contato@padaria.test. Assim que cair eu confirmo por aqui.'],
      ['them', 'Feito!'],
      ['them', 'Segue o comprovante', 'comprovante.jpg'],
      ['us', 'Recebido, obrigado! Sai na próxima rota.'],
    ],
    note: 'Prefere receber depois das 18 h.',
  },
  {
    queue: 2,
    openings: ['Olá! Preciso da segunda via da nota fiscal', 'Bom dia, vocês emitem nota no CNPJ?'],
    lines: [
      ['us', 'Claro! Qual o CNPJ ou CPF da nota?'],
      ['them', '12.345.678/0001-90'],
      ['us', 'Localizei três notas deste mês. Quer todas?'],
      ['them', 'Só a do dia 12, por favor'],
      ['us', 'Enviada para o e-mail do cadastro agora mesmo.'],
      ['us', 'E aqui vai uma cópia.', 'nota-fiscal.pdf'],
      ['them', 'Perfeito, recebi'],
    ],
    note: 'Pediu nota fiscal no CNPJ da empresa.',
  },
  {
    queue: 0,
    openings: ['Queria encomendar 100 salgados pra sábado 🥳', 'Boa tarde! Fazem salgados para festa?'],
    lines: [
      ['us', 'Sábado temos horário às 9 h, 11 h e 16 h. Qual prefere?'],
      ['them', '11 h está ótimo'],
      ['them', 'Pode ser metade coxinha e metade empada?'],
      ['us', 'Pode! 50 e 50. Fica R$ 165,00, com 30% de sinal para reservar.'],
      ['us', 'Vão nesta bandeja:', 'salgados.jpg'],
      ['them', 'Vou pagar o sinal hoje à noite'],
      ['us', 'Perfeito, deixo reservado até amanhã ao meio-dia.'],
    ],
    tag: 2,
  },
  {
    queue: 0,
    openings: [
      'Boa noite! Vi no Instagram a cesta de café da manhã, quanto custa?',
      'Oi! Vocês ainda montam a cesta de café da manhã?',
    ],
    lines: [
      ['us', 'Oi! A cesta para dois sai por R$ 89,00 e a para quatro por R$ 149,00.'],
      ['us', 'Esta é a de dois', 'cesta-cafe.jpg'],
      ['them', 'Que linda 😍'],
      ['them', 'Quero a de quatro, para domingo às 8 h. É surpresa para a minha mãe'],
      ['us', 'Anotado! Mandamos um cartão junto. O que escrevo?'],
      ['them', '"Feliz aniversário, mãe! Com amor, dos seus filhos."'],
      ['us', 'Vai ficar bonito. Reservado para domingo às 8 h.'],
    ],
    tag: 0,
  },
  {
    queue: 0,
    openings: ['Bom dia, qual o horário de vocês no domingo?', 'Oi, abrem no feriado?'],
    lines: [
      ['us', 'Bom dia! Domingos e feriados das 7 h às 13 h.'],
      ['them', 'E tem pão integral a essa hora?'],
      ['us', 'Sai às 7h30. Quer que eu separe?'],
      ['us', 'Assim estava a vitrine hoje cedo', 'vitrine-paes.jpg'],
      ['them', 'Dois, por favor'],
      ['us', 'Separados no seu nome até as 10 h.'],
    ],
    tag: 0,
  },
  {
    queue: 2,
    openings: ['Olá, meu boleto venceu ontem, como faço?', 'Oi! Preciso de um novo boleto da assinatura de pães'],
    lines: [
      ['us', 'Olá! Sem problema: mando um novo com vencimento na sexta. Pode ser?'],
      ['them', 'Pode, obrigado. Tem multa?'],
      ['us', 'Não, o valor é o mesmo: R$ 240,00.'],
      ['them', 'Ótimo'],
      ['us', 'Enviado para o seu e-mail. Se preferir Pix, é só dizer.'],
    ],
  },
  {
    queue: 0,
    openings: [
      'Oi! Somos 20 no escritório e queremos um café da manhã na quinta',
      'Bom dia! Fazem coffee break para empresa?',
    ],
    lines: [
      ['us', 'Bom dia! Fazemos sim. Salgados, doces, sucos e café para 20 saem por R$ 620,00, com entrega.'],
      ['them', 'Incluem copos e guardanapos?'],
      ['us', 'Incluem. Só precisamos de uma mesa de dois metros.'],
      ['them', 'Vou confirmar com a diretoria e já volto'],
      ['us', 'Claro! A data fica reservada até amanhã.'],
      ['them', 'Confirmado! Quinta às 8h30'],
      ['us', 'Combinado. Mando o contrato ainda hoje.'],
    ],
    tag: 2,
  },
]

export const closings: readonly (readonly Said[])[] = [
  [
    ['them', 'Muito obrigado pela ajuda!'],
    ['us', 'Eu que agradeço. Bom apetite! 😊'],
  ],
  [
    ['them', 'Maravilha, valeu 🙏'],
    ['us', 'Disponha! Qualquer coisa é só chamar.'],
  ],
  [
    ['them', 'Chegou tudo certinho'],
    ['them', '', 'voz-obrigada.ogg'],
    ['us', 'Que bom! Até a próxima.'],
  ],
]

/** What groups talk about: who (by their order in the group; nobody is the company), what, and how many minutes ago. */
export const groups: readonly {
  title: string
  lines: readonly (readonly [number | null, string, number])[]
  isServed: boolean
}[] = [
  {
    title: 'Festa da Sofia 🎉',
    isServed: true,
    lines: [
      [0, 'Gente, este é o grupo da festa! Coloquei a padaria para combinarmos tudo aqui', 1_570],
      [null, 'Olá a todos! O bolo de 2,5 kg está reservado para sexta às 14 h.', 1_561],
      [1, 'Eu busco! Saio do trabalho às 13h30', 1_548],
      [2, 'E os salgados, quem leva?', 64],
      [1, 'Podem ir na mesma viagem?', 58],
      [null, 'Podem, deixo tudo pronto junto: bolo e 100 salgados.', 41],
      [0, 'Perfeito! Obrigada 🥰', 17],
    ],
  },
  {
    title: 'Café do escritório Lima',
    isServed: false,
    lines: [
      [1, 'Bom dia! Na quinta seremos 22 em vez de 20. Ainda dá para mudar?', 33],
      [0, 'E um deles não come glúten', 29],
    ],
  },
]

/** What the company's people say among themselves: who (by their order in the sample), what, and how many minutes ago. */
export const among: readonly {
  title: string
  /** The owner first. */
  members: readonly number[]
  lines: readonly (readonly [number, string, number])[]
}[] = [
  {
    title: 'Equipe da padaria',
    members: [0, 1, 2],
    lines: [
      [0, 'Bom dia! A fornada das 7 h atrasou uns 20 minutos, avisem quem vier retirar cedo.', 2_960],
      [1, 'Pode deixar, já respondi dois pedidos com o novo horário.', 2_951],
      [2, 'Aqui nas entregas está tudo em dia 👍', 2_944],
      [0, 'Amanhã é feriado: abrimos das *8 h às 13 h*.', 1_530],
      [0, 'Quem pode ficar com o WhatsApp de manhã?', 1_529],
      [1, 'Eu fico.', 1_521],
      [2, 'E eu cubro as entregas até meio-dia.', 1_508],
      [0, 'Obrigada, vocês são ótimos! 🥐', 1_502],
      [1, 'Helena, o cliente do bolo de casamento pediu para trocar o recheio. Ainda dá tempo?', 38],
      [2, 'A massa já está pronta, mas o recheio só entra às 16 h.', 31],
    ],
  },
  {
    title: 'Entregas de sábado',
    members: [2, 1],
    lines: [
      [2, 'Ana, quantas encomendas temos para sábado?', 420],
      [1, 'Onze até agora, quatro delas na Vila Nova.', 415],
      [2, 'Então saio com a Vila Nova às 9 h e volto para as outras.', 412],
      [1, 'Combinado. Mando a lista de endereços no fim do dia.', 405],
      [2, 'Recebi a lista, falta o número do prédio da Camila.', 52],
      [2, 'Você consegue confirmar com ela?', 51],
    ],
  },
]

/** Replies kept under a short name, for everybody. */
export const quickReplies: readonly { shortcode: string; message: string }[] = [
  { shortcode: 'horario', message: 'Abrimos de segunda a sábado das 6 h às 20 h, e domingo das 7 h às 13 h.' },
  {
    shortcode: 'pix',
    message: '{{firstName}}, nossa chave Pix é pix@padaria.test. Assim que pagar, mande o comprovante por aqui. 🙏',
  },
  {
    shortcode: 'entrega',
    message: 'Entregamos em até 50 minutos. A taxa é de R$ 6,00 no bairro e R$ 9,00 nos vizinhos.',
  },
  { shortcode: 'encomenda', message: 'Bolos e salgados pedimos com dois dias de antecedência e 30% de sinal.' },
]

/** What is to be sent in the coming days: by whom (by their order in the sample), what, in how many days, and at what hour. */
export const scheduled: readonly (readonly [number, string, number, number])[] = [
  [
    1,
    '{{ms}}, {{firstName}}! Sua encomenda fica pronta hoje às 16 h. Vai retirar ou quer que a gente entregue?',
    1,
    12,
  ],
  [1, 'Oi, {{firstName}}! Lembrete do café da manhã da empresa: confirmam as 20 pessoas?', 2, 14],
  [2, '{{firstName}}, o bolo sai para entrega às 9 h. Alguém recebe no endereço?', 2, 11],
  [2, 'Oi! A assinatura de pães vence amanhã. Quer renovar para o próximo mês?', 5, 13],
  [1, 'Feliz aniversário, {{firstName}}! 🎂 Passe aqui e ganhe um pão de mel.', 9, 12],
]

/** The team of the two newest queues: who they are, which queue each serves, what they know, and who is away. */
export const team: readonly {
  name: string
  mail: string
  queue: 3 | 4
  /** Of the tags, by their order. */
  skills?: readonly number[]
  capacity?: number
  /** Hours from now until they are back. */
  awayFor?: number
}[] = [
  { name: 'Carla Mendes', mail: 'carla', queue: 3 },
  { name: 'Diego Farias', mail: 'diego', queue: 4, skills: [2] },
  { name: 'Elisa Rocha', mail: 'elisa', queue: 3, capacity: 8 },
  { name: 'Fabiana Luz', mail: 'fabiana', queue: 4, skills: [2] },
  { name: 'Geraldo Pinto', mail: 'geraldo', queue: 3 },
  { name: 'Heloísa Braga', mail: 'heloisa', queue: 4, skills: [0, 2] },
  { name: 'Igor Sampaio', mail: 'igor', queue: 3, awayFor: 2 },
  { name: 'Joana Freitas', mail: 'joana', queue: 4 },
  { name: 'Kátia Borges', mail: 'katia', queue: 3 },
  { name: 'Luiz Carvalho', mail: 'luiz', queue: 4, capacity: 3 },
  { name: 'Marina Assis', mail: 'marina', queue: 3 },
  { name: 'Nelson Brito', mail: 'nelson', queue: 4, awayFor: 1 },
  { name: 'Olívia Castro', mail: 'olivia', queue: 3 },
  { name: 'Paulo Guedes Lima', mail: 'paulo', queue: 4 },
  { name: 'Quitéria Lopes', mail: 'quiteria', queue: 3 },
  { name: 'Rogério Viana', mail: 'rogerio', queue: 4, skills: [1] },
  { name: 'Sílvia Monteiro', mail: 'silvia', queue: 3 },
  { name: 'Tomás Aguiar', mail: 'tomas', queue: 4 },
]

/** What the two newest queues are about: shops that buy every day, and people who marry. */
export const teamStories: readonly Story[] = [
  {
    queue: 3,
    openings: ['Bom dia! Aqui é do Café da Esquina', 'Oi! Preciso aumentar o pedido de amanhã'],
    lines: [
      ['us', 'Bom dia! Quantos pães a mais para amanhã?'],
      ['them', 'Mais 80 franceses e 20 croissants'],
      ['us', 'Anotado: 280 franceses e 60 croissants, entrega às 5h40.'],
      ['them', 'Isso. A nota sai no CNPJ de sempre?'],
      ['us', 'Sai sim, com vencimento em 14 dias.'],
    ],
    tag: 0,
    note: 'Compra todo dia: avisar antes de reajustar.',
  },
  {
    queue: 4,
    openings: ['Olá! Vou casar em maio e queria um orçamento', 'Oi! Vocês fazem mesa de doces para 120 pessoas?'],
    lines: [
      ['us', 'Que notícia boa! Para quantos convidados e em que dia?'],
      ['them', '120, no dia 16, à noite'],
      ['us', 'Temos a data. Mando o cardápio e o orçamento ainda hoje.'],
      ['them', 'Dá para provar os bolos antes?'],
      ['us', 'Dá! A prova é às quintas, às 15 h. Reservo a próxima?'],
    ],
    tag: 2,
    note: 'Quer pelo menos uma mesa sem glúten.',
  },
  {
    queue: 3,
    openings: ['A entrega de hoje veio com 30 pães a menos', 'Boa tarde, faltou uma caixa na entrega'],
    lines: [
      ['us', 'Desculpe por isso! Posso mandar o que faltou agora mesmo?'],
      ['them', 'Pode, abrimos às 6 h e já acabou'],
      ['us', 'O entregador sai em 10 minutos.'],
      ['them', 'Obrigado'],
    ],
    tag: 1,
  },
  {
    queue: 4,
    openings: [
      'Bom dia, é sobre o coffee break da nossa empresa',
      'Olá! Preciso de um café da manhã para 40 pessoas na sexta',
    ],
    lines: [
      ['us', 'Bom dia! Temos o completo, com frutas, e o simples. Qual prefere?'],
      ['them', 'O completo. Conseguem entregar às 8 h?'],
      ['us', 'Conseguimos. Precisa de louça e de alguém para servir?'],
      ['them', 'Só a louça'],
    ],
  },
]
