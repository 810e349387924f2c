import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LoggedCall, LoggedDoing } from '../../schema/flows/flows.log.ts'
import type { EndReason, FileFailure, FlowEvent } from '../../schema/flows/flows.run.ts'

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

/** What a block did. */
export const doneWords: Record<LoggedDoing['kind'], MessageDescriptor> = {
  said: msg`Disse`,
  file: msg`Enviou o arquivo`,
  kept: msg`Guardou`,
  field: msg`Mudou no contato`,
  tag: msg`Pôs a etiqueta`,
  untag: msg`Tirou a etiqueta`,
  queue: msg`Passou à fila`,
  agent: msg`Passou ao atendente`,
  note: msg`Anotou`,
  menu: msg`Mostrou o menu de filas`,
  pending: msg`Deixou à espera de um atendente`,
  close: msg`Encerrou o atendimento`,
}

/** Why a file could not be had from its address, by the reason's code. */
export const fileWords: Record<FileFailure, MessageDescriptor> = {
  file_no_address: msg`o endereço do arquivo estava vazio`,
  file_address: msg`o que havia no lugar do endereço não é um endereço da internet`,
  file_inside: msg`o endereço leva a uma rede interna`,
  file_secret: msg`um segredo do endereço não existe ou não pode ir a esse servidor`,
  file_refused: msg`o servidor não entregou o arquivo`,
  file_unreachable: msg`o servidor do arquivo está fora do ar`,
  file_timeout: msg`o arquivo demorou demais para chegar`,
  file_too_large: msg`o arquivo é grande demais`,
  file_page: msg`o endereço abre uma página, não um arquivo`,
  file_type: msg`o conteúdo do arquivo não é o que o servidor diz`,
  file_empty: msg`o arquivo veio vazio`,
}

/** Why a bot elsewhere gave no answer, or a flow got no file, by the reason's code. */
export const failureWords: Readonly<Record<string, MessageDescriptor>> = {
  credentials: msg`o serviço recusou a chave`,
  timeout: msg`demorou demais`,
  limit: msg`chegou ao limite de uso`,
  gone: msg`o assistente não existe mais`,
  plan: msg`o plano não tem assistentes`,
  integration_gone: msg`a integração não existe mais`,
  plan_integrations: msg`o plano não tem integrações`,
  typebot_unknown: msg`o serviço não conhece este robô`,
  address: msg`o endereço do serviço não pode ser chamado`,
  unreachable: msg`o serviço está fora do ar`,
  not_found: msg`o serviço não conhece este modelo`,
  refused: msg`o serviço não aceitou a pergunta`,
  broken: msg`o serviço falhou`,
  unreadable: msg`a resposta do serviço não pôde ser lida`,
  too_large: msg`a resposta do serviço é grande demais`,
  empty: msg`a resposta veio vazia`,
  settings: msg`falta uma configuração`,
  ...fileWords,
}

/** What a line of a call says: of a file that could not be had, and of a typebot, the reason in words and the status that came. */
export function callLine(
  { kind, way, ok, line }: Pick<LoggedCall, 'kind' | 'way' | 'ok' | 'line'>,
  i18n: I18n,
): string {
  if ((kind !== 'file' && kind !== 'typebot') || way === 'out' || ok !== false) return line
  const [code = '', status] = line.split(' ')
  const known = Object.hasOwn(failureWords, code) ? failureWords[code] : undefined
  const why = known ? i18n._(known) : line
  return status ? `${why} (HTTP ${status})` : why
}
