import { useLingui } from '@lingui/react/macro'
import { wordIn, type Language } from '../../schema/languages.ts'
import { type FigureKey, figureOf, type FigureUnit } from '../../schema/reports/reports.figures.ts'
import type { ReportName, ReportRange } from '../../schema/reports/reports.inputs.ts'
import { isSlaMetric } from '../../schema/sla-policies/sla.metrics.ts'
import { dateText, hourText } from '../i18n/dates.ts'
import { useSlaWords } from '../sla-policies/sla-policies.words.ts'
import type { ReportRow } from '../../schema/reports/reports.answers.ts'

export interface ReportWords {
  reports: Record<ReportName, string>
  /** What the rows of a report are. */
  rows: Record<ReportName, string>
  ranges: Record<ReportRange, string>
  label: (key: FigureKey) => string
  means: (key: FigureKey) => string
  value: (unit: FigureUnit, value: number | null | undefined) => string
  /** What a row is called. */
  row: (report: ReportName, row: Pick<ReportRow, 'key' | 'name'>) => string
  /** A day of the week, 0 is Monday. */
  weekday: (day: number) => string
  hour: (hour: number) => string
}

/** Everything that reports say, but for what a figure is called and means: that stands with its definition. */
export function useReportWords(): ReportWords {
  const { t, i18n } = useLingui()
  const { metrics } = useSlaWords()
  const language = i18n.locale as Language
  /** The first Monday of 2024. */
  const weekday = (day: number) => dateText(i18n.locale, new Date(2024, 0, 1 + day), 'weekday')
  const hour = (at: number) => hourText(i18n.locale, at)
  const gone = (key: string) => t`Excluído (${key.split(':')[0]!})`
  const none: Partial<Record<ReportName, string>> = {
    ...{ agents: t`Sem atendente`, csat: t`Sem atendente`, queues: t`Sem fila`, tags: t`Sem etiqueta` },
    ...{ connections: t`Sem conexão`, bots: t`Sem fluxo` },
  }
  return {
    reports: {
      ...{ agents: t`Atendentes`, queues: t`Filas`, tags: t`Etiquetas`, connections: t`Conexões` },
      ...{ hours: t`Horários`, sla: t`Prazos`, csat: t`Satisfação`, campaigns: t`Campanhas`, bots: t`Robôs` },
    },
    rows: {
      ...{ agents: t`Atendente`, queues: t`Fila`, tags: t`Etiqueta`, connections: t`Conexão` },
      ...{ hours: t`Hora`, sla: t`Política`, csat: t`Atendente`, campaigns: t`Campanha`, bots: t`Fluxo` },
    },
    ranges: {
      ...{ today: t`Hoje`, last7: t`Últimos 7 dias`, last30: t`Últimos 30 dias`, last90: t`Últimos 90 dias` },
      ...{ month: t`Este mês`, lastMonth: t`Mês passado`, custom: t`Entre duas datas` },
    },
    label: (key) => wordIn(figureOf(key).label, language),
    means: (key) => wordIn(figureOf(key).means, language),
    value: (unit, value) => {
      if (value === null || value === undefined) return '—'
      if (unit === 'seconds') return duration(value)
      if (unit === 'share') return i18n.number(value / 100, { style: 'percent', maximumFractionDigits: 1 })
      return i18n.number(value, unit === 'rate' ? { minimumFractionDigits: 2 } : {})
    },
    row: (report, { key, name }) => {
      const [id = '', part = ''] = key.split(':')
      if (report === 'hours') return `${weekday(Math.floor(Number(key) / 24))} ${hour(Number(key) % 24)}`
      if (report === 'sla')
        return `${name ?? (id === '0' ? t`Política excluída` : gone(id))} · ${isSlaMetric(part) ? metrics[part] : part}`
      if (report === 'bots' && key !== '0') return `${name ?? gone(id)} · ${t`versão ${part}`}`
      return name ?? (key === '0' ? (none[report] ?? '—') : gone(key))
    },
    weekday,
    hour,
  }
}

/** Seconds as people say them: `40 s`, `12 min`, `3 h 05`, `2 d 4 h`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')}`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}
