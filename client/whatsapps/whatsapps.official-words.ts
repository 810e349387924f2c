import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type CloudFailure, cloudWord } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import type { CloudState } from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import { cloudFailureText } from '../kit/cloud-failures.ts'
import { ApiError } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'

type Refused = Pick<CloudState, 'failure' | 'missing' | 'code' | 'details'>

/** Why the service refused and what can be done, with its own words behind; null where it did not. */
export function useRefusalText(): (told: Refused) => string | null {
  const { t } = useLingui()
  return ({ failure, missing, code, details }) => {
    if (!failure) return null
    const known = cloudFailureText(cloudWord(failure))
    const lacking = missing.join(', ')
    const cause =
      failure === 'permission' && lacking
        ? t`Falta ao token: ${lacking}. Gere outro com essas permissões.`
        : known
          ? t(known)
          : failure
    if (!details) return cause
    const said = t`A Meta diz: “${details}”`
    return code === null ? `${cause} ${said}` : `${cause} ${said} (${code})`
  }
}

/** The same of a call that failed, whyever it did. */
export function useFailureText(): (error: unknown) => string {
  const refusal = useRefusalText()
  return (error) => {
    if (!(error instanceof ApiError) || error.code !== 'ERR_CLOUD_REFUSED') return errorText(error)
    const { failure, missing, code, details } = error.params
    const seen = {
      failure: (typeof failure === 'string' ? failure : 'unknown') as CloudFailure,
      missing: Array.isArray(missing) ? (missing as CloudState['missing']) : [],
      code: typeof code === 'number' ? code : null,
      details: typeof details === 'string' ? details : '',
    }
    return refusal(seen) ?? errorText(error)
  }
}

type Words = Readonly<Record<string, MessageDescriptor | undefined>>

/** What the service says of a number, in its own words and in ours; a word of next year stays as it is. */
export const qualities: Words = {
  GREEN: msg`Alta`,
  YELLOW: msg`Média`,
  RED: msg`Baixa`,
  UNKNOWN: msg`Ainda sem avaliação`,
}
export const throughputs: Words = {
  STANDARD: msg`Até 80 mensagens por segundo`,
  HIGH: msg`Até 1.000 mensagens por segundo`,
}
/** How many people that have not written its owner may write to in a day. */
export const limits: Words = {
  TIER_50: msg`Até 50`,
  TIER_250: msg`Até 250`,
  TIER_1K: msg`Até 1.000`,
  TIER_2K: msg`Até 2.000`,
  TIER_10K: msg`Até 10.000`,
  TIER_100K: msg`Até 100.000`,
  UNLIMITED: msg`Sem limite`,
  TIER_UNLIMITED: msg`Sem limite`,
}
/** What a problem is of. */
export const healthParts: Words = {
  PHONE_NUMBER: msg`Número`,
  WABA: msg`Conta do WhatsApp Business`,
  BUSINESS: msg`Empresa`,
  APP: msg`Aplicativo`,
  MESSAGE_TEMPLATE: msg`Modelo`,
}
export const permits: Words = { AVAILABLE: msg`Sim`, LIMITED: msg`Com limites`, BLOCKED: msg`Não` }

/** Why something that came over the webhook was no message. */
export const ignoredReasons: Words = {
  no_number: msg`Contato sem número visível`,
  group: msg`Mensagem de grupo`,
  unreadable: msg`Aviso ilegível`,
  empty: msg`Aviso vazio`,
  no_id: msg`Mensagem sem identificador`,
  no_target: msg`Sobre uma mensagem que não conhecemos`,
  status_unknown: msg`Estado desconhecido`,
  field_unknown: msg`Tipo de aviso desconhecido`,
  system: msg`Aviso do sistema`,
  edit_without_text: msg`Edição sem texto`,
  no_number_id: msg`Sem o número de que trata`,
  unknown_number: msg`De um número que não é uma conexão daqui`,
  status_of_none: msg`Estado de mensagem que não saiu daqui`,
  history: msg`Histórico do celular`,
  smb_app_state_sync: msg`Agenda do celular`,
  left_book: msg`Contato apagado da agenda do celular`,
  past_reaction: msg`Reação antiga do celular`,
  past_edit: msg`Edição antiga do celular`,
  past_revoke: msg`Mensagem antiga apagada no celular`,
  value_error: msg`Erro informado pela Meta`,
}
