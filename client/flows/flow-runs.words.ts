import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { EndReason, FlowEvent } from '../../schema/flows/flows.run.ts'

/** How a run ended. */
export const endWords: Record<EndReason, MessageDescriptor> = {
  done: msg`Chegou ao fim`,
  queue: msg`Foi para uma fila`,
  agent: msg`Foi para um atendente`,
  menu: msg`Voltou ao menu de filas`,
  close: msg`Encerrou o atendimento`,
  stopped: msg`O contato pediu para sair`,
  takenOver: msg`Uma pessoa assumiu`,
  closed: msg`O atendimento foi encerrado`,
  silence: msg`O contato não respondeu`,
  invalid: msg`Respostas inválidas demais`,
  error: msg`Uma chamada falhou`,
  tooManyVisits: msg`Parou: passou por blocos demais`,
  tooManySteps: msg`Parou: já durava blocos demais`,
  tooManySends: msg`Parou: mensagens demais sem resposta`,
  tooDeep: msg`Parou: um fluxo chamava outro vezes demais`,
  tooMuchText: msg`Parou: texto demais de uma vez`,
  textTooLong: msg`Parou: um texto sairia cortado`,
  stoodStill: msg`Parou: o servidor não conseguiu continuar`,
  broken: msg`Parou: o desenho tem um erro`,
  sendFailed: msg`Parou: uma mensagem não pôde ser enviada`,
}

/** What happened to a run. */
export const eventWords: Record<FlowEvent['kind'], MessageDescriptor> = {
  started: msg`Começou`,
  message: msg`O contato escreveu`,
  timer: msg`O tempo passou`,
  result: msg`Uma resposta chegou`,
  left: msg`Uma mensagem saiu`,
  takenOver: msg`Uma pessoa assumiu`,
  closed: msg`O atendimento foi encerrado`,
  sendFailed: msg`Uma mensagem não pôde ser enviada`,
  stoodStill: msg`O servidor não conseguiu continuar`,
}
