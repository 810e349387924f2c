import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { Becoming, UseKind } from '../../schema/uses/uses.ts'

/** What the places are called, however many they are. */
export const placeNames: Record<UseKind, MessageDescriptor> = {
  flow: msg`Fluxos`,
  campaign: msg`Campanhas`,
  segment: msg`Segmentos`,
  connection: msg`Conexões`,
  queue: msg`Filas`,
  assistant: msg`Assistentes`,
  schedule: msg`Agendamentos`,
  quickMessage: msg`Respostas rápidas`,
  webhook: msg`Webhooks`,
}

/** What becomes of them. */
export const becomingTexts: Record<Becoming, MessageDescriptor> = {
  flowLeavesToPeople: msg`o bloco deixa o atendimento com quem estiver livre; um horário de fila conta como aberto, e uma comparação nunca é verdadeira`,
  flowGoesPast: msg`seguem adiante sem esse bloco; uma comparação com ela nunca é verdadeira`,
  flowTakesErrorWay: msg`o bloco segue pelo caminho de erro; sem esse caminho, vai para uma pessoa`,
  campaignGoesOn: msg`continuam: quem recebe já está definido`,
  campaignUnscheduled: msg`deixam de estar programadas, e nada é enviado até alguém programar de novo`,
  campaignWithout: msg`ficam sem isso`,
  campaignRefuses: msg`em andamento: por isso não pode ser excluído agora. Cancele a campanha antes`,
  repliesWithoutQueue: msg`continuam, e quem responder aguarda sem fila`,
  ruleFindsNobody: msg`essa regra deixa de encontrar pessoas`,
  connectionWithoutQueue: msg`deixam de oferecer essa fila e de transferir para ela`,
  withoutAssistant: msg`ficam sem assistente`,
  withoutIntegration: msg`ficam sem integração`,
  assistantWithoutQueue: msg`transferem sem fila`,
  scheduleFails: msg`não são enviados, porque quem agendou não está mais`,
  withoutOwner: msg`ficam sem dono: só quem cuida de todas as vê`,
  webhookWithoutQueue: msg`deixam de avisar dessa fila; o que avisava só dela é desligado`,
}
