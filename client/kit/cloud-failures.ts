import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { type CloudFailure, cloudFailureIn } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'

/** Of each failure of the official API its cause, and what can be done. */
const words: Record<CloudFailure, MessageDescriptor> = {
  token: msg`O token de acesso da API oficial não vale mais. Gere outro no painel da Meta e informe-o na conexão; o que está na fila espera.`,
  permission: msg`Falta ao token uma permissão: whatsapp_business_messaging e whatsapp_business_management são necessárias. Gere outro token com elas.`,
  registration: msg`O número não está registrado na API oficial, ou o PIN não confere. Registre-o com o PIN da verificação em duas etapas.`,
  rate: msg`O WhatsApp pede que este número vá mais devagar. A mensagem sai sozinha em instantes.`,
  pair_rate: msg`Foram mensagens demais para este contato em pouco tempo. A mensagem sai sozinha quando o WhatsApp deixar.`,
  passing: msg`A API oficial está com uma falha passageira. Continuamos tentando.`,
  account_limited: msg`A Meta limitou esta conta. Veja o motivo no Gerenciador do WhatsApp e peça uma análise.`,
  withdrawn: msg`A Meta não deixa mais este servidor usar a conta: ela foi apagada, ou a ligação foi desfeita, no aplicativo WhatsApp Business ou no painel da Meta. Ligue a conta de novo e informe um token novo na conexão; o que está na fila espera.`,
  country: msg`A conta não pode escrever a números deste país.`,
  window_closed: msg`O contato escreveu há mais de 24 horas, e a API oficial só deixa responder dentro desse prazo. Envie um modelo de mensagem, ou espere que ele escreva de novo.`,
  ecosystem: msg`O WhatsApp não entregou a mensagem para poupar o contato. Não a envie de novo nas próximas 24 horas.`,
  stopped_marketing: msg`O contato não quer receber mensagens de marketing. Não envie de novo.`,
  spam: msg`O WhatsApp tomou as mensagens deste número por spam. Envie menos, e só a quem espera por elas.`,
  experiment: msg`O WhatsApp não entrega a este contato mensagens desse tipo, por uma experiência dele. Não adianta repetir.`,
  unreachable: msg`O contato não pode receber a mensagem: o número pode não ter WhatsApp, ou ter uma versão antiga.`,
  request: msg`A API oficial não aceitou o pedido: um dado está errado ou não existe. Confira os identificadores da conexão.`,
  setup: msg`Falta algo na conta da Meta: nome de exibição, forma de pagamento ou certificado. Resolva no Gerenciador do WhatsApp.`,
  media: msg`A API oficial não conseguiu usar o arquivo. Envie-o em outro formato.`,
  coexistence: msg`O aplicativo WhatsApp Business deste número não deixa, ou precisa ser aberto no celular.`,
  needs_number: msg`A API oficial só envia isso a quem tem o número visível.`,
  secret: msg`A chave secreta não é a do aplicativo deste token. Copie-a de novo no painel da Meta, em Configurações do app, Básico.`,
  template: msg`A API oficial recusou o modelo de mensagem. Veja o estado dele na tela de modelos.`,
  terms: msg`É preciso aceitar os termos de pagamento da Meta.`,
  history: msg`O histórico do celular não pôde ser trazido.`,
  username: msg`O WhatsApp recusou o nome de usuário.`,
  unknown: msg`A API oficial recusou, por um motivo que não conhecemos.`,
  unanswered: msg`A API oficial não disse se aceitou a mensagem, nem na segunda vez. Confira com o contato antes de repetir.`,
  no_number: msg`Por esta conexão não há como alcançar o contato: o número dele não é conhecido.`,
  too_large: msg`É maior do que a API oficial aceita: textos até 4.096 letras, legendas até 1.024, arquivos até 100 MB.`,
}

/** What the word of such a failure says; undefined for any other word. */
export const cloudFailureText = (word: string): MessageDescriptor | undefined => {
  const found = cloudFailureIn(word)
  return found && words[found.failure]
}
