import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { type PaymentFailure, paymentFailures } from '../../schema/invoices/invoices.failure.ts'
import { ApiError } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'

/** What the operator reads, who can do something about it. */
const toOperator: Record<PaymentFailure, MessageDescriptor> = {
  unreachable: msg`O serviço de pagamento não pôde ser alcançado. Tente de novo em alguns minutos`,
  timeout: msg`O serviço de pagamento demorou demais para responder. Tente de novo em alguns minutos`,
  untrusted: msg`O certificado do endereço do serviço não é de confiança`,
  certificate: msg`O serviço desligou ao ver o certificado: confira se é desta conta e se não venceu`,
  credentials: msg`O serviço de pagamento não aceita estas credenciais`,
  limit: msg`O serviço de pagamento recebeu chamadas demais. Tente de novo em alguns minutos`,
  refused: msg`O serviço de pagamento recusou os dados`,
  broken: msg`O serviço de pagamento teve um erro. Tente de novo em alguns minutos`,
  unreadable: msg`O serviço de pagamento deu uma resposta que não se entende`,
}

const accountIsWrong = msg`O serviço de pagamento não aceita a conta da plataforma. Fale com quem a opera`

/** What a payer reads, who can change nothing but who they are. */
const toPayer: Record<PaymentFailure, MessageDescriptor> = {
  ...toOperator,
  untrusted: accountIsWrong,
  certificate: accountIsWrong,
  credentials: accountIsWrong,
  refused: msg`O serviço de pagamento recusou os dados. Confira o nome e o CPF ou CNPJ de quem paga`,
}

const failureOf = (error: unknown): PaymentFailure | undefined =>
  error instanceof ApiError && error.code === 'ERR_PAYMENT_PROVIDER'
    ? paymentFailures.find((why) => why === error.params['why'])
    : undefined

/** What went wrong with a payment, in words for whoever sees it. */
export function paymentErrorText(error: unknown, reader: 'operator' | 'payer'): string {
  const why = failureOf(error)
  return why ? i18n._((reader === 'operator' ? toOperator : toPayer)[why]) : errorText(error)
}

/** The service's own words, or the network's, marked as theirs; null where there are none. */
export function paymentErrorAnswer(error: unknown): { label: string; words: string } | null {
  const why = failureOf(error)
  const words = error instanceof ApiError ? error.params['answer'] : undefined
  if (!why || typeof words !== 'string' || words === '') return null
  const isSilence = why === 'unreachable' || why === 'timeout' || why === 'untrusted' || why === 'certificate'
  return { label: isSilence ? t`Detalhe da conexão` : t`Resposta do serviço`, words }
}
