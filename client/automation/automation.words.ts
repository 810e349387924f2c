import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { DecisionStep } from '../../schema/automation/automation.table.ts'

/** A rule of the automation: what it is called, and a sentence for each way in which it can end. */
interface RuleWords {
  name: MessageDescriptor
  whys: Readonly<Record<string, MessageDescriptor>>
}

const switchedOff = msg`O assistente não existe mais.`
const promptOver = msg`O assistente já terminou a conversa dele neste atendimento.`
const integrationOff = msg`A integração não existe mais.`
const integrationOver = msg`A integração já terminou a conversa dela neste atendimento.`
const withoutFlow = msg`A integração não tem um fluxo publicado.`
const hasQueue = msg`O atendimento já está em uma fila.`
const alreadyAnswered = msg`Está fora do horário, e o contato foi avisado há pouco.`

/** Why a bot elsewhere gave no answer, beside `failed_` and the reason. */
const failures = (who: 'prompt' | 'integration'): RuleWords['whys'] => {
  const [refused, other] =
    who === 'prompt'
      ? [
          msg`O assistente não respondeu: o serviço recusou a chave. O atendimento foi passado a uma pessoa.`,
          msg`O assistente não respondeu. O atendimento foi passado a uma pessoa.`,
        ]
      : [
          msg`A integração não respondeu: o serviço recusou a chave. O atendimento foi passado a uma pessoa.`,
          msg`A integração não respondeu. O atendimento foi passado a uma pessoa.`,
        ]
  const [late, limit] =
    who === 'prompt'
      ? [
          msg`O assistente demorou demais. O atendimento foi passado a uma pessoa.`,
          msg`O assistente chegou ao limite de uso. O atendimento foi passado a uma pessoa.`,
        ]
      : [
          msg`A integração demorou demais. O atendimento foi passado a uma pessoa.`,
          msg`A integração chegou ao limite de uso. O atendimento foi passado a uma pessoa.`,
        ]
  return {
    failed_credentials: refused,
    failed_timeout: late,
    failed_limit: limit,
    ...Object.fromEntries(
      ['address', 'unreachable', 'too_large', 'not_found', 'refused', 'broken', 'unreadable', 'empty', 'settings'].map(
        (reason) => [`failed_${reason}`, other],
      ),
    ),
  }
}

const asksPrompt = {
  none: msg`Não há assistente aqui.`,
  switched_off: switchedOff,
  over: promptOver,
  asked: msg`A mensagem foi entregue ao assistente.`,
}
const asksIntegration = {
  none: msg`Não há integração aqui.`,
  switched_off: integrationOff,
  over: integrationOver,
  no_flow: withoutFlow,
  asked: msg`A mensagem foi entregue à integração.`,
}

/**
 * What each rule of `automation.decide.ts`, `automation.turn.ts` and `automation.effects.ts` says, by its code. A test
 * reads the codes out of those files and wants words for each.
 */
