import { type Language, type Words, wordIn } from '../languages.ts'
import type { ReportName } from './reports.inputs.ts'

/**
 * Every figure of the reports, once: what it is called, what it means, its unit, and how it is counted. The server's query, the
 * list of tickets behind it, the columns of files, the screen and the dashboard follow from it.
 */

/** Seconds are shown as a duration; `share` is a percentage, `rate` a mean of 1 to 3. */
export type FigureUnit = 'count' | 'seconds' | 'share' | 'rate'

/** What of a service a figure asks besides its moment. */
export type ServiceTest =
  | { is: 'reopened' }
  | { is: 'abandoned' }
  | { is: 'bot' }
  | { is: 'rated'; rates: readonly number[] }
  | { is: 'commented' }
  | { is: 'botEnd'; end: 'solved' | 'handedOver' | 'gaveUp' | 'running' }

/** The moments of a service, by which it falls into a period. */
export type ServiceMoment = 'openedAt' | 'answeredAt' | 'closedAt' | 'askedAt' | 'ratedAt' | 'botAt'

export type Counting =
  /** Services, of which a moment lies in the period; or of a column of theirs a percentile, a mean, or a share of them. */
  | {
      of: 'services'
      at: ServiceMoment
      test?: ServiceTest
      measure?: {
        column: 'answerSeconds' | 'answerOpenSeconds' | 'closeSeconds' | 'closeOpenSeconds'
        percentile: 50 | 90
      }
      /** The mean of the rates. */
      mean?: true
      /** Percent of those that meet it, of all with the moment. */
      share?: ServiceTest
    }
  | { of: 'messages'; voice: 'received' | 'sent' | 'automatic' }
  /** Promises that ended, or were broken, in the period. */
  | { of: 'clocks'; what: 'met' | 'breached' | 'share'; measure?: never }
  | { of: 'clocks'; what: 'took' | 'tookByClock'; measure: { percentile: 50 | 90 } }
  /** People of campaigns that began in the period. */
  | {
      of: 'shippings'
      what: 'planned' | 'sent' | 'delivered' | 'read' | 'replied' | 'failed' | 'skipped' | 'optedOut'
    }

export interface Figure {
  unit: FigureUnit
  label: Words
  /** What it counts, in a sentence. */
  means: Words
  reports: readonly ReportName[]
  counting: Counting
}

const general = ['agents', 'queues', 'tags', 'connections'] as const
const timed = (
  at: 'answeredAt' | 'closedAt',
  column: 'answerSeconds' | 'answerOpenSeconds' | 'closeSeconds' | 'closeOpenSeconds',
  percentile: 50 | 90,
): Counting => ({ of: 'services', at, measure: { column, percentile } })
const half: Words = ['Metade', 'La mitad', 'Half']
const nine: Words = ['Nove de cada dez', 'Nueve de cada diez', 'Nine out of ten']
const open: Words = [
  'Só conta o horário de atendimento da fila, ou da empresa.',
  'Solo cuenta el horario de atención de la cola o de la empresa.',
  'Only business hours of the queue, or of the company, count.',
]
const clock: Words = [
  'Conta o relógio, também à noite e em feriados.',
  'Cuenta el reloj, también de noche y en feriados.',
  'By the clock, nights and holidays included.',
]
const answerMeans = (part: Words, by: Words): Words => [
  `${part[0]} dos atendimentos teve a primeira resposta de uma pessoa em até este tempo, desde o início. De quem foi respondido no período. ${by[0]}`,
  `${part[1]} de los tickets tuvo la primera respuesta de una persona dentro de este tiempo, desde el inicio. De los respondidos en el período. ${by[1]}`,
  `${part[2]} of the tickets had a person’s first answer within this time from their beginning. Of those answered in the period. ${by[2]}`,
]
const closeMeans = (part: Words, by: Words): Words => [
  `${part[0]} dos atendimentos terminou em até este tempo, desde o início. Dos que terminaram no período. ${by[0]}`,
  `${part[1]} de los tickets terminó dentro de este tiempo, desde el inicio. De los que terminaron en el período. ${by[1]}`,
  `${part[2]} of the tickets ended within this time from their beginning. Of those that ended in the period. ${by[2]}`,
]
const kept = ['sla'] as const

