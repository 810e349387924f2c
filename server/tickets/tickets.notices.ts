import { firstNameOf, periodGreeting } from '../../schema/placeholders/placeholders.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'

/**
 * The few sentences that the product itself says to contacts, in the company's language. What a company wants to
 * say in its own words is its content, not ours.
 */

/** Said once when an agent accepts, where the company wishes (`sendGreetingAccepted`). */
export function acceptedNotice(now: Date, company: CompanyConfig, names: { contact: string; agent: string }): string {
  const greeting = periodGreeting({ ...company, now })
  const first = firstNameOf(names.contact)
  const hello = first ? `${greeting}, ${first}!` : `${greeting}!`
  return {
    pt: `${hello} Meu nome é *${names.agent}* e vou continuar o seu atendimento.`,
    en: `${hello} My name is *${names.agent}* and I will take care of your request.`,
    es: `¡${hello} Mi nombre es *${names.agent}* y voy a continuar con tu atención.`,
  }[company.language]
}

/** Said on a transfer, where the company wishes (`sendMsgTransfTicket`). */
export function transferNotice(
  { language }: CompanyConfig,
  to: { queue: string | null; agent: string | null },
): string {
  const target = [to.queue, to.agent].filter(Boolean).map((name) => `*${name}*`)
  const names =
    target.length === 2 ? { pt: target.join(', com '), en: target.join(', with '), es: target.join(', con ') } : null
  const where = names ?? { pt: target[0] ?? '', en: target[0] ?? '', es: target[0] ?? '' }
  return {
    pt: `*Mensagem automática*: seu atendimento foi transferido para ${where.pt}. Aguarde, por favor.`,
    en: `*Automatic message*: your conversation was transferred to ${where.en}. Please wait.`,
    es: `*Mensaje automático*: tu conversación fue transferida a ${where.es}. Espera, por favor.`,
  }[language]
}

/** Said to a caller once, where calls are switched off. */
export function callsRefusedNotice({ language }: CompanyConfig): string {
  return {
    pt: '*Mensagem automática*: este número não atende chamadas. Por favor, envie uma mensagem.',
    en: '*Automatic message*: calls to this number are not answered. Please write a message.',
    es: '*Mensaje automático*: este número no atiende llamadas. Por favor, escribe un mensaje.',
  }[language]
}

/** The line that a refused call leaves in the conversation. */
export function missedCallBody(
  { at, video }: { at: Date; video: boolean },
  { timeZone, language }: Pick<CompanyConfig, 'timeZone' | 'language'>,
): string {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
  return {
    pt: `Chamada de ${video ? 'vídeo' : 'voz'} perdida às ${time}`,
    en: `Missed ${video ? 'video' : 'voice'} call at ${time}`,
    es: `${video ? 'Videollamada' : 'Llamada de voz'} perdida a las ${time}`,
  }[language]
}
