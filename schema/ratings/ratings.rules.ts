import type { Language } from '../languages.ts'

/** How long a contact may take to answer how the service was. */
export const RATING_WINDOW_MS = 5 * 60_000

/** Letters of a comment that are kept. */
export const MOST_COMMENT = 1_000

/** A service that has just ended. */
export interface EndedService {
  /** The company's setting. */
  userRating: string
  isGroup: boolean
  /** The ticket's agent. */
  userId: number | null
  /** When an agent took it; null for what was closed while it waited. */
  startedAt: Date | null
  /** When the contact was asked, if so. */
  ratingAt: Date | null
}

/** Whether the contact is asked how it was: once for each service, and only of an agent's. */
export function asksForRating(service: EndedService): boolean {
  return (
    service.userRating === 'enabled' &&
    !service.isGroup &&
    service.userId !== null &&
    service.startedAt !== null &&
    service.ratingAt === null
  )
}

/** The connection's own words, if it has any, and how to answer. */
export function ratingRequest(words: string, language: Language): string {
  const scale = {
    pt: 'Avalie o nosso atendimento, respondendo com um número:\n\n*1* - Insatisfeito\n*2* - Satisfeito\n*3* - Muito satisfeito',
    en: 'Please rate our service by replying with a number:\n\n*1* - Dissatisfied\n*2* - Satisfied\n*3* - Very satisfied',
    es: 'Califica nuestra atención respondiendo con un número:\n\n*1* - Insatisfecho\n*2* - Satisfecho\n*3* - Muy satisfecho',
  }[language]
  return [words.trim(), scale].filter(Boolean).join('\n\n')
}

/**
 * The rate that a message gives, or null where it is a message like any other: something else was written, it came
 * too late, or nobody asked.
 *
 * @param asked the last service of the ticket that the message would go to
 * @param text null for what is not text
 * @param at when it was written
 */
export function rateOf(
  text: string | null,
  asked: { ratingAt: Date | null; rated: boolean } | undefined,
  at: Date,
): 1 | 2 | 3 | null {
  if (text === null || !asked?.ratingAt || asked.rated) return null
  const waited = at.getTime() - asked.ratingAt.getTime()
  if (waited > RATING_WINDOW_MS) return null
  return /^\s*[123]\s*$/.test(text) ? (Number(text) as 1 | 2 | 3) : null
}

/** What is said after a rate where the company wishes to know why. */
export const commentRequest = (language: Language): string =>
  ({
    pt: 'Obrigado! Quer contar o motivo da nota? Responda em uma mensagem.',
    en: 'Thank you! Would you like to say why? Reply in one message.',
    es: '¡Gracias! ¿Quieres contar el motivo de la nota? Responde en un mensaje.',
  })[language]

/**
 * What a contact says about the rate that they gave, or null for a message like any other: nobody asked, it came too late, or
 * it is the second one.
 *
 * @param text null for what is not text
 * @param at when it was written
 */
export function commentOf(
  text: string | null,
  asked: { commentAskedAt: Date | null; comment: string | null } | undefined,
  at: Date,
): string | null {
  if (text === null || !asked?.commentAskedAt || asked.comment !== null) return null
  if (at.getTime() - asked.commentAskedAt.getTime() > RATING_WINDOW_MS) return null
  return text.trim().slice(0, MOST_COMMENT) || null
}