export const figures = {
  opened: {
    unit: 'count',
    label: ['Iniciados', 'Iniciados', 'Opened'],
    means: [
      'Atendimentos que começaram no período, também os reabertos: cada reabertura é um atendimento novo.',
      'Tickets que empezaron en el período, también los reabiertos: cada reapertura es un ticket nuevo.',
      'Tickets that began in the period, reopened ones included: each reopening counts as a new one.',
    ],
    reports: [...general, 'hours'],
    counting: { of: 'services', at: 'openedAt' },
  },
  reopened: {
    unit: 'count',
    label: ['Reabertos', 'Reabiertos', 'Reopened'],
    means: [
      'Dos iniciados, os que já tinham sido atendidos antes.',
      'De los iniciados, los que ya habían sido atendidos antes.',
      'Of those opened, the ones that had been served before.',
    ],
    reports: general,
    counting: { of: 'services', at: 'openedAt', test: { is: 'reopened' } },
  },
  closed: {
    unit: 'count',
    label: ['Encerrados', 'Cerrados', 'Closed'],
    means: [
      'Atendimentos que terminaram no período, quando quer que tenham começado.',
      'Tickets que terminaron en el período, sin importar cuándo empezaron.',
      'Tickets that ended in the period, whenever they began.',
    ],
    reports: [...general, 'hours'],
    counting: { of: 'services', at: 'closedAt' },
  },
  received: {
    unit: 'count',
    label: ['Mensagens recebidas', 'Mensajes recibidos', 'Messages received'],
    means: [
      'Mensagens dos contatos no período, nos atendimentos contados.',
      'Mensajes de los contactos en el período, en los tickets contados.',
      'Messages of contacts in the period, in the tickets counted.',
    ],
    reports: ['queues', 'tags', 'connections', 'hours'],
    counting: { of: 'messages', voice: 'received' },
  },
  sent: {
    unit: 'count',
    label: ['Mensagens enviadas', 'Mensajes enviados', 'Messages sent'],
    means: [
      'Mensagens escritas por pessoas da empresa no período, também no celular. Por atendente: as que ele escreveu.',
      'Mensajes escritos por personas de la empresa en el período, también en el teléfono. Por agente: los que escribió.',
      'Messages written by people of the company in the period, on the phone as well. By agent: those they wrote.',
    ],
    reports: [...general, 'hours'],
    counting: { of: 'messages', voice: 'sent' },
  },
  automatic: {
    unit: 'count',
    label: ['Mensagens automáticas', 'Mensajes automáticos', 'Automatic messages'],
    means: [
      'Mensagens que saíram sozinhas no período: robôs, avisos, campanhas e programas.',
      'Mensajes que salieron solos en el período: bots, avisos, campañas y programas.',
      'Messages that left by themselves in the period: bots, notices, campaigns and programs.',
    ],
    reports: ['queues', 'tags', 'connections'],
    counting: { of: 'messages', voice: 'automatic' },
  },
  answered: {
    unit: 'count',
    label: ['Respondidos', 'Respondidos', 'Answered'],
    means: [
      'Atendimentos em que uma pessoa respondeu ao contato pela primeira vez no período.',
      'Tickets en los que una persona respondió al contacto por primera vez en el período.',
      'Tickets in which a person first answered the contact in the period.',
    ],
    reports: general,
    counting: { of: 'services', at: 'answeredAt' },
  },
  answerP50: {
    unit: 'seconds',
    label: ['1ª resposta, metade', '1.ª respuesta, mitad', 'First answer, half'],
    means: answerMeans(half, clock),
    reports: general,
    counting: timed('answeredAt', 'answerSeconds', 50),
  },
  answerP90: {
    unit: 'seconds',
    label: ['1ª resposta, 9 de 10', '1.ª respuesta, 9 de 10', 'First answer, 9 of 10'],
    means: answerMeans(nine, clock),
    reports: general,
    counting: timed('answeredAt', 'answerSeconds', 90),
  },
  answerOpenP50: {
    unit: 'seconds',
    label: ['1ª resposta no horário, metade', '1.ª respuesta en horario, mitad', 'First answer in hours, half'],
    means: answerMeans(half, open),
    reports: general,
    counting: timed('answeredAt', 'answerOpenSeconds', 50),
  },
  answerOpenP90: {
    unit: 'seconds',
    label: ['1ª resposta no horário, 9 de 10', '1.ª respuesta en horario, 9 de 10', 'First answer in hours, 9 of 10'],
    means: answerMeans(nine, open),
    reports: general,
    counting: timed('answeredAt', 'answerOpenSeconds', 90),
  },
  closeP50: {
    unit: 'seconds',
    label: ['Resolução, metade', 'Resolución, mitad', 'Resolution, half'],
    means: closeMeans(half, clock),
    reports: general,
    counting: timed('closedAt', 'closeSeconds', 50),
  },
  closeP90: {
    unit: 'seconds',
    label: ['Resolução, 9 de 10', 'Resolución, 9 de 10', 'Resolution, 9 of 10'],
    means: closeMeans(nine, clock),
    reports: general,
    counting: timed('closedAt', 'closeSeconds', 90),
  },
  closeOpenP50: {
    unit: 'seconds',
    label: ['Resolução no horário, metade', 'Resolución en horario, mitad', 'Resolution in hours, half'],
    means: closeMeans(half, open),
    reports: general,
    counting: timed('closedAt', 'closeOpenSeconds', 50),
  },
  closeOpenP90: {
    unit: 'seconds',
    label: ['Resolução no horário, 9 de 10', 'Resolución en horario, 9 de 10', 'Resolution in hours, 9 of 10'],
    means: closeMeans(nine, open),
    reports: general,
    counting: timed('closedAt', 'closeOpenSeconds', 90),
  },
  abandoned: {
    unit: 'count',
    label: ['Sem resposta', 'Sin respuesta', 'Abandoned'],
    means: [
      'Encerrados no período em que o contato escreveu, nenhuma pessoa respondeu e nenhum robô resolveu.',
      'Cerrados en el período en los que el contacto escribió, ninguna persona respondió y ningún bot resolvió.',
      'Closed in the period: the contact wrote, no person answered, and no bot solved it.',
    ],
    reports: general,
    counting: { of: 'services', at: 'closedAt', test: { is: 'abandoned' } },
  },
  botOnly: {
    unit: 'count',
    label: ['Só por robô', 'Solo por bot', 'By bot alone'],
    means: [
      'Encerrados no período por um robô, sem que uma pessoa tenha respondido.',
      'Cerrados en el período por un bot, sin que una persona haya respondido.',
      'Closed in the period by a bot, without an answer of a person.',
    ],
    reports: general,
    counting: { of: 'services', at: 'closedAt', test: { is: 'bot' } },
  },
  asked: {
    unit: 'count',
    label: ['Perguntados', 'Consultados', 'Asked'],
    means: [
      'Atendimentos cujo contato foi perguntado no período como foi atendido.',
      'Tickets cuyo contacto fue consultado en el período sobre la atención.',
      'Tickets whose contact was asked in the period how it was.',
    ],
    reports: ['csat'],
    counting: { of: 'services', at: 'askedAt' },
  },
  ratings: {
    unit: 'count',
    label: ['Avaliações', 'Calificaciones', 'Ratings'],
    means: [
      'Atendimentos que o contato avaliou no período.',
      'Tickets que el contacto calificó en el período.',
      'Tickets that the contact rated in the period.',
    ],
    reports: [...general, 'csat'],
    counting: { of: 'services', at: 'ratedAt' },
  },
  rating: {
    unit: 'rate',
    label: ['Nota média', 'Nota media', 'Mean rating'],
    means: [
      'Média das avaliações do período: 1 insatisfeito, 2 satisfeito, 3 muito satisfeito.',
      'Media de las calificaciones del período: 1 insatisfecho, 2 satisfecho, 3 muy satisfecho.',
      'Mean of the ratings of the period: 1 dissatisfied, 2 satisfied, 3 very satisfied.',
    ],
    reports: [...general, 'csat'],
    counting: { of: 'services', at: 'ratedAt', mean: true },
  },
  satisfied: {
    unit: 'share',
    label: ['Satisfeitos', 'Satisfechos', 'Satisfied'],
    means: [
      'Das avaliações do período, as de nota 2 ou 3.',
      'De las calificaciones del período, las de nota 2 o 3.',
      'Of the ratings of the period, those of 2 or 3.',
    ],
    reports: ['csat'],
    counting: { of: 'services', at: 'ratedAt', share: { is: 'rated', rates: [2, 3] } },
  },
  unhappy: {
    unit: 'count',
    label: ['Insatisfeitos', 'Insatisfechos', 'Dissatisfied'],
    means: [
      'Avaliações de nota 1 no período.',
      'Calificaciones de nota 1 en el período.',
      'Ratings of 1 in the period.',
    ],
    reports: ['csat'],
    counting: { of: 'services', at: 'ratedAt', test: { is: 'rated', rates: [1] } },
  },
  happy: {
    unit: 'count',
    label: ['Muito satisfeitos', 'Muy satisfechos', 'Very satisfied'],
    means: [
      'Avaliações de nota 3 no período.',
      'Calificaciones de nota 3 en el período.',
      'Ratings of 3 in the period.',
    ],
    reports: ['csat'],
    counting: { of: 'services', at: 'ratedAt', test: { is: 'rated', rates: [3] } },
  },
  comments: {
    unit: 'count',
    label: ['Comentários', 'Comentarios', 'Comments'],
    means: [
      'Avaliações do período com um comentário do contato.',
      'Calificaciones del período con un comentario del contacto.',
      'Ratings of the period with a comment of the contact.',
    ],
    reports: ['csat'],
    counting: { of: 'services', at: 'ratedAt', test: { is: 'commented' } },
  },
  botRuns: {
    unit: 'count',
    label: ['Com fluxo', 'Con flujo', 'With a flow'],
    means: [
      'Atendimentos cujo último fluxo começou no período.',
      'Tickets cuyo último flujo empezó en el período.',
      'Tickets whose last flow began in the period.',
    ],
    reports: ['bots'],
    counting: { of: 'services', at: 'botAt' },
  },
  botSolved: {
    unit: 'count',
    label: ['Resolvidos pelo robô', 'Resueltos por el bot', 'Solved by the bot'],
    means: [
      'Destes, os em que o fluxo chegou ao fim e nenhuma pessoa precisou responder.',
      'De estos, en los que el flujo llegó al final y ninguna persona tuvo que responder.',
      'Of those, the ones in which the flow came to its end and no person had to answer.',
    ],
    reports: ['bots'],
    counting: { of: 'services', at: 'botAt', test: { is: 'botEnd', end: 'solved' } },
  },
  botHandedOver: {
    unit: 'count',
    label: ['Passados a pessoas', 'Pasados a personas', 'Handed over'],
    means: [
      'Destes, os que o fluxo passou a uma fila, a um atendente ou ao menu, ou que uma pessoa assumiu.',
      'De estos, los que el flujo pasó a una cola, a un agente o al menú, o que una persona asumió.',
      'Of those, the ones that the flow handed to a queue, an agent or the menu, or that a person took over.',
    ],
    reports: ['bots'],
    counting: { of: 'services', at: 'botAt', test: { is: 'botEnd', end: 'handedOver' } },
  },
  botGaveUp: {
    unit: 'count',
    label: ['Abandonados no fluxo', 'Abandonados en el flujo', 'Given up'],
    means: [
      'Destes, os que terminaram sem resolver: o contato parou de responder ou saiu, ou o fluxo falhou.',
      'De estos, los que terminaron sin resolver: el contacto dejó de responder o salió, o el flujo falló.',
      'Of those, the ones that ended unsolved: the contact fell silent or left, or the flow failed.',
    ],
    reports: ['bots'],
    counting: { of: 'services', at: 'botAt', test: { is: 'botEnd', end: 'gaveUp' } },
  },
  botRunning: {
    unit: 'count',
    label: ['Em andamento', 'En curso', 'Running'],
    means: [
      'Destes, os em que o fluxo ainda não terminou.',
      'De estos, en los que el flujo aún no terminó.',
      'Of those, the ones whose flow has not ended yet.',
    ],
    reports: ['bots'],
    counting: { of: 'services', at: 'botAt', test: { is: 'botEnd', end: 'running' } },
  },
  met: {
    unit: 'count',
    label: ['No prazo', 'A tiempo', 'Kept'],
    means: [
      'Prazos cumpridos que terminaram no período.',
      'Plazos cumplidos que terminaron en el período.',
      'Deadlines that were kept and ended in the period.',
    ],
    reports: kept,
    counting: { of: 'clocks', what: 'met' },
  },
  breached: {
    unit: 'count',
    label: ['Estourados', 'Vencidos', 'Broken'],
    means: [
      'Prazos estourados que terminaram no período, ou que estouraram nele e ainda não terminaram.',
      'Plazos vencidos que terminaron en el período, o que vencieron en él y aún no terminaron.',
      'Broken deadlines that ended in the period, or broke in it and have not ended yet.',
    ],
    reports: kept,
    counting: { of: 'clocks', what: 'breached' },
  },
  keptShare: {
    unit: 'share',
    label: ['Cumpridos', 'Cumplidos', 'Kept, of all'],
    means: [
      'Dos prazos cumpridos e estourados do período, os cumpridos.',
      'De los plazos cumplidos y vencidos del período, los cumplidos.',
      'Of the deadlines kept and broken in the period, those kept.',
    ],
    reports: kept,
    counting: { of: 'clocks', what: 'share' },
  },
  tookP50: {
    unit: 'seconds',
    label: ['Tempo no horário, metade', 'Tiempo en horario, mitad', 'Time in hours, half'],
    means: [
      'Metade do que foi prometido foi feito em até este tempo, pelo horário do prazo e sem as pausas.',
      'La mitad de lo prometido se hizo dentro de este tiempo, por el horario del plazo y sin las pausas.',
      'Half of what was promised was done within this time, by the hours of the deadline and without its pauses.',
    ],
    reports: kept,
    counting: { of: 'clocks', what: 'took', measure: { percentile: 50 } },
  },
  tookP90: {
    unit: 'seconds',
    label: ['Tempo no horário, 9 de 10', 'Tiempo en horario, 9 de 10', 'Time in hours, 9 of 10'],
    means: [
      'Nove de cada dez do que foi prometido foram feitos em até este tempo, pelo horário do prazo e sem as pausas.',
      'Nueve de cada diez de lo prometido se hicieron dentro de este tiempo, por el horario del plazo y sin las pausas.',
      'Nine out of ten of what was promised were done within this time, by the hours of the deadline and without its pauses.',
    ],
    reports: kept,
    counting: { of: 'clocks', what: 'took', measure: { percentile: 90 } },
  },
  tookClockP50: {
    unit: 'seconds',
    label: ['Tempo, metade', 'Tiempo, mitad', 'Time, half'],
    means: [
      'Metade do que foi prometido foi feito em até este tempo pelo relógio, com noites, feriados e pausas.',
      'La mitad de lo prometido se hizo dentro de este tiempo por el reloj, con noches, feriados y pausas.',
      'Half of what was promised was done within this time by the clock, with nights, holidays and pauses.',
    ],
    reports: kept,
    counting: { of: 'clocks', what: 'tookByClock', measure: { percentile: 50 } },
  },
  tookClockP90: {
    unit: 'seconds',
    label: ['Tempo, 9 de 10', 'Tiempo, 9 de 10', 'Time, 9 of 10'],
    means: [
      'Nove de cada dez do que foi prometido foram feitos em até este tempo pelo relógio, com noites, feriados e pausas.',
      'Nueve de cada diez de lo prometido se hicieron dentro de este tiempo por el reloj, con noches, feriados y pausas.',
      'Nine out of ten of what was promised were done within this time by the clock, with nights, holidays and pauses.',
    ],
    reports: kept,
    counting: { of: 'clocks', what: 'tookByClock', measure: { percentile: 90 } },
  },
  planned: {
    unit: 'count',
    label: ['Pessoas', 'Personas', 'People'],
    means: [
      'Pessoas das campanhas que começaram no período.',
      'Personas de las campañas que empezaron en el período.',
      'People of the campaigns that began in the period.',
    ],
    reports: ['campaigns'],
    counting: { of: 'shippings', what: 'planned' },
  },
  campaignSent: {
    unit: 'count',
    label: ['Enviadas', 'Enviados', 'Sent'],
    means: [
      'Pessoas a quem a mensagem saiu.',
      'Personas a las que salió el mensaje.',
      'People to whom the message left.',
    ],
    reports: ['campaigns'],
    counting: { of: 'shippings', what: 'sent' },
  },
  campaignDelivered: {
    unit: 'count',
    label: ['Entregues', 'Entregados', 'Delivered'],
    means: [
      'Pessoas em cujo celular a mensagem chegou.',
      'Personas a cuyo teléfono llegó el mensaje.',
      'People whose phone the message reached.',
    ],
    reports: ['campaigns'],
    counting: { of: 'shippings', what: 'delivered' },
  },
  campaignRead: {
    unit: 'count',
    label: ['Lidas', 'Leídos', 'Read'],
    means: [
      'Pessoas que leram a mensagem, até onde o WhatsApp informa.',
      'Personas que leyeron el mensaje, hasta donde informa WhatsApp.',
      'People who read the message, as far as WhatsApp tells.',
    ],
    reports: ['campaigns'],
    counting: { of: 'shippings', what: 'read' },
  },
  campaignReplied: {
    unit: 'count',
    label: ['Responderam', 'Respondieron', 'Replied'],
    means: [
      'Pessoas que responderam à campanha.',
      'Personas que respondieron a la campaña.',
      'People who replied to the campaign.',
    ],
    reports: ['campaigns'],
    counting: { of: 'shippings', what: 'replied' },
  },
  campaignFailed: {
    unit: 'count',
    label: ['Falharam', 'Fallaron', 'Failed'],
    means: [
      'Pessoas a quem a mensagem não pôde ser enviada.',
      'Personas a las que no se pudo enviar el mensaje.',
      'People to whom the message could not be sent.',
    ],
    reports: ['campaigns'],
    counting: { of: 'shippings', what: 'failed' },
  },
  campaignSkipped: {
    unit: 'count',
    label: ['Puladas', 'Omitidas', 'Skipped'],
    means: [
      'Pessoas que a campanha pulou: descadastradas, sem WhatsApp, repetidas.',
      'Personas que la campaña omitió: dadas de baja, sin WhatsApp, repetidas.',
      'People whom the campaign skipped: opted out, without WhatsApp, doubled.',
    ],
    reports: ['campaigns'],
    counting: { of: 'shippings', what: 'skipped' },
  },
  campaignOptedOut: {
    unit: 'count',
    label: ['Descadastros', 'Bajas', 'Opt-outs'],
    means: [
      'Pessoas que saíram por causa da campanha.',
      'Personas que se dieron de baja por la campaña.',
      'People who opted out because of the campaign.',
    ],
    reports: ['campaigns'],
    counting: { of: 'shippings', what: 'optedOut' },
  },
} as const satisfies Record<string, Figure>

export type FigureKey = keyof typeof figures
export const figureKeys = Object.keys(figures) as FigureKey[]
export const isFigure = (key: string): key is FigureKey => Object.hasOwn(figures, key)
/** As its type is written down, for who does not know which one it is. */
export const figureOf = (key: FigureKey): Figure => figures[key]

/** The figures of a report, in their order. */
export const figuresOf = (report: ReportName): FigureKey[] =>
  figureKeys.filter((key) => figureOf(key).reports.includes(report))

export const labelOf = (key: FigureKey, language: Language): string => wordIn(figures[key].label, language)
export const meaningOf = (key: FigureKey, language: Language): string => wordIn(figures[key].means, language)
