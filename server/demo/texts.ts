/** What the sample company's customers and agents say to each other. */
type Said = readonly ['them' | 'us', string]

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

export const openings = [
  'Bom dia! Vocês fazem bolo por encomenda?',
  'Oi, tudo bem? Queria saber do meu pedido',
  'Boa tarde, ainda tem pão de queijo congelado?',
  'Olá! Preciso da segunda via da nota fiscal',
  'Oi! Dá pra entregar hoje ainda?',
  'Bom dia, qual o horário de vocês no domingo?',
  'Boa noite! Vi no Instagram a cesta de café da manhã, quanto custa?',
  'Olá, meu boleto venceu ontem, como faço?',
  'Oi, o entregador já saiu?',
  'Queria encomendar 100 salgados pra sábado 🥳',
] as const

export const conversations: readonly (readonly Said[])[] = [
  [
    ['us', 'Olá! Fazemos sim. Para quantas pessoas e para que dia?'],
    ['them', 'Umas 20 pessoas, pra sexta à tarde'],
    ['them', 'De preferência de chocolate com morango 🍓'],
    ['us', 'Perfeito. O de 2,5 kg serve 20 a 25 pessoas e sai por R$ 189,00. Pode ser?'],
    ['them', 'Pode! Dá pra escrever "Parabéns, Sofia"?'],
    ['us', 'Claro, sem custo. A retirada é a partir das 14 h.'],
  ],
  [
    ['us', 'Oi! Pode me passar o número do pedido, por favor?'],
    ['them', 'É o 48213'],
    ['us', 'Encontrei. Saiu para entrega às 10h20 e deve chegar em até 40 minutos.'],
    ['them', 'Ah que ótimo, obrigada!'],
    ['them', 'A portaria já está avisada'],
    ['us', 'Combinado, repassei ao entregador.'],
  ],
  [
    ['us', 'Boa tarde! Temos sim, pacotes de 1 kg por R$ 32,90.'],
    ['them', 'Quero 3'],
    ['us', 'Separados! Vai retirar na loja ou prefere entrega?'],
    ['them', 'Entrega, na Rua das Acácias 120, apto 52'],
    ['us', 'A taxa é de R$ 7,00. Total de R$ 105,70. Pix ou cartão na entrega?'],
    ['them', 'Pix'],
    ['us', 'A chave é contato@padaria.test. Assim que cair eu confirmo por aqui.'],
    ['them', 'Feito!'],
  ],
  [
    ['us', 'Claro! Qual o CNPJ ou CPF da nota?'],
    ['them', '12.345.678/0001-90'],
    ['us', 'Localizei três notas deste mês. Quer todas?'],
    ['them', 'Só a do dia 12, por favor'],
    ['us', 'Enviada para o e-mail do cadastro agora mesmo.'],
  ],
  [
    ['us', 'Sábado temos horário às 9 h, 11 h e 16 h. Qual prefere?'],
    ['them', '11 h está ótimo'],
    ['them', 'Pode ser metade coxinha e metade empada?'],
    ['us', 'Pode! 50 e 50. Fica R$ 165,00, com 30% de sinal para reservar.'],
    ['them', 'Vou pagar o sinal hoje à noite'],
    ['us', 'Perfeito, deixo reservado até amanhã ao meio-dia.'],
  ],
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
    ['us', 'Que bom! Até a próxima.'],
  ],
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
