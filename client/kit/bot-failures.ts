import { useLingui } from '@lingui/react/macro'

/** What the server tells of a bot that did not answer. */
export interface BotFailureFacts {
  why: string
  /** What the service answered, and its own word for it. */
  status?: number
  code?: string
}

/** What a bot's failure is called, by its `why`. */
export function useBotFailure(): (failure: BotFailureFacts) => string {
  const { t } = useLingui()
  const words: Partial<Record<string, string>> = {
    address: t`O endereço não pode ser chamado`,
    unreachable: t`O serviço não foi encontrado`,
    timeout: t`O serviço não respondeu a tempo`,
    too_large: t`A resposta é grande demais`,
    credentials: t`A chave não foi aceita`,
    not_found: t`O robô não existe nesse endereço`,
    limit: t`O serviço não aceita mais chamadas agora, ou o crédito acabou`,
    refused: t`O serviço recusou o pedido`,
    broken: t`O serviço falhou`,
    unreadable: t`A resposta não pôde ser lida`,
    empty: t`Veio uma resposta vazia`,
    settings: t`Falta uma configuração`,
  }
  return ({ why, status, code }) =>
    (words[why] ?? why) + (status ? ` (${[status, code].filter(Boolean).join(' ')})` : '')
}
