import { type Language, otherWord } from '../languages.ts'
import { type FlowGraph, type FlowNode, newData, NEXT, START_ID } from './flows.graph.ts'
import type { NodeData, NodeType } from './flows.inputs.ts'
import { layoutFlow, type Size } from './flows.layout.ts'
import { templateWords } from './flows.templates.words.ts'

/**
 * Flows to begin from, in the language in which the company talks to its contacts. Each runs as it is: what only the company knows (an
 * address, a menu) stands in the texts as an example, to be written over. The client has their titles.
 */

export const templateIds = [
  'bakeryOrders',
  'bakeryParties',
  'clinicAppointments',
  'clinicExams',
  'internetSupport',
  'internetSales',
] as const
export type TemplateId = (typeof templateIds)[number]

type Row = { [T in NodeType]: [type: T, data?: Partial<NodeData[T]>, exits?: Record<string, string>] }[NodeType]
type Rows = Record<string, Row>

/** A menu whose options lead to the nodes named beside them. */
const menu = (message: string, options: [label: string, to: string][], more: Partial<NodeData['menu']> = {}): Row => [
  'menu',
  { message, options: options.map(([label], index) => ({ number: index + 1, label })), ...more },
  Object.fromEntries(options.map(([, to], index) => [`a${index + 1}`, to])),
]
const say = (text: string, to: string): Row => ['message', { text }, { [NEXT]: to }]
const note = (text: string, to: string): Row => ['note', { text }, { [NEXT]: to }]
const ask = (
  message: string,
  saveAs: string,
  to: string,
  kind: NodeData['question']['kind'] = 'text',
  more: Partial<NodeData['question']> = {},
): Row => ['question', { message, saveAs, kind, ...more }, { [NEXT]: to }]
/** Inside and outside of the company's hours. */
const openOrClosed = (open: string, closed: string): Row => ['hours', { of: 'company' }, { open, closed }]
const goodbye = (message: string): Row => ['end', { then: 'close', message }]

/** Half an hour; then people look whether somebody waits. */
const patience = {
  timeoutSeconds: 1_800,
  timeoutMessage: 'Vou deixar a conversa por aqui. Quando quiser, é só escrever de novo.',
}

/** People take over: those of the queue, or, where none was chosen, whoever is there. */
type HandOver = (message: string) => Row

const bakeryOrders = (people: HandOver): Rows => ({
  hours: openOrClosed('hello', 'closed'),
  hello: say('{{greeting}}, {{firstName}}! Aqui é da padaria. 🥖', 'menu'),
  closed: say(
    'Olá, {{firstName}}! Agora estamos fechados, mas você já pode deixar a sua encomenda: confirmamos assim que abrirmos.',
    'menu',
  ),
  menu: menu(
    'O que você deseja?',
    [
      ['Fazer uma encomenda', 'what'],
      ['Ver o cardápio', 'list'],
      ['Horário e endereço', 'address'],
      ['Falar com uma pessoa', 'person'],
    ],
    patience,
  ),
  list: say(
    'Pão francês – R$ 18,00 o quilo\nPão de queijo – R$ 45,00 o quilo\nBolo de cenoura – R$ 38,00\nTorta de frango (10 fatias) – R$ 70,00\nSonho – R$ 7,00',
    'more',
  ),
  address: say(
    'Abrimos de segunda a sábado, das 6h às 20h, e domingo, das 7h às 13h.\nRua das Flores, 123 – Centro.',
    'more',
  ),
  more: menu('Posso ajudar em mais alguma coisa?', [
    ['Fazer uma encomenda', 'what'],
    ['Voltar ao início', 'menu'],
    ['Não, obrigado', 'bye'],
  ]),
  what: ask('Que delícia! O que vai querer? Escreva os produtos e as quantidades.', 'pedido', 'day', 'text', {
    gatherSeconds: 4,
  }),
  day: ask('Para que dia? (por exemplo 25/12, ou amanhã)', 'dia', 'time', 'date'),
  time: ask('A que horas você vem buscar?', 'horario', 'confirm', 'time', {
    invalidMessage: 'Escreva só a hora, por exemplo 14:30.',
  }),
  confirm: menu('Confira, por favor:\n\n{{pedido}}\n\nDia {{dia}}, às {{horario}}.', [
    ['Está certo', 'kept'],
    ['Quero corrigir', 'what'],
  ]),
  kept: note('Encomenda: {{pedido}}\nRetirada: {{dia}} às {{horario}}', 'done'),
  done: people('Anotado! Vamos conferir e já confirmamos o valor com você. 🧡'),
  person: people('Certo! Já chamo alguém da equipe. Aguarde um instante.'),
  bye: goodbye('Obrigado, {{firstName}}! Até a próxima fornada. 🥐'),
})