export const ruleWords: Readonly<Record<string, RuleWords>> = {
  may_answer: {
    name: msg`Quem responde`,
    whys: {
      group: msg`Em grupos nada é respondido automaticamente.`,
      agent: msg`Nada foi respondido automaticamente: um atendente está com o atendimento.`,
      contact_without_bot: msg`Nada foi respondido automaticamente: as respostas automáticas estão desligadas para este contato.`,
      no_subscription: msg`Nada foi respondido automaticamente: a assinatura da empresa venceu.`,
      too_late: msg`Nada foi respondido automaticamente: a mensagem chegou mais de dez minutos depois de escrita.`,
      handed_over: msg`Nada foi respondido automaticamente: o atendimento já foi passado a uma pessoa, e o contato espera por ela.`,
      served_by_person: msg`Nada foi respondido automaticamente: uma pessoa já atendeu este contato, e ele espera por ela.`,
    },
  },
  rule: {
    name: msg`Regra`,
    whys: {
      rule_done: msg`Uma regra da empresa agiu.`,
      rule_unmet: msg`A regra não agiu: as condições dela não valiam.`,
      rule_once: msg`A regra não agiu de novo: ela já tinha agido depois do mesmo acontecimento.`,
      rule_depth: msg`A regra não agiu: outras regras já tinham agido, uma depois da outra, e o limite é três.`,
      rule_many: msg`A regra não agiu: muitas regras já tinham agido depois do mesmo acontecimento.`,
      rule_hour: msg`A regra não agiu: ela já agiu cinco vezes neste atendimento na última hora.`,
      rule_refused: msg`A regra ia agir, mas uma das ações dela não pôde ser feita; por isso, nenhuma foi.`,
    },
  },
  stood_still: {
    name: msg`Proteção do servidor`,
    whys: {
      stood_still: msg`Nada foi respondido automaticamente: responder a esta mensagem travou o servidor. O atendimento ficou para as pessoas.`,
    },
  },
  words: {
    name: msg`Texto ao contato`,
    whys: {
      too_long: msg`Mesmo assim, o texto não foi enviado: com as variáveis preenchidas, é mais longo do que uma mensagem pode ser.`,
    },
  },
  flow: {
    name: msg`Fluxo em andamento`,
    whys: {
      none: msg`O contato não está em um fluxo.`,
      left_for_phrase: msg`O contato estava em um fluxo e saiu dele com uma frase.`,
      asked_by_person: msg`Uma pessoa da equipe começou o fluxo.`,
      asked_by_rule: msg`Uma regra começou o fluxo.`,
      asked_agent: msg`O fluxo pedido não começou: um atendente já estava com o atendimento.`,
      asked_group: msg`O fluxo pedido não começou: grupos são atendidos só por pessoas.`,
      asked_contact_without_bot: msg`O fluxo pedido não começou: o contato não recebe respostas automáticas.`,
      asked_no_subscription: msg`O fluxo pedido não começou: a assinatura da empresa venceu.`,
      asked_switched_off: msg`O fluxo pedido não começou: ele não existe mais, não foi publicado ou está desativado.`,
      not_waited_for: msg`O contato está em um fluxo que não esperava esta mensagem.`,
      waited_for: msg`O contato está em um fluxo, que recebeu a mensagem.`,
      not_understood: msg`O contato está em um fluxo que esperava outra resposta: a mensagem não foi entendida.`,
      time: msg`O tempo de espera do fluxo acabou, e ele continuou.`,
      gathered: msg`O fluxo juntou as mensagens do contato em uma resposta e continuou.`,
      silence: msg`O contato não respondeu a tempo, e o fluxo seguiu sem a resposta.`,
      no_result: msg`O serviço consultado pelo fluxo não respondeu a tempo: foi tratado como erro.`,
      result: msg`O serviço consultado pelo fluxo respondeu, e o fluxo continuou.`,
      call_refused: msg`O serviço consultado pelo fluxo respondeu com um erro.`,
      call_failed: msg`A consulta do fluxo a um serviço falhou.`,
      file_fetched: msg`O arquivo que o fluxo buscou em um endereço chegou, e o fluxo continuou.`,
      file_failed: msg`O arquivo que o fluxo buscou em um endereço não pôde ser enviado.`,
      ai_answered: msg`O assistente do fluxo respondeu.`,
      ai_transferred: msg`O assistente do fluxo passou o atendimento a uma pessoa.`,
      ai_failed: msg`O assistente do fluxo não respondeu.`,
      told: msg`O fluxo continuou depois de uma mensagem dele sair.`,
      typebot_answered: msg`O Typebot do fluxo respondeu e espera o contato.`,
      typebot_finished: msg`O Typebot do fluxo terminou a conversa, e o fluxo continuou.`,
      typebot_transferred: msg`O Typebot do fluxo passou o atendimento a uma pessoa.`,
      typebot_failed: msg`O Typebot do fluxo não respondeu.`,
      plan_without_integrations: msg`O fluxo ia continuar no Typebot, e o plano da empresa não tem integrações: ele seguiu pelo caminho de falha.`,
      plan_without_ai: msg`O fluxo pediu uma resposta a um assistente, e o plano da empresa não tem assistentes: ele seguiu pelo caminho de falha.`,
    },
  },
  phrase: {
    name: msg`Frases`,
    whys: {
      no_phrase: msg`A mensagem não é uma das frases que iniciam um fluxo.`,
      closed: msg`A mensagem é uma frase, mas a empresa está fora do horário.`,
      phrase: msg`A mensagem é uma frase, que iniciou um fluxo.`,
    },
  },
  welcome: {
    name: msg`Fluxo de boas-vindas`,
    whys: {
      none: msg`Não há fluxo de boas-vindas.`,
      known_contact: msg`O contato já tinha escrito antes.`,
      closed: msg`O contato é novo, mas a empresa está fora do horário.`,
      new_contact: msg`O contato escreveu pela primeira vez, e o fluxo de boas-vindas começou.`,
    },
  },
  menu_again: {
    name: msg`Volta ao menu`,
    whys: {
      not_asked: msg`O contato não pediu o menu com #.`,
      asked: msg`O contato pediu o menu com #.`,
    },
  },
  hours: {
    name: msg`Horário da empresa`,
    whys: {
      not_by_company: msg`O horário da empresa não é usado.`,
      open: msg`A empresa está aberta.`,
      closed: msg`Fora do horário da empresa: o contato foi avisado.`,
      told_already: alreadyAnswered,
    },
  },
  connection_prompt: { name: msg`Assistente da conexão`, whys: { has_queue: hasQueue, ...asksPrompt } },
  connection_integration: { name: msg`Integração da conexão`, whys: { has_queue: hasQueue, ...asksIntegration } },
  queue: { name: msg`Fila do atendimento`, whys: { no_queue: msg`O atendimento não está em uma fila.` } },
  queue_hours: {
    name: msg`Horário da fila`,
    whys: { closed: msg`Fora do horário da fila: o contato foi avisado.`, told_already: alreadyAnswered },
  },
  queue_prompt: {
    name: msg`Assistente da fila`,
    whys: {
      greeted: msg`A saudação da fila foi enviada; o assistente dela responde à próxima mensagem.`,
      ...asksPrompt,
    },
  },
  queue_integration: { name: msg`Integração da fila`, whys: asksIntegration },
  options: {
    name: msg`Opções da fila`,
    whys: {
      none: msg`A fila não tem opções.`,
      ended: msg`O contato chegou ao fim das opções da fila.`,
      shown: msg`As opções da fila foram mostradas.`,
      back: msg`O contato voltou nas opções da fila.`,
      chosen: msg`O contato escolheu uma opção da fila.`,
      unknown: msg`A opção não existe: as opções da fila foram mostradas outra vez.`,
      unknown_often: msg`O contato errou a opção várias vezes: nada mais é mostrado até ele acertar ou uma pessoa atender.`,
    },
  },
  queue_greeting: {
    name: msg`Saudação da fila`,
    whys: {
      entered: msg`O atendimento entrou na fila, e a saudação dela foi enviada.`,
      no_greeting: msg`O atendimento entrou na fila, que não tem saudação: nada foi dito.`,
    },
  },
  default_flow: {
    name: msg`Fluxo padrão`,
    whys: {
      none: msg`Não há fluxo padrão.`,
      has_queue: hasQueue,
      new_contact: msg`O fluxo padrão é só para quem já escreveu antes.`,
      had_it: msg`O contato já passou pelo fluxo padrão neste atendimento.`,
      no_phrase: msg`A mensagem não é uma frase, e o fluxo padrão começou.`,
    },
  },
  menu: {
    name: msg`Menu das filas`,
    whys: {
      has_queue: hasQueue,
      no_queues: msg`A conexão não tem filas.`,
      chosen: msg`O contato escolheu uma fila no menu.`,
      shown: msg`O menu das filas foi mostrado.`,
      shown_often: msg`O menu das filas já foi mostrado tantas vezes quanto a conexão permite.`,
    },
  },
  greeting: {
    name: msg`Saudação da conexão`,
    whys: {
      has_queues: msg`A conexão tem filas, e a saudação vem com o menu delas.`,
      none: msg`A conexão não tem saudação.`,
      greeted: msg`A saudação já foi enviada neste atendimento.`,
      first: msg`A saudação da conexão foi enviada.`,
    },
  },
  silence: {
    name: msg`Sem resposta`,
    whys: {
      no_rule: msg`Nada foi respondido: nenhuma regra vale para esta mensagem.`,
      waits: msg`Nada foi respondido: o atendimento espera na fila por uma pessoa.`,
    },
  },
  prompt: {
    name: msg`Resposta do assistente`,
    whys: {
      answered: msg`O assistente respondeu.`,
      transferred: msg`O assistente passou o atendimento a uma pessoa.`,
      stopped: msg`O assistente terminou a conversa.`,
      ...failures('prompt'),
    },
  },
  integration: {
    name: msg`Resposta da integração`,
    whys: {
      answered: msg`A integração respondeu.`,
      transferred: msg`A integração passou o atendimento a uma pessoa.`,
      stopped: msg`A integração terminou a conversa.`,
      ...failures('integration'),
    },
  },
}

