import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { FlowProblem, FlowProblemCode } from '../../schema/flows/flows.check.ts'
import { type FlowNode, portsOf } from '../../schema/flows/flows.graph.ts'
import { portText } from './flow.words.ts'

/** What people read of each problem. Does not compile while one has no words. */
const words: Record<FlowProblemCode, MessageDescriptor> = {
  startMissing: msg`Falta o bloco Início`,
  startTwice: msg`Só pode haver um Início`,
  tooManyNodes: msg`Um fluxo tem no máximo 1.000 blocos`,
  idTwice: msg`Dois blocos têm o mesmo identificador`,
  typeUnknown: msg`Este bloco veio de outro programa e não funciona aqui`,
  targetMissing: msg`Uma saída leva a um bloco que não existe`,
  textEmpty: msg`Um campo obrigatório está vazio`,
  intervalOutOfRange: msg`Intervalo não pode ser 0 ou maior que 120!`,
  percentOutOfRange: msg`A porcentagem vai de 0 a 100, de 10 em 10`,
  optionsMissing: msg`Adicione ao menos uma opção`,
  optionEmpty: msg`Uma opção está sem texto`,
  optionTwice: msg`Duas opções têm o mesmo número`,
  blockEmpty: msg`Adicione algum conteúdo`,
  fileMissing: msg`Remova os cartões vazios (Imagem, Áudio e Vídeo)`,
  fileGone: msg`O arquivo não está mais guardado; escolha outro`,
  templateMissing: msg`Escolha um modelo aprovado; nenhuma conexão tem este`,
  templateStopped: msg`Por este modelo nada é enviado agora; veja o estado dele na tela de modelos`,
  templateValues: msg`Preencha todas as variáveis do modelo`,
  templateWire: msg`O fluxo começa por uma conexão que não envia modelos`,
  queueMissing: msg`Adicione uma fila`,
  userMissing: msg`Escolha um atendente`,
  tagMissing: msg`Escolha uma etiqueta`,
  typebotMissing: msg`Escolha uma integração com Typebot`,
  promptMissing: msg`Escolha um assistente`,
  flowMissing: msg`Escolha um fluxo ativo e publicado`,
  flowItself: msg`Um fluxo que chama a si mesmo não pode continuar depois`,
  variableMissing: msg`Escolha o que comparar`,
  rulesMissing: msg`Adicione ao menos uma regra`,
  fieldMissing: msg`Diga o nome do campo`,
  zoneUnknown: msg`Fuso horário desconhecido`,
  urlWrong: msg`O endereço não está certo; ele começa com https://`,
  addressEmpty: msg`Diga o endereço do arquivo`,
  addressWrong: msg`O endereço do arquivo não está certo; ele começa com https:// ou com uma variável`,
  urlHost: msg`O nome do servidor não pode ter variáveis`,
  secretUnknown: msg`Este segredo não existe`,
  secretOpen: msg`Uma chave está à vista de quem abre o fluxo; guarde-a como segredo`,
  endlessLoop: msg`Volta sem fim: nada espera pelo contato neste caminho`,
  loopWithoutReply: msg`Volta que continua sem o contato, só pelo relógio`,
  urlOpen: msg`O endereço não é cifrado; prefira https://`,
  variableUnknown: msg`Ninguém preenche esta variável`,
  unconnected: msg`Uma saída não leva a lugar nenhum: o fluxo termina aí`,
  unreachable: msg`Nenhum caminho chega a este bloco`,
  portGone: msg`Uma ligação sai de uma opção que não existe mais`,
  couldBeOne: msg`Esta mensagem e a seguinte são cobradas uma a uma; poderiam ser uma só`,
}

/**
 * One problem in words.
 * @param node where it is: with it, the exit is named where there are several
 */
export function problemText({ code, name, port, part }: FlowProblem, i18n: I18n, node?: FlowNode): string {
  if (code === 'fileMissing' && part === undefined) return t`Escolha o arquivo`
  if (code === 'textEmpty' && part !== undefined) return t`Campos de mensagem vazios!`
  if (code === 'unconnected' && node) {
    const ports = portsOf(node)
    const leading = ports.length > 1 && ports.find(({ id }) => id === port)
    const exit = leading && portText(leading, i18n)
    if (exit) return t`A saída “${exit}” não leva a lugar nenhum: o fluxo termina aí`
  }
  const text = i18n._(words[code])
  return name ? `${text}: ${name}` : text
}
