import { type CallingCode, nationalDigits, withCountry } from '../../schema/contacts/contacts.phone.ts'

/** The digits of a number as somebody typed it, with its country; undefined where that cannot be told. */
export function numberTyped(text: string, code: CallingCode): string | undefined {
  const typed = text.trim()
  const digits = withCountry(typed, code)
  if (!/^\d{8,15}$/.test(digits)) return undefined
  const isWhole = digits.startsWith(code) && nationalDigits(code).includes(digits.length - code.length)
  return typed.startsWith('+') || isWhole ? digits : undefined
}
