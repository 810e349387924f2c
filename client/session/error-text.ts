import { i18n } from '@lingui/core'
import type { MessageDescriptor } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { dateText } from '../i18n/dates.ts'
import { clientErrorMessages, errorMessages } from '../i18n/error-messages.ts'
import { DomainError } from '../../schema/errors.ts'
import { ApiError } from './api.ts'
import { dueDay } from '../base/due-date.ts'
import { whenText } from './moment-text.ts'

const known: Readonly<Record<string, MessageDescriptor | undefined>> = { ...errorMessages, ...clientErrorMessages }

/** A code in the person's language; a code that is not in the catalogue stays as it is. */
export function errorCodeText(code: string, params: Record<string, unknown> = {}): string {
  if (code === 'ERR_SUBSCRIPTION_EXPIRED' && typeof params['dueDate'] === 'string') {
    const date = dateText(i18n.locale, dueDay(params['dueDate']), 'fullDate')
    return t`A assinatura venceu em ${date}. Entre em contato com o suporte`
  }
  if (code === 'ERR_PAIRING_REFUSED' && params['reason'] === '429')
    return t`O WhatsApp recusou: códigos demais foram pedidos para este número. Espere alguns minutos, ou leia o QR`
  if (code === 'ERR_NEW_CHATS_HELD' && typeof params['until'] === 'string') {
    const until = whenText(new Date(params['until']))
    return t`O WhatsApp não deixa esta conexão começar conversas novas agora. Pode escrever a novos contatos de novo ${until}`
  }
  const { limit, what } = params
  if (code === 'ERR_PLAN_LIMIT' && typeof limit === 'number') return planLimitText(limit, what)
  const message = known[code]
  return message ? i18n._({ ...message, values: params }) : code
}

/** What a plan counts, of which a company has as many as it may. */
export function planLimitText(limit: number, what: unknown): string {
  if (what === 'users') return plural(limit, { one: 'O plano inclui # usuário', other: 'O plano inclui # usuários' })
  if (what === 'connections')
    return plural(limit, { one: 'O plano inclui # conexão', other: 'O plano inclui # conexões' })
  if (what === 'queues') return plural(limit, { one: 'O plano inclui # fila', other: 'O plano inclui # filas' })
  return t`O limite do plano foi atingido: ${limit}`
}

/** Any failure in the person's language. Read it while rendering or showing, not earlier: the language may change. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError || error instanceof DomainError) return errorCodeText(error.code, error.params)
  return t`Ocorreu um erro!`
}
