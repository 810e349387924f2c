import { useLingui } from '@lingui/react/macro'
import type { RuleResult } from '../../schema/rules/rules.table.ts'
import type { RuleTrigger } from '../../schema/rules/rules.triggers.ts'

/** What rules answer, as the sentence behind "Quando". */
export function useTriggerWords(): Record<RuleTrigger, string> {
  const { t } = useLingui()
  return {
    created: t`um atendimento começa`,
    messageIn: t`o contato escreve`,
    messageOut: t`alguém da equipe escreve`,
    status: t`o atendimento muda de situação`,
    queue: t`o atendimento muda de fila`,
    user: t`o atendimento muda de atendente`,
    tagged: t`as etiquetas mudam`,
    slaWarning: t`um prazo está perto do fim`,
    slaBreach: t`um prazo vence`,
    idle: t`ninguém escreve por um tempo`,
    rated: t`o contato avalia`,
  }
}

/** How a rule that was asked ended. */
export function useResultWords(): Record<RuleResult, string> {
  const { t } = useLingui()
  return {
    done: t`Agiu`,
    passed: t`Não agiu`,
    blocked: t`Impedida`,
    refused: t`Recusada`,
  }
}
