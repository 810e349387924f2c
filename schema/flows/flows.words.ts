import type { Language } from '../languages.ts'
import type { NodeData } from './flows.inputs.ts'

/** What a flow says where whoever drew it wrote nothing, and what it notes for the agents. */

type AnswerKind = NodeData['question']['kind']
export type Guard =
  | 'tooManyVisits'
  | 'tooManySteps'
  | 'tooManySends'
  | 'tooDeep'
  | 'tooMuchText'
  | 'textTooLong'
  | 'stoodStill'
  | 'broken'
  | 'sendFailed'

interface Words {
  /** After an answer that is no option. */
  option: string
  /** After an answer that is not of the kind that was asked for. */
  answer: Record<AnswerKind, string>
  /** After the last wrong answer, where the flow has no other way. */
  handOver: string
  /** In the ticket, before the words of the model. */
  transferred: string
  /** In the ticket: an assistant gave no answer, and why, by the code of the reason. */
  assistantFailed(why: string): string
  /** The same of a typebot in a flow. */
  typebotFailed(why: string): string
  /** In the ticket: a message template was not sent, and why, by the code of the reason. */
  templateUnsent(name: string, why: string): string
  /** In the ticket: why the flow ended by itself. */
  notes: Record<Guard, string>
}

const failed = (what: string, why: string, reasons: Readonly<Record<string, string> & { other: string }>): string =>
  `${what}: ${Object.hasOwn(reasons, why) ? reasons[why] : reasons.other}.`

