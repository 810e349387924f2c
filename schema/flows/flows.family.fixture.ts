/**
 * Flows as programs of the family keep them, one for each way of writing that is known. No fork's data is in it: the
 * shapes are theirs, the words are ours.
 */

const edge = (source: string, sourceHandle: string | null, target: string, more: object = {}) => ({
  ...{ source, sourceHandle, target, targetHandle: null },
  id: `reactflow__edge-${source}${sourceHandle ?? ''}-${target}`,
  ...more,
})
const node = (id: string, type: string, data: unknown, more: object = {}) => ({
  ...{ id, type, position: { x: 250.5, y: 100 }, data },
  ...more,
})
const noise = { width: 260, height: 150, selected: false, dragging: false, positionAbsolute: { x: 250.5, y: 100 } }
const start = node('1', 'start', { label: 'Inicio de flujo' }, noise)
const [menuId, endId, hiId] = ['Qm3', 'Xb7', 'Zk9'].map((begin) => begin.padEnd(30, 'a1B2c3')) as [
  string,
  string,
  string,
]

export interface FamilySample {
  flow: unknown
  /** What the contact writes, one after the other, and what is heard. */
  writes: string[]
  hears: string[]
  /** Codes of what a person should know. */
  notes?: string[]
}

const said = (id: string, label: string) => node(id, 'message', { label })

