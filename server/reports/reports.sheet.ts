import { asText } from '../../schema/contacts/contacts.sheet.ts'
import { type Language, languageTags, type Words, wordIn } from '../../schema/languages.ts'
import { type FigureKey, figureOf, labelOf, meaningOf } from '../../schema/reports/reports.figures.ts'
import type { ReportName } from '../../schema/reports/reports.inputs.ts'
import type { Values } from '../../schema/reports/reports.answers.ts'
import type { Report } from './reports.queries.ts'

/** A report as a table of texts, its columns in the reader's language; for programs keys, seconds and fractions. */
export interface ReportSheet {
  title: string
  header: string[]
  rows: string[][]
  /** What each row is called by programs. */
  keys: string[]
  /** All of them together. */
  total: string[]
  /** What each figure counts: its name and its meaning. */
  meanings: [string, string][]
}

export const reportTitles: Record<ReportName, Words> = {
  agents: ['Atendentes', 'Agentes', 'Agents'],
  queues: ['Filas', 'Colas', 'Queues'],
  tags: ['Etiquetas', 'Etiquetas', 'Tags'],
  connections: ['Conexões', 'Conexiones', 'Connections'],
  hours: ['Horários', 'Horarios', 'Hours'],
  sla: ['Prazos', 'Plazos', 'Deadlines'],
  csat: ['Satisfação', 'Satisfacción', 'Satisfaction'],
  campaigns: ['Campanhas', 'Campañas', 'Campaigns'],
  bots: ['Robôs', 'Bots', 'Bots'],
}
/** What its rows are. */
const rowTitles: Record<ReportName, Words> = {
  agents: ['Atendente', 'Agente', 'Agent'],
  queues: ['Fila', 'Cola', 'Queue'],
  tags: ['Etiqueta', 'Etiqueta', 'Tag'],
  connections: ['Conexão', 'Conexión', 'Connection'],
  hours: ['Hora', 'Hora', 'Hour'],
  sla: ['Política', 'Política', 'Policy'],
  csat: ['Atendente', 'Agente', 'Agent'],
  campaigns: ['Campanha', 'Campaña', 'Campaign'],
  bots: ['Fluxo', 'Flujo', 'Flow'],
}
const none: Partial<Record<ReportName, Words>> = {
  agents: ['Sem atendente', 'Sin agente', 'No agent'],
  csat: ['Sem atendente', 'Sin agente', 'No agent'],
  queues: ['Sem fila', 'Sin cola', 'No queue'],
  tags: ['Sem etiqueta', 'Sin etiqueta', 'No tag'],
  connections: ['Sem conexão', 'Sin conexión', 'No connection'],
  bots: ['Sem fluxo', 'Sin flujo', 'No flow'],
}
const gone: Words = ['Excluído', 'Eliminado', 'Deleted']
const all: Words = ['Total', 'Total', 'Total']
const version: Words = ['versão', 'versión', 'version']
const metrics: Record<string, Words> = {
  firstAnswer: ['Primeira resposta', 'Primera respuesta', 'First answer'],
  nextAnswer: ['Próximas respostas', 'Siguientes respuestas', 'Later answers'],
  resolution: ['Resolução', 'Resolución', 'Resolution'],
}

/** @param language undefined: for programs */
export function sheetOf(
  report: ReportName,
  { figures, rows, total }: Report,
  language: Language | undefined,
): ReportSheet {
  const cells = (values: Values) => figures.map((key) => cellOf(key, values[key], language))
  const spoken = language ?? 'en'
  return {
    title: wordIn(reportTitles[report], spoken),
    header: language
      ? [wordIn(rowTitles[report], language), ...figures.map((key) => labelOf(key, language))]
      : ['key', 'name', ...figures],
    rows: rows.map((row) => [
      ...(language ? [asText(nameOf(report, row, language))] : [row.key, asText(row.name ?? '')]),
      ...cells(row.values),
    ]),
    keys: rows.map(({ key }) => key),
    total: [...(language ? [wordIn(all, language)] : ['total', '']), ...cells(total)],
    meanings: figures.map((key) => [labelOf(key, spoken), meaningOf(key, spoken)]),
  }
}

/** What a row is called. */
export function nameOf(
  report: ReportName,
  { key, name }: { key: string; name: string | null },
  language: Language,
): string {
  const [id = '', part = ''] = key.split(':')
  const known = name ?? `${wordIn(gone, language)} (${id})`
  if (report === 'hours') return hourName(Number(key), language)
  if (report === 'sla') return `${known} · ${metrics[part] ? wordIn(metrics[part], language) : part}`
  if (report === 'bots' && key !== '0') return `${known} · ${wordIn(version, language)} ${part}`
  return key === '0' && name === null ? wordIn(none[report] ?? all, language) : known
}

function hourName(key: number, language: Language): string {
  // The first Monday of 2024.
  const day = new Intl.DateTimeFormat(languageTags[language], { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, 1 + Math.floor(key / 24))),
  )
  return `${day}, ${String(key % 24).padStart(2, '0')}:00`
}

/** A duration as `h:mm:ss`, which spreadsheets take for one. */
function cellOf(key: FigureKey, value: number | null | undefined, language: Language | undefined): string {
  if (value === null || value === undefined) return ''
  const { unit } = figureOf(key)
  if (language === undefined) return String(value)
  if (unit === 'seconds') {
    const two = (part: number) => String(part).padStart(2, '0')
    return `${Math.floor(value / 3_600)}:${two(Math.floor(value / 60) % 60)}:${two(value % 60)}`
  }
  return unit === 'share' ? `${value} %` : String(value)
}
