import { useLingui } from '@lingui/react/macro'
import type { AssignmentRule, Leaving } from '../../schema/queues/queues.table.ts'

/** How tickets come to agents, and what becomes of them when one goes away, in words. */
export function useAssignmentWords(): {
  rules: Record<AssignmentRule, { label: string; hint: string }>
  leavings: Record<Leaving, string>
} {
  const { t } = useLingui()
  return {
    rules: {
      manual: { label: t`Manual`, hint: t`Os atendentes aceitam os atendimentos que esperam.` },
      roundRobin: { label: t`Em rodízio`, hint: t`Cada atendimento vai para o próximo da vez.` },
      leastBusy: { label: t`Para quem está mais livre`, hint: t`Vai para quem tem menos atendimentos abertos.` },
      skill: {
        label: t`Por habilidade`,
        hint: t`Vai para quem tem as etiquetas do atendimento como habilidade; entre eles, para o mais livre.`,
      },
    },
    leavings: {
      keep: t`Ficam com o atendente`,
      queue: t`Voltam para a fila`,
      others: t`Passam para quem puder atender`,
    },
  }
}
