import { useLingui } from '@lingui/react/macro'
import type { SlaCalendar } from '../../schema/sla-policies/sla-policies.table.ts'
import type { SlaMetric } from '../../schema/sla-policies/sla.metrics.ts'

/** What promises, and the hours they are counted by, are called. */
export function useSlaWords(): { metrics: Record<SlaMetric, string>; calendars: Record<SlaCalendar, string> } {
  const { t } = useLingui()
  return {
    metrics: {
      firstAnswer: t`Primeira resposta`,
      nextAnswer: t`Próximas respostas`,
      resolution: t`Resolução`,
    },
    calendars: {
      '24x7': t`Dia e noite, todos os dias`,
      company: t`Horário da empresa`,
      queue: t`Horário da fila do atendimento`,
    },
  }
}