const bakeryParties = (people: HandOver): Rows => ({
  hello: say('Olá, {{firstName}}! Vamos montar o orçamento da sua festa? São só algumas perguntas. 🎂', 'kind'),
  kind: menu(
    'O que você precisa?',
    [
      ['Bolo', 'cake'],
      ['Salgados e docinhos', 'guests'],
      ['Kit completo', 'cake'],
    ],
    patience,
  ),
  cake: ask('Qual o sabor da massa e do recheio?', 'sabor', 'picture'),
  picture: menu('Você tem uma foto de como quer o bolo?', [
    ['Sim, vou enviar', 'photo'],
    ['Não', 'guests'],
  ]),
  photo: ask('Pode enviar a foto.', 'foto', 'guests', 'file'),
  guests: ask('Para quantas pessoas?', 'convidados', 'size', 'number'),
  size: ['condition', { key: 'convidados', condition: 5, value: '100' }, { true: 'big', false: 'day' }],
  big: say('Para festas com mais de 100 pessoas pedimos 10 dias de antecedência.', 'day'),
  day: ask('Em que dia é a festa?', 'dia', 'delivery', 'date'),
  delivery: menu('Você busca na loja ou quer que a gente entregue?', [
    ['Busco na loja', 'kept'],
    ['Entrega', 'address'],
  ]),
  address: ask('Qual o endereço da entrega, com bairro?', 'endereco', 'kept', 'text', { gatherSeconds: 4 }),
  kept: note(
    'Orçamento de festa\nDia: {{dia}}\nPessoas: {{convidados}}\nSabor: {{sabor}}\nFoto: {{foto}}\nEntrega: {{endereco}}',
    'done',
  ),
  done: people('Prontinho! Em breve enviamos o orçamento por aqui. Protocolo {{protocol}}.'),
})

const clinicAppointments = (people: HandOver): Rows => ({
  hello: say('{{greeting}}, {{firstName}}! Você está falando com a clínica.', 'menu'),
  menu: menu(
    'Como podemos ajudar?',
    [
      ['Marcar consulta', 'specialty'],
      ['Remarcar ou cancelar', 'change'],
      ['Convênios e valores', 'plans'],
      ['Falar com a recepção', 'person'],
    ],
    patience,
  ),
  plans: say(
    'Atendemos Unimed, Bradesco Saúde e SulAmérica. Consulta particular: R$ 280,00, com retorno em até 30 dias.',
    'menu',
  ),
  specialty: menu('Qual a especialidade?', [
    ['Clínica médica', 'payment'],
    ['Pediatria', 'child'],
    ['Ginecologia', 'payment'],
    ['Outra', 'other'],
  ]),
  child: ask('Qual o nome e a idade da criança?', 'crianca', 'payment', 'text', { gatherSeconds: 4 }),
  other: ask('Qual especialidade você procura?', 'especialidade', 'payment'),
  payment: menu('A consulta é por convênio ou particular?', [
    ['Convênio', 'plan'],
    ['Particular', 'document'],
  ]),
  plan: ask('Qual o convênio?', 'convenio', 'document'),
  document: ask('Para o cadastro, qual o CPF do paciente?', 'cpf', 'mail', 'document', {
    invalidMessage: 'Este CPF não confere. Pode digitar de novo, só os números?',
  }),
  mail: ask('E um e-mail para enviarmos a confirmação?', 'mail', 'keepMail', 'email'),
  keepMail: ['field', { field: 'email', value: '{{mail}}' }, { [NEXT]: 'day' }],
  day: ask('Qual o melhor dia? (por exemplo 25/12)', 'dia', 'turn', 'date'),
  turn: menu('E o melhor período?', [
    ['Manhã', 'morning'],
    ['Tarde', 'afternoon'],
  ]),
  morning: note('Consulta: manhã de {{dia}}. CPF {{cpf}}. {{convenio}} {{especialidade}} {{crianca}}', 'done'),
  afternoon: note('Consulta: tarde de {{dia}}. CPF {{cpf}}. {{convenio}} {{especialidade}} {{crianca}}', 'done'),
  change: ask('Qual o CPF do paciente?', 'cpf', 'changed', 'document'),
  changed: note('Quer remarcar ou cancelar. CPF {{cpf}}', 'person'),
  done: people('Obrigado! A recepção vai confirmar o horário com você por aqui.'),
  person: ['hours', { of: 'company' }, { open: 'now', closed: 'later' }],
  now: people('Só um momento: a recepção já vai atender você.'),
  later: people('A recepção está fechada agora. Respondemos assim que abrirmos.'),
})