const words: Record<Language, Words> = {
  pt: {
    option: 'Não entendi. Responda com o número de uma das opções.',
    answer: {
      text: 'Por favor, escreva a sua resposta.',
      number: 'Por favor, responda com um número.',
      email: 'Este e-mail não parece certo. Pode escrever de novo?',
      document: 'Este CPF ou CNPJ não parece certo. Pode escrever de novo?',
      date: 'Por favor, escreva a data assim: 25/12/2026.',
      time: 'Por favor, escreva a hora assim: 14:30.',
      phone: 'Por favor, escreva o telefone com o DDD.',
      file: 'Por favor, envie uma foto ou um arquivo.',
      any: '',
    },
    handOver: 'Vou chamar uma pessoa para continuar. Aguarde um momento, por favor.',
    transferred: 'O assistente passou a conversa a uma pessoa:',
    assistantFailed: (why) =>
      failed('O assistente não respondeu', why, {
        ...{ credentials: 'o serviço recusou a chave', timeout: 'demorou demais', limit: 'chegou ao limite de uso' },
        ...{ gone: 'ele não existe mais', plan: 'o plano não tem assistentes', other: 'o serviço falhou' },
      }),
    typebotFailed: (why) =>
      failed('O Typebot não continuou a conversa', why, {
        ...{
          typebot_unknown: 'o serviço não conhece este robô',
          timeout: 'demorou demais',
          address: 'o endereço não pode ser chamado',
        },
        ...{
          integration_gone: 'a integração não existe mais',
          plan_integrations: 'o plano não tem integrações',
          other: 'o serviço falhou',
        },
      }),
    templateUnsent: (name, why) =>
      failed(`O modelo “${name}” não foi enviado`, why, {
        ...{
          gone: 'a conexão não tem este modelo aprovado',
          values: 'faltam valores das variáveis',
          file: 'o arquivo do cabeçalho não serve',
        },
        ...{
          paused: 'o WhatsApp pausou o modelo',
          drift: 'o modelo passou para Marketing, que custa mais, e ninguém confirmou',
        },
        ...{ other: 'o WhatsApp não deixa enviar por ele agora', wire: 'esta conexão não usa modelos' },
      }),
    notes: {
      tooManyVisits: 'O fluxo parou: passou por etapas demais sem esperar pelo contato.',
      tooManySteps: 'O fluxo parou: já dura etapas demais.',
      tooManySends: 'O fluxo parou: enviou 20 mensagens sem resposta do contato.',
      tooDeep: 'O fluxo parou: um fluxo chama outro vezes demais.',
      tooMuchText: 'O fluxo parou: tinha texto demais para preencher e comparar de uma vez.',
      textTooLong:
        'O fluxo parou: um texto sairia cortado, por ser longo demais com as suas variáveis. Nada dele foi enviado.',
      stoodStill: 'O fluxo parou: responder a esta mensagem travou o servidor. Ninguém respondeu por ele.',
      broken: 'O fluxo parou: uma etapa não existe mais.',
      sendFailed: 'O fluxo parou: uma mensagem não pôde ser enviada.',
    },
  },
  en: {
    option: 'I did not understand. Please answer with the number of one of the options.',
    answer: {
      text: 'Please write your answer.',
      number: 'Please answer with a number.',
      email: 'This email does not look right. Could you write it again?',
      document: 'This CPF or CNPJ does not look right. Could you write it again?',
      date: 'Please write the date like this: 25/12/2026.',
      time: 'Please write the time like this: 14:30.',
      phone: 'Please write the phone number with its area code.',
      file: 'Please send a photo or a file.',
      any: '',
    },
    handOver: 'I am calling a person to continue. One moment, please.',
    transferred: 'The assistant handed the conversation to a person:',
    assistantFailed: (why) =>
      failed('The assistant did not answer', why, {
        ...{ credentials: 'the service refused the key', timeout: 'it took too long', limit: 'its limit is used up' },
        ...{ gone: 'it no longer exists', plan: 'the plan has no assistants', other: 'the service failed' },
      }),
    typebotFailed: (why) =>
      failed('The typebot did not go on with the conversation', why, {
        ...{
          typebot_unknown: 'the service does not know this bot',
          timeout: 'it took too long',
          address: 'its address cannot be called',
        },
        ...{
          integration_gone: 'the integration no longer exists',
          plan_integrations: 'the plan has no integrations',
          other: 'the service failed',
        },
      }),
    templateUnsent: (name, why) =>
      failed(`The template “${name}” was not sent`, why, {
        ...{
          gone: 'the connection has no such template',
          values: 'values of its variables are missing',
          file: 'the file of its header does not fit',
        },
        ...{
          paused: 'WhatsApp has paused it',
          drift: 'it has become Marketing, which costs more, and nobody has confirmed that',
        },
        ...{ other: 'WhatsApp does not let it be sent now', wire: 'this connection uses no templates' },
      }),
    notes: {
      tooManyVisits: 'The flow stopped: it went through too many steps without waiting for the contact.',
      tooManySteps: 'The flow stopped: it has taken too many steps.',
      tooManySends: 'The flow stopped: it sent 20 messages without a reply from the contact.',
      tooDeep: 'The flow stopped: one flow calls another too many times.',
      tooMuchText: 'The flow stopped: it had too much text to fill in and compare at once.',
      textTooLong:
        'The flow stopped: a text would have been cut, being too long with its variables. None of it was sent.',
      stoodStill: 'The flow stopped: answering this message made the server stand still. Nothing was answered.',
      broken: 'The flow stopped: a step is no longer there.',
      sendFailed: 'The flow stopped: a message could not be sent.',
    },
  },
  es: {
    option: 'No entendí. Responde con el número de una de las opciones.',
    answer: {
      text: 'Por favor, escribe tu respuesta.',
      number: 'Por favor, responde con un número.',
      email: 'Este correo no parece correcto. ¿Puedes escribirlo de nuevo?',
      document: 'Este CPF o CNPJ no parece correcto. ¿Puedes escribirlo de nuevo?',
      date: 'Por favor, escribe la fecha así: 25/12/2026.',
      time: 'Por favor, escribe la hora así: 14:30.',
      phone: 'Por favor, escribe el teléfono con el código de área.',
      file: 'Por favor, envía una foto o un archivo.',
      any: '',
    },
    handOver: 'Voy a llamar a una persona para continuar. Espera un momento, por favor.',
    transferred: 'El asistente pasó la conversación a una persona:',
    assistantFailed: (why) =>
      failed('El asistente no respondió', why, {
        ...{ credentials: 'el servicio rechazó la clave', timeout: 'tardó demasiado', limit: 'llegó al límite de uso' },
        ...{ gone: 'ya no existe', plan: 'el plan no tiene asistentes', other: 'el servicio falló' },
      }),
    typebotFailed: (why) =>
      failed('El Typebot no continuó la conversación', why, {
        ...{
          typebot_unknown: 'el servicio no conoce este bot',
          timeout: 'tardó demasiado',
          address: 'la dirección no se puede llamar',
        },
        ...{
          integration_gone: 'la integración ya no existe',
          plan_integrations: 'el plan no tiene integraciones',
          other: 'el servicio falló',
        },
      }),
    templateUnsent: (name, why) =>
      failed(`La plantilla “${name}” no se envió`, why, {
        ...{
          gone: 'la conexión no tiene esta plantilla',
          values: 'faltan valores de sus variables',
          file: 'el archivo del encabezado no sirve',
        },
        ...{ paused: 'WhatsApp la pausó', drift: 'la plantilla pasó a Marketing, que cuesta más, y nadie lo confirmó' },
        ...{ other: 'WhatsApp no deja enviarla ahora', wire: 'esta conexión no usa plantillas' },
      }),
    notes: {
      tooManyVisits: 'El flujo se detuvo: pasó por demasiados pasos sin esperar al contacto.',
      tooManySteps: 'El flujo se detuvo: ya dura demasiados pasos.',
      tooManySends: 'El flujo se detuvo: envió 20 mensajes sin respuesta del contacto.',
      tooDeep: 'El flujo se detuvo: un flujo llama a otro demasiadas veces.',
      tooMuchText: 'El flujo se detuvo: tenía demasiado texto para completar y comparar de una vez.',
      textTooLong:
        'El flujo se detuvo: un texto saldría cortado, por ser demasiado largo con sus variables. No se envió nada de él.',
      stoodStill: 'El flujo se detuvo: responder a este mensaje bloqueó el servidor. No se respondió nada.',
      broken: 'El flujo se detuvo: un paso ya no existe.',
      sendFailed: 'El flujo se detuvo: un mensaje no pudo ser enviado.',
    },
  },
}

export const flowWords = (language: Language): Words => words[language]