/** By name: what it shows. */
export const familySamples: Record<string, FamilySample> = {
  'the usual types, as the server answers': {
    flow: {
      flow: {
        ...{ id: 7, name: 'Padaria', active: true, company_id: 1, user_id: 2, variables: null },
        flow: {
          nodes: [
            start,
            node(hiId, 'message', { label: 'Olá {nome}, seu número é {numero}' }, noise),
            node(menuId, 'menu', {
              message: 'Escolha',
              arrayOption: [
                { number: 1, value: 'Pães' },
                { number: 2, value: 'Atendente' },
              ],
            }),
            node('bloco', 'singleBlock', {
              seq: ['message1', 'message0', 'interval0', 'img0', 'audio0', 'video0'],
              elements: [
                { type: 'message', value: 'segunda', number: 'message0' },
                { type: 'message', value: 'primeira', number: 'message1' },
                { type: 'interval', value: '1', number: 'interval0' },
                { type: 'img', value: '1-pao.png', original: 'pão.png', number: 'img0' },
                { type: 'audio', value: '1-voz.mp3', original: 'voz.mp3', number: 'audio0', record: true },
                { type: 'video', value: '1-loja.mp4', original: 'loja.mp4', number: 'video0' },
              ],
            }),
            node('espera', 'interval', { sec: 5, label: 'Intervalo 5 seg.' }),
            node('espera2', 'interval', { sec: '5' }),
            node('acaso', 'randomizer', { percent: 100 }),
            node('foto', 'img', { url: 'foto.png' }),
            node('filme', 'video', { url: 'filme.mp4' }),
            node('som', 'audio', { url: 'som.mp3', record: false }),
            node('fila', 'ticket', { data: { id: 3, name: 'Vendas' } }),
            node('fila2', 'ticket', { id: 3, name: 'Vendas' }),
          ],
          connections: [
            edge('1', 'a', hiId),
            edge(hiId, 'a', menuId, { type: 'buttonedge', data: { cor: 'azul' } }),
            edge(menuId, 'a1', 'bloco'),
            edge(menuId, 'a2', 'fila'),
            edge('bloco', 'a', 'acaso'),
            edge('acaso', 'a', 'foto'),
            edge('acaso', 'b', 'fila2'),
            edge('foto', 'a', 'filme'),
            edge('filme', 'a', 'som'),
            edge('som', 'a', 'fila2'),
            edge('espera', 'a', 'espera2'),
          ],
        },
      },
    },
    writes: ['oi', '1', '(1)'],
    hears: [
      'Olá Maria Souza, seu número é 5511999990000',
      'Escolha\n\n[1] Pães\n[2] Atendente',
      ...['primeira', 'segunda', 'image', 'audio', 'video', 'image', 'video', 'audio', 'toQueue 3'],
    ],
  },
  'a menu with words for wrong answers and silence': {
    flow: {
      nodes: [
        start,
        node(menuId, 'menu', {
          message: 'Escolha',
          arrayOption: [{ number: 1, value: 'Sim' }],
          invalidOptionMessage: 'Só 1',
          timeoutMessage: 'Até logo',
          menuTimeoutSeconds: '60',
        }),
        said(endId, 'Errou'),
        said(hiId, 'Silêncio'),
      ],
      connections: [edge('1', 'a', menuId), edge(menuId, 'invalid', endId), edge(menuId, 'timeout', hiId)],
    },
    writes: ['oi', 'x', '(60)'],
    hears: ['Escolha\n\n[1] Sim', 'Só 1\n\nEscolha\n\n[1] Sim', 'Até logo', 'Silêncio', 'leave nowhere'],
  },
  'a question and a condition of one comparison, its ways named a and b': {
    flow: {
      flow: {
        nodes: [
          start,
          node('q', 'question', { typebotIntegration: { message: 'Idade?', answerKey: 'sua idade', extra: 1 } }),
          node('c', 'condition', { key: 'sua idade', condition: 2, value: '18' }),
          said(hiId, 'Maior: {{sua idade}}'),
          said(endId, 'Menor'),
        ],
        connections: [
          edge('1', 'a', 'q'),
          edge('q', 'a', 'c'),
          edge('c', 'a', hiId),
          edge('c', 'b', endId),
          edge('c', 'b', hiId),
        ],
      },
    },
    writes: ['oi', '20'],
    hears: ['Idade?', 'Maior: 20', 'leave nowhere'],
    notes: ['wayDropped c b'],
  },
  'a condition whose way has no name': {
    flow: {
      nodes: [start, node('c', 'condition', { key: 'name', condition: 6, value: 'maria' }), said(hiId, 'Sim')],
      connections: [edge('1', 'a', 'c'), edge('c', null, hiId)],
    },
    writes: ['oi'],
    hears: ['Sim', 'leave nowhere'],
  },
  'a condition of several rules': {
    flow: {
      nodes: [
        start,
        node('c', 'condition', {
          mode: 'any',
          rules: [
            { key: 'name', operator: '==', value: 'José' },
            { variable: '{{email}}', operator: 'contains', value: 'example' },
          ],
        }),
        said(hiId, 'Sim'),
        said(endId, 'Não'),
      ],
      connections: [edge('1', 'a', 'c'), edge('c', 'true', hiId), edge('c', 'false', endId)],
    },
    writes: ['oi'],
    hears: ['Sim', 'leave nowhere'],
  },
  'a condition with AND and OR, its ways named positive and negative': {
    flow: {
      nodes: [
        start,
        node('c', 'condition', {
          condition: 'AND',
          options: [{ type: 'TAG', primaryCondition: 'contains', fieldName: 'VIP', id: 'x1' }],
        }),
        said(hiId, 'Sim'),
        said(endId, 'Não'),
      ],
      connections: [edge('1', 'a', 'c'), edge('c', 'positive', hiId), edge('c', 'negative', endId)],
    },
    writes: ['oi'],
    hears: ['Não', 'leave nowhere'],
  },
  'a condition of lines of code that are comparisons': {
    flow: {
      nodes: [
        start,
        node('q', 'question', { typebotIntegration: { message: 'Idade?', answerKey: 'idade' } }),
        node('c', 'condition', {
          conditions: [
            { expression: '{{idade}} >= 60', label: 'Idoso' },
            { expression: "variables.idade >= 18 && name != 'José'" },
          ],
        }),
        said('i', 'Idoso'),
        said('a', 'Adulto'),
        said('m', 'Menor'),
      ],
      connections: [
        ...[edge('1', 'a', 'q'), edge('q', 'a', 'c'), edge('c', 'cond-0', 'i'), edge('c', 'cond-1', 'a')],
        edge('c', 'default', 'm'),
      ],
    },
    writes: ['oi', '30'],
    hears: ['Idade?', 'Adulto', 'leave nowhere'],
  },
  'a condition of lines of code that do more': {
    flow: {
      nodes: [start, node('c', 'condition', { conditions: [{ expression: 'process.exit()' }] }), said(hiId, 'Sim')],
      connections: [edge('1', 'a', 'c'), edge('c', 'cond-0', hiId)],
    },
    writes: ['oi'],
    hears: ['Sim', 'leave nowhere'],
    notes: ['notUnderstood c condition'],
  },
  'queues, tags, people and ends as forks name them': {
    flow: {
      format: 'flowbuilder-export',
      version: 1,
      exportedAt: '2026-05-01T12:00:00.000Z',
      name: 'Exportado',
      nodes: [
        start,
        node('t1', 'tag', { tag: { id: 4, name: 'VIP' } }),
        node('t2', 'tag', { tagId: '5', action: 'remove' }),
        node('u', 'updateContact', { field: 'custom', customKey: 'Cidade', value: 'Natal' }),
        node('n', 'internalNote', { text: 'De {{Cidade}}' }),
        node('w', 'waitForInteraction', { label: 'Aguardar' }),
        node('g', 'gotoFlow', { flowId: 9 }),
        node('p', 'attendant', { user: { id: 8, name: 'Ana' } }),
        node('p2', 'assignUser', { userId: 8 }),
        node('s', 'sector', { queue: { id: 6, name: 'Fiscal', color: '#fff' } }),
        node('f', 'closeTicket', {}),
        node('e', 'end', { closeTicket: true, label: 'Fim' }),
      ],
      connections: [
        ...[edge('1', 'a', 't1'), edge('t1', 'a', 't2'), edge('t2', 'a', 'u'), edge('u', 'a', 'n')],
        ...[edge('n', 'a', 'w'), edge('w', 'a', 's')],
      ],
    },
    writes: ['oi', 'qualquer coisa'],
    hears: ['tag 4', 'untag 5', 'field Natal', 'note De Natal', 'toQueue 6'],
  },
  'an outside call with a way for errors, and hours': {
    flow: {
      nodes: [
        start,
        node('h', 'businessHours', {
          ...{ days: ['seg', 'ter', 'qua', 'qui', 'sex'], start: '8:00', end: '18:00', timezone: 'America/Sao_Paulo' },
        }),
        node('r', 'httpRequest', {
          ...{ method: 'post', url: 'https://api.example.com/pedido', body: '{"n":"{{name}}"}', timeout: 10 },
          headers: [{ key: 'X-De', value: 'loja' }],
          extractRules: [{ path: 'total', variable: 'total' }],
        }),
        said(hiId, 'Total {{total}}'),
        said(endId, 'Fechado'),
      ],
      connections: [
        ...[edge('1', 'a', 'h'), edge('h', 'a', 'r'), edge('h', 'b', endId)],
        ...[edge('r', 'success', hiId), edge('r', 'error', endId)],
      ],
    },
    writes: ['oi', '=>{"total":12}'],
    hears: ['http', 'Total 12', 'leave nowhere'],
  },
  'outside calls with one way': {
    flow: {
      nodes: [
        start,
        node('w', 'webhook', {
          ...{ method: 'GET', url: 'https://api.example.com/a', responseVariable: 'resposta' },
          headers: [{ key: 'A', value: 'b' }],
        }),
        node('r', 'request', {
          request: {
            url: 'https://api.example.com/b',
            headerOptions: { method: 'POST', body: '{"a":1}', headers: '{"A":"b"}' },
            variables: [{ field: 'valor', placeholder: 'a.b' }],
          },
        }),
        said(hiId, '{{resposta}} {{resposta_status}} {{valor}}'),
      ],
      connections: [edge('1', 'a', 'w'), edge('w', 'a', 'r'), edge('r', 'a', hiId)],
    },
    writes: ['oi', '=>"ok"', '=>{"a":{"b":7}}'],
    hears: ['http', 'http', 'ok 200 7', 'leave nowhere'],
  },
  'an assistant whose key stands in the flow': {
    flow: {
      nodes: [
        start,
        node('a', 'openai', {
          typebotIntegration: {
            ...{ name: 'Bia', prompt: 'Atenda {nome}', voice: 'texto', maxTokens: 100, temperature: 1 },
            ...{ apiKey: 'sk-123', voiceKey: 'abc', queueId: 3, maxMessages: 10 },
          },
        }),
        said(hiId, 'Fim'),
      ],
      connections: [edge('1', 'a', 'a'), edge('a', 'a', hiId)],
    },
    writes: ['oi'],
    hears: ['ai Atenda Maria Souza'],
    notes: ['secretRemoved a apiKey', 'secretRemoved a voiceKey'],
  },
  'a typebot whose address stands in the flow': {
    flow: {
      nodes: [
        start,
        node('t', 'typebot', { typebotIntegration: { urlN8N: 'https://bot.example', typebotSlug: 'x' } }),
        said(hiId, 'Fim'),
      ],
      connections: [edge('1', 'a', 't'), edge('t', 'a', hiId)],
    },
    writes: ['oi'],
    hears: ['typebot oi'],
  },
  'types that mean nothing here': {
    flow: {
      nodes: [
        start,
        node('t', 'robot', { robotIntegration: { urlN8N: 'https://bot.example', slug: 'x' } }, { zIndex: 3 }),
        node('p', 'attendant', { users: [{ id: 1 }, { id: 2 }] }),
        said(hiId, 'Fim'),
      ],
      connections: [edge('1', 'a', 't'), edge('t', 'saida', hiId, { label: 'ok' }), edge(hiId, 'a', 'p')],
    },
    writes: ['oi'],
    hears: ['Fim', 'leave nowhere'],
    notes: ['typeUnknown t robot', 'notUnderstood p attendant'],
  },
}