const clinicExams = (people: HandOver): Rows => ({
  menu: menu(
    'Olá, {{firstName}}! Sobre qual assunto?',
    [
      ['Preparo para o exame', 'exams'],
      ['Resultado', 'document'],
      ['Enviar pedido médico', 'order'],
      ['Outro assunto', 'person'],
    ],
    patience,
  ),
  exams: menu('Qual o exame?', [
    ['Sangue', 'blood'],
    ['Ultrassom de abdome', 'ultrasound'],
    ['Urina', 'urine'],
    ['Voltar', 'menu'],
  ]),
  blood: say(
    'Jejum de 8 horas. Água pode. Não faça exercício forte na véspera e traga a lista dos seus remédios.',
    'again',
  ),
  ultrasound: say('Jejum de 6 horas. Uma hora antes, beba seis copos de água e não vá ao banheiro.', 'again'),
  urine: say('Colha a primeira urina da manhã no frasco da clínica e traga em até duas horas.', 'again'),
  again: menu('Ficou alguma dúvida?', [
    ['Ver outro exame', 'exams'],
    ['Falar com uma pessoa', 'person'],
    ['Não, obrigado', 'bye'],
  ]),
  document: ask('Qual o CPF do paciente?', 'cpf', 'birth', 'document'),
  birth: ask('E a data de nascimento? (dia/mês/ano)', 'nascimento', 'result', 'date'),
  result: note('Pede resultado. CPF {{cpf}}, nascimento {{nascimento}}', 'checking'),
  checking: people('Estamos procurando o seu resultado e enviamos por aqui. Por segurança, só para o paciente.'),
  order: ask('Envie uma foto do pedido médico, com o nome e a data legíveis.', 'pedido', 'ordered', 'file'),
  ordered: note('Pedido médico recebido: {{pedido}}', 'budget'),
  budget: people('Recebemos! Vamos ver o preparo, o valor e os horários e respondemos em seguida.'),
  person: people('Certo, já chamo alguém da equipe.'),
  bye: goodbye('De nada! Cuide-se bem.'),
})

const internetSupport = (people: HandOver): Rows => ({
  hello: say('{{greeting}}, {{firstName}}! Aqui é o suporte. Vamos resolver isso.', 'menu'),
  menu: menu(
    'O que está acontecendo?',
    [
      ['Estou sem internet', 'light'],
      ['A internet está lenta', 'slow'],
      ['Segunda via do boleto', 'bill'],
      ['Outro assunto', 'person'],
    ],
    patience,
  ),
  light: menu('Olhe o aparelho da fibra (ONU). Há uma luz vermelha acesa?', [
    ['Sim, vermelha', 'cut'],
    ['Não', 'restart'],
    ['Está tudo apagado', 'power'],
  ]),
  power: say('Veja se o aparelho está ligado na tomada e teste a tomada com outro aparelho.', 'restart'),
  restart: say('Desligue o aparelho da tomada, espere 30 segundos e ligue de novo. Eu espero aqui. ⏳', 'wait'),
  wait: ['interval', { seconds: 120 }, { [NEXT]: 'back', reply: 'back' }],
  back: menu(
    'A internet voltou?',
    [
      ['Sim, voltou', 'bye'],
      ['Ainda não', 'document'],
    ],
    patience,
  ),
  slow: say(
    'Faça um teste em speedtest.net, perto do roteador, com um só aparelho ligado, e envie a foto do resultado.',
    'speed',
  ),
  speed: ask('Pode enviar a foto do teste.', 'teste', 'cabled', 'file'),
  cabled: menu('O teste foi pelo Wi-Fi ou pelo cabo?', [
    ['Wi-Fi', 'document'],
    ['Cabo', 'document'],
  ]),
  cut: say('A luz vermelha mostra que a fibra pode estar rompida. Vamos abrir um chamado para um técnico.', 'document'),
  document: ask('Qual o CPF ou CNPJ do titular?', 'documento', 'where', 'document'),
  where: ask('Em que bairro fica a instalação?', 'bairro', 'kept'),
  kept: note('Chamado técnico. Titular {{documento}}, bairro {{bairro}}. Teste: {{teste}}', 'technician'),
  technician: people('Chamado aberto, protocolo {{protocol}}. Um técnico vai falar com você por aqui.'),
  bill: ask('Qual o CPF ou CNPJ do titular?', 'documento', 'billed', 'document'),
  billed: note('Segunda via do boleto para {{documento}}', 'finance'),
  finance: people('Já enviamos o seu boleto por aqui. Um momento.'),
  person: people('Certo! Um atendente já vai falar com você.'),
  bye: goodbye('Que bom! Se precisar, é só chamar. 💙'),
})

