import { numberVariants } from '../../schema/contacts/contacts.phone.ts'

/** Who WhatsApp says it is, in its spelling; null: nobody. */
type Known = { number: string; lid?: string | null } | null

/**
 * Asks WhatsApp about a number in each spelling that it may know it by: one without Brazil's ninth digit is the same
 * person, and WhatsApp does not always say so. Only whom no spelling finds has no WhatsApp.
 */
export function inEitherSpelling(
  ask: (whatsappId: number, number: string) => Promise<Known>,
): (whatsappId: number, number: string) => Promise<Known> {
  return async (whatsappId, number) => {
    for (const spelling of numberVariants(number)) {
      const found = await ask(whatsappId, spelling)
      if (found) return found
    }
    return null
  }
}