/** For a server that is newer than this page: a rule whose name is not known here. */
const anyRule = msg`Outra regra`
const anyWhy: Readonly<Record<DecisionStep['result'], MessageDescriptor>> = {
  matched: msg`Uma regra automática cuidou da mensagem.`,
  passed: msg`Esta regra não valeu para a mensagem.`,
  blocked: msg`Uma regra impediu a resposta automática.`,
}

const own = <T>(from: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(from, key) ? from[key] : undefined

/** What a rule is called. */
export const stepName = ({ step }: Pick<DecisionStep, 'step'>): MessageDescriptor =>
  own(ruleWords, step)?.name ?? anyRule

/** How a rule ended, as one sentence. Total: a code without words gets a plain sentence. */
export const stepSentence = ({ step, result, why }: Pick<DecisionStep, 'step' | 'result' | 'why'>): MessageDescriptor =>
  own(own(ruleWords, step)?.whys ?? {}, why) ?? anyWhy[result] ?? anyWhy.passed

/** What is done besides answering, and what a preview leaves undone. */
const actionWords: Readonly<Record<string, MessageDescriptor>> = {
  toAgent: msg`O atendimento passa a um atendente.`,
  close: msg`O atendimento é resolvido.`,
  tag: msg`Uma etiqueta é posta no atendimento.`,
  untag: msg`Uma etiqueta é retirada do atendimento.`,
  field: msg`Um dado do contato é preenchido.`,
  note: msg`Uma observação é anotada.`,
  http: msg`O fluxo chama um serviço de fora. O teste, não.`,
  file: msg`O fluxo busca um arquivo em um endereço e o envia. O teste, não.`,
  ai: msg`O fluxo consulta um assistente. O teste, não.`,
  typebot: msg`O fluxo pergunta ao Typebot. O teste, não.`,
}
const asked = {
  prompt: msg`O assistente responde depois. No teste ele não é consultado.`,
  integration: msg`A integração responde depois. No teste ela não é consultada.`,
}

/** What an action does to the ticket, in words; null for what the replies show anyway. */
export function actionSentence({ kind, by }: { kind?: unknown; by?: unknown }): MessageDescriptor | null {
  if (kind === 'ask') return by === 'integration' ? asked.integration : asked.prompt
  return typeof kind === 'string' ? (own(actionWords, kind) ?? null) : null
}