const internetSales = (people: HandOver): Rows => ({
  hello: say('Olá, {{firstName}}! Que bom que você quer a nossa fibra. 🚀', 'client'),
  client: menu(
    'Você já é nosso cliente?',
    [
      ['Ainda não', 'plan'],
      ['Sim, quero mudar de plano', 'document'],
    ],
    patience,
  ),
  plan: menu('Qual plano combina com a sua casa?', [
    ['300 mega – R$ 79,90', 'plan300'],
    ['600 mega – R$ 99,90', 'plan600'],
    ['1 giga – R$ 139,90', 'plan1000'],
    ['Ajude a escolher', 'people'],
  ]),
  people: ask('Quantas pessoas usam a internet na casa?', 'pessoas', 'advice', 'number'),
  advice: [
    'condition',
    {
      mode: 'cases',
      cases: [
        {
          label: 'Até 3',
          match: 'all',
          rules: [{ of: 'variable', key: 'pessoas', operator: 'atMost', value: '3' }],
        },
        {
          label: 'Até 6',
          match: 'all',
          rules: [{ of: 'variable', key: 'pessoas', operator: 'atMost', value: '6' }],
        },
      ],
    },
    { 'cond-0': 'small', 'cond-1': 'middle', default: 'large' },
  ],
  small: say('Para até três pessoas, 300 mega dão conta de tudo.', 'plan300'),
  middle: say('Para vocês, 600 mega deixam folga para filmes e aulas.', 'plan600'),
  large: say('Com tanta gente, 1 giga é a melhor escolha.', 'plan1000'),
  plan300: note('Interesse: 300 mega', 'name'),
  plan600: note('Interesse: 600 mega', 'name'),
  plan1000: note('Interesse: 1 giga', 'name'),
  name: ask('Qual o seu nome completo?', 'nomecompleto', 'keepName'),
  keepName: ['field', { field: 'name', value: '{{nomecompleto}}' }, { [NEXT]: 'address' }],
  address: ask('Qual o endereço da instalação, com número, bairro e CEP?', 'endereco', 'install', 'text', {
    gatherSeconds: 4,
  }),
  install: ask('Qual o melhor dia para a instalação?', 'dia', 'kept', 'date'),
  kept: note('Nova instalação para {{nomecompleto}}: {{endereco}}. Melhor dia: {{dia}}', 'done'),
  document: ask('Qual o CPF ou CNPJ do titular?', 'documento', 'changed', 'document'),
  changed: note('Cliente {{documento}} quer mudar de plano', 'done'),
  done: people('Tudo anotado! Vamos ver a viabilidade e um consultor confirma com você por aqui.'),
})

const templates: Record<TemplateId, (people: HandOver) => Rows> = {
  bakeryOrders,
  bakeryParties,
  clinicAppointments,
  clinicExams,
  internetSupport,
  internetSales,
}

export interface TemplateChoices {
  language?: Language
  /** The queue that takes over; null: the ticket waits for whoever is there. */
  queueId: number | null
  /** A new id for a node. */
  newId: () => string
  /** Sizes of the cards, where they are known. */
  sizeOf?: (node: FlowNode) => Size
}

/** About what a card takes, where nobody has measured. */
const usualSize = (node: FlowNode): Size => ({
  width: 260,
  height: node.type === 'menu' ? 140 + 34 * node.data.options.length : 130,
})

/** The same with every text that is written here in another language; codes, numbers and ids stay. */
function spoken<T>(data: T, language: Language): T {
  if (language === 'pt' || data === null || data === undefined) return data
  if (typeof data === 'string') return (otherWord(templateWords[data], language) ?? data) as T
  if (Array.isArray(data)) return data.map((one: unknown) => spoken(one, language)) as T
  if (typeof data !== 'object') return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, spoken(value, language)])) as T
}

/** A flow to begin from, arranged. */
export function templateGraph(
  id: TemplateId,
  { language = 'pt', queueId, newId, sizeOf = usualSize }: TemplateChoices,
): FlowGraph {
  const rows = templates[id]((message) =>
    queueId === null ? ['end', { then: 'pending', message }] : ['ticket', { queueId, message }],
  )
  const names = Object.keys(rows)
  const ids = new Map(names.map((name) => [name, newId()]))
  const node = (nodeId: string, [type, data, exits = {}]: Row): FlowNode =>
    ({
      ...{ id: nodeId, type, x: 0, y: 0, data: { ...newData(type), ...spoken(data, language) } },
      exits: Object.fromEntries(Object.entries(exits).map(([port, name]) => [port, ids.get(name)!])),
    }) as unknown as FlowNode
  const nodes = [
    node(START_ID, ['start', {}, { [NEXT]: names[0]! }]),
    ...names.map((name) => node(ids.get(name)!, rows[name]!)),
  ]
  const places = layoutFlow({ nodes }, sizeOf)
  return { nodes: nodes.map((one) => ({ ...one, ...places.get(one.id)! })) }
}
