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
  integration: msg`Integrações`,
  phrase: msg`Frases`,
  firstFlow: msg`Fluxo de boas-vindas`,
  defaultFlow: msg`Fluxo de resposta padrão`,
  user: msg`Usuários`,
  template: msg`Modelos de mensagem`,
  macro: msg`Macros`,
  rule: msg`Regras`,
}

/** What becomes of them. */
export const becomingTexts: Record<Becoming, MessageDescriptor> = {
  flowLeavesToPeople: msg`o bloco deixa o atendimento com quem estiver livre; um horário de fila conta como aberto, e uma comparação nunca é verdadeira`,
  flowGoesPast: msg`seguem adiante sem esse bloco; uma comparação com ela nunca é verdadeira`,
  flowTakesErrorWay: msg`o bloco segue pelo caminho de erro; sem esse caminho, vai para uma pessoa`,
  flowStops: msg`ao chegar a esse bloco o fluxo para, e o atendimento vai para uma pessoa`,
  campaignGoesOn: msg`continuam: quem recebe já está definido`,
  campaignUnscheduled: msg`deixam de estar programadas, e nada é enviado até alguém programar de novo`,
  campaignWithout: msg`ficam sem isso`,
  campaignRefuses: msg`em andamento: por isso não pode ser excluído agora. Cancele a campanha antes`,
  campaignWithoutPeople: msg`ficam sem essas pessoas; sem outras, terminam sem enviar nada`,
  campaignEnds: msg`terminam sem enviar o que falta; as pausadas, quando alguém as continuar`,
  campaignEndsUnsent: msg`na hora marcada terminam sem enviar nada, se ninguém escolher outra conexão antes`,
  campaignWithoutConnection: msg`ficam sem conexão`,
  repliesWithoutQueue: msg`continuam, e quem responder aguarda sem fila`,
  ruleFindsNobody: msg`essa regra deixa de encontrar pessoas`,
  connectionWithoutQueue: msg`deixam de oferecer essa fila e de transferir para ela`,
  withoutAssistant: msg`ficam sem assistente`,
  withoutIntegration: msg`ficam sem integração`,
  assistantWithoutQueue: msg`transferem sem fila`,
  scheduleFails: msg`não são enviados, porque quem agendou não está mais`,
  withoutOwner: msg`ficam sem dono: só quem cuida de todas as vê`,
  webhookWithoutQueue: msg`deixam de avisar dessa fila; o que avisava só dela é desligado`,
  beginsNoFlow: msg`este fluxo não começa mais por aqui`,
  goesToo: msg`são excluídas junto`,
  scheduleByDefault: msg`são enviados pela conexão padrão; se não houver nenhuma, falham`,
  userWithoutConnection: msg`ficam sem conexão padrão`,
  queueNotOffered: msg`deixam de ser oferecidas por essa conexão`,
  macroRefuses: msg`não são executadas até alguém as corrigir`,
  ruleStops: msg`param de agir, ou perguntam por algo que não existe mais, até alguém as corrigir`,
  templateForgotten: msg`somem daqui; no WhatsApp continuam`,
}
