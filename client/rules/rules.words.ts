import { useLingui } from '@lingui/react/macro'
import type { ConditionKind } from '../../schema/rules/rules.inputs.ts'
import type { RuleResult } from '../../schema/rules/rules.table.ts'
import type { RuleTrigger } from '../../schema/rules/rules.triggers.ts'
import type { TicketStatus } from '../../schema/tickets/tickets.table.ts'

/** What rules answer, as the sentence behind "Quando". */
export function useTriggerWords(): Record<RuleTrigger, string> {
  const { t } = useLingui()
  return {
    created: t`um atendimento começa`,
    messageIn: t`o contato escreve`,
    campaignReply: t`o contato responde a uma campanha`,
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

/** What conditions choose among. */
export function useConditionWords(): {
  kinds: Record<ConditionKind, string>
  statuses: Record<TicketStatus, string>
  rates: Record<1 | 2 | 3, string>
} {
  const { t } = useLingui()
  return {
    kinds: {
      status: t`Situação`,
      queue: t`Fila`,
      user: t`Atendente`,
      connection: t`Conexão`,
      tag: t`Etiquetas`,
      tagAdded: t`Etiqueta posta agora`,
      words: t`Palavras da mensagem`,
      field: t`Campo próprio`,
      hours: t`Horário`,
      rate: t`Avaliação`,
    },
    statuses: { pending: t`Aguardando`, open: t`Atendendo`, closed: t`Resolvido` },
    rates: { 1: t`Insatisfeito`, 2: t`Satisfeito`, 3: t`Muito satisfeito` },
  }
}
